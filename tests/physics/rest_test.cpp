// When all is at rest: spin that no contact resists is no unrest (engine/unrest.h).
#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// A ball on a plate, spinning about the vertical like a top.
const std::string kTop = R"(
[materials.g]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5 }
rolling = { law = "epsd", mu = 0.2 }
[particles.a]
material = "g"
radius = 0.005
list = [{ x = [0, 0, 0.005], w = [0, 0, 50] }]
[walls.z]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
until = { at_rest = true, at_most = "3 s" }
)";

// Ends in both engines with the same step.
Frame end_of(const std::vector<std::string>& set) {
  const Case c = parse_case(kTop, "test", set);
  const Frame fast = last_frame(Simulation(c)), slow = last_frame(Simulation(c, Engine::reference));
  EXPECT_EQ(state_hash(fast), state_hash(slow));
  EXPECT_EQ(fast.step, slow.step);
  return fast;
}

}  // namespace

TEST(Rest, ATopIsAtRest) {
  const Frame end = end_of({});
  EXPECT_LT(end.time, 1);
  EXPECT_NEAR(end.particles.w[0].z, 50, 1e-9);  // and spins on
}

TEST(Rest, TwistingFrictionIsWaitedFor) {
  const Frame end = end_of({"contacts.default.twisting={law=\"constant\",mu=0.02}"});
  EXPECT_LT(end.time, 2.9);
  EXPECT_LT(std::fabs(end.particles.w[0].z), 5);
}

// Between two plates, about their common normal nothing resists either; about any other axis both do.
TEST(Rest, BetweenTwoPlates) {
  const std::string lid = "walls.lid={plane={point=[0,0,0.00999],normal=[0,0,-1]}}";
  EXPECT_LT(end_of({lid}).time, 1);
  const Frame slid = end_of({lid, "particles.a.list=[{x=[0,0,0.005],w=[0,50,0]}]"});
  EXPECT_LT(slid.time, 2.9);
  EXPECT_LT(norm(slid.particles.w[0]), 1);
}

// In a groove the top slides on both sides, and a test before it has stopped finds no rest.
TEST(Rest, ATopInAGrooveIsWaitedFor) {
  const std::vector<std::string> groove{"walls.z={plane={point=[0,0,0],normal=[-0.6,0,0.8]}}",
                                        "walls.y={plane={point=[0,0,0],normal=[0.6,0,0.8]}}",
                                        "particles.a.list=[{x=[0,0,0.00625],w=[0,0,500]}]"};
  const Frame end = end_of(groove);
  EXPECT_LT(end.time, 2.9);
  EXPECT_LT(norm(end.particles.w[0]), 5);
}

TEST(Rest, SpinOfAFreeGrainIsNoUnrest) {
  const Frame end = end_of({"fields.g.acceleration=[0,0,0]", "particles.a.list=[{x=[0,0,1],w=[0,20,50]}]",
                            "stages=[{until={at_rest=true,at_most=3,rest_energy=1e-12}}]"});
  EXPECT_LT(end.time, 1);
}

TEST(Rest, WithoutFrictionNoSpinIsWaitedFor) {
  EXPECT_LT(end_of({"contacts.default={normal={law=\"hertz\",restitution=0.5}}",
                    "particles.a.list=[{x=[0,0,0.005],w=[30,0,50]}]"})
                .time,
            1);
}
