// Shapes, motions, servos and the coming and going of walls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "compare.h"
#include "meshes.h"
#include "scene/motion.h"
#include "scene/wall_geometry.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const std::string kGrain = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[fields.g]
acceleration = [0, 0, -9.81]
)";

// A ball of 1 cm at rest on a wall, by its centre.
std::string ball_on(const std::string& wall, const std::string& x, const std::string& more = "") {
  return kGrain + fmt::format(R"(
[particles.ball]
material = "grain"
radius = 0.01
list = [{{ x = {} }}]
[walls.wall]
{}
{}
[[stages]]
duration = 0.3
)",
                              x, wall, more);
}

void expect_point(const WallPoint& at, double distance, const Vec3d& n) {
  EXPECT_TRUE(at.found);
  EXPECT_NEAR(at.distance, distance, 1e-14);
  EXPECT_LT(norm(at.n - n), 1e-14);
}

}  // namespace

TEST(WallShapes, Cone) {
  // half angle 45 degrees, tip at the origin, opening upwards
  const ConeShape cone{{0, 0, 0}, {0, 0, 1}, 0, 1};
  const double h = std::sqrt(0.5);
  expect_point(closest_point(cone, 0, {0.2, 0, 0.6}), 0.4 * h, {h, 0, -h});   // inside
  expect_point(closest_point(cone, 0, {0, 0.6, 0.2}), 0.4 * h, {0, -h, h});   // outside
  expect_point(closest_point(cone, 0, {0, 0, -0.3}), 0.3, {0, 0, 1});         // below the tip
  expect_point(closest_point(cone, 0, {1, 0, 1.5}), 0.5, {0, 0, -1});         // above the rim
  expect_point(closest_point(cone, 0, {1.3, 0, 1.4}), 0.5, {-0.6, 0, -0.8});  // beyond it
  EXPECT_NEAR(closest_point(cone, 0, {0, 0, 0.5}).distance, 0.5 * h, 1e-14);  // on the axis
}

TEST(WallShapes, Sphere) {
  const SphereShape sphere{{1, 0, 0}, 0.5};
  expect_point(closest_point(sphere, 0, {1.4, 0, 0}), 0.1, {1, 0, 0});
  expect_point(closest_point(sphere, 0, {1, 0.7, 0}), 0.2, {0, -1, 0});
  EXPECT_NEAR(closest_point(sphere, 0, {1, 0, 0}).distance, 0.5, 1e-15);
}

TEST(WallShapes, Disk) {
  const DiskShape disk{{0, 0, 1}, {0, 0, 2}, 0.5, 0.2};
  expect_point(closest_point(disk, 0, {0.3, 0, 1.1}), 0.1, {0, 0, -1});
  expect_point(closest_point(disk, 0, {0, -0.3, 0.8}), 0.2, {0, 0, 1});
  expect_point(closest_point(disk, 0, {0.9, 0, 1.3}), 0.5, {-0.8, 0, -0.6});    // rim
  expect_point(closest_point(disk, 0, {0.16, 0, 1.03}), 0.05, {0.8, 0, -0.6});  // hole
}

