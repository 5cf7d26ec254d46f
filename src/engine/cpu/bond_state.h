// Bonds of the cpu backend. They go by particle ids; slots are looked up when the lists are made.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "areia/frame.h"
#include "core/grid_sum.h"
#include "engine/bond_work.h"

namespace areia::cpu {

struct BondState {
  std::vector<Bond> all;                      // in the order they were made
  std::vector<BondNow> now;                   // of the last evaluation
  std::vector<std::uint32_t> slot_i, slot_j;  // of the ends; slot_j unused at a wall
  std::vector<std::uint32_t> row, entry;  // entries of slot i: row[i] .. row[i + 1]; each 2 * bond, + 1 where i is j
  std::vector<std::uint32_t> to_walls;    // bonds to walls, in their order
  std::vector<std::uint64_t> apart;       // pairs that the present lists leave out, sorted; see key()
  std::vector<FrameBreak> breaks;
  std::vector<BondBookingOf<GridSum>> sums;  // of a step, per block of bonds
  std::vector<std::uint8_t> gone, any_gone;  // broken in this step: per bond, per block
  bool relist = false;                       // a pair that was left out may touch again

  bool empty() const { return all.empty(); }
  static std::uint64_t key(std::uint64_t i, std::uint64_t j) { return i < j ? i << 32 | j : j << 32 | i; }
  static std::uint64_t wall_key(std::uint64_t i, std::uint64_t wall) { return key(i, 0xffffffffu - wall); }
  bool are_apart(std::uint64_t pair) const { return std::binary_search(apart.begin(), apart.end(), pair); }
};

}  // namespace areia::cpu
