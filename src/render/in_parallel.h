// Pieces of a picture on all cores: f(begin, end) for stretches of `length` numbers below `count`.
#pragma once
#include <cstdint>

#include "core/cores.h"
#include "core/team.h"

namespace areia {

template <class F>
void in_parallel(std::int64_t count, std::int64_t length, F&& f) {
  Team team(usable_cores().count);
  team.for_each_piece(count, length, [&](std::int64_t begin, std::int64_t end, int) { f(begin, end); });
}

}  // namespace areia
