// The loop over stages: what happens when. Groups: theory manual, section 2.2.
//
// A stage ends at the time that the case asks for. Where no whole number of steps fits before it, the last fifty of
// them are shorter, by a fiftieth; in a stage that is shorter itself, all. So it lasts as long as it should, and
// nothing adds up over many of them. A change of the step from one to the next costs energy, f . v times half of it, so
// it is spread; a step that the case gives is kept until the end is near. What is written, and when, has no influence
// on the steps.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/simulation.h"
#include "core/exact_sum.h"
#include "engine/backend.h"
#include "engine/bookkeeping.h"
#include "engine/case_identity.h"
#include "engine/servo.h"
#include "engine/set_wall.h"
#include "engine/stage_schedule.h"
#include "engine/stage_tables.h"
#include "engine/start_from.h"
#include "engine/streams.h"
#include "engine/time_step.h"
#include "engine/wear.h"
#include "observe/watched_value.h"
#include "scene/scene.h"

namespace areia {

inline constexpr std::int64_t kRestInterval = 100;  // steps between tests for rest
inline constexpr double kSameTime = 1e-6;           // of a step: times that differ by less are the same
inline constexpr std::int64_t kShorterSteps = 50;   // before the end of a stage
inline constexpr std::int64_t kRestTests = 10;      // how many in a row must find rest
inline constexpr double kRestOfLiveliest = 1e-9;

struct Simulation::Parts {
  Scene scene;
  CaseIdentity identity;
  std::map<std::string, std::string> names;  // of a checkpoint: save_names()
  Choices choices;
  Engine engine = Engine::cpu;
  BackendSettings backend_settings;
  std::unique_ptr<Backend> backend;
  std::optional<StageTables> tables;  // of the case as it began; none where no stage sets any
  BackendStatistics earlier;          // of engines before this one
  bool profiling = false;
  Streams streams;
  WearBook wear;
  double rest_energy = 0;
  BedEstimate bed;       // for servo walls
  CellEstimate cell;     // for servos of the cell
  bool can_meet = true;  // whether anything can touch anything

  // progress through the stages
  std::size_t stage = 0;
  std::int64_t stage_first_step = 0;
  StepTimes times;           // of the present steps
  std::int64_t leg_end = 0;  // step up to which steps are as they are now
  bool last_leg = false;     // the stage ends there
  std::int64_t quiet_tests = 0;
  double liveliest = 0;              // J, largest kinetic energy per particle that a test for rest has found
  std::vector<double> stage_start;   // s, of the stages begun so far
  std::vector<StageRecord> records;  // of these
  bool over = false;                 // the present stage has ended; the next one begins with the next step
  bool done = false;
  std::optional<WatchedValue> watched;  // what the end of the present stage waits for
  std::vector<FrameContact> loaded;     // contacts that the state showed when it was saved or changed; until it moves
  std::optional<Vec3d> gravity;         // that was set while it ran
  std::vector<std::optional<SetWall>> set_walls;  // per wall, likewise

  const Case& settings() const { return scene.settings; }
  const Stage& present() const { return settings().stages[stage]; }

  // The engine takes over what another run has left.
  void begin_from(const StartPlan& plan);

  // A case needs tables for what can meet at its start, and its time step knows of no other contact.
  void require_contacts_of(std::size_t material) const {
    for (const ParticleSet& set : settings().particles) {
      const std::string key = fmt::format("contacts.{}-{}", scene.materials[material].name, set.material);
      for (std::size_t m = 0; m < scene.materials.size(); ++m)
        if (scene.materials[m].name == set.material && (!can_meet || scene.contact_index(material, m) < 0))
          throw InputError(key, "", "is missing: a particle that is inserted into the case may touch another");
    }
  }

  // --- the end of a stage ---
  double stage_end = kForever;  // s, of the present stage if it takes its time
  // Durations since the last stage that ended by itself, added without rounding: ten stages of 0.1 s end at 1 s.
  double find_stage_end() const {
    if (!(present().duration > 0)) return kForever;
    std::size_t from = stage;
    while (from > 0 && !settings().stages[from - 1].ends_by_event()) --from;
    ExactSum sum;
    sum += stage_start[from];
    for (std::size_t k = from; k <= stage; ++k) sum += settings().stages[k].duration;
    return sum.value();
  }
  void begin_leg() {
    last_leg = true;
    const std::int64_t here = backend->step();
    if (stage_end == kForever) {
      leg_end = std::numeric_limits<std::int64_t>::max();
      return take({here, leg_end, backend->time(), kForever, choices.dt});
    }
    const double steps = (stage_end - backend->time()) / choices.dt, nearest = std::max(1.0, std::round(steps));
    const bool fits = std::fabs(steps - nearest) < kSameTime * nearest;
    const bool loose = present().ends_by_event();  // the longest that it may take
    const StepTimes plain{here, std::numeric_limits<std::int64_t>::max(), backend->time(), kForever, choices.dt};
    if (fits || loose) {
      leg_end = here + static_cast<std::int64_t>(fits ? nearest : std::ceil(steps));
      return take(plain);
    }
    if (steps > kShorterSteps) {
      leg_end = here + static_cast<std::int64_t>(std::floor(steps)) - (kShorterSteps - 1);
      last_leg = false;
      return take(plain);
    }
    const double n = std::ceil(steps);
    leg_end = here + static_cast<std::int64_t>(n);
    take({here, leg_end, backend->time(), stage_end, (stage_end - backend->time()) / n});
  }
  // Steps of the chosen length that go on count from where they began.
  void take(const StepTimes& next) {
    if (next.end == kForever && times.end == kForever && times.dt == next.dt) return;
    times = next;
    backend->set_step_times(times);
  }

