// areia doctor: what this machine has of what Areia can use, and whether Areia computes here what it computes
// elsewhere.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/in_path.h"
#include "app/print.h"
#include "areia/simulation.h"
#include "areia/version.h"
#include "core/cores.h"
#include "core/vector_width.h"
#include "engine/cuda/plugin.h"
#include "run/examples.h"
#include "studio/page.h"

namespace areia::app {
namespace {

namespace fs = std::filesystem;

enum class Mark { fine, missing, wrong };  // missing: something else is lost, a run is not
constexpr const char* kMarks[] = {"ok", "--", "!!"};

struct Finding {
  std::string subject;
  Mark mark;
  std::string text;
};

std::string first_line(const fs::path& file, std::string_view key = "") {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key)) return key.empty() ? line : line.substr(std::min(line.size(), line.find(':') + 2));
  return "";
}

// What a command prints, on one line; nothing if it fails.
std::string said_by(std::vector<std::string> words) {
  int ends[2];
  if (::pipe(ends) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int end : ends) posix_spawn_file_actions_addclose(&actions, end);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n = 0; started && ((n = ::read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR));)
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 1;
  while (started && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return started && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "";
}

// ---- what there is ----

Finding processor() {
  std::string model = first_line("/proc/cpuinfo", "model name");
  if (model.empty()) model = "a processor without a name";
  const char* vectors[] = {"no wide vectors", "AVX2", "AVX-512"};
  const VectorWidth width = widest_vectors();
  return {"cpu", width == VectorWidth::plain ? Mark::missing : Mark::fine,
          fmt::format("{}; {}{}", model, vectors[static_cast<int>(width)],
                      width == VectorWidth::plain ? ": the same results, at half the speed or less" : "")};
}

Finding threads() {
  const Cores cores = usable_cores();
  std::string text = fmt::format("{} ({})", cores.count, cores.reason);
  double load[1] = {0};
  if (::getloadavg(load, 1) == 1 && load[0] > 0.5 * cores.count)
    text += fmt::format("; the load is {:.1f}, so other programs want them too", load[0]);
  return {"threads", Mark::fine, text};
}

Finding memory() {
  const double kib = std::strtod(first_line("/proc/meminfo", "MemAvailable").c_str(), nullptr);
  constexpr double kMost = 1754;  // bytes per grain, while a frame with all contacts is made (bench/README.md, B1)
  return {"memory", Mark::fine,
          fmt::format("{:.3g} GB free, enough for about {:.2g} million grains", kib * 1024 / 1e9,
                      kib * 1024 / kMost / 1e6)};
}

Finding disk() {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::space_info space = fs::space(here, error);
  if (error) return {"disk", Mark::wrong, error.message()};
  const bool writable = ::access(here.c_str(), W_OK) == 0;
  return {"disk", writable ? Mark::fine : Mark::wrong,
          fmt::format("{:.3g} GB free here{}", static_cast<double>(space.available) / 1e9,
                      writable ? "" : "; nothing can be written to this folder")};
}

Finding gpu() {
  const cuda::FoundDevice& device = cuda::found_device();
  if (device.name.empty()) return {"gpu", Mark::missing, device.why_not};
  return {"gpu", Mark::fine, device.name + " (areia run CASE --engine cuda)"};
}

Finding python() {
  if (in_path("python3").empty()) return {"python", Mark::missing, "no python3 on the PATH"};
  const std::string version = said_by({"python3", "-c", "import areia; print(areia.__version__)"});
  if (version.empty())
    return {"python", Mark::missing, "python3 does not find the module areia (make python, or pip install .)"};
  if (version != kVersion)
    return {"python", Mark::missing, fmt::format("its module areia is {}, this program is {}", version, kVersion)};
  return {"python", Mark::fine, fmt::format("import areia gives {}", version)};
}

Finding browser() {
  if (studio::studio_page().html_gzipped.empty())
    return {"studio", Mark::missing, "this build has no studio: Node.js and npm were not there when it was configured"};
  for (const char* name : {"xdg-open", "firefox", "chromium", "google-chrome"})
    if (const fs::path file = in_path(name); !file.empty())
      return {"studio", Mark::fine, fmt::format("areia studio --open starts the browser by {}", file.string())};
  return {"studio", Mark::missing, "no browser here; areia studio prints an address for one elsewhere (ssh -L)"};
}

