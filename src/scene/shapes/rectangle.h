// A flat rectangle that acts from both sides; its edges count as part of it.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const RectangleShape& s, int /*patch*/, const Vec3d& x) {
  const Vec3d d = x - s.corner;
  const double a2 = norm2(s.edge_a), b2 = norm2(s.edge_b);
  const double a = dot(d, s.edge_a) / a2, b = dot(d, s.edge_b) / b2;  // 0 to 1 over the rectangle
  const Vec3d normal = unit(cross(s.edge_a, s.edge_b));
  if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
    const double height = dot(d, normal);
    return {true, std::fabs(height), height >= 0 ? -normal : normal};
  }
  const double on_a = clamped(a, 0, 1), on_b = clamped(b, 0, 1);
  return towards(s.corner + on_a * s.edge_a + on_b * s.edge_b - x, normal, (on_a != a) + (on_b != b));
}

AREIA_PORTABLE inline LocalSurface surface_at(const RectangleShape& s, int /*patch*/, const Vec3d& point,
                                              double tolerance) {
  const Vec3d d = point - s.corner;
  LocalSurface at{false, unit(cross(s.edge_a, s.edge_b)), 0, {}};
  if (!(std::fabs(dot(d, at.normal)) <= tolerance)) return at;
  for (const Vec3d& edge : {s.edge_a, s.edge_b}) {
    const double length = norm(edge);
    const Vec3d along = (1 / length) * edge;
    if (!end_between(at, dot(d, along), 0, length, along, tolerance)) return at;
  }
  at.holds = true;
  return at;
}

AREIA_PORTABLE inline bool covers(const RectangleShape& s, int /*patch*/, const Vec3d& x, double reach,
                                  const Vec3d& shift) {
  if (dot(shift, cross(s.edge_a, s.edge_b)) != 0) return false;
  for (const Vec3d& edge : {s.edge_a, s.edge_b}) {
    const double length = norm(edge), along = dot(x - s.corner, edge) / length;
    if (!(along > reach && along < length - reach)) return false;
  }
  return true;
}

AREIA_PORTABLE inline Extent extent_of(const RectangleShape& s) {
  return {s.corner + 0.5 * (s.edge_a + s.edge_b), 0.5 * norm(s.edge_a + s.edge_b)};
}

inline bool is_symmetric_about(const RectangleShape&, const Vec3d&, const Vec3d&) { return false; }

template <>
struct ShapeInfo<RectangleShape> {
  using S = RectangleShape;
  static constexpr const char* kName = "rectangle";
  static constexpr const char* kText = "A flat rectangle, solid from both sides.";
  static constexpr int kPatches = 1;

  static ShapeKeys<S> keys() {
    return {VectorKey<S>{"corner", &S::corner, {.unit = "m", .required = true, .text = "One corner."}},
            VectorKey<S>{"edge_a",
                         &S::edge_a,
                         {.unit = "m",
                          .required = true,
                          .direction = true,
                          .text = "From the corner along one edge to the next corner."}},
            VectorKey<S>{"edge_b",
                         &S::edge_b,
                         {.unit = "m",
                          .required = true,
                          .direction = true,
                          .text = "The same along the other edge, at a right angle."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    if (!Rules::is_direction(s.edge_a) || !Rules::is_direction(s.edge_b)) return;
    if (std::fabs(dot(unit(s.edge_a), unit(s.edge_b))) > 1e-9)
      r.add(key + ".edge_b", Rules::text(s.edge_b), "must be at a right angle to `edge_a`");
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    polygons.add({s.corner, s.corner + s.edge_a, s.corner + s.edge_a + s.edge_b, s.corner + s.edge_b});
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall&, Tell&& tell) {
    for (const double a : {0.0, 1.0})
      for (const double b : {0.0, 1.0}) tell(s.corner + a * s.edge_a + b * s.edge_b);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    for (const double a : {0.0, 1.0})
      for (const double b : {0.0, 1.0}) tell(s.corner + a * s.edge_a + b * s.edge_b, 0.0);
  }
};

}  // namespace areia