  // --- the end of a stage by a value ---
  std::int64_t watch_interval() const {
    return present().every > 0 ? std::max<std::int64_t>(1, std::llround(present().every / choices.dt)) : kRestInterval;
  }
  void watch() {
    watched.reset();
    if (!present().value.empty()) watched.emplace(settings(), present().value);
  }
  bool value_is_due() const {
    const std::int64_t in_stage = backend->step() - stage_first_step;
    return watched && in_stage > 0 && in_stage % watch_interval() == 0;
  }
  double look() {
    Frame frame;
    backend->fill_all(frame);
    frame.wear = wear.shown();
    return watched->of(frame);
  }
  bool has_passed() {
    const double value = look();
    return value > present().above || value < present().below;
  }

  // --- tables that stages change ---
  std::unique_ptr<Backend> new_backend() const {
    if (settings().numerics.collisions == Collisions::hard) return make_event_backend(scene, backend_settings);
    switch (engine) {
      case Engine::reference:
        return make_reference_backend(scene, backend_settings);
      case Engine::cuda:
        return make_cuda_backend(scene, backend_settings);
      case Engine::cpu:
        if (backend_settings.bookkeeping.link) return make_rank_backend(scene, backend_settings);
        break;
    }
    return make_cpu_backend(scene, backend_settings);
  }
  // A new engine that can load this state, with the tables as they are after so many stages have begun.
  void use_tables(const Archive& state, std::size_t stages) {
    tables->after(settings().stages, stages).put_into(scene);
    scene.particles = particles_of(state, scene);
    backend = new_backend();
    scene.particles = {};
    backend->measure_profile(profiling);
    backend->set_step_times(times);
    backend->set_schedule(schedule());
  }
  void change_tables() {
    Frame before, after;
    backend->fill_all(before);
    Archive state;
    backend->save(state);
    earlier = statistics();
    use_tables(state, stage + 1);
    backend->load(state);
    backend->fill_all(after);
    book_change(state, scene, before.energy, after.energy);
    backend->load(state);
  }
  BackendStatistics statistics() const {
    BackendStatistics s = backend->statistics();
    s.rebuilds += earlier.rebuilds;
    s.device.steps += earlier.device.steps;
    s.device.seconds += earlier.device.seconds;
    s.device.handovers += earlier.device.handovers;
    s.device.handover_seconds += earlier.device.handover_seconds;
    s.pickings += earlier.pickings;
    s.profile += earlier.profile;
    return s;
  }

  Timetable timetable() const { return {settings(), stage_start}; }
  Schedule schedule() const {
    Schedule s = schedule_of(scene, timetable(), {bed, cell, choices.dt}, gravity);
    for (std::size_t w = 0; w < set_walls.size(); ++w)
      if (set_walls[w]) s.wall_motion[w] = set_walls[w]->motion();
    return s;
  }

  // --- walls that come and go ---
  std::vector<std::uint8_t> wall_there;

  // By `when`, at the present step; stages do the rest.
  void switch_walls(const Change& by_stage) {
    Change c = by_stage;
    for (const std::uint16_t w : c.remove_walls) wall_there[w] = 0;
    for (const std::uint16_t w : c.insert_walls) wall_there[w] = 1;
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
      const Interval& when = settings().walls[w].when;
      if (when == Interval{}) continue;
      const double now = backend->time() + kSameTime * choices.dt;
      const Interval known = timetable().resolved(when);
      const bool there = now >= known.start && now < known.stop;
      if (there == (wall_there[w] != 0)) continue;
      (there ? c.insert_walls : c.remove_walls).push_back(static_cast<std::uint16_t>(w));
      wall_there[w] = there;
    }
    if (!c.remove_walls.empty() || !c.insert_walls.empty() || !c.remove_groups.empty() || !c.release_groups.empty() ||
        !c.freeze_groups.empty() || !c.make_bonds.empty())
      backend->apply(c);
  }
  // Steps until the next wall comes or goes.
  std::int64_t until_switch() const {
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (const Wall& w : settings().walls) {
      if (w.when == Interval{}) continue;
      const Interval known = timetable().resolved(w.when);
      for (const double t : {known.start, known.stop}) {
        const double steps = std::ceil((t - backend->time()) / times.dt - kSameTime);
        if (steps >= 1 && steps < 9e15) next = std::min(next, static_cast<std::int64_t>(steps));
      }
    }
    return next;
  }

