// The scheme "trapezoid" of the reference backend: states that are tried, and the one that is kept. See
// motion/implicit_driver.h.
#include "engine/reference/reference_backend.h"

namespace areia::reference {

// All forces in the state as it stands, from the committed contacts.
void ReferenceBackend::evaluate_state(double dt, std::vector<Vec3d>& a, std::vector<Vec3d>& b) {
  evaluate(dt);
  evaluate_outer(dt);
  a.resize(p_.size());
  b.resize(p_.size());
  for (std::size_t i = 0; i < p_.size(); ++i) {
    a[i] = acceleration(i) + magnetic_acceleration(i);
    b[i] = turning(i);
  }
}

Vec3d ReferenceBackend::magnetic_acceleration(std::size_t i) const {
  return is_free(i) ? cross(p_.v[i], magnetic_turn(i)) : Vec3d{};
}

void ReferenceBackend::keep(double t) {
  switch_gravity(t);
  outer_.set(schedule_, t);
  if (!forces_known_) {
    place_bodies(t);
    evaluate(0);
    evaluate_outer(0);
    forces_known_ = true;
  }
  Kept& k = kept_;
  k.field = field_;
  k.drag = drag_;
  k.distant = distant_;
  k.wall_force = wall_force_;
  k.wall_torque = wall_torque_;
  k.magnetic.resize(p_.size());
  k.x = p_.x;
  k.v = p_.v;
  k.w = p_.w;
  k.q = p_.q;
  k.force = force_;
  k.torque = torque_;
  k.poses = poses_;
  k.contacts = contacts_;
  k.sums = sums_;
  k.gravity = gravity_;
  k.a.resize(p_.size());
  k.b.resize(p_.size());
  for (std::size_t i = 0; i < p_.size(); ++i) {
    k.magnetic[i] = magnetic_acceleration(i);
    k.a[i] = acceleration(i) + k.magnetic[i];
    k.b[i] = turning(i);
  }
}

void ReferenceBackend::restore() {
  const Kept& k = kept_;
  p_.x = k.x;
  p_.v = k.v;
  p_.w = k.w;
  p_.q = k.q;
  force_ = k.force;
  torque_ = k.torque;
  field_ = k.field;
  drag_ = k.drag;
  distant_ = k.distant;
  wall_force_ = k.wall_force;
  wall_torque_ = k.wall_torque;
  poses_ = k.poses;
  contacts_ = k.contacts;
  sums_ = k.sums;
  gravity_ = k.gravity;
}

Sweep ReferenceBackend::predict(double t_end, double h) {
  Sweep sum;
  switch_gravity(t_end);
  outer_.set(schedule_, t_end);
  sums_at_end_ = sums_;  // with the bookings of the switch
  turn_.assign(p_.size(), Vec3d{});
  const bool uniform = scene_.settings.numerics.implicit.predictor == Implicit::Predictor::uniform;
  for (std::size_t i = 0; uniform && i < p_.size(); ++i) {
    if (!is_free(i)) continue;
    p_.x[i] += h * p_.v[i];
    p_.q[i] = turned(p_.q[i], p_.w[i], h, scene_.settings.numerics.exact_rotation);
    turn_[i] = h * p_.w[i];
    sum.wild = sum.wild || !(norm2(h * p_.v[i]) < p_.radius[i] * p_.radius[i]);
  }
  place_bodies(t_end);
  return sum;
}

void ReferenceBackend::move_iterate(std::size_t i, double h, Sweep& sum) {
  const double phi = scene_.settings.numerics.implicit.phi;
  const Kept& k = kept_;
  const Vec3d v = k.v[i] + h * ((1 - phi) * k.a[i] + phi * new_a_[i]);
  const Vec3d w = k.w[i] + h * ((1 - phi) * k.b[i] + phi * new_b_[i]);
  const Vec3d mean_w = (1 - phi) * k.w[i] + phi * w;
  const Vec3d x = k.x[i] + h * ((1 - phi) * k.v[i] + phi * v), turn = h * mean_w;
  const Vec3d origin = scene_.settings.domain.bounded ? scene_.settings.domain.box.min : Vec3d{};
  sum.x += {norm(x - p_.x[i]), norm(x - k.x[i]), norm(x - origin)};
  sum.a += {norm(turn - turn_[i]), norm(turn), 0};
  sum.v += {norm(v - p_.v[i]), norm(v - k.v[i]), norm(v)};
  sum.w += {norm(w - p_.w[i]), norm(w - k.w[i]), norm(w)};
  sum.wild = sum.wild || !(norm2(x - k.x[i]) < p_.radius[i] * p_.radius[i]);
  p_.x[i] = x;
  p_.v[i] = v;
  p_.w[i] = w;
  p_.q[i] = turned(k.q[i], mean_w, h, scene_.settings.numerics.exact_rotation);
  turn_[i] = turn;
}

// Jacobi: all forces first. Gauss-Seidel: those of the iterate as it stands when a particle has its turn.
Sweep ReferenceBackend::sweep(double h) {
  const bool one_by_one = scene_.settings.numerics.implicit.sweep == Implicit::Sweep::gauss_seidel;
  Sweep sum;
  bool evaluated = false;
  trial_ = true;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!is_free(i)) continue;
    if (one_by_one || !evaluated) {
      contacts_ = kept_.contacts;
      evaluate_state(h, new_a_, new_b_);
      evaluated = true;
    }
    move_iterate(i, h, sum);
  }
  trial_ = false;
  return sum;
}

