// Rolling resistance of a grain that several others hold. The law (theory manual, 9.1) limits the torque of one contact
// so that it does not reverse the rolling within a step. With n contacts, n such torques act at once: limited one by
// one they brake n/2 times too much, and from five contacts on the spin grows from step to step. The limit is therefore
// shared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/laws.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

// The law itself: one contact alone may stop the rolling, each of n contacts an n-th of it.
TEST(RollingCap, IsSharedByTheContactsOfABody) {
  const RollingConstant::Pair p{0.5, 0};
  Contact<double> c{};
  Memory<double, 0, 0> none{};
  c.r_star = 0.01;
  c.inv_j_i = 1e6;
  c.dt = 1e-4;
  c.w_r = {0.01, 0, 0};
  c.sharing = 1;
  EXPECT_NEAR(RollingConstant::torque<double>(p, c, 100.0, none).x, -0.01 / (1e6 * 1e-4),
              1e-18);  // stops it exactly
  c.sharing = 6;
  EXPECT_NEAR(RollingConstant::torque<double>(p, c, 100.0, none).x, -0.01 / (6 * 1e6 * 1e-4), 1e-18);
  c.w_r = {1e9, 0, 0};  // far above the cap: the full torque, whatever the sharing
  EXPECT_NEAR(RollingConstant::torque<double>(p, c, 100.0, none).x, -0.5 * 0.01 * 100.0, 1e-12);
}

// A grain between six fixed ones, pressed on all sides, with a little spin: the spin must die away.
TEST(RollingCap, SpinOfAHeldGrainDiesAway) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 2e7
[contacts.grain-grain]
normal = { law = "hertz", xi = 0.1 }
rolling = { law = "constant", mu = 0.45 }
[particles.cage]
material = "grain"
radius = 0.02
fixed = true
list = [{ x = [0.0398, 0, 0] }, { x = [-0.0398, 0, 0] }, { x = [0, 0.0398, 0] }, { x = [0, -0.0398, 0] }, { x = [0, 0, 0.0398] }, { x = [0, 0, -0.0398] }]
[particles.held]
material = "grain"
radius = 0.02
list = [{ x = [0, 0, 0], w = [0.01, 0.02, -0.01] }]
[numerics]
dt = 1e-4
[[stages]]
name = "hold"
duration = 0.02
)";
  for (Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml, {}, engine));
    EXPECT_EQ(f.particles.coordination[6], 6);
    EXPECT_LT(norm(f.particles.w[6]), 1e-12);
  }
}
