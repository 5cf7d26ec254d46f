// Motions of several parts and by formulas; targets of servos that change in time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "compare.h"
#include "one_result.h"
#include "scene/motion.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

Motion turning(const Vec3d& point, const Vec3d& axis, double rate) {
  Motion m;
  m.kind = Motion::Kind::rotating;
  m.point = point;
  m.axis = axis;
  m.omega = rate;
  return m;
}
Motion by_formula(const char* x, const char* y, const char* z, const char* angle = "") {
  Motion m;
  m.kind = Motion::Kind::formula;
  m.shift = {Formula(x), Formula(y), Formula(z)};
  if (*angle) m.angle = angle;
  return m;
}

// The velocity that a pose tells, against central differences of the places of a point of the body.
void expect_derivative(const Motion& m, double from, double to) {
  const Vec3d body{1, 0.5, -0.3};
  const double h = 1e-6;
  for (double t = from; t < to; t += 0.0171) {
    const Pose now = pose_at(m, t);
    const Vec3d v = (0.5 / h) * (pose_at(m, t + h).to_world(body) - pose_at(m, t - h).to_world(body));
    EXPECT_LT(norm(v - now.velocity_at(now.to_world(body))), 1e-7 * (1 + norm(v))) << t;
    EXPECT_LT(norm(now.to_body(now.to_world(body)) - body), 1e-14);
  }
}

}  // namespace

// A quarter turn about z through (1, 0, 0) takes the origin to (1, -1, 0); a shift by (0, 0, 2) after it to (1, -1, 2);
// a quarter turn about x after that to (1, -2, -1). The other way round the results differ.
TEST(Motions, PartsCarryWhatComesBefore) {
  const double quarter = std::numbers::pi / 2;
  Motion shift;
  shift.kind = Motion::Kind::constant;
  shift.velocity = {0, 0, 2};
  Motion m = turning({1, 0, 0}, {0, 0, 1}, quarter);
  m.then = {shift};
  EXPECT_LT(norm(pose_at(m, 1).to_world({}) - Vec3d{1, -1, 2}), 1e-15);
  m.then.push_back(turning({}, {1, 0, 0}, quarter));
  EXPECT_LT(norm(pose_at(m, 1).to_world({}) - Vec3d{1, -2, -1}), 1e-15);

  Motion reversed = turning({}, {1, 0, 0}, quarter);
  reversed.then = {shift, turning({1, 0, 0}, {0, 0, 1}, quarter)};
  EXPECT_LT(norm(pose_at(reversed, 1).to_world({}) - Vec3d{1, -1, 2}), 1e-15);
  EXPECT_LT(norm(pose_at(reversed, 1).to_world({0, 1, 0}) - Vec3d{1, -1, 3}), 1e-15);
  EXPECT_TRUE(turns(m));
}

TEST(Motions, VelocityOfPartsIsTheDerivative) {
  Motion shake;
  shake.kind = Motion::Kind::oscillating;
  shake.amplitude = {0.1, 0.02, 0.3};
  shake.omega = 7;
  Motion m = turning({0.1, 0.2, 0.3}, {1, 2, 3}, 5);
  m.then = {shake, by_formula("0.1*t^2", "sin(t)", "0.3*exp(-t)", "t^2 - 0.1*sin(9*t)"),
            turning({1, 0, 0}, {0, 1, 1}, -3)};
  m.then[1].axis = {0, 1, 0.5};
  m.then[1].point = {0.3, 0, 0};
  expect_derivative(m, 0.1, 2);
  double fastest = 0;
  for (double t = 0; t < 2; t += 0.01) {
    const Pose p = pose_at(m, t);
    fastest = std::max(fastest, norm(p.velocity_at({})));
  }
  const auto arm = [](const Vec3d& point, const Vec3d&) { return 4 + norm(point); };
  EXPECT_LE(fastest, top_speed(m, arm, 2));
}

