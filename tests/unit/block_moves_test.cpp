// Blocks of pairs in and out of the columns, with lanes and whole vectors that are not felt.
#include "engine/cpu/block_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/random.h"

using namespace areia;
using namespace areia::cpu;

namespace {

using B = ContactBlock;

// Pairs of few particles, so that a particle has several in one vector.
class BlockMovesTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kParticles = 12;

  void make(bool whole_vectors_only) {
    auto vector = [&] { return random_.uniform(Vec3d{-1, -1, -1}, Vec3d{1, 1, 1}); };
    auto with = [](const Vec3d& a, double w) { return Vec4{a.x, a.y, a.z, w}; };
    state_.moving.resize(kParticles);
    state_.spin.resize(kParticles);
    for (std::uint32_t p = 0; p < kParticles; ++p) {
      state_.position(p) = with(vector(), random_.uniform(0.1, 0.6));
      state_.velocity(p) = with(vector(), random_.uniform());
      state_.spin[p] = with(vector(), random_.uniform());
    }
    felt_ = 0;
    bool empty = false;
    for (int k = 0; k < kBlock; ++k) {
      if (k % kLanes == 0) empty = random_.uniform() < 0.4;
      i_[k] = static_cast<std::uint32_t>(random_.uniform(0, kParticles));
      j_[k] = (i_[k] + 1 + static_cast<std::uint32_t>(random_.uniform(0, kParticles - 1))) % kParticles;
      const bool felt = !empty && (whole_vectors_only || random_.uniform() < 0.3);
      felt_ |= static_cast<std::uint32_t>(felt) << k;
      block_.of[B::kTouch][k] = felt;
      for (const int c : {B::kForce, B::kTorqueI, B::kTorqueJ}) block_.set(k, c, vector());
    }
  }
  PairBlock pairs() { return {i_, j_, kBlock, i_, j_, partners_, partners_, felt_}; }
  bool felt(int k) const { return felt_ >> k & 1; }

  Random random_{7};
  State state_;
  ContactBlock block_;
  std::uint32_t i_[kBlock], j_[kBlock], felt_ = 0;
  alignas(16) std::uint32_t partners_[kBlock] = {};
  const BlockMoves moves_ = block_moves(false);
};

}  // namespace

TEST_F(BlockMovesTest, MotionOfEveryLaneThatIsFelt) {
  for (int trial = 0; trial < 50; ++trial) {
    make(trial % 2 == 0);
    moves_.motion(state_.velocities(), state_.spin.data(), pairs(), block_);
    for (int k = 0; k < kBlock; ++k) {
      if (!felt(k)) continue;
      EXPECT_EQ(block_.vector(k, B::kDv), state_.velocity(i_[k]).xyz() - state_.velocity(j_[k]).xyz());
      EXPECT_EQ(block_.vector(k, B::kWi), state_.spin[i_[k]].xyz());
      EXPECT_EQ(block_.vector(k, B::kWj), state_.spin[j_[k]].xyz());
      EXPECT_EQ(block_.of[B::kMi][k], state_.velocity(i_[k]).w);
      EXPECT_EQ(block_.of[B::kMj][k], state_.velocity(j_[k]).w);
      EXPECT_EQ(block_.of[B::kJi][k], state_.spin[i_[k]].w);
      EXPECT_EQ(block_.of[B::kJj][k], state_.spin[j_[k]].w);
    }
  }
}

// By every width of vectors the same as in plain words, bit by bit: in a box that repeats and in one that does not, and
// where a coordinate is not a number.
TEST_F(BlockMovesTest, EveryWidthSeesTheSameOfPairs) {
  Periodicity box;
  box.on = {true, false, true};
  box.low = {-1, -1, -1};
  box.length = {2, 2, 1.5};
  const auto columns = [&](bool periodic, VectorWidth width) {
    const BlockMoves moves = block_moves(periodic, width);
    ContactBlock block = block_;
    for (auto& column : block.of) std::fill(std::begin(column), std::end(column), 0.0);
    const std::uint32_t touching = moves.approach(state_.positions(), pairs(), box, block);
    std::vector<double> seen{static_cast<double>(touching)};
    const auto see = [&](int c) { seen.insert(seen.end(), std::begin(block.of[c]), std::end(block.of[c])); };
    for (int c = B::kD; c < B::kDv; ++c) see(c);
    see(B::kTouch);
    moves.motion(state_.velocities(), state_.spin.data(), pairs(), block);
    for (int k = 0; k < kBlock; ++k)
      for (int c = B::kDv; c < B::kCi; ++c)
        if (felt(k)) seen.push_back(block.of[c][k]);
    return seen;
  };
  bool any = false, all = true;
  for (int trial = 0; trial < 100; ++trial) {
    make(trial % 2 == 0);
    if (trial % 10 == 9) state_.position(3).y = std::numeric_limits<double>::quiet_NaN();
    for (const bool periodic : {false, true}) {
      const std::vector<double> plain = columns(periodic, VectorWidth::plain);
      any = any || plain[0] > 0, all = all && plain[0] == ~0u;
      for (const VectorWidth width : {VectorWidth::avx2, VectorWidth::avx512}) {
        if (width > widest_vectors()) continue;
        const std::vector<double> wide = columns(periodic, width);
        ASSERT_EQ(wide.size(), plain.size());
        EXPECT_EQ(std::memcmp(wide.data(), plain.data(), plain.size() * sizeof(double)), 0)
            << "trial " << trial << (periodic ? ", periodic" : "");
      }
    }
  }
  EXPECT_TRUE(any && !all);  // some touch, some do not
}

