// Walls as plain data, as an accelerator has them: what is found there is what is found in a scene, to the bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/wall_candidates.h"
#include "engine/wall_contacts.h"
#include "wall_meetings.h"

using namespace areia;
using namespace areia::test;

namespace {

// The same walls as those of a scene, with arrays that grow.
class SceneWalls {
 public:
  explicit SceneWalls(const WallSet& walls) : periodicity_(walls.periodicity) {
    for (std::size_t w = 0; w < walls.shapes.size(); ++w) {
      scene_.walls.emplace_back();
      scene_.walls[w].shape = visit_shape(walls.shapes[w], [](const auto& s) -> WallShape { return s; });
      now_.emplace_back();
      static_cast<WallNow&>(now_[w]) = walls.states[w];
    }
  }
  WallRow row(const WallStep& step) {
    WallRow row;
    const WallView view{scene_, now_, periodicity_, nullptr};
    meet_walls(view, now_.size(), step, candidates_, work_, row);
    return row;
  }
  const Scene& scene() const { return scene_; }

 private:
  Scene scene_;
  std::vector<WallState> now_;
  Periodicity periodicity_;
  std::vector<WallCandidate> candidates_;
  WallScratch work_;
};

}  // namespace

TEST(PlainWalls, HitsAreThoseOfAScene) {
  RandomWalls random(2);
  int touching = 0, several = 0, going_on = 0, covered = 0;
  for (int set = 0; set < 800; ++set) {
    const WallSet walls = random.some_walls();
    SceneWalls scene(walls);
    for (int k = 0; k < 50; ++k) {
      const WallStep step = random.some_step(walls);
      WallRow plain;
      meet_plain_walls(walls.view(), walls.shapes.size(), step, plain);
      const WallRow whole = scene.row(step);
      ASSERT_FALSE(plain.overflowed || whole.overflowed);
      ASSERT_TRUE(is_same(plain, whole)) << set << " " << k;
      touching += plain.hits > 0;
      several += plain.hits > 1;
      covered += plain.covered > 0;
      for (int h = 0; h < plain.hits; ++h) going_on += plain.of[h * WallRow::kOfHit + 18] >= 0;
    }
  }
  EXPECT_GT(touching, 20000);
  EXPECT_GT(several, 5000);
  EXPECT_GT(going_on, 20000);
  EXPECT_GT(covered, 100);
}

