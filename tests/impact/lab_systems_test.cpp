// The systems of section 10: rows against differences of the gap, forces against the energy, closed forms of single
// impacts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "areia/error.h"
#include "impact/models.h"
#include "impact/motion.h"
#include "impact/simulate.h"
#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

using nlohmann::json;

const json& reference_case(const std::string& id) {
  static const json all = json::parse(std::ifstream(AREIA_SOURCE_DIR "/tests/data/impact.json"));
  for (const json& c : all["cases"])
    if (c["id"] == id) return c;
  throw std::runtime_error("no case " + id);
}

Options with(const std::string& model, std::map<std::string, double> p, double t_end) {
  Options o;
  o.model = make_model(model, p);
  o.t_end = t_end;
  return o;
}

struct Named {
  const char* name;
  std::unique_ptr<System> system;
};

std::vector<Named> all_systems() {
  BoxParameters driven;
  driven.driven = true;
  driven.amplitude = 0.1;
  driven.frequency = 3;
  LinearParameters linear;
  linear.mass = {{2, 0.5}, {0.5, 1}};
  linear.force = {0.3, -1};
  linear.stiffness = {{3, -1}, {-1, 2}};
  linear.contacts = {{"a", {0.3, 1}, {1, -0.2}, {}, {0.1, 0.2, 0}, 3}};
  std::vector<Named> all;
  all.push_back({"bar", make_bar({2, 1.5, 9.8})});
  all.push_back({"ball", make_ball({})});
  all.push_back({"coins", make_coins({{1, 1}, {2, 0.5}, {0.7, 0.8}})});
  all.push_back({"masses", make_masses({{2, 3}, {4, 5}, {-1, 1}, 0.1})});
  all.push_back({"pinned bar", make_pinned_bar({1.5, 1.2, 9.8, 0.8, -0.3, 1})});
  all.push_back({"free box", make_box_pendulum({})});
  all.push_back({"driven box", make_box_pendulum(driven)});
  all.push_back({"rigid pendulum", make_rigid_pendulum({1, 1, 9.8, 0.5, 0.4})});
  all.push_back({"double pendulum", make_double_pendulum({})});
  all.push_back({"linear", make_linear(linear)});
  return all;
}

// W_N is the gradient of the gap, the bias is the rate of the rows, gap_change is the change of the gap.
TEST(LabSystems, RowsFollowFromTheGap) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const Named& n : all_systems()) {
    const System& s = *n.system;
    const std::size_t dof = s.coordinates().size();
    ASSERT_EQ(dof, s.velocities().size());
    for (int trial = 0; trial < 20; ++trial) {
      Vector q(dof), v(dof);
      for (double& x : q) x = u(random);
      for (double& x : v) x = u(random);
      if (s.kind() == "coins") q[3] += 4, q[7] += 4;
      const double h = 1e-6;
      Vector forward = q, backward = q, step = v;
      add(forward, h, v);
      add(backward, -h, v);
      for (double& x : step) x *= h;
      for (std::size_t k = 0; k < s.contacts().size(); ++k) {
        const Rows r = s.rows(k, q);
        const double rate = (s.gap(k, h, forward) - s.gap(k, -h, backward)) / (2 * h);
        EXPECT_NEAR(rate, r.DN(v), 1e-8) << n.name;
        const auto bias = s.bias(k, q, v);
        EXPECT_NEAR((s.rows(k, forward).DN(v) - s.rows(k, backward).DN(v)) / (2 * h), bias[0], 1e-8) << n.name;
        EXPECT_NEAR((s.rows(k, forward).DT(v) - s.rows(k, backward).DT(v)) / (2 * h), bias[1], 1e-8) << n.name;
        EXPECT_NEAR(s.gap(k, h, forward) - s.gap(k, 0, q), s.gap_change(k, 0, q, h, step), 1e-14) << n.name;
      }
    }
  }
}

