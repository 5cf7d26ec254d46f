// Which pairs of a chunk's neighbour lists are near now.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/cpu/state.h"

namespace areia::cpu {

// Pairs of one list while they are picked: those that touch and those that do not.
struct Picked {
  struct Part {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> i, j;
  };
  Part part[2];
};

// Those whose surfaces are at most `gap` and `steps` steps of both at their limits apart, in the order of the lists:
// own pairs and pairs across chunks in turn, for each ordered pair of materials.
void pick(const Chunk& chunk, const State& state, std::size_t materials, const Periodicity& periodicity, double gap,
          double steps, std::vector<Picked>& lists);
// The same without vectors.
void pick_plain(const Chunk& chunk, const State& state, std::size_t materials, const Periodicity& periodicity,
                double gap, double steps, std::vector<Picked>& lists);

}  // namespace areia::cpu
