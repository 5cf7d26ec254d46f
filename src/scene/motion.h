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
  AREIA_PORTABLE bool in_place() const { return q == Quat{1, 0, 0, 0} && shift == Vec3d{}; }
  AREIA_PORTABLE bool at_rest() const { return v == Vec3d{} && w == Vec3d{}; }
  AREIA_PORTABLE Vec3d to_world(const Vec3d& body) const { return rotate(q, body - center) + center + shift; }
  AREIA_PORTABLE Vec3d to_body(const Vec3d& world) const {
    return in_place() ? world : rotate(conjugate(q), world - center - shift) + center;
  }
  AREIA_PORTABLE Vec3d direction_to_world(const Vec3d& n) const { return in_place() ? n : rotate(q, n); }
  AREIA_PORTABLE Vec3d velocity_at(const Vec3d& world) const { return v + cross(w, world - center - shift); }
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

// The pose by one part of a motion.
inline Pose pose_of_part(const Motion& m, double t) {
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
    case Motion::Kind::formula: {
      const Vec3d axis = unit(m.axis);
      const Formula::Value x = m.shift[0].at(s), y = m.shift[1].at(s), z = m.shift[2].at(s), angle = m.angle.at(s);
      p.center = m.point;
      p.shift = Vec3d{x.value, y.value, z.value} -
                Vec3d{m.shift[0].at(0).value, m.shift[1].at(0).value, m.shift[2].at(0).value};
      const double turn = angle.value - m.angle.at(0).value;
      if (turn != 0) p.q = about_axis(axis, turn);
      if (runs) {
        p.v = {x.rate, y.rate, z.rate};
        p.w = angle.rate * axis;
      }
      break;
    }
  }
  return p;
}

// `next` carries what `first` has placed: x -> next(first(x)). The velocity of a point is that of `next` there and that
// which `first` gives it, turned. One that leaves everything in place leaves the other as it is, to the bit.
inline Pose composed(const Pose& first, const Pose& next) {
  if (first.in_place() && first.at_rest()) return next;
  Pose p = first;
  if (!next.in_place()) {
    p.q = renormalized(multiply(next.q, first.q));
    p.shift = next.to_world(first.center + first.shift) - first.center;
  }
  p.v = next.velocity_at(p.center + p.shift) + rotate(next.q, first.v);
  p.w = next.w + rotate(next.q, first.w);
  return p;
}

inline Pose pose_at(const Motion& m, double t) {
  Pose p = pose_of_part(m, t);
  for (const Motion& next : m.then) p = composed(p, pose_of_part(next, t));
  return p;
}

// The parts of a motion one by one, and a motion of such parts.
inline std::vector<Motion> parts_of(const Motion& m) {
  if (m.kind == Motion::Kind::fixed) return {};
  std::vector<Motion> parts{m};
  parts[0].then.clear();
  parts.insert(parts.end(), m.then.begin(), m.then.end());
  return parts;
}
inline Motion motion_of(const std::vector<Motion>& parts) {
  if (parts.empty()) return {};
  Motion m = parts[0];
  m.then.assign(parts.begin() + 1, parts.end());
  return m;
}

// Upper bound of the speed of any point within `reach` of the rotation axis, by one part. A formula is known by samples
// over the time `until`.
inline double top_speed_of_part(const Motion& m, double reach, double until) {
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
    case Motion::Kind::formula: {
      Vec3d v;
      for (int a = 0; a < 3; ++a) component(v, a) = bounds_of(m.shift[static_cast<std::size_t>(a)], until).fastest;
      return norm(v) + bounds_of(m.angle, until).fastest * reach;
    }
  }
  return 0;
}
// Whether it changes the orientation of the body.
inline bool turns(const Motion& m) {
  return m.kind == Motion::Kind::rotating || (m.kind == Motion::Kind::formula && m.angle.given()) ||
         (m.kind == Motion::Kind::table &&
          std::any_of(m.table.begin(), m.table.end(), [](const MotionRow& r) { return !(r.turn == Vec3d{}); })) ||
         std::any_of(m.then.begin(), m.then.end(), [](const Motion& next) { return turns(next); });
}

// The same of all parts. arm(point, axis) is how far points may be from a line along the axis of unit length, or, where
// that is zero, from the point.
template <class Arm>
double top_speed(const Motion& m, const Arm& arm, double until) {
  const auto of = [&](const Motion& part) {
    const bool any_axis = part.kind == Motion::Kind::table;
    return turns(part) || any_axis
               ? top_speed_of_part(part, arm(part.point, any_axis ? Vec3d{} : unit(part.axis)), until)
               : top_speed_of_part(part, 0, until);
  };
  double speed = of(m);
  for (const Motion& next : m.then) speed += of(next);
  return speed;
}

// How the surface of a wall moves in itself, at one instant and in space.
struct SurfaceMotion {
  bool on = false;
  Vec3d v, w, point;

  // A surface does not push: what of it points along the normal of the contact is left out.
  AREIA_PORTABLE Vec3d along(const Vec3d& place, const Vec3d& n) const {
    const Vec3d u = v + cross(w, place - point);
    return u - dot(u, n) * n;
  }
};

inline SurfaceMotion surface_at(const Surface& s, const Pose& pose, double t) {
  SurfaceMotion m;
  if (!s.moves() || t < s.when.start || t >= s.when.stop) return m;
  const double factor = value_at(s.factor, t - s.when.start);
  if (factor == 0) return m;
  m.on = true;
  m.v = pose.direction_to_world(factor * s.velocity);
  if (s.rate == 0) return m;
  m.w = pose.direction_to_world((factor * s.rate) * unit(s.axis));
  m.point = pose.in_place() ? s.point : pose.to_world(s.point);
  return m;
}

// Upper bound of the speed of the surface.
template <class Arm>
double top_speed(const Surface& s, const Arm& arm, double until) {
  if (!s.moves()) return 0;
  const double turning = s.rate != 0 ? std::fabs(s.rate) * arm(s.point, unit(s.axis)) : 0;
  return bounds_of(s.factor, until).size() * (norm(s.velocity) + turning);
}

}  // namespace areia
