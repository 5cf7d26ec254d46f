// A simulation from outside: how it is made, goes on, shows itself, is kept and taken up again.
#include "areia/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "areia/error.h"
#include "engine/cuda/cuda_backend.h"
#include "engine/cuda/plugin.h"
#include "engine/ledger.h"
#include "engine/prepare.h"
#include "engine/ranks/rank_backend.h"
#include "engine/shown_contacts.h"
#include "engine/simulation_parts.h"
#include "engine/snapshot.h"
#include "engine/start_from.h"
#include "scene/case_facts.h"
#include "scene/meeting_pairs.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

// Kinetic energy per particle that counts as rest: 1e-6 of what the mean particle gains by falling through its own
// diameter; 0 without gravity. Then it is kRestOfLiveliest of the largest that tests for rest have found, so that what
// never moved is at rest, too.
double default_rest_energy(const Scene& scene, const SceneParticles& p) {
  const double g = norm(uniform_gravity(scene.settings));
  double weight = 0, n = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.prescribed[i]) continue;
    n += 1;
    weight += p.mass[i] * g * 2 * p.radius[i];
  }
  return n > 0 ? 1e-6 * weight / n : 0;
}

}  // namespace

// Beyond 1e15 steps time in double precision would hardly go on, and nobody could wait for it: a thousand million steps
// a second would take eleven days. A stage that ends at rest may end long before; its steps must be countable.
static void refuse_endless(const Case& c, const Choices& choices) {
  constexpr double kMostSteps = 1e15, kMostCounted = 4e18;
  double longest = 0, fixed = 0;
  for (const Stage& s : c.stages) {
    longest += s.duration;
    if (!s.ends_by_event()) fixed += s.duration;
  }
  if (fixed / choices.dt <= kMostSteps && longest / choices.dt <= kMostCounted) return;
  throw InputError(
      "numerics.dt", fmt::format("{:.6g} s", choices.dt),
      fmt::format("{:.3g} s of stages are {:.3g} steps, more than anybody can run; the step comes from: {}", longest,
                  longest / choices.dt, choices.dt_reason));
}

// What an engine lacks of all that a case has at the start, and of what its stages make of it.
static void refuse(const Case& c, std::vector<std::string> (*what_it_lacks)(const Case&), const std::string& key,
                   const std::string& value, const char* words) {
  std::vector<std::string> lacks = what_it_lacks(c), known = lacks;
  Case then;  // nothing but the tables that stages change
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    if (c.stages[k].set.empty()) continue;
    StageTables(c).after(c.stages, k + 1).put_into(then);
    for (const std::string& what : what_it_lacks(then)) {
      if (std::find(known.begin(), known.end(), what) != known.end()) continue;
      known.push_back(what);
      lacks.push_back(fmt::format("{}, set by stages.{}", what, c.stages[k].name));
    }
  }
  if (!lacks.empty()) throw InputError(key, value, fmt::format(fmt::runtime(words), fmt::join(lacks, "; ")));
}

// The smallest step that any stage asks for, with all warnings.
static void choose_for_all_stages(Scene& scene, const StageTables& tables, Choices& choices) {
  const std::vector<Stage>& stages = scene.settings.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (stages[k].set.empty()) continue;
    tables.after(stages, k + 1).put_into(scene);
    const Choices then = choose(scene);
    if (then.dt < choices.dt) {
      choices.dt = then.dt;
      choices.dt_reason = fmt::format("in stage {}: {}", stages[k].name, then.dt_reason);
    }
    for (const std::string& w : then.warnings)
      if (std::find(choices.warnings.begin(), choices.warnings.end(), w) == choices.warnings.end())
        choices.warnings.push_back(fmt::format("in stage {}: {}", stages[k].name, w));
  }
  tables.put_into(scene);
}

