// Numbers that come out of the C library's exp, log, pow or acos may differ in the last bit from one CPU to the next,
// because the library picks its code by CPU. Where such a number enters a run while it is set up it is rounded to 40
// bits first, which takes that difference away unless the number lies next to the middle between two of them, one time
// in thousands; the 1e-12 this costs is far below the accuracy of the formulas. What acts on every step does not leave
// it to chance and takes its functions from core/elementary.h.
#pragma once
#include <cmath>

namespace areia {

inline double rounded(double a) {
  if (!std::isfinite(a)) return a;
  int exponent = 0;
  const double mantissa = std::frexp(a, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 40)), exponent - 40);
}

}  // namespace areia
