// Ranges of numbers, as the tables of laws, keys and shapes give them.
#pragma once
#include <limits>
#include <string>

namespace areia {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
  double min = -kInfinity, max = kInfinity;
  bool open_min = false, open_max = false;  // the end itself is excluded

  bool contains(double v) const { return (open_min ? v > min : v >= min) && (open_max ? v < max : v <= max); }
  std::string text() const;  // "must be in (0, 1]", "must be positive"; "" when everything is allowed
};

inline constexpr Range kPositive{0, kInfinity, true, false};
inline constexpr Range kNotNegative{0, kInfinity, false, false};

}  // namespace areia
