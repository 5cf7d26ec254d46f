// The lateral surface of a truncated cone; its rims count as part of it.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

// In the half plane of the axis and the centre the surface is the segment from (0, radius_from) to (L, radius_to). In
// front of it the distance is a signed height, not a difference of points, so that it keeps its digits however small.
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
};

}  // namespace areia
