// The loop over stages: what happens when. Groups: theory manual, section 2.2.
//
// A stage ends at the time that the case asks for. Where no whole number of steps fits before it, the last fifty of
// them are shorter, by a fiftieth; in a stage that is shorter itself, all. So it lasts as long as it should, and
// nothing adds up over many of them. A change of the step from one to the next costs energy, f . v times half of it, so
// it is spread; a step that the case gives is kept until the end is near. What is written, and when, has no influence
// on the steps.
#include "areia/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "core/exact_sum.h"
#include "engine/backend.h"
#include "engine/case_identity.h"
#include "engine/ledger.h"
#include "engine/prepare.h"
#include "engine/servo.h"
#include "engine/shown_contacts.h"
#include "engine/streams.h"
#include "engine/time_step.h"
#include "engine/wear.h"
#include "scene/meeting_pairs.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

constexpr std::int64_t kRestInterval = 100;  // steps between tests for rest
constexpr double kSameTime = 1e-6;           // of a step: times that differ by less are the same
constexpr std::int64_t kShorterSteps = 50;   // before the end of a stage
constexpr std::int64_t kRestTests = 10;      // how many in a row must find rest

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
constexpr double kRestOfLiveliest = 1e-9;

}  // namespace

struct Simulation::Parts {
  Scene scene;
  CaseIdentity identity;
  Choices choices;
  std::unique_ptr<Backend> backend;
  Streams streams;
  WearBook wear;
  double rest_energy = 0;
  BedEstimate bed;       // for servo walls
  bool can_meet = true;  // whether anything can touch anything

  // progress through the stages
  std::size_t stage = 0;
  std::int64_t stage_first_step = 0;
  StepTimes times;           // of the present steps
  std::int64_t leg_end = 0;  // step up to which steps are as they are now
  bool last_leg = false;     // the stage ends there
  std::int64_t quiet_tests = 0;
  double liveliest = 0;             // J, largest kinetic energy per particle that a test for rest has found
  std::vector<double> stage_start;  // s, of the stages begun so far
  bool over = false;                // the present stage has ended; the next one begins with the next step
  bool done = false;
  std::vector<FrameContact> loaded;  // contacts that the state showed when it was saved; until it changes

  const Case& settings() const { return scene.settings; }
  const Stage& present() const { return settings().stages[stage]; }

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
    while (from > 0 && !settings().stages[from - 1].at_rest) --from;
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
    const bool loose = present().at_rest;  // the longest that it may take
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

