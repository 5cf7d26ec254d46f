// The cost of small grains must not depend on a large one among them: 20 000 flying grains, alone and with one sphere
// twenty times larger. Their velocities keep the neighbour lists changing, since that is where size ratios hurt.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "core/random.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr double kRadius = 0.005;

Case flying_grains(bool with_large) {
  Case c = parse_case(R"(
[materials.grain]
density = 2500
young = 1e7
[contacts.grain-grain]
normal = { law = "hertz", restitution = 0.9 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.grains]
material = "grain"
radius = 0.005
list = [{ x = [0, 0, 0] }]
[numerics]
dt = 2e-5
threads = 1
[[stages]]
name = "fly"
duration = 1
)",
                      "size ratio");
  Random random(1);
  std::vector<ListedParticle> list;
  const double spacing = 2.05 * kRadius;
  for (int x = 0; x < 40; ++x)
    for (int y = 0; y < 25; ++y)
      for (int z = 0; z < 20; ++z)
        list.push_back({.x = {x * spacing, y * spacing, z * spacing},
                        .v = random.uniform(Vec3d{-0.5, -0.5, -0.5}, Vec3d{0.5, 0.5, 0.5}),
                        .w = {},
                        .radius = kRadius,
                        .mass = 0});
  if (with_large)
    list.push_back(
        {.x = {20 * spacing, 12 * spacing, -21.1 * kRadius}, .v = {}, .w = {}, .radius = 20 * kRadius, .mass = 0});
  c.particles[0].source = list;
  return c;
}

double seconds(bool with_large) {
  Simulation s(flying_grains(with_large));
  s.advance(20, false);
  const std::clock_t start = std::clock();  // time of this process: other work on the machine matters little
  s.advance(300, false);
  EXPECT_GT(s.statistics().rebuilds, 5);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST(SizeRatio, OneLargeSphereDoesNotSlowTheSmallOnesDown) {
  double alone = 1e9, together = 1e9;
  for (int k = 0; k < 4; ++k) {
    alone = std::min(alone, seconds(false));
    together = std::min(together, seconds(true));
  }
  RecordProperty("rate_ratio", std::to_string(alone / together));
  EXPECT_GE(alone / together, 0.8);
}