TEST(WallShapes, Rectangle) {
  const RectangleShape plate{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  expect_point(closest_point(plate, 0, {1, 0.5, 0.3}), 0.3, {0, 0, -1});
  expect_point(closest_point(plate, 0, {1, 0.5, -0.3}), 0.3, {0, 0, 1});
  expect_point(closest_point(plate, 0, {2.3, 0.5, 0.4}), 0.5, {-0.6, 0, -0.8});
  expect_point(closest_point(plate, 0, {-0.3, -0.4, 0}), 0.5, {0.6, 0.8, 0});
}

// The force on each shape is the weight of what lies on it, in both engines.
TEST(WallShapes, CarryTheWeight) {
  const double weight = 4.0 / 3 * std::numbers::pi * 1e-6 * 2500 * 9.81;
  const std::pair<const char*, const char*> walls[] = {
      {"plane = { point = [0, 0, 0], normal = [0, 0, 1] }", "[0, 0, 0.01]"},
      {"box = { min = [-1, -1, 0], max = [1, 1, 1] }", "[0, 0, 0.01]"},
      {"cylinder = { from = [0, -1, 1], to = [0, 1, 1], radius = 1 }", "[0, 0, 0.01]"},
      {"cone = { from = [0, 0, 1], to = [1, 0, 1], radius_from = 1, radius_to = 1 }", "[0.5, 0, 0.01]"},
      {"sphere = { center = [0, 0, -1], radius = 1 }", "[0, 0, 0.01]"},
      {"sphere = { center = [0, 0, 1], radius = 1 }", "[0, 0, 0.01]"},
      {"disk = { center = [0, 0, 0], normal = [0, 0, -1], radius = 1, hole = 0.5 }", "[0.7, 0, 0.01]"},
      {"disk = { center = [0, 0, 0], normal = [0, 0, 1], radius = 1 }", "[0.7, 0, 0.01]"},
      {"rectangle = { corner = [-1, -1, 0], edge_a = [2, 0, 0], edge_b = [0, 2, 0] }", "[0, 0, 0.01]"},
      {"mesh = { obj = \"v -1 -1 0\\nv 1 -1 0\\nv 1 1 0\\nv -1 1 0\\nf 1 2 3 4\" }", "[0, 0, 0.01]"},
      {"mesh = { obj = \"v -1 -1 -1\\nv 1 -1 -1\\nv 0 0 0\\nv 0 1 -1\\nf 1 2 3\\nf 2 4 3\\nf 4 1 3\" }",
       "[0, 0, 0.01]"}};
  for (const auto& [wall, x] : walls)
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const Frame f = last_frame(simulate(ball_on(wall, x), {}, engine));
      EXPECT_NEAR(f.walls[0].force.z, -weight, 1e-6 * weight) << wall;
      EXPECT_LT(std::fabs(f.walls[0].force.x) + std::fabs(f.walls[0].force.y), 1e-6 * weight) << wall;
      EXPECT_EQ(f.contacts.size(), 1u) << wall;
      EXPECT_FALSE(f.walls[0].polygons.empty()) << wall;
      EXPECT_LT(std::fabs(f.energy.residual), 1e-5 * f.energy.turned_over) << wall;
    }
}

TEST(Motions, TableIsSmoothAndItsVelocityItsDerivative) {
  Motion m;
  m.kind = Motion::Kind::table;
  m.point = {0.1, 0.2, 0.3};
  m.start = 0.25;
  m.table = {
      {0, {}, {}}, {0.5, {0.1, 0, 0}, {0, 0, 1}}, {0.8, {0.1, 0.2, 0}, {0.5, 0, 2}}, {2, {0, 0.3, -0.1}, {1, -1, 5}}};
  const Vec3d body{1, 0.5, -0.3};
  const double h = 1e-6;
  double fastest = 0;
  for (double t = 0.26; t < 2.2; t += 0.0173) {
    const Pose before = pose_at(m, t - h), now = pose_at(m, t), after = pose_at(m, t + h);
    const Vec3d v = (0.5 / h) * (after.to_world(body) - before.to_world(body));
    EXPECT_LT(norm(v - now.velocity_at(now.to_world(body))), 1e-7) << t;
    // no jump of the velocity from one line to the next
    EXPECT_LT(norm(after.velocity_at(after.to_world(body)) - before.velocity_at(before.to_world(body))), 1e-3) << t;
    fastest = std::max(fastest, norm(v));
  }
  for (const MotionRow& row : m.table) {
    const Pose p = pose_at(m, 0.25 + row.time);
    EXPECT_LT(norm(p.shift - row.shift), 1e-14);
    EXPECT_LT(norm(rotation_vector(p.q) -
                   rotation_vector(about_axis(norm(row.turn) > 0 ? unit(row.turn) : Vec3d{0, 0, 1}, norm(row.turn)))),
              1e-9);
  }
  EXPECT_LE(fastest, top_speed_of_part(m, norm(body - m.point), 10));
  EXPECT_EQ(pose_at(m, 5).v, Vec3d{});
  EXPECT_EQ(pose_at(m, 0.1).v, Vec3d{});
}

