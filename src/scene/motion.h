// Where a wall or a set of prescribed particles is at a time: a rigid displacement of its first placement.
#pragma once
#include <algorithm>

#include "areia/case.h"
#include "core/rotation.h"

namespace areia {

// x -> rotate(q, x - center) + center + shift, with velocity v + w x (x - center - shift).
struct Pose {
  Quat q{1, 0, 0, 0};
  Vec3d center, shift;
  Vec3d v, w;

  Vec3d to_world(const Vec3d& body) const { return rotate(q, body - center) + center + shift; }
  Vec3d to_body(const Vec3d& world) const { return rotate(conjugate(q), world - center - shift) + center; }
  Vec3d velocity_at(const Vec3d& world) const { return v + cross(w, world - center - shift); }
};

// Time that the motion has been running at time t, held before `start` and after `stop`.
inline double running_time(const Motion& m, double t) {
  return t <= m.start ? 0 : std::max(0.0, std::min(t, m.stop) - m.start);
}

inline Pose pose_at(const Motion& m, double t) {
  Pose p;
  const double s = running_time(m, t);
  const bool runs = t >= m.start && t < m.stop;
  switch (m.kind) {
    case Motion::Kind::fixed:
      break;
    case Motion::Kind::constant:
      p.shift = s * m.velocity;
      if (runs) p.v = m.velocity;
      break;
    case Motion::Kind::oscillating: {
      // displacement A (sin(omega s + phase) - sin(phase)): starts where the body was placed
      const SinCos a = sin_cos(m.omega * s + m.phase), b = sin_cos(m.phase);
      p.shift = (a.sin - b.sin) * m.amplitude;
      if (runs) p.v = (m.omega * a.cos) * m.amplitude;
      break;
    }
    case Motion::Kind::rotating: {
      p.center = m.point;
      const Vec3d axis = unit(m.axis);
      p.q = about_axis(axis, m.omega * s);
      if (runs) p.w = m.omega * axis;
      break;
    }
  }
  return p;
}

// Upper bound of the speed of any point within `reach` of the rotation axis.
inline double top_speed(const Motion& m, double reach) {
  switch (m.kind) {
    case Motion::Kind::fixed:
      return 0;
    case Motion::Kind::constant:
      return norm(m.velocity);
    case Motion::Kind::oscillating:
      return std::fabs(m.omega) * norm(m.amplitude);
    case Motion::Kind::rotating:
      return std::fabs(m.omega) * reach;
  }
  return 0;
}

}  // namespace areia
