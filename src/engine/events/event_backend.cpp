#include "engine/events/event_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/fill_frame.h"
#include "engine/images.h"
#include "scene/wall_geometry.h"

namespace areia::events {

namespace {

HardSettings settings_of(const Scene& scene, double dt) {
  const Case& c = scene.settings;
  HardSettings s;
  s.materials = scene.materials.size();
  s.laws.resize(s.materials * s.materials);
  for (std::size_t a = 0; a < s.materials; ++a)
    for (std::size_t b = 0; b < s.materials; ++b)
      if (const std::int32_t k = scene.contact_index(a, b); k >= 0)
        s.laws[a * s.materials + b] = Walton::prepare(c.contacts[k].impact);
  const Domain& d = c.domain;
  s.periodicity = periodicity_of(d);
  s.flat = d.dimension == 2 ? d.flat_axis : -1;
  s.low = {kNever, kNever, kNever};
  s.high = -s.low;
  const auto include = [&](const Vec3d& x) {
    for (int a = 0; a < 3; ++a) {
      component(s.low, a) = std::min(component(s.low, a), component(x, a));
      component(s.high, a) = std::max(component(s.high, a), component(x, a));
    }
  };
  for (const Vec3d& x : scene.particles.x) include(s.periodicity.wrapped(x));
  for (const SceneWall& w : scene.walls)
    if (const auto* box = std::get_if<BoxShape>(&w.shape)) {
      include(box->min);
      include(box->max);
    }
  if (scene.particles.size() == 0) s.low = s.high = {};
  double total = 0;
  for (const Stage& stage : c.stages) total += stage.duration;
  s.contact_time = c.numerics.events.contact_time;
  s.collapse_time = c.numerics.events.collapse_time > 0 ? c.numerics.events.collapse_time : 1e-10 * total;
  const double series = c.output.series > 0 ? c.output.series : std::max(dt, total / 200);
  s.wall_window = dt * std::max(1.0, std::round(series / dt));
  s.walls = scene.walls.size();
  for (const SceneWall& w : scene.walls) s.wall_names.push_back(w.name);
  return s;
}

}  // namespace

EventBackend::EventBackend(const Scene& scene, const BackendSettings& settings)
    : world_(scene, settings.dt),
      flat_(scene.settings.domain.dimension == 2 ? scene.settings.domain.flat_axis : -1),
      hard_(settings_of(scene, settings.dt)) {
  const SceneParticles& p = scene.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    hard_.flight.push_back({world_.periodicity().wrapped(p.x[i]), p.v[i], 0, p.radius[i]});
    Ball b;
    b.w = p.w[i];
    b.inv_m = 1 / p.mass[i];
    b.inv_j = p.turns[i] ? 1 / p.inertia[i] : 0;
    b.material = p.material[i];
    hard_.ball.push_back(b);
    hard_.turning.push_back({p.q[i], 0});
  }
  hard_.mass = p.mass;
  charge_ = p.charge;
  group_ = p.group;
  hard_.present.assign(p.size(), 1);
}

Vec3d EventBackend::gravity_now(double t) const {
  Vec3d g = gravity_at(world_.schedule(), t);
  if (flat_ >= 0) component(g, flat_) = 0;
  return g;
}

void EventBackend::set_planes() {
  hard_.planes.clear();
  const std::vector<SceneWall>& walls = world_.scene().walls;
  for (std::size_t w = 0; w < walls.size(); ++w) {
    if (!world_.now().walls[w].present) continue;
    const auto add = [&](const Vec3d& point, const Vec3d& n) {
      hard_.planes.push_back({n, dot(n, point), walls[w].material, static_cast<std::uint16_t>(w)});
    };
    if (const auto* plane = std::get_if<PlaneShape>(&walls[w].shape)) add(plane->point, plane->normal);
    if (const auto* box = std::get_if<BoxShape>(&walls[w].shape))
      for (int face = 0; face < 6; ++face) {
        if (box->open[face] || face / 2 == flat_) continue;
        Vec3d n;
        component(n, face / 2) = face % 2 ? -1 : 1;
        add(face % 2 ? box->max : box->min, n);
      }
  }
}

