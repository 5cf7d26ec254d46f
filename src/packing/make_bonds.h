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

// What the cement of a joint follows from: the smaller radius of the two bodies (at a wall that of the particle), the
// distance of their centres (of the centre from the wall), and 1/m*.
struct JointSize {
  double radius = 0, length = 0, inv_m_star = 0;
};
double cement_radius(const BondSet& set, double smaller_radius);  // 0: the set has none
BondLaw law_of(const BondSet& set, const JointSize& joint);       // of one anchor

// The bonds of a set, by (i, j), then by anchor. Pairs of a list whose particles are not there are left out.
std::vector<Bond> make_bonds(const Scene& scene, std::size_t set, const BondableBodies& bodies);

}  // namespace areia