// What a part has reached when it stops stays: up, then along, then a turn of what was moved.
TEST(Motions, PartsInSequence) {
  Motion up;
  up.kind = Motion::Kind::constant;
  up.velocity = {0, 0, 1};
  up.stop = 1;
  Motion along = up;
  along.velocity = {2, 0, 0};
  along.start = 1;
  along.stop = 2;
  Motion turn = turning({}, {0, 0, 1}, std::numbers::pi);
  turn.start = 2;
  turn.stop = 3;
  Motion m = up;
  m.then = {along, turn};
  EXPECT_EQ(pose_at(m, 0.5).to_world({}), (Vec3d{0, 0, 0.5}));
  EXPECT_EQ(pose_at(m, 0.5).velocity_at({}), (Vec3d{0, 0, 1}));
  EXPECT_EQ(pose_at(m, 1.5).to_world({}), (Vec3d{1, 0, 1}));
  EXPECT_EQ(pose_at(m, 1.5).velocity_at({}), (Vec3d{2, 0, 0}));
  EXPECT_LT(norm(pose_at(m, 5).to_world({}) - Vec3d{-2, 0, 1}), 1e-15);
  EXPECT_TRUE(pose_at(m, 5).at_rest());
}

TEST(Motions, FormulaBeginsInPlaceAndRests) {
  Motion m = by_formula("1 + t", "", "cos(t)", "2 + 3*t");
  m.start = 1;
  m.stop = 2;
  EXPECT_TRUE(pose_at(m, 0.5).in_place());
  EXPECT_TRUE(pose_at(m, 0.5).at_rest());
  EXPECT_NEAR(pose_at(m, 1.5).shift.x, 0.5, 1e-15);
  EXPECT_NEAR(pose_at(m, 1.5).shift.z, std::cos(0.5) - 1, 1e-15);
  EXPECT_EQ(pose_at(m, 1.5).w, (Vec3d{0, 0, 3}));
  EXPECT_NEAR(pose_at(m, 3).shift.x, 1, 1e-15);
  EXPECT_TRUE(pose_at(m, 3).at_rest());
}

namespace {

const std::string kShaken = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.grains]
material = "grain"
radius = 0.005
list = [{ x = [0.01, 0.01, 0.00499], v = [0.1, 0, 0] }, { x = [0.03, 0.012, 0.00499], w = [1, 20, 3] },
        { x = [0.012, 0.03, 0.03] }, { x = [0.035, 0.035, 0.00499], v = [0.2, -0.1, 0] }]
[particles.stirrer]
material = "grain"
radius = 0.006
list = [{ x = [0.0205, 0.0215, 0.0065] }]
prescribed = true
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

}  // namespace

// The same motion in other words has the same bits.
TEST(Motions, FormulaIsTheMotionItDescribes) {
  const auto hash = [](const char* motion) {
    const Frame f = last_frame(simulate(kShaken, {fmt::format("walls.box.motion={}", motion)}));
    EXPECT_FALSE(f.contacts.empty());
    return state_hash(f);
  };
  const std::string shaken = hash("{oscillating={amplitude=[0,0,0.002],omega=200}}");
  EXPECT_EQ(hash("{formula={shift=['0','0','0.002*sin(200*t)']}}"), shaken);
  EXPECT_EQ(hash("[{formula={shift=['0','0','0.002*sin(200*t)']}}]"), shaken);
  const std::string drawn = hash("{constant={velocity=[0.2,0,0.1]}}");
  EXPECT_EQ(hash("{formula={shift=['0.2*t','0','0.1*t']}}"), drawn);
  EXPECT_EQ(hash("[{constant={velocity=[0.2,0,0]}},{constant={velocity=[0,0,0.1]}}]"), drawn);
  EXPECT_NE(shaken, drawn);
}

TEST(Motions, OneResult) {
  for (const char* motion :
       {"[{rotating={point=[0.025,0.025,0.03],axis=[0,1,0.2],rate=20}},{oscillating={amplitude=[0.001,0,0.002],"
        "frequency=30}}]",
        "[{constant={velocity=[0.1,0,0]},stop_stage='b'},{rotating={axis=[0,0,1],rate=10},start_stage='b'}]",
        "{formula={shift=['0.001*sin(150*t)','0','0.1*t'],angle='0.2*sin(60*t)',axis=[0,1,0],point=[0.02,0,0.02]}}"})
    for (const char* who : {"walls.box", "particles.stirrer"})
      for (const char* more :
           {"numerics.skin=0.01", "numerics.scheme='velocity_verlet'", "numerics.scheme='trapezoid'"}) {
        const Seen seen = expect_one_result(kShaken, {fmt::format("{}.motion={}", who, motion), more}, 20);
        EXPECT_GT(seen.contacts, 30u) << who << motion;
        EXPECT_LT(std::fabs(seen.end.energy.residual), 0.02 * seen.end.energy.turned_over) << who << motion << more;
      }
}

