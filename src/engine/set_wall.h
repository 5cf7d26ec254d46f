// A wall whose velocity was set while it ran: where it was then, and how it goes on from there.
#pragma once
#include <optional>
#include <vector>

#include "areia/archive.h"
#include "scene/motion.h"

namespace areia {

struct SetWall {
  Pose from;                    // by what had moved it until then
  Vec3d velocity, spin, point;  // m/s; rad/s about the axis through the point
  double since = 0;             // s

  // It stands where it was, turns about where the axis was then, and is carried along after that.
  Motion motion() const;
};

// Into an archive, and out of it for so many walls. Throws FileError.
void save_set_walls(const std::vector<std::optional<SetWall>>& walls, Archive& a);
std::vector<std::optional<SetWall>> read_set_walls(const Archive& a, std::size_t walls);

}  // namespace areia
