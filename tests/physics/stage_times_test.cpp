// When stages begin and end, and what they do to the bodies: times that were asked for, whatever the time step;
// freezing what moves; removing before inserting.
#include <gtest/gtest.h>

#include <cmath>

#include "bonds_support.h"
#include "io/frames/vtk_frames.h"
#include "io/temporary_folder.h"
#include "run/run.h"

using namespace areia;
using namespace areia::test;

namespace {

const std::string kBall = R"(
[materials.a]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
)";

const std::string kFalling = kBall + R"(
[particles.s]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0.05] }]
[walls.p]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
)";

}  // namespace

// ---- times ----

// A stage that took whole steps was longer than it should be, and 200 of them by a tenth.
TEST(StageTimes, ManyStagesEndAtTheSumOfTheirTimes) {
  std::string toml = kFalling;
  for (int k = 0; k < 200; ++k) toml += "[[stages]]\nduration = 0.001\n";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {}, engine);
    EXPECT_GT(std::fmod(0.001, s.dt()), 0.1 * s.dt());  // it would not fit
    while (!s.finished()) s.advance(7);
    EXPECT_EQ(s.time(), 0.2);
    EXPECT_EQ(s.step(), 200 * std::lround(std::ceil(0.001 / s.dt())));
    EXPECT_NEAR(s.frame().energy.residual, 0, 1e-3 * s.frame().energy.turned_over);
  }
}

// What happens at a stage's beginning happens at its time, and fall lasts as long as it should.
TEST(StageTimes, StagesOfOddLengths) {
  for (const char* name : {"drift_kick", "kick_drift", "velocity_verlet", "trapezoid"}) {
    Simulation s = simulate(kFalling + "[[stages]]\nduration = 0.0123\n[[stages]]\nname = \"b\"\nduration = 0.0311\n",
                            {"numerics.dt=1e-4", fmt::format("numerics.scheme=\"{}\"", name)});
    while (s.stage() != "b") s.advance(1);
    EXPECT_EQ(s.step(), 124) << name;  // 123 steps of 1e-4 s, and the first one of the next stage
    while (!s.finished()) s.advance(1000);
    EXPECT_NEAR(s.time(), 0.0434, 1e-15) << name;
    EXPECT_NEAR(s.frame().particles.x[0].z, 0.05 - 0.5 * 9.81 * s.time() * s.time(), 3e-5) << name;
  }
  Simulation odd =
      simulate(kFalling + "[[stages]]\nduration = 0.01234\n[[stages]]\nduration = 0.02\n", {"numerics.dt=1e-4"});
  std::int64_t steps = 0;
  while (odd.time() < 0.01234 - 1e-9) steps += odd.advance(1);
  EXPECT_EQ(steps, 124);
  EXPECT_EQ(odd.time(), 0.01234);  // to the bit
  while (!odd.finished()) odd.advance(1);
  EXPECT_EQ(odd.time(), 0.01234 + 0.02);
}

// However the run is cut, on both engines, and from a checkpoint between two marks: the same bits, and a ledger that
// balances although steps change their length.
TEST(StageTimes, SameBitsWithStepsOfSeveralLengths) {
  for (const char* name : {"drift_kick", "kick_drift", "velocity_verlet", "trapezoid"}) {
    const std::string toml =
        two_spheres("damper = 50\nanchors = 3\nring_radius = 0.02",
                    "{ x = [0, 0, 0], v = [0, 0.1, 0] }, { x = [0.1, 0, 0], v = [0.3, 0, 0], w = [0, 5, 0] }",
                    0.00123) +
        "[[stages]]\nname = \"second\"\nduration = 0.0021\n[[stages]]\nname = \"third\"\nduration = 0.00077\n";
    const std::vector<std::string> set{"numerics.dt=4e-6", "output.frames=0.000333",
                                       fmt::format("numerics.scheme=\"{}\"", name)};
    Simulation fast = simulate(toml, set), slow = simulate(toml, set, Engine::reference);
    fast.advance(391);
    Simulation resumed = simulate(toml, set, Engine::reference);
    resumed.load(fast.save());
    while (!fast.finished()) fast.advance(1000000);
    while (!slow.finished()) slow.advance(13);
    while (!resumed.finished()) resumed.advance(200);
    EXPECT_NEAR(fast.time(), 0.0041, 1e-15) << name;
    EXPECT_EQ(state_hash(fast.frame()), state_hash(slow.frame())) << name;
    EXPECT_EQ(state_hash(fast.frame()), state_hash(resumed.frame())) << name;
    const Energy e = fast.frame().energy;
    const bool exact = std::string(name) == "drift_kick" || std::string(name) == "kick_drift";
    EXPECT_NEAR(e.residual, 0, (exact ? 1e-12 : 1e-4) * e.turned_over) << name;
    EXPECT_EQ(e.residual, slow.frame().energy.residual) << name;
  }
}