// Two lines are uniform motion: the same as `constant`.
TEST(Motions, TableOfTwoLinesIsConstant) {
  const std::string floor = "plane = { point = [0, 0, 0], normal = [0, 0, 1] }\n";
  const Frame a =
      last_frame(simulate(ball_on(floor + "motion = { constant = { velocity = [0.2, 0, 0.1] } }", "[0, 0, 0.01]")));
  const Frame b = last_frame(simulate(
      ball_on(floor + "motion = { table = { rows = [[0, [0, 0, 0]], [1, [0.2, 0, 0.1]]] } }", "[0, 0, 0.01]")));
  EXPECT_LT(norm(a.particles.x[0] - b.particles.x[0]), 1e-9);
  EXPECT_LT(norm(a.particles.v[0] - b.particles.v[0]), 1e-7);
  EXPECT_GT(a.particles.x[0].x, 0.01);
}

namespace {

std::string press(const std::string& target) {
  return kGrain + R"(
[particles.bed]
material = "grain"
radius = { uniform = { min = 0.008, max = 0.01 } }
fill = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.12]] }, count = 100 }
[walls.box]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.4], open = ["+z"] }
[walls.lid]
plane = { point = [0, 0, 0.125], normal = [0, 0, -1] }
servo = { axis = [0, 0, 2], max_speed = 0.2, )" +
         target + R"( }
[numerics]
dt = 5e-5
[[stages]]
duration = 1.2
)";
}

}  // namespace

TEST(Servo, ReachesItsForce) {
  for (const char* target : {"force = 50", "pressure = 5000, area = 0.01"}) {
    Simulation s = simulate(press(target));
    double shift = 0;
    while (!s.finished()) {
      s.advance(200);
      const FrameWall lid = s.frame().walls[1];
      EXPECT_LE(std::fabs(lid.velocity.z), 0.2 * (1 + 1e-9));
      shift = lid.origin.z;
    }
    const Frame f = s.frame();
    EXPECT_NEAR(f.walls[1].force.z, 50, 0.05) << target;
    EXPECT_LT(shift, -0.01);
    EXPECT_LT(std::fabs(f.walls[1].velocity.z), 1e-3);
    EXPECT_GT(f.energy.wall_work, 0);
    EXPECT_LT(std::fabs(f.energy.residual), 2e-3 * f.energy.turned_over);
  }
}

TEST(Servo, StopsAtItsLimit) {
  const Frame f = last_frame(simulate(press("force = 50, min_shift = -0.01")));
  EXPECT_NEAR(f.walls[1].origin.z, -0.01, 1e-15);
  EXPECT_EQ(f.walls[1].velocity.z, 0);
}

TEST(Servo, EqualsTheReference) {
  const std::vector<std::string> set = {"stages=[{duration=0.15}]", "walls.lid.plane.point=[0,0,0.022]",
                                        "particles.bed={material=\"grain\",radius=0.01,list=[{x=[0.02,0.02,0.01]},{x=["
                                        "0.06,0.03,0.01]},{x=[0.05,0.07,0.01]}]}"};
  const Frame fast = last_frame(simulate(press("force = 50"), set));
  const Frame slow = last_frame(simulate(press("force = 50"), set, Engine::reference));
  EXPECT_GT(slow.walls[1].force.z, 0.1);
  expect_one_result(fast, slow);
}

TEST(Servo, SameBitsOnThreadsAndAfterResume) {
  const std::vector<std::string> set = {"stages=[{duration=0.3}]"};
  const auto with = [&](int threads) {
    return simulate(press("force = 50"), {set[0], fmt::format("numerics.threads={}", threads)});
  };
  const std::string one = state_hash(last_frame(with(1)));
  EXPECT_EQ(state_hash(last_frame(with(2))), one);
  EXPECT_EQ(state_hash(last_frame(with(4))), one);
  for (const std::int64_t stop : {1, 3210, 5000}) {
    Simulation first = with(1);
    first.advance(stop);
    Simulation second = with(2);
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), one) << stop;
  }
}

