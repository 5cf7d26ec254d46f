// areia verify: runs the worked examples of the sources and puts their printed values beside ours.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "app/commands.h"
#include "app/print.h"
#include "areia/error.h"
#include "areia/version.h"
#include "core/cores.h"
#include "core/suggest.h"
#include "verify/report.h"
#include "verify/sources.h"

namespace areia::app {

namespace {

using namespace verify;

struct Arguments {
  std::vector<std::string> names, join;
  std::string report;
  bool quick = false, full = false, json = false, list = false;
  int threads = 0, seeds = 0, jobs = 1;
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
  return fmt::format("{}, {} cores", model, usable_cores().count);
}

// Examples by `jobs` workers, each taking the next that waits, the longest first; told of when they end, returned in
// the order of the report.
std::vector<Outcome> run_all(const std::vector<const Entry*>& chosen, const Options& options, const Arguments& a) {
  std::vector<std::optional<Outcome>> done(chosen.size());
  std::vector<std::size_t> order(chosen.size());
  std::iota(order.begin(), order.end(), 0);
  if (a.jobs > 1) std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return !chosen[k]->quick; });
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  const auto work = [&] {
    for (std::size_t k = next++; k < order.size(); k = next++) {
      Outcome o = run_entry(*chosen[order[k]], options);
      if (!a.json) {
        const std::lock_guard lock(printing);
        print("{}\n", outcome_text(o));
        std::fflush(stdout);
      }
      done[order[k]] = std::move(o);
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int k = 1; k < a.jobs; ++k) workers.emplace_back(work);
    work();
  }
  std::vector<Outcome> outcomes;
  for (auto& o : done) outcomes.push_back(std::move(*o));
  return outcomes;
}

// The outcome on the terminal, or as JSON, from a report; and the report itself, where it is asked for.
int tell(const Arguments& a, const Json& report) {
  if (!a.report.empty()) write_report(a.report, report);
  Counts counts;
  Verdict worst = Verdict::pass;
  for (const Json& e : report.at("examples")) {
    counts += Counts(e.at("rows"));
    worst = std::max(worst, verdict_of(e.at("verdict")));
  }
  if (a.json) {
    print("{}\n", report.dump(1, ' ', false, Json::error_handler_t::replace));
  } else {
    print("{} examples, {} values in {:.0f} s: {} pass, {} explained, {} not reproduced, {} fail\n",
          report.at("examples").size(), counts.all(), report.at("seconds").get<double>(), counts[Verdict::pass],
          counts[Verdict::explained], counts[Verdict::not_reproduced], counts[Verdict::fail]);
    if (!a.report.empty()) print("report in {}\n", a.report);
  }
  return worst == Verdict::fail ? kDefect : kDone;
}

ReportHead head_now(std::string command) {
  return {std::move(command), machine(), fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)))};
}

int join(const Arguments& a) {
  std::vector<Json> reports;
  std::string command = "areia verify --join";
  for (const std::string& folder : a.join) {
    reports.push_back(read_report(folder));
    command += " " + std::filesystem::path(folder).filename().string();
  }
  if (!a.report.empty()) {
    std::vector<const Entry*> all;
    for (const Entry& e : entries()) all.push_back(&e);
    refuse_other_files(a.report, all);
  }
  return tell(a, joined(reports, head_now(command)));
}

int run(const Arguments& a) {
  if (!a.join.empty()) return join(a);
  if (a.list) {
    for (const Entry& e : entries())
      print("{:<28} {:<6} {} ({})\n", e.name, e.quick ? "quick" : "full", e.title, source_text(e.source));
    return kDone;
  }
  Options options;
  options.full = a.full;
  options.threads = a.threads > 0 ? a.threads : std::max(1, usable_cores().count / a.jobs);
  options.seeds = a.seeds;
  const std::vector<const Entry*> examples = chosen(a);
  if (!a.report.empty()) refuse_other_files(a.report, examples);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Outcome> outcomes = run_all(examples, options, a);
  std::string command = "areia verify";
  for (const std::string& n : a.names) command += " " + n;
  command += a.full ? " --full" : a.names.empty() ? " --quick" : "";
  if (a.seeds > 0) command += fmt::format(" --seeds {}", a.seeds);
  if (a.jobs > 1) command += fmt::format(" --jobs {}", a.jobs);
  command += fmt::format(" --threads {}", options.threads);
  ReportHead head = head_now(command);
  head.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return tell(a, report_json(outcomes, head));
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("verify", "run the worked examples of the sources and compare their values");
  auto* names =
      c->add_option("names", a->names, "examples, by name or its beginning; default: all of a quick verification");
  auto* quick = c->add_flag("--quick", a->quick, "the examples that take seconds (default)");
  auto* full = c->add_flag("--full", a->full, "all examples, statistical ones too: hours")->excludes(quick);
  c->add_flag("--json", a->json, "print the report as JSON");
  c->add_flag("--list", a->list, "name the examples and stop");
  c->add_option("--report", a->report, "folder for index.md, index.html, sketches, plots and verification.json")
      ->type_name(kFolder);
  c->add_option("--join", a->join, "run nothing: make one report of several, from their folders; the last one counts")
      ->type_name(kFolder)
      ->excludes(quick)
      ->excludes(full)
      ->excludes(names);
  c->add_option("--threads", a->threads, "number of threads; default: as many as help, of the cores it may use")
      ->check(CLI::Range(1, 4096));
  c->add_option("--jobs", a->jobs, "examples that run at the same time, each on cores/jobs threads; default: 1")
      ->check(CLI::Range(1, 4096));
  c->add_option("--seeds", a->seeds, "runs of each statistical example; default: the example's own")
      ->check(CLI::Range(1, 1000));
  c->footer(
      "Exit code 0: no value fails. `explained` is a printed value that cannot be met, shown by numbers; `not "
      "reproduced` "
      "one that another program printed and this one does not give.");
  c->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace areia::app