// That of the stage with the largest forces.
static ForceGrid force_grid_of_all_stages(Scene& scene, const std::optional<StageTables>& tables,
                                          const SceneParticles& particles) {
  ForceGrid grid = force_grid(scene, particles);
  const std::vector<Stage>& stages = scene.settings.stages;
  for (std::size_t k = 0; tables && k < stages.size(); ++k) {
    if (stages[k].set.empty()) continue;
    tables->after(stages, k + 1).put_into(scene);
    const ForceGrid then = force_grid(scene, particles);
    if (then.force.quantum > grid.force.quantum) grid = then;
  }
  if (tables) tables->put_into(scene);
  return grid;
}

Simulation::Simulation(Case c, Engine engine) : Simulation(std::move(c), engine, Bookkeeping{}) {}

Simulation::Simulation(Case c, Engine engine, const Bookkeeping& bookkeeping) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  std::vector<std::string> notes;
  if (engine == Engine::cuda) {
    refuse(c, cuda::what_a_device_lacks, "engine", "cuda",
           "a device does not do all of this case yet: {}; take --engine cpu");
    if (!bookkeeping.device_on_host) cuda::require_device();
  }
  if (bookkeeping.link) {
    const std::string ranks = fmt::format("{}", bookkeeping.link->size());
    if (engine != Engine::cpu) throw InputError("ranks", ranks, "take steps with the cpu engine; take --engine cpu");
    refuse(c, ranks::what_ranks_lack, "ranks", ranks, "do not do all of this case yet: {}; run it in one process");
  }
  if (needs_preparation(c)) c = prepared(c, {.note = [&](const std::string& n) { notes.push_back(n); }});
  p.identity = CaseIdentity(c);
  std::optional<StartPlan> start;
  if (!c.start.from.empty()) start.emplace(c);
  p.scene = make_scene(std::move(c), start ? start->bodies() : CarriedBodies{});
  p.set_walls.resize(p.scene.walls.size());
  Archive names;
  save_names(p.scene, names);
  p.names = std::move(names.text);
  p.scene.notes.insert(p.scene.notes.begin(), notes.begin(), notes.end());
  p.can_meet = anything_can_meet(p.settings());
  p.choices = choose(p.scene);
  if (any_settings(p.settings())) p.tables.emplace(p.settings());
  if (p.tables) choose_for_all_stages(p.scene, *p.tables, p.choices);
  refuse_endless(p.settings(), p.choices);
  const bool empty = p.scene.particles.size() == 0;
  const SceneParticles expected = empty ? expected_particles(p.scene).particles : SceneParticles{};
  const SceneParticles& all = empty ? expected : p.scene.particles;
  p.rest_energy = default_rest_energy(p.scene, all);
  p.streams = Streams(p.scene, p.choices.dt);
  p.bed = estimate_bed(p.scene, p.choices.contact_time);
  p.cell = estimate_cell(p.scene, p.choices.contact_time);
  for (const CellLoad& load : p.settings().domain.loading)
    if (load.control == CellLoad::Control::stress && load.max_rate == 0 && automatic_rate(p.cell, load.stress) > 0)
      p.choices.notes.push_back(
          fmt::format("domain.loading.{}: strain rates up to {:.4g} 1/s (an inertial number of 1e-3 at {:.4g} Pa)",
                      load.name, automatic_rate(p.cell, load.stress), load.stress));
  p.wear = WearBook(p.scene);
  for (const SceneWall& w : p.scene.walls) {
    p.wall_there.push_back(w.present);
    if (w.servo.on && p.settings().numerics.scheme == Scheme::trapezoid)
      throw InputError("walls." + w.name + ".servo", "",
                       "a servo wall follows the force step by step: it needs an explicit `numerics.scheme`");
  }
  BackendSettings& settings = p.backend_settings;
  settings = {.dt = p.choices.dt,
              .skin = p.choices.skin,
              .threads = p.choices.threads,
              .threads_given = p.settings().numerics.threads > 0,
              .most_skin = p.choices.skin,
              .bookings = Grid(),
              .forces = ForceGrid(),
              .bookkeeping = bookkeeping};
  if (p.settings().numerics.skin == 0) {
    settings.most_skin = kMostSkinOverChosen * p.choices.skin;
    const Domain& d = p.settings().domain;
    for (int a = 0; a < 3; ++a)  // see time_step.cpp: 4 r_max + 2 skin must fit in a periodic box
      if (d.periodic[a])
        settings.most_skin =
            std::min(settings.most_skin, 0.5 * component(d.box.max - d.box.min, a) - (p.choices.cell - p.choices.skin));
  }
  double mass = 0, radius = 0;
  for (const double m : all.mass) mass = std::max(mass, m);
  for (const double r : all.radius) radius = std::max(radius, r);
  settings.bookings = booking_grid(mass, p.choices.closing_speed, norm(uniform_gravity(p.settings())), 2 * radius);
  const bool hard = p.settings().numerics.collisions == Collisions::hard;
  if (!hard) settings.forces = force_grid_of_all_stages(p.scene, p.tables, all);
  if (hard && engine == Engine::reference)
    throw InputError("numerics.engine", "\"events\"", "the reference engine has soft contacts only");
  p.engine = engine;
  p.backend = p.new_backend();
  p.stage_start.push_back(0);
  p.backend->set_schedule(p.schedule());
  if (start) p.begin_from(*start);
  else p.backend->start();
  p.stage_start.clear();
  p.times.dt = p.choices.dt;
  p.begin_stage(0);
  p.liveliest = p.backend->kinetic_energy() / static_cast<double>(std::max<std::int64_t>(1, p.backend->free_count()));
  p.scene.particles = {};  // the backend has its own
}

