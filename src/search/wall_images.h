// Walls in a periodic box repeat themselves with it: a centre meets the nearest of their images.
#pragma once
#include <array>
#include <cstdint>

#include "scene/motion.h"
#include "scene/scene_wall.h"
#include "search/periodicity.h"

namespace areia {

// f(by) for every shift of a centre that brings it within `reach` of the wall, in_a_sphere() of which lies around it in
// its own frame. Endless planes run along the periodic directions and are their own images.
template <class InASphere, class F>
AREIA_PORTABLE void for_each_shift_near(const Periodicity& periodicity, InASphere&& in_a_sphere, const Pose& pose,
                                        const Vec3d& x, double reach, F&& f) {
  if (!periodicity.any()) return f(std::array<std::int16_t, 3>{});
  const Extent extent = in_a_sphere();
  periodicity.for_each_shift(x, pose.to_world(extent.center), extent.radius + reach, f);
}
template <class F>
void for_each_wall_shift(const Periodicity& periodicity, const SceneWall& wall, const Pose& pose, const Vec3d& x,
                         double reach, F&& f) {
  for_each_shift_near(
      periodicity, [&] { return extent_of(wall); }, pose, x, reach, f);
}
template <class F>
AREIA_PORTABLE void for_each_wall_shift(const Periodicity& periodicity, const PlainShape& shape, const Pose& pose,
                                        const Vec3d& x, double reach, F&& f) {
  for_each_shift_near(
      periodicity, [&] { return sphere_around(shape); }, pose, x, reach, f);
}

// The nearest point of a wall and its images, in space.
struct NearestOnWall {
  WallPoint at;
  Vec3d centre;  // as the wall sees it: beyond a periodic face, if they meet there
};
inline NearestOnWall nearest_on_wall(const Periodicity& periodicity, const SceneWall& wall, const Pose& pose,
                                     const Vec3d& x, double reach) {
  NearestOnWall best;
  for_each_wall_shift(periodicity, wall, pose, x, reach, [&](const std::array<std::int16_t, 3>& by) {
    const Vec3d image = periodicity.shifted(x, by);
    WallPoint at = nearest_point(wall, pose.to_body(image), reach);
    if (!at.found || (best.at.found && !(at.distance < best.at.distance))) return;
    at.n = pose.direction_to_world(at.n);
    best = {at, image};
  });
  return best;
}

// Distance to a wall and its images; of a mesh only up to `reach`, else infinity.
inline double wall_distance(const Periodicity& periodicity, const SceneWall& wall, const Pose& pose, const Vec3d& x,
                            double reach) {
  const WallPoint at = nearest_on_wall(periodicity, wall, pose, x, reach).at;
  return at.found ? at.distance : kForever;
}

}  // namespace areia
