// Regions that repeat themselves in periodic directions.
#include "scene/region.h"

#include <gtest/gtest.h>

#include "core/random.h"

using namespace areia;

namespace {

Region in_a_periodic_box(Region r) {
  Domain d;
  d.bounded = true;
  d.box = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  d.periodic = {true, true, true};
  repeat_with(d, r);
  return r;
}

}  // namespace

// A ball wider than the box holds a point in several of its images: the one nearest to the centre counts.
TEST(Regions, APointInSeveralImagesBelongsToTheNearest) {
  Region ball;
  ball.kind = Region::Kind::sphere;
  ball.radius = 0.8;
  ball = in_a_periodic_box(ball);
  for (const double x : {0.45, -0.45, 0.1, -0.1}) {
    const RegionSide at = side_among_images(ball, {x, 0.2, -0.3});
    EXPECT_EQ(at.side, 1);
    EXPECT_EQ(at.image, (Vec3d{x, 0.2, -0.3}));
  }
}

// A slab has no end along its planes: a point that lies in it as it is stays where it is along them.
TEST(Regions, APointInASlabStaysAlongIt) {
  Region slab;
  slab.kind = Region::Kind::slab;
  slab.from = {0.3, 0, 0};
  slab.to = {0.7, 0, 0};
  slab = in_a_periodic_box(slab);
  EXPECT_EQ(side_among_images(slab, {-0.4, 0.2, 0.3}).image, (Vec3d{0.6, 0.2, 0.3}));
  EXPECT_EQ(side_among_images(slab, {0.4, -0.2, 0.3}).image, (Vec3d{0.4, -0.2, 0.3}));
  EXPECT_EQ(side_among_images(slab, {0.1, -0.2, 0.3}).side, -1);
}

// The mirror image of a region holds the mirror images of its points, in the images that are mirrored likewise.
TEST(Regions, ImagesFollowAMirror) {
  Random random(7);
  const auto mirrored = [](const Vec3d& v) { return Vec3d{v.z, -v.x, v.y}; };
  int inside = 0;
  for (int k = 0; k < 1000; ++k) {
    Region r, m;
    r.kind = k % 3 == 0 ? Region::Kind::slab : k % 3 == 1 ? Region::Kind::cylinder : Region::Kind::sphere;
    r.from = random.uniform({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    r.to = random.uniform({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    r.center = r.from;
    r.radius = random.uniform(0.2, 1);
    r = in_a_periodic_box(r);
    m = r;
    m.from = mirrored(r.from);
    m.to = mirrored(r.to);
    m.center = mirrored(r.center);
    const Vec3d x = random.uniform({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    const RegionSide here = side_among_images(r, x), there = side_among_images(m, mirrored(x));
    ASSERT_EQ(here.side, there.side) << k;
    ASSERT_LT(norm(there.image - mirrored(here.image)), 1e-12) << k;
    inside += here.side > 0;
  }
  EXPECT_GT(inside, 500);
}
