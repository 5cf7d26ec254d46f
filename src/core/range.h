// Ranges of numbers, as the tables of laws, keys and shapes give them.
#pragma once
#include <cmath>
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

// Numbers of a case are bounded so that squares, cubes and products of a few of them stay finite.
inline constexpr double kLargestNumber = 1e100;
inline bool is_usable(double v) { return std::fabs(v) <= kLargestNumber; }  // no if it is not a number
inline constexpr const char* kUsableRule = "must be a finite number, at most 1e100";

inline constexpr Range kPositive{0, kInfinity, true, false};
inline constexpr Range kNotNegative{0, kInfinity, false, false};

}  // namespace areia