// Lagrange's equations from the energy: F = dM-terms - dV/dq. With v = 0 only the potential acts.
TEST(LabSystems, ForcesFollowFromThePotential) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const Named& n : all_systems()) {
    const System& s = *n.system;
    if (std::string(n.name) == "driven box") continue;  // its force depends on time
    Vector q(s.coordinates().size());
    for (double& x : q) x = u(random);
    const Vector rest(q.size(), 0.0), F = s.force(0, q, rest);
    for (std::size_t i = 0; i < q.size(); ++i) {
      Vector a = q, b = q;
      a[i] += 1e-5;
      b[i] -= 1e-5;
      EXPECT_NEAR(-(s.potential(a) - s.potential(b)) / 2e-5, F[i], 1e-8) << n.name;
    }
  }
}

TEST(LabSystems, FlightKeepsTheEnergy) {
  struct Case {
    std::unique_ptr<System> system;
    State start;
  };
  std::vector<Case> cases;
  cases.push_back({make_pinned_bar({1, 1, 9.8, 1, -3, 1}), {0, {1.2}, {0.3}}});
  cases.push_back({make_box_pendulum({1, 1, 5, 0, 9.8}), {0, {0, 1.0}, {0.5, 0}}});
  cases.push_back({make_double_pendulum({1, 1, 9.8, 3}), {0, {1.0, -0.5}, {0, 0.7}}});
  cases.push_back({make_masses({{2, 3}, {40, 50}, {-1, 1}, 0.1}), {0, {-1.2, 1}, {0, 0}}});
  for (const Case& c : cases) {
    const Trajectory t = simulate(*c.system, c.start, with("newton", {{"e", 1}}, 5));
    ASSERT_TRUE(t.complete());
    const double E0 = t.samples.front().energy;
    for (const Sample& s : t.samples)
      EXPECT_NEAR(E0, s.energy, 2e-11 * std::max(1.0, std::fabs(E0))) << c.system->kind();
  }
}

// A pendulum released at rest at angle a passes the vertical after K(sin(a/2)) sqrt(J/(m g L/2)).
TEST(LabEvents, PendulumMeetsTheStopInTime) {
  for (const double a : {0.1, 1.0, 2.5}) {
    const auto bar = make_pinned_bar({1, 1, 9.8, 1, 0, 1});
    const Trajectory t = simulate(*bar, {0, {a}, {0}}, with("newton", {{"e", 0.5}}, 1.5));
    ASSERT_FALSE(t.events.empty());
    const double quarter = boost::math::ellint_1(std::sin(a / 2)) / std::sqrt(1.5 * 9.8);
    EXPECT_NEAR(quarter, t.events[0].t, 1e-12) << a;
    EXPECT_NEAR(-0.5 * t.events[0].before.v[0], t.events[0].after.v[0], 1e-14);
  }
}

// The first root of the bar's gap is never missed: against a scan with fine steps.
TEST(LabEvents, FirstContactOfATumblingBar) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  const auto bar = make_bar({});
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const State start{0, {0, 0.75 + 0.2 * u(random), 3 * u(random)}, {0, 3 * u(random), 30 * u(random)}};
    const ClosedFlight flight{start, {0, -9.8, 0}};
    double first = 10;
    for (std::size_t k = 0; k < 2; ++k)
      if (const auto r = first_contact(*bar, flight, k, bar->gap(k, 0, start.q), 10, 0.3)) first = std::min(first, *r);
    ASSERT_LT(first, 10);
    for (double x = 0; x < first - 1e-6; x += 1e-4)
      for (std::size_t k = 0; k < 2; ++k) ASSERT_GT(bar->gap(k, x, flight.at(x).q), -1e-12);
    double gap = 1;
    for (std::size_t k = 0; k < 2; ++k) gap = std::min(gap, std::fabs(bar->gap(k, first, flight.at(first).q)));
    EXPECT_LE(gap, 1e-13);
    ++found;
  }
  EXPECT_EQ(300, found);
}

// A bar that turns so fast that steps which miss no contact get nowhere: no contact is made up.
TEST(LabEvents, ABarThatTurnsTooFastIsTold) {
  const auto bar = make_bar({});
  const State start{0, {0, 10, 0.3}, {0, 0, 1e9}};
  const ClosedFlight flight{start, {0, -9.8, 0}};
  try {
    first_contact(*bar, flight, 0, bar->gap(0, 0, start.q), 10, 0.3);
    FAIL() << "it would have needed more steps";
  } catch (const StoppedError& e) { EXPECT_THAT(e.what(), testing::HasSubstr("turns too fast")); }
  EXPECT_THROW(simulate(*bar, start, with("newton", {{"e", 1}}, 10)), StoppedError);
}