// Frames come at the nearest step and carry its time; they do not change the steps.
TEST(StageTimes, FramesCarryTheTimesOfTheirSteps) {
  const testing_support::TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "out";
  const Case c = parse_case(kFalling + "[[stages]]\nduration = 0.0123\n[[stages]]\nduration = 0.0077\n", "test",
                            {"numerics.dt=0.7e-4", "output.frames=0.005", "output.series=0.001"});
  run_case(c, options);
  std::vector<double> times;
  for (const FrameEntry& f : list_frames(options.out)) times.push_back(f.time);
  ASSERT_EQ(times.size(), 5u);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(times[k], 0.005 * k, 0.35e-4);
  EXPECT_NEAR(times[4], 0.02, 1e-15);
}

// The automatic step fits round times, so there frames come to the instant.
TEST(StageTimes, FramesAtRoundTimesCarryThem) {
  const testing_support::TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "out";
  const Case c = parse_case(kFalling + "[[stages]]\nduration = 0.3\n", "test", {"output.frames=0.05"});
  run_case(c, options);
  std::vector<double> times;
  for (const FrameEntry& f : list_frames(options.out)) times.push_back(f.time);
  ASSERT_EQ(times.size(), 7u);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(times[k], 0.05 * k, 1e-15);
}

// ---- bodies ----

// A set that moves by itself stops where it is, and again after it was free; a motion that begins later starts there.
TEST(StageTimes, FreezingStopsWhatMoves) {
  const std::string toml = kBall + R"(
[particles.t]
material = "a"
radius = 0.01
prescribed = true
motion = { constant = { velocity = [1, 0, 0] } }
list = [{ x = [0, 0, 0] }]
[particles.o]
material = "a"
radius = 0.01
list = [{ x = [5, 0.3, 0] }]
motion = { rotating = { point = [5, 0, 0], axis = [0, 0, 1], rate = 2 }, start_stage = "d" }
[[stages]]
name = "a"
duration = 0.1
release = ["o"]
[[stages]]
name = "b"
duration = 0.1
freeze = ["t"]
[[stages]]
name = "c"
duration = 0.1
release = ["t"]
[[stages]]
name = "d"
duration = 0.1
freeze = ["t", "o"]
)";
  for (const char* name : {"drift_kick", "kick_drift", "velocity_verlet", "trapezoid"})
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      Simulation s = simulate(toml, {"numerics.dt=1e-4", fmt::format("numerics.scheme=\"{}\"", name)}, engine);
      for (int stage = 0; stage < 4; ++stage) {
        s.advance(1000);
        EXPECT_NEAR(s.frame().particles.x[0].x, 0.1, 1e-12) << name << " stage " << stage;
        if (stage > 0) { EXPECT_EQ(norm(s.frame().particles.v[0]), 0) << name << " stage " << stage; }
      }
      // free at rest, and from the fourth stage on it turns; kick_drift leads it along the tangent for one step, by
      // r (w dt)^2/2 = 6e-9 m
      const Vec3d x = s.frame().particles.x[1] - Vec3d{5, 0, 0};
      EXPECT_NEAR(x.x, -0.3 * std::sin(0.2), 1e-8) << name;
      EXPECT_NEAR(x.y, 0.3 * std::cos(0.2), 1e-8) << name;
    }
}

// A wall may come where only a group lies that the same stage takes out.
TEST(StageTimes, RemovingComesBeforeInserting) {
  const std::string toml = kBall + R"(
[particles.s]
material = "a"
radius = 0.01
list = [{ x = [0.5, 0, 0] }]
[particles.t]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0] }]
[walls.w]
rectangle = { corner = [-0.1, -0.1, 0], edge_a = [0.2, 0, 0], edge_b = [0, 0.2, 0] }
[[stages]]
duration = 0.01
[[stages]]
duration = 0.01
insert = ["walls.w"]
)";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml + "remove = [\"particles.t\"]\n", {}, engine));
    EXPECT_EQ(f.particles.id.size(), 1u);
    EXPECT_TRUE(f.walls[0].present);
    Simulation cut = simulate(toml, {}, engine);
    EXPECT_THROW(while (!cut.finished()) cut.advance(100), StoppedError);
  }
}
