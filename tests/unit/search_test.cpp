// The neighbour search finds every pair, whatever the sizes, the boundaries and the distances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "areia/error.h"
#include "core/random.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"
#include "search/spatial_order.h"

using namespace areia;

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs brute_force(const std::vector<Vec4>& x, double skin, const Periodicity& p) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < x.size(); ++i)
    for (std::uint32_t j = i + 1; j < x.size(); ++j)
      if (norm(p.nearest(x[j].xyz() - x[i].xyz())) <= x[i].w + x[j].w + skin) pairs.insert({i, j});
  return pairs;
}

// What the grid calls near: all that are, each once, in ascending order, and few others.
void expect_near(const SizeClassGrid& grid, const std::vector<Vec4>& x, double skin, const Periodicity& p,
                 const Pairs& pairs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  SizeClassGrid::Around around;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const std::span<const std::uint32_t> near = grid.near(i, skin, around);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    for (const std::uint32_t j : near) {
      EXPECT_TRUE(found.insert({std::min(i, j), std::max(i, j)}).second) << "pair " << i << ", " << j << " twice";
      EXPECT_LE(norm(p.nearest(x[j].xyz() - x[i].xyz())), (x[i].w + x[j].w + skin) * 1.0001);
    }
  }
  for (const auto& pair : pairs) EXPECT_TRUE(found.contains(pair)) << pair.first << ", " << pair.second;
}

Pairs by_grid(const std::vector<Vec4>& x, double skin, const Periodicity& p) {
  SizeClassGrid grid;
  grid.build(x, skin, p, false);
  expect_near(grid, x, skin, p, brute_force(x, skin, p));
  grid.build(x, skin, p);
  expect_near(grid, x, skin, p, brute_force(x, skin, p));
  Pairs pairs;
  for (std::uint32_t i = 0; i < x.size(); ++i)
    grid.for_each_candidate(i, [&](std::uint32_t j) {
      if (norm(p.nearest(x[j].xyz() - x[i].xyz())) <= x[i].w + x[j].w + skin) {
        const bool first = pairs.insert({std::min(i, j), std::max(i, j)}).second;
        EXPECT_TRUE(first) << "pair " << i << ", " << j << " twice";
      }
    });
  return pairs;
}

std::vector<Vec4> cloud(int n, double r_min, double r_max, double extent, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec4> x;
  for (int k = 0; k < n; ++k) {
    const Vec3d a = random.uniform(Vec3d{}, Vec3d{extent, extent, extent});
    // as many small as large ones on a logarithmic scale
    const double u = random.uniform();
    x.push_back({a.x, a.y, a.z, r_min + (r_max - r_min) * u * u * u});
  }
  return x;
}

}  // namespace

TEST(Search, FindsAllPairsOfEveryMixture) {
  for (double ratio : {1.0, 2.0, 5.0, 20.0, 200.0}) {
    auto x = cloud(800, 0.01, 0.01 * ratio, 0.4, 5);
    EXPECT_EQ(by_grid(x, 0.003, {}), brute_force(x, 0.003, {})) << ratio;
    // in the order in which the engine keeps them
    std::vector<Vec4> sorted;
    for (const std::uint32_t k : spatial_order(x, {}, 0.02 * ratio + 0.003)) sorted.push_back(x[k]);
    EXPECT_EQ(by_grid(sorted, 0.003, {}), brute_force(sorted, 0.003, {})) << ratio;
  }
}

TEST(Search, FindsAllPairsAcrossPeriodicFaces) {
  for (int axes = 1; axes < 8; ++axes) {
    Periodicity p;
    p.on = {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
    p.low = {};
    p.length = {0.4, 0.4, 0.4};
    for (double r_max : {0.012, 0.09}) {
      const auto x = cloud(600, 0.01, r_max, 0.4, axes);
      EXPECT_EQ(by_grid(x, 0.002, p), brute_force(x, 0.002, p)) << axes << " " << r_max;
    }
  }
}

// A few particles that fly far away must not cost memory or pairs: the grid folds.
TEST(Search, FarAwayParticles) {
  auto x = cloud(500, 0.01, 0.015, 0.3, 9);
  x.push_back({1e6, -1e6, 3e5, 0.01});
  x.push_back({1e6, -1e6, 3e5 + 0.015, 0.01});
  x.push_back({-1e9, 0, 0, 0.01});
  EXPECT_EQ(by_grid(x, 0.002, {}), brute_force(x, 0.002, {}));
  SizeClassGrid grid;
  grid.build(x, 0.002, {});
  EXPECT_LT(grid.bytes(), 100000u);
}

TEST(Search, SpatialOrderIsAPermutationAndLocal) {
  const auto x = cloud(2000, 0.01, 0.01, 0.4, 3);
  const auto order = spatial_order(x, {}, 0.02);
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], k);
  double before = 0, after = 0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    before += norm(x[k].xyz() - x[k - 1].xyz());
    after += norm(x[order[k]].xyz() - x[order[k - 1]].xyz());
  }
  EXPECT_LT(after, 0.3 * before);
}

