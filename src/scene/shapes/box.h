// The six faces of a box along the axes; open ones are left out.
//
// An edge belongs to one of its two faces, so that no contact counts twice: a face whose closest point is on a shared
// edge gives it up if the neighbour holds the foot of the centre inside its own face, or if the neighbour has the lower
// number.
#pragma once
#include <algorithm>

#include "scene/shapes/shape.h"

namespace areia {

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
};

}  // namespace areia