// A wall must have all particles on its inner side: planes act from one side, boxes from inside.
void EventBackend::check_inserted_wall(std::uint16_t w) const {
  for (const Plane& p : hard_.planes) {
    if (p.wall != w) continue;
    for (std::size_t i = 0; i < hard_.flight.size(); ++i) {
      const Flight& f = hard_.flight[i];
      const double gap = dot(p.n, f.x) - p.offset - f.radius;
      if (!hard_.present[i] || gap >= -1e-9 * f.radius) continue;
      const std::string where = fmt::format("particle {} at ({:.6g}, {:.6g}, {:.6g})", i, f.x.x, f.x.y, f.x.z);
      if (!started_)
        throw InputError("walls." + world_.scene().walls[w].name, "",
                         where +
                             " is not on its inner side: hard spheres meet planes from one side and boxes from "
                             "inside");
      throw StoppedError(fmt::format("the wall `{}` appears at t = {:.9g} s where {} is in its way or behind it",
                                     world_.scene().walls[w].name, time(), where));
    }
  }
}

void EventBackend::start() {
  hard_.gravity = world_.now().gravity = gravity_now(0);
  set_planes();
  for (std::size_t w = 0; w < world_.now().walls.size(); ++w)
    if (world_.now().walls[w].present) check_inserted_wall(static_cast<std::uint16_t>(w));
  hard_.restart(0);
  book_start(world_.now().ledger, stored_energy(0));
  started_ = true;
}

void EventBackend::switch_gravity(double t) {
  const Vec3d g = gravity_now(t);
  if (g == hard_.gravity) return;
  const Energy before = stored_energy(t);
  hard_.stop_at(t);
  hard_.gravity = world_.now().gravity = g;
  hard_.restart(t);
  book_change(world_.now().ledger, before, stored_energy(t));
}

void EventBackend::set_schedule(const Schedule& s) {
  world_.set_schedule(s);
  if (started_) switch_gravity(time());
}

void EventBackend::advance(std::int64_t steps, bool record) {
  const double end = world_.time_after(steps);
  for (double now = time();;) {
    double next = end;
    for (const ForceField& f : world_.schedule().fields)
      for (const double t : {f.start, f.stop})
        if (t > now && t < next) next = t;
    hard_.run_until(next);
    switch_gravity(next);
    if (next == end) break;
    now = next;
  }
  world_.now().count.step += steps;
  double& most_kinetic = world_.now().ledger.most_kinetic;
  if (record) most_kinetic = std::max(most_kinetic, kinetic_energy());
}

void EventBackend::apply(const Change& c) {
  if (!c.insert.empty())
    throw InputError("particles", "", "hard spheres are there from the start: none can be inserted later");
  const double t = time();
  const Energy before = stored_energy(t);
  hard_.stop_at(t);
  for (const std::uint16_t w : c.remove_walls) world_.now().walls[w].present = false;
  for (const std::uint16_t w : c.insert_walls) world_.now().walls[w].present = true;
  set_planes();
  for (std::size_t i = 0; i < hard_.flight.size(); ++i) {
    const auto& gone = c.remove_groups;
    const bool named = std::binary_search(c.remove_ids.begin(), c.remove_ids.end(), static_cast<std::int64_t>(i));
    if (!hard_.present[i] || (!named && std::find(gone.begin(), gone.end(), group_[i]) == gone.end())) continue;
    hard_.present[i] = 0;
    ++world_.now().count.removed;
  }
  for (const std::uint16_t w : c.insert_walls) check_inserted_wall(w);
  hard_.restart(t);
  book_change(world_.now().ledger, before, stored_energy(t));
}

Surroundings EventBackend::surroundings(const Box& box) const {
  Surroundings s;
  const Periodicity& periodicity = world_.periodicity();
  for (std::size_t i = 0; i < hard_.flight.size(); ++i)
    if (hard_.present[i])
      add_images(s, periodicity, box, periodicity.wrapped(hard_.at(i, time()).x), hard_.flight[i].radius);
  for (const WallState& w : world_.now().walls) {
    s.wall_pose.push_back(w.pose);
    s.wall_present.push_back(w.present);
  }
  return s;
}

Energy EventBackend::stored_energy(double t) const {
  Energy e;
  for (std::size_t i = 0; i < hard_.flight.size(); ++i) {
    if (!hard_.present[i]) continue;
    const Flight f = hard_.at(i, t);
    const Ball& b = hard_.ball[i];
    e.kinetic += 0.5 * hard_.mass[i] * norm2(f.v);
    if (b.inv_j > 0) e.rotational += 0.5 * norm2(b.w) / b.inv_j;
    e.potential -= hard_.mass[i] * dot(hard_.gravity, f.x);
  }
  return e;
}

