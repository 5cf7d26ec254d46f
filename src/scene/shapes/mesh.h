// A mesh of triangles, as far as it is a shape like others. In a scene its triangles are prepared (triangle_mesh.h) and
// kept beside the shape (SceneWall::mesh), which has no patches, outline and points of its own.
#pragma once
#include "scene/shapes/shape.h"

namespace areia {

AREIA_PORTABLE inline WallPoint closest_point(const MeshShape&, int, const Vec3d&) { return {}; }
AREIA_PORTABLE inline LocalSurface surface_at(const MeshShape&, int, const Vec3d&, double) { return {}; }
AREIA_PORTABLE inline Extent extent_of(const MeshShape&) { return {{}, 0}; }
inline bool is_symmetric_about(const MeshShape&, const Vec3d&, const Vec3d&) { return false; }

template <>
struct ShapeInfo<MeshShape> {
  using S = MeshShape;
  static constexpr const char* kName = "mesh";
  static constexpr const char* kText = "A mesh of triangles, solid from both sides.";
  static constexpr int kPatches = 0;

  // Those that fill the mesh from a file or a text are the business of io/.
  static ShapeKeys<S> keys() {
    return {
        NumberKey<S>{
            "scale", &S::scale, {.range = kPositive, .text = "Metres per unit of the file: 0.001 for millimetres."}},
        VectorKey<S>{"shift", &S::shift, {.unit = "m", .text = "Added to all places after scaling."}},
        NumberKey<S>{"patch_angle",
                     &S::patch_angle,
                     {.unit = "rad",
                      .range = {0, 1.5707963267948966},
                      .text = "Facets that meet at less than this belong to one smooth surface."}}};
  }
  template <class Rules>
  static void check(Rules& r, const std::string& key, const S& s) {
    if (!s.file.empty())
      return r.add(key + ".file", s.file, "the file has not been read; `read_mesh` gives its vertices and triangles");
    if (s.triangles.empty()) return r.add(key, s.origin, "the mesh has no triangles");
    for (const Vec3d& v : s.vertices)
      if (!Rules::is_finite(v)) return r.add(key, Rules::text(v), "the vertices of the mesh must be finite numbers");
    const auto count = static_cast<std::int64_t>(s.vertices.size());
    for (const auto& t : s.triangles)
      for (const std::int32_t k : t)
        if (k < 0 || k >= count)
          return r.add(
              key, std::to_string(k),
              "a triangle names a vertex that is not there; there are " + std::to_string(count) + ", numbered from 0");
  }
  template <class Polygons>
  static void outline(Polygons&, const S&, const Extent&) {}
  template <class Tell>
  static void lowest_points(const S&, const Fall&, Tell&&) {}
  template <class Tell>
  static void hull(const S&, Tell&&) {}
};

}  // namespace areia
