// areia run: a case into a results folder, with progress on the terminal and checkpoints on signals.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include "app/commands.h"
#include "app/display.h"
#include "app/ranks.h"
#include "core/units.h"
#include "run/packing_cache.h"
#include "run/run.h"

namespace areia::app {

namespace {

std::atomic<int> interrupt{0};
std::atomic<int> checkpoint_now{0};
std::atomic<bool> stepping{false};
std::atomic<std::time_t> first_asked{0};
constexpr std::time_t kPatience = 2;  // s; a terminal that is closed sends HUP twice

// Until the first step there is nothing to keep, and who asks again does not want to wait: the process ends at once.
// That harms no file, as a kill would not.
void on_signal(int signal) {
  if (signal == SIGUSR1) {
    checkpoint_now.store(signal);
    return;
  }
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (stepping.load() && interrupt.exchange(signal) == 0) {
    first_asked.store(now.tv_sec);
    return;
  }
  if (stepping.load() && now.tv_sec - first_asked.load() < kPatience) return;
  constexpr std::string_view kBefore = "\ninterrupted before the first step\n", kNow = "\ninterrupted at once\n";
  const std::string_view text = stepping.load() ? kNow : kBefore;
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) std::_Exit(kInterrupted);
  std::_Exit(kInterrupted);
}

void listen() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup, and jobs of a script
  }
}

struct Arguments {
  std::string file, out, resume, engine = "cpu";
  std::vector<std::string> set;
  int threads = 0;
  double max_wall = 0, checkpoint = -1;
  std::string extend;
  bool quiet = false, overwrite = false, profile = false, no_cache = false, accept_gaps = false;
};

void tell_profile(const nlohmann::json& profile, Display& display) {
  double sum = 0;
  for (const auto& [key, words] : kProfileParts) sum += profile[key].get<double>();
  for (const auto& [key, words] : kProfileParts) {
    const auto seconds = profile[key].get<double>();
    display.line(fmt::format("{:9.2f} s {:5.1f} %  {}", seconds, sum > 0 ? 100 * seconds / sum : 0.0, words));
  }
}

