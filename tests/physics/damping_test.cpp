// Dashpots at the automatic step: restitution as asked for, and no energy from strong damping. Theory manual, section
// 13.3.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "engine/ledger.h"
#include "engine/one_impact.h"
#include "physics/restitution.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr int kMoments = 40;

// Balls that hit a plane at 1 m/s, each at another moment of its step, far apart from each other; or pairs of them.
std::string impacts(const std::string& normal, bool pairs) {
  std::string list;
  for (int k = 0; k < kMoments; ++k) {
    const double gap = 1e-3 + 1e-3 * k / kMoments, x = 0.3 * k;
    if (pairs)
      list += fmt::format("{{x=[{0:.17g},0,{1:.17g}],v=[0,0,-0.5]}},{{x=[{0:.17g},0,{2:.17g}],v=[0,0,0.5]}},", x,
                          1 + gap, 0.9);
    else list += fmt::format("{{x=[{:.17g},0,{:.17g}],v=[0,0,-1]}},", x, 0.05 + gap);
  }
  return fmt::format(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = {{ {} }}
[particles.s]
material = "a"
radius = 0.05
list = [{}]
[walls.p]
plane = {{ point = [0, 0, {}], normal = [0, 0, 1] }}
[numerics]
max_speed = 1
[[stages]]
duration = 0.04
)",
                     normal, list, pairs ? -9 : 0);
}

struct Range {
  double least, most;
};

// The largest speed with which each ball leaves, over what it came with; where the dashpot may pull, the last one.
Range restitutions(Simulation s, bool pairs, bool pulls) {
  std::vector<double> leaving(kMoments, 0);
  watch(s, [&](const Frame& f) {
    for (int k = 0; k < kMoments; ++k) {
      const double v = pairs ? f.particles.v[2 * k].z - f.particles.v[2 * k + 1].z : f.particles.v[k].z;
      leaving[k] = pulls ? v : std::max(leaving[k], v);
    }
  });
  const auto [least, most] = std::minmax_element(leaving.begin(), leaving.end());
  return {*least, *most};
}

bool is_told(const Simulation& s, bool pairs) {
  for (const std::string& note : s.choices().notes)
    if (note.find(pairs ? "the dashpot of a-a:" : "the dashpot of a-p:") != std::string::npos) return true;
  return false;
}

// Within 2 % of what was asked for, or the step is told to be the reason; and it is told only where it is. `pulls`: the
// dashpot may.
void expect_restitution(const std::string& normal, double e, bool pulls = false) {
  for (const bool pairs : {false, true}) {
    Simulation s = simulate(impacts(normal, pairs));
    const bool told = is_told(s, pairs);
    const Range r = restitutions(std::move(s), pairs, pulls);
    const bool holds = r.least > 0.98 * e && r.most < 1.02 * e;
    // between the moments that are tried here and those that the program tries lies a little
    const bool nearly = r.least > 0.982 * e && r.most < 1.018 * e;
    EXPECT_TRUE(told ? !nearly : holds) << normal << (pairs ? ", pairs: " : ", plane: ") << r.least << " to " << r.most
                                        << " for " << e << (told ? ", told" : ", not told");
    if (!pulls && e >= 0.1) { EXPECT_FALSE(told) << normal; }
    EXPECT_LT(r.most, e + 0.025) << normal;
  }
}

const double kAsked[] = {1, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 3e-3, 1e-3, 1e-4, 1e-6};

}  // namespace

