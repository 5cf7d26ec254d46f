// Exact sums against whole numbers of many digits, and in any order.
#include "core/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <random>

namespace areia {
namespace {

using Whole = boost::multiprecision::cpp_int;

// In units of 2^-1074.
Whole whole(double a) {
  int exponent = 0;
  const double fraction = std::frexp(a, &exponent);
  const int shift = exponent - 53 + 1074;
  Whole n = static_cast<long long>(std::ldexp(fraction, 53));
  if (shift >= 0) n <<= shift;
  else n /= Whole(1) << -shift;  // subnormal: the bits that go are zero
  return n;
}

// Of a number of terms: the nearest double is one whose distance is at most that of its neighbours.
void expect_nearest(const Whole& right, double value) {
  const Whole off = abs(right - whole(value));
  for (const double to : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}) {
    const double other = std::nextafter(value, to);
    if (!std::isfinite(other)) continue;
    const Whole far = abs(right - whole(other));
    EXPECT_LE(off, far);
    if (off == far) { EXPECT_EQ(std::bit_cast<std::uint64_t>(value) % 2, 0u) << "ties go to even"; }
  }
}

double any_double(std::mt19937_64& random, int lowest, int highest) {
  const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(highest - lowest + 1));
  const double a = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52), exponent);
  return random() % 2 ? a : -a;
}

TEST(ExactSum, IsTheNearestDoubleInAnyOrder) {
  std::mt19937_64 random(1);
  for (const auto& [lowest, highest] : {std::pair{-30, 30}, {-1074, -1000}, {-1074, 1000}, {900, 1010}, {0, 0}})
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> terms;
      for (std::size_t k = 0; k < 1 + trial % 60u; ++k) terms.push_back(any_double(random, lowest, highest));
      if (trial % 3 == 0)  // heavy cancellation
        for (std::size_t k = terms.size(); k-- > 1;) terms.push_back(-terms[k]);
      Whole right = 0;
      ExactSum sum;
      for (const double a : terms) {
        right += whole(a);
        sum.add(a);
      }
      expect_nearest(right, sum.value());
      std::shuffle(terms.begin(), terms.end(), random);
      ExactSum parts[3], joined;
      for (const double a : terms) parts[random() % 3].add(a);
      for (const ExactSum& p : parts) joined += p;
      EXPECT_EQ(joined.value(), sum.value());
      ExactSum again;
      for (const double a : sum.parts()) again.add(a);
      again.add(-terms[0]);
      joined.add(-terms[0]);
      EXPECT_EQ(again.value(), joined.value());
    }
}

TEST(ExactSum, Corners) {
  EXPECT_EQ(ExactSum().value(), 0);
  EXPECT_TRUE(ExactSum().parts().empty());
  ExactSum s;
  s.add(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(s.value(), std::numeric_limits<double>::denorm_min());
  s.add(1e308);
  s.add(1e308);
  EXPECT_TRUE(std::isinf(s.value()));
  s.add(-1e308);
  EXPECT_EQ(s.value(), 1e308);
  s.add(-1e308);
  EXPECT_EQ(s.value(), std::numeric_limits<double>::denorm_min());
  s.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(s.value()));
}

TEST(ExactSum, WholeMultiplesOfAPowerOfTwo) {
  for (const __int128 n : {static_cast<__int128>(1) << 100, -(static_cast<__int128>(12345) << 70) - 7, static_cast<__int128>(-3)}) {
    ExactSum s;
    s.add_whole(n, -90);
    for (int bit = 0; bit < 127; ++bit)
      if ((n < 0 ? -n : n) >> bit & 1) s.add(std::ldexp(n < 0 ? 1.0 : -1.0, bit - 90));
    EXPECT_EQ(s.value(), 0);
  }
}

}  // namespace
}  // namespace areia
