// Walls that follow a force: spec section 12, "velocity law"; the law itself is chosen here.
//
//   u = gain (F - F0), |u| <= max_speed        along the axis; F is the push of the particles along it
//
// F is that of the last evaluation, F0 the force to reach. With F < F0 the wall moves against the axis, into the
// particles. The wall acts like a plate without mass that carries the load F0 and a dashpot 1/gain: it takes energy
// out, and by itself cannot build up oscillations. In discrete time a bed of stiffness K answers a step with a change
// of the force by K u dt, so gain K dt must stay below 1. The automatic gain is 0.3 / (K dt) with K the stiffness of
// one contact (m (pi/t_c)^2 of the shortest one) times n^(2/3), a layer of the n particles.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/backend.h"
#include "scene/motion.h"

namespace areia {

inline double automatic_gain(const Scene& scene, double dt, double contact_time) {
  double lightest = kForever, count = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    if (!scene.particles.prescribed[i]) {
      lightest = std::min(lightest, scene.particles.mass[i]);
      count += 1;
    }
  if (!(contact_time > 0) || count == 0) return 1e-3;
  const double stiffness = lightest * (std::numbers::pi / contact_time) * (std::numbers::pi / contact_time);
  double layer = 1;  // the whole number next above n^(2/3), without the C library's power
  while (layer * layer * layer < count * count) layer += 1;
  return 0.3 / (layer * stiffness * dt);
}

struct ServoState {
  double shift = 0, speed = 0;  // along the axis
};

// Moves the wall on by one step that ends at time t.
inline void advance(const ServoPlan& plan, ServoState& s, const Vec3d& wall_force, double t, double dt) {
  const bool runs = t > plan.start && t <= plan.stop;
  double speed = runs ? plan.gain * (dot(wall_force, plan.axis) - plan.target) : 0;
  speed = std::min(std::max(speed, -plan.max_speed), plan.max_speed);
  const double next = std::min(std::max(s.shift + speed * dt, plan.min_shift), plan.max_shift);
  s.speed = (next - s.shift) / dt;
  s.shift = next;
}

inline void place(const ServoPlan& plan, const ServoState& s, Pose& pose) {
  pose.shift += s.shift * plan.axis;
  pose.v += s.speed * plan.axis;
}

}  // namespace areia
