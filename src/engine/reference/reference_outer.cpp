// Forces on the reference backend's particles that are no contacts: fields, fluid, and forces at a distance; and the
// energy that all forces store.
#include <cmath>

#include "engine/reference/reference_forces.h"
#include "search/wall_images.h"

namespace areia::reference {

Pace<double> Forces::rate(const Particle& p) const {
  const FreeAxes& axes = world_.axes();
  return {axes.moving(acceleration_of(p.inv_m(), p.force + (p.field + p.drag + p.distant), world_.now().gravity)),
          axes.turning(p.inv_j() * p.torque)};
}

// In two dimensions only the part of B across the plane turns a velocity in it.
Vec3d Forces::turning(const Particle& p, const Vec3d& spin) const {
  if (!world_.fields().turns()) return {};
  return world_.axes().turning(world_.fields().turning(p.x, spin, p.inv_m(), p.charge));
}

// At the present place and velocity; prescribed particles feel nothing.
void Forces::set_outer(Particle& p) const {
  p.field = p.drag = {};
  if (p.prescribed) return;
  const OuterForce f =
      world_.fields().at(p.x, p.velocity.move, p.velocity.turn, p.radius, p.mass, p.charge, world_.now().gravity);
  p.field = f.field;
  p.drag = f.drag;
}

// What a prescribed particle does against the others' pull comes from whatever moves it.
void Forces::book_outer(const Particle& p, const Vec3d& mean_v, double dt) {
  LedgerSums& sums = world_.now().ledger;
  const double distant = dot(p.distant, mean_v) * dt;
  sums.distant_work += distant;
  if (p.prescribed) {
    sums.wall_work -= distant;
    return;
  }
  sums.field_work += dot(p.field, mean_v) * dt;
  sums.drag -= dot(p.drag, mean_v) * dt;
}

// Two different particles of which one is free at least, one of each group.
bool Forces::acts_between(const PlannedForce& force, const Particle& i, const Particle& j) {
  if (&i == &j || (i.prescribed && j.prescribed)) return false;
  return (force.in_a[i.group] && force.in_b[j.group]) || (force.in_a[j.group] && force.in_b[i.group]);
}

double Forces::factors_of(const PlannedForce& force, const Particle& i, const Particle& j) {
  return force.law.charges ? i.charge * j.charge : 1;
}

// f(wall, distance, direction to it in space, where the wall is) for the nearest point of each wall that the force
// comes from.
template <class F>
void Forces::for_each_distant_wall(const PlannedForce& force, const Particle& p, F&& f) const {
  if (p.prescribed || !force.in_a[p.group]) return;
  for (const std::uint16_t w : force.walls) {
    const WallState& wall = world_.now().walls[w];
    if (!wall.present) continue;
    const auto [at, centre] =
        nearest_on_wall(world_.periodicity(), world_.scene().walls[w], wall.pose, p.x, force.law.cutoff);
    if (at.found && at.distance > 0) f(w, at.distance, at.n, centre + at.distance * at.n);
  }
}

void Forces::evaluate_outer() {
  for (Particle& p : state_.particles) {
    set_outer(p);
    p.distant = {};
  }
  for (Particle& p : state_.particles)
    for (const PlannedForce& force : plan_) {
      p.distant += distant_force(force, p);
      for_each_distant_wall(force, p, [&](std::size_t w, double d, const Vec3d& n, const Vec3d& point) {
        const WallState& wall = world_.now().walls[w];
        const Vec3d f = distance_force(force.law, d) * n;
        p.distant += f;
        on_walls_.add(w, -f, -cross(point - wall.pose.center - wall.pose.shift, f));
        const double work = dot(f, wall.pose.velocity_at(point)) * how_.dt;
        sums().wall_work += work;
        sums().distant_work -= work;
      });
    }
}

// Of all partners on one particle.
Vec3d Forces::distant_force(const PlannedForce& force, const Particle& p) const {
  FineSum x(force.grid), y(force.grid), z(force.grid);
  for (const Particle& other : state_.particles) {
    if (!acts_between(force, p, other)) continue;
    const Vec3d d = world_.periodicity().nearest(other.x - p.x);
    const Vec3d f = distance_force_over_d(force.law, norm2(d), factors_of(force, p, other)) * d;
    x.add(f.x), y.add(f.y), z.add(f.z);
  }
  return {x.value(), y.value(), z.value()};
}

void Forces::add_energy(const Particle& p, StoredSums& e) const {
  if (p.prescribed) return;
  e.kinetic += 0.5 / p.inv_m() * norm2(p.velocity.move);
  if (p.inv_j() > 0) e.rotational += 0.5 / p.inv_j() * norm2(p.velocity.turn);
  e.potential -= dot(world_.now().gravity, p.x) / p.inv_m();
}

void Forces::add_energy(const Key& key, const Record& record, StoredSums& e) const {
  const Particle &i = *state_.find(key.i), *j = key.j < 0 ? nullptr : state_.find(key.j);
  const std::size_t other = j ? j->material : world_.scene().walls[key.wall].material;
  laws_of(i.material, other)->store(bodies(i.radius, j ? j->radius : 0), record.history.data(), e);
}

Energy Forces::stored_energy() const {
  StoredSums e;
  for (const Particle& p : state_.particles) add_energy(p, e);
  for (const PlannedForce& force : plan_)
    for (const Particle& i : state_.particles) {
      for (const Particle& j : state_.particles) {  // half of it is that of i
        if (!acts_between(force, i, j)) continue;
        const double d2 = norm2(world_.periodicity().nearest(j.x - i.x));
        if (d2 < force.law.cutoff * force.law.cutoff)
          e.distant += 0.5 * (factors_of(force, i, j) * distance_energy(force.law, std::sqrt(d2)));
      }
      for_each_distant_wall(force, i, [&](std::size_t, double d, const Vec3d&, const Vec3d&) {
        e.distant += distance_energy(force.law, d);
      });
    }
  for (const auto& [key, record] : state_.contacts) add_energy(key, record, e);
  for (const Bond& b : state_.bonds) {
    const BondNow now = bond_now(b);
    e.bonds += bond_energy(b.law, now.axis, now.stretch);
  }
  return e.energy();
}

}  // namespace areia::reference
