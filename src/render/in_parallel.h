// Pieces of a picture on all cores: f(begin, end) for stretches of `length` numbers below `count`. Within a piece the
// work is done by its thread alone, so that several pictures at once take a core each.
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/cores.h"
#include "core/team.h"

namespace areia {

inline thread_local bool within_parallel = false;

template <class F>
void in_parallel(std::int64_t count, std::int64_t length, F&& f) {
  if (within_parallel || count <= length) {
    for (std::int64_t begin = 0; begin < count; begin += length) f(begin, std::min(count, begin + length));
    return;
  }
  Team team(usable_cores().count);
  team.for_each_piece(count, length, [&](std::int64_t begin, std::int64_t end, int) {
    struct Within {
      Within() { within_parallel = true; }
      ~Within() { within_parallel = false; }
    } within;
    f(begin, end);
  });
}

}  // namespace areia
