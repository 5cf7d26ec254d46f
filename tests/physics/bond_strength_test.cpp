// Bonds of cement: strengths by direction and their scatter, springs from Young's modulus, dampers by their ratio, and
// what the choice of the step says of them. Theory manual, section 11.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bonds_support.h"
#include "engine/bond_work.h"
#include "packing/make_bonds.h"
#include "scene/scene.h"
#include "scene/shapes/shape.h"

using namespace areia;
using namespace areia::test;

namespace {

std::vector<Bond> bonds_of(const std::string& toml, const std::vector<std::string>& set = {}) {
  const Scene scene = make_scene(parse_case(toml, "test", set));
  return make_bonds(scene, 0, bodies_at_start(scene));
}

// A fixed sphere, and one that is led away from it; `rest` goes into [bonds.joint].
std::string led(const std::string& velocity, const std::string& rest) {
  return fmt::format(R"({}
[particles.held]
material = "ball"
radius = 0.05
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.led]
material = "ball"
radius = 0.05
motion = {{ constant = {{ velocity = {} }} }}
list = [{{ x = [0.1, 0, 0] }}]
[bonds.joint]
stiffness = 1e6
contact = false
{}
[[stages]]
duration = 0.03
[numerics]
dt = 5e-6
)",
                     kMaterial, velocity, rest);
}

// A beam of one row of spheres in width on two rollers, bent by a third from above.
std::string three_point_bending(const std::string& strength) {
  return R"(
[materials.rock]
density = 2600
young = "100 MPa"
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.3 }
[particles.beam]
material = "rock"
radius = "1 mm"
lattice = { region = { box = [["-24 mm", "-1 mm", 0], ["24 mm", "1 mm", "8 mm"]] }, spacing = "2 mm" }
[bonds.cement]
max_gap = "0.05 mm"
anchors = 4
ring_radius = "0.8 mm"
stiffness = "100 kN/m"
damping_ratio = 0.1
contact = false
)" + strength +
         R"(
[walls.left]
cylinder = { from = ["-20 mm", "-8 mm", "-2 mm"], to = ["-20 mm", "8 mm", "-2 mm"], radius = "2 mm" }
[walls.right]
cylinder = { from = ["20 mm", "-8 mm", "-2 mm"], to = ["20 mm", "8 mm", "-2 mm"], radius = "2 mm" }
[walls.punch]
cylinder = { from = [0, "-8 mm", "10.01 mm"], to = [0, "8 mm", "10.01 mm"], radius = "2 mm" }
motion = { constant = { velocity = [0, 0, "-3 cm/s"] } }
[[stages]]
duration = "40 ms"
)";
}

}  // namespace

// ---- what breaks ----

// One strength for every direction breaks the beam where the punch presses it; cement is torn at the far side.
TEST(BondStrength, BeamIsTornOppositeThePunch) {
  const auto first = [](const std::string& strength) {
    Simulation s = simulate(three_point_bending(strength), {"numerics.threads=1"});
    while (!s.finished() && s.frame().breaks.empty()) s.advance(100);
    const Frame f = s.frame();
    EXPECT_FALSE(f.breaks.empty());
    return f.breaks.empty() ? FrameBreak{} : f.breaks.front();
  };
  const FrameBreak any = first("strength = 0.2");
  EXPECT_EQ(any.mode, BreakMode::compression);
  EXPECT_GT(any.point.z, 0.006);
  const FrameBreak torn = first("tensile_strength = 0.2\nshear_strength = 0.6");
  EXPECT_EQ(torn.mode, BreakMode::tension);
  EXPECT_LT(torn.point.z, 0.002);
  EXPECT_LT(std::fabs(torn.point.x), 0.0021);
  EXPECT_NEAR(torn.normal, 0.2, 0.004);
}

