// What frames tell of the force of a contact.
#include <gtest/gtest.h>

#include "support.h"

using namespace areia;
using namespace areia::test;

// `tangential` is all of the force across the normal, whichever laws it comes from.
TEST(FrameForces, TangentialIsAllThatIsNotNormal) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
adhesion = { law = "bond_area", K_nb = 1e6, K_rb = 1e13 }
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0.0099] }, { x = [0.001, 0, 0.0296], v = [1, 0.5, -0.1] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { constant = { velocity = [-2, 0, 0] } }
[numerics]
dt = 2e-5
start_overlap = 0.1
[[stages]]
duration = 0.001
)";
  for (const char* friction :
       {"contacts.default.tangential={law=\"none\"}", "contacts.default.tangential={law=\"coulomb_history\",mu=0.3}"})
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      Simulation s = simulate(toml, {friction}, engine);
      s.advance(10, true);
      const Frame f = s.frame();
      ASSERT_EQ(f.contacts.size(), 2u);
      for (const FrameContact& c : f.contacts) {
        const double across = norm(c.force - dot(c.force, c.n) * c.n);
        EXPECT_GT(across, 1e-3 * norm(c.force)) << friction;
        EXPECT_NEAR(c.tangential, across, 1e-12 * norm(c.force)) << friction;
      }
    }
}
