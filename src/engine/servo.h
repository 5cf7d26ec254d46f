// Walls that follow a force: theory manual, section 12.3; the law itself is chosen here.
//
//   u0 = gain (F - F0), |u0| <= max_speed      along the axis; F is the push of the particles along it
//   u <- u + b (u0 - u),  b = 1/(1 + gain C)
//
// F is that of the last evaluation, F0 the force to reach. With F < F0 the wall moves against the axis, into the
// particles. The wall acts like a light plate that carries the load F0 and a dashpot 1/gain: it takes energy out, and
// by itself cannot build up oscillations. In discrete time a bed of stiffness K answers a step with a change of the
// force by K u dt, and its dashpots, C in all, with C u at once. Without b the latter would need gain C < 1; with it
// the plate has the mass dt/(b gain) >= C dt, and every gain is stable as long as K dt < 2 C, that is always for dt
// below t_c. The automatic gain is 0.3 / (K dt). Estimates: K = n^(2/3) k, C = n^(2/3) 2 sqrt(m k) (critical damping)
// with the stiffness k = m (pi/t_c)^2 of the shortest contact and n^(2/3) contacts, a layer of the n particles.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/backend.h"
#include "scene/motion.h"

namespace areia {

// Stiffness and damping that a wall may meet.
struct BedEstimate {
  double stiffness = 0, damping = 0;
};
inline BedEstimate estimate_bed(const Scene& scene, double contact_time) {
  double lightest = kForever, count = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    if (!scene.particles.prescribed[i]) {
      lightest = std::min(lightest, scene.particles.mass[i]);
      count += 1;
    }
  if (!(contact_time > 0) || count == 0) return {};
  const double frequency = std::numbers::pi / contact_time;
  double layer = 1;  // the whole number next above n^(2/3), without the C library's power
  while (layer * layer * layer < count * count) layer += 1;
  return {layer * lightest * frequency * frequency, layer * 2 * lightest * frequency};
}

inline double automatic_gain(const BedEstimate& bed, double dt) {
  return bed.stiffness > 0 ? 0.3 / (bed.stiffness * dt) : 1e-3;
}
// b, of walls and of cells alike.
inline double response_of(double gain, double damping) { return 1 / (1 + gain * damping); }

struct ServoState {
  double shift = 0, speed = 0;  // along the axis
  double drift = 0;             // of walls of a loading: the speed that holds their stress (loading.h)
};

// Moves the wall on by one step that ends at time t.
inline void advance(const ServoPlan& plan, ServoState& s, const Vec3d& wall_force, double t, double dt) {
  const bool runs = t > plan.start && t <= plan.stop;
  double speed = 0;
  if (runs) {
    const double target = value_at(plan.target, t - plan.start) * plan.area;
    const double wanted = plan.gain * (dot(wall_force, plan.axis) - target);
    speed = s.speed + plan.response * (std::min(std::max(wanted, -plan.max_speed), plan.max_speed) - s.speed);
  }
  const double next = std::min(std::max(s.shift + speed * dt, plan.min_shift), plan.max_shift);
  s.speed = (next - s.shift) / dt;
  s.shift = next;
}

inline void place(const ServoPlan& plan, const ServoState& s, Pose& pose) {
  pose.shift += s.shift * plan.axis;
  pose.v += s.speed * plan.axis;
}

}  // namespace areia