// A bond that is stretched at the speed v breaks at strength/(k v), by the strength of that direction.
TEST(BondStrength, EachDirectionHasItsOwn) {
  struct Row {
    const char* velocity;
    double strength;
    BreakMode mode;
  };
  const std::string three = "tensile_strength = 1000\nshear_strength = 500\ncompressive_strength = 2000";
  for (const Row& row :
       {Row{"[0.1, 0, 0]", 1000, BreakMode::tension}, Row{"[-0.1, 0, 0]", 2000, BreakMode::compression},
        Row{"[0, 0.1, 0]", 500, BreakMode::shear}, Row{"[0, 0, -0.1]", 500, BreakMode::shear}})
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const Frame f = last_frame(simulate(led(row.velocity, three), {}, engine));
      ASSERT_EQ(f.breaks.size(), 1u) << row.velocity;
      EXPECT_NEAR(f.breaks[0].time, row.strength / (1e6 * 0.1), 2e-5) << row.velocity;
      EXPECT_EQ(f.breaks[0].mode, row.mode) << row.velocity;
      const double expected = row.mode == BreakMode::shear         ? f.breaks[0].shear
                              : row.mode == BreakMode::compression ? -f.breaks[0].normal
                                                                   : f.breaks[0].normal;
      EXPECT_NEAR(expected, row.strength, 0.01 * row.strength) << row.velocity;
      EXPECT_NEAR(f.breaks[0].force, std::hypot(f.breaks[0].normal, f.breaks[0].shear), 1e-9);
    }
  // what has no strength does not break
  EXPECT_TRUE(last_frame(simulate(led("[-0.1, 0, 0]", "tensile_strength = 1\nshear_strength = 1"))).breaks.empty());
  // the source's one strength: whatever the direction, and the mode is told all the same
  for (const auto& [velocity, mode] : {std::pair{"[0.1, 0, 0]", BreakMode::tension},
                                       {"[-0.1, 0, 0]", BreakMode::compression},
                                       {"[0, 0.1, 0]", BreakMode::shear}}) {
    const Frame f = last_frame(simulate(led(velocity, "strength = 1000")));
    ASSERT_EQ(f.breaks.size(), 1u);
    EXPECT_NEAR(f.breaks[0].time, 0.01, 2e-5);
    EXPECT_EQ(f.breaks[0].mode, mode) << velocity;
  }
}

// At a wall the axis is the direction towards it, turned with it.
TEST(BondStrength, OfABondToAWall) {
  const std::string toml = fmt::format(R"({}
[particles.led]
material = "ball"
radius = 0.05
motion = {{ constant = {{ velocity = [0, 0, 0.1] }} }}
list = [{{ x = [0.3, 0, 0.05] }}]
[walls.plate]
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
[bonds.glue]
wall = "plate"
stiffness = 1e6
anchors = 3
ring_radius = 0.02
tensile_strength = 700
shear_strength = 300
contact = false
[[stages]]
duration = 0.02
[numerics]
dt = 5e-6
)",
                                       kMaterial);
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Frame f = last_frame(simulate(toml, {}, engine));
    ASSERT_EQ(f.breaks.size(), 3u);
    EXPECT_NEAR(f.breaks[0].time, 0.007, 2e-5);
    EXPECT_EQ(f.breaks[0].mode, BreakMode::tension);
    f = last_frame(simulate(toml, {"particles.led.motion.constant.velocity=[0, 0.1, 0]"}, engine));
    ASSERT_EQ(f.breaks.size(), 3u);
    EXPECT_NEAR(f.breaks[0].time, 0.003, 2e-5);
    EXPECT_EQ(f.breaks[0].mode, BreakMode::shear);
  }
}

TEST(BondStrength, StressesActOnTheShareOfAnAnchor) {
  const std::vector<Bond> b = bonds_of(two_spheres(
      "radius = 0.02\nanchors = 4\ntensile_stress = \"2 MPa\"\nshear_stress = \"5 MPa\"\ncompressive_strength = 33",
      kAtRest, 0.01));
  ASSERT_EQ(b.size(), 4u);
  const double share = kPi * 0.02 * 0.02 / 4;
  EXPECT_NEAR(b[0].strength.tensile, 2e6 * share, 1e-9);
  EXPECT_NEAR(b[0].strength.shear, 5e6 * share, 1e-9);
  EXPECT_EQ(b[0].strength.compressive, 33);
  EXPECT_EQ(b[0].strength.any, kForever);
  // by the smaller of two radii
  const std::vector<Bond> small = bonds_of(two_spheres("radius_factor = 0.5\nanchors = 3\ntensile_stress = 1e6",
                                                       "{ x = [0, 0, 0] }, { x = [0.07, 0, 0], radius = 0.02 }", 0.01));
  ASSERT_EQ(small.size(), 3u);
  EXPECT_NEAR(small[0].strength.tensile, 1e6 * kPi * 0.01 * 0.01 / 3, 1e-9);
}

