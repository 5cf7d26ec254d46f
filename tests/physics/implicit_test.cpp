// The generalized trapezoid: 000 examples 4.2 to 4.4, 001 6.1, order, control of the step, same bits, ledger.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "compare.h"
#include "motion/implicit_driver.h"
#include "motion/step_control.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const char* const kHeadOn = R"(
[materials.ball]
young = 1e9
poisson = 0
density = 1
[contacts.default]
normal = { law = "hertz" }
[particles.ball]
material = "ball"
radius = 0.1
mass = 10
list = [{ x = [0, 0, 0], v = [1, 0, 0] }]
[walls.wall]
plane = { point = [0.1, 0, 0], normal = [-1, 0, 0] }
[numerics]
scheme = "trapezoid"
[[stages]]
name = "impact"
duration = 0.0045
)";

const char* const kSkid = R"(
[materials.ball]
young = 1e10
poisson = 0.25
density = 1
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.25 }
[particles.ball]
material = "ball"
radius = 0.2
mass = 1000
list = [{ x = [0, 0.2, 0], v = [2.355, 0, 0], w = [0, 0, -127.03] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[fields.g]
acceleration = [0, -9.81, 0]
[numerics]
scheme = "trapezoid"
dt = 1e-4
implicit = { adapt = "campello", dt_min = 1e-5, tol_v = 1e-6, tol_w = 1e-6 }
[[stages]]
name = "roll"
duration = 5
)";

const char* const kThreeBalls = R"(
[materials.ball]
young = 1e10
poisson = 0.25
density = 1
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.5, shear_modulus = "source" }
[particles.balls]
material = "ball"
radius = 0.2
mass = 1000
list = [
  { x = [-1, -0.57735026918962573, 0.2], v = [1.7320508075688772, 1, 0], w = [-5, 8.6602540378443873, 0] },
  { x = [1, -0.57735026918962573, 0.2], v = [-1.7320508075688772, 1, 0], w = [-5, -8.6602540378443873, 0] },
  { x = [0, 1.1547005383792515, 0.2], v = [0, -2, 0], w = [10, 0, 0] },
]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
scheme = "trapezoid"
dt = 1e-4
implicit = { adapt = "campello", dt_min = 1e-5, tol_v = 1e-6, tol_w = 1e-6 }
[[stages]]
name = "roll"
duration = 2
)";

// A shaken box of mixed grains: walls that move, friction and rolling, many contacts made and broken.
const char* const kShaken = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
velocity = [0, 0, -3]
fill = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.06]] }, count = 150 }
[particles.large]
material = "grain"
radius = 0.02
list = [{ x = [0.03, 0.03, 0.085], v = [0, 0, -3], w = [5, 0, 3] }, { x = [0.07, 0.07, 0.085], v = [0, 0.1, -3] }]
[walls.box]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.3] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
scheme = "trapezoid"
dt = 1e-4
[[stages]]
name = "shake"
duration = 0.02
)";

// Without the rolling law, whose cap contracts by phi whatever the step, so that no control could help.
const std::string kNoRolling =
    "contacts.default={normal={law=\"hertz\",restitution=0.5},tangential={law=\"coulomb_history\",mu=0.4,xi=0.1}}";

std::string implicit(const std::string& keys) { return "numerics.implicit={" + keys + "}"; }

}  // namespace

// 000 Table 1, implicit column, both engines and both kinds of sweeps.
TEST(Implicit, Table1) {
  const auto c = reference_case("000-4.2-implicit");
  for (const Engine engine : {Engine::cpu, Engine::reference})
    for (const char* sweep : {"jacobi", "gauss_seidel"})
      for (std::size_t k = 0; k < c["inputs"]["dt"].size(); ++k) {
        const double dt = c["inputs"]["dt"][k];
        Simulation s = simulate(kHeadOn,
                                {fmt::format("numerics.dt={:.17g}", dt),
                                 implicit(fmt::format("phi=0.5,sweep=\"{}\",tol_v=1e-6,tol_w=1e-6", sweep))},
                                engine);
        while (!s.finished()) s.advance(1 << 20);
        EXPECT_EQ(s.statistics().implicit.stalled, 0);
        const Frame f = s.frame();
        EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v_after"][k], c["tolerance"]["abs"]) << sweep << " dt " << dt;
        EXPECT_TRUE(f.contacts.empty());
      }
}

