// A sum of doubles that does not depend on the order of its terms.
//
// All doubles are whole multiples of 2^-1074, so their sum is a whole number of that unit. It is kept in digits of 32
// bits, each in a word of 64: a term is added to three of them and carries are left for later. The value is the exact
// sum, rounded once. Sums of parts may be made anywhere, by threads, devices or ranks, and joined in any order.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "areia/portable.h"

namespace areia {

class ExactSum {
 public:
  static constexpr int kDigits = 68;  // 2098 bits of the range of doubles, and room above

  // f(place, n): n is to be added to the digit at this place; up to three of them. False: infinite or not a number.
  template <class F>
  AREIA_PORTABLE static bool spread(double a, F&& f) {
    const auto bits = __builtin_bit_cast(std::uint64_t, a);
    const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) [[unlikely]]
      return false;
    std::uint64_t digits = bits & 0xfffffffffffff;
    unsigned place = 0;  // of the last bit, counted from 2^-1074
    if (exponent > 0) {
      digits |= std::uint64_t{1} << 52;
      place = exponent - 1;
    }
    const unsigned shift = place % 32;
    const std::uint64_t low = digits << shift, high = shift > 0 ? digits >> (64 - shift) : 0;
    const int at = static_cast<int>(place / 32);
    // minus a number is its complement plus one: -1 for a negative term, 0 else
    const std::int64_t sign = -static_cast<std::int64_t>(bits >> 63);
    f(at, (static_cast<std::int64_t>(low & kDigit) ^ sign) - sign);
    f(at + 1, (static_cast<std::int64_t>(low >> 32) ^ sign) - sign);
    f(at + 2, (static_cast<std::int64_t>(high) ^ sign) - sign);
    return true;
  }
  void add(double a) {
    if (!spread(a, [this](int place, std::int64_t n) { digit_[place] += n; })) [[unlikely]] {
      strange_ += a;  // and so is the sum
      return;
    }
    if (++terms_ == kMostTerms) [[unlikely]]
      settle();
  }
  // Digits to which others have added what spread() told them, of fewer than kMostTerms terms.
  void add_digits(const std::int64_t* digits) {
    settle();
    for (int k = 0; k < kDigits; ++k) digit_[k] += digits[k];
    settle();
  }
  ExactSum& operator+=(double a) {
    add(a);
    return *this;
  }
  ExactSum& operator-=(double a) { return *this += -a; }
  // n * 2^exponent, for exponents of normal numbers.
  void add_whole(__int128 n, int exponent) {
    const bool negative = n < 0;
    auto left = static_cast<unsigned __int128>(negative ? -n : n);
    for (; left != 0; left >>= 48, exponent += 48)
      add((negative ? -1 : 1) *
          std::ldexp(static_cast<double>(static_cast<std::uint64_t>(left) & 0xffffffffffff), exponent));
  }
  ExactSum& operator+=(const ExactSum& other) {
    if (terms_ + other.terms_ >= kMostTerms) settle();
    for (int k = 0; k < kDigits; ++k) digit_[k] += other.digit_[k];
    terms_ += other.terms_;
    if (terms_ >= kMostTerms) settle();
    strange_ += other.strange_;
    return *this;
  }
  // The sum, rounded to the nearest double, to the even one of two.
  double value() const {
    if (strange_ != 0) return strange_;
    ExactSum s = *this;
    s.settle();
    const bool negative = s.digit_[kDigits - 1] < 0;
    if (negative) {
      for (std::int64_t& d : s.digit_) d = -d;
      s.settle();
    }
    int top = kDigits - 1;
    while (top > 2 && s.digit_[top] == 0) --top;
    // 64 bits from the highest one on, and below them whether there is anything
    const auto digit = [&](int k) { return static_cast<std::uint64_t>(s.digit_[k]); };
    const unsigned __int128 three =
        static_cast<unsigned __int128>(digit(top)) << 64 | digit(top - 1) << 32 | digit(top - 2);
    std::uint64_t head = static_cast<std::uint64_t>(three);
    int shift = 0;
    if (const auto high = static_cast<std::uint64_t>(three >> 64); high != 0) {
      shift = 64 - std::countl_zero(high);
      head = static_cast<std::uint64_t>(three >> shift);
      if ((three & ((static_cast<unsigned __int128>(1) << shift) - 1)) != 0) head |= 1;
    }
    for (int k = 0; k < top - 2; ++k)
      if (s.digit_[k] != 0) head |= 1;
    const double a = std::ldexp(static_cast<double>(head), 32 * (top - 2) + shift - 1074);
    return negative ? -a : a;
  }
  // Doubles whose exact sum this is: the value, then what it lacks, and so on.
  std::vector<double> parts() const {
    std::vector<double> all;
    for (ExactSum rest = *this;;) {
      const double a = rest.value();
      if (a == 0) return all;
      all.push_back(a);
      if (!std::isfinite(a)) return all;
      rest.add(-a);
    }
  }

 private:
  static constexpr std::int64_t kDigit = 0xffffffff;
  static constexpr std::uint32_t kMostTerms = 1u << 30;

  // Brings all digits but the last into 0 .. 2^32 - 1.
  void settle() {
    for (int k = 0; k + 1 < kDigits; ++k) {
      digit_[k + 1] += digit_[k] >> 32;
      digit_[k] &= kDigit;
    }
    terms_ = 1;
  }

  std::array<std::int64_t, kDigits> digit_{};
  std::uint32_t terms_ = 0;
  double strange_ = 0;
};

}  // namespace areia