// f = f' = 0, f'' > 0 is no event: a coin that just touches another in passing.
TEST(LabEvents, GrazingIsNoEvent) {
  const auto coins = make_coins({{1, 1}, {1, 1}});
  const Trajectory t = simulate(*coins, {0, {-5, 0, 0, 0, 2, 0}, {1, 0, 0, 0, 0, 0}}, with("newton", {{"e", 1}}, 10));
  ASSERT_TRUE(t.complete());
  EXPECT_NEAR(5, t.samples.back().state.q[0], 1e-9);
  EXPECT_NEAR(0, t.samples.back().state.v[1], 1e-6);
}

// Closed form of section 8 in a simulation: both contacts in one event.
TEST(LabSystems, ThreeCoinsMeetAtOneInstant) {
  for (const double degrees : {30.0, 45.0, 60.0})
    for (const double e : {0.0, 0.5, 1.0}) {
      const double alpha = degrees * std::atan(1.0) / 45, s = 2 * std::sin(alpha), c = 2 * std::cos(alpha);
      // Coin 1 travels 1.5 upwards until its centre is at the origin.
      const auto coins = make_coins({{1, 1}, {1, 1}, {1, 1}});
      const State start{0, {0, -1.5, 0, s, c, 0, -s, c, 0}, {0, 1, 0, 0, 0, 0, 0, 0, 0}};
      const Trajectory t = simulate(*coins, start, with("newton", {{"e", e}}, 2));
      ASSERT_TRUE(t.complete()) << t.reason;
      ASSERT_FALSE(t.events.empty());
      const Event& event = t.events[0];
      EXPECT_NEAR(1.5, event.t, 1e-12);
      ASSERT_GE(event.hits.size(), 2u);
      const double cc = std::cos(alpha) * std::cos(alpha), I = (1 + e) * std::cos(alpha) / (1 + 2 * cc);
      EXPECT_NEAR(I, event.hits[0].impact.I.N, 1e-11);
      EXPECT_NEAR(I, event.hits[1].impact.I.N, 1e-11);
      EXPECT_NEAR(1 - 2 * (1 + e) * cc / (1 + 2 * cc), event.after.v[1], 1e-11);
      EXPECT_NEAR(0, event.after.v[0], 1e-11);
    }
}

// 10.4: I_N = 9, v' = (-0.5, 2), dT = -11.25.
TEST(LabSystems, TwoMassesOnALine) {
  const auto masses = make_masses({{2, 3}, {0, 0}, {0, 0}, 0.5});
  const Trajectory t = simulate(*masses, {0, {0, 5.5}, {4, -1}}, with("kane", {{"e", 0.5}, {"mu", 0.3}}, 3));
  ASSERT_EQ(1u, t.events.size());
  const Event& e = t.events[0];
  EXPECT_NEAR(1, e.t, 1e-12);
  EXPECT_NEAR(9, e.hits[0].impact.I.N, 1e-12);
  EXPECT_NEAR(-0.5, e.after.v[0], 1e-12);
  EXPECT_NEAR(2, e.after.v[1], 1e-12);
  EXPECT_NEAR(-11.25, e.energy_after - e.energy_before, 1e-11);
}

// 10.5: no impulse at the pin when the stop sits at 2L/3.
TEST(LabSystems, CentreOfPercussion) {
  for (const double d : {0.5, 2.0 / 3, 1.0}) {
    const auto bar = make_pinned_bar({1, 1, 9.8, d, 0.2, 1});
    const Trajectory t = simulate(*bar, {0, {1.0}, {0}}, with("newton", {{"e", 0.7}}, 1));
    const Event& e = t.events.at(0);
    const double pin = 0.5 * (e.after.v[0] - e.before.v[0]) - e.hits[0].impact.I.N;
    EXPECT_NEAR((1.5 * d - 1) * e.hits[0].impact.I.N, pin, 1e-12);
    EXPECT_NEAR(-0.7 * e.before.v[0], e.after.v[0], 1e-13);
  }
}