TEST(Damping, RestitutionAtTheAutomaticStepHertz) {
  for (const double e : kAsked) expect_restitution(fmt::format("law = \"hertz\", restitution = {}", e), e);
}
TEST(Damping, RestitutionAtTheAutomaticStepLinear) {
  for (const double e : kAsked)
    expect_restitution(fmt::format("law = \"linear\", stiffness = 1e5, restitution = {}", e), e);
}
// Force as delta^(P + 1): the ratio of the equivalent oscillator is xi sqrt(2 (P + 1)/(P + 2)), as sqrt(6/5) xi for
// Hertz's law with P = 1/2.
TEST(Damping, RestitutionAtTheAutomaticStepPenalty) {
  for (const double power : {0.5, 1.0, 2.0})
    for (const double e : kAsked) {
      const double xi = ratio_with_clamp(e) / std::sqrt(2 * (power + 1) / (power + 2));
      if (xi <= 100) expect_restitution(fmt::format("law = \"penalty\", K = 1e7, P = {}, xi = {:.17g}", power, xi), e);
    }
}
// Balls that touch the plane when the run begins: all of the way is in contact.
TEST(Damping, RestitutionFromTouching) {
  for (const char* scheme : {"drift_kick", "kick_drift"})
    for (const double e : {0.9, 0.5, 0.2, 0.05}) {
      const Frame f = last_frame(
          simulate(impacts(fmt::format("law = \"hertz\", restitution = {}", e), false),
                   {fmt::format("numerics.scheme=\"{}\"", scheme), "particles.s.list=[{x=[0,0,0.05],v=[0,0,-1]}]"}));
      EXPECT_NEAR(f.particles.v[0].z, e, 0.02 * e) << scheme;
    }
}
// Grains that touch to the last bit of their distance when the run begins. What is a first kick follows from the
// contact alone, not from the other contacts that an engine looks at with it, nor from what is recorded.
TEST(Damping, TouchingToTheLastBit) {
  ASSERT_LT(0.08 - 0.07, 0.01);  // by rounding: they overlap by 5e-18 m
  for (const char* speed : {"0", "-0.1"})
    for (const char* law : {"law = \"hertz\"", "law = \"linear\", stiffness = 1e5"})
      for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
        const std::string pair = fmt::format(R"(
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = {{ {}, restitution = 0.3 }}
tangential = {{ law = "coulomb_history", mu = 0.5, xi = 0.2 }}
[particles.held]
material = "grain"
radius = 0.005
prescribed = true
list = [{{ x = [0.07, 0, 0] }}]
[particles.free]
material = "grain"
radius = 0.005
velocity = [{}, 0.01, 0]
list = [{{ x = [0.08, 0, 0] }}]
[fields.g]
acceleration = [-9.81, 0, 0]
[numerics]
scheme = "{}"
dt = 2e-5
[[stages]]
duration = 0.004
)",
                                             law, speed, scheme);
        const std::string what = fmt::format("{} {} {}", law, speed, scheme);
        const std::string step_by_step = [&] {
          Simulation s = simulate(pair);
          watch(s, [](const Frame&) {});
          return state_hash(s.frame());
        }();
        EXPECT_EQ(state_hash(last_frame(simulate(pair))), step_by_step) << what;
        EXPECT_EQ(state_hash(last_frame(simulate(pair, {}, Engine::reference))), step_by_step) << what;
      }
}
// Hardly any adhesion, and dashpots that may pull.
TEST(Damping, RestitutionAtTheAutomaticStepWithoutClamp) {
  for (const double e : kAsked) {
    const double z = ratio_without_clamp(e), xi = std::sqrt(5.0 / 6) * z;
    expect_restitution(fmt::format("law = \"jkr\", work = 1e-9, xi = {:.17g}", xi), e, true);
    expect_restitution(fmt::format("law = \"hertz\", clamp = \"off\", xi = {:.17g}", xi), e, true);
    expect_restitution(fmt::format("law = \"linear\", stiffness = 1e5, clamp = \"off\", restitution = {}", e), e, true);
  }
}

// The spring alone carries what rests on it, whatever the dashpot.
TEST(Damping, DashpotsDoNotLetTheLoadSink) {
  for (const double xi : {0.1, 1.0, 10.0, 100.0}) {
    const Frame f = last_frame(simulate(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz" }
[particles.s]
material = "a"
radius = 0.05
list = [{ x = [0, 0, 0.04999] }]
[walls.p]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
max_speed = 0.1
[[stages]]
duration = 8
)",
                                        {fmt::format("contacts.default.normal.xi={}", xi)}));
    const double weight = 9.81 * f.particles.mass[0], a = std::sqrt(0.05 * f.contacts.at(0).overlap);
    const double e_star = 1e7 / (1 - 0.25 * 0.25);
    EXPECT_NEAR(4.0 / 3 * e_star * a * f.contacts[0].overlap, weight, 1e-3 * weight) << xi;
  }
}

