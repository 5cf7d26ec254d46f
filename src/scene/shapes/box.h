// The six faces of a box along the axes; open ones are left out.
#pragma once
#include <algorithm>

#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const BoxShape& s, int face, const Vec3d& x) {
  if (s.open[face]) return {};
  const int axis = face / 2;
  Vec3d outward;
  component(outward, axis) = face % 2 ? 1 : -1;
  const double depth =
      face % 2 ? component(s.max, axis) - component(x, axis) : component(x, axis) - component(s.min, axis);
  const auto within = [&](int t, double at, double low, double high) { return t == axis || (at >= low && at <= high); };
  if (within(0, x.x, s.min.x, s.max.x) && within(1, x.y, s.min.y, s.max.y) && within(2, x.z, s.min.z, s.max.z))
      [[likely]]
    return {true, std::fabs(depth), depth >= 0 ? outward : -outward};
  Vec3d foot{clamped(x.x, s.min.x, s.max.x), clamped(x.y, s.min.y, s.max.y), clamped(x.z, s.min.z, s.max.z)};
  component(foot, axis) = component(x, axis);
  const int edges = (foot.x != x.x) + (foot.y != x.y) + (foot.z != x.z);
  component(foot, axis) = component(face % 2 ? s.max : s.min, axis);
  return towards(foot - x, outward, edges);
}

AREIA_PORTABLE inline LocalSurface surface_at(const BoxShape& s, int face, const Vec3d& point, double tolerance) {
  const int axis = face / 2;
  LocalSurface at;
  component(at.normal, axis) = face % 2 ? 1 : -1;
  if (s.open[face] || !(std::fabs(component(point - (face % 2 ? s.max : s.min), axis)) <= tolerance)) return at;
  for (int t = 0; t < 3; ++t) {
    if (t == axis) continue;
    Vec3d along;
    component(along, t) = 1;
    if (!end_between(at, component(point, t), component(s.min, t), component(s.max, t), along, tolerance)) return at;
  }
  at.holds = true;
  return at;
}

AREIA_PORTABLE inline bool covers(const BoxShape& s, int face, const Vec3d& x, double reach, const Vec3d& shift) {
  if (component(shift, face / 2) != 0) return false;
  for (int t = 0; t < 3; ++t)
    if (t != face / 2 &&
        !(component(x, t) > component(s.min, t) + reach && component(x, t) < component(s.max, t) - reach))
      return false;
  return true;
}

AREIA_PORTABLE inline Extent extent_of(const BoxShape& s) { return {0.5 * (s.min + s.max), 0.5 * norm(s.max - s.min)}; }

// Further than `reach` from every face.
AREIA_PORTABLE inline bool is_deep_inside(const BoxShape& s, const Vec3d& x, double reach) {
  return x.x - s.min.x > reach && s.max.x - x.x > reach && x.y - s.min.y > reach && s.max.y - x.y > reach &&
         x.z - s.min.z > reach && s.max.z - x.z > reach;
}

inline bool is_symmetric_about(const BoxShape&, const Vec3d&, const Vec3d&) { return false; }

template <>
struct ShapeInfo<BoxShape> {
  using S = BoxShape;
  static constexpr const char* kName = "box";
  static constexpr const char* kText = "The faces of a box, solid from inside and outside.";
  static constexpr int kPatches = 6;

  static ShapeKeys<S> keys() {
    FlagsKey<S> open{"open", {}, {.text = "Faces that are left out."}};
    const char* names[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int k = 0; k < 6; ++k) open.flags.emplace_back(names[k], [k](S& b) -> bool& { return b.open[k]; });
    return {VectorKey<S>{"min", &S::min, {.unit = "m", .required = true, .text = "Lowest corner."}},
            VectorKey<S>{"max", &S::max, {.unit = "m", .required = true, .text = "Highest corner."}}, open};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    if (Rules::is_finite(s.min) && Rules::is_finite(s.max) && !Rules::ordered(s.min, s.max))
      r.add(key + ".max", Rules::text(s.max), "must be above `min` along x, y and z");
    if (std::all_of(s.open.begin(), s.open.end(), [](bool o) { return o; }))
      r.add(key + ".open", "", "at least one face must be left");
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    for (int face = 0; face < 6; ++face) {
      if (s.open[face]) continue;
      const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::vector<Vec3d> corners;
      for (int k = 0; k < 4; ++k) {
        Vec3d c;
        component(c, axis) = component(face % 2 ? s.max : s.min, axis);
        component(c, u) = component(k == 1 || k == 2 ? s.max : s.min, u);
        component(c, v) = component(k >= 2 ? s.max : s.min, v);
        corners.push_back(c);
      }
      polygons.add(corners);
    }
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall&, Tell&& tell) {
    tell(s.min);
    tell(s.max);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    for (int k = 0; k < 8; ++k)
      tell(Vec3d{k & 1 ? s.max.x : s.min.x, k & 2 ? s.max.y : s.min.y, k & 4 ? s.max.z : s.min.z}, 0.0);
  }
};

}  // namespace areia