// A table that is pulled away and put back, by stages and by times.
TEST(WallPresence, ComesAndGoes) {
  const std::string table = "plane = { point = [0, 0, 0], normal = [0, 0, 1] }\n";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    // not there for 0.05 s: the ball falls
    const double fallen = 0.5 * 9.81 * 0.05 * 0.05;
    Simulation by_time = simulate(ball_on(table + "when = { start = 0.05 }", "[0, 0, 0.05]"),
                                  {"stages=[{duration=0.05}]", "numerics.dt=1e-5"}, engine);
    Frame f = last_frame(std::move(by_time));
    EXPECT_NEAR(f.particles.x[0].z, 0.05 - fallen, 1e-5);
    EXPECT_FALSE(f.walls[0].present);
    // then it lands
    f = last_frame(simulate(ball_on(table + "when = { start = 0.05 }", "[0, 0, 0.05]"), {"numerics.dt=1e-5"}, engine));
    EXPECT_TRUE(f.walls[0].present);
    EXPECT_GT(f.particles.x[0].z, 0.009);
    EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * f.energy.turned_over);
    const std::vector<std::string> stages = {
        "stages=[{name=\"a\",duration=0.05},{name=\"b\",duration=0.2,insert=[\"walls.wall\"]},{name=\"c\",duration=0."
        "05,"
        "remove=[\"walls.wall\"]}]",
        "numerics.dt=1e-5"};
    Simulation by_stage = simulate(ball_on(table, "[0, 0, 0.05]"), stages, engine);
    by_stage.advance(25000);
    EXPECT_GT(by_stage.frame().particles.x[0].z, 0.009);
    EXPECT_TRUE(by_stage.frame().walls[0].present);
    f = last_frame(std::move(by_stage));
    EXPECT_LT(f.particles.x[0].z, 0.009);
    EXPECT_FALSE(f.walls[0].present);
    EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * f.energy.turned_over);
  }
}

// A wall that appears within a ball, a little: the spring it meets is booked as put in.
TEST(WallPresence, AppearsInContact) {
  const std::string wall = "plane = { point = [0, 0, 0], normal = [0, 0, 1] }\nwhen = { start = 0.01 }";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(ball_on(wall, "[0, 0, 0.0095]"), {"numerics.dt=1e-5"}, engine));
    EXPECT_LT(f.energy.removed, 0);
    // the force that is there at once has no half step before it: an error of the first order in dt
    const Frame g = last_frame(simulate(ball_on(wall, "[0, 0, 0.0095]"), {"numerics.dt=5e-6"}, engine));
    EXPECT_LT(std::fabs(f.energy.residual), 1e-3 * f.energy.turned_over);
    EXPECT_NEAR(g.energy.residual / f.energy.residual, 0.5, 0.1);
    try {
      last_frame(simulate(ball_on(wall, "[0, 0, 0.004]"), {"numerics.dt=1e-5"}, engine));
      FAIL() << "cuts a particle";
    } catch (const StoppedError& e) {
      EXPECT_NE(std::string(e.what()).find("the wall `wall` appears at t = 0.01 s where particle 0"), std::string::npos)
          << e.what();
    }
  }
}

TEST(WallPresence, ResumeKnowsWhatIsThere) {
  const std::string text =
      ball_on("plane = { point = [0, 0, 0], normal = [0, 0, 1] }\nwhen = { start = 0.05, stop = 0.2 }", "[0, 0, 0.05]");
  const std::string whole = state_hash(last_frame(simulate(text, {"numerics.dt=1e-5"})));
  for (const std::int64_t stop : {4999, 5000, 5001, 15000, 20000, 20001}) {
    Simulation first = simulate(text, {"numerics.dt=1e-5"});
    first.advance(stop);
    Simulation second = simulate(text, {"numerics.dt=1e-5"});
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), whole) << stop;
  }
}
