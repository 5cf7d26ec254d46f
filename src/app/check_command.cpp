// areia check: everything that can be told about a case without running it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/display.h"
#include "app/print.h"
#include "areia/simulation.h"
#include "engine/prepare.h"
#include "io/files/atomic_file.h"
#include "run/packing_cache.h"
#include "scene/meeting_pairs.h"
#include "scene/rules/doubts.h"
#include "studio/case_check.h"

namespace areia::app {

namespace {

std::string counted(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// Which contact table each pair uses that can meet, and why.
void tell_tables(const Case& c) {
  const char* head = "contacts";
  for (const MeetingPair& m : meeting_pairs(c)) {
    if (!m.can_meet) continue;
    print("  {:<12} {}-{}: {}\n", head, m.a, m.b, table_in_words(c, m));
    head = "";
  }
  if (*head) print("  {:<12} none: nothing can meet\n", head);
}

struct Arguments {
  std::string file;
  std::vector<std::string> set;
  bool skip_packings = false, no_cache = false, json = false;
  // of the studio: the text comes from stdin, what it names lies within a folder, the scene comes with the answer, or a
  // picture of it is all of the answer
  bool from_input = false, scene = false;
  std::string within, look;
};

// The case with its packings made or left out, and a line about each.
Case ready_case(const Arguments& a, const Case& c, std::vector<std::string>& notes) {
  if (!needs_preparation(c)) return c;
  if (a.skip_packings) {
    for (const ParticleSet& set : c.particles)
      if (needs_preparation(set))
        notes.push_back(fmt::format("particles.{}: packing not computed, left out", set.name));
    return without_packings(c);
  }
  Display display(false);
  const auto cache = a.no_cache ? std::nullopt : cache_folder();
  return prepared(c, {.note = [&](const std::string& n) { notes.push_back(n); },
                      .progress = [&](const PackingProgress& p) { display.packing(p); },
                      .memory = cache ? packing_cache(*cache) : PackingMemory{}});
}

// How long the run would take here, from some steps that are taken and thrown away. A case that is sound may still blow
// up within them.
void tell_time(Simulation& s, std::vector<std::string>& warnings) {
  constexpr double kPatience = 0.25;  // s
  using Clock = std::chrono::steady_clock;
  const double planned = s.planned_time();
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::int64_t batch = 1;
  try {
    for (double before = 0; passed() < kPatience && !s.finished(); batch *= 2) {
      s.advance(batch, false);
      if (passed() - before > kPatience / 4) break;
      before = passed();
    }
  } catch (const StoppedError& e) {
    warnings.push_back(fmt::format("the run would stop: {}", e.what()));
    return;
  }
  const double seconds = passed(), done = s.time();
  if (s.finished()) print("  time         below a second\n");
  else if (done > 0 && planned < kForever)
    print("  time         about {} here, by the first {} steps{}\n", clock_time(seconds * planned / done), s.step(),
          s.statistics().waiting > 0 || s.particle_count() == 0 ? "; particles are still to come" : "");
}

int check(const Arguments& a, const Case& c) {
  std::vector<std::string> notes;
  std::vector<std::string> warnings = doubts(c);
  if (needs_preparation(c) && !a.skip_packings)  // at once: packings take their time
    for (const std::string& w : warnings) tell("warning: {}\n", w);
  const Case ready = ready_case(a, c, notes);
  if (ready.numerics.collisions == Collisions::hard && a.skip_packings && needs_preparation(c)) {
    // hard spheres must be there from the start, so without them there is nothing to choose
    print("{}: {}\n", a.file, c.title.empty() ? "sound" : c.title);
    for (const std::string& n : notes) print("  {}\n", n);
    tell_tables(c);
    print("no problems in what the case says; nothing was placed\n");
    return kDone;
  }
  Simulation s(ready);
  const Choices& k = s.choices();
  const Frame frame = s.frame();
  double overlap = 0;
  for (const FrameContact& contact : frame.contacts) overlap = std::max(overlap, contact.overlap);
  print("{}: {}\n", a.file, c.title.empty() ? "sound" : c.title);
  for (const std::string& n : notes) print("  {}\n", n);
  for (const std::string& n : k.notes) print("  {}\n", n);
  print("  particles    {} in {}, {}\n", s.particle_count(), counted(c.particles.size(), "set"),
        counted(c.walls.size(), "wall"));
  tell_tables(c);
  print("  time step    {:.6g} s: {}\n", k.dt, k.dt_reason);
  if (k.contact_time > 0)
    print("  contact      lasts {:.4g} s at {:.3g} m/s, {:.1f} steps\n", k.contact_time, k.closing_speed,
          k.contact_time / k.dt);
  print("  skin, cell   {:.4g} m: {}; {:.4g} m: {}\n", k.skin, k.skin_reason, k.cell, k.cell_reason);
  print("  steps        {:.0f} at most, to t = {:.6g} s, {}\n", s.planned_time() / k.dt, s.planned_time(),
        counted(c.stages.size(), "stage"));
  print("  memory       about {:.1f} MB\n", k.bytes_estimate / 1e6);
  print("  at the start {} contacts, largest overlap {:.3g} m\n", frame.contacts.size(), overlap);
  tell_time(s, warnings);
  warnings.insert(warnings.end(), k.warnings.begin(), k.warnings.end());
  for (const std::string& w : warnings) print("  warning: {}\n", w);
  print("no problems, {}\n", counted(warnings.size(), "warning"));
  return kDone;
}

// A text from elsewhere may ask for anything: it gets its own share of memory and time, and no more.
void limit_resources() {
  constexpr rlim_t kBytes = rlim_t{4} << 30, kSeconds = 20;
  const rlimit memory{kBytes, kBytes}, time{kSeconds, kSeconds};
#ifndef AREIA_SANITIZED  // sanitizers reserve terabytes for their books
  ::setrlimit(RLIMIT_AS, &memory);
#else
  static_cast<void>(memory);
#endif
  ::setrlimit(RLIMIT_CPU, &time);
}

int check_for_programs(const Arguments& a) {
  if (a.scene) limit_resources();
  const std::string text = a.from_input ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_file(a.file);
  if (!a.look.empty()) {
    write_output(studio::check_picture(text, a.file, a.within, studio::read_look(a.look)));
    return kDone;
  }
  const studio::Message answer = studio::check_message(text, a.file, a.within, a.scene);
  const nlohmann::json& found = answer.head["check"];
  write_output(a.scene ? answer.bytes() : found.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return found["problems"].empty() ? kDone : kWrongInput;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("check", "check a case and show what would be run");
  c->add_option("case", a->file, "case file (TOML, or .ini of PyParticles)")->type_name(kFile)->required();
  c->add_option("--set", a->set, "override a key of the case: path=value (repeatable)")
      ->type_name(kSetting)
      ->allow_extra_args(false);
  c->add_flag("--skip-packings", a->skip_packings, "leave packings that have to be computed out");
  c->add_flag("--no-cache", a->no_cache, "compute packings anew and keep none");
  c->add_flag("--json", a->json, "print what was found as JSON, for other programs; leaves packings out");
  c->add_flag("--stdin", a->from_input)->group("");
  c->add_flag("--scene", a->scene)->group("");
  c->add_option("--within", a->within)->group("");
  c->add_option("--look", a->look)->group("");
  c->callback([a, &exit_code] {
    if (a->json || a->scene) {
      if (!a->set.empty()) throw InputError("--set", a->set.front(), "is not for --json");
      exit_code = check_for_programs(*a);
      return;
    }
    exit_code = with_case(a->file, a->set, [&](const Case& k) { return check(*a, k); });
  });
}

}  // namespace areia::app
