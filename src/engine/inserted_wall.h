// A wall that appears among particles may touch them, but not cut them: that is told at once.
#pragma once
#include <fmt/format.h>

#include "areia/error.h"
#include "search/wall_images.h"

namespace areia {

inline void check_inserted(const Scene& scene, const Periodicity& periodicity, std::size_t w, const Pose& pose,
                           std::int64_t id, const Vec3d& x, double radius, double time) {
  const double overlap = radius - wall_distance(periodicity, scene.walls[w], pose, x, radius);
  const double most = scene.settings.numerics.max_overlap;
  if (overlap > most * radius)
    throw StoppedError(
        fmt::format("the wall `{}` appears at t = {:.9g} s where particle {} at ({:.6g}, {:.6g}, {:.6g}) with radius "
                    "{:.6g} m overlaps it by {:.6g} m, more than {:g} of the radius; let it appear elsewhere, or later",
                    scene.walls[w].name, time, id, x.x, x.y, x.z, radius, overlap, most));
}

}  // namespace areia