double EventBackend::kinetic_energy() const {
  const Energy e = stored_energy(time());
  return e.kinetic + e.rotational;
}

std::int64_t EventBackend::particle_count() const { return std::count(hard_.present.begin(), hard_.present.end(), 1); }

BackendStatistics EventBackend::statistics() const {
  BackendStatistics s;
  s.bytes = hard_.bytes();
  s.events = hard_.statistics();
  return s;
}

namespace {

struct Shown {
  const HardSpheres& hard;
  const World& world;
  const std::vector<double>& charge;
  const std::vector<std::uint16_t>& group;
  Energy energy;
  std::vector<std::size_t> there;  // ids

  std::size_t particle_count() const { return there.size(); }
  ShownParticle particle(std::size_t k) const {
    const std::size_t i = there[k];
    const Flight now = hard.at(i, world.time());
    ShownParticle p;
    p.id = static_cast<std::int64_t>(i);
    p.x = world.periodicity().wrapped(now.x);
    p.v = now.v;
    p.w = hard.ball[i].w;
    p.q = hard.turned_at(i, world.time());
    p.radius = now.radius;
    p.mass = hard.mass[i];
    p.charge = charge[i];
    p.material = hard.ball[i].material;
    p.group = group[i];
    return p;
  }
  // Hard spheres touch for no time at all.
  template <class F>
  void for_each_contact(F&&) const {}
  template <class F>
  void for_each_bond(F&&) const {}
  std::vector<FrameBreak> breaks() const { return {}; }
  Energy stored_energy() const { return energy; }
  // Losses of collisions as the ledger names them: normal ones as damping, tangential ones as sliding.
  void book_pending_work(LedgerSums& sums) const {
    sums.contact.damping += hard.lost_normal();
    sums.contact.tangential += hard.lost_tangential();
    sums.wall_work += hard.across_periods();
  }
};

}  // namespace

void EventBackend::fill(Frame& f, const FrameChoice& choice) const {
  Shown shown{hard_, world_, charge_, group_, stored_energy(time()), {}};
  for (std::size_t i = 0; i < hard_.flight.size(); ++i)
    if (hard_.present[i]) shown.there.push_back(i);
  fill_frame(f, choice, world_, shown);
  for (std::size_t w = 0; w < f.walls.size(); ++w) {
    const WallPush& push = hard_.wall_push()[w];
    f.walls[w].force = push.impulse;
    f.walls[w].torque = push.moment - cross(f.walls[w].origin, push.impulse);
  }
}

// Collisions to come are part of the state, so its checkpoints are its own.
void EventBackend::save(Archive& a) const {
  const WorldState& now = world_.now();
  hard_.save(a);
  a.integer["events.run"] = {now.count.step, now.count.removed};
  std::vector<std::int64_t>& walls = a.integer["events.walls"];
  for (const WallState& w : now.walls) walls.push_back(w.present);
  a.real["events.ledger"] = {now.ledger.switched, now.ledger.initial, now.ledger.most_kinetic};
}

void EventBackend::load(const Archive& a) {
  WorldState& now = world_.now();
  const auto run = a.integer.find("events.run"), walls = a.integer.find("events.walls");
  const auto ledger = a.real.find("events.ledger");
  if (run == a.integer.end() || walls == a.integer.end() || ledger == a.real.end() || run->second.size() != 2 ||
      walls->second.size() != now.walls.size() || ledger->second.size() != 3)
    throw FileError("checkpoint does not belong to this case");
  now.count.step = run->second[0];
  now.count.removed = run->second[1];
  for (std::size_t w = 0; w < now.walls.size(); ++w) now.walls[w].present = walls->second[w] != 0;
  now.ledger = {};
  now.ledger.switched = ledger->second[0];
  now.ledger.initial = ledger->second[1];
  now.ledger.most_kinetic = ledger->second[2];
  set_planes();
  hard_.load(a);
  now.gravity = hard_.gravity;
}

}  // namespace areia::events

namespace areia {
std::unique_ptr<Backend> make_event_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<events::EventBackend>(scene, settings);
}
}  // namespace areia
