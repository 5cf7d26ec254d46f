// A bond between two particles, or a particle and a wall: plain data, and what the ledger remembers of it.
#pragma once
#include <cstdint>

#include "core/rotation.h"
#include "physics/bond.h"
#include "physics/bond_strength.h"
#include "scene/motion.h"

namespace areia {

// Forces that acted in the last kick, and where the anchors were.
struct BondKick {
  BondForce force;
  Vec3d anchor_i, anchor_j;
  double energy = 0;  // of the spring
};

struct Bond {
  std::int64_t i = 0, j = -1;       // ids, i < j; j = -1 at a wall
  std::int32_t wall = -1, set = 0;  // index of the wall or -1; index into Case::bonds
  Vec3d a_i, a_j;                   // anchors in the bodies' frames
  Vec3d axis;                       // at a wall: from i towards it, in its frame
  BondLaw law;
  BondStrength strength;
  BondKick last;

  bool has_axis() const { return !law.same_in_all_directions() || strength.by_direction(); }
};

// A body at one end. A wall has its pose's centre of rotation for x.
struct BondBody {
  Vec3d x;
  Quat q{1, 0, 0, 0};
  Vec3d v, w;            // for the force
  Vec3d v_move, w_move;  // with which it moved since the last evaluation
  double inv_m = 0, inv_j = 0;
};

inline BondBody bond_body(const Pose& wall) {
  const Vec3d x = wall.center + wall.shift;
  return {x, wall.q, wall.v, wall.w, wall.v, wall.w, 0, 0};
}

}  // namespace areia