// ---- walls ----

TEST(WallGeometry, PlaneIsOneSided) {
  const PlaneShape s{{0, 0, 1}, {0, 0, 1}};
  EXPECT_DOUBLE_EQ(closest_point(s, 0, {3, 4, 1.5}).distance, 0.5);
  EXPECT_DOUBLE_EQ(closest_point(s, 0, {3, 4, 0.5}).distance, -0.5);
  EXPECT_EQ(closest_point(s, 0, {3, 4, 1.5}).n, (Vec3d{0, 0, -1}));
}

// The nearest point of each face of a box, its edges included; open faces have none.
TEST(WallGeometry, FacesOfABox) {
  Random random(11);
  const BoxShape s{{0, 0, 0}, {1, 2, 3}, {false, false, true, false, false, false}};
  for (int k = 0; k < 2000; ++k) {
    const Vec3d x = random.uniform(Vec3d{-0.5, -0.5, -0.5}, Vec3d{1.5, 2.5, 3.5});
    for (int f = 0; f < 6; ++f) {
      const WallPoint p = closest_point(s, f, x);
      EXPECT_EQ(p.found, f != 2);
      if (f == 2) continue;
      Vec3d foot{std::clamp(x.x, 0.0, 1.0), std::clamp(x.y, 0.0, 2.0), std::clamp(x.z, 0.0, 3.0)};
      component(foot, f / 2) = f % 2 ? component(s.max, f / 2) : 0;
      EXPECT_LT(norm(x + p.distance * p.n - foot), 1e-14);
      Vec3d across = foot - x;
      component(across, f / 2) = 0;
      EXPECT_EQ(p.edges == 0, across == Vec3d{});
    }
  }
}

TEST(WallGeometry, CylinderInsideOutsideAndRim) {
  CylinderShape s;
  s.from = {0, 0, 0};
  s.to = {0, 0, 2};
  s.radius = 1;
  const WallPoint in = closest_point(s, 0, {0.9, 0, 1});
  EXPECT_NEAR(in.distance, 0.1, 1e-15);
  EXPECT_NEAR(in.n.x, 1, 1e-15);
  const WallPoint out = closest_point(s, 0, {0, 1.2, 1});
  EXPECT_NEAR(out.distance, 0.2, 1e-15);
  EXPECT_NEAR(out.n.y, -1, 1e-15);
  const WallPoint rim = closest_point(s, 0, {0.7, 0, 2.4});
  EXPECT_NEAR(rim.distance, 0.5, 1e-15);
  EXPECT_EQ(rim.edges, 1);
  EXPECT_NEAR(far_point(s, 0, {0.7, 0, 2.4}, 2).distance, norm(Vec3d{1.7, 0.4, 0}), 1e-15);
  EXPECT_FALSE(closest_point(s, 2, {0.7, 0, 2.4}).found);
  s.cap_to = true;
  const WallPoint cap = closest_point(s, 2, {0.7, 0, 1.9});
  EXPECT_NEAR(cap.distance, 0.1, 1e-14);
  EXPECT_NEAR(cap.n.z, 1, 1e-15);
  EXPECT_EQ(cap.edges, 0);
  for (const int patch : {0, 2}) EXPECT_NEAR(closest_point(s, patch, {1.3, 0, 2.4}).distance, 0.5, 1e-15);
}

