// Our own powers, roots and logarithms against 113 bits, and in lanes against one number at a time.
#include "core/elementary.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstring>

#include "core/pack.h"
#include "core/random.h"

using namespace areia;
using Exact = boost::multiprecision::cpp_bin_float_quad;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLeastNormal = 0x1p-1022, kLeastNumber = 0x1p-1074;

// Distance in units in the last place of the exact result.
double ulps(double got, const Exact& exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  return static_cast<double>(abs(Exact(got) - exact) / std::ldexp(1.0, std::max(exponent, -1021) - 53));
}

// Arguments of any size, near 1, and subnormal.
double some_argument(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.1) return kLeastNumber * std::floor(random.uniform(1, 0x1p52));
  if (kind < 0.3) return 1 + random.uniform(-1e-3, 1e-3);
  if (kind < 0.6) return random.uniform(0, 4);
  return random.uniform(1, 2) * two_to(std::floor(random.uniform(-1022, 1024)));
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

template <int W>
void expect_scalar_bits() {
  Random random(9);
  for (int trial = 0; trial < 5000; ++trial) {
    alignas(64) double x[W], power[W], root[W], logarithm[W];
    for (double& a : x) {
      const double kind = random.uniform();
      a = kind < 0.05 ? 0 : kind < 0.1 ? kInfinite : kind < 0.15 ? -1 : kind < 0.2 ? NAN : some_argument(random);
    }
    const double e = trial % 10 == 0 ? 0.5 * (trial / 10 % 6) : random.uniform(-8, 8);
    const Pack<W> lanes = Pack<W>::load(x);
    power_of(lanes, e).store(power);
    cbrt_of(lanes).store(root);
    log_of(lanes).store(logarithm);
    for (int k = 0; k < W; ++k) {
      ASSERT_TRUE(same_bits(power[k], power_of(x[k], e))) << x[k] << " " << e;
      ASSERT_TRUE(same_bits(root[k], cbrt_of(x[k]))) << x[k];
      ASSERT_TRUE(same_bits(logarithm[k], log_of(x[k]))) << x[k];
    }
  }
}

}  // namespace

TEST(Elementary, PowersAreWithinTheErrorThatIsStated) {
  Random random(1);
  double worst = 0, worst_subnormal = 0, worst_three_halves = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const double x = some_argument(random);
    // exponents of laws, and such that results fill the range of doubles
    const double e = trial % 2 == 0 ? random.uniform(-10, 10) : random.uniform(-1074, 1024) / std::log2(x);
    const Exact exact = pow(Exact(x), Exact(e));
    const double rounded_exact = static_cast<double>(exact);
    if (rounded_exact == 0 || rounded_exact == kInfinite) EXPECT_EQ(power_of(x, e), rounded_exact) << x << " " << e;
    else if (rounded_exact < kLeastNormal) worst_subnormal = std::max(worst_subnormal, ulps(power_of(x, e), exact));
    else worst = std::max(worst, ulps(power_of(x, e), exact));
    if (x > 1e-200 && x < 1e200)
      worst_three_halves = std::max(worst_three_halves, ulps(power_of(x, 1.5), pow(Exact(x), Exact(1.5))));
  }
  EXPECT_LT(worst, 0.62);
  EXPECT_LT(worst_subnormal, 1);
  EXPECT_LT(worst_three_halves, 1.3);
}

TEST(Elementary, CubeRootsAndLogarithmsAreWithinTheErrorThatIsStated) {
  Random random(2);
  double worst_root = 0, worst_log = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const double x = some_argument(random);
    worst_root = std::max(worst_root, ulps(cbrt_of(x), cbrt(Exact(x))));
    if (x != 1) worst_log = std::max(worst_log, ulps(log_of(x), log(Exact(x))));
  }
  EXPECT_LT(worst_root, 0.51);
  EXPECT_LT(worst_log, 0.51);
}

TEST(Elementary, ExactWhereTheResultIsADouble) {
  for (int n = 1; n <= 200; ++n) {
    const double x = n / 8.0;
    EXPECT_EQ(cbrt_of(x * x * x), x);
    EXPECT_EQ(power_of(x, 3), x * x * x);
    EXPECT_EQ(power_of(x * x, 2.5), x * x * x * x * x);
    EXPECT_EQ(power_of(x * x * x * x, 0.25), x);
  }
  for (int n = -1022; n <= 1023; ++n) {
    EXPECT_EQ(power_of(2.0, n), std::ldexp(1.0, n)) << n;
    EXPECT_EQ(log2_in_two_parts(std::ldexp(1.0, n)).high, n);
    if (n % 3 == 0) { EXPECT_EQ(cbrt_of(std::ldexp(1.0, n)), std::ldexp(1.0, n / 3)); }
  }
  EXPECT_EQ(power_of(2.0, -1074), kLeastNumber);
  EXPECT_EQ(power_of(kLeastNumber, 1.0 / 1074), 0.5);
  EXPECT_EQ(log_of(1.0), 0);
}

TEST(Elementary, EdgesAreThoseOfTheMathematics) {
  EXPECT_EQ(power_of(0.0, 0.3), 0);
  EXPECT_EQ(power_of(0.0, 0), 1);
  EXPECT_EQ(power_of(0.0, -0.3), kInfinite);
  EXPECT_EQ(power_of(kInfinite, 0.3), kInfinite);
  EXPECT_EQ(power_of(kInfinite, -0.3), 0);
  EXPECT_EQ(power_of(1e300, 1e10), kInfinite);
  EXPECT_EQ(power_of(1e300, -1e10), 0);
  EXPECT_EQ(power_of(1e-300, 1e200), 0);
  EXPECT_EQ(power_of(1.0, 1e200), 1);
  EXPECT_TRUE(std::isnan(power_of(-1.0, 0.3)));
  EXPECT_TRUE(std::isnan(power_of(NAN, 0.3)));
  EXPECT_EQ(cbrt_of(0.0), 0);
  EXPECT_EQ(cbrt_of(kInfinite), kInfinite);
  EXPECT_TRUE(std::isnan(cbrt_of(-8.0)));
  EXPECT_TRUE(std::isnan(cbrt_of(NAN)));
  EXPECT_EQ(log_of(0.0), -kInfinite);
  EXPECT_EQ(log_of(kInfinite), kInfinite);
  EXPECT_TRUE(std::isnan(log_of(-1.0)));
  EXPECT_TRUE(std::isnan(log_of(NAN)));
}

TEST(Elementary, LanesHaveTheScalarBits) {
  expect_scalar_bits<2>();
  expect_scalar_bits<4>();
  expect_scalar_bits<8>();
}

// Literal bits: another compiler or machine that gives others fails here.
TEST(Elementary, BitsAreTheSameOnEveryMachine) {
  std::uint64_t hash = 14695981039346656037u;
  Random random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const double x = some_argument(random), e = random.uniform(-8, 8);
    for (const double y : {power_of(x, e), cbrt_of(x), log_of(x)})
      hash = (hash ^ __builtin_bit_cast(std::uint64_t, y)) * 1099511628211u;
  }
  EXPECT_EQ(hash, 1497401221314561482u);
}
