#include "engine/events/event_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/frame_parts.h"
#include "engine/images.h"
#include "engine/wall_outline.h"
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
  s.periodicity = {d.periodic, d.box.min, d.box.max - d.box.min};
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
    : scene_(scene),
      dt_(settings.dt),
      flat_(scene.settings.domain.dimension == 2 ? scene.settings.domain.flat_axis : -1),
      hard_(settings_of(scene, settings.dt)) {
  const SceneParticles& p = scene.particles;
  const Domain& d = scene.settings.domain;
  const Periodicity periodicity{d.periodic, d.box.min, d.box.max - d.box.min};
  for (std::size_t i = 0; i < p.size(); ++i) {
    hard_.flight.push_back({periodicity.wrapped(p.x[i]), p.v[i], 0, p.radius[i]});
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
  for (const SceneWall& w : scene.walls) wall_present_.push_back(w.present);
}

Vec3d EventBackend::gravity_now(double t) const {
  Vec3d g = gravity_at(schedule_, t);
  if (flat_ >= 0) component(g, flat_) = 0;
  return g;
}

void EventBackend::set_planes() {
  hard_.planes.clear();
  for (std::size_t w = 0; w < scene_.walls.size(); ++w) {
    if (!wall_present_[w]) continue;
    const auto add = [&](const Vec3d& point, const Vec3d& n) {
      hard_.planes.push_back({n, dot(n, point), scene_.walls[w].material, static_cast<std::uint16_t>(w)});
    };
    if (const auto* plane = std::get_if<PlaneShape>(&scene_.walls[w].shape)) add(plane->point, plane->normal);
    if (const auto* box = std::get_if<BoxShape>(&scene_.walls[w].shape))
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
        throw InputError("walls." + scene_.walls[w].name, "",
                         where +
                             " is not on its inner side: hard spheres meet planes from one side and boxes from "
                             "inside");
      throw StoppedError(fmt::format("the wall `{}` appears at t = {:.9g} s where {} is in its way or behind it",
                                     scene_.walls[w].name, time(), where));
    }
  }
}

void EventBackend::start() {
  hard_.gravity = gravity_now(0);
  set_planes();
  for (std::size_t w = 0; w < wall_present_.size(); ++w)
    if (wall_present_[w]) check_inserted_wall(static_cast<std::uint16_t>(w));
  hard_.restart(0);
  book_start(sums_, stored_energy(0));
  started_ = true;
}

void EventBackend::switch_gravity(double t) {
  const Vec3d g = gravity_now(t);
  if (g == hard_.gravity) return;
  const Energy before = stored_energy(t);
  hard_.stop_at(t);
  hard_.gravity = g;
  hard_.restart(t);
  book_change(sums_, before, stored_energy(t));
}

void EventBackend::set_schedule(const Schedule& s) {
  schedule_ = s;
  if (started_) switch_gravity(time());
}

void EventBackend::advance(std::int64_t steps, bool record) {
  const double end = static_cast<double>(step_ + steps) * dt_;
  for (double now = time();;) {
    double next = end;
    for (const ForceField& f : schedule_.fields)
      for (const double t : {f.start, f.stop})
        if (t > now && t < next) next = t;
    hard_.run_until(next);
    switch_gravity(next);
    if (next == end) break;
    now = next;
  }
  step_ += steps;
  if (record) sums_.most_kinetic = std::max(sums_.most_kinetic, kinetic_energy());
}

void EventBackend::apply(const Change& c) {
  if (!c.insert.empty())
    throw InputError("particles", "", "hard spheres are there from the start: none can be inserted later");
  const double t = time();
  const Energy before = stored_energy(t);
  hard_.stop_at(t);
  for (const std::uint16_t w : c.remove_walls) wall_present_[w] = 0;
  for (const std::uint16_t w : c.insert_walls) wall_present_[w] = 1;
  set_planes();
  for (std::size_t i = 0; i < hard_.flight.size(); ++i) {
    const auto& gone = c.remove_groups;
    if (!hard_.present[i] || std::find(gone.begin(), gone.end(), group_[i]) == gone.end()) continue;
    hard_.present[i] = 0;
    ++removed_;
  }
  for (const std::uint16_t w : c.insert_walls) check_inserted_wall(w);
  hard_.restart(t);
  book_change(sums_, before, stored_energy(t));
}