namespace {

const char* const kBed = R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", restitution = 1e-4 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 5 }
[particles.s]
material = "a"
radius = 0.01
fill = { region = { box = [[0, 0, 0], [0.12, 0.12, 0.25]] }, count = 250 }
[walls.b]
box = { min = [0, 0, 0], max = [0.12, 0.12, 0.4], open = ["+z"] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.6
)";

}  // namespace

TEST(Damping, AStronglyDampedBedSettles) {
  for (const char* normal : {R"({law="hertz",restitution=1e-4})", R"({law="linear",stiffness=1e4,restitution=1e-6})",
                             R"({law="penalty",K=1e7,c=1e9})", R"({law="jkr",work=0.1,xi=50})"}) {
    Simulation s = simulate(kBed, {std::string("contacts.default.normal=") + normal});
    double most = 0;
    while (!s.finished()) {
      s.advance(100);
      const Energy e = s.frame().energy;
      EXPECT_GE(e.damping, -1e-9 * e.turned_over) << normal;
      most = std::max(most, e.kinetic);
    }
    const Energy e = s.frame().energy;
    EXPECT_GT(most, 0.1) << normal;
    EXPECT_LT(e.kinetic + e.rotational, 1e-4 * most) << normal;
    EXPECT_LT(std::fabs(e.residual), 0.01 * e.turned_over) << normal;
  }
}

TEST(Damping, BothEnginesEndAStronglyDampedBedAlike) {
  const std::vector<std::string> set{"particles.s.fill.count=40", "stages=[{duration=0.05}]"};
  EXPECT_EQ(state_hash(last_frame(simulate(kBed, set))),
            state_hash(last_frame(simulate(kBed, set, Engine::reference))));
}

namespace {

const char* const kRolls = R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.s]
material = "a"
radius = 0.05
list = [{ x = [0, 0, 0.0499999], v = [1, 0, 0] }]
[walls.p]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 1
)";

}  // namespace

// From sliding to rolling: 5/7 of the speed is left.
TEST(Damping, AStrongTangentialDashpotRolls) {
  for (const double xi : {0.5, 5.0, 100.0}) {
    const Frame f = last_frame(simulate(kRolls, {fmt::format("contacts.default.tangential.xi={}", xi)}));
    EXPECT_NEAR(f.particles.v[0].x, 5.0 / 7, 1e-3) << xi;
    EXPECT_NEAR(f.particles.w[0].y * 0.05, 5.0 / 7, 1e-3) << xi;
    // The ledger does not know at which kick sticking begins, and books a quarter of what the dashpot takes in that
    // kick too much (sliding_dissipation).
    EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * f.energy.turned_over) << xi;
    EXPECT_GE(f.energy.damping, 0) << xi;
  }
}