// ---- scatter ----

// The strength of a joint follows from the seed and the ids, not from the order of the pairs or from other pairs.
TEST(BondStrength, ScatterFollowsFromTheIds) {
  const auto strengths = [](const std::string& pairs, int seed = 1) {
    const std::string toml = fmt::format(R"({}
[particles.ball]
material = "ball"
radius = 0.05
lattice = {{ region = {{ box = [[0, 0, 0], [0.4, 0.1, 0.1]] }} }}
[bonds.joint]
between = "list"
pairs = {}
anchors = 2
ring_radius = 0.01
stiffness = 1e6
tensile_strength = 100
shear_strength = 300
weibull_modulus = 5
[[stages]]
duration = 0.01
)",
                                         kMaterial, pairs);
    std::map<std::pair<std::int64_t, std::int64_t>, double> all;
    for (const Bond& b : bonds_of(toml, {fmt::format("numerics.seed={}", seed)})) {
      EXPECT_DOUBLE_EQ(b.strength.shear, 3 * b.strength.tensile);
      EXPECT_EQ(b.strength.compressive, kForever);
      const auto [at, fresh] = all.emplace(std::pair{b.i, b.j}, b.strength.tensile);
      EXPECT_EQ(at->second, b.strength.tensile);  // all anchors of a joint
    }
    return all;
  };
  const auto some = strengths("[[0, 1], [1, 2]]"), more = strengths("[[3, 2], [2, 1], [1, 0]]");
  for (const auto& [pair, strength] : some) EXPECT_EQ(strength, more.at(pair));
  EXPECT_NE(more.at({0, 1}), more.at({1, 2}));
  EXPECT_NE(strengths("[[0, 1]]", 2).at({0, 1}), some.at({0, 1}));
}

TEST(BondStrength, ScatterIsWeibulls) {
  const std::string toml = fmt::format(R"({}
[particles.ball]
material = "ball"
radius = 0.05
lattice = {{ region = {{ box = [[0, 0, 0], [2, 2, 2]] }} }}
[bonds.joint]
stiffness = 1e6
strength = 200
weibull_modulus = 3
[[stages]]
duration = 0.01
)",
                                       kMaterial);
  std::vector<double> s;
  for (const Bond& b : bonds_of(toml)) s.push_back(b.strength.any / 200);
  ASSERT_EQ(s.size(), 3u * 20 * 20 * 19);
  std::sort(s.begin(), s.end());
  // Kolmogorov and Smirnov: beyond 1.63/sqrt(n) one time in a hundred; the seed is fixed
  double most = 0;
  for (std::size_t k = 0; k < s.size(); ++k)
    most = std::max(most, std::fabs(1 - std::exp(-std::pow(s[k], 3)) -
                                    (static_cast<double>(k) + 0.5) / static_cast<double>(s.size())));
  EXPECT_LT(most, 1.63 / std::sqrt(static_cast<double>(s.size())));
}

// ---- springs ----

