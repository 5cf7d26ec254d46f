// What formulas ask of a number besides + - * / and comparisons, for double. Another number type (core/pack.h) brings
// its own overloads, found by argument lookup; its comparisons give masks, and select() takes them.
#pragma once
#include <cmath>
#include <cstdint>

#include "areia/portable.h"
#include "areia/vec3.h"

namespace areia {

AREIA_PORTABLE inline double select(bool c, double a, double b) { return c ? a : b; }
AREIA_PORTABLE inline bool any_of(bool c) { return c; }
AREIA_PORTABLE inline double max_of(double a, double b) { return a > b ? a : b; }
AREIA_PORTABLE inline double min_of(double a, double b) { return a < b ? a : b; }
AREIA_PORTABLE inline double sqrt_of(double a) { return std::sqrt(a); }

template <class M, class T>
AREIA_PORTABLE Vec3<T> select(const M& c, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(c, a.x, b.x), select(c, a.y, b.y), select(c, a.z, b.z)};
}

// A double is 1 sign, 11 bits of exponent + 1023 and 52 bits of fraction. 2^52 + n, for a whole n below 2^52, has n as
// its fraction: so whole numbers pass between the bits and the arithmetic without a conversion, which not every
// processor has for vectors.
inline constexpr int kFractionBits = 52;
inline constexpr std::int64_t kFraction = (std::int64_t{1} << kFractionBits) - 1;
inline constexpr std::int64_t kExponentOfOne = std::int64_t{1023} << kFractionBits;
inline constexpr std::int64_t kExponentOfWhole = std::int64_t{1023 + kFractionBits} << kFractionBits;
inline constexpr double kWhole = 0x1p52, kWholeAndBias = 0x1p52 + 1023;

// For x > 0, x = mantissa 2^exponent with 1 <= mantissa < 2; subnormal numbers must be scaled before.
AREIA_PORTABLE inline double exponent_of(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(std::int64_t, x) >> kFractionBits | kExponentOfWhole) -
         kWholeAndBias;
}
AREIA_PORTABLE inline double mantissa_of(double x) {
  return __builtin_bit_cast(double, (__builtin_bit_cast(std::int64_t, x) & kFraction) | kExponentOfOne);
}
// 2^n for whole n from -1022 to 1023.
AREIA_PORTABLE inline double two_to(double n) {
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, n + kWholeAndBias) << kFractionBits);
}

// The nearest whole number, for |x| < 2^51; of two that are as near, the even one.
template <class T>
AREIA_PORTABLE T nearest(const T& x) {
  constexpr double kShift = 1.5 * kWhole;
  return (x + T(kShift)) - T(kShift);
}

}  // namespace areia