// The state is loaded as a checkpoint would be, without walls that are new or elsewhere; those come as they would at
// the beginning of a stage. Then the ledger begins, with what is stored now. An evaluation of the state as it is given
// is made only where something new touches: else the next step is that of a run that went on.
void Simulation::Parts::begin_from(const StartPlan& plan) {
  Takeover taken = plan.take(scene);
  choices.notes.insert(choices.notes.end(), taken.notes.begin(), taken.notes.end());
  const bool evaluated = taken.change.touch || !taken.change.insert_walls.empty();
  const LedgerSums ledger(backend_settings.bookings);
  Archive state;
  backend->save(state);
  taken.state.implicit.driver = state.real["implicit/driver"];
  taken.state.world.gravity = gravity_at(schedule(), 0);
  taken.state.world.ledger = ledger;
  state = {};
  write(std::move(taken.state), state);
  backend->load(state);
  backend->apply(taken.change);

  Frame now;
  backend->fill_all(now);
  state = {};
  backend->save(state);
  Snapshot begins = read_snapshot(state, scene);
  begins.world.ledger = ledger;
  book_start(begins.world.ledger, now.energy);
  SnapshotParticles& p = begins.particles;
  if (settings().numerics.scheme == Scheme::velocity_verlet && (evaluated || p.old_acceleration.empty())) {
    const FreeAxes axes(settings().domain);
    p.old_acceleration.resize(p.size());
    p.old_turning.resize(p.size());
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (!p.prescribed.empty() && p.prescribed[k] != 0) continue;
      Vec3d force = p.force[k];
      for (const auto* outer : {&p.field, &p.drag, &p.distant})
        if (!outer->empty()) force += (*outer)[k];
      p.old_acceleration[k] = axes.moving(acceleration_of(1 / p.mass[k], force, begins.world.gravity));
      p.old_turning[k] = axes.turning(p.inv_j[k] * p.torque[k]);
    }
  }
  state = {};
  write(std::move(begins), state);
  backend->load(state);
  Change begin;
  begin.begins = true;
  backend->apply(begin);
  loaded = evaluated ? std::move(now.contacts) : std::move(taken.shown);
}

