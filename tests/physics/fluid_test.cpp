// Drag, Magnus force, buoyancy, moving fluid. Theory manual, section 4.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/drag.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

std::string ball(const std::string& particle, double dt, double duration, const std::string& rest) {
  return fmt::format(R"(
[materials.a]
density = 1000
young = 1e7
[contacts.default]
normal = {{ law = "hertz", xi = 0 }}
[particles.a]
material = "a"
{}
[numerics]
dt = {}
[[stages]]
duration = {}
{})",
                     particle, dt, duration, rest);
}

}  // namespace

TEST(Drag, ChowsCoefficient) {
  const auto c = reference_case("chow-CD");
  for (std::size_t k = 0; k < c["inputs"]["Re"].size(); ++k) {
    const double expected = c["expected"]["C_D"][k], tolerance = c["tolerance"]["rel"];
    EXPECT_NEAR(chow_drag_coefficient(c["inputs"]["Re"][k]), expected, tolerance * expected);
  }
  // at Re = 1 Stokes' formula goes over into the table
  Fluid f;
  f.drag = Fluid::Drag::chow;
  f.density = 1000;
  f.viscosity = 0.001;
  const double r = 0.01, u = 1.0000001 * f.viscosity / (2 * r * f.density);
  EXPECT_NEAR(drag_factor(f, r, u), 6 * std::numbers::pi * f.viscosity * r, 1e-5 * drag_factor(f, r, u));
  EXPECT_EQ(norm(drag_force(f, r, {})), 0);
}

// C_D = (24/Re)(1 + 0.15 Re^0.687) below 1000 and 0.44 above, through the force on a sphere.
TEST(Drag, SchillerAndNaumann) {
  Fluid f;
  f.drag = Fluid::Drag::schiller_naumann;
  f.density = 1000;
  f.viscosity = 0.001;
  const double r = 0.01;
  for (const double re : {0.01, 1.0, 10.0, 100.0, 999.0, 1000.0, 1e5}) {
    const double u = re * f.viscosity / (2 * r * f.density);
    const double drag = re < 1000 ? 24 / re * (1 + 0.15 * std::pow(re, 0.687)) : 0.44;
    const double expected = 0.5 * f.density * drag * std::numbers::pi * r * r * u * u;
    EXPECT_NEAR(norm(drag_force(f, r, {0, u, 0})), expected, 1e-13 * expected) << re;
  }
  // the jump at 1000 is that of the two formulas; at rest Stokes' factor remains, and no force
  const double u = f.viscosity * 1000 / (2 * r * f.density);
  EXPECT_NEAR(drag_factor(f, r, u * (1 - 1e-12)) / drag_factor(f, r, u), 0.4383 / 0.44, 2e-4);
  EXPECT_DOUBLE_EQ(drag_factor(f, r, 0), 6 * std::numbers::pi * f.viscosity * r);
  EXPECT_EQ(norm(drag_force(f, r, {})), 0);
}

// A grain of quartz in water falls at the speed at which its weight under buoyancy is the drag.
TEST(Drag, SettlesAtTheSpeedOfSchillerAndNaumann) {
  const Frame f = last_frame(simulate(ball("radius = 0.0005\nlist = [{ x = [0, 0, 0] }]", 2e-5, 1,
                                           "[fluid]\ndensity = 1000\nviscosity = 0.001\nbuoyancy = true\n"
                                           "drag = \"schiller_naumann\"\n[fields.g]\nacceleration = [0, 0, -9.81]"),
                                      {"materials.a.density=2650"}));
  const double r = 0.0005, weight = 4.0 / 3 * std::numbers::pi * r * r * r * 1650 * 9.81;
  double v = 0.1;
  for (int k = 0; k < 200; ++k) {
    const double re = 2 * r * 1000 * v / 0.001;
    v = 0.5 * (v + weight / (6 * std::numbers::pi * 0.001 * r * (1 + 0.15 * std::pow(re, 0.687))));
  }
  EXPECT_NEAR(2 * r * 1000 * v / 0.001, 157, 10);  // well between the two limits
  EXPECT_NEAR(-f.particles.v[0].z, v, 1e-6 * v);
  EXPECT_NEAR(f.energy.residual, 0, 1e-3 * f.energy.turned_over);
}

TEST(Drag, TerminalVelocities) {
  const auto stokes = reference_case("terminal-stokes");
  Frame f = last_frame(simulate(ball("radius = 0.0005\nlist = [{ x = [0, 0, 0] }]", 2e-5, 0.02,
                                     "[fluid]\ndensity = 0.001\nviscosity = 0.1\ndrag = \"chow\"\n"
                                     "[fields.g]\nacceleration = [0, 0, -9.81]"),
                                {"materials.a.density=1200"}));
  double expected = stokes["expected"]["v"], tolerance = stokes["tolerance"]["rel"];
  EXPECT_NEAR(-f.particles.v[0].z, expected, tolerance * expected);
  EXPECT_NEAR(norm(f.particles.force[0]), 0, 1e-6 * 9.81 * f.particles.mass[0]);
  const auto newton = reference_case("terminal-newton");
  f = last_frame(simulate(ball("radius = 0.002\nlist = [{ x = [0, 0, 0] }]", 2e-4, 6,
                               "[fluid]\ndensity = 1.2\nviscosity = 1.8e-5\ndrag = \"chow\"\n"
                               "[fields.g]\nacceleration = [0, 0, -9.81]"),
                          {"materials.a.young=1e4"}));
  expected = newton["expected"]["v"], tolerance = newton["tolerance"]["rel"];
  EXPECT_NEAR(-f.particles.v[0].z, expected, tolerance * expected);
  EXPECT_NEAR(f.energy.residual, 0, 1e-3 * f.energy.turned_over);
}