// A wall that is longer than a period is met once, from whichever image is the lowest: the contacts are those of all
// its images, of which lists hold few, and those of a short period are not forgotten.
TEST(PlainWalls, LongerThanAPeriod) {
  struct Long {
    const char* what;
    Vec3d length;
    PlainShape shape;
    std::size_t most;  // candidates of a sphere
  };
  const Long all[] = {
      {"a floor of nine lengths", {1, 1, 1}, RectangleShape{{-4.3, -4.2, 0}, {9, 0, 0}, {0, 9, 0}}, 8},
      {"a floor of the box", {1, 1, 1}, RectangleShape{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 6},
      {"a floor along a short period", {2, 0.4, 1}, RectangleShape{{0, 0, 0}, {2, 0, 0}, {0, 0.4, 0}}, 6},
      {"a floor across a short period", {20, 0.4, 1}, RectangleShape{{0, 0, 0}, {20, 0, 0}, {0, 0.4, 0}}, 6},
      {"a block of five lengths", {1, 1, 1}, BoxShape{{-2.2, -2.3, -0.2}, {2.8, 2.7, 0}, {}}, 30},
      {"a pipe of six lengths", {1, 1, 1}, CylinderShape{{-3, 0.5, 0}, {3, 0.5, 0}, 0.3, false, false}, 4},
  };
  Random random(mixed_seed({5, 1}));
  for (const Long& one : all) {
    const Periodicity periodicity{{true, true, false}, {}, one.length};
    WallNow state;
    state.look();
    const PlainWallView view{&one.shape, &state, periodicity};
    int touching = 0;
    for (int k = 0; k < 400; ++k) {
      const Vec3d x = random.uniform({0, 0, -0.1}, {one.length.x, one.length.y, 0.1});
      const double radius = 0.08, skin = 0.01, reach = radius + skin;
      std::vector<WallCandidate> images, listed, turning;
      const auto patches = visit_shape(one.shape, [](const auto& s) { return patch_count(s); });
      for (std::int16_t i = -12; i <= 12; ++i)
        for (std::int16_t j = -12; j <= 12; ++j)
          for (std::int16_t patch = 0; patch < patches; ++patch) images.push_back({0, patch, {i, j, 0}, 0, 0});
      for (const bool turns : {false, true})
        for_each_near_patch(periodicity, one.shape, state, turns, x, skin, reach,
                            [&](int patch, const ShiftRange::Shift& by) {
                              (turns ? turning : listed).push_back({0, static_cast<std::int16_t>(patch), by, 0, 0});
                            });
      EXPECT_LE(listed.size(), one.most) << one.what;
      EXPECT_TRUE(std::is_sorted(turning.begin(), turning.end(),
                                 [](const auto& a, const auto& b) { return a.rank() < b.rank(); }));
      const auto hits = [&](const std::vector<WallCandidate>& candidates) {
        WallScratch work;
        find_wall_hits(
            view, candidates.data(), candidates.data() + candidates.size(), x, radius,
            [&](std::size_t) { return radius; }, work);
        return work.hits;
      };
      const std::vector<WallHit> expected = hits(images);
      touching += !expected.empty();
      for (const auto* candidates : {&listed, &turning}) {
        const std::vector<WallHit> found = hits(*candidates);
        ASSERT_EQ(found.size(), expected.size()) << one.what << " at " << x.x << " " << x.y << " " << x.z;
        for (std::size_t h = 0; h < found.size(); ++h) {
          EXPECT_EQ(found[h].distance, expected[h].distance) << one.what;
          EXPECT_EQ(found[h].n, expected[h].n) << one.what;
          EXPECT_EQ(found[h].point, expected[h].point) << one.what;
          EXPECT_EQ(found[h].image, expected[h].image) << one.what;
        }
      }
    }
    EXPECT_GT(touching, 100) << one.what;
  }
}

// Every shape but a mesh has its plain form, which is the shape.
TEST(PlainWalls, ShapesStayWhatTheyAre) {
  RandomWalls random(3);
  for (int set = 0; set < 50; ++set) {
    const WallSet walls = random.some_walls();
    const SceneWalls scene(walls);
    for (std::size_t w = 0; w < walls.shapes.size(); ++w)
      EXPECT_EQ(plain_shape(scene.scene().walls[w].shape), walls.shapes[w]);
  }
  EXPECT_FALSE(plain_shape(MeshShape{}));
}

TEST(PlainWalls, WhatFindsNoRoomIsToldOf) {
  FixedVector<int, 3> some;
  for (int k = 0; k < 3; ++k) some.push_back(k);
  EXPECT_FALSE(some.overflowed);
  EXPECT_EQ(some.erase(some.begin(), some.begin() + 1), some.begin());
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0], 1);
  some.assign(3, 7);
  EXPECT_EQ(some[2], 7);
  some.resize(1);
  some.resize(2);
  EXPECT_EQ(some[1], 0);
  EXPECT_FALSE(some.overflowed);
  some.push_back(1);
  some.push_back(2);
  EXPECT_TRUE(some.overflowed);
  EXPECT_EQ(some.size(), 3u);
  some.clear();
  EXPECT_TRUE(some.empty());
  EXPECT_TRUE(some.overflowed);

  // a corner of a box with room for two hits
  const PlainShape box = BoxShape{{0, 0, 0}, {1, 1, 1}, {}};
  WallNow state;
  state.look();
  const PlainWallView view{&box, &state, {}};
  const WallCandidate faces[] = {{0, 0}, {0, 2}, {0, 4}};
  PlainWallScratch<3> enough;
  PlainWallScratch<2> little;
  const auto search = [&](auto& work) {
    find_wall_hits(
        view, faces, faces + 3, {0.04, 0.04, 0.04}, 0.05, [](std::size_t) { return 0.05; }, work);
  };
  search(enough);
  EXPECT_EQ(enough.hits.size(), 3u);
  EXPECT_FALSE(enough.hits.overflowed);
  search(little);
  EXPECT_EQ(little.hits.size(), 2u);
  EXPECT_TRUE(little.hits.overflowed);
}