void Simulation::drop_lists() {
  parts_->scene.settings.start.state = {};
  for (ParticleSet& set : parts_->scene.settings.particles)
    if (auto* list = std::get_if<std::vector<ListedParticle>>(&set.source)) std::vector<ListedParticle>().swap(*list);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

std::int64_t Simulation::advance(std::int64_t steps, bool show_contacts) {
  return advance(steps, show_contacts, false);
}
std::int64_t Simulation::advance_stage(std::int64_t steps, bool show_contacts) {
  return advance(steps, show_contacts, true);
}

std::int64_t Simulation::advance(std::int64_t steps, bool show_contacts, bool within_stage) {
  Parts& p = *parts_;
  std::int64_t taken = 0;
  while (taken < steps && !p.done && !(within_stage && p.over && taken > 0)) {
    if (p.over) {
      p.over = false;
      const bool in_time = p.backend->step() == p.leg_end && p.last_leg;
      const double at = in_time && !p.present().ends_by_event() ? p.stage_end : p.backend->time();
      ++p.stage;
      p.begin_stage(at);
    }
    const std::int64_t left = p.leg_end - p.backend->step();
    std::int64_t n = std::min(steps - taken, left);
    p.switch_walls({});
    if (p.streams.any()) p.insert_from_streams();
    n = std::min(n, p.until_switch());
    if (p.present().at_rest) n = std::min(n, kRestInterval - p.backend->step() % kRestInterval);
    const auto until_look = [&] {  // at the value that the stage waits for
      return p.watch_interval() - (p.backend->step() - p.stage_first_step) % p.watch_interval();
    };
    if (p.watched) n = std::min(n, until_look());
    if (p.streams.any()) n = std::min(n, p.streams.steps_left(p.backend->step()));
    if (p.wear.any()) n = 1;
    const bool may_finish = (p.stage + 1 == p.settings().stages.size() || within_stage) &&
                            (p.present().at_rest || (n == left && p.last_leg));
    const bool looks = p.watched && n == until_look();
    p.backend->advance(n, may_finish || looks || (show_contacts && taken + n == steps) || p.wear.any());
    p.loaded = {};  // a step that was given up has changed nothing
    if (p.wear.any()) {
      p.backend->book_wear(p.wear);
      p.wear.finish_step(p.times.dt);
    }
    taken += n;
    p.test_for_end();
  }
  return taken;
}

// Of a state that has taken no step since it was loaded or changed.
static void show_loaded(const std::vector<FrameContact>& contacts, const FrameChoice& choice, Frame& f) {
  if (choice.contacts) f.contacts = contacts;
  FrameParticles& p = f.particles;
  const auto touches = [&](std::int64_t id) {
    const auto at = std::lower_bound(p.id.begin(), p.id.end(), id);
    if (at != p.id.end() && *at == id) ++p.coordination[static_cast<std::size_t>(at - p.id.begin())];
  };
  if (p.coordination.size() != p.id.size()) return;
  std::fill(p.coordination.begin(), p.coordination.end(), 0);
  for (const FrameContact& c : contacts) {
    if (!(c.overlap > 0)) continue;
    touches(c.i);
    if (c.j >= 0) touches(c.j);
  }
}

bool Simulation::finished() const { return parts_->done; }
bool Simulation::stage_over() const { return parts_->over; }
Frame Simulation::frame() const { return frame(FrameChoice{}); }
Frame Simulation::frame(const FrameChoice& choice) const {
  Frame f;
  parts_->backend->fill(f, choice);
  f.title = parts_->settings().title;
  f.stage = parts_->present().name;
  if (f.contacts.empty() && !parts_->loaded.empty()) show_loaded(parts_->loaded, choice, f);
  f.gravity_set = parts_->gravity.has_value();
  f.gravity = parts_->gravity.value_or(Vec3d{});
  for (std::size_t w = 0; w < f.walls.size(); ++w)
    if (const auto& set = parts_->set_walls[w])  // also before a step has moved it
      f.walls[w].velocity = composed(parts_->scene.walls[w].begins, pose_at(set->motion(), f.time)).v;
  f.wear = parts_->wear.shown();
  return f;
}
const Case& Simulation::settings() const { return parts_->settings(); }
const Choices& Simulation::choices() const { return parts_->choices; }
Statistics Simulation::statistics() const {
  const BackendStatistics s = parts_->statistics();
  return {s.rebuilds, s.pickings, s.pairs, s.near_pairs, s.contacts, s.bytes, s.implicit, parts_->streams.waiting(),
          s.profile,  s.events,   s.device};
}
void Simulation::measure_profile(bool on) {
  parts_->profiling = on;
  parts_->backend->measure_profile(on);
}
double Simulation::time() const { return parts_->backend->time(); }
double Simulation::dt() const { return parts_->choices.dt; }
std::int64_t Simulation::steps_to(double time) const {
  const Parts& p = *parts_;
  const double steps = std::ceil((time - p.backend->time()) / p.times.dt - kSameTime);
  const std::int64_t left = p.leg_end - p.backend->step();
  return std::max<std::int64_t>(1, steps < static_cast<double>(left) ? static_cast<std::int64_t>(steps) : left);
}
std::int64_t Simulation::step() const { return parts_->backend->step(); }
std::int64_t Simulation::particle_count() const { return parts_->backend->particle_count(); }
double Simulation::kinetic_energy() const { return parts_->backend->kinetic_energy(); }
std::vector<StageRecord> Simulation::stages() const {
  std::vector<StageRecord> all = parts_->records;
  if (!all.empty() && all.back().ending == StageRecord::Ending::none) {
    all.back().end = time();
    all.back().last_step = step();
  }
  return all;
}
static constexpr std::array<std::string_view, 3> kEngineWords{"cpu", "reference", "cuda"};
std::string_view word_of(Engine engine) { return kEngineWords[static_cast<std::size_t>(engine)]; }
Engine engine_of(std::string_view word) {
  const auto at = std::find(kEngineWords.begin(), kEngineWords.end(), word);
  if (at == kEngineWords.end())
    throw InputError("engine", std::string(word), fmt::format("must be one of: {}", fmt::join(kEngineWords, ", ")));
  return static_cast<Engine>(at - kEngineWords.begin());
}
std::string_view word_of(StageRecord::Ending ending) {
  constexpr std::array<std::string_view, 5> words{"", "time", "rest", "value", "limit"};
  return words[static_cast<std::size_t>(ending)];
}
const std::string& Simulation::stage() const { return parts_->present().name; }

double Simulation::planned_time() const {
  const Parts& p = *parts_;
  double t = p.stage_start.back();
  for (std::size_t k = p.stage; k < p.settings().stages.size(); ++k) t += p.settings().stages[k].duration;
  return t;
}

Archive Simulation::save(bool shown_contacts) const {
  const Parts& p = *parts_;
  Archive a;
  if (shown_contacts) keep_shown(frame().contacts, a);
  p.backend->save(a);
  p.streams.save(a);
  p.wear.save(a);
  a.integer["stage"] = {static_cast<std::int64_t>(p.stage), p.stage_first_step, p.quiet_tests, p.over, p.done};
  a.integer["leg"] = {p.times.first, p.times.last, p.leg_end, p.last_leg};
  a.real["leg"] = {p.times.start, p.times.end, p.times.dt};
  a.integer["wall_there"].assign(p.wall_there.begin(), p.wall_there.end());
  a.real["stage_start"] = p.stage_start;
  for (const StageRecord& r : p.records) {
    a.real["stage_end"].push_back(r.end);
    a.integer["stage_record"].insert(a.integer["stage_record"].end(),
                                     {r.first_step, r.last_step, static_cast<std::int64_t>(r.ending)});
  }
  a.real["liveliest"] = {p.liveliest};
  if (p.watched) p.watched->save(a);
  a.real["choices"] = {p.choices.dt};
  if (p.gravity) a.real["set_gravity"] = {p.gravity->x, p.gravity->y, p.gravity->z};
  save_set_walls(p.set_walls, a);
  a.text["case"] = p.identity.text(p.stage + 1);
  a.text.insert(p.names.begin(), p.names.end());
  return a;
}

void Simulation::load(const Archive& a) {
  Parts& p = *parts_;
  const auto stage = a.integer.find("stage"), there = a.integer.find("wall_there");
  const auto start = a.real.find("stage_start"), choices = a.real.find("choices"), times = a.real.find("leg");
  const auto leg = a.integer.find("leg");
  if (stage == a.integer.end() || stage->second.size() != 5 || start == a.real.end() || choices == a.real.end() ||
      static_cast<std::size_t>(stage->second[0]) >= p.settings().stages.size() || choices->second.size() != 1)
    throw FileError("checkpoint does not belong to this case");
  if (choices->second[0] != p.choices.dt)
    throw FileError(fmt::format("checkpoint was written with a time step of {} s; this case gives {} s",
                                choices->second[0], p.choices.dt));
  if (there == a.integer.end() || there->second.size() != p.wall_there.size() || leg == a.integer.end() ||
      leg->second.size() != 4 || times == a.real.end() || times->second.size() != 3 ||
      static_cast<std::int64_t>(start->second.size()) != stage->second[0] + 1)
    throw FileError("checkpoint does not belong to this case");
  const auto end = a.real.find("stage_end");
  const auto record = a.integer.find("stage_record");
  const std::size_t begun = start->second.size();
  if (end == a.real.end() || end->second.size() != begun || record == a.integer.end() ||
      record->second.size() != 3 * begun)
    throw FileError("checkpoint does not tell how its stages went");
  for (std::size_t k = 0; k < begun; ++k)
    if (const std::int64_t ending = record->second[3 * k + 2]; ending < 0 || ending > 4)
      throw FileError("checkpoint does not tell how its stages went");
  const auto of_case = a.text.find("case");
  if (of_case == a.text.end()) throw FileError("checkpoint does not tell which case it belongs to");
  const std::string here = p.identity.text(static_cast<std::size_t>(stage->second[0]) + 1);
  if (of_case->second != here)
    throw FileError("checkpoint belongs to another case: " + first_difference(of_case->second, here));
  for (std::size_t w = 0; w < p.wall_there.size(); ++w) p.wall_there[w] = there->second[w] != 0;
  p.stage = static_cast<std::size_t>(stage->second[0]);
  p.stage_first_step = stage->second[1];
  p.quiet_tests = stage->second[2];
  p.over = stage->second[3] != 0;
  p.done = stage->second[4] != 0 && p.stage + 1 == p.settings().stages.size();  // stages may have been added
  p.stage_start = start->second;
  p.records.clear();
  for (std::size_t k = 0; k < p.stage_start.size(); ++k) {
    const std::int64_t* const r = &record->second[3 * k];
    p.records.push_back({p.settings().stages[k].name, p.stage_start[k], end->second[k], r[0], r[1],
                         static_cast<StageRecord::Ending>(r[2])});
  }
  if (const auto at = a.real.find("liveliest"); at != a.real.end() && at->second.size() == 1)
    p.liveliest = at->second[0];
  p.times = {leg->second[0], leg->second[1], times->second[0], times->second[1], times->second[2]};
  p.gravity.reset();
  if (const auto at = a.real.find("set_gravity"); at != a.real.end() && at->second.size() == 3)
    p.gravity = Vec3d{at->second[0], at->second[1], at->second[2]};
  p.set_walls = read_set_walls(a, p.scene.walls.size());
  p.stage_end = p.find_stage_end();
  p.leg_end = leg->second[2];
  p.last_leg = leg->second[3] != 0;
  if (p.tables) {
    p.use_tables(a, p.stage + 1);
  } else {
    p.backend->set_step_times(p.times);
    p.backend->set_schedule(p.schedule());
  }
  p.backend->load(a);
  p.watch();
  if (p.watched) p.watched->load(a);
  p.streams.load(a);
  p.wear.load(a);
  const auto ids = a.integer.find("particles/id");
  p.loaded =
      read_shown(a, ids == a.integer.end() || ids->second.empty() ? 0 : ids->second.back() + 1, p.scene.walls.size());
}

}  // namespace areia
