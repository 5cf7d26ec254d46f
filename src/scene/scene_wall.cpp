#include "scene/scene_wall.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/wall_geometry.h"

namespace areia {

// A wall whose first mention in the stages is an insertion is not there at first, nor one whose time begins later.
static bool present_at_start(const Case& c, const Wall& w) {
  if (!w.when.start_stage.empty()) return !c.stages.empty() && c.stages[0].name == w.when.start_stage;
  if (w.when.start > 0) return false;
  const auto contains = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), w.name) != names.end();
  };
  for (const Stage& s : c.stages) {
    if (contains(s.remove_walls)) return true;
    if (contains(s.insert_walls)) return false;
  }
  return true;
}

SceneWall make_wall(const Case& c, const Wall& w, std::uint16_t material, std::vector<std::string>& notes) {
  SceneWall wall;
  wall.name = w.name;
  wall.material = material;
  wall.motion = w.motion;
  wall.surface = w.surface;
  wall.servo = w.servo;
  wall.present = present_at_start(c, w);
  if (const auto* shape = std::get_if<MeshShape>(&w.shape)) {
    const std::string key = "walls." + w.name + ".mesh";
    auto mesh = std::make_shared<TriangleMesh>(make_triangle_mesh(*shape, key));
    const MeshWords words = describe(mesh->report);
    std::string note;
    for (const std::string& fact : words.facts) note += (note.empty() ? "" : "; ") + fact;
    notes.push_back(fmt::format("walls.{}: mesh {}: {}", w.name, shape->origin, note));
    for (const std::string& s : words.suspicious) notes.push_back(fmt::format("walls.{}: mesh: {}", w.name, s));
    wall.mesh = std::move(mesh);
    wall.shape = MeshShape{};
    return wall;
  }
  wall.shape = w.shape;
  if (auto* plane = std::get_if<PlaneShape>(&wall.shape)) plane->normal = unit(plane->normal);
  return wall;
}

Extent extent_of(const SceneWall& wall) {
  if (wall.mesh) {
    const Box& b = wall.mesh->bounds;
    return {0.5 * (b.min + b.max), 0.5 * norm(b.max - b.min)};
  }
  return std::visit([](const auto& shape) { return extent_of(shape); }, wall.shape);
}

WallPoint nearest_point(const SceneWall& wall, const Vec3d& x, double reach) {
  if (!wall.mesh) return nearest_point(wall.shape, x);
  const MeshHit at = nearest_on_mesh(*wall.mesh, x, reach);
  return {at.distance < kForever, at.distance, at.n, at.edges};
}

double wall_distance(const SceneWall& wall, const Vec3d& x, double reach) {
  const WallPoint at = nearest_point(wall, x, reach);
  return at.found ? at.distance : kForever;
}

}  // namespace areia
