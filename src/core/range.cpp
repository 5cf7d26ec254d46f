#include "core/range.h"

#include <fmt/format.h>

#include <cmath>

namespace areia {

std::string Range::text() const {
  const bool below = std::isfinite(min), above = std::isfinite(max);
  if (below && above) return fmt::format("must be in {}{}, {}{}", open_min ? "(" : "[", min, max, open_max ? ")" : "]");
  if (below && min == 0) return open_min ? "must be positive" : "must not be negative";
  if (below) return fmt::format("must be {} {}", open_min ? "greater than" : "at least", min);
  if (above) return fmt::format("must be {} {}", open_max ? "less than" : "at most", max);
  return "";
}

}  // namespace areia
