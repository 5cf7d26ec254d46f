#include "engine/wear.h"

#include <algorithm>
#include <tuple>

#include "areia/error.h"
#include "engine/world.h"
#include "scene/triangle_mesh.h"

namespace areia {

WearBook::WearBook(const Scene& scene) : scene_(&scene) {
  periodicity_ = periodicity_of(scene.settings.domain);
  std::vector<std::int32_t> walls(scene.walls.size(), -1);
  for (std::size_t w = 0; w < scene.walls.size(); ++w) {
    const bool asked =
        std::any_of(scene.settings.output.measure.begin(), scene.settings.output.measure.end(), [&](const Measure& m) {
          return m.kind == Measure::Kind::wear &&
                 (m.walls.empty() || std::find(m.walls.begin(), m.walls.end(), scene.walls[w].name) != m.walls.end());
        });
    if (!asked) continue;
    walls[w] = static_cast<std::int32_t>(books_.size());
    FrameWear& book = books_.emplace_back();
    book.wall = static_cast<std::int32_t>(w);
    const std::size_t elements = scene.walls[w].mesh ? scene.walls[w].mesh->triangles.size() : 0;
    for (auto* column : {&book.sliding, &book.loaded, &book.impact}) column->assign(elements, 0);
  }
  if (!books_.empty()) walls_ = std::move(walls);
}

// The triangle next to the point of contact; where the grain touches an image of the wall, next to an image of it.
std::size_t WearBook::element_of(const SceneWall& wall, std::int32_t patch, const Vec3d& point, double radius,
                                 const Pose& pose) const {
  if (!wall.mesh) return static_cast<std::size_t>(std::max(0, patch));
  MeshHit best = nearest_on_mesh(*wall.mesh, pose.to_body(point), radius);
  if (periodicity_.any() && !(best.distance < 0.1 * radius))
    periodicity_.shifts_near(point, periodicity_.wrapped(point), 1.5 * norm(periodicity_.length))
        .for_each([&](const auto& by) {
          const MeshHit hit = nearest_on_mesh(*wall.mesh, pose.to_body(periodicity_.shifted(point, by)), radius);
          if (hit.distance < best.distance) best = hit;
        });
  return static_cast<std::size_t>(best.triangle);
}

void WearBook::enter(const WearingBody& body, std::int32_t wall, std::int32_t patch, const Vec3d& n, double overlap,
                     const Vec3d& force, const WallState& state) {
  const std::int32_t book = walls_[static_cast<std::size_t>(wall)];
  if (book < 0) return;
  const Vec3d point = body.x + (body.radius - overlap) * n;
  const double lever = scene_->settings.numerics.lever == Lever::radius ? body.radius : body.radius - overlap;
  const Vec3d u = body.v + cross(body.w, lever * n) - state.velocity_at(point, n);
  const double normal = -dot(force, n), approach = dot(u, n);
  const Vec3d ft = force + normal * n, ut = u - approach * n;
  const double friction = norm(ft), power = -dot(ft, ut), push = std::max(0.0, normal);
  const SceneWall& on = scene_->walls[static_cast<std::size_t>(wall)];
  step_.push_back({static_cast<std::size_t>(book), element_of(on, patch, point, body.radius, state.pose), body.id,
                   power, friction > 0 ? push * (power / friction) : 0.0, push * std::max(0.0, approach)});
}

// The order of the sums is that of places and ids, and of equal ones by the terms themselves.
void WearBook::finish_step(double dt) {
  const auto key = [](const Entry& e) { return std::tie(e.book, e.element, e.id, e.sliding, e.loaded, e.impact); };
  std::sort(step_.begin(), step_.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  for (const Entry& e : step_) {
    FrameWear& book = books_[e.book];
    if (book.sliding.size() <= e.element)
      for (auto* column : {&book.sliding, &book.loaded, &book.impact}) column->resize(e.element + 1, 0);
    book.sliding[e.element] += e.sliding * dt;
    book.loaded[e.element] += e.loaded * dt;
    book.impact[e.element] += e.impact * dt;
  }
  step_.clear();
}

void WearBook::save(Archive& archive) const {
  for (const FrameWear& book : books_) {
    const std::string key = "wear." + scene_->walls[static_cast<std::size_t>(book.wall)].name;
    archive.real[key + ".sliding"] = book.sliding;
    archive.real[key + ".loaded"] = book.loaded;
    archive.real[key + ".impact"] = book.impact;
  }
}

void WearBook::load(const Archive& archive) {
  for (FrameWear& book : books_) {
    const SceneWall& wall = scene_->walls[static_cast<std::size_t>(book.wall)];
    const std::string key = "wear." + wall.name;
    const auto sliding = archive.real.find(key + ".sliding"), loaded = archive.real.find(key + ".loaded"),
               impact = archive.real.find(key + ".impact");
    if (sliding == archive.real.end()) {
      for (auto* column : {&book.sliding, &book.loaded, &book.impact}) std::fill(column->begin(), column->end(), 0.0);
      continue;
    }
    const std::size_t size = sliding->second.size();
    if (loaded == archive.real.end() || impact == archive.real.end() || loaded->second.size() != size ||
        impact->second.size() != size || (wall.mesh && size != wall.mesh->triangles.size()))
      throw FileError("the checkpoint is damaged: the wear of wall " + wall.name + " is not whole");
    book.sliding = sliding->second;
    book.loaded = loaded->second;
    book.impact = impact->second;
  }
}

}  // namespace areia
