#include "engine/reference/reference_motion.h"

#include <algorithm>

#include "motion/schemes.h"

namespace areia::reference {

void place_prescribed(World& world, State& state, double t) {
  world.place_sets(t);
  for (Particle& p : state.particles) {
    if (!p.prescribed || !world.moves(p.set)) continue;
    const World::Placed body = world.placed(p.set, p.placed_x, p.placed_q);
    p.x = body.x;
    p.velocity = {body.v, body.w};
    p.q = body.q;
  }
}

void switch_gravity(World& world, const State& state, double t) {
  world.set_gravity(t, [&](const Vec3d& change, GridSum& sum) {
    for (const Particle& p : state.particles)
      if (!p.prescribed) sum += potential_change(change, p.x, p.inv_m());
  });
}

Vec3d sum_kinetic(const World& world, const State& state) {
  CellSums sum(world.cell().grid());
  for (const Particle& p : state.particles) sum.add(kinetic_of(p.mass, p.velocity.move));
  return sum.value();
}

void check(const World& world, const State& state, std::int64_t failed) {
  if (failed == Forces::kNone) return;
  const Particle& p = *state.find(failed);
  world.stop_blown_up(p.id, p.x, p.radius, p.velocity.move);
}

namespace {

// The forces that are neither contacts nor uniform gravity, for motion/explicit_step.h.
struct Fields {
  static constexpr bool kAny = true;
  const World& world;
  Forces& forces;
  const Particle& p;
  bool turns() const { return world.fields().turns(); }
  Vec3d turn(const Vec3d& spin) const { return forces.turning(p, spin); }
  void book(const Vec3d& mean, double dt) const { forces.book_outer(p, mean, dt); }
};

void drift(World& world, Particle& p, const Pace<double>& pace) {
  const Vec3d x = p.x + world.dt() * pace.move;
  p.x = world.periodicity().wrapped(x);
  if (!p.prescribed && !(p.x == x))
    world.now().ledger.wall_work += work_of_face(p.inv_m(), world.now().gravity, p.x - x);
  p.q = turned(p.q, pace.turn, world.dt(), world.scene().settings.numerics.exact_rotation);
}

// The cell moves, and all particles with it.
void deform(World& world, State& state, double t) {
  world.move_cell(t);
  for (Particle& p : state.particles) {
    p.x = world.cell().carried(p.x);
    const Vec3d before = p.velocity.move;
    p.velocity.move = world.cell().slowed(before);
    world.now().ledger.wall_work -= loss_of(p.mass, before, p.velocity.move);
  }
  world.now().cell.kinetic = sum_kinetic(world, state);
}

}  // namespace

void take_step(World& world, State& state, Forces& forces, Bodies& bodies, bool record) {
  const Scheme scheme = world.scene().settings.numerics.scheme;
  const double dt = world.dt(), t = world.time_of_forces();
  for (Particle& p : state.particles)
    before_forces(scheme, dt, p.velocity, p.old, Fields{world, forces, p},
                  [&](const Pace<double>& pace) { drift(world, p, pace); });
  switch_gravity(world, state, t);
  world.move_servos(t);
  world.set_fields(t);
  world.place_walls(t);
  place_prescribed(world, state, t);
  if (world.cell().deforms()) deform(world, state, t);
  if (!forces_first(scheme)) world.remove_lost(bodies);
  forces.evaluate({.dt = dt, .record = record});
  std::int64_t failed = forces.failed();
  for (Particle& p : state.particles) {
    Pace<double> old = p.old;
    after_forces(scheme, dt, p.velocity, forces.rate(p), old, Fields{world, forces, p},
                 [&](const Pace<double>& pace) { drift(world, p, pace); });
    if (scheme == Scheme::velocity_verlet) p.old = old;
    if (!slow_enough(p.velocity.move, dt, p.radius)) failed = std::min(failed, p.id);
  }
  world.finish_step([&] {
    const Energy e = forces.stored_energy();
    return e.kinetic + e.rotational;
  });
  check(world, state, failed);
  if (forces_first(scheme)) world.remove_lost(bodies);
}

}  // namespace areia::reference
