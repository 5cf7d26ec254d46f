#include "engine/wall_outline.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/wall_geometry.h"

namespace areia {

namespace {

struct Extent {
  Vec3d center;
  double radius = 1;  // of a sphere around all particles, with some room
};

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

void add_polygon(FrameWall& wall, const std::vector<Vec3d>& corners) {
  std::vector<std::int32_t> polygon;
  for (const Vec3d& c : corners) {
    polygon.push_back(static_cast<std::int32_t>(wall.vertices.size()));
    wall.vertices.push_back(c);
  }
  wall.polygons.push_back(polygon);
}

Vec3d normal_to(const Vec3d& a) { return unit(cross(a, std::fabs(a.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})); }

void outline(FrameWall& wall, const PlaneShape& s, const Extent& e) {
  const Vec3d foot = e.center - dot(e.center - s.point, s.normal) * s.normal;
  const Vec3d a = e.radius * normal_to(s.normal), b = cross(s.normal, a);
  add_polygon(wall, {foot - a - b, foot + a - b, foot + a + b, foot - a + b});
}

void outline(FrameWall& wall, const BoxShape& s, const Extent&) {
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
    add_polygon(wall, corners);
  }
}

constexpr int kSides = 48;

std::vector<Vec3d> ring(const Vec3d& center, const Vec3d& a, const Vec3d& b) {
  std::vector<Vec3d> points;
  for (int k = 0; k < kSides; ++k) {
    const SinCos t = sin_cos(2 * std::numbers::pi * k / kSides);
    points.push_back(center + t.cos * a + t.sin * b);
  }
  return points;
}

// The band between two rings; where one has no width, triangles.
void add_band(FrameWall& wall, const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
  for (int k = 0; k < kSides; ++k) {
    const int next = (k + 1) % kSides;
    if (from[k] == from[next]) add_polygon(wall, {from[k], to[next], to[k]});
    else if (to[k] == to[next]) add_polygon(wall, {from[k], from[next], to[k]});
    else add_polygon(wall, {from[k], from[next], to[next], to[k]});
  }
}

void outline(FrameWall& wall, const ConeShape& s, const Extent&) {
  const Vec3d axis = unit(s.to - s.from), a = normal_to(axis), b = cross(axis, a);
  add_band(wall, ring(s.from, s.radius_from * a, s.radius_from * b), ring(s.to, s.radius_to * a, s.radius_to * b));
}

void outline(FrameWall& wall, const SphereShape& s, const Extent&) {
  std::vector<Vec3d> before;
  for (int k = 0; k <= kSides / 2; ++k) {
    const SinCos t = sin_cos(2 * std::numbers::pi * k / kSides);
    const double width = k == 0 || k == kSides / 2 ? 0 : s.radius * t.sin;
    std::vector<Vec3d> row = ring(s.center - Vec3d{0, 0, s.radius * t.cos}, {width, 0, 0}, {0, width, 0});
    if (k > 0) add_band(wall, before, row);
    before = std::move(row);
  }
}

void outline(FrameWall& wall, const DiskShape& s, const Extent&) {
  const Vec3d axis = unit(s.normal), a = normal_to(axis), b = cross(axis, a);
  const std::vector<Vec3d> rim = ring(s.center, s.radius * a, s.radius * b);
  if (s.hole > 0) add_band(wall, ring(s.center, s.hole * a, s.hole * b), rim);
  else add_polygon(wall, rim);
}

void outline(FrameWall& wall, const RectangleShape& s, const Extent&) {
  add_polygon(wall, {s.corner, s.corner + s.edge_a, s.corner + s.edge_a + s.edge_b, s.corner + s.edge_b});
}

void outline(FrameWall&, const MeshShape&, const Extent&) {}

void outline(FrameWall& wall, const TriangleMesh& mesh) {
  wall.vertices = mesh.vertices;
  wall.polygons.reserve(mesh.triangles.size());
  for (const TriangleMesh::Triangle& t : mesh.triangles)
    wall.polygons.push_back({t.vertex[0], t.vertex[1], t.vertex[2]});
}

void outline(FrameWall& wall, const CylinderShape& s, const Extent&) {
  const Vec3d axis = unit(s.to - s.from), a = s.radius * normal_to(axis), b = cross(axis, a);
  const std::vector<Vec3d> from = ring(s.from, a, b), to = ring(s.to, a, b);
  add_band(wall, from, to);
  if (s.cap_from) add_polygon(wall, from);
  if (s.cap_to) add_polygon(wall, to);
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
          [&](const auto& s) {
            outline(wall, s, {p.to_body(extent.center), extent.radius});
          },
          scene.walls[w].shape);
      for (Vec3d& v : wall.vertices) v = p.to_world(v);
    }
    out.push_back(std::move(wall));
  }
  return out;
}

}  // namespace areia
