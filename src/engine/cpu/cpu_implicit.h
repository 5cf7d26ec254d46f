// What the cpu backend keeps while it tries an implicit step: the committed state, and the work space of the sweeps.
// All arrays keep their capacity, so that sweeps allocate nothing from the second step on.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/cpu/state.h"
#include "motion/implicit_driver.h"

namespace areia::cpu {

struct KeptPairs {
  std::vector<std::uint32_t> touching;
  LineVector<double> history;
};

struct KeptList {
  std::vector<KeptPairs> own, across;
  std::vector<std::int32_t> walls;  // places in the pool
  MeshList meshes;                  // without candidates
  ContactPool pool;
};

struct KeptChunk {
  std::vector<KeptList> lists;
  std::vector<LetterPlace> inbox;
  LedgerSums sums;
  double moved2 = 0;
};

struct ImplicitRun {
  ImplicitRun(const Implicit& settings, double dt) : driver(settings, dt) {}

  ImplicitDriver driver;
  bool forces_known = false;  // state.pushed is that of the committed state

  // the committed state, by slot
  LineVector<Twin> moving, pushed;
  LineVector<Vec4> spin;
  LineVector<Quat> orientation;
  std::vector<Vec3d> outer, drag, distant;
  std::vector<std::uint16_t> contacts_before;
  std::vector<KeptChunk> chunks;
  std::vector<WallState> walls;
  Vec3d gravity;
  LedgerSums carried;

  // by id, of the committed state, for the ledger: tangential contact forces, and torques of bonds
  std::vector<Vec3d> friction, friction_new, bond_torque, bond_torque_new;

  std::vector<Vec3d> a, b;          // accelerations of the committed state
  std::vector<Vec3d> magnetic;      // part of a
  std::vector<Vec3d> a_new, b_new;  // of the iterate
  std::vector<Vec3d> turn;          // of the iterate since the committed state, alpha_D
  std::vector<Sweep> part;          // by chunk
  std::vector<std::uint32_t> by_id;
};

}  // namespace areia::cpu
