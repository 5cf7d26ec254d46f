// Surfaces that move in themselves: belts, rollers, turntables, against closed forms and against walls that really
// move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compare.h"
#include "meshes.h"
#include "one_result.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr double kMu = 0.3, kG = 9.81, kBelt = 0.5, kRadius = 0.01;
const double kMass = 4.0 / 3 * std::numbers::pi * kRadius * kRadius * kRadius * 2500;

const std::string kGrain = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.3, xi = 0.1 }
[fields.g]
acceleration = [0, 0, -9.81]
)";

// A ball that lies on a wall; its weight presses it in by 7e-6 m.
std::string ball_on(const std::string& wall, const std::string& ball = "{ x = [0, 0, 0.009993] }") {
  return kGrain + fmt::format(R"(
[particles.ball]
material = "grain"
radius = 0.01
list = [{}]
[walls.wall]
{}
[numerics]
dt = 1e-5
[[stages]]
name = "a"
duration = 0.3
)",
                              ball, wall);
}

const std::string kFloor = "plane = { point = [0, 0, 0], normal = [0, 0, 1] }\n";

}  // namespace

// Friction mu m g accelerates a ball that does not turn to the speed of the belt, V, in the time V/(mu g). One that
// turns rolls after 2 V/(7 mu g), with 2 V/7 and the spin 5 V/(7 r) backwards. Of the work of the belt, 2 m V^2/7, half
// is left in the ball.
TEST(Surface, BeltTakesABallAlong) {
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const std::string belt = ball_on(kFloor + "surface = { velocity = [0.5, 0, 0] }");
    const double time = kBelt / (kMu * kG);
    Simulation sliding = simulate(belt, {"particles.ball.inhibit_rotation=true"}, engine);
    while (sliding.time() < 0.5 * time) sliding.advance(1);
    EXPECT_NEAR(sliding.frame().particles.v[0].x, kMu * kG * sliding.time(), 0.002 * kBelt);
    while (sliding.time() < 1.2 * time) sliding.advance(1);
    EXPECT_NEAR(sliding.frame().particles.v[0].x, kBelt, 0.002 * kBelt);
    EXPECT_NEAR(sliding.frame().energy.wall_work, kMass * kBelt * kBelt, 0.005 * kMass * kBelt * kBelt);

    const double rolls = 2 * kBelt / (7 * kMu * kG);
    Simulation rolling = simulate(belt, {}, engine);
    while (rolling.time() < 0.9 * rolls) rolling.advance(1);
    EXPECT_NEAR(rolling.frame().particles.v[0].x, kMu * kG * rolling.time(), 0.002 * kBelt);
    const Frame f = last_frame(std::move(rolling));
    EXPECT_NEAR(f.particles.v[0].x, 2.0 / 7 * kBelt, 0.002 * kBelt);
    EXPECT_NEAR(f.particles.w[0].y, -5.0 / 7 * kBelt / kRadius, 0.002 * kBelt / kRadius);
    EXPECT_NEAR(f.energy.wall_work, 2.0 / 7 * kMass * kBelt * kBelt, 0.005 * kMass * kBelt * kBelt);
    EXPECT_NEAR(f.energy.sliding, 1.0 / 7 * kMass * kBelt * kBelt, 0.005 * kMass * kBelt * kBelt);
    EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * f.energy.turned_over);
    EXPECT_NEAR(f.walls[0].force.x, 0, 1e-3 * kMass * kG);
    EXPECT_EQ(f.walls[0].origin, Vec3d{});  // it went nowhere
  }
}

// The centre of a ball that rolls on a turntable goes round a circle at 2/7 of the table's rate, wherever it starts and
// however fast: after 7/2 turns of the table it is back.
TEST(Surface, BallCirclesOnATurntable) {
  const double rate = 10, period = 7 * std::numbers::pi / rate;
  const double x = 0.1, vy = 0.4;  // rolling: v + w x (0, 0, -r) = rate (-y, x)
  const double wx = (rate * x - vy) / kRadius;
  const std::string toml = ball_on(
      "disk = { center = [0, 0, 0], normal = [0, 0, 1], radius = 1 }\n"
      "surface = { rate = 10, axis = [0, 0, 2], point = [0, 0, 0.3] }",
      fmt::format("{{ x = [{}, 0, 0.009993], v = [0, {}, 0], w = [{}, 0, 0] }}", x, vy, wx));
  Simulation s = simulate(toml, {"contacts.default.tangential.mu=1", fmt::format("stages=[{{duration={}}}]", period)});
  double far = 0;
  while (!s.finished()) {
    s.advance(500);
    far = std::max(far, norm(s.frame().particles.x[0] - Vec3d{x, 0, kRadius}));
  }
  // radius of the circle: v / (2/7 rate)
  const double circle = vy / (2.0 / 7 * rate);
  EXPECT_NEAR(far, 2 * circle, 0.01 * circle);
  EXPECT_LT(norm(s.frame().particles.x[0] - Vec3d{x, 0, kRadius}), 0.01 * circle);
}

