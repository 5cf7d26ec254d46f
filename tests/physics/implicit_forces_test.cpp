// The generalized trapezoid together with the rest: stages, losses, bonds, fields, fluid, forces at a distance, meshes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

std::string implicit(const std::string& keys) { return "numerics.implicit={" + keys + "}"; }

}  // namespace

// Stages, prescribed particles, a periodic direction, particles that leave, a field that waits: as in the reference
// engine, and with the same bits after resuming.
TEST(ImplicitForces, StagesAndLosses) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.3 }
[particles.grains]
material = "grain"
radius = 0.01
velocity = [0.5, 0, -1]
lattice = { region = { box = [[0, 0, 0.02], [0.12, 0.1, 0.1]] }, spacing = 0.024, jitter = 0.001 }
[particles.pegs]
material = "grain"
radius = 0.01
prescribed = true
motion = { oscillating = { amplitude = [0, 0, 0.004], frequency = 40 } }
list = [{ x = [0.03, 0.05, 0] }, { x = [0.09, 0.05, 0] }]
[particles.late]
material = "grain"
radius = 0.01
prescribed = true
list = [{ x = [0.06, 0.02, 0.12] }]
[walls.floor]
plane = { point = [0, 0, -0.005], normal = [0, 0, 1] }
[walls.lid]
plane = { point = [0, 0, 0.135], normal = [0, 0, -1] }
[fields.g]
acceleration = [0, 0, -9.81]
[fields.side]
acceleration = [0, 200, 0]
start_stage = "open"
[domain]
box = [[0, -0.02, -0.1], [0.12, 0.12, 0.3]]
periodic = ["x"]
rule = "delete"
[numerics]
scheme = "trapezoid"
dt = 1e-4
[[stages]]
name = "closed"
duration = 0.015
[[stages]]
name = "open"
duration = 0.025
remove = ["walls.floor", "walls.lid"]
release = ["particles.late"]
)";
  const std::string tight = implicit("max_sweeps=200,tol_x=1e-12,tol_a=1e-12,tol_v=1e-11,tol_w=1e-11");
  const Frame fast = last_frame(simulate(toml, {tight})), slow = last_frame(simulate(toml, {tight}, Engine::reference));
  EXPECT_GT(fast.lost, 0);
  expect_one_result(fast, slow);
  EXPECT_LT(std::fabs(fast.energy.residual), 1e-3 * fast.energy.turned_over);

  const std::vector<std::string> set = {implicit("adapt=\"campello\",dt_min=1e-5")};
  const std::string whole = hash_of(toml, set);
  for (std::int64_t stop : {60, 150, 210}) {
    Simulation first = simulate(toml, set);
    first.advance(stop);
    Simulation second = simulate(toml, set);
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), whole) << stop;
  }
}

// Bonds swing and break: decided once per step, on the accepted state.
TEST(ImplicitForces, Bonds) {
  const std::string toml = R"(
[materials.ball]
density = 2500
young = "50 MPa"
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.3 }
[particles.bar]
material = "ball"
radius = 0.05
list = [{ x = [0, 0, 0] }, { x = [0.1, 0, 0] }, { x = [0.2, 0, 0] }, { x = [0.3, 0, 0] }, { x = [0.4, 0, 0] }]
[particles.hammer]
material = "ball"
radius = 0.05
list = [{ x = [0.2, 0.01, 0.101], v = [0, 0, -4] }]
[bonds.joints]
group_a = "bar"
between = "touching"
max_gap = 1e-6
anchors = 4
ring_radius = 0.025
stiffness = 1e6
damper = 20
strength = 700
contact = false
[numerics]
scheme = "trapezoid"
dt = 2e-5
[[stages]]
name = "blow"
duration = 0.01
)";
  const std::vector<std::string> set = {implicit("max_sweeps=100,tol_x=1e-9,tol_a=1e-9,tol_v=1e-8,tol_w=1e-8")};
  const Frame fast = last_frame(simulate(toml, set)), slow = last_frame(simulate(toml, set, Engine::reference));
  EXPECT_GT(fast.breaks.size(), 0u);
  EXPECT_GT(fast.bonds.size(), 0u);
  expect_one_result(fast, slow);
  EXPECT_LT(std::fabs(fast.energy.residual), 3e-4 * fast.energy.turned_over);
  Vec3d momentum;
  for (std::size_t i = 0; i < fast.particles.x.size(); ++i) momentum += fast.particles.mass[i] * fast.particles.v[i];
  EXPECT_NEAR(momentum.z, -4 * fast.particles.mass[5], 1e-9);

  const std::vector<std::string> steps = {implicit("adapt=\"campello\",dt_min=2e-6")};
  const std::string whole = hash_of(toml, steps);
  Simulation first = simulate(toml, steps), second = simulate(toml, steps);
  first.advance(150);
  second.load(first.save());
  EXPECT_EQ(state_hash(last_frame(std::move(second))), whole);
}