Surroundings EventBackend::surroundings(const Box& box) const {
  Surroundings s;
  const Domain& d = scene_.settings.domain;
  const Periodicity periodicity{d.periodic, d.box.min, d.box.max - d.box.min};
  for (std::size_t i = 0; i < hard_.flight.size(); ++i)
    if (hard_.present[i])
      add_images(s, periodicity, box, periodicity.wrapped(hard_.at(i, time()).x), hard_.flight[i].radius);
  s.wall_pose.resize(scene_.walls.size());
  s.wall_present = wall_present_;
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

// Losses of collisions as the ledger names them: normal ones as damping, tangential ones as sliding.
LedgerSums EventBackend::sums() const {
  LedgerSums s = sums_;
  s.contact.damping += hard_.lost_normal();
  s.contact.tangential += hard_.lost_tangential();
  s.wall_work += hard_.across_periods();
  return s;
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

void EventBackend::fill(Frame& f) const {
  f.time = time();
  f.dt = dt_;
  f.step = step_;
  f.removed = removed_;
  fill_names(f, scene_);
  const Domain& d = scene_.settings.domain;
  const Periodicity periodicity{d.periodic, d.box.min, d.box.max - d.box.min};
  FrameParticles& out = f.particles;
  out = {};
  for (std::size_t i = 0; i < hard_.flight.size(); ++i) {
    if (!hard_.present[i]) continue;
    const Flight now = hard_.at(i, time());
    out.id.push_back(static_cast<std::int64_t>(i));
    out.x.push_back(periodicity.wrapped(now.x));
    out.v.push_back(now.v);
    out.w.push_back(hard_.ball[i].w);
    out.q.push_back(hard_.turned_at(i, time()));
    out.force.push_back(hard_.mass[i] * hard_.gravity);
    out.torque.emplace_back();
    out.radius.push_back(now.radius);
    out.mass.push_back(hard_.mass[i]);
    out.charge.push_back(charge_[i]);
    out.material.push_back(hard_.ball[i].material);
    out.group.push_back(group_[i]);
    out.coordination.push_back(0);
    out.prescribed.push_back(0);
  }
  f.walls = outline_walls(
      scene_, [](std::size_t) { return Pose{}; }, [&](std::size_t w) { return wall_present_[w] != 0; }, out);
  for (std::size_t w = 0; w < f.walls.size(); ++w) {
    const WallPush& push = hard_.wall_push()[w];
    f.walls[w].force = push.impulse;
    f.walls[w].torque = push.moment - cross(f.walls[w].origin, push.impulse);
  }
  f.energy = stored_energy(time());
  balance(f.energy, sums());
}

void EventBackend::save(Archive& a) const {
  hard_.save(a);
  a.integer["events.run"] = {step_, removed_};
  a.integer["events.walls"].assign(wall_present_.begin(), wall_present_.end());
  a.real["events.ledger"] = {sums_.switched, sums_.initial, sums_.most_kinetic};
}

void EventBackend::load(const Archive& a) {
  const auto run = a.integer.find("events.run"), walls = a.integer.find("events.walls");
  const auto ledger = a.real.find("events.ledger");
  if (run == a.integer.end() || walls == a.integer.end() || ledger == a.real.end() || run->second.size() != 2 ||
      walls->second.size() != wall_present_.size() || ledger->second.size() != 3)
    throw FileError("checkpoint does not belong to this case");
  step_ = run->second[0];
  removed_ = run->second[1];
  for (std::size_t w = 0; w < wall_present_.size(); ++w) wall_present_[w] = walls->second[w] != 0;
  sums_ = {};
  sums_.switched = ledger->second[0];
  sums_.initial = ledger->second[1];
  sums_.most_kinetic = ledger->second[2];
  set_planes();
  hard_.load(a);
}

}  // namespace areia::events

namespace areia {
std::unique_ptr<Backend> make_event_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<events::EventBackend>(scene, settings);
}
}  // namespace areia
