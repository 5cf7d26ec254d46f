#include "engine/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/inserted_wall.h"
#include "engine/loading.h"
#include "motion/schemes.h"
#include "scene/wall_geometry.h"

namespace areia {

World::World(const Scene& scene, double dt, const Grid& bookings, const ForceGrid& forces)
    : scene_(scene),
      times_{.dt = dt},
      force_grid_(forces),
      cell_(scene, forces),
      axes_(scene.settings.domain),
      fields_(scene) {
  now_.ledger = LedgerSums(bookings);
  now_.cell = cell_.first();
  now_.count.ids = static_cast<std::int64_t>(scene.particles.size());
  for (const SceneWall& w : scene.walls) {
    WallState wall;
    wall.pose = composed(w.begins, pose_at(w.motion, 0));
    wall.present = w.present;
    wall.look();
    now_.walls.push_back(wall);
    schedule_.servo.emplace_back();
    schedule_.wall_motion.push_back(w.motion);
    schedule_.surface.push_back(w.surface);
  }
  schedule_.set_motion = scene.set_motion;
  schedule_.fields = scene.settings.fields;
  schedule_.flows = scene.settings.fluid.flows;
}

void World::go_on_from(WorldState state) {
  const Grid bookings = now_.ledger.wall_work.grid();
  now_ = std::move(state);
  cell_.go_on_from(now_.cell);
  LedgerSums::for_each_sum(now_.ledger, [&](GridSum& sum) { sum = GridSum(bookings, sum.parts()); });
}

double World::time_of_forces() const { return forces_first(scene_.settings.numerics.scheme) ? time() : next_time(); }

void World::set_schedule(const Schedule& schedule) {
  schedule_ = schedule;
  set_fields(time());
}

Pose World::wall_pose(std::size_t w, double t) const {
  return composed(scene_.walls[w].begins, pose_at(schedule_.wall_motion[w], t));
}

// A formula may have no value at some time that no sample has met.
static bool is_number(const Pose& p) {
  return std::isfinite(norm2(p.shift) + norm2(p.v) + norm2(p.w) + p.q[0] + p.q[1] + p.q[2] + p.q[3]);
}
static void require_number(bool is, const char* kind, const std::string& name, double t) {
  if (!is) throw StoppedError(fmt::format("{}.{}: a formula has no value at t = {:.9g} s", kind, name, t));
}

void World::place_walls(double t) {
  for (std::size_t w = 0; w < now_.walls.size(); ++w) {
    WallState& wall = now_.walls[w];
    wall.pose = wall_pose(w, t);
    if (schedule_.servo[w].on) areia::place(schedule_.servo[w], wall.servo, wall.pose);
    wall.surface = surface_at(schedule_.surface[w], wall.pose, t);
    wall.look();
    require_number(is_number(wall.pose) && std::isfinite(norm2(wall.surface.v) + norm2(wall.surface.w)), "walls",
                   scene_.walls[w].name, t);
  }
}

void World::move_servos(double t) {
  for (std::size_t w = 0; w < now_.walls.size(); ++w)
    if (schedule_.servo[w].on && !schedule_.servo[w].loaded && now_.walls[w].present)
      advance(schedule_.servo[w], now_.walls[w].servo, now_.walls[w].sum.force, t, times_.dt);
  if (!schedule_.loading.empty()) advance_loadings(schedule_.loading, now_.walls, t, times_.dt);
}

void World::place_sets(double t) {
  set_pose_.clear();
  for (std::size_t s = 0; s < schedule_.set_motion.size(); ++s) {
    set_pose_.push_back(pose_at(schedule_.set_motion[s], t));
    require_number(is_number(set_pose_.back()), "particles", scene_.settings.particles[s].name, t);
  }
}

// Across a periodic face it moves with the velocity of its place beyond it.
World::Placed World::placed(std::uint16_t set, const Vec3d& at, const Quat& turn) const {
  const Pose& pose = set_pose_[set];
  const Vec3d x = pose.to_world(at);
  return {periodicity().wrapped(x), pose.velocity_at(x), pose.w, multiply(pose.q, turn)};
}

// A motion that has not begun may hold its bodies away from where they were placed, by the first line of a table.
World::Origin World::origin_of(std::uint16_t set, const Vec3d& x, const Quat& q) const {
  const Pose pose = pose_at(schedule_.set_motion[set], time());
  if (pose.in_place()) return {x, q};
  return {pose.to_body(x), multiply(conjugate(pose.q), q)};
}

static bool contains(const std::vector<std::uint16_t>& all, std::uint16_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

void World::apply(const Change& change, Bodies& bodies) {
  if (change.insert.empty()) return switch_bodies(change, bodies);
  // Such a change brings nothing else, and new bodies touch nothing: only forces at a distance store more between them.
  const bool distant = !scene_.settings.forces.empty();
  const Energy before = distant ? bodies.stored_energy() : Energy{};
  const Energy brought = bodies.append(change.insert, now_.count.ids);
  now_.count.ids += static_cast<std::int64_t>(change.insert.size());
  now_.count.inserted += static_cast<std::int64_t>(change.insert.size());
  book_change(now_.ledger, before, distant ? bodies.stored_energy() : brought);
}

bool World::leaves_halves() const {
  const Numerics& numerics = scene_.settings.numerics;
  return numerics.ledger && kicks_once(numerics.scheme);
}

void World::switch_bodies(const Change& change, Bodies& bodies) {
  const Numerics& numerics = scene_.settings.numerics;
  const bool verlet = numerics.ledger && numerics.scheme == Scheme::velocity_verlet;
  if (change.begins) {
    if (leaves_halves() || verlet) bodies.book_second_halves(-1);
    return;
  }
  // schemes with forces first have moved the bodies on from the instant of their forces, but not the walls
  if (forces_first(scene_.settings.numerics.scheme)) place_walls(time());
  bodies.flush_bonds();
  // velocity_verlet gives the second half of a kick with the step to come, to bodies that are still there
  const bool all_stay = change.remove_groups.empty() && change.remove_ids.empty() && change.freeze_groups.empty();
  const bool halves = now_.count.step > 0 && (leaves_halves() || (all_stay && verlet));
  if (halves) bodies.book_second_halves(1);
  const Energy before = bodies.stored_energy();  // freeing and freezing change it, too
  for (std::size_t k = 0; k < bodies.count(); ++k) {
    const Bodies::View b = bodies.view(k);
    if (contains(change.release_groups, b.group) && !b.free) bodies.release(k);
    if (contains(change.freeze_groups, b.group)) bodies.freeze(k);
    for (const Change::Velocity& given : change.velocities)
      if (given.group == b.group && b.free) bodies.set_velocity(k, given.v);
  }
  for (const std::uint16_t w : change.remove_walls) now_.walls[w].present = false;
  std::vector<std::uint8_t> stays(bodies.count(), 1);
  for (const std::uint16_t w : change.insert_walls) now_.walls[w].present = true;
  for (std::size_t k = 0; k < bodies.count(); ++k) {
    const Bodies::View b = bodies.view(k);
    stays[k] = !contains(change.remove_groups, b.group) &&
               !std::binary_search(change.remove_ids.begin(), change.remove_ids.end(), b.id);
    if (!b.free || !stays[k]) continue;
    for (const std::uint16_t w : change.insert_walls)
      check_inserted(scene_, periodicity(), w, now_.walls[w].pose, b.id, b.x, b.radius, time());
  }
  now_.count.removed += std::count(stays.begin(), stays.end(), 0);
  bodies.keep_only(stays);
  // contacts with them exist from now on
  if (change.touch || !change.insert_walls.empty()) bodies.evaluate_as_given();
  const Energy unbonded = bodies.stored_energy();
  book_change(now_.ledger, before, unbonded);
  if (!change.make_bonds.empty()) {
    bodies.make_bonds(change.make_bonds);
    book_change(now_.ledger, unbonded, bodies.stored_energy());
  }
  if (halves) bodies.book_second_halves(-1);
}

bool World::remove_lost(Bodies& bodies) {
  const Domain& d = scene_.settings.domain;
  if (!d.bounded || d.rule == DomainRule::open) return false;
  std::vector<std::size_t> outside;
  for (std::size_t k = 0; k < bodies.count(); ++k) {
    const Bodies::View b = bodies.view(k);
    if (b.free && is_outside(d, b.x)) outside.push_back(k);
  }
  return remove_lost(bodies, outside);
}

bool World::remove_lost(Bodies& bodies, const std::vector<std::size_t>& outside) {
  if (outside.empty()) return false;
  Bodies::View first = bodies.view(outside[0]);
  for (const std::size_t k : outside)
    if (bodies.view(k).id < first.id) first = bodies.view(k);
  if (scene_.settings.domain.rule == DomainRule::stop)
    throw StoppedError(
        fmt::format("particle {} left the domain at t = {:.9g} s (step {}), position ({:.6g}, {:.6g}, {:.6g}); the "
                    "case says domain.rule = \"stop\"",
                    first.id, time(), now_.count.step, first.x.x, first.x.y, first.x.z));
  now_.count.lost += static_cast<std::int64_t>(outside.size());
  if (scene_.settings.bonds.empty() && scene_.settings.forces.empty()) {
    book_change(now_.ledger, bodies.take_out(outside), {});
    return true;
  }
  std::vector<std::uint8_t> stays(bodies.count(), 1);
  for (const std::size_t k : outside) stays[k] = 0;
  if (leaves_halves()) bodies.book_second_halves(1);
  const Energy before = bodies.stored_energy();
  bodies.keep_only(stays);
  book_change(now_.ledger, before, bodies.stored_energy());
  if (leaves_halves()) bodies.book_second_halves(-1);
  return true;
}

void World::stop_blown_up(std::int64_t id, const Vec3d& x, double radius, const Vec3d& v) const {
  if (!std::isfinite(norm2(v)))
    throw StoppedError(
        fmt::format("blow-up at t = {:.9g} s (step {}): the forces on particle {} with radius {:.6g} m are beyond what "
                    "their sum can "
                    "hold, or not numbers; try a smaller dt, and look at its partners and at the walls near it",
                    time(), now_.count.step, id, radius));
  throw StoppedError(fmt::format(
      "blow-up at t = {:.9g} s (step {}): particle {} at ({:.6g}, {:.6g}, {:.6g}) with radius {:.6g} m and speed "
      "{:.6g} m/s overlaps a partner by more than {:g} of the smaller radius or moved further than its radius in one "
      "step of {:.3g} s; try a smaller dt, stiffer contacts, or look at the walls near it",
      time(), now_.count.step, id, x.x, x.y, x.z, radius, norm(v), scene_.settings.numerics.max_overlap, times_.dt));
}

}  // namespace areia