// 000 4.3: slides, then rolls.
TEST(Implicit, SkidThenRoll) {
  const auto c = reference_case("000-4.3");
  const double tolerance = c["tolerance"]["rel"];
  Simulation s = simulate(kSkid);
  double t_roll = 0, v = 0, w = 0;
  int samples = 0;
  watch(s, [&](const Frame& f) {
    if (t_roll == 0 && f.particles.v[0].x + 0.2 * f.particles.w[0].z >= 0) t_roll = f.time;
    if (f.time > 4) {  // undamped vibration of the springs averages out
      v += f.particles.v[0].x;
      w += f.particles.w[0].z;
      ++samples;
    }
  });
  EXPECT_NEAR(t_roll, c["expected"]["t_roll"], tolerance * t_roll);
  EXPECT_NEAR(v / samples, c["expected"]["v_x_roll"], tolerance * 8.941);
  EXPECT_NEAR(w / samples, c["expected"]["omega_z_roll"], tolerance * 44.7);
  EXPECT_NEAR(s.frame().particles.x[0].x, c["expected"]["x_at_5s"], tolerance * 35.86);
  EXPECT_EQ(s.statistics().implicit.stalled, 0);
}

// 000 4.4: three balls roll towards the centroid of a triangle, rebound, and roll again.
TEST(Implicit, ThreeBalls) {
  const auto c = reference_case("000-4.4-as-source");
  const auto& x = c["expected"];
  const double tolerance = c["tolerance"]["rel"], times = c["tolerance"]["rel_times"];
  Simulation s = simulate(kThreeBalls);
  double start = 0, end = 0, spin_zero = 0, roll = 0, back = 0, last_w = 0;
  Vec3d v1, w1, v3, w3, after;
  int samples = 0;
  const double r = 0.2;
  watch(s, [&](const Frame& f) {
    for (const FrameContact& contact : f.contacts)
      if (contact.j >= 0) {
        if (start == 0) start = f.time;
        end = f.time;
      }
    const Vec3d v = f.particles.v[0], w = f.particles.w[0];
    if (f.step == 4700) after = v;
    if (end > 0 && spin_zero == 0 && last_w > 0 && w.y <= 0) spin_zero = f.time;
    last_w = w.y;
    if (spin_zero > 0 && roll == 0 && v.x - r * w.y >= 0) roll = f.time;
    if (end > 0 && back == 0 && f.particles.x[0].x <= -1) back = f.time;
    if (f.time > 1) {
      v1 += v;
      w1 += w;
      v3 += f.particles.v[2];
      w3 += f.particles.w[2];
      ++samples;
    }
  });
  const double n = 1.0 / samples;
  EXPECT_NEAR(start, x["contact_start"], times * start);
  EXPECT_NEAR(end - start, x["contact_duration"], times * 0.00466 + 2e-4);  // seen at whole steps of 1e-4
  EXPECT_NEAR(after.x, x["v1_at_0_47"][0], tolerance * 1.69);
  EXPECT_NEAR(after.y, x["v1_at_0_47"][1], tolerance * 0.976);
  EXPECT_NEAR(n * v1.x, x["v1_roll"][0], tolerance * 0.7595);
  EXPECT_NEAR(n * v1.y, x["v1_roll"][1], tolerance * 0.4385);
  EXPECT_NEAR(n * w1.x, x["omega1_roll"][0], tolerance * 2.1925);
  EXPECT_NEAR(n * w1.y, x["omega1_roll"][1], tolerance * 3.7975);
  EXPECT_NEAR(n * v3.y, x["v3_roll_y"], tolerance * 0.877);
  EXPECT_NEAR(n * w3.x, x["omega3_roll_x"], tolerance * 4.385);
  EXPECT_NEAR(spin_zero, x["t_spin_zero"], times * spin_zero);
  EXPECT_NEAR(roll, x["t_roll"], times * roll);
  EXPECT_NEAR(back, x["t_back"], times * back);
}