// Grains of a block that begins to lean on its box: tangential springs are loaded while others hold them in balance, so
// that their dashpots see velocities which these springs do not change. The ledger was 5 % of the energy off.
TEST(Damping, TheLedgerOfAPackingKnowsItsTangentialDashpots) {
  constexpr int kSide = 4;
  constexpr double kRadius = 0.005, kHalf = 0.998 * kRadius;
  Random random(2);
  std::string list;
  for (int k = 0; k < kSide * kSide * kSide; ++k) {
    const auto place = [&](int cell) { return (2 * cell + 1) * kHalf + random.uniform(-1e-6, 1e-6); };
    const double x = place(k % kSide), y = place(k / kSide % kSide), z = place(k / kSide / kSide);
    list += fmt::format("{{x=[{:.17g},{:.17g},{:.17g}]}},", x, y, z);
  }
  const Frame f = last_frame(simulate(fmt::format(R"(
[materials.grain]
density = 2500
young = 1e7
[contacts.default]
normal = {{ law = "hertz", restitution = 0.5 }}
tangential = {{ law = "coulomb_history", mu = 0.5, xi = 0.2 }}
[particles.bed]
material = "grain"
radius = {0}
list = [{1}]
[walls.box]
box = {{ min = [0, 0, 0], max = [{2}, {2}, {2}] }}
[fields.gravity]
acceleration = [3, 0, -9.81]
[[stages]]
duration = 0.02
[numerics]
start_overlap = 0.5
)",
                                                  kRadius, list, 2 * kSide * kHalf)));
  EXPECT_GT(f.energy.elastic_tangential, 0.3 * f.energy.turned_over);
  EXPECT_LT(std::fabs(f.energy.residual), 2e-3 * f.energy.turned_over);
}

// A rolling spring of its own has a say in the step, and its dashpot does not overshoot.
TEST(Damping, AStiffRollingSpringStops) {
  for (const char* rolling : {R"({law="epsd",mu=0.1,stiffness=1e5})", R"({law="epsd",mu=0.1,stiffness=1e7,eta=20})"}) {
    const Simulation s = simulate(kRolls, {std::string("contacts.default.rolling=") + rolling});
    EXPECT_NE(s.choices().dt_reason.find("rolling spring"), std::string::npos) << s.choices().dt_reason;
    const Frame f = last_frame(
        simulate(kRolls, {std::string("contacts.default.rolling=") + rolling, "contacts.default.tangential.xi=0.2",
                          "particles.s.list=[{x=[0,0,0.0499999],v=[0.2,0,0],w=[0,4,0]}]"}));
    EXPECT_LT(norm(f.particles.v[0]), 1e-4) << rolling;
    EXPECT_GE(f.energy.rolling, 0) << rolling;
    EXPECT_LT(std::fabs(f.energy.residual), 1e-3 * f.energy.turned_over) << rolling;
  }
}

// The impact that the program tries is that of the engines.
TEST(Damping, TheImpactThatIsTriedIsThatOfTheEngines) {
  for (const char* scheme : {"drift_kick", "kick_drift", "forward_euler", "velocity_verlet"})
    for (const char* normal :
         {"law = \"hertz\", restitution = 0.3", "law = \"linear\", stiffness = 1e5, clamp = \"off\", restitution = 0.3",
          "law = \"penalty\", K = 1e7, P = 1, xi = 2", "law = \"jkr\", work = 0.1, xi = 0.3"}) {
      const Case c =
          parse_case(impacts(normal, false), "test",
                     {fmt::format("numerics.scheme=\"{}\"", scheme), "particles.s.list=[{x=[0,0,0.0503],v=[0,0,-1]}]"});
      Simulation s(c);
      const double dt = s.dt();
      double leaves = 0;
      watch(s, [&](const Frame& f) { leaves = f.particles.v[0].z; });
      const auto material = [&](const char* name) {
        return *std::find_if(c.materials.begin(), c.materials.end(), [&](const Material& m) { return m.name == name; });
      };
      const Interaction laws(c.contacts[0], {material("a"), material("p")});
      const double m = s.frame().particles.mass[0], before = 0.0003 / dt;
      EXPECT_NEAR(restitution_of({laws, bodies(0.05, 0), m, 1}, c.numerics.scheme, dt, before), leaves, 1e-9)
          << normal << " " << scheme;
    }
}

