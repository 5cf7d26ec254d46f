#include "core/team.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace areia {
namespace {

TEST(Team, DoesEveryPieceOnceJobAfterJob) {
  for (const int threads : {1, 2, 3, 8}) {
    Team team(threads);
    EXPECT_EQ(team.size(), threads);
    for (int job = 0; job < 300; ++job) {
      const std::int64_t count = job % 40;
      std::vector<int> done(count, 0), by(threads, 0);
      team.for_each(count, [&](std::int64_t k, int member) {
        ++done[k];
        ++by[member];
      });
      for (const int n : done) EXPECT_EQ(n, 1);
      EXPECT_EQ(std::accumulate(by.begin(), by.end(), 0), count);
    }
  }
}

TEST(Team, PiecesOfConsecutiveNumbers) {
  Team team(3);
  std::vector<int> done(1000, 0);
  team.for_each_piece(1000, 64, [&](std::int64_t begin, std::int64_t end, int) {
    EXPECT_LE(end - begin, 64);
    for (std::int64_t k = begin; k < end; ++k) ++done[k];
  });
  for (const int n : done) EXPECT_EQ(n, 1);
}

TEST(Team, AnExceptionOfAPieceComesOutAndTheTeamGoesOn) {
  Team team(4);
  for (int job = 0; job < 20; ++job) {
    EXPECT_THROW(team.for_each(50,
                               [](std::int64_t k, int) {
                                 if (k == 17) throw std::runtime_error("piece 17");
                               }),
                 std::runtime_error);
    std::atomic<int> done{0};
    team.for_each(50, [&](std::int64_t, int) { ++done; });
    EXPECT_EQ(done, 50);
  }
}

}  // namespace
}  // namespace areia
