// From bodies in their places to the bonds of a set. The engines call it at the start and when a stage begins.
#pragma once
#include <cstdint>
#include <vector>

#include "scene/bond.h"
#include "scene/scene.h"

namespace areia {

// What bonds are made from: particles in the order of ids, and walls.
struct BondableBodies {
  std::vector<std::int64_t> id;
  std::vector<Vec3d> x;
  std::vector<Quat> q;
  std::vector<double> radius, inv_m;
  std::vector<std::uint16_t> group;
  std::vector<Pose> wall;
  std::vector<std::uint8_t> wall_present;
};
BondableBodies bodies_at_start(const Scene& scene);

// The bonds of a set, by (i, j), then by anchor. Pairs of a list whose particles are not there are left out.
std::vector<Bond> make_bonds(const Scene& scene, std::size_t set, const BondableBodies& bodies);

}  // namespace areia
