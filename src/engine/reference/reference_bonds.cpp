// Bonds of the reference backend: made, evaluated, broken, booked, dropped with their bodies.
#include <algorithm>

#include "engine/bond_work.h"
#include "engine/reference/reference_forces.h"
#include "motion/schemes.h"
#include "packing/make_bonds.h"

namespace areia::reference {

void Forces::start_bonds(const std::vector<std::uint16_t>& sets) {
  BondableBodies bodies;
  for (const Particle& p : state_.particles) {
    bodies.id.push_back(p.id);
    bodies.x.push_back(p.x);
    bodies.q.push_back(p.q);
    bodies.radius.push_back(p.radius);
    bodies.inv_m.push_back(p.inv_m());
    bodies.group.push_back(p.group);
  }
  for (const WallState& w : world_.now().walls) {
    bodies.wall.push_back(w.pose);
    bodies.wall_present.push_back(w.present);
  }
  for (const std::uint16_t set : sets)
    for (Bond b : make_bonds(world_.scene(), set, bodies)) {
      const BondNow now = bond_now(b);
      b.last = kick_of(now, b.law, false);
      state_.bonds.push_back(b);
      state_.bond_force.push_back(now.force.total());
    }
  // bonded pairs of such sets have no contact from now on
  std::erase_if(state_.contacts,
                [&](const auto& entry) { return is_apart(entry.first.i, entry.first.j, entry.first.wall); });
}

// Pairs that have no ordinary contact while they are bonded.
bool Forces::is_apart(std::int64_t i, std::int64_t j, std::int32_t wall) const {
  return std::any_of(state_.bonds.begin(), state_.bonds.end(),
                     [&](const Bond& b) { return !set_of(b).contact && b.i == i && b.j == j && b.wall == wall; });
}

BondBody Forces::body_of(const Particle& p) const {
  BondBody b{p.x, p.q, p.velocity.move, p.velocity.turn, p.velocity.move, p.velocity.turn, p.inv_m(), p.inv_j()};
  if (scheme_ == Scheme::velocity_verlet) {  // the state holds predictions for the end of the step
    b.v_move -= (0.5 * world_.dt()) * p.old.move;
    b.w_move -= (0.5 * world_.dt()) * p.old.turn;
  }
  return b;
}

BondBody Forces::body_j(const Bond& b) const {
  return b.j < 0 ? bond_body(world_.now().walls[b.wall].pose) : body_of(*state_.find(b.j));
}

BondNow Forces::bond_now(const Bond& b) const {
  return evaluate_bond(b, set_of(b), world_.periodicity(), body_of(*state_.find(b.i)), body_j(b));
}

// A bond whose force exceeds its strength is deleted and exerts none; iterates of a step decide nothing.
void Forces::evaluate_bonds() {
  std::vector<Bond> kept;
  state_.bond_force.clear();
  for (Bond& b : state_.bonds) {
    const BondNow now = bond_now(b);
    const bool broken = !how_.trial && breaks(b, set_of(b), now);
    if (!how_.trial && (how_.dt > 0 || broken))
      sums().bonds += book_bond(b, set_of(b), now, world_.periodicity(), body_of(*state_.find(b.i)), body_j(b), how_.dt,
                                broken, scheme_ == Scheme::trapezoid);
    if (broken) {
      const double t = how_.dt > 0 && !forces_first(scheme_) ? world_.next_time() : world_.time();
      state_.breaks.push_back(break_of(b, set_of(b), now, body_of(*state_.find(b.i)), body_j(b), t));
      continue;
    }
    if (!how_.trial) b.last = kick_of(now, b.law, how_.dt > 0 || !kicks_once(scheme_));
    Particle& i = *state_.find(b.i);
    i.force += now.force.total();
    i.torque += now.force.torque_i();
    if (b.j >= 0) {
      Particle& j = *state_.find(b.j);
      j.force -= now.force.total();
      j.torque += now.force.torque_j();
    } else {
      on_walls_.add(b.wall, -now.force.total(), now.force.torque_j());
    }
    kept.push_back(b);
    state_.bond_force.push_back(now.force.total());
  }
  state_.bonds = std::move(kept);
}

// The second half of the last kick: booked at the next evaluation, or before that for a frame or a change of bodies.
BondBooking Forces::pending_work(const Bond& b) const {
  BondBody i = body_of(*state_.find(b.i)), j = body_j(b);
  for (BondBody* body : {&i, &j}) {
    body->v_move = body->v;
    body->w_move = body->w;
  }
  const double dt = world_.dt();
  const BondForce& f = b.last.force;
  return half_kick(f, i, j, dt * (i.v + cross(i.w, f.arm_i)), dt * (j.v + cross(j.w, f.arm_j)), dt, false);
}

// Schemes that kick once per step show velocities after the whole kick: the ledger of that instant holds all of it.
void Forces::book_pending_work(LedgerSums& sums) const {
  if (kicks_once(scheme_))
    for (const Bond& b : state_.bonds) sums.bonds += pending_work(b);
}

void Forces::drop_bonds(const std::vector<std::uint8_t>& stays) {
  const auto there = [&](std::int64_t id) { return stays[state_.find(id) - state_.particles.data()] != 0; };
  std::size_t kept = 0;
  for (std::size_t k = 0; k < state_.bonds.size(); ++k) {
    const Bond& b = state_.bonds[k];
    if (there(b.i) && (b.j >= 0 ? there(b.j) : world_.now().walls[b.wall].present)) {
      state_.bond_force[kept] = state_.bond_force[k];
      state_.bonds[kept++] = b;
    } else {
      world_.now().ledger.bonds += pending_work(b);
    }
  }
  state_.bonds.resize(kept);
  state_.bond_force.resize(kept);
}

void Forces::flush_bonds() {
  book_pending_work(world_.now().ledger);
  if (kicks_once(scheme_))
    for (Bond& b : state_.bonds) b.last.force = {};
}

}  // namespace areia::reference