  // Motions and fields tied to a stage start and stop when it begins; before that they wait.
  double resolved(double given, const std::string& stage_name) const {
    if (stage_name.empty()) return given;
    for (std::size_t k = 0; k < stage_start.size(); ++k)
      if (settings().stages[k].name == stage_name) return stage_start[k];
    return kForever;
  }
  ServoPlan plan(const SceneWall& w) const {
    ServoPlan p;
    p.on = w.servo.on;
    if (!p.on) return p;
    p.axis = unit(w.servo.axis);
    p.target = w.servo.force > 0 ? w.servo.force : w.servo.pressure * w.servo.area;
    p.max_speed = w.servo.max_speed;
    p.gain = w.servo.gain > 0 ? w.servo.gain : automatic_gain(bed, choices.dt);
    p.response = 1 / (1 + p.gain * bed.damping);
    p.min_shift = w.servo.min_shift;
    p.max_shift = w.servo.max_shift;
    p.start = resolved(w.servo.when.start, w.servo.when.start_stage);
    p.stop = resolved(w.servo.when.stop, w.servo.when.stop_stage);
    return p;
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
      const bool there = now >= resolved(when.start, when.start_stage) && now < resolved(when.stop, when.stop_stage);
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
      for (const double t : {resolved(w.when.start, w.when.start_stage), resolved(w.when.stop, w.when.stop_stage)}) {
        const double steps = std::ceil((t - backend->time()) / times.dt - kSameTime);
        if (steps >= 1 && steps < 9e15) next = std::min(next, static_cast<std::int64_t>(steps));
      }
    }
    return next;
  }

  Motion resolved(Motion m) const {
    m.start = resolved(m.start, m.start_stage);
    m.stop = resolved(m.stop, m.stop_stage);
    return m;
  }
  // Whether the motion of a set is over because a stage has frozen it. One that begins with that stage or later moves
  // it from where it was frozen.
  bool is_stopped(std::size_t set) const {
    const ParticleSet& particles = settings().particles[set];
    const std::string& group = particles.group.empty() ? particles.name : particles.group;
    const Motion& m = scene.set_motion[set];
    for (std::size_t k = stage_start.size(); k-- > 0;) {
      const std::vector<std::string>& frozen = settings().stages[k].freeze_groups;
      if (std::find(frozen.begin(), frozen.end(), group) == frozen.end()) continue;
      const double start = resolved(m.start, m.start_stage);
      return start < stage_start[k] || (start == stage_start[k] && m.start_stage.empty());
    }
    return false;
  }
  std::vector<Interval> stream_times() const {
    std::vector<Interval> all;
    for (const ParticleSet& set : settings().particles) {
      const auto* s = std::get_if<Stream>(&set.source);
      Interval when = s ? s->when : Interval{};
      when.start = resolved(when.start, when.start_stage);
      when.stop = resolved(when.stop, when.stop_stage);
      all.push_back(when);
    }
    return all;
  }
  void insert_from_streams() {
    Change c;
    c.insert = streams.take(backend->step(), stream_times(), scene, *backend);
    if (!c.insert.empty()) backend->apply(c);
  }
  Schedule schedule() const {
    Schedule s;
    for (const SceneWall& w : scene.walls) {
      s.wall_motion.push_back(resolved(w.motion));
      s.servo.push_back(plan(w));
    }
    for (std::size_t k = 0; k < scene.set_motion.size(); ++k)
      s.set_motion.push_back(is_stopped(k) ? Motion{} : resolved(scene.set_motion[k]));
    for (ForceField f : settings().fields) {
      f.start = resolved(f.start, f.start_stage);
      f.stop = resolved(f.stop, f.stop_stage);
      s.fields.push_back(f);
    }
    for (Flow f : settings().fluid.flows) {
      f.start = resolved(f.start, f.start_stage);
      f.stop = resolved(f.stop, f.stop_stage);
      s.flows.push_back(f);
    }
    return s;
  }

  // `at`: the time that the stage before was to last to, or the present one.
  void begin_stage(double at) {
    stage_start.push_back(at);
    stage_end = find_stage_end();
    stage_first_step = backend->step();
    quiet_tests = 0;
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
  }

  // Called after each batch of steps: is the stage's time over, or all quiet?
  void test_for_end() {
    const std::int64_t in_stage = backend->step() - stage_first_step;
    over = backend->step() == leg_end && last_leg;
    if (!over && backend->step() == leg_end) begin_leg();
    if (!over && present().at_rest && backend->step() % kRestInterval == 0 && in_stage > 0) {
      const auto n = static_cast<double>(std::max<std::int64_t>(1, backend->free_count()));
      if (rest_energy == 0) liveliest = std::max(liveliest, backend->kinetic_energy() / n);
      const double limit = present().rest_energy > 0 ? present().rest_energy
                           : rest_energy > 0         ? rest_energy
                                                     : kRestOfLiveliest * liveliest;
      quiet_tests = backend->unrest(limit * n) <= limit * n ? quiet_tests + 1 : 0;
      over = quiet_tests >= kRestTests && !(streams.any() && streams.running(backend->time(), stream_times()));
    }
    done = over && stage + 1 == settings().stages.size();
  }
};

// Beyond 1e15 steps time in double precision would hardly go on, and nobody could wait for it: a thousand million steps
// a second would take eleven days. A stage that ends at rest may end long before; its steps must be countable.
static void refuse_endless(const Case& c, const Choices& choices) {
  constexpr double kMostSteps = 1e15, kMostCounted = 4e18;
  double longest = 0, fixed = 0;
  for (const Stage& s : c.stages) {
    longest += s.duration;
    if (!s.at_rest) fixed += s.duration;
  }
  if (fixed / choices.dt <= kMostSteps && longest / choices.dt <= kMostCounted) return;
  throw InputError(
      "numerics.dt", fmt::format("{:.6g} s", choices.dt),
      fmt::format("{:.3g} s of stages are {:.3g} steps, more than anybody can run; the step comes from: {}", longest,
                  longest / choices.dt, choices.dt_reason));
}

Simulation::Simulation(Case c, Engine engine) : Simulation(std::move(c), engine, Bookkeeping{}) {}

Simulation::Simulation(Case c, Engine engine, const Bookkeeping& bookkeeping) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  std::vector<std::string> notes;
  if (needs_preparation(c)) c = prepared(c, {.note = [&](const std::string& n) { notes.push_back(n); }});
  p.identity = CaseIdentity(c);
  p.scene = make_scene(std::move(c));
  p.scene.notes.insert(p.scene.notes.begin(), notes.begin(), notes.end());
  p.can_meet = anything_can_meet(p.settings());
  p.choices = choose(p.scene);
  refuse_endless(p.settings(), p.choices);
  const bool empty = p.scene.particles.size() == 0;
  const SceneParticles expected = empty ? expected_particles(p.scene).particles : SceneParticles{};
  const SceneParticles& all = empty ? expected : p.scene.particles;
  p.rest_energy = default_rest_energy(p.scene, all);
  p.streams = Streams(p.scene, p.choices.dt);
  p.bed = estimate_bed(p.scene, p.choices.contact_time);
  p.wear = WearBook(p.scene);
  for (const SceneWall& w : p.scene.walls) {
    p.wall_there.push_back(w.present);
    if (w.servo.on && p.settings().numerics.scheme == Scheme::trapezoid)
      throw InputError("walls." + w.name + ".servo", "",
                       "a servo wall follows the force step by step: it needs an explicit `numerics.scheme`");
  }
  BackendSettings settings{.dt = p.choices.dt,
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
  if (!hard) settings.forces = force_grid(p.scene, all);
  if (hard && engine == Engine::reference)
    throw InputError("numerics.engine", "\"events\"", "the reference engine has soft contacts only");
  p.backend = hard                          ? make_event_backend(p.scene, settings)
              : engine == Engine::reference ? make_reference_backend(p.scene, settings)
                                            : make_cpu_backend(p.scene, settings);
  p.stage_start.push_back(0);
  p.backend->set_schedule(p.schedule());
  p.backend->start();
  p.stage_start.clear();
  p.times.dt = p.choices.dt;
  p.begin_stage(0);
  p.liveliest = p.backend->kinetic_energy() / static_cast<double>(std::max<std::int64_t>(1, p.backend->free_count()));
  p.scene.particles = {};  // the backend has its own
}

