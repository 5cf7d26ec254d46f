// One explicit step of the reference backend: gravity, walls and prescribed bodies at a time, kicks and drifts, and
// what leaves the domain.
#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"
#include "engine/reference/reference_backend.h"
#include "physics/magnetic.h"
#include "scene/motion.h"

namespace areia::reference {

void ReferenceBackend::advance(std::int64_t steps, bool) {
  for (std::int64_t k = 0; k < steps; ++k) {
    if (!implicit_) {
      one_step();
      continue;
    }
    move_servos(static_cast<double>(step_ + 1) * dt_);
    implicit_->advance(*this, time(), static_cast<double>(step_ + 1) * dt_, true);
    ++step_;
    if (step_ % 100 == 0) sums_.most_kinetic = std::max(sums_.most_kinetic, kinetic_energy());
  }
}

void ReferenceBackend::one_step() {
  const double t = static_cast<double>(step_ + (forces_first(scheme_) ? 0 : 1)) * dt_;
  const std::size_t n = p_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (scheme_ == Scheme::drift_kick) drift(i, p_.v[i], p_.w[i]);
    if (scheme_ == Scheme::velocity_verlet) {
      p_.v[i] = turned_by_magnetic(p_.v[i], magnetic_turn(i), 0.5 * dt_);
      book_outer(i, p_.v[i] + (0.25 * dt_) * a_[i], 0.5 * dt_);
      drift(i, p_.v[i] + (0.5 * dt_) * a_[i], p_.w[i] + (0.5 * dt_) * b_[i]);
      p_.v[i] += dt_ * a_[i];
      p_.w[i] += dt_ * b_[i];
    }
  }
  switch_gravity(t);
  outer_.set(schedule_, t);
  move_servos(t);
  place_bodies(t);
  leave_domain();
  evaluate(dt_);
  evaluate_outer(dt_);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d a = acceleration(i), b = turning(i), before = p_.v[i];
    if (scheme_ == Scheme::forward_euler) drift(i, p_.v[i], p_.w[i]);
    const double share = scheme_ == Scheme::velocity_verlet ? 0.5 * dt_ : dt_;
    if (scheme_ == Scheme::velocity_verlet) {
      p_.v[i] += share * (a - a_[i]);
      book_outer(i, 0.5 * (before - share * a_[i] + p_.v[i]), share);
      p_.v[i] = turned_by_magnetic(p_.v[i], magnetic_turn(i), share);
    } else {  // Boris: the magnetic turn in the middle of the kick
      const Vec3d half = before + (0.5 * dt_) * a, turned = turned_by_magnetic(half, magnetic_turn(i), dt_);
      p_.v[i] = turned + (0.5 * dt_) * a;
      book_outer(i, 0.25 * (before + half + turned + p_.v[i]), dt_);
    }
    p_.w[i] += scheme_ == Scheme::velocity_verlet ? share * (b - b_[i]) : share * b;
    if (scheme_ == Scheme::kick_drift) drift(i, p_.v[i], p_.w[i]);
    a_[i] = a;
    b_[i] = b;
    if (present_[i] && !(norm2(p_.v[i]) * dt_ * dt_ < p_.radius[i] * p_.radius[i]))
      throw StoppedError(
          fmt::format("blow-up at t = {:.9g} s: particle {} moved further than its radius in one step", t, i));
  }
  ++step_;
  if (step_ % 100 == 0) sums_.most_kinetic = std::max(sums_.most_kinetic, kinetic_energy());
}

void ReferenceBackend::drift(std::size_t i, const Vec3d& v, const Vec3d& w) {
  p_.x[i] += dt_ * v;
  p_.q[i] = turned(p_.q[i], w, dt_, scene_.settings.numerics.exact_rotation);
}

// In two dimensions nothing moves along the flat axis and nothing turns about another.
Vec3d ReferenceBackend::acceleration(std::size_t i) const {
  Vec3d a = inv_m(i) * (force_[i] + field_[i] + drag_[i] + distant_[i]);
  if (!p_.prescribed[i]) a += gravity_;
  if (scene_.settings.domain.dimension == 2) component(a, scene_.settings.domain.flat_axis) = 0;
  return a;
}

Vec3d ReferenceBackend::turning(std::size_t i) const { return across_plane(inv_j(i) * torque_[i]); }

// A vector that turns things: in two dimensions only what is across the plane.
Vec3d ReferenceBackend::across_plane(const Vec3d& turn) const {
  Vec3d b = turn;
  if (scene_.settings.domain.dimension == 2)
    for (int axis = 0; axis < 3; ++axis)
      if (axis != scene_.settings.domain.flat_axis) component(b, axis) = 0;
  return b;
}

// Walls and prescribed particles where they are at time t.
void ReferenceBackend::place_bodies(double t) {
  for (std::size_t w = 0; w < poses_.size(); ++w) {
    poses_[w] = pose_at(schedule_.wall_motion[w], t);
    if (schedule_.servo[w].on) place(schedule_.servo[w], servo_[w], poses_[w]);
  }
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!p_.prescribed[i] || schedule_.set_motion[p_.set[i]].kind == Motion::Kind::fixed) continue;
    const Pose pose = pose_at(schedule_.set_motion[p_.set[i]], t);
    p_.x[i] = pose.to_world(placed_x_[i]);
    p_.v[i] = pose.velocity_at(p_.x[i]);
    p_.w[i] = pose.w;
    p_.q[i] = multiply(pose.q, placed_q_[i]);
  }
}

void ReferenceBackend::move_servos(double t) {
  for (std::size_t w = 0; w < servo_.size(); ++w)
    if (schedule_.servo[w].on && wall_present_[w])
      areia::advance(schedule_.servo[w], servo_[w], wall_force_[w], t, dt_);
}

void ReferenceBackend::switch_gravity(double t) {
  const Vec3d g = gravity_at(schedule_, t);
  if (g == gravity_) return;
  const Energy before = stored_energy();
  gravity_ = g;
  const Energy after = stored_energy();
  if (gravity_turns(schedule_, t)) sums_.field_work += after.potential - before.potential;
  else book_change(sums_, before, after);
}

void ReferenceBackend::leave_domain() {
  const Domain& d = scene_.settings.domain;
  if (!d.bounded || d.rule == DomainRule::open) return;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!is_outside(d, p_.x[i]) || !present_[i] || p_.prescribed[i]) continue;
    if (d.rule == DomainRule::stop)
      throw StoppedError(fmt::format("particle {} left the domain at t = {:.9g} s", i, time()));
    const Energy before = stored_energy();
    present_[i] = 0;
    forces_known_ = false;
    ++lost_;
    drop_bonds();
    std::erase_if(contacts_,
                  [&](const auto& e) { return e.first.i == i || e.first.j == static_cast<std::int64_t>(i); });
    book_change(sums_, before, stored_energy());
  }
}

}  // namespace areia::reference