// A bar that leans on its stop comes to rest there: chatter of a system without closed flight. With the angle small the
// pull towards the stop is nearly constant, t* - t_0 = 2 v_0/(a (1 - e)).
TEST(LabChatter, PinnedBarComesToRestOnItsStop) {
  const auto bar = make_pinned_bar({1, 1, 9.8, 1, 1.0, 1});
  const Trajectory t = simulate(*bar, {0, {1.0001}, {0}}, with("newton", {{"e", 0.5}}, 1));
  ASSERT_TRUE(t.complete()) << t.reason;
  const Event& last = t.events.back();
  ASSERT_EQ(Event::Kind::chatter, last.kind);
  EXPECT_NEAR(1.0, t.samples.back().state.q[0], 1e-12);
  EXPECT_NEAR(0.0, t.samples.back().state.v[0], 1e-15);
  const double a = 1.5 * 9.8 * std::sin(1.0), drop = std::sqrt(2 * 0.0001 / a);
  EXPECT_NEAR(drop * (1 + 0.5) / (1 - 0.5), last.t, 1e-4 * last.t);
}

// 10.6: the free box keeps its horizontal momentum through flight and impacts; with e = 1 also the energy.
TEST(LabSystems, FreeBoxKeepsItsMomentum) {
  const auto box = make_box_pendulum({1, 1, 0.4, 0.05, 9.8, false, 2});
  const State start{0, {0, 0.3}, {0.4, -1}};
  const Trajectory t = simulate(*box, start, with("newton", {{"e", 1}}, 5));
  ASSERT_TRUE(t.complete()) << t.reason;
  EXPECT_GT(t.events.size(), 5u);
  const double p0 = 3 * 0.4 + std::cos(0.3) * -1;
  for (const Sample& s : t.samples) {
    EXPECT_NEAR(p0, 3 * s.state.v[0] + std::cos(s.state.q[1]) * s.state.v[1], 1e-11);
    EXPECT_NEAR(t.samples.front().energy, s.energy, 1e-10);
  }
}

TEST(LabSystems, DrivenBoxAtRestIsAPendulum) {
  BoxParameters p;
  p.driven = true;
  p.half_width = 0.3;
  const auto box = make_box_pendulum(p);
  const Trajectory t = simulate(*box, {0, {0.2}, {0}}, with("newton", {{"e", 1}}, 2));
  EXPECT_TRUE(t.events.empty());
  // Driven with its own frequency it gets to the walls.
  p.amplitude = 0.1;
  p.frequency = std::sqrt(9.8);
  const Trajectory d = simulate(*make_box_pendulum(p), {0, {0.0}, {0}}, with("newton", {{"e", 0.8}}, 10));
  EXPECT_FALSE(d.events.empty());
  ASSERT_TRUE(d.complete()) << d.reason;
}

// Delta = 0 at rest: the wall of a pushed box holds the pendulum by its normal reaction, whatever the friction.
TEST(LabRest, PendulumRestsOnAWallWithLittleFriction) {
  BoxParameters p;
  p.driven = true;
  p.half_width = 0.2;
  p.amplitude = 0.3;
  p.frequency = 5;
  for (const double mu : {0.02, 0.1, 0.5}) {
    const Trajectory t = simulate(*make_box_pendulum(p), {0, {0.05}, {0.5}}, with("gp1", {{"e", 0}, {"mu", mu}}, 6));
    ASSERT_TRUE(t.complete()) << t.reason;
    int rests = 0, leaves = 0;
    for (const Event& e : t.events) {
      rests += !e.resting.empty();
      leaves += e.kind == Event::Kind::detach;
    }
    EXPECT_GT(rests, 2) << mu;
    EXPECT_GT(leaves, 2) << mu;
  }
}