// A stage that freezes a set ends the parts of its motion that have begun; those to come move it from where it stands.
TEST(Motions, FrozenSetsGoOnWithLaterParts) {
  const std::vector<std::string> set = {
      "particles.stirrer.motion=[{constant={velocity=[0.1,0,0]}},{constant={velocity=[0,0.2,0]},start_stage='b'}]",
      "stages=[{name='a',duration=0.01},{name='b',duration=0.02,freeze=['particles.stirrer']}]"};
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(kShaken, set, engine));
    EXPECT_LT(norm(f.particles.x[4] - Vec3d{0.0215, 0.0255, 0.0065}), 1e-9);
    EXPECT_LT(norm(f.particles.v[4] - Vec3d{0, 0.2, 0}), 1e-12);
  }
  EXPECT_GT(expect_one_result(kShaken, set, 50).contacts, 1u);
}

// A formula that has no value at some moment between the samples of the check stops the run by name.
TEST(Motions, FormulaWithoutAValueStops) {
  Simulation s = simulate(kShaken, {"walls.box.motion={formula={shift=['0','0','1e-9*sqrt(0.03000001 - t)']}}",
                                    "stages=[{duration=0.03},{name='b',until={at_rest=true}}]"});
  try {
    s.advance(5000);
    FAIL() << "went on to " << s.time();
  } catch (const StoppedError& e) {
    EXPECT_NE(std::string(e.what()).find("walls.box: a formula has no value at t = 0.0300"), std::string::npos)
        << e.what();
  }
}

namespace {

std::string press(const std::string& target) {
  return R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.bed]
material = "grain"
radius = 0.0099
lattice = { region = { box = [[0, 0, 0], [0.06, 0.06, 0.06]] }, spacing = 0.02 }
[walls.box]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.4], open = ["+z"] }
[walls.lid]
plane = { point = [0, 0, 0.0601], normal = [0, 0, -1] }
servo = { axis = [0, 0, 1], max_speed = 0.2, )" +
         target + R"( }
[numerics]
dt = 5e-5
[[stages]]
name = "a"
duration = 0.1
[[stages]]
name = "b"
duration = 0.5
)";
}

}  // namespace

// Nine columns of three grains. The target begins after the first stage and is followed with less than 1 % of its
// range.
TEST(Servo, FollowsItsCourse) {
  const std::pair<const char*, double (*)(double)> courses[] = {
      {"force = { from = 20, to = 60, over = 0.4 }", [](double t) { return 20 + 100 * std::min(t, 0.4); }},
      {"force = { table = [[0, 20], [0.2, 40], [0.4, 25]] }",
       [](double t) { return t < 0.2 ? 20 + 100 * t : 40 - 75 * std::min(t - 0.2, 0.2); }},
      {"pressure = { formula = '1e4*(1 + 0.5*sin(10*t))' }, area = 0.0036",
       [](double t) { return 36 * (1 + 0.5 * std::sin(10 * t)); }}};
  for (const auto& [keys, target] : courses) {
    Simulation s = simulate(press(std::string(keys) + ", when = { start_stage = 'b' }"), {"numerics.dt=1e-5"});
    s.advance(10000);
    EXPECT_EQ(s.frame().walls[1].origin.z, 0);
    while (!s.finished()) {
      s.advance(100);
      const double t = s.time() - 0.1;
      if (t < 0.05) continue;
      EXPECT_NEAR(s.frame().walls[1].force.z, target(t), 0.4) << keys << " at " << t;
    }
    EXPECT_LT(std::fabs(s.frame().energy.residual), 2e-3 * s.frame().energy.turned_over);
  }
}

TEST(Servo, CoursesHaveOneResult) {
  for (const char* keys :
       {"force = { from = 20, to = 60, over = 0.4 }", "pressure = { formula = '1e4*smooth(20*t)' }, area = 0.0036"})
    EXPECT_GT(expect_one_result(press(keys), {"stages=[{duration=0.05}]"}, 50).contacts, 100u) << keys;
  const std::string constant = state_hash(last_frame(simulate(press("force = 36"), {"stages=[{duration=0.05}]"})));
  EXPECT_EQ(state_hash(last_frame(simulate(press("force = { formula = '36' }"), {"stages=[{duration=0.05}]"}))),
            constant);
  EXPECT_EQ(state_hash(last_frame(simulate(press("pressure = 1e4, area = 0.0036"), {"stages=[{duration=0.05}]"}))),
            constant);
}