// A roller whose surface turns is one that turns: the same forces, torques and work, to rounding.
TEST(Surface, RollerActsAsOneThatTurns) {
  const std::string roller = "cylinder = { from = [0, -1, -0.1], to = [0, 1, -0.1], radius = 0.1 }\n";
  const std::string ball = "{ x = [0.003, 0, 0.02], w = [3, 1, 20] }";
  const std::vector<std::string> set = {"contacts.default.rolling={law=\"constant\",mu=0.05}",
                                        "contacts.default.twisting={law=\"constant\",mu=0.05}",
                                        "stages=[{duration=0.1}]"};
  const Frame a = last_frame(simulate(
      ball_on(roller + "motion = { rotating = { point = [0, 0, -0.1], axis = [0, 1, 0], rate = 5 } }", ball), set));
  const Frame b = last_frame(
      simulate(ball_on(roller + "surface = { point = [0, 0, -0.1], axis = [0, 1, 0], rate = 5 }", ball), set));
  EXPECT_GT(a.particles.v[0].x, 0.1);
  EXPECT_LT(difference(a, b), 1e-9);
  EXPECT_NEAR(b.energy.wall_work, a.energy.wall_work, 1e-9 * std::fabs(a.energy.wall_work));
}

// A belt does not push: what points out of the wall is left out, and a ball on a fan of a surface stays where it is.
TEST(Surface, OnlyTheTangentialPartActs) {
  const Frame up = last_frame(simulate(ball_on(kFloor + "surface = { velocity = [0, 0, 3] }")));
  const Frame rest = last_frame(simulate(ball_on(kFloor)));
  EXPECT_EQ(up.particles.x[0], rest.particles.x[0]);
  const Frame both = last_frame(simulate(ball_on(kFloor + "surface = { velocity = [0.5, 0, 3] }")));
  const Frame along = last_frame(simulate(ball_on(kFloor + "surface = { velocity = [0.5, 0, 0] }")));
  EXPECT_LT(difference(both, along), 1e-12);
}

// The direction of a belt goes along with its frame: turned by a quarter about z it runs along y.
TEST(Surface, GoesAlongWithTheWall) {
  const std::string turned =
      "rectangle = { corner = [-1, -1, 0], edge_a = [2, 0, 0], edge_b = [0, 2, 0] }\n"
      "surface = { velocity = [0.5, 0, 0] }\n"
      "motion = { rotating = { point = [0, 0, 0], axis = [0, 0, 1], rate = 1570.7963267948966 }, stop = 0.001 }";
  const Frame f =
      last_frame(simulate(ball_on(turned, "{ x = [0, 0, 0.0102] }"), {"walls.wall.surface.when={start=0.05}"}));
  EXPECT_NEAR(f.particles.v[0].y, 2.0 / 7 * kBelt, 0.003 * kBelt);
  EXPECT_LT(std::fabs(f.particles.v[0].x), 0.01 * kBelt);
}

TEST(Surface, FactorAndTimes) {
  const std::string belt = kFloor + "surface = { velocity = [0.5, 0, 0], ";
  const auto end = [&](const std::string& more) {
    return last_frame(simulate(ball_on(belt + more + " }"), {"particles.ball.inhibit_rotation=true"})).particles.v[0].x;
  };
  EXPECT_NEAR(end("factor = 0.5"), 0.25, 1e-3);
  EXPECT_NEAR(end("factor = { from = 0, to = 0.8, over = 0.2 }"), 0.4, 1e-3);
  EXPECT_NEAR(end("factor = { formula = 'cos(3*t)' }, when = { start = 0.1 }"), 0.5 * std::cos(0.6), 1e-3);
  EXPECT_NEAR(end("when = { stop = 0.1 }"), 0, 2e-3);  // and brakes again
  EXPECT_NEAR(end("when = { start = 0.5 }"), 0, 1e-9);
}

