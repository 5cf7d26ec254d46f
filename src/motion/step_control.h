// Control of the step size of an implicit scheme by the sweeps it needed. Spec section 15.
//
//   campello (000 algorithm 5, E14, E15):  dt <- sqrt(N_des/N) dt, growth at most 1.5; after a rejected step at most
//   1/2 zohdi    (001 (124), E36):  Lambda = (TOL/e_0)^(1/(p K_d)) / (e_K/e_0)^(1/(p K)), dt <- min over all tested
//   Lambda dt
// with e_0 the error of the first sweep, e_K of the last, p = 2 for places and turns and 1 for velocities. The number
// of the last sweep is K, the first one being 0. An error of zero gives the growth cap.
#pragma once
#include <algorithm>
#include <cmath>

#include "core/elementary.h"
#include "motion/sweep_error.h"

namespace areia {

inline constexpr double kMostGrowth = 1.5, kLeastShrink = 0.5;

inline double limited(double factor, bool accepted) {
  return std::isfinite(factor) ? std::min(factor, accepted ? kMostGrowth : kLeastShrink) : kLeastShrink;
}

inline double campello_factor(int desired, int sweeps, bool accepted) {
  return limited(std::sqrt(static_cast<double>(desired) / std::max(1, sweeps)), accepted);
}

inline double zohdi_lambda(double tolerance, double first, double last, int order, int desired, int last_index) {
  if (first == 0 || last == 0 || last_index == 0) return kMostGrowth;
  return power_of(tolerance / first, 1.0 / (order * desired)) / power_of(last / first, 1.0 / (order * last_index));
}

inline double zohdi_factor(const SweepErrors& first, const SweepErrors& last, int sweeps, const Implicit& s,
                           bool accepted) {
  double least = kMostGrowth;
  const ErrorOf* of_first[4] = {&first.x, &first.a, &first.v, &first.w};
  int k = 0;
  for_each_tested(last, s, [&](const ErrorOf& q, double tolerance, int order) {
    const ErrorOf& e0 = *of_first[k++];
    // two errors of different kinds cannot be compared
    if (e0.plain == q.plain)
      least = std::min(least, zohdi_lambda(tolerance, e0.value, q.value, order, s.desired_sweeps, sweeps - 1));
  });
  return limited(least, accepted);
}

// Clipped to what the case allows.
inline double next_step(double dt, double factor, double dt_min, double dt_max) {
  return std::min(std::max(factor * dt, dt_min), dt_max);
}

}  // namespace areia
