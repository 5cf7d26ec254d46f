// The particles of the reference backend in the order of their ids, its contacts in a map, its bonds in a list: nothing
// but the physical state.
#pragma once
#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "areia/frame.h"
#include "motion/explicit_step.h"
#include "physics/interaction.h"
#include "scene/bond.h"
#include "scene/wall_hits.h"

namespace areia::reference {

struct Particle {
  std::int64_t id = 0;
  Vec3d x;  // in the box of a periodic domain
  Pace<double> velocity;
  Quat q{1, 0, 0, 0};
  double radius = 0, mass = 0, charge = 0;
  double own_inv_j = 0;  // 1/j once it is free; 0: it does not turn
  std::uint16_t material = 0, group = 0, set = 0;
  bool prescribed = false;
  Vec3d placed_x;  // where its motion starts from, while it is prescribed
  Quat placed_q{1, 0, 0, 0};
  Pace<double> old;             // rates of the last evaluation (velocity_verlet); trapezoid: v - a dt/2 moved it
  Vec3d force, torque;          // of contacts and bonds at the last evaluation
  Vec3d field, drag, distant;   // of the other forces
  std::uint16_t contacts = 0;   // how many it had then
  Vec3d friction, bond_torque;  // trapezoid, for the ledger: in the committed state

  double inv_m() const { return prescribed ? 0 : 1 / mass; }
  double inv_j() const { return prescribed ? 0 : own_inv_j; }
};

struct Key {
  std::int64_t i, j;         // ids, i < j; j = -1 at a wall
  std::int32_t wall, patch;  // -1, 0 for a pair
  std::int32_t k = 0;        // tells contacts of one patch apart, in the order of sort_out
  auto operator<=>(const Key&) const = default;
};

struct Record {
  std::array<double, kMostHistory> history{};
  WallMemory place;  // at a wall
};

struct State {
  std::vector<Particle> particles;  // by id
  std::map<Key, Record> contacts;
  std::vector<Bond> bonds;        // in the order they were made
  std::vector<Vec3d> bond_force;  // on i, of the last evaluation
  std::vector<FrameBreak> breaks;

  Particle* find(std::int64_t id) {
    const auto at = std::lower_bound(particles.begin(), particles.end(), id,
                                     [](const Particle& p, std::int64_t other) { return p.id < other; });
    return at != particles.end() && at->id == id ? &*at : nullptr;
  }
  const Particle* find(std::int64_t id) const { return const_cast<State*>(this)->find(id); }
};

}  // namespace areia::reference
