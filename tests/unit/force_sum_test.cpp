// Sums of forces in quanta: no order, opposite forces that cancel exactly, terms of any size, and the way back to
// doubles.
#include "engine/force_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "core/aligned.h"
#include "engine/cpu/pushes.h"

namespace areia::cpu {
namespace {

struct Term {
  Vec3d force, torque;
};

// Of sizes over 40 powers of ten: most fit a grid for 1, some do not.
std::vector<Term> random_terms(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-20, 15), rare(0, 1);
  const auto number = [&] { return mantissa(random) * (rare(random) < 0.1 ? std::pow(10, exponent(random)) : 1); };
  std::vector<Term> terms(count);
  for (Term& t : terms) t = {{number(), number(), number()}, {number(), number(), number()}};
  return terms;
}

Twin settled(const ForceGrid& grid, const std::vector<Term>& terms) {
  LineVector<Twin> place(1);
  auto& push = reinterpret_cast<Push&>(place[0]);
  push = {};
  std::vector<LargeTerm> large;
  for (const Term& t : terms) add_push(grid, 7, t.force, t.torque, push, large);
  const std::vector<LargeForce> with_large = sums_with(large, grid, place.data(), 7);
  settle(grid, place.data(), 1);
  put(with_large, place.data(), 7);
  return place[0];
}

bool same(const Twin& a, const Twin& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(ForceSum, HasNoOrderAndIsThatOfTheReferenceEngine) {
  std::mt19937_64 random(3);
  const ForceGrid grid{Grid(1), Grid(0.01)};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Term> terms = random_terms(30, random);
    const Twin sum = settled(grid, terms);
    ForceSum plain;
    for (const Term& t : terms) plain.add(grid, t.force, t.torque);
    EXPECT_EQ(sum.first.xyz(), plain.force(grid));
    EXPECT_EQ(sum.second.xyz(), plain.torque(grid));
    EXPECT_EQ(sum.second.w, 30);
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_TRUE(same(settled(grid, terms), sum));
  }
}

TEST(ForceSum, OppositeTermsCancelExactly) {
  std::mt19937_64 random(4);
  const ForceGrid grid{Grid(1), Grid(1)};
  std::vector<Term> terms = random_terms(100, random);
  for (std::size_t k = 0; k < 100; ++k) terms.push_back({-terms[k].force, -terms[k].torque});
  const Twin sum = settled(grid, terms);
  EXPECT_EQ(sum.first.xyz(), Vec3d{});
  EXPECT_EQ(sum.second.xyz(), Vec3d{});
}

// A term is off by half a quantum at most, and a quantum is 2^-50 or 2^-51 of the size that the grid was made for.
TEST(ForceSum, IsAsGoodAsItsQuantum) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const ForceGrid grid{Grid(1), Grid(1)};
  EXPECT_EQ(grid.force.quantum, 0x1p-50);
  for (int trial = 0; trial < 100; ++trial) {
    ForceSum sum;
    ExactSum exact;
    for (int k = 0; k < 12; ++k) {
      const double a = number(random);
      sum.add(grid, {a, 0, 0}, {});
      exact += a;
    }
    EXPECT_NEAR(sum.force(grid).x, exact.value(), 12 * 0.5 * grid.force.quantum);
  }
}

// Whole numbers up to 63 bits become doubles as the processor would make them one by one.
TEST(ForceSum, SettlesAnyWholeNumber) {
  std::mt19937_64 random(6);
  const ForceGrid grid{Grid(1e-3), Grid(1e5)};
  LineVector<Twin> wide(4000);
  for (Twin& place : wide) {
    auto& push = reinterpret_cast<Push&>(place);
    const auto number = [&] { return static_cast<std::int64_t>(random()) >> random() % 64; };
    push = {{number(), number(), number(), 0}, {number(), number(), number(), static_cast<std::int64_t>(random() % 9)}};
  }
  LineVector<Twin> plain = wide;
  settle(grid, wide.data(), wide.size());
  settle_plain(grid, plain.data(), plain.size());
  EXPECT_EQ(std::memcmp(wide.data(), plain.data(), wide.size() * sizeof(Twin)), 0);
}

TEST(ForceSum, WhatNoSumHoldsIsNotANumber) {
  const ForceGrid grid{Grid(1), Grid(1)};
  const double none = std::numeric_limits<double>::quiet_NaN(), most = std::numeric_limits<double>::infinity();
  for (const double a : {none, most, -most, 1e30})
    EXPECT_TRUE(std::isnan(settled(grid, {{{1, 0, 0}, {}}, {{a, 0, 0}, {}}}).first.x)) << a;
  EXPECT_EQ(settled(grid, {{{1e12, 0, 0}, {}}, {{1, 0, 0}, {}}}).first.x, 1e12 + 1);
  // very many of the largest that fit could leave 64 bits
  EXPECT_EQ(settled(grid, std::vector<Term>(4000, {{1.99, 0, 0}, {}})).second.w, 4000);
  EXPECT_TRUE(std::isnan(settled(grid, std::vector<Term>(5000, {{1.99, 0, 0}, {}})).first.x));
  EXPECT_NEAR(settled(grid, std::vector<Term>(5000, {{0.1, 0, 0}, {}})).first.x, 500, 1e-9);
}

}  // namespace
}  // namespace areia::cpu
