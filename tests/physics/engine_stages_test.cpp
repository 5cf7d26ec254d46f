// What stages, prescribed motions and restraints do to bodies, on both engines.
#include <gtest/gtest.h>

#include <cmath>

#include "compare.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

// Prescribed particles move as told, push others, and are not pushed; the work they do is booked.
TEST(Engine, PrescribedParticles) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.piston]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0] }]
prescribed = true
motion = { constant = { velocity = [0.5, 0, 0] } }
[particles.free]
material = "grain"
radius = 0.01
list = [{ x = [0.03, 0, 0] }]
[[stages]]
name = "push"
duration = 0.1
[numerics]
dt = 1e-5
)";
  for (Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml, {}, engine));
    EXPECT_DOUBLE_EQ(f.particles.x[0].x, 0.05);
    EXPECT_NEAR(f.particles.v[1].x, 1.0, 1e-3);  // elastic: twice the piston's speed
    EXPECT_NEAR(f.energy.wall_work, f.energy.kinetic, 2e-3 * f.energy.kinetic);
  }
  // frozen grains are prescribed from the start of the stage; released ones fall
  const Frame frozen = last_frame(
      simulate(toml, {"stages=[{name=\"a\",duration=0.01},{name=\"b\",duration=0.1,freeze=[\"particles.free\"]}]",
                      "particles.free.velocity=[0,1,0]"}));
  EXPECT_NEAR(frozen.particles.x[1].y, 0.01, 1e-12);
  EXPECT_EQ(frozen.particles.prescribed[1], 1);
  const Frame released = last_frame(
      simulate(toml, {"stages=[{name=\"a\",duration=0.01},{name=\"b\",duration=0.1,release=[\"particles.piston\"]}]",
                      "fields.g.acceleration=[0,0,-10]", "particles.piston.motion.constant.velocity=[0,0,0]"}));
  EXPECT_NEAR(released.particles.x[0].z, -0.5 * 10 * 0.01, 1e-3);
}

TEST(Engine, StagesRemoveWallsAndEndAtRest) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.2 }
[particles.grains]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0], [0.04, 0.04, 0.05]] }, jitter = 0.0002 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.cage]
box = { min = [0, 0, -0.01], max = [0.04, 0.04, 0.2], open = ["+z", "-z"] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
name = "settle"
until = { at_rest = true, at_most = "2 s" }
[[stages]]
name = "spread"
remove = ["walls.cage"]
duration = 0.2
)";
  Simulation s = simulate(toml);
  while (s.stage() == "settle") s.advance(100);
  const double settled = s.time(), dt = s.dt();
  EXPECT_GT(settled, 0.02);
  EXPECT_LT(settled, 2);
  const Frame end = last_frame(std::move(s));
  EXPECT_EQ(end.stage, "spread");
  EXPECT_NEAR(end.time, settled - 100 * dt + 0.2, 1e-9);  // a hundred steps of the next stage were taken by then
  EXPECT_FALSE(end.walls[1].present);
  double far = 0;
  for (const Vec3d& x : end.particles.x) far = std::max({far, x.x, -x.x});
  EXPECT_GT(far, 0.045);
  EXPECT_LT(std::fabs(end.energy.residual), 0.01 * (end.energy.damping + end.energy.sliding));
}

// A field that waits for a stage has no part in the first forces and energies.
TEST(Engine, FieldsWaitForTheirStage) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.one]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 1] }]
[fields.g]
acceleration = [0, 0, -10]
start_stage = "fall"
[numerics]
scheme = "velocity_verlet"
dt = 1e-3
[[stages]]
name = "wait"
duration = 0.1
[[stages]]
name = "fall"
duration = 0.1
)";
  for (Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {}, engine);
    EXPECT_EQ(s.frame().energy.potential, 0);
    s.advance(100);
    EXPECT_EQ(s.frame().particles.x[0].z, 1);
    EXPECT_NEAR(last_frame(std::move(s)).particles.x[0].z, 1 - 0.05, 1e-3);
  }
}

// A run through stages that settle, lose a wall, start a motion and lose particles, stopped anywhere and resumed.
TEST(Engine, ResumeAcrossStages) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.2 }
rolling = { law = "constant", mu = 0.1 }
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.005 } }
lattice = { region = { box = [[0, 0, 0], [0.04, 0.04, 0.05]] }, jitter = 0.0002 }
[particles.plug]
material = "grain"
radius = 0.005
list = [{ x = [0.1, 0, 0.005] }]
fixed = true
[walls.floor]
box = { min = [-0.06, -0.06, -0.1], max = [0.06, 0.06, 0], open = ["-x", "+x", "-y", "+y", "-z"] }
[walls.cage]
box = { min = [0, 0, -0.01], max = [0.04, 0.04, 0.2], open = ["+z", "-z"] }
[walls.stirrer]
cylinder = { from = [0.02, 0.02, 0.002], to = [0.02, 0.02, 0.001], radius = 0.06 }
motion = { oscillating = { amplitude = [0.005, 0, 0], frequency = 30 }, start_stage = "spread" }
[fields.g]
acceleration = [0, 0, -9.81]
[fields.tilt]
acceleration = [2, 0, 0]
start_stage = "spread"
[domain]
box = [[-0.2, -0.2, -0.05], [0.2, 0.2, 0.3]]
rule = "delete"
[[stages]]
name = "settle"
until = { at_rest = true, at_most = "0.05 s" }
[[stages]]
name = "spread"
remove = ["walls.cage", "particles.plug"]
duration = 0.3
)";
  const Frame whole = last_frame(simulate(toml));
  EXPECT_GT(whole.lost, 0);
  EXPECT_EQ(whole.removed, 1);
  const std::int64_t n = whole.step;
  for (const std::int64_t stop : {n / 10, n / 7, n / 7 + 1, n / 3, n / 2, n - 1}) {
    Simulation first = simulate(toml);
    first.advance(stop);
    Simulation second = simulate(toml, {"numerics.threads=2"});
    second.load(first.save());
    const Frame end = last_frame(std::move(second));
    EXPECT_EQ(state_hash(end), state_hash(whole)) << "stopped at " << stop << " of " << n;
    EXPECT_EQ(end.lost, whole.lost);
    EXPECT_EQ(end.energy.residual, whole.energy.residual);
  }
  EXPECT_LT(std::fabs(whole.energy.residual), 0.01 * (whole.energy.damping + whole.energy.sliding));
}
