// A flat disk, with or without a hole, that acts from both sides; its rims count as part of it.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const DiskShape& s, int /*patch*/, const Vec3d& x) {
  const AxialPlace p = axial_place(s.center, unit(s.normal), x);
  if (p.rho >= s.hole && p.rho <= s.radius) return {true, std::fabs(p.along), p.along >= 0 ? -p.axis : p.axis};
  const double rim = p.rho < s.hole ? s.hole : s.radius;
  return towards(s.center + rim * p.out - x, p.out);
}

// The other side of the rim of the hole: a ball that lies in it touches all around.
AREIA_PORTABLE inline WallPoint far_point(const DiskShape& s, int /*patch*/, const Vec3d& x, double reach) {
  if (s.hole == 0 || s.hole >= reach) return {};
  const AxialPlace p = axial_place(s.center, unit(s.normal), x);
  return towards(s.center - s.hole * p.out - x, -p.out);
}

AREIA_PORTABLE inline LocalSurface surface_at(const DiskShape& s, int /*patch*/, const Vec3d& point, double tolerance) {
  const AxialPlace p = axial_place(s.center, unit(s.normal), point);
  LocalSurface at{false, p.axis, 0, {}};
  if (!(std::fabs(p.along) <= tolerance)) return at;
  at.holds = end_between(at, p.rho, s.hole > 0 ? s.hole : -kForever, s.radius, p.out, tolerance);
  return at;
}

AREIA_PORTABLE inline Extent extent_of(const DiskShape& s) { return {s.center, s.radius}; }

inline bool is_symmetric_about(const DiskShape& s, const Vec3d& point, const Vec3d& axis) {
  return is_same_line(s.center, s.normal, point, axis, s.radius);
}

template <>
struct ShapeInfo<DiskShape> {
  using S = DiskShape;
  static constexpr const char* kName = "disk";
  static constexpr const char* kText = "A flat disk, solid from both sides.";
  static constexpr int kPatches = 1;

  static ShapeKeys<S> keys() {
    return {
        VectorKey<S>{"center", &S::center, {.unit = "m", .required = true, .text = "Centre."}},
        VectorKey<S>{"normal",
                     &S::normal,
                     {.required = true, .direction = true, .text = "Normal to the disk; its length does not matter."}},
        NumberKey<S>{"radius", &S::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."}},
        NumberKey<S>{
            "hole", &S::hole, {.unit = "m", .range = kNotNegative, .text = "Radius of an opening in its middle."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    if (s.radius > 0 && s.hole >= 0) r.rule(s.hole < s.radius, key + ".hole", s.hole, "must be smaller than `radius`");
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    const Vec3d axis = unit(s.normal), a = across(axis), b = cross(axis, a);
    const std::vector<Vec3d> rim = polygons.ring(s.center, s.radius * a, s.radius * b);
    if (s.hole > 0) polygons.band(polygons.ring(s.center, s.hole * a, s.hole * b), rim);
    else polygons.add(rim);
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall&, Tell&& tell) {
    tell(s.center);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    tell(s.center, s.radius);
  }
};

}  // namespace areia
