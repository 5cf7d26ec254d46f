// How far an implicit step is from its fixed point. Theory manual, section 13.1; 000 (3.14)-(3.16) with erratum E13.
//
//   e_q = S|q^(K+1) - q^K| / S|q^(K+1) - q_n|   for q = x, v, w;   e_a = S|a^(K+1) - a^K| / S|a^(K+1)|
// S sums over the free particles; a is the turn of the step. Where hardly anything changes, the sum of the quantity
// itself takes the place of the denominator; where there is hardly any of it either, the plain numerator is left, and
// is compared with tol_abs.
#pragma once
#include <algorithm>
#include <cmath>

#include "areia/case.h"
#include "core/exact_sum.h"

namespace areia {

inline constexpr double kNothing = 1e-14;

struct SweepTerm {  // of one quantity: of a particle, or summed up
  double change;    // |q^(K+1) - q^K|
  double step;      // |q^(K+1) - q_n|; of the turn: |a^(K+1)|
  double size;      // |q^(K+1)|
};

struct SweepSum {  // of one quantity over all particles, in any order
  ExactSum change, step, size;

  SweepTerm value() const { return {change.value(), step.value(), size.value()}; }

  SweepSum& operator+=(const SweepTerm& b) {
    change += b.change;
    step += b.step;
    size += b.size;
    return *this;
  }
  SweepSum& operator+=(const SweepSum& b) {
    change += b.change;
    step += b.step;
    size += b.size;
    return *this;
  }
};

struct Sweep {
  SweepSum x, a, v, w;
  bool wild = false;   // a particle moved further than its radius, or a number is not finite
  bool lists = false;  // the new iterate has left what the neighbour lists cover

  Sweep& operator+=(const Sweep& b) {
    x += b.x;
    a += b.a;
    v += b.v;
    w += b.w;
    wild = wild || b.wild;
    lists = lists || b.lists;
    return *this;
  }
};

struct ErrorOf {
  double value = 0;
  bool plain = false;  // not divided by anything
};

inline ErrorOf relative_error(const SweepTerm& s) {
  if (s.size < kNothing) return {s.change, true};
  if (s.step < kNothing * s.size) return {s.change / s.size, false};
  return {s.change / s.step, false};
}

inline ErrorOf turn_error(const SweepTerm& s) {
  if (s.step < kNothing) return {s.change, true};
  return {s.change / s.step, false};
}

struct SweepErrors {
  ErrorOf x, a, v, w;
};

inline SweepErrors errors_of(const Sweep& s) {
  return {relative_error(s.x.value()), turn_error(s.a.value()), relative_error(s.v.value()),
          relative_error(s.w.value())};
}

// Calls f(error, tolerance, order) for each quantity that is tested. order: 2 for places and turns, 1 for velocities.
template <class F>
void for_each_tested(const SweepErrors& e, const Implicit& s, F&& f) {
  auto tolerance = [&](const ErrorOf& q, double relative) { return q.plain ? s.tol_abs : relative; };
  f(e.x, tolerance(e.x, s.tol_x), 2);
  f(e.a, tolerance(e.a, s.tol_a), 2);
  if (!s.test_velocities) return;
  f(e.v, tolerance(e.v, s.tol_v), 1);
  f(e.w, tolerance(e.w, s.tol_w), 1);
}

// The largest error over its tolerance: at most 1 when converged; NaN when an error is not a number.
inline double worst_ratio(const SweepErrors& e, const Implicit& s) {
  double worst = 0;
  for_each_tested(e, s, [&](const ErrorOf& q, double tolerance, int) {
    const double ratio = q.value == 0 ? 0 : q.value / tolerance;
    if (!(ratio <= worst) && !std::isnan(worst)) worst = ratio;
  });
  return worst;
}

inline bool converged(const SweepErrors& e, const Implicit& s) { return worst_ratio(e, s) <= 1; }

// Beyond max_error, or not a number: no use to go on. Plain errors have no scale and do not count.
inline bool diverged(const SweepErrors& e, const Implicit& s) {
  bool lost = false;
  for_each_tested(e, s, [&](const ErrorOf& q, double, int) {
    lost = lost || !std::isfinite(q.value) || (!q.plain && q.value > s.max_error);
  });
  return lost;
}

}  // namespace areia