// The same belt as plane, rectangle and mesh.
TEST(Surface, BeltOfAnyShape) {
  const std::string surface = "surface = { velocity = [0.5, 0.1, 0] }";
  const Frame plane = last_frame(simulate(ball_on(kFloor + surface)));
  for (const char* shape : {"rectangle = { corner = [-1, -1, 0], edge_a = [2, 0, 0], edge_b = [0, 2, 0] }\n",
                            "mesh = { obj = \"v -1 -1 0\\nv 1 -1 0\\nv 1 1 0\\nv -1 1 0\\nf 1 2 3 4\" }\n",
                            "mesh = { obj = \"v -1 -1 0\\nv 0.01 -1 0\\nv 0.01 1 0\\nv -1 1 0\\nv 1 -1 0\\nv 1 1 0\\nf "
                            "1 2 3 4\\nf 2 5 6 3\" }\n"})
    EXPECT_LT(difference(last_frame(simulate(ball_on(shape + surface))), plane), 1e-10) << shape;
}

// Wear counts the slip against the surface: friction on the rolling ball has dissipated m V^2/7.
TEST(Surface, WearIsThatAgainstTheSurface) {
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(ball_on(kFloor + "surface = { velocity = [0.5, 0, 0] }"),
                                        {"output.measure.w={kind=\"wear\"}"}, engine));
    ASSERT_EQ(f.wear.size(), 1u);
    EXPECT_NEAR(f.wear[0].sliding[0], kMass * kBelt * kBelt / 7, 0.01 * kMass * kBelt * kBelt);
  }
}

TEST(Surface, OneResult) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.grains]
material = "grain"
radius = 0.005
list = [{ x = [0.01, 0.01, 0.00499], v = [0.1, 0, 0] }, { x = [0.03, 0.012, 0.00499], w = [1, 20, 3] },
        { x = [0.012, 0.03, 0.03] }, { x = [0.035, 0.035, 0.00499], v = [0.2, -0.1, 0] }]
[walls.box]
box = { min = [0, 0, 0], max = [0.05, 0.05, 0.06] }
[fields.g]
acceleration = [0, 0, -50]
[numerics]
dt = 2e-5
[[stages]]
name = "a"
duration = 0.03
[[stages]]
name = "b"
duration = 0.03
)";
  for (const char* surface :
       {"{velocity=[0.5,0.3,0.1]}", "{rate=30,axis=[0,0,1],point=[0.02,0.02,0]}",
        "{velocity=[0.2,0,0],rate=30,axis=[0.3,0.1,1],factor={formula='cos(200*t)'},when={start_stage=\"b\"}}"})
    for (const char* more :
         {"walls.box.motion={oscillating={amplitude=[0.001,0,0.002],frequency=30}}",
          "walls.box.motion=[{rotating={point=[0.02,0.02,0.02],axis=[1,2,3],rate=5}},{constant={velocity=[0.1,0,0]}}]",
          "walls.box.motion=[{formula={shift=['0','0','0.001*sin(100*t)'],angle='0.1*t^2',axis=[0,1,0]}}]",
          "numerics.scheme='kick_drift'", "numerics.scheme='velocity_verlet'", "numerics.scheme='trapezoid'",
          "numerics.skin=0.01"})
      EXPECT_GT(expect_one_result(toml, {fmt::format("walls.box.surface={}", surface), more}, 20).contacts, 30u)
          << surface << more;
  EXPECT_GT(expect_one_result(
                [&](Engine engine, const Bookkeeping& books) {
                  Case c = parse_case(toml, "test", {"walls.box.surface={velocity=[0.5,0.3,0.1]}"});
                  c.walls[0].shape = box_mesh({0, 0, 0}, {0.05, 0.05, 0.06}, 3);
                  return Simulation(c, engine, books);
                },
                "mesh", 20)
                .contacts,
            30u);
}

// The speed that a roller or a turning drum may close in with is that of its own surface, wherever the scene lies.
TEST(Surface, ClosingSpeedIsThatOfTheWallItself) {
  const auto speed_at = [](double x, const std::string& turns) {
    const std::string wall = fmt::format(
        "cylinder = {{ from = [{0}, -1, -0.1], to = [{0}, 1, -0.1], radius = 0.1 }}\n{1} = {{ rate = 40, axis = [0, 1, "
        "0], "
        "point = [{0}, 0, -0.1] }}",
        x, turns);
    std::string text = ball_on(wall, fmt::format("{{ x = [{}, 0, 0.011] }}", x));
    text.erase(text.find("dt = 1e-5"), 9);
    return simulate(text).choices().closing_speed;
  };
  for (const std::string turns : {"surface", "motion.rotating"}) {
    EXPECT_NEAR(speed_at(0, turns), 40 * 0.1, 1e-9) << turns;
    EXPECT_NEAR(speed_at(1000, turns), 40 * 0.1, 1e-6) << turns;
  }
}
