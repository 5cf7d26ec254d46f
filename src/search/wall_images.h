// Walls in a periodic box repeat themselves with it: a centre meets the nearest of their images.
#pragma once
#include <array>
#include <cstdint>

#include "scene/motion.h"
#include "scene/scene_wall.h"
#include "search/periodicity.h"

namespace areia {

// Every shift that brings a centre within `reach` of a wall, which lies in the sphere `around` it in its own frame.
// Endless planes run along the periodic directions and are their own images.
AREIA_PORTABLE inline ShiftRange shifts_to_wall(const Periodicity& periodicity, const Extent& around, const Pose& pose,
                                                const Vec3d& x, double reach) {
  return periodicity.any() ? periodicity.shifts_near(x, pose.to_world(around.center), around.radius + reach)
                           : ShiftRange{};
}
// f(by) for each of them.
template <class F>
void for_each_wall_shift(const Periodicity& periodicity, const SceneWall& wall, const Pose& pose, const Vec3d& x,
                         double reach, F&& f) {
  if (!periodicity.any()) return f(ShiftRange::Shift{});
  shifts_to_wall(periodicity, extent_of(wall), pose, x, reach).for_each(f);
}

// The nearest point of a wall and its images, in space.
struct NearestOnWall {
  WallPoint at;
  Vec3d centre;  // as the wall sees it: beyond a periodic face, if they meet there
};
inline NearestOnWall nearest_on_wall(const Periodicity& periodicity, const SceneWall& wall, const Pose& pose,
                                     const Vec3d& x, double reach) {
  NearestOnWall best;
  for_each_wall_shift(periodicity, wall, pose, x, reach, [&](const ShiftRange::Shift& by) {
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
