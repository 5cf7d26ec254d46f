// Blocks of pairs in and out of the columns: what the laws read of the particles, and where their forces go. Written
// for 256-bit vectors and in plain words; both do the same operations in the same order.
#pragma once
#include "engine/cpu/contact_block.h"
#include "engine/cpu/state.h"

namespace areia::cpu {

struct Nearness {  // one bit per lane
  std::uint32_t touching, deep;
};

// A block of pairs, and what follows it: partners lie anywhere in memory, so those of the next block are asked for
// while this one is at work, a few at a time. Asked for all at once they would have to wait for each other.
struct PairBlock {
  const std::uint32_t *i, *j;
  int lanes;
  std::ptrdiff_t next = 0;       // lanes from here to the next block; 0 if this is the last
  std::ptrdiff_t next_felt = 0;  // likewise, if that has contacts
  std::uint32_t felt = ~0u;      // one bit per lane; vectors with none are left out, but for their distances
};

struct BlockMoves {
  // Distance vectors, radii and the column kTouch. Touching: nearer than the sum of the radii; deep: overlapping by
  // more than `max_overlap` of the smaller one.
  Nearness (*approach)(const Half<const Vec4>& position, const PairBlock& pairs, const Periodicity& periodicity,
                       double max_overlap, ContactBlock& block);
  // Velocities, spins, reciprocal masses and inertias, of kLanes lanes if any of them is felt.
  void (*motion)(const Half<const Vec4>& velocity, const Vec4* spin, const PairBlock& pairs, ContactBlock& block);
  // Writes the letters of vectors with a lane that is felt: that of lane k to i at 2 k, to j at 2 k + 1.
  void (*write)(const ContactBlock& block, const PairBlock& pairs, Letter* letters);
};

BlockMoves block_moves(bool periodic);

// Adds the bookings of lanes that touch to the block's sums; `used` has one bit per column.
void book(ContactBlock& block, int lanes, unsigned used);

}  // namespace areia::cpu
