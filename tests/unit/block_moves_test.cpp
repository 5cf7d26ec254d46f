// Blocks of pairs in and out of the columns, with lanes and whole vectors that are not felt.
#include "engine/cpu/block_moves.h"

#include <gtest/gtest.h>

#include <cstring>

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
  PairBlock pairs() const { return {i_, j_, kBlock, 0, 0, felt_}; }
  bool felt(int k) const { return felt_ >> k & 1; }
  Vec4 row(int k, int column, double sign, double w) const {
    const Vec3d a = block_.vector(k, column);
    return {sign * a.x, sign * a.y, sign * a.z, w};
  }
  static void expect_same(const Vec4& a, const Vec4& b) { EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0); }

  Random random_{7};
  State state_;
  ContactBlock block_;
  std::uint32_t i_[kBlock], j_[kBlock], felt_ = 0;
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

TEST_F(BlockMovesTest, LettersOfLanesThatAreFelt) {
  LineVector<Letter> letters(2 * kBlock);
  for (int trial = 0; trial < 50; ++trial) {
    make(trial % 2 == 0);
    const Letter old{{1, 2, 3, 4}, {5, 6, 7, 8}};
    std::fill(letters.begin(), letters.end(), old);
    moves_.write(block_, pairs(), letters.data());
    for (int k = 0; k < kBlock; ++k) {
      if (!felt(k)) continue;
      expect_same(letters[2 * k].force, row(k, B::kForce, 1, 1));
      expect_same(letters[2 * k].torque, row(k, B::kTorqueI, 1, 0));
      expect_same(letters[2 * k + 1].force, row(k, B::kForce, -1, 1));
      expect_same(letters[2 * k + 1].torque, row(k, B::kTorqueJ, 1, 0));
    }
  }
}