TEST(BondCement, IsABarFromCentreToCentre) {
  std::vector<Bond> b = bonds_of(fmt::format(
      "{}\n[particles.ball]\nmaterial = \"ball\"\nradius = 0.05\nlist = [{{ x = [0, 0, 0] }}, {{ x = [0.104, "
      "0, 0] }}]\n[bonds.joint]\nmax_gap = 0.01\nanchors = 6\nradius_factor = 0.8\nyoung = \"3 "
      "GPa\"\npoisson = 0.25\n[[stages]]\nduration = 0.01\n",
      kMaterial));
  ASSERT_EQ(b.size(), 6u);
  const double area = kPi * 0.04 * 0.04, k = 3e9 * area / 0.104;
  EXPECT_NEAR(6 * b[0].law.k, k, 1e-12 * k);
  EXPECT_NEAR(b[0].law.k_across, b[0].law.k / 2.5, 1e-12 * k);
  // the ring bends with E I/L and twists with G J/L of the cylinder
  double bending = 0, twist = 0;
  for (const Bond& one : b) {
    bending += one.law.k * one.a_i.y * one.a_i.y;
    twist += one.law.k_across * (one.a_i.y * one.a_i.y + one.a_i.z * one.a_i.z);
  }
  const double inertia = kPi * std::pow(0.04, 4) / 4;
  EXPECT_NEAR(bending, 3e9 * inertia / 0.104, 1e-9 * bending);
  EXPECT_NEAR(twist, 3e9 / 2.5 * 2 * inertia / 0.104, 1e-9 * twist);
}

// The forces are those of the energy: a small motion of the bodies changes it by what the forces do.
TEST(BondCement, ForcesAreTheDerivativesOfTheEnergy) {
  const BondSet set;
  for (const std::int64_t partner : {1, -1}) {
    Bond b;
    b.j = partner;
    b.wall = partner < 0 ? 0 : -1;
    b.a_i = {0.6, 0.3, -0.2};
    b.a_j = {-0.5, 0.2, 0.1};
    b.axis = unit(Vec3d{1, 0.2, -0.1});
    b.law = {7, 2, 0, 0};
    BondBody i, j;
    i.x = {0.1, -0.2, 0.3};
    i.q = about_axis(unit(Vec3d{1, 2, 3}), 0.4);
    j.x = {1.3, 0.4, 0.1};
    j.q = about_axis(unit(Vec3d{-1, 1, 0.5}), 0.9);
    const auto energy = [&] {
      const BondNow now = evaluate_bond(b, set, {}, i, j);
      return bond_energy(b.law, now.axis, now.stretch);
    };
    const BondForce f = evaluate_bond(b, set, {}, i, j).force;
    const double h = 1e-5;
    for (int body = 0; body < 2; ++body)
      for (int axis = 0; axis < 3; ++axis) {
        BondBody& moved = body == 0 ? i : j;
        const BondBody before = moved;
        Vec3d e;
        component(e, axis) = 1;
        double change[2];
        for (int side = 0; side < 2; ++side) {
          moved.x = before.x + (side == 0 ? -h : h) * e;
          change[side] = energy();
          moved = before;
        }
        const Vec3d force = (body == 0 ? 1.0 : -1.0) * f.total();
        EXPECT_NEAR(-(change[1] - change[0]) / (2 * h), component(force, axis), 1e-8) << body << " moves " << axis;
        for (int side = 0; side < 2; ++side) {
          moved.q = multiply(about_axis(e, side == 0 ? -h : h), before.q);
          change[side] = energy();
          moved = before;
        }
        const Vec3d torque = body == 0 ? f.torque_i() : f.torque_j();
        EXPECT_NEAR(-(change[1] - change[0]) / (2 * h), component(torque, axis), 1e-8) << body << " turns " << axis;
      }
  }
}

TEST(BondCement, PeriodsAlongAndAcross) {
  const auto period = [](const std::string& list, auto value) {
    Simulation s = simulate(two_spheres("shear_ratio = 0.3", list, 0.03), {"numerics.dt=5e-6"});
    std::vector<double> crossing;
    double before = 0, t = 0;
    watch(s, [&](const Frame& f) {
      const double now = value(f);
      if (before < 0 && now >= 0) crossing.push_back(t + (f.time - t) * before / (before - now));
      before = now;
      t = f.time;
    });
    return (crossing.back() - crossing.front()) / static_cast<double>(crossing.size() - 1);
  };
  const double along = 2 * kPi * std::sqrt(kMass / 2 / 1e6), across = 2 * kPi * std::sqrt(kMass / 2 / (3.5 * 0.3e6));
  EXPECT_NEAR(period("{ x = [0, 0, 0], v = [-0.01, 0, 0] }, { x = [0.1, 0, 0], v = [0.01, 0, 0] }",
                     [](const Frame& f) { return f.particles.x[1].x - f.particles.x[0].x - 0.1; }),
              along, 1e-3 * along);
  EXPECT_NEAR(period("{ x = [0, 0, 0], v = [0, -0.01, 0], w = [0, 0, -0.5] }, { x = [0.1, 0, 0], v = [0, 0.01, 0], w = "
                     "[0, 0, -0.5] }",
                     [](const Frame& f) { return f.bonds[0].at_j.y - f.bonds[0].at_i.y; }),
              across, 1e-3 * across);
}

