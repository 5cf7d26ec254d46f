// Near pairs are the same ones with and without vectors.
#include "engine/cpu/pick.h"

#include <gtest/gtest.h>

#include <random>

namespace areia::cpu {
namespace {

TEST(Pick, FindsTheSamePairsWithVectors) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(0, 1), size(0.02, 0.08);
  State state;
  for (int k = 0; k < 300; ++k) {
    state.moving.push_back({{place(random), place(random), place(random), size(random)}, {0, 0, 0, 1}});
    state.material.push_back(0);
    state.limit.push_back(static_cast<float>(0.1 * size(random)));
  }
  Chunk chunk;
  chunk.begin = 40;
  chunk.end = 170;
  chunk.row = {0};
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {  // rows of all lengths, some of them empty
    for (std::uint32_t j = i + 1; j < 300; ++j)
      if (random() % 10 < i % 10) chunk.near.push_back(j);
    chunk.row.push_back(static_cast<std::uint32_t>(chunk.near.size()));
  }
  const Periodicity open{}, periodic{{true, false, true}, {0, 0, 0}, {1, 1, 1}};
  for (const Periodicity& p : {open, periodic}) {
    std::vector<Picked> plain, fast;
    pick_plain(chunk, state, 1, p, 0.02, 3, plain);
    pick(chunk, state, 1, p, 0.02, 3, fast);
    ASSERT_EQ(plain.size(), 2u);
    ASSERT_EQ(fast.size(), 2u);
    for (int list = 0; list < 2; ++list)
      for (int part = 0; part < 2; ++part) {
        const Picked::Part &a = plain[list].part[part], &b = fast[list].part[part];
        EXPECT_GT(a.count, 10u);
        ASSERT_EQ(a.count, b.count);
        for (std::uint32_t k = 0; k < a.count; ++k) {
          ASSERT_EQ(a.i[k], b.i[k]);
          ASSERT_EQ(a.j[k], b.j[k]);
          ASSERT_EQ(a.j[k] >= chunk.end, list == 1);
        }
      }
  }
}

}  // namespace
}  // namespace areia::cpu