// 001 6.1: phi = 1/2 rebounds without loss, a converged phi = 1 does not (erratum E40; values from the note of the
// case).
TEST(Implicit, ObliqueImpact) {
  const auto c = reference_case("001-6.1");
  const double lossy[] = {0.8901, 0.9883, 0.9988};
  for (std::size_t k = 0; k < 3; ++k) {
    const double dt = c["inputs"]["dt"][k];
    for (const double phi : {0.5, 1.0}) {
      const Frame f = last_frame(simulate(
          R"(
[materials.ball]
young = 1e8
poisson = 0.25
density = 5000
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.05 }
[particles.ball]
material = "ball"
radius = 0.05
list = [{ x = [0, 0.05, 0], v = [1, -1, 0] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[numerics]
scheme = "trapezoid"
[[stages]]
name = "impact"
duration = 0.008
)",
          {fmt::format("numerics.dt={:.17g}", dt), implicit(fmt::format("phi={},max_sweeps=200", phi))}));
      const double tolerance = c["tolerance"]["abs"];
      EXPECT_TRUE(f.contacts.empty());
      if (phi == 1) {
        EXPECT_NEAR(f.particles.v[0].y, lossy[k], 6e-5) << dt;  // four printed decimals
        continue;
      }
      EXPECT_NEAR(f.particles.v[0].y, c["expected"]["v"][1], tolerance) << dt;
      EXPECT_NEAR(f.particles.w[0].z, c["expected"]["omega"][2], tolerance) << dt;
      EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v"][0], tolerance) << dt;
    }
  }
}

TEST(Implicit, CampelloControl) {
  const auto c = reference_case("adaptive-dt-campello");
  const auto& in = c["inputs"];
  for (std::size_t k = 0; k < in["cases"].size(); ++k) {
    const auto& one = in["cases"][k];
    const double factor = campello_factor(in["N_des"], one["N_real"], one["converged"]);
    const double expected = c["expected"]["dt_new"][k];
    EXPECT_NEAR(next_step(in["dt"], factor, in["dt_min"], in["dt_max"]), expected,
                c["tolerance"]["rel"].get<double>() * expected);
  }
  EXPECT_EQ(campello_factor(6, 1, true), 1.5);
  EXPECT_EQ(next_step(1e-4, 0.5, 8e-5, 1), 8e-5);
}

// 001 (124): errors that shrink by q per sweep would reach TOL after K_d sweeps with (TOL/e_0)^(1/K_d) in place of q.
TEST(Implicit, ZohdiControl) {
  // e_0 = 1e-2, e_4 = 1e-6: a factor of 0.1 per sweep; TOL 1e-4 in 10 sweeps asks for 10^-0.2 only
  EXPECT_NEAR(zohdi_lambda(1e-4, 1e-2, 1e-6, 1, 10, 4), std::pow(10, 0.8), 1e-9);
  EXPECT_NEAR(zohdi_lambda(1e-4, 1e-2, 1e-6, 2, 10, 4), std::pow(10, 0.4), 1e-9);
  EXPECT_EQ(zohdi_lambda(1e-4, 0, 0, 2, 10, 1), 1.5);
  EXPECT_EQ(zohdi_lambda(1e-4, 1e-2, 0, 2, 10, 1), 1.5);
  Implicit s;
  s.desired_sweeps = 10;
  s.tol_x = s.tol_a = s.tol_v = s.tol_w = 1e-4;
  const SweepErrors first{{1e-2}, {1e-2}, {1e-2}, {1e-2}};
  EXPECT_EQ(zohdi_factor(first, {{1e-6}, {1e-6}, {1e-6}, {1e-6}}, 5, s, true), 1.5);
  // after 11 sweeps the velocities stand at 1e-3, ten times the tolerance: 10^(-0.2)/10^(-0.1) = 0.794, a rejection 1/2
  const SweepErrors slow{{1e-6}, {1e-6}, {1e-3}, {1e-6}};
  EXPECT_NEAR(zohdi_factor(first, slow, 11, s, true), std::pow(10, -0.1), 1e-9);
  EXPECT_EQ(zohdi_factor(first, slow, 11, s, false), 0.5);
  s.test_velocities = false;
  EXPECT_GT(zohdi_factor(first, slow, 11, s, true), 1.0);
}

