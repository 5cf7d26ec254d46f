// All forces of the cpu backend brought together: contacts, bonds, forces at a distance, fields and fluid, and what
// they do to velocities and to the ledger.
#pragma once
#include "engine/cpu/cpu_bonds.h"
#include "engine/cpu/cpu_contacts.h"
#include "engine/cpu/cpu_distance.h"

namespace areia::cpu {

struct Evaluation {
  double dt = 0;         // since the last one; 0: a given state
  bool record = false;   // contacts and forces on walls are kept for frames
  bool trial = false;    // of an iterate: nothing may be decided by them
  bool counted = false;  // contacts_before is that of the last evaluation
};

class Forces {
 public:
  Forces(World& world, State& state, Chunks& chunks, const Laws& laws);

  Contacts& contacts() { return contacts_; }
  Bonds& bonds() { return bonds_; }
  DistanceForces& distance() { return distance_; }
  const Contacts& contacts() const { return contacts_; }
  const Bonds& bonds() const { return bonds_; }
  const DistanceForces& distance() const { return distance_; }
  bool any_outer() const { return any_outer_; }  // any forces besides contacts and uniform gravity

  // Contacts, bonds and forces at a distance; those from outside follow particle by particle (evaluate_outer).
  void evaluate(const Evaluation& how);
  void evaluate_as_given();  // all of them, in a state in which no time passes
  // At the present place and velocity; prescribed particles feel nothing.
  void evaluate_outer(std::size_t i) {
    if (!world_.fields().any() || !state_.free(i)) {
      state_.outer[i] = state_.drag[i] = {};
      return;
    }
    const Vec4& x = state_.position(i);
    const OuterForce f = world_.fields().at(x.xyz(), state_.velocity(i).xyz(), state_.spin[i].xyz(), x.w,
                                            state_.mass[i], state_.charge_of(i), world_.now().gravity);
    state_.outer[i] = f.field;
    state_.drag[i] = f.drag;
  }
  Vec3d outer_force(std::size_t i) const {  // all of them, for frames
    if (!any_outer_) return {};
    const Vec3d f = state_.outer[i] + state_.drag[i] + state_.distant[i];
    if (!world_.fields().turns() || !state_.free(i)) return f;
    return f + (1 / state_.velocity(i).w) * cross(state_.velocity(i).xyz(), turning(i, state_.spin[i].xyz()));
  }
  // t of dv/dt = v x t. In two dimensions only the part across the plane turns a velocity in it.
  Vec3d turning(std::size_t i, const Vec3d& spin) const {
    return world_.axes().turning(
        world_.fields().turning(state_.position(i).xyz(), spin, state_.velocity(i).w, state_.charge_of(i)));
  }
  Pace<double> rate(std::size_t i) const {  // by the present forces, with gravity
    const Vec3d force = state_.force(i).xyz();
    return {
        world_.axes().moving(acceleration_of(
            state_.velocity(i).w, any_outer_ ? force + (state_.outer[i] + state_.drag[i] + state_.distant[i]) : force,
            world_.now().gravity)),
        world_.axes().turning(state_.spin[i].w * state_.torque(i).xyz())};
  }
  // Work over dt at a mean velocity. What a prescribed particle does against the others' pull comes from whatever moves
  // it.
  void book_outer(Chunk& chunk, std::size_t i, const Vec3d& mean_v, double dt) const {
    const double distant = dot(state_.distant[i], mean_v) * dt;
    chunk.sums.distant_work += distant;
    if (!state_.free(i)) {
      chunk.sums.wall_work -= distant;
      return;
    }
    chunk.sums.field_work += dot(state_.outer[i], mean_v) * dt;
    chunk.sums.drag -= dot(state_.drag[i], mean_v) * dt;
  }

  StoredSums stored() const;
  Energy stored_energy() const { return stored().energy(); }
  void add_energy(std::size_t i, StoredSums& sum) const {  // of its motion and its height
    const Vec4 &v = state_.velocity(i), &w = state_.spin[i];
    if (v.w > 0) {
      sum.kinetic += 0.5 / v.w * norm2(v.xyz());
      sum.potential -= dot(world_.now().gravity, state_.position(i).xyz()) / v.w;
    }
    if (w.w > 0) sum.rotational += 0.5 / w.w * norm2(w.xyz());
  }
  struct MotionSums {  // of free bodies; each is rounded once, as they are shown
    ExactSum move, turn;
    MotionSums& operator+=(const MotionSums& b) {
      move += b.move;
      turn += b.turn;
      return *this;
    }
    double total() const { return move.value() + turn.value(); }
    bool spin_decides(double limit) const { return total() >= limit && move.value() < limit; }
  };
  MotionSums motion() const;
  double kinetic_energy() const { return motion().total(); }
  double unrest(double limit) const;
  ExactSum resisted_spin() const;  // of unrest.h
  LedgerSums booked() const;       // so far, by the world and by all chunks

 private:
  World& world_;
  State& state_;
  Chunks& chunks_;
  const Laws& laws_;
  DistanceForces distance_;
  Contacts contacts_;
  Bonds bonds_;
  bool any_outer_;
};

}  // namespace areia::cpu