  std::vector<Interval> stream_times() const {
    std::vector<Interval> all;
    for (const ParticleSet& set : settings().particles) {
      const auto* s = std::get_if<Stream>(&set.source);
      all.push_back(timetable().resolved(s ? s->when : Interval{}));
    }
    return all;
  }
  void insert_from_streams() {
    Change c;
    c.insert = streams.take(backend->step(), stream_times(), scene, *backend);
    if (!c.insert.empty()) backend->apply(c);
  }
  // `at`: the time that the stage before was to last to, or the present one.
  void begin_stage(double at) {
    stage_start.push_back(at);
    records.push_back({present().name, at, at, backend->step(), backend->step(), StageRecord::Ending::none});
    stage_end = find_stage_end();
    stage_first_step = backend->step();
    quiet_tests = 0;
    if (tables && !present().set.empty()) change_tables();
    backend->set_schedule(schedule());
    Change c;
    const Stage& s = present();
    auto walls = [&](const std::vector<std::string>& names, std::vector<std::uint16_t>& out) {
      for (const std::string& name : names)
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
          if (scene.walls[w].name == name) out.push_back(static_cast<std::uint16_t>(w));
    };
    walls(s.remove_walls, c.remove_walls);
    walls(s.insert_walls, c.insert_walls);
    auto groups = [&](const std::vector<std::string>& names, std::vector<std::uint16_t>& out) {
      for (const std::string& name : names)
        for (std::size_t k = 0; k < scene.groups.size(); ++k)
          if (scene.groups[k] == name) out.push_back(static_cast<std::uint16_t>(k));
    };
    groups(s.remove_groups, c.remove_groups);
    groups(s.release_groups, c.release_groups);
    groups(s.freeze_groups, c.freeze_groups);
    if (!s.name.empty()) c.make_bonds = bond_sets_of(settings(), s.name);
    switch_walls(c);
    begin_leg();
    watch();
    if (watched) look();  // what adds up over time begins here
  }

  // Whether the cell has come to all stresses that it is to hold: before that, what does not move yet is not at rest.
  bool loads_are_carried() const {
    constexpr double kCarried = 0.01;
    if (!settings().domain.deforms()) return true;
    Frame frame;
    backend->fill_all(frame);
    const std::vector<CellPlan> plans = schedule().cell;
    for (int a = 0; a < 3; ++a)
      if (const CellPlan* p = leading(plans, a, backend->time()); p && p->holds_stress)
        if (std::fabs(component(frame.cell.stress(), a) - p->target) > kCarried * std::fabs(p->target)) return false;
    return true;
  }

  // Called after each batch of steps: is the stage's time over, or all quiet?
  void test_for_end() {
    const std::int64_t in_stage = backend->step() - stage_first_step;
    over = backend->step() == leg_end && last_leg;
    const bool in_time = over;
    if (!over && backend->step() == leg_end) begin_leg();
    if (!over && present().at_rest && backend->step() % kRestInterval == 0 && in_stage > 0) {
      const auto n = static_cast<double>(std::max<std::int64_t>(1, backend->free_count()));
      if (rest_energy == 0) liveliest = std::max(liveliest, backend->kinetic_energy() / n);
      const double limit = present().rest_energy > 0 ? present().rest_energy
                           : rest_energy > 0         ? rest_energy
                                                     : kRestOfLiveliest * liveliest;
      quiet_tests = backend->unrest(limit * n) <= limit * n ? quiet_tests + 1 : 0;
      over = quiet_tests >= kRestTests && !(streams.any() && streams.running(backend->time(), stream_times())) &&
             loads_are_carried();
    }
    const bool at_rest = over && !in_time, passed = !over && value_is_due() && has_passed();
    over = over || passed;
    if (over) {
      using enum StageRecord::Ending;
      StageRecord& record = records.back();
      record.ending = at_rest ? rest : passed ? value : present().ends_by_event() ? limit : time;
      record.end = record.ending == time ? stage_end : backend->time();
      record.last_step = backend->step();
    }
    done = over && stage + 1 == settings().stages.size();
  }
};

}  // namespace areia
