// Free flight under uniform gravity, and when it ends: pure functions.
//
// All spheres fall alike, x(t) = x + v t + g t^2/2, so g drops out of their differences: two spheres meet on straight
// relative paths. Against planes and cell faces the path is a parabola. Every root is written without cancellation:
// for D + u t + a t^2/2 = 0 with u < 0, t = 2 D/(-u + sqrt(u^2 - 2 a D)).
//
// Round-off leaves bodies that have just touched with a gap of either sign, of the order of 1e-16 of their coordinates.
// A gap below zero counts as zero, so approaching bodies that overlap by round-off collide at once, parting ones never.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "areia/vec3.h"

namespace areia::events {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

// One cache line: a particle in flight since time t.
struct alignas(64) Flight {
  Vec3d x, v;  // at time t
  double t = 0;
  double radius = 0;
};

inline void fly(Flight& f, const Vec3d& g, double t) {
  const double dt = t - f.t;
  f.x += dt * (f.v + (0.5 * dt) * g);
  f.v += dt * g;
  f.t = t;
}

// Time until two spheres touch: centres apart by dx (j - i), relative velocity dv, sum of radii s.
// |dx + dv t| = s  <=>  dv^2 t^2 + 2 b t + c = 0, b = dx . dv, c = dx^2 - s^2; they approach where b < 0.
inline double time_to_touch(const Vec3d& dx, const Vec3d& dv, double s) {
  const double b = dot(dx, dv);
  if (!(b < 0)) return kNever;
  const double c = norm2(dx) - s * s;
  if (c <= 0) return 0;
  const double d = b * b - norm2(dv) * c;
  if (!(d > 0)) return kNever;
  return c / (std::sqrt(d) - b);
}

// Time until a gap D with rate u and acceleration a closes.
inline double time_to_close(double gap, double u, double a) {
  const double d = std::max(gap, 0.0);
  if (a == 0) return u < 0 ? d / -u : kNever;
  if (a > 0) {  // pushed away: closes only if it is fast enough
    const double q = u * u - 2 * a * d;
    return u < 0 && q > 0 ? 2 * d / (-u + std::sqrt(q)) : kNever;
  }
  const double root = std::sqrt(u * u - 2 * a * d);
  if (u > 0) return (u + root) / -a;
  return d > 0 ? 2 * d / (-u + root) : 0;
}

// Time until a coordinate leaves [0, edge], and whether it does so above.
struct Leave {
  double time = kNever;
  bool above = false;
};
inline Leave time_to_leave(double s, double edge, double u, double a) {
  if (a == 0) {  // the same without a branch: signs of velocities cannot be foreseen
    const bool up = u > 0;
    const double t = ((up ? edge : 0.0) - s) / u;
    return {u == 0 ? kNever : t > 0 ? t : 0.0, up};
  }
  const double below = time_to_close(s, u, a), above = time_to_close(edge - s, -u, -a);
  return below < above ? Leave{below, false} : Leave{above, true};
}

}  // namespace areia::events
