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

  // Its frame is that of the world, and its points are where they were placed, to the bit.
  bool in_place() const { return q == Quat{1, 0, 0, 0} && shift == Vec3d{}; }
  bool at_rest() const { return v == Vec3d{} && w == Vec3d{}; }
  Vec3d to_world(const Vec3d& body) const { return rotate(q, body - center) + center + shift; }
  Vec3d to_body(const Vec3d& world) const {
    return in_place() ? world : rotate(conjugate(q), world - center - shift) + center;
  }
  Vec3d direction_to_world(const Vec3d& n) const { return in_place() ? n : rotate(q, n); }
  Vec3d velocity_at(const Vec3d& world) const { return v + cross(w, world - center - shift); }
};

// Time that the motion has been running at time t, held before `start` and after `stop`.
inline double running_time(const Motion& m, double t) {
  return t <= m.start ? 0 : std::max(0.0, std::min(t, m.stop) - m.start);
}

// Rate of the table at line k, in m/s or rad/s: over the neighbouring lines; at the ends over one interval.
inline Vec3d table_rate(const std::vector<MotionRow>& rows, std::size_t k, Vec3d MotionRow::*part) {
  const MotionRow &a = rows[k > 0 ? k - 1 : k], &b = rows[k + 1 < rows.size() ? k + 1 : k];
  return (1 / (b.time - a.time)) * (b.*part - a.*part);
}

// A place of the table and its rate at running time s: cubic Hermite between the lines, so that the velocity is
// continuous, and the rate is the derivative of the place. Before the first and after the last line it stands still.
struct TableValue {
  Vec3d value, rate;
};
inline TableValue table_value(const std::vector<MotionRow>& rows, double s, Vec3d MotionRow::*part) {
  if (rows.empty()) return {};
  if (rows.size() == 1 || s <= rows.front().time)
    return {rows.front().*part, rows.size() > 1 && s == rows.front().time ? table_rate(rows, 0, part) : Vec3d{}};
  if (s >= rows.back().time) return {rows.back().*part, {}};
  std::size_t low = 0, high = rows.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (rows[middle].time <= s ? low : high) = middle;
  }
  const MotionRow &a = rows[low], &b = rows[high];
  const double h = b.time - a.time, u = (s - a.time) / h;
  const Vec3d ra = table_rate(rows, low, part), rb = table_rate(rows, high, part);
  const Vec3d step = b.*part - a.*part;
  // a + h u ra + u^2 (3 step - h (2 ra + rb)) + u^3 (h (ra + rb) - 2 step)
  const Vec3d square = 3.0 * step - h * (2.0 * ra + rb), cube = h * (ra + rb) - 2.0 * step;
  return {a.*part + (h * u) * ra + (u * u) * square + (u * u * u) * cube,
          ra + (2 * u / h) * square + (3 * u * u / h) * cube};
}

// Angular velocity of a turn by the rotation vector a that changes at the rate b (the derivative of the rotation, in
// space): w = b + (1 - cos t)/t^2 a x b + (t - sin t)/t^3 a x (a x b), t = |a|.
inline Vec3d spin_of(const Vec3d& a, const Vec3d& b) {
  const double t2 = norm2(a), t = std::sqrt(t2);
  double c1 = 0.5 - t2 / 24, c2 = 1.0 / 6 - t2 / 120;  // series, for small angles
  if (t > 1e-3) {
    const SinCos sc = sin_cos(t);
    c1 = (1 - sc.cos) / t2;
    c2 = (t - sc.sin) / (t2 * t);
  }
  const Vec3d ab = cross(a, b);
  return b + c1 * ab + c2 * cross(a, ab);
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
    case Motion::Kind::table: {
      const TableValue shift = table_value(m.table, s, &MotionRow::shift);
      const TableValue turn = table_value(m.table, s, &MotionRow::turn);
      p.center = m.point;
      p.shift = shift.value;
      const double angle = norm(turn.value);
      if (angle > 0) p.q = about_axis((1 / angle) * turn.value, angle);
      if (runs) {
        p.v = shift.rate;
        p.w = spin_of(turn.value, turn.rate);
      }
      break;
    }
  }
  return p;
}

// The pose p of a body that had the pose b before: x -> p(b(x)). With either of them in place the other stays as it is.
inline Pose after(const Pose& p, const Pose& b) {
  if (b.in_place()) return p;
  Pose both;
  both.q = p.in_place() ? b.q : multiply(p.q, b.q);
  both.center = b.center;
  both.shift = p.in_place() ? b.shift : p.to_world(b.center + b.shift) - b.center;
  both.v = p.velocity_at(both.center + both.shift);
  both.w = p.w;
  return both;
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
    case Motion::Kind::table: {
      // the derivative of a cubic lies within that of its control points; |w| <= the rate of the rotation vector
      double fastest = 0;
      for (std::size_t k = 0; k + 1 < m.table.size(); ++k) {
        const double h = m.table[k + 1].time - m.table[k].time;
        const auto most = [&](Vec3d MotionRow::*part) {
          const Vec3d a = table_rate(m.table, k, part), b = table_rate(m.table, k + 1, part);
          const Vec3d middle = (3 / h) * (m.table[k + 1].*part - m.table[k].*part) - a - b;
          return std::max({norm(a), norm(b), norm(middle)});
        };
        fastest = std::max(fastest, most(&MotionRow::shift) + most(&MotionRow::turn) * reach);
      }
      return fastest;
    }
  }
  return 0;
}

// Whether it changes the orientation of the body.
inline bool turns(const Motion& m) {
  return m.kind == Motion::Kind::rotating ||
         (m.kind == Motion::Kind::table &&
          std::any_of(m.table.begin(), m.table.end(), [](const MotionRow& r) { return !(r.turn == Vec3d{}); }));
}

}  // namespace areia