TEST(Ledger, NegativeDissipationIsNamed) {
  Energy e;
  e.turned_over = 10;
  EXPECT_EQ(negative_dissipation(e), nullptr);
  e.damping = -0.09;
  EXPECT_EQ(negative_dissipation(e), nullptr);
  e.damping = -0.11;
  EXPECT_NE(std::string(negative_dissipation(e)).find("(damping)"), std::string::npos);
  e.elastic_tangential = 1;  // a tangential dashpot while the motion turns round
  EXPECT_EQ(negative_dissipation(e), nullptr);
  e.elastic_tangential = 0;
  e.damping = 3;
  e.sliding = -2;  // shared with the dashpot
  EXPECT_EQ(negative_dissipation(e), nullptr);
  e.sliding = -5;
  EXPECT_NE(std::string(negative_dissipation(e)).find("(sliding)"), std::string::npos);
  e.elastic_tangential = 1.5;  // among what the springs hold
  EXPECT_EQ(negative_dissipation(e), nullptr);
  e.sliding = 0;
  e.rolling = -2;
  EXPECT_NE(std::string(negative_dissipation(e)).find("(rolling)"), std::string::npos);
  // grains at rest: round-off; also where what attracts is stored
  for (const double stored : {1.0, -1.0}) {
    e = {};
    e.elastic_normal = stored;
    e.damping = e.bond_damping = -1e-17;
    EXPECT_EQ(negative_dissipation(e), nullptr);
  }
}

// What was turned over has no sign, whatever its parts.
TEST(Ledger, TurnedOverIsNeverNegative) {
  LedgerSums sums;
  sums.contact.damping += -2;
  sums.contact.tangential += -0.5;
  sums.contact.rolling += -0.25;
  sums.bonds.broken += -0.125;
  Energy e;
  balance(e, sums);
  EXPECT_EQ(e.turned_over, 2 + 0.5 + 0.25 + 0.125);
  EXPECT_NE(negative_dissipation(e), nullptr);
}

// A body that begins just before it turns round, and goes on to swing: a normal dashpot is never booked negative, but
// for the half kick with which other schemes than drift_kick begin, and that stays within the limit.
TEST(Ledger, ATurnIsNoNegativeDissipation) {
  double least = 0;
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet"})
    for (const char* normal :
         {R"({law="linear",stiffness=1e5,restitution=0.1})", R"({law="hertz",restitution=0.05})",
          R"({law="linear",stiffness=1e5,clamp="off",restitution=0.01})", R"({law="penalty",K=1e9,P=1,xi=1})"})
      for (int k = 0; k < 30; ++k) {
        Simulation s = simulate(impacts("law = \"hertz\"", false),
                                {std::string("contacts.default.normal=") + normal,
                                 fmt::format("numerics.scheme=\"{}\"", scheme), "fields.g.acceleration=[0,0,-9.81]",
                                 fmt::format("particles.s.list=[{{x=[0,0,0.0495],v=[0,0,-{}]}}]", 0.001 * k)});
        for (int step = 0; step < 60 && !s.finished(); ++step) {
          s.advance(1);
          const Energy e = s.frame().energy;
          const double part = e.damping / (e.elastic_normal + e.turned_over);
          if (scheme == std::string("drift_kick")) { ASSERT_GE(part, -1e-12) << normal << " " << k << " " << step; }
          least = std::min(least, part);
          ASSERT_EQ(negative_dissipation(e), nullptr) << normal << " " << scheme << " " << k << " " << step;
        }
      }
  EXPECT_LT(least, -1e-4);  // it is there
}

// Without gravity the automatic rest energy follows from what the grains have done: what never moved is at rest.
TEST(Stages, RestWithoutGravityEnds) {
  const std::string text = R"(
[materials.a]
density = 2500
young = 5e7
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.s]
material = "a"
radius = 0.01
fill = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.3]] }, count = 20 }
[walls.b]
box = { min = [0, 0, 0], max = [0.3, 0.3, 0.3] }
[[stages]]
until = { at_rest = true, at_most = "10 s" }
)";
  Simulation still = simulate(text);
  EXPECT_EQ(still.advance(1 << 20), 1000);
  EXPECT_TRUE(still.finished());
  // in a fluid that slows them down
  const Frame f =
      last_frame(simulate(text, {"particles.s.velocity=[0.1,0,0]", "fluid={drag=\"linear\",coefficient=0.5}"}));
  EXPECT_LT(f.time, 5);
  EXPECT_LT(f.energy.kinetic, 2e-9 * f.energy.initial);
}