// A centre is kept in low <= x < low + length, and one that is there stays as it is, to the bit.
TEST(Periodicity, ImagesLieInTheBoxAndStay) {
  Random random(3);
  for (int k = 0; k < 20000; ++k) {
    const Vec3d low{random.uniform(-3, 3), 0, 0}, length{random.uniform(0.01, 2), 1, 1};
    const Periodicity p{{true, false, false}, low, length};
    const double high = low.x + length.x;
    const double places[] = {random.uniform(-10, 10),
                             low.x,
                             high,
                             std::nextafter(low.x, -10),
                             std::nextafter(low.x, 10),
                             std::nextafter(high, -10),
                             std::nextafter(high, 10),
                             low.x - 1e-300,
                             high - 3 * length.x};
    for (const double x : places) {
      const Vec3d image = p.wrapped({x, 5, 0});
      EXPECT_FALSE(p.left_by(image)) << x;
      EXPECT_GE(image.x, low.x);
      EXPECT_LT(image.x, high);
      EXPECT_EQ(p.wrapped(image), image);
      EXPECT_EQ(image.y, 5);
      const double lengths = (x - image.x) / length.x;
      EXPECT_NEAR(lengths, std::round(lengths), 1e-12 * (1 + std::fabs(x) / length.x));
      if (!p.left_by(Vec3d{x, 0, 0})) { EXPECT_EQ(image.x, x); }
    }
  }
  // just below the lower face the image would round to the upper one, which is the lower face
  EXPECT_EQ((Periodicity{{true, false, false}, {1, 0, 0}, {1, 1, 1}}.wrapped({std::nextafter(1.0, 0), 0, 0}).x), 1);
  EXPECT_EQ((Periodicity{{true, false, false}, {0, 0, 0}, {1, 1, 1}}.wrapped({-1e-20, 0, 0}).x), 0);
  EXPECT_TRUE(std::isnan(Periodicity{{true, false, false}, {0, 0, 0}, {1, 1, 1}}.wrapped({std::nan(""), 0, 0}).x));
}

// Images where a centre may be kept after a short way.
TEST(Periodicity, ImagesNearTheFaces) {
  const Periodicity p{{true, true, false}, {0, 0, 0}, {1, 2, 1}};
  const auto count = [&](const Vec3d& x) {
    int n = 0;
    p.for_each_image(x, 0.1, [&](const Vec3d& image) {
      ++n;
      EXPECT_LT(norm2(p.nearest(image - x)), 1e-30);
    });
    return n;
  };
  EXPECT_EQ(count({0.5, 1, 0}), 1);
  EXPECT_EQ(count({0.05, 1, 0}), 2);
  EXPECT_EQ(count({0.95, 1, 0.99}), 2);
  EXPECT_EQ(count({0.05, 1.95, 0}), 4);
}

// One particle so far off that its coordinate, and any counted from it, tells the others apart by little.
TEST(Search, OneThatIsFarOffHidesNoPair) {
  Random random(5);
  const Periodicity open;
  for (const double way : {1e3, 1e5, 4e9, -4e9}) {
    std::vector<Vec4> x{{way, 0, 0, 1e-3}, {0, way, -way, 1e-3}};
    for (int k = 0; k < 400; ++k)
      x.push_back({random.uniform(0, 0.02), random.uniform(0, 0.02), random.uniform(0, 0.02), 1e-3});
    const Pairs expected = brute_force(x, 2e-4, open);
    EXPECT_GT(expected.size(), 300u);
    EXPECT_EQ(by_grid(x, 2e-4, open), expected) << way;
  }
}

TEST(Search, PlacesThatAreNotResolvedAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double way : {1e100, -1e100, 1e10, std::numeric_limits<double>::infinity(), nan}) {
    SizeClassGrid grid;
    EXPECT_THROW(grid.build({{0, 0, 0, 1e-3}, {0, way, 0, 1e-3}}, 1e-4, Periodicity{}), StoppedError) << way;
  }
}

// Extents and edges without end, and cells beyond all whole numbers: the grid neither hangs nor looks outside itself.
TEST(Search, ExtremeSizesNeitherHangNorOverflow) {
  const double huge = 1e308, big = 1e150;
  const std::vector<std::vector<Vec4>> all{
      {{-huge, 0, 0, huge}, {huge, 0, 0, huge}},               // an extent and an edge that are infinite
      {{-huge, 0, 0, 1e300}, {huge, 0, 0, 1e300}},             // an extent alone
      {{-big, 0, 0, big}, {big, 0, 0, big}, {0, 0, 0, 1e-3}},  // 500 size classes, of which the last holds the rest
      {{1e12, 1e12, 1e12, 1}, {0, 0, 0, 1e-12}, {1e-12, 0, 0, 1e-12}}};
  for (const std::vector<Vec4>& x : all)
    for (const double skin : {1e-3, 1e300, std::numeric_limits<double>::infinity()}) {
      SizeClassGrid grid;
      grid.build(x, skin, Periodicity{});
      SizeClassGrid::Around around;
      for (std::uint32_t i = 0; i < x.size(); ++i) grid.near(i, skin, around);
      spatial_order(x, {-huge, 0, 0}, skin);
    }
  // Two small ones touch, however far the large one is.
  EXPECT_EQ(by_grid(all[3], 1e-13, Periodicity{}), (Pairs{{1, 2}}));
}
