// Sums without an order: exact ones against whole numbers of many digits, and those on a grid against these.
#include "core/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <random>

#include "core/grid_sum.h"

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
  for (const __int128 n :
       {static_cast<__int128>(1) << 100, -(static_cast<__int128>(12345) << 70) - 7, static_cast<__int128>(-3)}) {
    ExactSum s;
    s.add_whole(n, -90);
    for (int bit = 0; bit < 127; ++bit)
      if ((n < 0 ? -n : n) >> bit & 1) s.add(std::ldexp(n < 0 ? 1.0 : -1.0, bit - 90));
    EXPECT_EQ(s.value(), 0);
  }
}

// Terms far below, around and far above the size of the grid, and no grid at all.
TEST(GridSum, HasNoOrderAndLosesNoLargeTerm) {
  std::mt19937_64 random(2);
  for (const double size : {1.0, 1e-200, 1e200, 0.0, 1e-300}) {
    std::vector<double> terms;
    for (int k = 0; k < 500; ++k) terms.push_back((size > 0 ? size : 1) * any_double(random, -60, 4));
    ExactSum exact;
    for (const double a : terms) exact.add(a);
    GridSum first{Grid(size)};
    FineSum first_fine{FineGrid(size)};
    for (const double a : terms) {
      first += a;
      first_fine.add(a);
    }
    EXPECT_NEAR(first.value(), exact.value(), 500 * 4.5e-16 * size);
    EXPECT_NEAR(first_fine.value(), exact.value(), 4e-16 * (std::fabs(exact.value()) + size));
    for (int trial = 0; trial < 10; ++trial) {
      std::shuffle(terms.begin(), terms.end(), random);
      GridSum part[2] = {GridSum(Grid(size)), GridSum(Grid(size))};
      FineSum fine{FineGrid(size)};
      for (const double a : terms) {
        part[random() % 2] += a;
        fine.add(a);
      }
      part[0] += part[1];
      EXPECT_EQ(part[0].value(), first.value());
      EXPECT_EQ(GridSum(Grid(size), part[0].parts()).value(), first.value());
      EXPECT_EQ(fine.value(), first_fine.value());
    }
  }
}

// What does not fit and what does are told apart in one way, at both ends of the range.
TEST(GridSum, EndsOfTheRange) {
  const Grid grid(1);  // up to 2
  const double limit = std::ldexp(1, 1);
  for (const double a : {limit, -limit, std::nextafter(limit, 0), std::nextafter(-limit, 0), std::nextafter(limit, 9),
                         std::nextafter(-limit, -9), 0.0, -0.0}) {
    GridSum sum(grid);
    sum += a;
    EXPECT_NEAR(sum.value(), a, std::ldexp(limit, -52)) << a;
    sum -= a;
    EXPECT_NEAR(sum.value(), 0, std::ldexp(limit, -52)) << a;  // one of the two may be rounded, the other not fit
  }
  GridSum sum(grid);
  sum += std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(sum.value()));
}

}  // namespace
}  // namespace areia