// Theory manual, section 13.1: what the errors are divided by.
TEST(Implicit, ErrorsOfASweep) {
  Implicit s;
  EXPECT_DOUBLE_EQ(relative_error({1e-3, 2e-3, 1}).value, 0.5);
  const ErrorOf little = relative_error({1e-16, 1e-15, 1});  // nothing changes: over the size
  EXPECT_DOUBLE_EQ(little.value, 1e-16);
  EXPECT_FALSE(little.plain);
  const ErrorOf none = relative_error({2e-16, 1e-15, 1e-15});  // nothing there: plain
  EXPECT_DOUBLE_EQ(none.value, 2e-16);
  EXPECT_TRUE(none.plain);
  EXPECT_TRUE(turn_error({1e-16, 1e-15, 0}).plain);
  EXPECT_DOUBLE_EQ(turn_error({1e-3, 4e-3, 0}).value, 0.25);
  const SweepErrors still = errors_of(Sweep{});
  EXPECT_TRUE(converged(still, s));
  SweepErrors e;
  e.x = {0.9e-6, false};
  EXPECT_TRUE(converged(e, s));
  e.x = {1.1e-6, false};
  EXPECT_FALSE(converged(e, s));
  e.x = {2e-15, true};
  EXPECT_FALSE(converged(e, s));
  e.x = {};
  e.v = {1e-3, false};
  EXPECT_FALSE(converged(e, s));
  s.test_velocities = false;
  EXPECT_TRUE(converged(e, s));
  e.x = {std::nan(""), false};
  EXPECT_FALSE(converged(e, s));
  EXPECT_TRUE(diverged(e, s));
  e.x = {2e6, false};
  EXPECT_TRUE(diverged(e, s));
}

// A ball that is pressed against a wall and oscillates without leaving it. The error of x against the finest step falls
// with dt^2 at phi = 1/2 and with dt at phi = 1.
TEST(Implicit, Order) {
  auto x_at_end = [](double phi, double dt) {
    return last_frame(simulate(
                          R"(
[materials.ball]
stiffness = 1e4
density = 1
[contacts.default]
normal = { law = "linear", clamp = "off" }
[particles.ball]
material = "ball"
radius = 0.1
mass = 1
list = [{ x = [0, 0, 0.0985], v = [0, 0, -0.05] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
scheme = "trapezoid"
[[stages]]
name = "a"
duration = 0.064
)",
                          {fmt::format("numerics.dt={:.17g}", dt),
                           implicit(fmt::format("phi={},tol_x=1e-13,tol_v=1e-12,max_sweeps=500", phi))}))
        .particles.x[0]
        .z;
  };
  // exact: harmonic about the static overlap m g/k
  const double w = 100, x0 = 0.1 - 9.81e-4;
  const double exact = x0 + (0.0985 - x0) * std::cos(w * 0.064) - 0.05 / w * std::sin(w * 0.064);
  for (const double phi : {0.5, 1.0}) {
    const double coarse = std::fabs(x_at_end(phi, 1e-3) - exact), fine = std::fabs(x_at_end(phi, 5e-4) - exact),
                 finer = std::fabs(x_at_end(phi, 2.5e-4) - exact);
    const double order = phi == 0.5 ? 2 : 1;
    EXPECT_NEAR(std::log2(fine / finer), order, 0.1) << coarse << " " << fine << " " << finer;
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2);
  }
}

TEST(Implicit, JacobiAndGaussSeidelAgree) {
  const std::vector<std::string> few = {"particles.small.fill={region={box=[[0,0,0],[0.05,0.05,0.06]]},count=30}",
                                        "stages=[{name=\"a\",duration=0.004}]", kNoRolling};
  auto with = [&](const char* sweep, Engine engine) {
    std::vector<std::string> set = few;
    set.push_back(
        implicit(fmt::format("sweep=\"{}\",max_sweeps=200,tol_x=1e-12,tol_a=1e-12,tol_v=1e-11,tol_w=1e-11", sweep)));
    Simulation s = simulate(kShaken, set, engine);
    while (!s.finished()) s.advance(1 << 20);
    EXPECT_EQ(s.statistics().implicit.stalled, 0) << sweep;
    EXPECT_GT(s.frame().contacts.size(), 4u);
    return s.frame();
  };
  const Frame jacobi = with("jacobi", Engine::cpu), seidel = with("gauss_seidel", Engine::cpu);
  EXPECT_LT(difference(jacobi, seidel), 1e-8);
  expect_one_result(seidel, with("gauss_seidel", Engine::reference));
}

