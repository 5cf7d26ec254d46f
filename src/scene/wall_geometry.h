// Closest point of a wall's patch to a sphere's centre. Spec section 12: one physical contact per feature.
//
// A wall is a set of patches (plane: 1; box: 6 faces; cylinder: lateral surface and two caps; wall_shapes.h: 1). Finite
// patches act from both sides. Where two patches share an edge, the edge belongs to one of them, so that no contact
// counts twice: a patch whose closest point is on a shared edge gives it up if the neighbour holds the foot of the
// centre inside its own face, or if the neighbour has the lower number.
#pragma once
#include <array>
#include <cmath>
#include <variant>

#include "areia/case.h"
#include "scene/wall_shapes.h"

namespace areia {

inline int patch_count(const PlaneShape&) { return 1; }
inline int patch_count(const BoxShape&) { return 6; }
inline int patch_count(const CylinderShape&) { return 3; }

inline double& component(Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
inline double component(const Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// True if a centre is outside of a bounded domain; periodic axes have no outside.
inline bool is_outside(const Domain& d, const Vec3d& x) {
  for (int a = 0; a < 3; ++a)
    if (!d.periodic[a] && !(component(x, a) >= component(d.box.min, a) && component(x, a) <= component(d.box.max, a)))
      return true;
  return false;
}

inline WallPoint closest_point(const PlaneShape& s, int /*patch*/, const Vec3d& x) {
  return {true, dot(x - s.point, s.normal), -s.normal};  // the normal is kept at unit length
}

inline WallPoint closest_point(const BoxShape& s, int face, const Vec3d& x) {
  if (s.open[face]) return {};
  const int axis = face / 2;
  if (x.x >= s.min.x && x.x <= s.max.x && x.y >= s.min.y && x.y <= s.max.y && x.z >= s.min.z && x.z <= s.max.z)
      [[likely]] {
    const double at = component(x, axis);
    WallPoint inside{true, face % 2 ? component(s.max, axis) - at : at - component(s.min, axis), {}};
    component(inside.n, axis) = face % 2 ? 1 : -1;
    return inside;
  }
  Vec3d foot = x;
  component(foot, axis) = component(face % 2 ? s.max : s.min, axis);
  for (int t = 0; t < 3; ++t) {
    if (t == axis) continue;
    const double lo = component(s.min, t), hi = component(s.max, t), at = component(x, t);
    if (at >= lo && at <= hi) continue;
    const int neighbour = 2 * t + (at > hi);
    if (!s.open[neighbour]) {
      bool inside_neighbour = true;
      for (int u = 0; u < 3; ++u)
        if (u != t && (component(x, u) < component(s.min, u) || component(x, u) > component(s.max, u)))
          inside_neighbour = false;
      if (inside_neighbour || neighbour < face) return {};
    }
    component(foot, t) = at < lo ? lo : hi;
  }
  Vec3d inward;
  component(inward, axis) = face % 2 ? 1 : -1;
  return towards(foot - x, inward);
}

// Patches: 0 lateral surface, 1 cap at `from`, 2 cap at `to`.
inline WallPoint closest_point(const CylinderShape& s, int patch, const Vec3d& x) {
  const Vec3d span = s.to - s.from;
  const double length = norm(span);
  const Vec3d axis = (1 / length) * span;
  const double along = dot(x - s.from, axis);
  const Vec3d radial = x - s.from - along * axis;
  const double rho = norm(radial);
  if (patch == 0) {
    const bool beyond_from = along<0, beyond_to = along> length;
    const bool capped = (beyond_from && s.cap_from) || (beyond_to && s.cap_to);
    if (capped && rho <= s.radius) return {};
    // on the axis every direction is as good: any one normal to it
    const Vec3d any = std::fabs(axis.x) < 0.6 ? cross(axis, Vec3d{1, 0, 0}) : cross(axis, Vec3d{0, 1, 0});
    const Vec3d out = rho > 0 ? (1 / rho) * radial : unit(any);
    const double clamped = beyond_from ? 0 : beyond_to ? length : along;
    if (clamped == along) {
      const double gap = s.radius - rho;
      return {true, std::fabs(gap), gap >= 0 ? out : -out};
    }
    return towards(s.from + clamped * axis + s.radius * out - x, out);
  }
  const bool at_from = patch == 1;
  if (!(at_from ? s.cap_from : s.cap_to) || rho > s.radius) return {};
  const double height = at_from ? along : along - length;  // signed, along the axis
  return {true, std::fabs(height), height >= 0 ? -axis : axis};
}

// The nearest point of a whole wall, in the wall's own frame.
inline WallPoint nearest_point(const WallShape& shape, const Vec3d& x) {
  return std::visit(
      [&](const auto& s) {
        WallPoint best;
        for (int patch = 0; patch < patch_count(s); ++patch) {
          const WallPoint at = closest_point(s, patch, x);
          if (at.found && (!best.found || at.distance < best.distance)) best = at;
        }
        return best;
      },
      shape);
}

// A lower bound of the distance of a centre to a patch, edges included, for neighbour lists.
inline double patch_distance(const PlaneShape& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}
inline double patch_distance(const BoxShape& s, int face, const Vec3d& x) {
  if (s.open[face]) return kForever;
  Vec3d foot = x;
  for (int a = 0; a < 3; ++a)
    component(foot, a) = a == face / 2
                             ? component(face % 2 ? s.max : s.min, a)
                             : std::fmin(std::fmax(component(x, a), component(s.min, a)), component(s.max, a));
  return norm(foot - x);
}
// Further than `reach` from every face.
inline bool is_deep_inside(const BoxShape& s, const Vec3d& x, double reach) {
  return x.x - s.min.x > reach && s.max.x - x.x > reach && x.y - s.min.y > reach && s.max.y - x.y > reach &&
         x.z - s.min.z > reach && s.max.z - x.z > reach;
}
inline double patch_distance(const CylinderShape& s, int patch, const Vec3d& x) {
  const Vec3d axis = unit(s.to - s.from);
  const double length = norm(s.to - s.from), along = dot(x - s.from, axis);
  const double rho = norm(x - s.from - along * axis);
  if (patch == 0) return std::hypot(rho - s.radius, along - std::fmin(std::fmax(along, 0.0), length));
  if (!(patch == 1 ? s.cap_from : s.cap_to)) return kForever;
  return std::hypot(patch == 1 ? along : along - length, std::fmax(rho - s.radius, 0.0));
}

// True if turning the wall about this axis leaves the surface where it is (then only its velocity matters).
inline bool is_symmetric_about(const CylinderShape& s, const Vec3d& point, const Vec3d& axis) {
  const Vec3d own = unit(s.to - s.from), other = unit(axis);
  const Vec3d offset = s.from - point;
  const double scale = s.radius + norm(s.to - s.from);
  return norm(cross(own, other)) < 1e-12 && norm(cross(offset, other)) < 1e-12 * scale;
}
inline bool is_symmetric_about(const PlaneShape& s, const Vec3d&, const Vec3d& axis) {
  return norm(cross(s.normal, unit(axis))) < 1e-12;
}
inline bool is_symmetric_about(const BoxShape&, const Vec3d&, const Vec3d&) { return false; }

}  // namespace areia
