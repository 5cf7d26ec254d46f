// Closest points of cones, spheres, disks and rectangles; planes, boxes and cylinders are in wall_geometry.h. Each of
// these shapes is one patch and acts from both sides; its rim counts as part of it. Spec section 12.
//
// In front of its surface the distance is that to the surface itself (a signed height), not a difference of points, so
// that it keeps its digits however small it is.
#pragma once
#include <cmath>

#include "areia/case.h"

namespace areia {

struct WallPoint {
  bool found = false;
  double distance = 0;  // from centre to wall; negative behind a plane
  Vec3d n;              // unit, from the centre to the wall
};

// A centre exactly on the wall has no direction to it: a fixed one is used.
inline WallPoint towards(const Vec3d& d, const Vec3d& fallback) {
  const double distance = norm(d);
  return {true, distance, distance > 0 ? (1 / distance) * d : fallback};
}

// Any unit vector normal to the axis (of unit length).
inline Vec3d across(const Vec3d& axis) {
  return unit(std::fabs(axis.x) < 0.6 ? cross(axis, Vec3d{1, 0, 0}) : cross(axis, Vec3d{0, 1, 0}));
}

// A centre by its height along an axis and its distance from it, with the direction away from the axis.
struct AxialPlace {
  Vec3d axis, out;
  double along, rho;
};
inline AxialPlace axial_place(const Vec3d& origin, const Vec3d& unit_axis, const Vec3d& x) {
  const double along = dot(x - origin, unit_axis);
  const Vec3d radial = x - origin - along * unit_axis;
  const double rho = norm(radial);
  return {unit_axis, rho > 0 ? (1 / rho) * radial : across(unit_axis), along, rho};
}

inline int patch_count(const ConeShape&) { return 1; }
inline int patch_count(const SphereShape&) { return 1; }
inline int patch_count(const DiskShape&) { return 1; }
inline int patch_count(const RectangleShape&) { return 1; }
inline int patch_count(const MeshShape&) { return 0; }  // see triangle_mesh.h

// In the half plane of the axis and the centre the surface is the segment from (0, radius_from) to (L, radius_to).
inline WallPoint closest_point(const ConeShape& s, int /*patch*/, const Vec3d& x) {
  const Vec3d span = s.to - s.from;
  const double length = norm(span), widening = s.radius_to - s.radius_from;
  const AxialPlace p = axial_place(s.from, (1 / length) * span, x);
  const double slant2 = length * length + widening * widening;
  const double share = (p.along * length + (p.rho - s.radius_from) * widening) / slant2;  // along the segment, 0 to 1
  if (share > 0 && share < 1) {
    const double slant = std::sqrt(slant2);
    const double height = ((p.rho - s.radius_from) * length - p.along * widening) / slant;  // > 0 outside
    const Vec3d outward = (1 / slant) * (length * p.out - widening * p.axis);
    return {true, std::fabs(height), height <= 0 ? outward : -outward};
  }
  const bool at_from = share <= 0;
  const Vec3d rim = at_from ? s.from + s.radius_from * p.out : s.to + s.radius_to * p.out;
  return towards(rim - x, p.out);
}

inline WallPoint closest_point(const SphereShape& s, int /*patch*/, const Vec3d& x) {
  const Vec3d radial = x - s.center;
  const double rho = norm(radial), gap = s.radius - rho;
  const Vec3d out = rho > 0 ? (1 / rho) * radial : Vec3d{0, 0, 1};
  return {true, std::fabs(gap), gap >= 0 ? out : -out};
}

inline WallPoint closest_point(const DiskShape& s, int /*patch*/, const Vec3d& x) {
  const AxialPlace p = axial_place(s.center, unit(s.normal), x);
  if (p.rho >= s.hole && p.rho <= s.radius) return {true, std::fabs(p.along), p.along >= 0 ? -p.axis : p.axis};
  const double rim = p.rho < s.hole ? s.hole : s.radius;
  return towards(s.center + rim * p.out - x, p.out);
}

inline WallPoint closest_point(const RectangleShape& s, int /*patch*/, const Vec3d& x) {
  const Vec3d d = x - s.corner;
  const double a2 = norm2(s.edge_a), b2 = norm2(s.edge_b);
  const double a = dot(d, s.edge_a) / a2, b = dot(d, s.edge_b) / b2;  // 0 to 1 over the rectangle
  const Vec3d normal = unit(cross(s.edge_a, s.edge_b));
  if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
    const double height = dot(d, normal);
    return {true, std::fabs(height), height >= 0 ? -normal : normal};
  }
  const double on_a = std::fmin(std::fmax(a, 0.0), 1.0), on_b = std::fmin(std::fmax(b, 0.0), 1.0);
  return towards(s.corner + on_a * s.edge_a + on_b * s.edge_b - x, normal);
}

inline WallPoint closest_point(const MeshShape&, int, const Vec3d&) { return {}; }

// These are one patch each: no neighbour takes an edge over, so the distance itself is the bound.
inline double patch_distance(const ConeShape& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}
inline double patch_distance(const SphereShape& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}
inline double patch_distance(const DiskShape& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}
inline double patch_distance(const RectangleShape& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}
inline double patch_distance(const MeshShape&, int, const Vec3d&) { return kForever; }

// True if both axes are one line, to rounding.
inline bool is_same_line(const Vec3d& a, const Vec3d& axis_a, const Vec3d& b, const Vec3d& axis_b, double scale) {
  const Vec3d direction = unit(axis_b);
  return norm(cross(unit(axis_a), direction)) < 1e-12 && norm(cross(a - b, direction)) < 1e-12 * scale;
}
inline bool is_symmetric_about(const ConeShape& s, const Vec3d& point, const Vec3d& axis) {
  const Vec3d span = s.to - s.from;
  return is_same_line(s.from, span, point, axis, norm(span) + s.radius_from + s.radius_to);
}
inline bool is_symmetric_about(const SphereShape& s, const Vec3d& point, const Vec3d& axis) {
  return norm(cross(s.center - point, unit(axis))) < 1e-12 * s.radius;
}
inline bool is_symmetric_about(const DiskShape& s, const Vec3d& point, const Vec3d& axis) {
  return is_same_line(s.center, s.normal, point, axis, s.radius);
}
inline bool is_symmetric_about(const RectangleShape&, const Vec3d&, const Vec3d&) { return false; }
inline bool is_symmetric_about(const MeshShape&, const Vec3d&, const Vec3d&) { return false; }

}  // namespace areia
