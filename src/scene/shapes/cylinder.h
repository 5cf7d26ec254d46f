// The lateral surface of a cylinder, with caps if asked for. Patches: 0 lateral surface, 1 cap at `from`, 2 cap at
// `to`.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline AxialPlace axial_place(const CylinderShape& s, const Vec3d& x) {
  return axial_place(s.from, unit(s.to - s.from), x);
}

AREIA_PORTABLE inline WallPoint closest_point(const CylinderShape& s, int patch, const Vec3d& x) {
  const double length = norm(s.to - s.from);
  const AxialPlace p = axial_place(s, x);
  if (patch == 0) {
    if (p.along >= 0 && p.along <= length) {
      const double gap = s.radius - p.rho;
      return {true, std::fabs(gap), gap >= 0 ? p.out : -p.out};
    }
    return towards((p.along < 0 ? s.from : s.to) + s.radius * p.out - x, p.out);
  }
  const bool at_from = patch == 1;
  if (!(at_from ? s.cap_from : s.cap_to)) return {};
  const double height = at_from ? p.along : p.along - length;  // signed, along the axis
  if (p.rho <= s.radius) return {true, std::fabs(height), height >= 0 ? -p.axis : p.axis};
  return towards((at_from ? s.from : s.to) + s.radius * p.out - x, p.axis);
}

// Opposite to the nearest point: of a ball inside that is larger than the cylinder, or one that lies on its mouth.
AREIA_PORTABLE inline WallPoint far_point(const CylinderShape& s, int patch, const Vec3d& x, double reach) {
  if (patch != 0 || s.radius >= reach) return {};
  const double length = norm(s.to - s.from);
  const AxialPlace p = axial_place(s, x);
  if (p.along >= 0 && p.along <= length)
    return p.rho <= s.radius ? WallPoint{true, s.radius + p.rho, -p.out} : WallPoint{};
  return towards((p.along < 0 ? s.from : s.to) - s.radius * p.out - x, -p.out);
}

AREIA_PORTABLE inline LocalSurface surface_at(const CylinderShape& s, int patch, const Vec3d& point, double tolerance) {
  const double length = norm(s.to - s.from);
  const AxialPlace p = axial_place(s, point);
  LocalSurface at{false, patch == 0 ? p.out : p.axis, 0, {}};
  if (patch == 0) {
    if (std::fabs(p.rho - s.radius) <= tolerance) at.holds = end_between(at, p.along, 0, length, p.axis, tolerance);
  } else if (patch == 1 ? s.cap_from : s.cap_to) {
    if (std::fabs(patch == 1 ? p.along : p.along - length) <= tolerance)
      at.holds = end_between(at, p.rho, -kForever, s.radius, p.out, tolerance);
  }
  return at;
}

AREIA_PORTABLE inline bool covers(const CylinderShape& s, int patch, const Vec3d& x, double reach, const Vec3d& shift) {
  const AxialPlace p = axial_place(s, x);
  return patch == 0 && shift == dot(shift, p.axis) * p.axis && p.along > reach && p.along < norm(s.to - s.from) - reach;
}

AREIA_PORTABLE inline Extent extent_of(const CylinderShape& s) {
  return {0.5 * (s.from + s.to), norm(Vec3d{0.5 * norm(s.to - s.from), s.radius, 0})};
}

inline bool is_symmetric_about(const CylinderShape& s, const Vec3d& point, const Vec3d& axis) {
  const Vec3d span = s.to - s.from;
  return is_same_line(s.from, span, point, axis, s.radius + norm(span));
}

template <>
struct ShapeInfo<CylinderShape> {
  using S = CylinderShape;
  static constexpr const char* kName = "cylinder";
  static constexpr const char* kText =
      "The lateral surface of a cylinder between two points, solid from inside (drum, silo) and outside (roller).";
  static constexpr int kPatches = 3;

  static ShapeKeys<S> keys() {
    return {VectorKey<S>{"from", &S::from, {.unit = "m", .required = true, .text = "One end of the axis."}},
            VectorKey<S>{"to", &S::to, {.unit = "m", .required = true, .text = "Other end of the axis."}},
            NumberKey<S>{"radius", &S::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."}},
            FlagsKey<S>{
                "caps",
                {{"from", [](S& c) -> bool& { return c.cap_from; }}, {"to", [](S& c) -> bool& { return c.cap_to; }}},
                {.text = "Ends that are closed by a disc."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    r.axis(key, s.from, s.to);
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    const Vec3d axis = unit(s.to - s.from), a = s.radius * across(axis), b = cross(axis, a);
    const std::vector<Vec3d> from = polygons.ring(s.from, a, b), to = polygons.ring(s.to, a, b);
    polygons.band(from, to);
    if (s.cap_from) polygons.add(from);
    if (s.cap_to) polygons.add(to);
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall&, Tell&& tell) {
    tell(s.from);
    tell(s.to);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    tell(s.from, s.radius);
    tell(s.to, s.radius);
  }
};

}  // namespace areia