TEST(Implicit, EqualsTheReference) {
  for (const char* keys :
       {"phi=0.5", "phi=0.7,adapt=\"campello\",dt_min=1e-5", "phi=0.5,adapt=\"zohdi\",desired_sweeps=12,dt_min=1e-5"}) {
    const std::vector<std::string> set = {implicit(keys), kNoRolling, "stages=[{name=\"a\",duration=0.005}]"};
    const Frame fast = last_frame(simulate(kShaken, set)), slow = last_frame(simulate(kShaken, set, Engine::reference));
    EXPECT_GT(slow.contacts.size(), 20u);
    expect_one_result(fast, slow, keys);
  }
}

TEST(Implicit, SameBitsOnAnyNumberOfThreads) {
  for (const char* keys :
       {"phi=0.5", "phi=0.6,adapt=\"campello\",dt_min=1e-5", "phi=0.5,adapt=\"zohdi\",desired_sweeps=12,dt_min=1e-5"}) {
    std::vector<std::string> set = {implicit(keys), "numerics.threads=1", "stages=[{name=\"a\",duration=0.006}]"};
    if (std::string(keys) != "phi=0.5") set.push_back(kNoRolling);
    const std::string one = hash_of(kShaken, set);
    for (int threads : {2, 4}) {
      set[1] = fmt::format("numerics.threads={}", threads);
      EXPECT_EQ(hash_of(kShaken, set), one) << keys;
    }
  }
}

TEST(Implicit, ResumeContinuesWithTheSameBits) {
  for (const char* keys :
       {"phi=0.5", "adapt=\"campello\",desired_sweeps=5,dt_min=1e-5", "adapt=\"zohdi\",desired_sweeps=6,dt_min=1e-5"}) {
    std::vector<std::string> set = {implicit(keys), "numerics.threads=1", "stages=[{name=\"a\",duration=0.01}]"};
    if (std::string(keys) != "phi=0.5") set.push_back(kNoRolling);
    Simulation whole = simulate(kShaken, set);
    while (!whole.finished()) whole.advance(1 << 20);
    if (std::string(keys).find("zohdi") != std::string::npos) { EXPECT_GT(whole.statistics().implicit.rejected, 0); }
    for (std::int64_t stop : {1, 57}) {
      Simulation first = simulate(kShaken, set);
      first.advance(stop);
      Simulation second = simulate(kShaken, set);
      second.load(first.save());
      while (!second.finished()) second.advance(1 << 20);
      EXPECT_EQ(state_hash(second.frame()), state_hash(whole.frame())) << keys << " stopped at " << stop;
      EXPECT_EQ(second.frame().energy.residual, whole.frame().energy.residual);
      const ImplicitStatistics a = second.statistics().implicit, b = whole.statistics().implicit;
      EXPECT_EQ(a.dt, b.dt);
      EXPECT_EQ(a.sub_steps, b.sub_steps);
      EXPECT_EQ(a.sweeps, b.sweeps);
      EXPECT_EQ(a.rejected, b.rejected);
    }
  }
}

// A step that is given up leaves every bit of the state as it was: positions, contacts, histories, ledger.
TEST(Implicit, RejectedStepLeavesNoTrace) {
  Simulation first = simulate(kShaken, {implicit("max_sweeps=200")});
  first.advance(60);
  Simulation s = simulate(kShaken, {implicit("max_sweeps=3,on_stall=\"stop\"")});
  Archive kept = first.save();
  kept.text["case"] = s.save().text.at("case");  // of another case by its sweeps alone
  s.load(kept);
  Archive before = s.save();
  EXPECT_GT(before.real["contacts/history"].size(), 50u);  // there is something to spoil
  try {
    s.advance(1);
    FAIL() << "converged";
  } catch (const StoppedError& e) {
    EXPECT_NE(std::string(e.what()).find("did not converge after 3 sweeps"), std::string::npos) << e.what();
  }
  const Archive after = s.save();
  for (const auto& entry : before.real)
    if (entry.first != "implicit/driver") { EXPECT_EQ(entry.second, after.real.at(entry.first)) << entry.first; }
  for (const auto& entry : before.integer) EXPECT_EQ(entry.second, after.integer.at(entry.first)) << entry.first;
}

