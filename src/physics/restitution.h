// Coefficient of restitution against damping ratio, for spring-dashpot contacts. Theory, section 7.
//
// With z the damping ratio of the equivalent linear oscillator (linear law: z = beta; Hertz: z = sqrt(6/5) xi, by the
// substitution y = delta^(5/4)):
//   without clamp  e = exp(-pi z / sqrt(1-z^2))                          (z < 1; 0 beyond)
//   with clamp     e = exp(-2 z acos(z) / sqrt(1-z^2))                   (z > 1: acosh, sqrt(z^2-1); z = 1: e^-2)
#pragma once
#include <cmath>
#include <numbers>

#include "core/rounding.h"

namespace areia {

inline double restitution_without_clamp(double z) {
  return z < 1 ? std::exp(-std::numbers::pi * z / std::sqrt(1 - z * z)) : 0;
}

inline double restitution_with_clamp(double z) {
  if (z < 1) return std::exp(-2 * z * std::acos(z) / std::sqrt(1 - z * z));
  if (z > 1) return std::exp(-2 * z * std::acosh(z) / std::sqrt(z * z - 1));
  return std::exp(-2.0);
}

inline double ratio_without_clamp(double e) {
  const double l = -std::log(e);
  return rounded(l / std::hypot(std::numbers::pi, l));
}

// The clamped formula falls steadily in z: bisection.
inline double ratio_with_clamp(double e) {
  double low = 0, high = 1;
  while (restitution_with_clamp(high) > e) high *= 2;
  for (int k = 0; k < 200 && low < high; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (restitution_with_clamp(middle) > e ? low : high) = middle;
  }
  return rounded(0.5 * (low + high));
}

}  // namespace areia