void Simulation::drop_lists() {
  for (ParticleSet& set : parts_->scene.settings.particles)
    if (auto* list = std::get_if<std::vector<ListedParticle>>(&set.source)) std::vector<ListedParticle>().swap(*list);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

std::int64_t Simulation::advance(std::int64_t steps, bool show_contacts) {
  Parts& p = *parts_;
  std::int64_t taken = 0;
  if (steps > 0 && !p.done) p.loaded = {};
  while (taken < steps && !p.done) {
    if (p.over) {
      p.over = false;
      const bool in_time = p.backend->step() == p.leg_end && p.last_leg;
      const double at = in_time && !p.present().at_rest ? p.stage_end : p.backend->time();
      ++p.stage;
      p.begin_stage(at);
    }
    const std::int64_t left = p.leg_end - p.backend->step();
    std::int64_t n = std::min(steps - taken, left);
    p.switch_walls({});
    if (p.streams.any()) p.insert_from_streams();
    n = std::min(n, p.until_switch());
    if (p.present().at_rest) n = std::min(n, kRestInterval - p.backend->step() % kRestInterval);
    if (p.streams.any()) n = std::min(n, p.streams.steps_left(p.backend->step()));
    if (p.wear.any()) n = 1;
    const bool may_finish =
        p.stage + 1 == p.settings().stages.size() && (p.present().at_rest || (n == left && p.last_leg));
    p.backend->advance(n, may_finish || (show_contacts && taken + n == steps) || p.wear.any());
    if (p.wear.any()) {
      p.backend->book_wear(p.wear);
      p.wear.finish_step(p.times.dt);
    }
    taken += n;
    p.test_for_end();
  }
  return taken;
}

bool Simulation::finished() const { return parts_->done; }
Frame Simulation::frame() const {
  Frame f;
  parts_->backend->fill(f);
  f.title = parts_->settings().title;
  f.stage = parts_->present().name;
  if (f.contacts.empty()) f.contacts = parts_->loaded;
  f.wear = parts_->wear.shown();
  return f;
}
const Case& Simulation::settings() const { return parts_->settings(); }
const Choices& Simulation::choices() const { return parts_->choices; }
Statistics Simulation::statistics() const {
  const BackendStatistics s = parts_->backend->statistics();
  return {s.rebuilds, s.pickings, s.pairs, s.near_pairs, s.contacts, s.bytes, s.implicit, parts_->streams.waiting(),
          s.profile,  s.events};
}
void Simulation::measure_profile(bool on) { parts_->backend->measure_profile(on); }
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
  a.real["liveliest"] = {p.liveliest};
  a.real["choices"] = {p.choices.dt};
  a.text["case"] = p.identity.text(p.stage + 1);
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
  p.done = stage->second[4] != 0;
  p.stage_start = start->second;
  if (const auto at = a.real.find("liveliest"); at != a.real.end() && at->second.size() == 1)
    p.liveliest = at->second[0];
  p.times = {leg->second[0], leg->second[1], times->second[0], times->second[1], times->second[2]};
  p.stage_end = p.find_stage_end();
  p.leg_end = leg->second[2];
  p.last_leg = leg->second[3] != 0;
  p.backend->set_step_times(p.times);
  p.backend->set_schedule(p.schedule());
  p.backend->load(a);
  p.streams.load(a);
  p.wear.load(a);
  const auto ids = a.integer.find("particles/id");
  p.loaded =
      read_shown(a, ids == a.integer.end() || ids->second.empty() ? 0 : ids->second.back() + 1, p.scene.walls.size());
}

void Simulation::insert(const std::string& set, const std::vector<ListedParticle>& particles) {
  Parts& p = *parts_;
  Change c;
  for (const ListedParticle& l : particles) c.insert.push_back(new_particle(p.scene, set, l));
  if (!c.insert.empty()) p.require_contacts_of(c.insert[0].material);
  if (c.insert.empty()) return;
  p.loaded = {};
  p.backend->apply(c);
}

}  // namespace areia
