// A particle adds its letters by ascending id of their writers, whatever the order in which they are known.
#include "engine/cpu/inbox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "core/aligned.h"

namespace areia::cpu {
namespace {

struct Sent {
  std::uint32_t slot, id;
  LetterPlace place;
  bool touching;
};

// Letters of particles 100 .. 140, own and shared ones, up to 30 for one particle: more than there are loops for.
class InboxTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kBegin = 100, kCount = 40;

  void SetUp() override {
    std::uniform_real_distribution<double> number(-1, 1);
    LetterPlace next[2] = {kFirstLetter, 0};
    for (std::uint32_t k = 0; k < kCount; ++k)
      for (std::uint32_t n = 0; n < (k < 31 ? k : 3); ++n) {
        const bool shared = random_() % 3 == 0;
        sent_.push_back({kBegin + k, static_cast<std::uint32_t>(random_() >> 32),
                         next[shared]++ | (shared ? kShared : 0), random_() % 4 != 0});
      }
    for (int kind = 0; kind < 2; ++kind) {
      letters_[kind].resize(next[kind]);
      for (std::size_t l = kind == 0 ? kFirstLetter : 0; l < next[kind]; ++l)
        letters_[kind][l] = {{number(random_), number(random_), 1e10 * number(random_), 1},
                             {number(random_), 1e-10 * number(random_), number(random_), 0}};
    }
  }
  Inbox made() {
    Inbox inbox;
    shared_at_.resize(letters_[1].size());
    inbox.make(kBegin, kCount, static_cast<std::uint32_t>(letters_[0].size()), shared_at_, [&](auto&& deliver) {
      for (const Sent& s : sent_) deliver(s.slot, s.id, s.place, s.touching);
    });
    return inbox;
  }
  LineVector<Twin> expected() {
    LineVector<Twin> sum(kCount);
    std::vector<Sent> sorted = sent_;
    std::sort(sorted.begin(), sorted.end(), [](const Sent& a, const Sent& b) { return a.id < b.id; });
    for (const Sent& s : sorted) {
      if (!s.touching) continue;
      const Letter& l = letters_[(s.place & kShared) != 0][s.place & ~kShared];
      sum[s.slot - kBegin].first += l.force;
      sum[s.slot - kBegin].second += l.torque;
    }
    return sum;
  }
  void expect_sums(const Inbox& inbox) {
    const LineVector<Twin> right = expected();
    LineVector<Twin> sum(kCount, Twin{{1, 2, 3, 4}, {5, 6, 7, 8}}), plain = sum;
    inbox.sum(letters_[0].data(), letters_[1].data(), sum.data());
    inbox.sum_plain(letters_[0].data(), letters_[1].data(), plain.data());
    EXPECT_EQ(std::memcmp(sum.data(), right.data(), kCount * sizeof(Twin)), 0);
    EXPECT_EQ(std::memcmp(plain.data(), right.data(), kCount * sizeof(Twin)), 0);
  }

  std::mt19937_64 random_{5};
  std::vector<Sent> sent_;
  LineVector<Letter> letters_[2];
  std::vector<std::uint32_t> shared_at_;
};

TEST_F(InboxTest, SumsByAscendingIdInAnyOrderOfDelivery) {
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(sent_.begin(), sent_.end(), random_);
    expect_sums(made());
  }
}

TEST_F(InboxTest, PairsComeToTouchAndPart) {
  Inbox inbox = made();
  for (int change = 0; change < 200; ++change) {
    Sent& s = sent_[random_() % sent_.size()];
    s.touching = !s.touching;
    inbox.set(s.place, s.touching, shared_at_);
    if (change % 20 == 0) expect_sums(inbox);
  }
}

}  // namespace
}  // namespace areia::cpu