TEST(BondCement, ConservesAndBalances) {
  const char* const tumbling =
      "{ x = [0, 0, 0], v = [0, 1, 0.3], w = [3, 0, 8] }, { x = [0.1, 0, 0], v = [0.2, -1, 0.5], w = [-2, 5, 1] }";
  const auto turning = [](const Frame& f) {
    Vec3d l;
    const FrameParticles& p = f.particles;
    for (std::size_t i = 0; i < p.id.size(); ++i)
      l += p.mass[i] * cross(p.x[i], p.v[i]) + (0.4 * p.mass[i] * p.radius[i] * p.radius[i]) * p.w[i];
    return l;
  };
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "trapezoid"})
    for (const char* rest : {"", "damping_ratio = 0.1"})
      for (const Engine engine : {Engine::cpu, Engine::reference}) {
        const std::string toml =
            two_spheres(std::string("anchors = 3\nring_radius = 0.03\nshear_ratio = 0.25\n") + rest, tumbling, 0.02);
        Simulation s = simulate(toml, {"numerics.dt=2e-6", fmt::format("numerics.scheme=\"{}\"", scheme)}, engine);
        const Vec3d first = turning(s.frame());
        while (!s.finished()) s.advance(1234);
        const Frame f = s.frame();
        const Energy& e = f.energy;
        const bool implicit = std::string(scheme) == "trapezoid";
        if (!implicit) { EXPECT_LT(norm(turning(f) - first), 1e-12 * norm(first)) << scheme << " " << rest; }
        // velocity_verlet and the trapezoid book at velocities that differ from those of the move: second order
        const double residual = std::string(scheme) == "velocity_verlet" ? 1e-3 : implicit ? 1e-5 : 1e-12;
        EXPECT_NEAR(e.residual, 0, residual * e.turned_over) << scheme << " " << rest;
        // velocities half a step after positions: P dt/2 for the power P of the springs
        const bool apart = std::string(scheme) == "drift_kick" || std::string(scheme) == "kick_drift";
        EXPECT_LT(std::fabs(e.numerical), (apart ? 2e-3 : 1e-5) * e.turned_over) << scheme << " " << rest;
        EXPECT_EQ(e.bond_damping > 0, rest[0] == 'd');
      }
}

// ---- dampers and the step ----

// Free swings die with the same ratio along and across the line of centres: by exp(-2 pi z/sqrt(1 - z^2)) per period.
TEST(BondDamping, RatioHoldsAlongAndAcross) {
  const double z = 0.1, w_n = std::sqrt(1e6 * 2 / kMass), w_t = std::sqrt(3.5 * 0.4) * w_n;
  const auto left = [&](const std::string& list, double w, auto value) {
    const double period = 2 * kPi / (w * std::sqrt(1 - z * z));
    Simulation s = simulate(two_spheres("shear_ratio = 0.4\ndamping_ratio = 0.1", list, 3.2 * period),
                            {fmt::format("numerics.dt={:.17g}", period / 4000)});
    s.advance(1000);
    const double first = value(s.frame());
    s.advance(8000);
    return value(s.frame()) / first;
  };
  const double expected = std::exp(-4 * kPi * z / std::sqrt(1 - z * z));
  EXPECT_NEAR(left("{ x = [0, 0, 0], v = [-0.01, 0, 0] }, { x = [0.1, 0, 0], v = [0.01, 0, 0] }", w_n,
                   [](const Frame& f) { return f.particles.x[1].x - f.particles.x[0].x - 0.1; }),
              expected, 0.01 * expected);
  EXPECT_NEAR(
      left("{ x = [0, 0, 0], v = [0, -0.01, 0], w = [0, 0, -0.5] }, { x = [0.1, 0, 0], v = [0, 0.01, 0], w = [0, "
           "0, -0.5] }",
           w_t, [](const Frame& f) { return f.bonds[0].at_j.y - f.bonds[0].at_i.y; }),
      expected, 0.01 * expected);
}

