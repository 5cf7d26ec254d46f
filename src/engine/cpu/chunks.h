// All chunks, and the threads that work on them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/team.h"
#include "engine/cpu/chunk.h"

namespace areia::cpu {

struct Chunks {
  explicit Chunks(int threads) : team(threads) {}

  mutable Team team;
  std::vector<Chunk> all;
  std::uint32_t chunk_size = 64;  // particles of each but the last ...
  std::uint32_t missing = 0;      // ... and the first, which has so many fewer

  std::size_t number_of(std::size_t slot) const { return (slot + missing) / chunk_size; }
  Chunk& of(std::size_t slot) { return all[number_of(slot)]; }
  std::size_t index(const Chunk& chunk) const { return &chunk - all.data(); }

  // On all threads, in any order; f touches its own chunk only.
  template <class F>
  void for_each(F&& f) {
    team.for_each(static_cast<std::int64_t>(all.size()), [&](std::int64_t k, int) { f(all[k]); });
  }
  // f(chunk, part) with a part for each thread, and their sum.
  template <class Part, class F>
  Part sum(F&& f) const {
    std::vector<Part> parts(team.size());
    team.for_each(static_cast<std::int64_t>(all.size()), [&](std::int64_t k, int member) { f(all[k], parts[member]); });
    for (std::size_t k = 1; k < parts.size(); ++k) parts[0] += parts[k];
    return parts[0];
  }
};

}  // namespace areia::cpu
