// areia verify: runs the worked examples of the sources and puts their printed values beside ours.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>

#include "app/commands.h"
#include "areia/error.h"
#include "areia/version.h"
#include "core/suggest.h"
#include "verify/report.h"

namespace areia::app {

namespace {

using namespace verify;

struct Arguments {
  std::vector<std::string> names;
  std::string report;
  bool quick = false, full = false, json = false, list = false;
  int threads = 0, seeds = 0;
};

// An entry by its name or the beginning of it; without names the quick ones, or all.
std::vector<const Entry*> chosen(const Arguments& a) {
  std::vector<const Entry*> found;
  for (const Entry& e : entries())
    if (a.names.empty() && (a.full || e.quick)) found.push_back(&e);
  for (const std::string& name : a.names) {
    const std::size_t before = found.size();
    for (const Entry& e : entries())
      if (e.name.starts_with(name) && std::find(found.begin(), found.end(), &e) == found.end()) found.push_back(&e);
    const bool named =
        std::any_of(entries().begin(), entries().end(), [&](const Entry& e) { return e.name.starts_with(name); });
    if (found.size() == before && !named) {
      std::vector<std::string> known;
      for (const Entry& e : entries()) known.push_back(e.name);
      throw InputError("verify", name, "no such example" + suggestion(name, known) + "; --list names them");
    }
  }
  return found;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return fmt::format("{}, {} cores", model, omp_get_num_procs());
}

int run(const Arguments& a) {
  if (a.list) {
    for (const Entry& e : entries())
      fmt::print("{:<28} {:<6} {} ({})\n", e.name, e.quick ? "quick" : "full", e.title, e.source);
    return kDone;
  }
  Options options;
  options.full = a.full;
  options.threads = a.threads > 0 ? a.threads : omp_get_num_procs();
  options.seeds = a.seeds;
  const auto start = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes;
  Verdict worst = Verdict::pass;
  for (const Entry* e : chosen(a)) {
    outcomes.push_back(run_entry(*e, options));
    worst = std::max(worst, outcomes.back().verdict());
    if (!a.json) {
      fmt::print("{}\n", outcome_text(outcomes.back()));
      std::fflush(stdout);
    }
  }
  ReportHead head;
  head.command = "areia verify";
  for (const std::string& n : a.names) head.command += " " + n;
  head.command += a.full ? " --full" : a.names.empty() ? " --quick" : "";
  if (a.seeds > 0) head.command += fmt::format(" --seeds {}", a.seeds);
  head.command += fmt::format(" --threads {}", options.threads);
  head.machine = machine();
  head.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
  head.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!a.report.empty()) write_report(a.report, outcomes, head);

  int pass = 0, explained = 0, fail = 0;
  for (const Outcome& o : outcomes)
    for (const Row& r : o.sheet.rows) {
      pass += r.verdict == Verdict::pass;
      explained += r.verdict == Verdict::explained;
      fail += r.verdict == Verdict::fail;
    }
  if (a.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Outcome& o : outcomes) all.push_back(outcome_json(o));
    fmt::print("{}\n", nlohmann::json{{"version", kVersion},
                                      {"command", head.command},
                                      {"machine", head.machine},
                                      {"seconds", head.seconds},
                                      {"pass", pass},
                                      {"explained", explained},
                                      {"fail", fail},
                                      {"examples", all}}
                           .dump(1));
  } else {
    fmt::print("{} examples, {} values in {:.0f} s: {} pass, {} explained, {} fail\n", outcomes.size(),
               pass + explained + fail, head.seconds, pass, explained, fail);
    if (!a.report.empty()) fmt::print("report in {}\n", a.report);
  }
  return worst == Verdict::fail ? kDefect : kDone;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("verify", "run the worked examples of the sources and compare their values");
  c->add_option("names", a->names, "examples, by name or its beginning; default: all of a quick verification");
  auto* quick = c->add_flag("--quick", a->quick, "the examples that take seconds (default)");
  c->add_flag("--full", a->full, "all examples, statistical ones too: hours")->excludes(quick);
  c->add_flag("--json", a->json, "print JSON");
  c->add_flag("--list", a->list, "name the examples and stop");
  c->add_option("--report", a->report, "folder for index.md, index.html and plots");
  c->add_option("--threads", a->threads, "number of threads; default: all cores")->check(CLI::Range(1, 4096));
  c->add_option("--seeds", a->seeds, "runs of each statistical example; default: the example's own")
      ->check(CLI::Range(1, 1000));
  c->footer("Exit code 0: every value agrees or its difference is explained by a stated reason.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace areia::app
