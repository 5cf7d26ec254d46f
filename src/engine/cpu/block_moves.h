// Blocks of pairs in and out of the columns: what the laws read of the particles, and where their forces go. Written
// for vectors of 256 and of 512 bits and in plain words; all do the same operations in the same order.
#pragma once
#include "core/vector_width.h"
#include "engine/cpu/contact_block.h"
#include "engine/cpu/state.h"

namespace areia::cpu {

// A block of pairs, and what follows it: partners lie anywhere in memory, so those of the next block are asked for
// while this one is at work, a few at a time. Asked for all at once they would have to wait for each other.
struct PairBlock {
  const std::uint32_t *i, *j;
  int lanes;
  const std::uint32_t *next_i, *next_j;  // the next block, or this if it is the last
  std::uint32_t* partners;               // of it, the higher slots: made by approach()
  const std::uint32_t* next_felt;        // these, or any others if it has no contacts
  std::uint32_t felt = ~0u;              // one bit per lane; vectors with none are left out, but for their distances
};

// Where forces go.
struct PushTargets {
  const ForceGrid& grid;
  Push* sums;  // by slot
  std::vector<LargeTerm>& large;
};

struct BlockMoves {
  // Distance vectors, radii and the column kTouch; which lanes touch, one bit each: nearer than the sum of the radii.
  std::uint32_t (*approach)(const Half<const Vec4>& position, const PairBlock& pairs, const Periodicity& periodicity,
                            ContactBlock& block);
  // Velocities, spins, reciprocal masses and inertias, of kLanes lanes if any of them is felt.
  void (*motion)(const Half<const Vec4>& velocity, const Vec4* spin, const PairBlock& pairs, ContactBlock& block);
  using PushBlock = void(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters);
  // Adds what the lanes with kTouch feel to the sums of i and of j ...
  PushBlock* give;
  // ... the same where the one with the higher slot is in another chunk: it gets letters, lane k that at k, empty ones
  // from lanes without kTouch ...
  PushBlock* send;
  // ... and of i alone.
  PushBlock* give_at_wall;
};

BlockMoves block_moves(bool periodic, VectorWidth width = widest_vectors());

// Adds the bookings of lanes that touch to the block's sums; `used` has one bit per column.
void book(ContactBlock& block, int lanes, unsigned used);

}  // namespace areia::cpu