TEST(Drag, LinearAndStokes) {
  const auto linear = reference_case("linear-damping");
  const auto stokes = reference_case("stokes-env");
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme)};
    Frame f = last_frame(simulate(ball("radius = 0.1\nmass = 0.5\nlist = [{ x = [0, 0, 0], v = [3, 0, 0] }]", 1e-4, 0.4,
                                       "[fluid]\ndrag = \"linear\"\ncoefficient = 2"),
                                  set));
    double tolerance = linear["tolerance"]["rel"], v = linear["expected"]["v"], x = linear["expected"]["x"];
    EXPECT_NEAR(f.particles.v[0].x, v, tolerance * v) << scheme;
    EXPECT_NEAR(f.particles.x[0].x, x, tolerance * x) << scheme;
    EXPECT_NEAR(f.energy.drag, f.energy.initial - f.energy.kinetic, 1e-12) << scheme;
    EXPECT_NEAR(f.energy.residual, 0, 1e-12) << scheme;
    f = last_frame(simulate(ball("radius = 0.2\nmass = 1\nlist = [{ x = [0, 0, 0], v = [1, 0, 0] }]", 1e-3, 10,
                                 "[fluid]\ndrag = \"stokes\"\ncoefficient = 0.00265"),
                            set));
    tolerance = stokes["tolerance"]["rel"], v = stokes["expected"]["v"];
    EXPECT_NEAR(f.particles.v[0].x, v, tolerance * v) << scheme;
  }
}

// f = M w x v turns the velocity at the rate M w/m without work.
TEST(Magnus, TurnsTheVelocity) {
  const Frame f =
      last_frame(simulate(ball("radius = 0.1\nmass = 2\nlist = [{ x = [0, 0, 0], v = [1, 0, 0], w = [0, 0, 3] }]", 1e-5,
                               1, "[fluid]\nmagnus = 0.5")));
  const double angle = 0.5 * 3 / 2.0;
  EXPECT_NEAR(f.particles.v[0].x, std::cos(angle), 1e-4);
  EXPECT_NEAR(f.particles.v[0].y, std::sin(angle), 1e-4);
  EXPECT_NEAR(f.energy.residual, 0, 1e-12);
  EXPECT_NEAR(f.energy.field_work, 0, 1e-4);
}

TEST(Buoyancy, LightensByTheDisplacedFluid) {
  const Frame f =
      last_frame(simulate(ball("radius = 0.1\nlist = [{ x = [0, 0, 0] }]", 1e-3, 1,
                               "[fluid]\ndensity = 1500\nbuoyancy = true\n[fields.g]\nacceleration = [0, 0, -10]")));
  EXPECT_NEAR(f.particles.v[0].z, 5, 1e-9);
  EXPECT_NEAR(f.energy.field_work, 1.5 * f.particles.mass[0] * 10 * f.particles.x[0].z, 2e-3 * f.energy.field_work);
}

// A light particle takes on the velocity of the fluid: a wind in a slab, and a shear flow everywhere.
TEST(Flow, CarriesParticles) {
  const std::string flows = R"([fluid]
drag = "linear"
coefficient = 1
[fluid.flows.wind]
velocity = [2, 0, 0]
region = { slab = { from = [0, 0, 0], to = [0, 0, 1] } }
[fluid.flows.shear]
gradient = [[0, 3, 0], [0, 0, 0], [0, 0, 0]]
point = [0, 1, 0]
[fluid.flows.later]
velocity = [0, 0, 7]
start = 5)";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(
        ball("radius = 0.1\nmass = 0.01\nlist = [{ x = [0, 1.5, 0.5] }, { x = [0, 0.5, 2] }]", 1e-4, 0.2, flows), {},
        engine));
    EXPECT_NEAR(f.particles.v[0].x, 2 + 3 * 0.5, 1e-6);
    EXPECT_NEAR(f.particles.v[1].x, -3 * 0.5, 1e-6);
    EXPECT_EQ(f.particles.v[0].z, 0);
    EXPECT_LT(f.energy.drag, 0) << "the fluid gives energy here";
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
  }
}

TEST(Drag, TimeStepFollowsTheRelaxation) {
  Simulation s = simulate(ball("radius = 0.001\nmass = 1e-6\nlist = [{ x = [0, 0, 0] }]", 1, 1,
                               "[fluid]\ndrag = \"linear\"\ncoefficient = 1"),
                          {"numerics.dt=\"auto\"", "stages=[{duration=1e-6}]"});
  expect_step(s.choices().dt, 1e-7);
  EXPECT_NE(s.choices().dt_reason.find("drag"), std::string::npos);
}
