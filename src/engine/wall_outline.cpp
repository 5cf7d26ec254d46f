#include "engine/wall_outline.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/wall_geometry.h"

namespace areia {

namespace {

Extent extent_of(const FrameParticles& p) {
  if (p.x.empty()) return {};
  Vec3d low = p.x[0], high = low;
  for (std::size_t i = 0; i < p.x.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      component(low, a) = std::min(component(low, a), component(p.x[i], a) - p.radius[i]);
      component(high, a) = std::max(component(high, a), component(p.x[i], a) + p.radius[i]);
    }
  return {0.5 * (low + high), 0.55 * norm(high - low)};
}

// Takes the outline that a shape gives (scene/shapes/).
struct Polygons {
  static constexpr int kSides = 48;  // of a circle
  FrameWall& wall;

  void add(const std::vector<Vec3d>& corners) {
    std::vector<std::int32_t> polygon;
    for (const Vec3d& c : corners) {
      polygon.push_back(static_cast<std::int32_t>(wall.vertices.size()));
      wall.vertices.push_back(c);
    }
    wall.polygons.push_back(polygon);
  }
  static SinCos direction(int k) { return sin_cos(2 * std::numbers::pi * k / kSides); }
  static std::vector<Vec3d> ring(const Vec3d& center, const Vec3d& a, const Vec3d& b) {
    std::vector<Vec3d> points;
    for (int k = 0; k < kSides; ++k) {
      const SinCos t = direction(k);
      points.push_back(center + t.cos * a + t.sin * b);
    }
    return points;
  }
  // The band between two rings; where one has no width, triangles.
  void band(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
    for (int k = 0; k < kSides; ++k) {
      const int next = (k + 1) % kSides;
      if (from[k] == from[next]) add({from[k], to[next], to[k]});
      else if (to[k] == to[next]) add({from[k], from[next], to[k]});
      else add({from[k], from[next], to[next], to[k]});
    }
  }
};

void outline(FrameWall& wall, const TriangleMesh& mesh) {
  wall.vertices = mesh.vertices;
  wall.polygons.reserve(mesh.triangles.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    wall.polygons.push_back({t.vertex[0], t.vertex[1], t.vertex[2]});
}

}  // namespace

std::vector<FrameWall> outline_walls(const Scene& scene, const std::function<Pose(std::size_t)>& pose,
                                     const std::function<bool(std::size_t)>& present, const FrameParticles& particles) {
  const Extent extent = extent_of(particles);
  std::vector<FrameWall> out;
  for (std::size_t w = 0; w < scene.walls.size(); ++w) {
    FrameWall wall;
    const Pose p = pose(w);
    wall.name = scene.walls[w].name;
    wall.origin = p.center + p.shift;
    wall.velocity = p.v;
    wall.turn = p.q;
    wall.present = present(w);
    if (present(w)) {
      if (scene.walls[w].mesh) outline(wall, *scene.walls[w].mesh);
      std::visit(
          [&]<class S>(const S& s) {
            Polygons polygons{wall};
            ShapeInfo<S>::outline(polygons, s, {p.to_body(extent.center), extent.radius});
          },
          scene.walls[w].shape);
      for (Vec3d& v : wall.vertices) v = p.to_world(v);
    }
    out.push_back(std::move(wall));
  }
  return out;
}

}  // namespace areia
