// The number of a cell as a whole number. Places and edges may be so extreme that it has none: cells beyond 2^62, and
// what is not a number, are one with the last that can be counted.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace areia {

inline constexpr double kMostCells = 0x1p62;  // along an axis

inline std::int64_t cell_number(double place_over_edge) {
  return static_cast<std::int64_t>(std::max(-kMostCells, std::min(kMostCells, std::floor(place_over_edge))));
}

}  // namespace areia
