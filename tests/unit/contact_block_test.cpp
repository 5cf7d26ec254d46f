// Blocks of contacts in vector registers: the bits do not depend on the width of the vectors.
#include <gtest/gtest.h>

#include <cstring>

#include "core/random.h"
#include "engine/cpu/contact_block.h"
#include "physics/laws.h"

using namespace areia;
using namespace areia::cpu;

namespace {

template <class Law>
ContactBlock<Law> random_block(Random& random) {
  using B = ContactBlock<Law>;
  B block{};
  block.count = kBlock;
  for (int k = 0; k < kBlock; ++k) {
    auto vector = [&](double size) { return random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size}); };
    block.in.set(k, B::kD, (random.uniform(0.0195, 0.02)) * unit(vector(1)));
    for (int c : {B::kVi, B::kVj}) block.in.set(k, c, vector(1));
    for (int c : {B::kWi, B::kWj}) block.in.set(k, c, vector(20));
    for (int c : {B::kRi, B::kRj}) block.in.of[c][k] = 0.01;
    for (int c : {B::kMi, B::kMj}) block.in.of[c][k] = random.uniform() < 0.1 ? 0.0 : random.uniform(10, 100);
    block.in.of[B::kMi][k] += 1;  // one of them moves
    for (int c : {B::kJi, B::kJj}) block.in.of[c][k] = random.uniform(0, 1e6);
    for (int c : {B::kCi, B::kCj}) block.in.of[c][k] = static_cast<int>(random.uniform(0, 8));
    for (int h = 0; h < Law::kHistory; ++h) block.history.of[h][k] = random.uniform(-1e-5, 1e-4);
  }
  return block;
}

template <class Law>
void expect_same_bits(const typename Law::Pair& p) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    ContactBlock<Law> narrow = random_block<Law>(random), wide = narrow;
    const double share = trial % 2 ? 0.5 : 0.0;
    evaluate_block<Law, true>(p, 1e-5, share, kBlock, narrow);
    evaluate_block_avx2<Law, true>(p, 1e-5, share, kBlock, wide);
    ASSERT_EQ(std::memcmp(narrow.out.of, wide.out.of, sizeof narrow.out.of), 0);
    ASSERT_EQ(std::memcmp(narrow.history.of, wide.history.of, sizeof narrow.history.of), 0);
  }
}

}  // namespace

TEST(ContactBlock, SameBitsAtEveryVectorWidth) {
  // a processor without AVX2 has one width only and nothing to compare
  if (!__builtin_cpu_supports("avx2")) return;
  Material m{.name = "m", .density = 2500, .young = 1e7, .poisson = 0.3};
  ContactPair pair;
  pair.normal = {"hertz", {{"xi", 0.2}}, {}};
  pair.tangential = {"coulomb_history", {{"mu", 0.4}, {"xi", 0.1}}, {}};
  pair.rolling = {"constant", {{"mu", 0.1}}, {}};
  using Full = Interaction<Hertz, CoulombHistory, RollingConstant>;
  expect_same_bits<Full>(Full::prepare(pair, {m, m}));
  pair.tangential.words["projection"] = "rotate";
  expect_same_bits<Full>(Full::prepare(pair, {m, m}));
  pair.normal = {"linear", {{"stiffness", 1e4}, {"beta", 0.2}}, {}};
  using Plain = Interaction<Linear, NoFriction, NoRolling>;
  expect_same_bits<Plain>(Plain::prepare(pair, {m, m}));
}