void ReferenceBackend::commit(double, double h, bool) {
  const double phi = scene_.settings.numerics.implicit.phi;
  contacts_ = kept_.contacts;
  sums_ = sums_at_end_;
  // so that v - a h/2 is the mean velocity of the step
  for (std::size_t i = 0; i < p_.size(); ++i) a_[i] = (2 * (1 - phi) / h) * (p_.v[i] - kept_.v[i]);
  // the trapezoid of forces from outside and at a distance
  const auto book_half = [&] {
    for (std::size_t i = 0; i < p_.size(); ++i)
      if (present_[i])
        book_outer(i, is_free(i) ? (1 / h) * (p_.x[i] - kept_.x[i]) : 0.5 * (p_.v[i] + kept_.v[i]), 0.5 * h);
  };
  field_ = kept_.field;
  drag_ = kept_.drag;
  distant_ = kept_.distant;
  book_half();
  evaluate_state(h, new_a_, new_b_);
  book_half();
  friction_.resize(p_.size());
  bond_torque_.resize(p_.size());
  std::vector<Vec3d> friction(p_.size()), bond_torque(p_.size());
  for (const Bond& b : bonds_) {
    const BondForce f = bond_now(b).force;
    bond_torque[b.i] += f.torque_i();
    if (b.j >= 0) bond_torque[b.j] += f.torque_j();
  }
  for (const auto& entry : contacts_) {
    const FrameContact& c = entry.second.shown;
    const Vec3d f = c.force - dot(c.force, c.n) * c.n;
    friction[c.i] += f;
    if (c.j >= 0) friction[c.j] -= f;
  }
  // booked at the velocity of the end of the step: friction and the torques of contacts; the rest along the path
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!is_free(i)) continue;
    const Kept& k = kept_;
    sums_.scheme -= 0.5 * dot(friction_[i] + friction[i], h * p_.v[i] - (p_.x[i] - k.x[i]));
    const Vec3d a = k.a[i] + new_a_[i] - (k.magnetic[i] + magnetic_acceleration(i));
    sums_.scheme += 0.5 * p_.mass[i] * (dot(p_.v[i] - k.v[i], p_.v[i] + k.v[i]) - dot(a, p_.x[i] - k.x[i]));
    if (p_.turns[i])
      sums_.scheme +=
          0.5 * p_.inertia[i] * (dot(p_.w[i] - k.w[i], p_.w[i] + k.w[i]) - h * dot(k.b[i] + new_b_[i], p_.w[i])) +
          0.5 * dot(bond_torque_[i] + bond_torque[i], h * p_.w[i] - turn_[i]);
  }
  friction_ = std::move(friction);
  bond_torque_ = std::move(bond_torque);
  leave_domain();
}

}  // namespace areia::reference