Finding program(const std::string& subject, const std::string& name, const std::string& use,
                const std::string& without) {
  const fs::path file = in_path(name);
  if (file.empty()) return {subject, Mark::missing, fmt::format("{} is not on the PATH: {}", name, without)};
  return {subject, Mark::fine, fmt::format("{} ({})", file.string(), use)};
}

Finding examples() {
  try {
    return {"examples", Mark::fine, fmt::format("{} (areia examples)", find_examples().size())};
  } catch (const FileError& e) { return {"examples", Mark::missing, e.what()}; }
}

// ---- whether it computes here what it computes elsewhere ----

// The starter case with fewer grains, over a moment of each of its stages; what it ends with everywhere.
constexpr char kHash[] = "37a46089c09d86e8edb0a8b1bbaf1901";
std::vector<std::string> short_case() {
  return {"particles.grains.fill.count=150", "stages.settle.until.at_most=0.15", "stages.flow.duration=0.05"};
}

std::string hash_of(Engine engine, int threads, bool saved_on_the_way) {
  Case c = parse_case(starter_case(), "doctor", short_case());
  c.numerics.threads = threads;
  auto simulation = std::make_unique<Simulation>(c, engine);
  constexpr std::int64_t kAll = std::int64_t{1} << 40;
  if (saved_on_the_way) {
    simulation->advance(500);
    const Archive archive = simulation->save();
    simulation = std::make_unique<Simulation>(c, engine);
    simulation->load(archive);
  }
  simulation->advance(kAll);
  return state_hash(simulation->frame());
}

Finding self_test(const std::string& subject, Engine engine, int threads, bool saved_on_the_way) {
  const auto start = std::chrono::steady_clock::now();
  const std::string hash = hash_of(engine, threads, saved_on_the_way);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (hash != kHash)
    return {subject, Mark::wrong,
            fmt::format("state hash {}, expected {}: another compiler or mathematical library rounds elsewhere, or the "
                        "machine is faulty; bits cannot be compared with those of other machines",
                        hash, kHash)};
  return {subject, Mark::fine, fmt::format("state hash {} in {:.2f} s", hash, seconds)};
}

int doctor(bool json) {
  std::vector<Finding> findings;
  const auto find = [&](Finding f) {
    if (!json) print("{} {:<10} {}\n", kMarks[static_cast<int>(f.mark)], f.subject, f.text);
    findings.push_back(std::move(f));
  };
  find({"areia", Mark::fine,
        fmt::format("{}, {} {}", kVersion,
#ifdef __clang__
                    "clang",
#else
                    "gcc",
#endif
                    __VERSION__)});
  find(processor());
  find(threads());
  find(memory());
  find(disk());
  find(gpu());
  find({"mpi", Mark::missing, "this build runs on one machine"});
  find(python());
  find(browser());
  find(program("film", "ffmpeg", "areia film", "areia film writes numbered pictures"));
  find(program("paraview", "paraview", "areia view", "areia render and areia studio show results without it"));
  find(examples());
  find(self_test("1 thread", Engine::cpu, 1, false));
  if (const int count = usable_cores().count; count > 1)
    find(self_test(fmt::format("{} threads", count), Engine::cpu, count, false));
  find(self_test("saved", Engine::cpu, 1, true));
  find(self_test("reference", Engine::reference, 1, false));
  if (!cuda::found_device().name.empty()) find(self_test("cuda", Engine::cuda, 1, false));

  const auto wrong =
      std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.mark == Mark::wrong; });
  if (json) {
    nlohmann::json list = nlohmann::json::array();
    constexpr const char* kWords[] = {"ok", "missing", "wrong"};
    for (const Finding& f : findings)
      list.push_back({{"subject", f.subject}, {"mark", kWords[static_cast<int>(f.mark)]}, {"text", f.text}});
    print("{}\n", nlohmann::json{{"findings", list}, {"wrong", wrong}}.dump(1, ' ', false,
                                                                            nlohmann::json::error_handler_t::replace));
  } else if (wrong == 0) {
    print("Areia is well; what has -- is not needed for runs\n");
  } else {
    print("{} thing{} wrong (!!)\n", wrong, wrong == 1 ? " is" : "s are");
  }
  return wrong == 0 ? kDone : kDefect;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* c = app.add_subcommand("doctor", "tell what this machine has of what Areia can use, and test it by a hash");
  c->add_flag("--json", *json, "as JSON");
  c->footer(
      "A short run ends with the same state hash everywhere, on any number of threads and with each engine. "
      "Exit code 1: something is wrong (!!).");
  c->callback([=, &exit_code] { exit_code = doctor(*json); });
}

}  // namespace areia::app