// A ball pushed into the corner between a moving floor and a wall: friction keeps small bounces alive that never shrink
// to zero. They end in rest all the same, not in the limit of impacts.
TEST(LabChatter, BallInACornerComesToRest) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> u(0, 1);
  for (int trial = 0; trial < 40; ++trial) {
    LinearParameters p;
    p.mass = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.1}};
    p.force = {0.5 * u(random), -9.8, 0};
    p.gravity = 9.8;
    p.length = 0.5;
    p.contacts = {{"floor", {0, 1, 0}, {1, 0, 0.5}, {0, 0, -1}, {0, u(random) - 0.5, 0}, 0},
                  {"wall", {-1, 0, 0}, {0, 1, 0.5}, {0, 0, -1}, {}, 1}};
    const double e = 0.8 * u(random), mu = 0.8 * u(random);
    Options o = with("gp1", {{"e", e}, {"mu", mu}}, 6);
    o.most_impacts = 3000;
    const Trajectory t = simulate(*make_linear(p), {0, {0, 0.5, 0}, {u(random), 0, 10 * u(random) - 5}}, o);
    EXPECT_TRUE(t.complete()) << "e " << e << " mu " << mu << ": " << t.reason;
  }
}

// Table 2.1 (10.7): the impact in a simulation of the pendulum that falls onto the moving surface.
TEST(LabSystems, RigidPendulumFollowsTable21) {
  for (const char* id : {"table21-forward", "table21-E-reverse", "table21-E-sticking", "table21-none-1"}) {
    const json& c = reference_case(id);
    const json& in = c["system"];
    const json& run = c["runs"][0];
    const auto pendulum = make_rigid_pendulum({in["m"], in["L"], 0, in["theta0"], in["v"]});
    // Without gravity it arrives with the speed it starts with.
    const double theta0 = in["theta0"], omega = in["omegaA"];
    Options o = with(run["model"], run["params"].get<std::map<std::string, double>>(), 0.2);
    const Trajectory t = simulate(*pendulum, {0, {theta0 - 0.1 * omega}, {omega}}, o);
    if (c["table21"]["omegaE"].is_null()) {
      EXPECT_EQ(Status::no_solution, t.status) << id;
      EXPECT_NEAR(0.1, t.samples.back().state.t, 1e-12);
      EXPECT_NE(std::string::npos, t.reason.find("no_solution")) << t.reason;
      continue;
    }
    ASSERT_EQ(1u, t.events.size()) << id;
    EXPECT_NEAR(0.1, t.events[0].t, 1e-12);
    EXPECT_NEAR(c["table21"]["omegaE"].get<double>(), t.events[0].after.v[0], 1e-9) << id;
    EXPECT_EQ(c["table21"]["mode"], t.events[0].hits[0].mode) << id;
  }
}

// All rows of Table 2.1 by their closed forms.
TEST(LabSystems, Table21ByItsFormulas) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> u(0, 1);
  int seen[4] = {0, 0, 0, 0};
  for (int trial = 0; trial < 400; ++trial) {
    const double th = 0.2 + 1.1 * u(random), mu = 1.5 * u(random), e = 0.2 + 0.7 * u(random), v = 2 * (u(random) - 0.5);
    const double om = -0.3 - 2 * u(random), S = std::sin(th), K = std::cos(th);
    const auto pendulum = make_rigid_pendulum({1, 1, 0, th, v});
    const Trajectory t =
        simulate(*pendulum, {0, {th - 0.01 * om}, {om}}, with("wm_poisson", {{"e", e}, {"mu", mu}}, 0.02));
    const bool rough = mu >= std::tan(th);
    double want = 0;
    int row = 0;
    if (v >= 0 && e * K * om + v > 0) want = -e * om;
    else if (v >= 0) {
      row = 1;
      want = rough ? v / K : (e * (mu * K - S) * om + 2 * mu * v) / (mu * K + S);
    } else if (rough) {
      ++seen[3];
      EXPECT_EQ(Status::no_solution, t.status);
      continue;
    } else if (K * om - v < 0) {
      row = 2;
      want = -e * ((S - mu * K) * om + 2 * mu * v) / (mu * K + S);
    } else want = -e * om;
    ++seen[row];
    ASSERT_FALSE(t.events.empty()) << t.reason;
    EXPECT_NEAR(want, t.events[0].after.v[0], 1e-10) << "theta0 " << th << " mu " << mu << " e " << e << " v " << v;
  }
  for (const int n : seen) EXPECT_GT(n, 10);
}

