// Forces from outside and at a distance in the step of the cpu backend. Spec sections 3 to 5.
#include "engine/cpu/cpu_backend.h"

namespace areia::cpu {

void CpuBackend::set_outer(double t) {
  if (outer_on_) outer_.set(schedule_, t);
}

// At the present place and velocity; prescribed particles feel nothing.
void CpuBackend::evaluate_outer(std::size_t i) {
  if (!outer_.any() || !(state_.velocity(i).w > 0)) {
    state_.outer[i] = state_.drag[i] = {};
    return;
  }
  const std::uint32_t id = state_.id[i];
  const Vec4& x = state_.position(i);
  const OuterForce f =
      outer_.at(x.xyz(), state_.velocity(i).xyz(), state_.spin[i].xyz(), x.w, mass_[id], charge(id), gravity_);
  state_.outer[i] = f.field;
  state_.drag[i] = f.drag;
}

// In two dimensions only the part of B across the plane turns a velocity in it.
Vec3d CpuBackend::magnetic_turn(std::size_t i) const {
  const double q = charge(state_.id[i]);
  return axes_.turning((q * state_.velocity(i).w) * outer_.magnetic_at(state_.position(i).xyz()));
}

Vec3d CpuBackend::outer_force(std::size_t i) const {
  Vec3d f = state_.outer[i] + state_.drag[i] + state_.distant[i];
  if (!outer_.magnetic() || !(state_.velocity(i).w > 0)) return f;
  return f + (1 / state_.velocity(i).w) * cross(state_.velocity(i).xyz(), magnetic_turn(i));
}

// What a prescribed particle does against the others' pull comes from whatever moves it.
void CpuBackend::book_outer(Chunk& chunk, std::size_t i, const Vec3d& mean_v, double dt) {
  const double distant = dot(state_.distant[i], mean_v) * dt;
  chunk.sums.distant_work += distant;
  if (!(state_.velocity(i).w > 0)) {
    chunk.sums.wall_work -= distant;
    return;
  }
  chunk.sums.field_work += dot(state_.outer[i], mean_v) * dt;
  chunk.sums.drag -= dot(state_.drag[i], mean_v) * dt;
}

}  // namespace areia::cpu
