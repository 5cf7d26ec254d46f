// Coulomb's law on whole impulses, |I_T| <= mu I_N, where another equation binds I_N to I_T.
#pragma once
#include <algorithm>
#include <limits>

#include "impact/laws.h"

namespace areia::impact {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct CoulombPoint {
  double IN = 0, IT = 0;
  int slip = 0;  // sign of D_T; 0: sticking
  bool exists = true;
};

// The cone cuts the line A I_N - B I_T = p (p > 0) in lo <= I_T <= hi. At most one end is infinite.
struct ConeInterval {
  double lo, hi;
};
inline ConeInterval cone_interval(double A, double B, double p, double mu) {
  return {A + mu * B > 0 ? -mu * p / (A + mu * B) : -kInfinite, A - mu * B > 0 ? mu * p / (A - mu * B) : kInfinite};
}

// The point of the line A I_N - B I_T = p with D_T = d - B I_N + C I_T and Coulomb's law. On the line D_T grows with
// I_T at the rate Delta/A, and the law is a step that falls: one solution for Delta > 0, whatever mu. For Delta = 0 the
// slip D_T = d - B p/A is fixed, and its side of the cone must meet the line.
inline CoulombPoint on_line(double A, double B, double C, double p, double d, double mu) {
  const double delta = A * C - B * B;
  if (delta <= kZero * A * C) {
    const double DT = d - B * p / A;
    const double s = std::fabs(DT) <= kZero * (std::fabs(d) + std::fabs(B * p / A)) ? 0.0 : sign(DT);
    const double k = A + s * mu * B;
    if (!(k > kZero * A)) return {0, 0, static_cast<int>(s), false};
    const double IN = p / k;
    return {IN, s == 0 ? 0.0 : -s * mu * IN, static_cast<int>(s), true};
  }
  const ConeInterval cone = cone_interval(A, B, p, mu);
  const double stick = (B * p - A * d) / delta;
  if (stick < cone.lo) return {p / (A + mu * B), cone.lo, +1, true};
  if (stick > cone.hi) return {p / (A - mu * B), cone.hi, -1, true};
  return {(p + B * stick) / A, stick, 0, true};
}

// Brings x into [lo, hi] and tells where it came to lie: at the upper end the slip is negative, at the lower positive.
inline double within(double x, double lo, double hi, int& slip) {
  slip = x > hi ? -1 : x < lo ? +1 : 0;
  return std::clamp(x, lo, hi);
}

}  // namespace areia::impact
