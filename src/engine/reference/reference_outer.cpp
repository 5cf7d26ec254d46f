// Forces on the reference backend's particles that are no contacts: fields, fluid, and forces at a distance.
#include "engine/reference/reference_backend.h"
#include "scene/scene_wall.h"

namespace areia::reference {

// f(force, factor, i, j, x_j - x_i) for every pair that a force acts between.
template <class F>
void ReferenceBackend::for_each_distant(F&& f) const {
  for (const PlannedForce& force : plan_)
    for (std::size_t i = 0; i < p_.size(); ++i)
      for (std::size_t j = i + 1; present_[i] && j < p_.size(); ++j) {
        if (!present_[j] || (p_.prescribed[i] && p_.prescribed[j])) continue;
        const std::uint16_t a = p_.group[i], b = p_.group[j];
        if (!(force.in_a[a] && force.in_b[b]) && !(force.in_a[b] && force.in_b[a])) continue;
        f(force, force.law.charges ? p_.charge[i] * p_.charge[j] : 1.0, i, j,
          periodicity_.nearest(periodicity_.wrapped(p_.x[j]) - periodicity_.wrapped(p_.x[i])));
      }
}

template <class F>
void ReferenceBackend::for_each_distant_wall(F&& f) const {
  for (const PlannedForce& force : plan_)
    for (const std::uint16_t w : force.walls)
      for (std::size_t i = 0; wall_present_[w] && i < p_.size(); ++i) {
        if (!present_[i] || p_.prescribed[i] || !force.in_a[p_.group[i]]) continue;
        const WallPoint at = nearest_point(scene_.walls[w], poses_[w].to_body(p_.x[i]), force.law.cutoff);
        if (at.found && at.distance > 0) f(force, i, w, at.distance, rotate(poses_[w].q, at.n));
      }
}

// Fields, fluid, and forces at a distance on every particle.
void ReferenceBackend::evaluate_outer(double dt) {
  for (std::size_t i = 0; i < p_.size(); ++i) {
    field_[i] = drag_[i] = distant_[i] = {};
    if (!present_[i] || p_.prescribed[i]) continue;
    const OuterForce f =
        outer_.at(periodicity_.wrapped(p_.x[i]), p_.v[i], p_.w[i], p_.radius[i], p_.mass[i], p_.charge[i], gravity_);
    field_[i] = f.field;
    drag_[i] = f.drag;
  }
  for_each_distant([&](const PlannedForce& force, double factor, std::size_t i, std::size_t j, const Vec3d& d) {
    const double distance = norm(d);
    if (!(distance > 0)) return;
    const Vec3d f = (factor * distance_force(force.law, distance) / distance) * d;
    distant_[i] += f;
    distant_[j] -= f;
  });
  for_each_distant_wall([&](const PlannedForce& force, std::size_t i, std::size_t w, double d, const Vec3d& n) {
    const Vec3d f = distance_force(force.law, d) * n, point = p_.x[i] + d * n;
    distant_[i] += f;
    wall_force_[w] -= f;
    wall_torque_[w] -= cross(point - poses_[w].center - poses_[w].shift, f);
    const double work = dot(f, poses_[w].velocity_at(point)) * dt;
    sums_.wall_work += work;
    sums_.distant_work -= work;
  });
}

double ReferenceBackend::distant_energy() const {
  double sum = 0;
  for_each_distant([&](const PlannedForce& force, double factor, std::size_t, std::size_t, const Vec3d& d) {
    sum += factor * distance_energy(force.law, norm(d));
  });
  for_each_distant_wall([&](const PlannedForce& force, std::size_t, std::size_t, double d, const Vec3d&) {
    sum += distance_energy(force.law, d);
  });
  return sum;
}

// (q/m) B; in two dimensions only what is across the plane.
Vec3d ReferenceBackend::magnetic_turn(std::size_t i) const {
  if (!outer_.magnetic() || p_.prescribed[i]) return {};
  return across_plane((p_.charge[i] / p_.mass[i]) * outer_.magnetic_at(periodicity_.wrapped(p_.x[i])));
}

void ReferenceBackend::book_outer(std::size_t i, const Vec3d& mean_v, double dt) {
  const double distant = dot(distant_[i], mean_v) * dt;
  sums_.distant_work += distant;
  if (p_.prescribed[i]) sums_.wall_work -= distant;
  sums_.field_work += dot(field_[i], mean_v) * dt;
  sums_.drag -= dot(drag_[i], mean_v) * dt;
}

}  // namespace areia::reference
