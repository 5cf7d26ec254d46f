// The lateral surface of a cylinder, with caps if asked for. Patches: 0 lateral surface, 1 cap at `from`, 2 cap at
// `to`; a cap takes the edge over, the lateral surface gives it up there.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

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
    const Vec3d out = rho > 0 ? (1 / rho) * radial : across(axis);  // on the axis every direction is as good
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

inline double patch_distance(const CylinderShape& s, int patch, const Vec3d& x) {
  const Vec3d axis = unit(s.to - s.from);
  const double length = norm(s.to - s.from), along = dot(x - s.from, axis);
  const double rho = norm(x - s.from - along * axis);
  if (patch == 0) return norm(Vec3d{rho - s.radius, along - std::fmin(std::fmax(along, 0.0), length), 0});
  if (!(patch == 1 ? s.cap_from : s.cap_to)) return kForever;
  return norm(Vec3d{patch == 1 ? along : along - length, std::fmax(rho - s.radius, 0.0), 0});
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
};

}  // namespace areia
