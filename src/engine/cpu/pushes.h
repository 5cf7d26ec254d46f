// Sums of forces and torques in the cpu backend, in quanta (engine/force_sum.h). While contacts are evaluated a
// particle's place in State::pushed holds whole numbers, which any contact of its chunk adds to at once; contacts
// across chunks write letters that its chunk adds afterwards. settle() then makes forces of them, in place.
#pragma once
#include <cstdint>
#include <vector>

#include "core/vec4.h"
#include "engine/force_sum.h"

namespace areia::cpu {

struct [[gnu::may_alias]] alignas(32) Quanta {
  std::int64_t x = 0, y = 0, z = 0, w = 0;
};

struct [[gnu::may_alias]] alignas(64) Push {
  Quanta force, torque;  // w of the torque counts contacts
};

// A component of more than 2^51 quanta; so that it may be added in 128 bits.
struct LargeTerm {
  std::uint32_t slot;
  int component;  // force x, y, z, torque x, y, z
  double amount;
};

// So many terms of up to 2^51 quanta cannot leave 64 bits. A particle may have more, but not of the largest kind.
inline constexpr std::int64_t kMostSafeTerms = 4095;
inline constexpr std::int64_t kMostQuantaOfMany = std::int64_t{1} << 61;

// The force and torque of one contact on the particle in a slot.
void add_push(const ForceGrid& grid, std::uint32_t slot, const Vec3d& force, const Vec3d& torque, Push& to,
              std::vector<LargeTerm>& large);

// The places of particles, from their first one on, with numbers in quanta: their forces and torques, and in w of the
// latter the number of contacts. Those of particles with too many contacts of too large forces are not numbers.
void settle(const ForceGrid& grid, Twin* places, std::size_t count);
void settle_plain(const ForceGrid& grid, Twin* places, std::size_t count);

// What settle() would make of them with large terms, of any slots; `first` is the slot of the first place. To be put
// there afterwards.
struct LargeForce {
  std::uint32_t slot;
  int component;
  double value;
};
std::vector<LargeForce> sums_with(std::vector<LargeTerm> terms, const ForceGrid& grid, const Twin* places,
                                  std::uint32_t first);
void put(const std::vector<LargeForce>& sums, Twin* places, std::uint32_t first);

}  // namespace areia::cpu
