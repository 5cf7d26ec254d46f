// An endless plane that acts from one side.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const PlaneShape& s, int /*patch*/, const Vec3d& x) {
  return {true, dot(x - s.point, s.normal), -s.normal};  // the normal is kept at unit length
}

AREIA_PORTABLE inline LocalSurface surface_at(const PlaneShape& s, int /*patch*/, const Vec3d& point,
                                              double tolerance) {
  return {std::fabs(dot(point - s.point, s.normal)) <= tolerance, s.normal, 0, {}};
}

AREIA_PORTABLE inline Extent extent_of(const PlaneShape& s) { return {s.point, kForever}; }

inline bool is_symmetric_about(const PlaneShape& s, const Vec3d&, const Vec3d& axis) {
  return norm(cross(s.normal, unit(axis))) < 1e-12;
}

template <>
struct ShapeInfo<PlaneShape> {
  using S = PlaneShape;
  static constexpr const char* kName = "plane";
  static constexpr const char* kText = "An infinite plane.";
  static constexpr int kPatches = 1;

  static ShapeKeys<S> keys() {
    return {VectorKey<S>{"point", &S::point, {.unit = "m", .required = true, .text = "A point of the plane."}},
            VectorKey<S>{"normal",
                         &S::normal,
                         {.required = true,
                          .direction = true,
                          .text = "Normal, to the side of the particles; its length does not matter."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    for (int a = 0; a < 3; ++a)
      if (r.settings().domain.periodic[a] && component(s.normal, a) != 0)
        r.add(key + ".normal", Rules::text(s.normal),
              std::string("a plane across the periodic direction ") + "xyz"[a] +
                  " has no image; take a rectangle or a box, which repeat themselves");
  }
  template <class Polygons>
  static void outline(Polygons& polygons, const S& s, const Extent& e) {
    const Vec3d foot = e.center - dot(e.center - s.point, s.normal) * s.normal;
    const Vec3d a = e.radius * across(s.normal), b = cross(s.normal, a);
    polygons.add({foot - a - b, foot + a - b, foot + a + b, foot - a + b});
  }
  // The plane below the mean particle, unless it is nearly upright.
  template <class Tell>
  static void lowest_points(const S& s, const Fall& f, Tell&& tell) {
    const double c = -dot(s.normal, f.gravity) / f.strength;
    if (c > 0.1) tell(f.mean - (dot(f.mean - s.point, s.normal) / c) * (-1 / f.strength) * f.gravity);
  }
  template <class Tell>
  static void hull(const S&, Tell&&) {}
};

}  // namespace areia