// Of each pair the particle with the lower id is i; lanes behind the last pair repeat it.
TEST(PairList, LowerIdsComeFirst) {
  const std::vector<std::uint32_t> id{7, 3, 9, 1, 5};
  PairList list;
  for (std::uint32_t a = 0; a < 5; ++a)
    for (std::uint32_t b = a + 1; b < 5; ++b) list.i.push_back(a), list.j.push_back(b);
  list.close(id, 1);
  ASSERT_EQ(list.count, 10);
  ASSERT_EQ(list.i.size(), std::size_t{kBlock});
  std::uint32_t k = 0;
  for (std::uint32_t a = 0; a < 5; ++a)
    for (std::uint32_t b = a + 1; b < 5; ++b, ++k) {
      EXPECT_LT(id[list.i[k]], id[list.j[k]]);
      EXPECT_EQ(list.low(k), a);
      EXPECT_EQ(list.high(k), b);
    }
  for (; k < kBlock; ++k) EXPECT_TRUE(list.i[k] == list.i[9] && list.j[k] == list.j[9]);
}

namespace {

// Sums of particles 0 .. kParticles, and letters, as whole numbers one by one.
struct Pushed {
  LineVector<Push> sums, letters;
  std::vector<LargeTerm> large;
};

bool same(const LineVector<Push>& a, const LineVector<Push>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Push)) == 0;
}
bool same(const std::vector<LargeTerm>& a, const std::vector<LargeTerm>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LargeTerm& c, const LargeTerm& d) {
    return c.slot == d.slot && c.component == d.component && c.amount == d.amount;
  });
}

}  // namespace

// By every width of vectors the same as one by one: forces that fit their grid and forces that do not, lanes that are
// felt and lanes that are not, partners in the chunk, elsewhere and walls.
TEST_F(BlockMovesTest, PushesAreThoseOfOneLaneAfterTheOther) {
  bool any_large = false;
  for (const double size : {1.0, 0.4})  // of the largest numbers that fit: with 0.4 some forces do not
    for (int trial = 0; trial < 50; ++trial) {
      make(trial % 2 == 0);
      const ForceGrid grid{Grid(size), Grid(size)};
      for (const VectorWidth width : {VectorWidth::plain, VectorWidth::avx2, VectorWidth::avx512}) {
        if (width > widest_vectors()) continue;
        const BlockMoves moves = block_moves(false, width);
        const auto run = [&](BlockMoves::PushBlock* push) {
          Pushed p;
          p.sums.resize(kParticles);
          p.letters.assign(kBlock, Push{{1, 2, 3, 4}, {5, 6, 7, 8}});
          push(block_, pairs(), {grid, p.sums.data(), p.large}, p.letters.data());
          return p;
        };
        Pushed here, there, wall;
        here.sums.resize(kParticles), there.sums.resize(kParticles), wall.sums.resize(kParticles);
        there.letters.resize(kBlock);
        for (int k = 0; k < kBlock; ++k) {
          if (!felt(k)) continue;
          const Vec3d f = block_.vector(k, B::kForce);
          const Vec3d on_i = block_.vector(k, B::kTorqueI), on_j = block_.vector(k, B::kTorqueJ);
          const bool i_here = i_[k] < j_[k];
          add_push(grid, i_[k], f, on_i, here.sums[i_[k]], here.large);
          add_push(grid, j_[k], -f, on_j, here.sums[j_[k]], here.large);
          add_push(grid, i_[k], f, on_i, i_here ? there.sums[i_[k]] : there.letters[k], there.large);
          add_push(grid, j_[k], -f, on_j, i_here ? there.letters[k] : there.sums[j_[k]], there.large);
          add_push(grid, i_[k], f, on_i, wall.sums[i_[k]], wall.large);
        }
        const Pushed given = run(moves.give), sent = run(moves.send), at_wall = run(moves.give_at_wall);
        EXPECT_TRUE(same(given.sums, here.sums) && same(given.large, here.large));
        EXPECT_TRUE(same(sent.sums, there.sums) && same(sent.large, there.large) && same(sent.letters, there.letters));
        EXPECT_TRUE(same(at_wall.sums, wall.sums) && same(at_wall.large, wall.large));
        any_large = any_large || !given.large.empty();
        EXPECT_TRUE(size < 1 || given.large.empty());
      }
    }
  EXPECT_TRUE(any_large);
}
