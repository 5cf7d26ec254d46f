// Near pairs are those that the limits allow to touch, the same ones with and without vectors.
#include "engine/cpu/pick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace areia::cpu {
namespace {

// Wherever the box is and however large: a place has 32 bits.
TEST(Pick, FindsAllNearPairsAndTheSameOnesWithVectors) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(0, 1), size(0.02, 0.08);
  for (const double from : {0.0, -1e4})
    for (const std::size_t materials : {1, 2}) {
      State state;
      for (int k = 0; k < 300; ++k) {
        state.moving.push_back(
            {{from + place(random), from + place(random), from + place(random), size(random)}, {0, 0, 0, 1}});
        state.material.push_back(static_cast<std::uint16_t>(random() % materials));
        state.limit.push_back(static_cast<float>(0.1 * size(random)));
        state.id.push_back(static_cast<std::uint32_t>(k));
      }
      std::shuffle(state.id.begin(), state.id.end(), random);
      Chunk chunk;
      chunk.begin = 40;
      chunk.end = 170;
      chunk.row = {0};
      for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {  // rows of all lengths, some of them empty
        for (std::uint32_t j = i + 1; j < 300; ++j)
          if (random() % 10 < i % 10) chunk.near.push_back(j);
        chunk.row.push_back(static_cast<std::uint32_t>(chunk.near.size()));
      }
      chunk.near.resize(chunk.near.size() + kBehindRows);
      const Vec3d low{from, from, from}, high{from + 1, from + 1, from + 1};
      const Periodicity open{}, periodic{{true, false, true}, low, {1, 1, 1}};
      for (const Periodicity& p : {open, periodic}) {
        Places places(state.size(), low, high, p);
        for (std::size_t k = 0; k < state.size(); ++k) {
          Vec4 x = state.position(k);
          if (p.on[0] && k % 7 == 0) x.x += k % 2 ? 1 : -1;  // not yet brought back into the box
          places.set(k, x);
        }
        std::vector<Picked> plain, fast;
        pick_plain(chunk, places, state, materials, 0.02, 3, plain);
        pick(chunk, places, state, materials, 0.02, 3, fast);
        ASSERT_EQ(plain.size(), 2 * materials * materials);
        ASSERT_EQ(fast.size(), plain.size());
        std::vector<std::uint64_t> found;
        for (std::size_t list = 0; list < plain.size(); ++list)
          for (int part = 0; part < 2; ++part) {
            const Picked::Part &a = plain[list].part[part], &b = fast[list].part[part];
            EXPECT_GT(a.count, 0u);
            ASSERT_EQ(a.count, b.count);
            for (std::uint32_t k = 0; k < a.count; ++k) {
              ASSERT_EQ(a.low[k], b.low[k]);
              ASSERT_EQ(a.high[k], b.high[k]);
              ASSERT_EQ(a.high[k] >= chunk.end, list % 2 == 1);
              const bool in_order = state.id[a.low[k]] < state.id[a.high[k]];
              const std::uint32_t low = in_order ? a.low[k] : a.high[k], high = in_order ? a.high[k] : a.low[k];
              ASSERT_EQ(state.material[low] * materials + state.material[high], list / 2);
              found.push_back(std::uint64_t{a.low[k]} << 32 | a.high[k]);
            }
          }
        std::sort(found.begin(), found.end());
        std::size_t near = 0;
        for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
          for (std::uint32_t e = chunk.row[i - chunk.begin]; e < chunk.row[i - chunk.begin + 1]; ++e) {
            const std::uint32_t j = chunk.near[e];
            const double gap = norm(p.nearest(state.position(j).xyz() - state.position(i).xyz())) -
                               state.position(i).w - state.position(j).w,
                         reach = 0.02 + 3 * (double{state.limit[i]} + state.limit[j]);
            const bool is_found = std::binary_search(found.begin(), found.end(), std::uint64_t{i} << 32 | j);
            if (gap <= reach) {
              ++near;
              EXPECT_TRUE(is_found) << i << ", " << j;
            }
            if (gap > reach + 1e-5) { EXPECT_FALSE(is_found) << i << ", " << j; }
          }
        EXPECT_GT(near, 100u);
      }
    }
}

}  // namespace
}  // namespace areia::cpu