// A charge in a magnetic field moves on a circle: the trapezoid at phi = 1/2 keeps its speed to round-off.
TEST(ImplicitForces, MagneticCircle) {
  const std::string toml = R"(
[materials.ion]
density = 1
young = 1e6
[contacts.default]
normal = { law = "hertz" }
[particles.ion]
material = "ion"
radius = 0.01
mass = 1
charge = 1
list = [{ x = [0, 0, 0], v = [1, 0, 0] }]
[fields.b]
magnetic = [0, 0, 10]
[numerics]
scheme = "trapezoid"
dt = 1e-3
implicit = { tol_x = 1e-13, tol_v = 1e-13 }
[[stages]]
name = "turn"
duration = 1
)";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml, {}, engine));
    EXPECT_NEAR(norm(f.particles.v[0]), 1, 1e-10);
    // turns by 2 atan(w dt/2) per step, clockwise seen from +z for a positive charge
    const double angle = -1000 * 2 * std::atan(0.5 * 10 * 1e-3);
    EXPECT_NEAR(f.particles.v[0].x, std::cos(angle), 1e-9);
    EXPECT_NEAR(f.particles.v[0].y, std::sin(angle), 1e-9);
    EXPECT_LT(std::fabs(f.energy.residual), 1e-10);
  }
}

// Fields, drag, attraction at a distance, a mesh and friction at once: both engines agree, the ledger closes, and a
// resumed run has the same bits.
TEST(ImplicitForces, AllForces) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.3 }
[particles.grains]
material = "grain"
radius = 0.01
charge = 1e-7
velocity = [0.3, 0, -1]
lattice = { region = { box = [[0.005, 0.005, 0.012], [0.1, 0.1, 0.06]] }, spacing = 0.023, jitter = 0.001 }
[walls.plate]
mesh = { obj = """v -0.5 -0.5 0
v 0.6 -0.5 0
v 0.6 0.6 0
v -0.5 0.6 0
f 1 2 3
f 1 3 4
""" }
[forces.pull]
law = "power"
k_at = 1e-4
a_at = 1
cutoff = 0.05
[fields.g]
acceleration = [0, 0, -9.81]
[fields.wind]
electric = [2e5, 0, 0]
region = { half_space = { point = [0.05, 0, 0], normal = [1, 0, 0] } }
[fluid]
density = 1.2
viscosity = 1.8e-5
drag = "chow"
[numerics]
scheme = "trapezoid"
dt = 1e-4
implicit = { max_sweeps = 200, tol_x = 1e-12, tol_a = 1e-12, tol_v = 1e-11, tol_w = 1e-11 }
[[stages]]
name = "fall"
duration = 0.02
)";
  const Frame fast = last_frame(simulate(toml)), slow = last_frame(simulate(toml, {}, Engine::reference));
  EXPECT_GT(fast.contacts.size(), 5u);
  expect_one_result(fast, slow);
  EXPECT_GT(fast.energy.field_work, 0);
  EXPECT_GT(fast.energy.drag, 0);
  EXPECT_LT(std::fabs(fast.energy.residual), 1e-3 * fast.energy.turned_over);

  const std::vector<std::string> set = {implicit("adapt=\"campello\",dt_min=1e-5")};
  const std::string whole = hash_of(toml, set);
  Simulation first = simulate(toml, set), second = simulate(toml, set);
  first.advance(110);
  second.load(first.save());
  EXPECT_EQ(state_hash(last_frame(std::move(second))), whole);
}
