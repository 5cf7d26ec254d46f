// What is taken away while it presses: the ledger knows what its contacts did last, and what they held.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// A spinning ball hits a floor obliquely. After 1.5 ms it is pressed, sheared and twisted.
const std::string kImpact = R"(
[materials.grain]
density = 2500
young = 1e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.05 }
rolling = { law = "epsd", mu = 0.1 }
twisting = { law = "spring", mu = 0.1 }
[particles.a]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0.01001], v = [0.3, 0.1, -0.5], w = [3, 20, 10] }]
[numerics]
dt = 1e-5
[[stages]]
name = "hit"
duration = 0.0015
[[stages]]
name = "gone"
duration = 0.001
)";
const char* const kFloor = "walls.floor={plane={point=[0,0,0],normal=[0,0,1]}}";
// in place of the floor: a ball of another set, free or not
std::string partner(bool prescribed) {
  return fmt::format("particles.b={{material=\"grain\",radius=0.01,prescribed={},list=[{{x=[0,0,-0.01]}}]}}",
                     prescribed);
}

// The residual over what was turned over, when all is in free flight again.
double residual(const std::vector<std::string>& set, const char* scheme, Engine engine) {
  std::vector<std::string> all = set;
  all.push_back(fmt::format("numerics.scheme=\"{}\"", scheme));
  const Frame f = last_frame(simulate(kImpact, all, engine));
  EXPECT_TRUE(f.contacts.empty());
  EXPECT_GT(f.energy.removed, 0.05 * f.energy.turned_over);  // it was pressed
  return f.energy.residual / f.energy.turned_over;
}

const std::vector<std::vector<std::string>> kWays{
    {kFloor, "stages=[{duration=0.0015},{remove=[\"walls.floor\"],duration=0.001}]"},
    {kFloor, "walls.floor.when={start=0,stop=0.0015}"},
    {partner(true), "stages=[{duration=0.0015},{remove=[\"particles.b\"],duration=0.001}]"},
    {partner(false), "stages=[{duration=0.0015},{remove=[\"particles.b\"],duration=0.001}]"},
    {partner(false), "stages=[{duration=0.0015},{freeze=[\"a\",\"b\"],duration=0.001}]"},
    {partner(false), "domain={box=[[-1,-1,-0.0101],[1,1,1]],rule=\"delete\"}"},
};

}  // namespace

// It was 7e-4 to 1.6e-3. What is left is that of the tangential dashpot, whose last kick has no booking of its own
// (sliding_dissipation).
TEST(TakenAway, WhatPressesLeavesNoResidual) {
  for (std::size_t k = 0; k < kWays.size(); ++k)
    for (const char* scheme : {"drift_kick", "kick_drift"}) {
      const double fast = residual(kWays[k], scheme, Engine::cpu), slow = residual(kWays[k], scheme, Engine::reference);
      EXPECT_LT(std::fabs(fast), 2e-5) << k << " " << scheme;
      EXPECT_EQ(fast, slow) << k << " " << scheme;
    }
}

// Forces see predicted velocities there, and friction is booked approximately: a whole impact leaves 1.4e-4.
TEST(TakenAway, AWallLeavesNoMoreThanAnImpactWithVelocityVerlet) {
  for (std::size_t k = 0; k < 2; ++k) {
    const double fast = residual(kWays[k], "velocity_verlet", Engine::cpu);
    EXPECT_LT(std::fabs(fast), 2e-4) << k;
    EXPECT_EQ(fast, residual(kWays[k], "velocity_verlet", Engine::reference)) << k;
  }
}