TEST(Cases, CoincidentCentresAreRefused) {
  const std::string text = R"(
[materials.a]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
[particles.s]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0] }, { x = [0, 0, 0] }]
[numerics]
start_overlap = 2
max_overlap = 1.9
[[stages]]
duration = 0.01
)";
  try {
    simulate(text);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("has the same centre as particle 1"), std::string::npos) << e.what();
  }
  EXPECT_THROW(simulate(text, {"numerics.max_overlap=2"}), InputError);
  // nearly the same centre: the run ends
  EXPECT_THROW(last_frame(simulate(text, {"particles.s.list=[{x=[0,0,0]},{x=[1e-9,0,0]}]"})), StoppedError);
}

namespace {

const char* const kMagnus = R"(
[materials.a]
density = 1200
[contacts.default]
normal = { law = "linear", stiffness = 10 }
[particles.a]
material = "a"
radius = 0.05
mass = 0.1
inhibit_rotation = true
list = [{ x = [0, 0, 0], v = [1, 0, 0], w = [0, 0, 5] }]
[fluid]
magnus = 0.02
[[stages]]
duration = 15.707963267948966
)";

}  // namespace

// The speed against the fluid is kept: M w/m = 1 rad/s, here for two turns and a half.
TEST(Magnus, KeepsTheSpeedInAUniformFlow) {
  for (const char* scheme : {"drift_kick", "kick_drift", "forward_euler", "velocity_verlet"})
    for (const Vec3d flow : {Vec3d{}, Vec3d{0.3, -0.2, 0.1}}) {
      const Frame f = last_frame(
          simulate(kMagnus, {fmt::format("numerics.scheme=\"{}\"", scheme),
                             fmt::format("fluid.flows.wind={{velocity=[{},{},{}]}}", flow.x, flow.y, flow.z)}));
      // half turns before and after the kick of the current's part are right to second order
      const double tolerance = norm(flow) > 0 && scheme == std::string("velocity_verlet") ? 1e-5 : 1e-12;
      EXPECT_NEAR(norm(f.particles.v[0] - flow), norm(Vec3d{1, 0, 0} - flow), tolerance) << scheme;
      EXPECT_LT(std::fabs(f.energy.residual), 1e-12) << scheme;
      EXPECT_TRUE(norm(flow) > 0 || std::fabs(f.particles.v[0].x - std::cos(f.time)) < 2e-2) << scheme;
    }
}

TEST(Magnus, HasASayInTheStep) {
  const Choices c = simulate(kMagnus, {"fluid.magnus=2"}).choices();  // 100 rad/s
  expect_step(c.dt, 2 * M_PI / 100 / 100);
  EXPECT_NE(c.dt_reason.find("Magnus"), std::string::npos);
}

TEST(TimeStep, ChargedGrainsDoNotPassOverWhatTheyMeet) {
  const std::string text = R"(
[materials.a]
density = 1200
young = 1e3
[contacts.default]
normal = { law = "hertz" }
[particles.a]
material = "a"
radius = 0.001
charge = 1e-6
list = [{ x = [0, 0, 0] }, { x = [1, 0, 0], charge = -1e-6 }]
[forces.c]
law = "coulomb"
[[stages]]
duration = 0.01
)";
  const Simulation s = simulate(text);
  // m* v^2/2 = q^2/(4 pi eps) (1/d - 1/1 m), d = 2 mm
  const double m = 4.0 / 3 * M_PI * 1e-9 * 1200, gain = 8.987551787e9 * 1e-12 * (1 / 0.002 - 1);
  EXPECT_NEAR(s.choices().closing_speed, std::sqrt(2 * gain / (m / 2)), 1e-3 * s.choices().closing_speed);
  EXPECT_LE(s.choices().dt * s.choices().closing_speed, 0.1 * 0.001 * 1.0001);
}
