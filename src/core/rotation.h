// Rotations: unit quaternions for orientations, Rodrigues vectors for the increment of a step. Theory manual, 2.1.
//
// sin and cos here are our own polynomials, because those of the C library choose their code by CPU and may differ
// in the last bit from machine to machine; a run must give the same bits everywhere.
#pragma once
#include <cmath>

#include "areia/frame.h"
#include "areia/vec3.h"

namespace areia {

struct SinCos {
  double sin, cos;
};

// sin(h)/h and cos(h) as Taylor series in y = h^2, for |h| <= pi/4: the first neglected terms are below 1e-16 of the
// value. Written with reciprocals (1/3!, 1/5!, ...) so that no division is left at run time.
AREIA_PORTABLE inline double sin_over(double y) {
  return 1 - y * (1.0 / 6) *
                 (1 - y * (1.0 / 20) *
                          (1 - y * (1.0 / 42) *
                                   (1 - y * (1.0 / 72) *
                                            (1 - y * (1.0 / 110) * (1 - y * (1.0 / 156) * (1 - y * (1.0 / 210)))))));
}
AREIA_PORTABLE inline double cos_of_square(double y) {
  return 1 -
         y * (1.0 / 2) *
             (1 -
              y * (1.0 / 12) *
                  (1 - y * (1.0 / 30) *
                           (1 - y * (1.0 / 56) *
                                    (1 - y * (1.0 / 90) *
                                             (1 - y * (1.0 / 132) * (1 - y * (1.0 / 182) * (1 - y * (1.0 / 240))))))));
}
// The same for the turn of one step, mostly far below a degree: for y < 1e-3 the neglected terms are below 3e-18.
inline constexpr double kLittleSquare = 1e-3;
template <class T>
AREIA_PORTABLE T sin_over_little(T y) {
  return 1 - y * (1.0 / 6) * (1 - y * (1.0 / 20) * (1 - y * (1.0 / 42)));
}
template <class T>
AREIA_PORTABLE T cos_of_little_square(T y) {
  return 1 - y * (1.0 / 2) * (1 - y * (1.0 / 12) * (1 - y * (1.0 / 30) * (1 - y * (1.0 / 56))));
}
AREIA_PORTABLE inline SinCos small_sin_cos(double x) { return {x * sin_over(x * x), cos_of_square(x * x)}; }

// Any angle: subtract the nearest multiple of pi/2 (in two parts, exact products for |x| < 1e6), then by quadrant.
AREIA_PORTABLE inline SinCos sin_cos(double x) {
  constexpr double kHalfPiHigh = 1.5707963267341256;     // 33 leading bits of pi/2
  constexpr double kHalfPiLow = 6.0771005065061922e-11;  // the rest
  const double k = std::floor(x * 0.63661977236758138 + 0.5);
  const SinCos a = small_sin_cos((x - k * kHalfPiHigh) - k * kHalfPiLow);
  switch (static_cast<long long>(k) & 3) {
    case 0:
      return a;
    case 1:
      return {a.cos, -a.sin};
    case 2:
      return {-a.sin, -a.cos};
    default:
      return {-a.cos, a.sin};
  }
}

// q2 after q1 (Hamilton product).
template <class T>
AREIA_PORTABLE std::array<T, 4> multiply(const std::array<T, 4>& b, const std::array<T, 4>& a) {
  return {b[0] * a[0] - b[1] * a[1] - b[2] * a[2] - b[3] * a[3], b[0] * a[1] + b[1] * a[0] + b[2] * a[3] - b[3] * a[2],
          b[0] * a[2] - b[1] * a[3] + b[2] * a[0] + b[3] * a[1], b[0] * a[3] + b[1] * a[2] - b[2] * a[1] + b[3] * a[0]};
}

AREIA_PORTABLE inline Quat normalized(const Quat& q) {
  const double s = 1 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {s * q[0], s * q[1], s * q[2], s * q[3]};
}

// A quaternion that is off unit length by rounding only, brought back: one Newton step of 1/sqrt(|q|^2) from 1. What
// remains is of the order of the square of the error.
template <class T>
AREIA_PORTABLE std::array<T, 4> renormalized(const std::array<T, 4>& q) {
  const T s = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {s * q[0], s * q[1], s * q[2], s * q[3]};
}

AREIA_PORTABLE inline Quat conjugate(const Quat& q) { return {q[0], -q[1], -q[2], -q[3]}; }

AREIA_PORTABLE inline Vec3d rotate(const Quat& q, const Vec3d& u) {
  const Vec3d a{q[1], q[2], q[3]};
  const Vec3d b = 2.0 * cross(a, u);
  return u + q[0] * b + cross(a, b);
}

AREIA_PORTABLE inline Quat about_axis(const Vec3d& unit_axis, double angle) {
  const SinCos h = sin_cos(angle / 2);
  return {h.cos, h.sin * unit_axis.x, h.sin * unit_axis.y, h.sin * unit_axis.z};
}

// The turn of one step from a Rodrigues vector alpha = 2 tan(theta/2) e: quaternion (1, alpha/2)/sqrt(1+|alpha|^2/4).
AREIA_PORTABLE inline Quat from_rodrigues(const Vec3d& alpha) {
  return normalized({1, 0.5 * alpha.x, 0.5 * alpha.y, 0.5 * alpha.z});
}

// Composition Q2 Q1 of Rodrigues vectors, rotation 1 first. 000 (2.12).
AREIA_PORTABLE inline Vec3d compose_rodrigues(const Vec3d& a2, const Vec3d& a1) {
  return (4 / (4 - dot(a1, a2))) * (a1 + a2 - 0.5 * cross(a1, a2));
}

// h^2 of the turn by 2h = |w| dt.
template <class T>
AREIA_PORTABLE T square_of_half_turn(const Vec3<T>& w, const T& dt) {
  return 0.25 * dt * dt * norm2(w);
}

// The exact turn below where h^2 = y is little. Over several numbers side by side, too.
template <class T>
AREIA_PORTABLE std::array<T, 4> turned_a_little(const std::array<T, 4>& q, const Vec3<T>& w, const T& dt, const T& y) {
  const T s = 0.5 * dt * sin_over_little(y);
  return renormalized(multiply(std::array<T, 4>{cos_of_little_square(y), s * w.x, s * w.y, s * w.z}, q));
}

// Orientation after turning with mean angular velocity w over dt. `exact`: by |w| dt (the default); otherwise
// alpha = w dt, which turns by 2 atan(|w| dt/2) (000 (3.6)). Needs |w| dt < pi/2.
AREIA_PORTABLE inline Quat turned(const Quat& q, const Vec3d& w, double dt, bool exact) {
  if (!exact) return renormalized(multiply(from_rodrigues(dt * w), q));
  // (cos h, sin h e) with h = |w| dt/2; sin(h)/h is a series in h^2, so no square root and no division by |w|.
  const double y = square_of_half_turn(w, dt);
  if (y < kLittleSquare) return turned_a_little(q, w, dt, y);
  const double s = 0.5 * dt * sin_over(y);
  return renormalized(multiply(Quat{cos_of_square(y), s * w.x, s * w.y, s * w.z}, q));
}

// Rotation vector theta e, |theta| <= pi, of an orientation (for output).
inline Vec3d rotation_vector(const Quat& q) {
  const Vec3d a{q[1], q[2], q[3]};
  const double s = norm(a);
  if (s == 0) return {};
  const double theta = 2 * std::atan2(s, std::fabs(q[0]));
  return ((q[0] < 0 ? -theta : theta) / s) * a;
}

}  // namespace areia