// Adaptive steps end exactly on the grid, and a step cut short at its end does not shrink the next one.
TEST(Implicit, SubSteps) {
  Simulation s = simulate(kHeadOn, {"numerics.dt=2.5e-4", implicit("adapt=\"campello\",desired_sweeps=4,dt_min=1e-6")});
  std::vector<double> sizes;
  while (!s.finished()) {
    s.advance(1);
    EXPECT_EQ(s.time(), static_cast<double>(s.step()) * 2.5e-4);
    sizes.push_back(s.statistics().implicit.dt);
  }
  const ImplicitStatistics c = s.statistics().implicit;
  EXPECT_GT(c.sub_steps, 18);  // more than one per grid step while in contact
  EXPECT_EQ(c.stalled, 0);
  EXPECT_EQ(sizes.back(), 2.5e-4);  // free flight converges at once: back at the largest step
  EXPECT_LT(*std::min_element(sizes.begin(), sizes.end()), 2e-4);
  EXPECT_NEAR(s.frame().particles.v[0].x, -1, 5e-3);
}

TEST(Implicit, StallIsCountedOrStops) {
  const std::vector<std::string> keys = {"numerics.dt=5e-4", implicit("max_sweeps=2")};
  Simulation s = simulate(kHeadOn, keys);
  while (!s.finished()) s.advance(1);
  EXPECT_GT(s.statistics().implicit.stalled, 0);
  EXPECT_EQ(s.statistics().implicit.most_sweeps, 2);
  Simulation t = simulate(kHeadOn, {"numerics.dt=5e-4", implicit("max_sweeps=2,on_stall=\"stop\"")});
  EXPECT_THROW(while (!t.finished()) t.advance(1), StoppedError);
}

// The skin only decides when lists are made; far too small for a step, it grows. No contact is missed.
TEST(Implicit, SkinDoesNotMatter) {
  const std::string stage = "stages=[{name=\"a\",duration=0.004}]";
  const std::string tight = implicit("max_sweeps=200,tol_x=1e-12,tol_a=1e-12,tol_v=1e-11,tol_w=1e-11");
  const Frame a = last_frame(simulate(kShaken, {stage, tight, "numerics.skin=1e-6"}));
  const Frame b = last_frame(simulate(kShaken, {stage, tight, "numerics.skin=8e-3"}));
  EXPECT_EQ(a.contacts.size(), b.contacts.size());
  EXPECT_LT(difference(a, b), 1e-8);
}

// Undamped impacts: what phi = 1 takes away stands in `numerical`, and the ledger closes for either phi.
TEST(Implicit, Ledger) {
  for (const double phi : {0.5, 1.0}) {
    const Frame f = last_frame(simulate(
        kHeadOn, {"numerics.dt=2.5e-5", implicit(fmt::format("phi={},tol_x=1e-10,tol_v=1e-10,max_sweeps=200", phi))}));
    const Energy& e = f.energy;
    EXPECT_LT(std::fabs(e.residual), 1e-7 * e.turned_over) << phi;
    EXPECT_NEAR(e.kinetic - e.initial, e.numerical, 1e-7 * e.turned_over) << phi;
    if (phi == 1) {
      EXPECT_LT(e.numerical, -0.01 * e.turned_over);
    } else {
      EXPECT_LT(std::fabs(e.numerical), 2e-5 * e.turned_over);
    }
  }
  for (const double phi : {0.5, 1.0}) {
    const Frame f = last_frame(simulate(kShaken, {implicit(fmt::format("phi={},max_sweeps=200", phi)),
                                                  "numerics.dt=2e-5", "stages=[{name=\"a\",duration=0.01}]"}));
    EXPECT_LT(std::fabs(f.energy.residual), 3e-4 * f.energy.turned_over) << phi;
  }
}