// 10.8: the pendulum at the instant of Kane's paradox, reached by flying backwards from it.
TEST(LabSystems, KanesParadoxInFlight) {
  const double degree = std::atan(1.0) / 45;
  DoublePendulumParameters p;
  p.depth = std::cos(20 * degree) + std::cos(30 * degree);
  const auto pendulum = make_double_pendulum(p);
  // Time reversal: start from the impact with reversed velocities, fly, and turn round.
  DoublePendulumParameters deep = p;
  deep.depth = 3;
  const State reversed{0, {20 * degree, 30 * degree}, {0.1, 0.2}};
  const State before =
      simulate(*make_double_pendulum(deep), reversed, with("newton", {{"e", 1}}, 0.02)).samples.back().state;
  const json& c = reference_case("double-pendulum");
  for (const json& run : c["runs"]) {
    const Trajectory t = simulate(*pendulum, {0, before.q, {-before.v[0], -before.v[1]}},
                                  with(run["model"], {{"e", 0.5}, {"mu", 0.5}}, 0.025));
    ASSERT_FALSE(t.events.empty()) << run["model"];
    const Event& e = t.events[0];
    EXPECT_NEAR(0.02, e.t, 1e-11);
    const json& want = run["expected"];
    EXPECT_NEAR(want["IN"].get<double>(), e.hits[0].impact.I.N, 1e-9) << run["model"];
    EXPECT_NEAR(want["IT"].get<double>(), e.hits[0].impact.I.T, 1e-9) << run["model"];
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(want["qdotE"][k].get<double>(), e.after.v[k], 1e-9) << run["model"];
    EXPECT_EQ(run["model"] == "kane", e.hits[0].impact.energy_gain);
    if (run["model"] != "kane") continue;
    EXPECT_NEAR(1.58749, pendulum->kinetic(e.after) / pendulum->kinetic(e.before), 1e-5);
  }
}

// A user system written as matrices: the ball of 10.2 again.
TEST(LabSystems, LinearSystemRepeatsTheBall) {
  LinearParameters p;
  p.mass = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.004}};
  p.length = 0.1;
  p.contacts = {{"lower", {0, 1, 0}, {1, 0, 0.1}, {0, 0, -1}, {}, -0.1},
                {"upper", {0, -1, 0}, {-1, 0, 0.1}, {0, 0, -1}, {}, 1.01 - 0.1}};
  const State start{0, {0, 0.9, 0}, {1, -1, 0}};
  const Options o = with("gp2", {{"e", 1}, {"mu", 1}, {"et", 1}, {"nu", 1}}, 10);
  const Trajectory a = simulate(*make_ball({}), start, o), b = simulate(*make_linear(p), start, o);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.events[i].after.v[k], b.events[i].after.v[k], 1e-12);
}

TEST(LabSystems, WrongMatricesAreRefused) {
  LinearParameters p;
  p.mass = {{1, 0.5}, {0.4, 1}};
  p.contacts = {{"a", {1, 0}, {}, {}, {}, 1}};
  EXPECT_THROW(make_linear(p), InputError);  // not symmetric
  p.mass = {{1, 2}, {2, 1}};
  EXPECT_THROW(make_linear(p), InputError);  // not positive definite
  p.mass = {{1, 0}, {0, 1}};
  EXPECT_NO_THROW(make_linear(p));
  p.contacts[0].N = {0, 0};
  EXPECT_THROW(make_linear(p), InputError);
  p.contacts[0].N = {1};
  EXPECT_THROW(make_linear(p), InputError);
  EXPECT_THROW(make_bar({-1, 1, 9.8}), InputError);
  EXPECT_THROW(make_ball({1, 0.6, 1, 0, 0}), InputError);
  EXPECT_THROW(make_pinned_bar({1, 1, 9.8, 2, 0, 1}), InputError);
  EXPECT_THROW(make_rigid_pendulum({1, 1, 9.8, 2, 0}), InputError);
  EXPECT_THROW(make_coins({{1, 1}}), InputError);
}

}  // namespace

}  // namespace areia::impact