int run(const Arguments& a) {
  if (a.file.empty() == a.resume.empty())
    throw InputError("run", "", "give a case file, or --resume with a results folder");
  RunOptions options;
  options.resume = !a.resume.empty();
  if (options.resume && !a.set.empty())
    throw InputError("--set", a.set.front(), "a resumed run keeps its case; --set is for new runs");
  if (options.resume && !a.out.empty())
    throw InputError("--out", a.out, "a resumed run goes on in its own folder; copy the folder to go on elsewhere");
  if (options.resume && a.overwrite)
    throw InputError("--overwrite", "", "a resumed run replaces nothing; --overwrite is for new runs");
  if (!a.extend.empty()) {
    if (!options.resume) throw InputError("--extend", a.extend, "is for resumed runs; give --resume with a folder");
    std::string error;
    const std::optional<double> time = parse_quantity(a.extend, "s", error);
    if (!time) throw InputError("--extend", a.extend, error);
    if (!(*time > 0)) throw InputError("--extend", a.extend, "must be more than no time");
    options.extend = *time;
  }
  if (!options.resume && a.accept_gaps) throw InputError("--accept-gaps", "", "is for resumed runs");
  options.out = options.resume   ? a.resume
                : !a.out.empty() ? a.out
                                 : std::filesystem::path(a.file).replace_extension("out").string();
  options.overwrite = a.overwrite;
  options.engine = engine_of(a.engine);
  options.link = link_to_ranks();
  options.threads = a.threads;
  options.profile = a.profile;
  options.max_wall = a.max_wall;
  if (a.checkpoint >= 0) options.checkpoint_wall = a.checkpoint;
  listen();
  options.interrupt = &interrupt;
  options.checkpoint_now = &checkpoint_now;
  options.accept_gaps = a.accept_gaps;
  options.begins = [] { stepping.store(true); };
  Display display(a.quiet);
  options.log = [&](const std::string& line) { display.line(line); };
  options.progress = [&](const Progress& p) { display.progress(p); };
  options.packing_progress = [&](const PackingProgress& p) { display.packing(p); };
  if (!a.no_cache) options.cache = cache_folder();
  const RunResult result = options.resume
                               ? run_case({}, options)
                               : with_case(a.file, a.set, [&](Case c) { return run_case(std::move(c), options); });

  const auto& s = result.summary;
  if (result.was_finished) {
    display.line(fmt::format("finished already: t = {:.6g} s, state hash {}; --extend 1s goes on with it",
                             s["time"].get<double>(), s["state_hash"].get<std::string>()));
    return kDone;
  }
  if (result.ending == Ending::finished) {
    display.line(
        fmt::format("{} steps to t = {:.6g} s in {:.1f} s, {} particle-steps, {} particles, {} contacts, {} lost",
                    s["steps"].get<std::int64_t>(), s["time"].get<double>(), s["wall_s"].get<double>(),
                    rate(s["particle_steps_per_s"].get<double>()), s["particles"].get<std::int64_t>(),
                    s["contacts"].get<std::int64_t>(), s["lost"].get<std::int64_t>()));
    if (s.contains("events"))
      display.line(fmt::format(
          "{} collisions of particles, {} with walls, {}", s["events"]["collisions"].get<std::int64_t>(),
          s["events"]["wall_collisions"].get<std::int64_t>(), rate(s["events"]["collisions_per_s"].get<double>())));
    if (s["energy_residual_relative"].is_number())
      display.line(fmt::format("energy residual {:.3g} J, {:.2g} of the {:.4g} J turned over",
                               s["energy_residual"].get<double>(), s["energy_residual_relative"].get<double>(),
                               s["energy"]["turned_over"].get<double>()));
    if (a.profile) tell_profile(s["profile"], display);
    display.line(fmt::format("state hash {}", s["state_hash"].get<std::string>()));
    display.line(fmt::format("results in {}", options.out.string()));
    return kDone;
  }
  if (a.profile) tell_profile(s["profile"], display);
  display.line(fmt::format("stopped at t = {:.6g} s; continue with: areia run --resume {}", s["time"].get<double>(),
                           options.out.string()));
  return result.ending == Ending::interrupted ? kInterrupted : kDone;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("run", "run a case, or continue a run");
  c->add_option("case", a->file, "case file (TOML, or .ini of PyParticles)")->type_name(kFile);
  c->add_option("--out", a->out, "results folder; default: the case file's name with .out")->type_name(kFolder);
  c->add_option("--resume", a->resume, "continue the run in this results folder from its last checkpoint")
      ->type_name(kFolder);
  c->add_option("--extend", a->extend, "with --resume: add a stage of this duration behind the last one, such as 2s");
  c->add_flag("--overwrite", a->overwrite, "replace the results of an earlier run");
  c->add_option("--set", a->set, "override a key of the case: path=value (repeatable)")
      ->type_name(kSetting)
      ->allow_extra_args(false);
  c->add_option("--threads", a->threads, "number of threads; default: as many as help, of the cores it may use")
      ->check(CLI::Range(1, 4096));
  c->add_option("--engine", a->engine, "cpu, cuda (a GPU), or reference (slow, serial, brute force)")
      ->check(CLI::IsMember({"cpu", "cuda", "reference"}));
  c->add_option("--max-wall", a->max_wall, "stop with a checkpoint after this many seconds")
      ->check(CLI::PositiveNumber)
      ->check(finite_number());
  c->add_option("--checkpoint", a->checkpoint, "seconds of wall time between checkpoints; 0: only the last one")
      ->check(CLI::NonNegativeNumber)
      ->check(finite_number());
  c->add_flag("--profile", a->profile, "tell where the time went");
  c->add_flag("--no-cache", a->no_cache, "compute packings anew and keep none");
  c->add_flag("--accept-gaps", a->accept_gaps, "resume although lines of series are lost");
  c->add_flag("--quiet", a->quiet, "print errors only");
  c->footer(
      "Signals: INT, TERM and HUP write a checkpoint and stop (exit code 130), a second one stops at once; USR1 writes "
      "a checkpoint and goes on.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace areia::app
