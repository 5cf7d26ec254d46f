// The lateral surface of a truncated cone; its rims count as part of it.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

// In the half plane of the axis and the centre the surface is the segment from (0, radius_from) to (L, radius_to). In
// front of it the distance is a signed height, not a difference of points, so that it keeps its digits however small.
struct ConeSection {
  AxialPlace p;
  double length, widening, slant;

  AREIA_PORTABLE ConeSection(const ConeShape& s, const Vec3d& x) {
    const Vec3d span = s.to - s.from;
    length = norm(span);
    widening = s.radius_to - s.radius_from;
    slant = std::sqrt(length * length + widening * widening);
    p = axial_place(s.from, (1 / length) * span, x);
  }
  // Of the centre at the distance rho from the axis: along the segment, 0 to 1, and across it, > 0 outside.
  AREIA_PORTABLE double share(const ConeShape& s, double rho) const {
    return (p.along * length + (rho - s.radius_from) * widening) / (slant * slant);
  }
  AREIA_PORTABLE double height(const ConeShape& s, double rho) const {
    return ((rho - s.radius_from) * length - p.along * widening) / slant;
  }
  AREIA_PORTABLE Vec3d outward(const Vec3d& out) const { return (1 / slant) * (length * out - widening * p.axis); }
  AREIA_PORTABLE Vec3d upward(const Vec3d& out) const {
    return (1 / slant) * (length * p.axis + widening * out);
  }  // from `from` to `to`
};

AREIA_PORTABLE inline WallPoint closest_point(const ConeShape& s, int /*patch*/, const Vec3d& x) {
  const ConeSection c(s, x);
  const double share = c.share(s, c.p.rho);
  if (share > 0 && share < 1) {
    const double height = c.height(s, c.p.rho);
    const Vec3d outward = c.outward(c.p.out);
    return {true, std::fabs(height), height <= 0 ? outward : -outward};
  }
  const Vec3d rim = share <= 0 ? s.from + s.radius_from * c.p.out : s.to + s.radius_to * c.p.out;
  return towards(rim - x, c.p.out);
}

// Opposite to the nearest point, in the same plane through the axis: rho < 0. A tip is the same point on all sides, and
// belongs to the nearest.
AREIA_PORTABLE inline WallPoint far_point(const ConeShape& s, int /*patch*/, const Vec3d& x, double /*reach*/) {
  const ConeSection c(s, x);
  const double share = c.share(s, -c.p.rho);
  if (share > 0 && share < 1) {
    if (c.height(s, c.p.rho) > 0) return {};  // behind the near side
    return {true, -c.height(s, -c.p.rho), c.outward(-c.p.out)};
  }
  if ((share <= 0 ? s.radius_from : s.radius_to) == 0) return {};
  const Vec3d rim = share <= 0 ? s.from - s.radius_from * c.p.out : s.to - s.radius_to * c.p.out;
  return towards(rim - x, -c.p.out);
}

AREIA_PORTABLE inline LocalSurface surface_at(const ConeShape& s, int /*patch*/, const Vec3d& point, double tolerance) {
  const ConeSection c(s, point);
  LocalSurface at{false, c.outward(c.p.out), 0, {}};
  if (std::fabs(c.height(s, c.p.rho)) <= tolerance)
    at.holds = end_between(at, c.share(s, c.p.rho) * c.slant, 0, c.slant, c.upward(c.p.out), tolerance);
  return at;
}

AREIA_PORTABLE inline Extent extent_of(const ConeShape& s) {
  return {0.5 * (s.from + s.to),
          norm(Vec3d{0.5 * norm(s.to - s.from), s.radius_from > s.radius_to ? s.radius_from : s.radius_to, 0})};
}

inline bool is_symmetric_about(const ConeShape& s, const Vec3d& point, const Vec3d& axis) {
  const Vec3d span = s.to - s.from;
  return is_same_line(s.from, span, point, axis, norm(span) + s.radius_from + s.radius_to);
}

template <>
struct ShapeInfo<ConeShape> {
  using S = ConeShape;
  static constexpr const char* kName = "cone";
  static constexpr const char* kText = "The lateral surface of a truncated cone, solid from inside and outside.";
  static constexpr int kPatches = 1;

  static ShapeKeys<S> keys() {
    return {VectorKey<S>{"from", &S::from, {.unit = "m", .required = true, .text = "One end of the axis."}},
            VectorKey<S>{"to", &S::to, {.unit = "m", .required = true, .text = "Other end of the axis."}},
            NumberKey<S>{
                "radius_from",
                &S::radius_from,
                {.unit = "m", .range = kNotNegative, .required = true, .text = "Radius at `from`; 0 makes it a tip."}},
            NumberKey<S>{
                "radius_to",
                &S::radius_to,
                {.unit = "m", .range = kNotNegative, .required = true, .text = "Radius at `to`; 0 makes it a tip."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    r.axis(key, s.from, s.to);
    if (s.radius_from == 0 && s.radius_to == 0) r.add(key + ".radius_to", "0", "one of the two radii must be positive");
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    const Vec3d axis = unit(s.to - s.from), a = across(axis), b = cross(axis, a);
    polygons.band(polygons.ring(s.from, s.radius_from * a, s.radius_from * b),
                  polygons.ring(s.to, s.radius_to * a, s.radius_to * b));
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall&, Tell&& tell) {
    tell(s.from);
    tell(s.to);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    tell(s.from, s.radius_from);
    tell(s.to, s.radius_to);
  }
};

}  // namespace areia
