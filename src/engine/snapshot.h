// A physical checkpoint: all that the next step depends on, and nothing of how an engine finds or stores it. Particles
// by id, contacts by who touches whom, bonds, walls, the ledger, counters. No lists, slots, chunks or limits: any
// engine goes on from it, with the same bits.
//
//   Snapshot s; ... ; write(std::move(s), archive)         an engine fills it when it saves
//   const Snapshot s = read_snapshot(archive, scene)       and takes it over when it loads
//
// What does not fit the scene is told by a FileError that says what.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"
#include "engine/world.h"
#include "scene/bond.h"
#include "scene/wall_hits.h"

namespace areia {

// One entry per particle that is there, by ascending id. Columns marked "or none" may be empty, and are when they are
// written, where no particle has any: so the same state makes the same checkpoint, whichever engine wrote it.
struct SnapshotParticles {
  std::vector<std::int64_t> id;
  std::vector<Vec3d> x, v, w;
  std::vector<Quat> q;
  std::vector<double> radius, mass;
  std::vector<double> inv_j;   // 1/j once it is free; 0: it does not turn
  std::vector<double> charge;  // or none
  std::vector<std::uint16_t> material, group, set;
  std::vector<std::uint8_t> prescribed;  // or none
  std::vector<Vec3d> placed_x;           // where the motion of a prescribed one starts from, 0 of others; or none
  std::vector<Quat> placed_q;
  std::vector<Vec3d> old_acceleration, old_turning;  // velocity_verlet and trapezoid; or none
  std::vector<Vec3d> force, torque;                  // of contacts and bonds at the last evaluation
  std::vector<Vec3d> field, drag, distant;           // of the other forces; or none
  std::vector<std::uint16_t> contacts;               // how many it had then
  std::vector<Vec3d> friction, bond_torque;          // trapezoid, for the ledger: in the committed state; or none

  std::size_t size() const { return id.size(); }
};

// By (i, j), (i, wall, patch, k). Histories follow one another, `numbers` of each; vectors in them are those of i, the
// lower id, against j.
struct SnapshotContacts {
  std::vector<std::int64_t> i, j;  // ids; j = -1 at a wall
  std::vector<std::int32_t> wall, patch;
  std::vector<std::int32_t> k;  // tells contacts of one patch apart, in the order of sort_out
  std::vector<std::int32_t> numbers;
  std::vector<double> history;
  std::vector<WallMemory> place;  // of contacts with walls alone, in their order

  std::size_t size() const { return i.size(); }
};

struct SnapshotBonds {
  std::vector<Bond> all;     // in the order they were made
  std::vector<Vec3d> force;  // on i, of the last evaluation
  std::vector<FrameBreak> breaks;
};

struct SnapshotImplicit {
  std::vector<double> driver;  // ImplicitDriver::saved(); empty with an explicit scheme
  bool forces_known = false;   // of the committed state
};

struct Snapshot {
  SnapshotParticles particles;
  SnapshotContacts contacts;
  SnapshotBonds bonds;
  WorldState world;
  SnapshotImplicit implicit;
};

// How many of each there are that a snapshot speaks of by number.
struct SnapshotShape {
  std::size_t materials = 0, groups = 0, sets = 0, walls = 0, bond_sets = 0;
  bool cell = false;  // the state of a periodic cell that deforms is there, too
};

// Column by column; each is freed when it is written.
void write(Snapshot&& snapshot, Archive& archive);
Snapshot read_snapshot(const Archive& archive, const SnapshotShape& shape);
Snapshot read_snapshot(const Archive& archive, const Scene& scene);

}  // namespace areia
