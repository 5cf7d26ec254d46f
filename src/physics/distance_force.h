// Attraction and repulsion at a distance. Theory, section 5; 000 (2.44) to (2.48).
//
//   f = k_at d^-a_at - k_rep d^-a_rep   along n from i to j, on i: positive attracts; zero for d >= cutoff
//   lennard_jones  V = 4 eps ((s/d)^12 - (s/d)^6): k_at = 24 eps s^6, a_at = 7, k_rep = 48 eps s^12, a_rep = 13
//   coulomb        f = -q_i q_j / (4 pi eps d^2): k_rep = 1/(4 pi eps) times both charges, a_rep = 2
//   shift          f(cutoff) is subtracted
// Energy U with dU/dd = f; U(cutoff) = 0, without cut-off U(infinity) = 0 where that exists and U(1 m) = 0 otherwise.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

#include "areia/case.h"
#include "core/elementary.h"

namespace areia {

struct DistanceLaw {
  double k_at = 0, a_at = 0, k_rep = 0, a_rep = 0;
  double cutoff = kForever;
  double shift = 0;      // force at the cut-off, subtracted
  double zero = 0;       // integral of the force where the energy is zero
  bool charges = false;  // multiplied by both charges
};

inline constexpr double kLargestIntegerExponent = 64;

AREIA_PORTABLE inline bool is_small_integer(double a) {
  return a >= 0 && a <= kLargestIntegerExponent && a == std::floor(a);
}

// x^n by repeated squaring: the same bits everywhere.
AREIA_PORTABLE inline double integer_power(double x, int n) {
  double result = 1;
  for (; n > 0; n >>= 1) {
    if (n & 1) result *= x;
    x *= x;
  }
  return result;
}

// inverse^a for inverse = 1/d.
AREIA_PORTABLE inline double inverse_power(double inverse, double a) {
  return is_small_integer(a) ? integer_power(inverse, static_cast<int>(a)) : power_of(inverse, a);
}

// 1/sqrt(a) for a in the range of float: a start in single precision, then one step of third order, which leaves an
// error of rounding only. Cheaper than a square root and a division in double precision, and as reproducible.
AREIA_PORTABLE inline double inverse_root(double a) {
  const double y = 1.0f / std::sqrt(static_cast<float>(a)), h = a * y * y;
  return y * (1.875 - h * (1.25 - 0.375 * h));
}

// inverse^(a + 1).
AREIA_PORTABLE inline double next_inverse_power(double inverse, double a) {
  return is_small_integer(a) ? integer_power(inverse, static_cast<int>(a) + 1) : inverse * power_of(inverse, a);
}

namespace detail {
AREIA_PORTABLE inline double unshifted_force(const DistanceLaw& l, double d) {
  const double inverse = 1 / d;
  return l.k_at * inverse_power(inverse, l.a_at) - l.k_rep * inverse_power(inverse, l.a_rep);
}
// Integral of d^-a.
AREIA_PORTABLE inline double primitive(double a, double d) {
  if (a == 1) return log_of(d);
  return (a > 1 && is_small_integer(a) ? integer_power(1 / d, static_cast<int>(a) - 1) : power_of(d, 1 - a)) / (1 - a);
}
AREIA_PORTABLE inline double integral(const DistanceLaw& l, double d) {
  double sum = 0;
  if (l.k_at != 0) sum += l.k_at * primitive(l.a_at, d);
  if (l.k_rep != 0) sum -= l.k_rep * primitive(l.a_rep, d);
  return sum;
}
}  // namespace detail

inline DistanceLaw make_distance_law(const DistanceForce& f) {
  DistanceLaw l;
  l.cutoff = f.cutoff;
  switch (f.law) {
    case DistanceForce::Law::power:
      l.k_at = f.k_at;
      l.a_at = f.a_at;
      l.k_rep = f.k_rep;
      l.a_rep = f.a_rep;
      break;
    case DistanceForce::Law::lennard_jones: {
      const double s6 = integer_power(f.size, 6);
      l.k_at = 24 * f.depth * s6;
      l.a_at = 7;
      l.k_rep = 48 * f.depth * s6 * s6;
      l.a_rep = 13;
      break;
    }
    case DistanceForce::Law::coulomb:
      l.k_rep = 1 / (4 * std::numbers::pi * f.permittivity);
      l.a_rep = 2;
      l.charges = true;
      break;
  }
  if (f.shift && f.cutoff < kForever) l.shift = detail::unshifted_force(l, f.cutoff);
  if (f.cutoff < kForever) {
    l.zero = detail::integral(l, f.cutoff);
  } else {
    if (l.k_at != 0 && l.a_at <= 1) l.zero += l.k_at * detail::primitive(l.a_at, 1);
    if (l.k_rep != 0 && l.a_rep <= 1) l.zero -= l.k_rep * detail::primitive(l.a_rep, 1);
  }
  return l;
}

// Force on i along n; times the product of the charges for Coulomb's law.
AREIA_PORTABLE inline double distance_force(const DistanceLaw& l, double d) {
  return d > 0 && d < l.cutoff ? detail::unshifted_force(l, d) - l.shift : 0;
}

// f/d of two particles from the square of their distance: times x_j - x_i it is the force on i, exactly the opposite of
// that on j. `factors` is the product of the charges, or 1. Coincident centres feel nothing.
AREIA_PORTABLE inline double distance_force_over_d(const DistanceLaw& l, double d2, double factors) {
  if (!(d2 > 0 && d2 < l.cutoff * l.cutoff)) return 0;
  const double inverse = inverse_root(d2);
  double scale = -l.shift * inverse;
  if (l.k_at != 0) scale += l.k_at * next_inverse_power(inverse, l.a_at);
  if (l.k_rep != 0) scale -= l.k_rep * next_inverse_power(inverse, l.a_rep);
  return scale * factors;
}

AREIA_PORTABLE inline double distance_energy(const DistanceLaw& l, double d) {
  if (!(d > 0 && d < l.cutoff)) return 0;
  const double u = detail::integral(l, d) - l.zero;
  return l.shift != 0 ? u + l.shift * (l.cutoff - d) : u;
}

// df/dd; theory manual, section 13 takes its size for the period of small oscillations.
inline double distance_stiffness(const DistanceLaw& l, double d) {
  const double inverse = 1 / d;
  return inverse *
         (l.a_rep * l.k_rep * inverse_power(inverse, l.a_rep) - l.a_at * l.k_at * inverse_power(inverse, l.a_at));
}

// Where attraction and repulsion cancel, and where the energy stops being convex; 0 unless repulsion wins close by.
inline double equilibrium_distance(const DistanceLaw& l) {
  if (!(l.k_at > 0 && l.k_rep > 0 && l.a_rep > l.a_at)) return 0;
  return std::pow(l.k_rep / l.k_at, 1 / (l.a_rep - l.a_at));
}
inline double critical_distance(const DistanceLaw& l) {
  if (!(l.k_at > 0 && l.k_rep > 0 && l.a_rep > l.a_at && l.a_at > 0)) return 0;
  return std::pow(l.a_rep * l.k_rep / (l.a_at * l.k_at), 1 / (l.a_rep - l.a_at));
}

}  // namespace areia
