// A sphere that acts from inside and outside.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const SphereShape& s, int /*patch*/, const Vec3d& x) {
  const Vec3d radial = x - s.center;
  const double rho = norm(radial), gap = s.radius - rho;
  const Vec3d out = rho > 0 ? (1 / rho) * radial : Vec3d{0, 0, 1};
  return {true, std::fabs(gap), gap >= 0 ? out : -out};
}

AREIA_PORTABLE inline LocalSurface surface_at(const SphereShape& s, int /*patch*/, const Vec3d& point,
                                              double tolerance) {
  const Vec3d radial = point - s.center;
  const double rho = norm(radial);
  if (!(std::fabs(rho - s.radius) <= tolerance) || rho == 0) return {};
  return {true, (1 / rho) * radial, 0, {}};
}

AREIA_PORTABLE inline Extent extent_of(const SphereShape& s) { return {s.center, s.radius}; }

inline bool is_symmetric_about(const SphereShape& s, const Vec3d& point, const Vec3d& axis) {
  return norm(cross(s.center - point, unit(axis))) < 1e-12 * s.radius;
}

template <>
struct ShapeInfo<SphereShape> {
  using S = SphereShape;
  static constexpr const char* kName = "sphere";
  static constexpr const char* kText = "A sphere, solid from inside and outside.";
  static constexpr int kPatches = 1;

  static ShapeKeys<S> keys() {
    return {VectorKey<S>{"center", &S::center, {.unit = "m", .required = true, .text = "Centre."}},
            NumberKey<S>{"radius", &S::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."}}};
  }
  template <class Rules>
  static void check(Rules&, const std::string&, const S&) {}
  // Bands between circles of latitude; the poles are circles without width.
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent&) {
    std::vector<Vec3d> before;
    for (int k = 0; k <= Polygons::kSides / 2; ++k) {
      const auto t = Polygons::direction(k);
      const double width = k == 0 || k == Polygons::kSides / 2 ? 0 : s.radius * t.sin;
      std::vector<Vec3d> row = polygons.ring(s.center - Vec3d{0, 0, s.radius * t.cos}, {width, 0, 0}, {0, width, 0});
      if (k > 0) polygons.band(before, row);
      before = std::move(row);
    }
  }
  template <class Tell>
  static void lowest_points(const S& s, const Fall& f, Tell&& tell) {
    tell(s.center + (s.radius / f.strength) * f.gravity);
  }
  template <class Tell>
  static void hull(const S& s, Tell&& tell) {
    tell(s.center, s.radius);
  }
};

}  // namespace areia