// The reason of the step names the rule it follows and what the dampers cost.
TEST(BondDamping, TheStepSaysWhatItCosts) {
  const auto chosen = [](const std::string& damping) {
    std::string toml = three_point_bending("");
    toml.replace(toml.find("damping_ratio = 0.1"), 19, damping);
    return simulate(toml).choices();
  };
  const Choices critical = chosen("damping = \"critical\""), some = chosen("damping_ratio = 0.1"), none = chosen("");
  EXPECT_NE(critical.dt_reason.find("1/2 of the largest stable step of a particle with all its bonds"),
            std::string::npos);
  EXPECT_NE(critical.dt_reason.find("without dampers of bonds the step were"), std::string::npos) << critical.dt_reason;
  EXPECT_NE(some.dt_reason.find("bonds.cement"), std::string::npos);
  EXPECT_EQ(none.dt_reason.find("dampers"), std::string::npos) << none.dt_reason;
  EXPECT_GT(none.dt, 7 * critical.dt);
  EXPECT_LT(none.dt, 1.4 * some.dt);
}

// ---- engines ----

// All of it at once, to the end and from a checkpoint on: the same bits on both engines.
TEST(BondStrength, SameBitsOnBothEnginesAndAfterAResume) {
  const std::string toml = std::string(kMaterial) + R"(
[particles.block]
material = "ball"
radius = 0.01
velocity = [0.3, 0, -2]
lattice = { region = { box = [[0, 0, 0.011], [0.08, 0.06, 0.071]] }, jitter = 1e-5, spacing = 0.0201 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0.1, 0, 1] }
[walls.side]
plane = { point = [-0.005, 0, 0], normal = [1, 0, 0] }
motion = { oscillating = { amplitude = [0, 0, 0.001], frequency = 50 } }
[bonds.cement]
max_gap = 0.0003
anchors = 3
radius_factor = 0.6
young = "30 MPa"
poisson = 0.2
damping_ratio = 0.05
tensile_stress = "0.2 MPa"
shear_stress = "0.5 MPa"
weibull_modulus = 4
contact = false
[bonds.glue]
group_a = "block"
wall = "side"
max_gap = 0.006
stiffness = 1e4
shear_ratio = 0.5
tensile_strength = 5
shear_strength = 3
weibull_modulus = 2
start_stage = "after"
[[stages]]
name = "fall"
duration = 0.005
[[stages]]
name = "after"
duration = 0.005
[numerics]
dt = 1e-5
)";
  Simulation fast = simulate(toml), slow = simulate(toml, {}, Engine::reference);
  fast.advance(600);
  slow.advance(600);
  Simulation resumed = simulate(toml, {}, Engine::reference);
  resumed.load(fast.save());
  for (Simulation* s : {&fast, &slow, &resumed})
    while (!s->finished()) s->advance(100);
  const Frame f = fast.frame();
  EXPECT_GT(f.breaks.size(), 20u);
  EXPECT_GT(f.bonds.size(), 20u);
  for (Simulation* s : {&slow, &resumed}) {
    const Frame g = s->frame();
    EXPECT_EQ(state_hash(f), state_hash(g));
    ASSERT_EQ(f.breaks.size(), g.breaks.size());
    for (std::size_t k = 0; k < f.breaks.size(); ++k) {
      EXPECT_EQ(f.breaks[k].mode, g.breaks[k].mode);
      EXPECT_EQ(f.breaks[k].normal, g.breaks[k].normal);
    }
    EXPECT_EQ(f.energy.residual, g.energy.residual);
    EXPECT_EQ(f.energy.wall_work, g.energy.wall_work);
  }
}
