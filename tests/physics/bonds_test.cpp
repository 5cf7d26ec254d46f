// Geometric bonds: the forces, periods, strengths and shapes of theory manual, section 11, the gbpm-* entries of
// dem.json, and what is conserved.
#include <gtest/gtest.h>

#include <cmath>

#include "bonds_support.h"
#include "packing/make_bonds.h"
#include "physics/bond.h"
#include "scene/scene.h"

using namespace areia;
using namespace areia::test;

namespace {

// Time of one period of a signal, by its zero crossings with a rising value.
double period(const std::vector<double>& time, const std::vector<double>& value) {
  std::vector<double> crossing;
  for (std::size_t k = 1; k < value.size(); ++k)
    if (value[k - 1] < 0 && value[k] >= 0)
      crossing.push_back(time[k - 1] + (time[k] - time[k - 1]) * value[k - 1] / (value[k - 1] - value[k]));
  if (crossing.size() < 2) return 0;
  return (crossing.back() - crossing.front()) / static_cast<double>(crossing.size() - 1);
}

Vec3d momentum(const Frame& f) {
  Vec3d p;
  for (std::size_t i = 0; i < f.particles.id.size(); ++i) p += f.particles.mass[i] * f.particles.v[i];
  return p;
}

Vec3d angular_momentum(const Frame& f) {
  Vec3d l;
  const FrameParticles& p = f.particles;
  for (std::size_t i = 0; i < p.id.size(); ++i)
    l += p.mass[i] * cross(p.x[i], p.v[i]) + (0.4 * p.mass[i] * p.radius[i] * p.radius[i]) * p.w[i];
  return l;
}

}  // namespace

// ---- dem.json ----

TEST(Bonds, AxialPeriod) {
  const auto c = reference_case("gbpm-axial-period");
  Simulation s =
      simulate(two_spheres("", "{ x = [0, 0, 0], v = [-0.05, 0, 0] }, { x = [0.1, 0, 0], v = [0.05, 0, 0] }", 0.03),
               {"numerics.dt=1e-5"});
  std::vector<double> t, u;
  watch(s, [&](const Frame& f) {
    t.push_back(f.time);
    u.push_back(f.particles.x[1].x - f.particles.x[0].x - 0.1);
  });
  const double expected = c["expected"]["T"];
  EXPECT_NEAR(period(t, u), expected, c["tolerance"]["rel"].get<double>() * expected);
  const double critical = c["expected"]["c_critical"];
  EXPECT_NEAR(critical_damper(1e6, 2 / kMass, 1), critical, 1e-9 * critical);
}

// Theory manual, section 11: across the line of centres, w_t = sqrt(3.5 k/m*).
TEST(Bonds, TangentialPeriod) {
  for (const char* point : {"midpoint", "anchors"}) {
    Simulation s =
        simulate(two_spheres(fmt::format("point = \"{}\"", point),
                             "{ x = [0, 0, 0], v = [0, -0.01, 0], w = [0, 0, -0.5] }, { x = [0.1, 0, 0], v = [0, 0.01, "
                             "0], w = [0, 0, -0.5] }",
                             0.03),
                 {"numerics.dt=5e-6"});
    std::vector<double> t, u;
    watch(s, [&](const Frame& f) {
      t.push_back(f.time);
      u.push_back(f.bonds[0].at_j.y - f.bonds[0].at_i.y);
    });
    EXPECT_NEAR(period(t, u), 2.71707e-3, 1e-3 * 2.71707e-3) << point;
  }
}

TEST(Bonds, CriticalDecay) {
  const auto c = reference_case("gbpm-critical-decay");
  // the stretch is given by the velocities of a first moment: u = v t exp(-w t); here the spheres are pulled apart
  // first
  const double omega = std::sqrt(1e6 * 2 / kMass), stretch = c["inputs"]["initial_stretch"];
  const double dt = 2 / omega / 20000;
  Simulation s(
      parse_case(two_spheres("damping = \"critical\"\nanchor = \"surface\"",
                             fmt::format("{{ x = [0, 0, 0] }}, {{ x = [{:.17g}, 0, 0] }}", 0.1 + stretch), 0.01),
                 "test", {fmt::format("numerics.dt={:.17g}", dt)}));
  const auto at = static_cast<std::int64_t>(std::llround(c["inputs"]["at_omega_t"].get<double>() / omega / dt));
  s.advance(at);
  const auto u = [&] {
    const Frame f = s.frame();
    return (f.particles.x[1].x - f.particles.x[0].x - 0.1) / stretch;
  };
  EXPECT_NEAR(u(), c["expected"]["u_over_u0"], c["tolerance"]["abs"]);
  double least = 1;
  while (!s.finished()) {
    s.advance(100);
    least = std::min(least, u());
  }
  EXPECT_GT(least, -c["tolerance"]["abs"].get<double>());
}

TEST(Bonds, HangingChain) {
  const auto c = reference_case("gbpm-hanging-chain");
  const std::string toml = row(5, "between = \"touching\"\nstiffness = 1e5\ndamping = \"critical\"", "[9.81, 0, 0]",
                               "[[stages]]\nname = \"hang\"\nduration = 2.0");
  const Frame f = last_frame(simulate(toml));
  EXPECT_EQ(f.bonds.size(), 5u);
  const double elongation = f.particles.x[5].x - 0.5, expected = c["expected"]["elongation"];
  EXPECT_NEAR(elongation, expected, c["tolerance"]["rel"].get<double>() * expected);
}

TEST(Bonds, Cantilever) {
  const auto c = reference_case("gbpm-cantilever-5");
  // swings of a quarter of the first period of a cantilever with this deflection: w^2 = 1.545 g/tip
  const double expected = c["expected"]["tip_deflection"], quarter = 0.5 * kPi / std::sqrt(1.545 * 9.81 / expected);
  const std::string toml =
      row(5, "between = \"touching\"\nstiffness = 1e7\nanchors = 4\nring_radius = 0.025\ndamping = \"critical\"",
          "[0, 0, -9.81]", stops(8, quarter));
  const double tolerance = c["tolerance"]["rel"].get<double>() * expected;
  const Frame f = last_frame(simulate(toml));
  EXPECT_EQ(f.bonds.size(), 20u);
  EXPECT_NEAR(-f.particles.x[5].z, expected, tolerance);
  // across any direction: four anchors bend alike
  const Frame g =
      last_frame(simulate(toml, {"fields.gravity.acceleration=[0, 6.9367175234400325, -6.9367175234400325]"}));
  EXPECT_NEAR(std::hypot(g.particles.x[5].y, g.particles.x[5].z), expected, tolerance);
}

TEST(Bonds, SingleAnchorIsAHinge) {
  const auto c = reference_case("gbpm-single-anchor-is-a-hinge");
  const Frame f = last_frame(
      simulate(row(5, "between = \"touching\"\nstiffness = 1e7\ndamper = 500", "[0, 0, -9.81]", stops(30, 0.12))));
  const auto tip = c["expected"]["final_tip"];
  const double tolerance = c["tolerance"]["abs"];
  EXPECT_NEAR(f.particles.x[5].x, tip[0], tolerance);
  EXPECT_NEAR(f.particles.x[5].y, tip[1], tolerance);
  EXPECT_NEAR(f.particles.x[5].z, tip[2], tolerance);
}

TEST(Bonds, BreakPull) {
  const auto c = reference_case("gbpm-break-pull");
  const std::string toml = fmt::format(R"({}
[particles.held]
material = "ball"
radius = 0.05
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.pulled]
material = "ball"
radius = 0.05
motion = {{ constant = {{ velocity = [0.1, 0, 0] }} }}
list = [{{ x = [0.1, 0, 0] }}]
[bonds.joint]
group_a = "held"
group_b = "pulled"
stiffness = 1e6
strength = 1000
[[stages]]
name = "pull"
duration = 0.02
[numerics]
dt = 5e-6
)",
                                       kMaterial);
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {}, engine);
    double stretch = 0;
    watch(s, [&](const Frame& f) {
      if (!f.bonds.empty()) stretch = norm(f.bonds[0].at_j - f.bonds[0].at_i);
    });
    const Frame f = s.frame();
    ASSERT_EQ(f.breaks.size(), 1u);
    EXPECT_TRUE(f.bonds.empty());
    const double tolerance = c["tolerance"]["rel"];
    const double t_break = c["expected"]["t_break"], at = c["expected"]["stretch"];
    EXPECT_NEAR(f.breaks[0].time, t_break, tolerance * t_break);
    EXPECT_NEAR(stretch, at, tolerance * at);
    EXPECT_NEAR(f.breaks[0].force, 1000, 1);
    EXPECT_NEAR(f.breaks[0].point.x, 0.0505, 1e-5);
    EXPECT_EQ(f.breaks[0].i, 0);
    EXPECT_EQ(f.breaks[0].j, 1);
    // what the hand put in went with the spring: sigma^2/(2 k)
    EXPECT_NEAR(f.energy.broken, 0.5, 1e-3);
    EXPECT_NEAR(f.energy.wall_work, f.energy.broken, 1e-12);
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
  }
}

// Theory manual, section 11: an undamped bond under a sudden constant load F breaks when F > sigma/2.
TEST(Bonds, SuddenLoadBreaksBeyondHalfTheStrength) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet"})
    for (const double share : {0.497, 0.503}) {
      const std::string toml =
          row(1, "stiffness = 1e6\nstrength = 1000", fmt::format("[{:.17g}, 0, 0]", share * 1000 / kMass),
              "[[stages]]\nname = \"load\"\nduration = 0.02");
      const Frame f = last_frame(simulate(toml, {"numerics.dt=5e-6", fmt::format("numerics.scheme=\"{}\"", scheme)}));
      EXPECT_EQ(f.breaks.size(), share > 0.5 ? 1u : 0u) << scheme << " " << share;
      EXPECT_NEAR(f.energy.residual, 0, of_gravity(f, share * 1000 / kMass)) << scheme << " " << share;
    }
}

// ---- conservation and the ledger ----

TEST(Bonds, MidpointConservesMomentumAndAngularMomentum) {
  const char* const tumbling =
      "{ x = [0, 0, 0], v = [0, 1, 0.3], w = [3, 0, 8] }, { x = [0.1, 0, 0], v = [0.2, -1, 0.5], w = [-2, 5, 1] }";
  const auto change = [&](const std::string& rest) {
    Simulation s = simulate(two_spheres(rest, tumbling, 0.05), {"numerics.dt=1e-5"});
    const Frame first = s.frame();
    while (!s.finished()) s.advance(1000);
    const Frame last = s.frame();
    EXPECT_LT(norm(momentum(last) - momentum(first)), 1e-12 * norm(momentum(first)));
    return norm(angular_momentum(last) - angular_momentum(first)) / norm(angular_momentum(first));
  };
  const std::string ring = "anchors = 3\nring_radius = 0.03\n";
  EXPECT_LT(change(ring), 1e-12);
  EXPECT_LT(change(ring + "damper = 300"), 1e-12);
  EXPECT_LT(change(ring + "point = \"anchors\""), 1e-12);  // without a damper it is conserved as well
  EXPECT_GT(change(ring + "damper = 300\npoint = \"anchors\""), 1e-9);
}

TEST(Bonds, LedgerBalances) {
  const char* const tumbling =
      "{ x = [0, 0, 0], v = [0, 1, 0.3], w = [3, 0, 8] }, { x = [0.1, 0, 0], v = [0.2, -1, 0.5], w = [-2, 5, 1] }";
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"})
    for (const char* rest : {"", "damper = 100", "damper = 100\npoint = \"anchors\"", "anchor = \"surface\""})
      for (const Engine engine : {Engine::cpu, Engine::reference}) {
        Simulation s = simulate(two_spheres(std::string("anchors = 3\nring_radius = 0.03\n") + rest, tumbling, 0.02),
                                {"numerics.dt=2e-6", fmt::format("numerics.scheme=\"{}\"", scheme)}, engine);
        for (int k = 0; k < 7; ++k) {  // whenever one looks
          s.advance(1234);
          const Energy e = s.frame().energy;
          // velocity_verlet has both halves of a kick at other velocities than those of the move: (w dt)^2/8
          const double tolerance = std::string(scheme) == "velocity_verlet" ? 1e-3 : 1e-12;
          EXPECT_NEAR(e.residual, 0, tolerance * e.turned_over) << scheme << " " << rest << " " << k;
          // forward_euler gains energy by itself
          const double gain = std::string(scheme) == "forward_euler" ? 0.5 : 0.05;
          EXPECT_LT(std::fabs(e.numerical), gain * e.turned_over) << scheme << " " << rest << " " << k;
          EXPECT_EQ(e.bond_damping > 0, rest[0] == 'd') << scheme << " " << rest << " " << k;
        }
      }
}

// Dissipation by the damper itself: a critically damped pair loses all it had.
TEST(Bonds, DamperTakesTheEnergy) {
  const Frame f = last_frame(
      simulate(two_spheres("damping = \"critical\"",
                           "{ x = [0, 0, 0], v = [-0.5, 0, 0] }, { x = [0.1, 0, 0], v = [0.5, 0, 0] }", 0.05),
               {"numerics.dt=1e-6"}));
  EXPECT_NEAR(f.energy.bond_damping, kMass * 0.25, 2e-3 * kMass * 0.25);
  EXPECT_NEAR(f.energy.residual, 0, 1e-12);
}

// ---- which bodies are joined ----

TEST(Bonds, AreMadeBetweenTheRightBodies) {
  const auto bonds = [](const std::string& section, const std::string& domain = "") {
    const Case c = parse_case(fmt::format(R"({}
[particles.a]
material = "ball"
radius = 0.05
lattice = {{ region = {{ box = [[0, 0, 0], [0.4, 0.3, 0.2]] }} }}
[particles.b]
material = "ball"
radius = 0.05
fixed = true
list = [{{ x = [0.46, 0.05, 0.05] }}, {{ x = [0.05, 0.05, 0.26] }}]
[walls.floor]
plane = {{ point = [0, 0, -0.01], normal = [0, 0, 1] }}
[bonds.set]
stiffness = 1e5
{}
[[stages]]
duration = 0.01
{}
)",
                                          kMaterial, section, domain),
                              "test");
    const Scene scene = make_scene(c);
    return make_bonds(scene, 0, bodies_at_start(scene));
  };
  // 4 x 3 x 2 spheres: 18 + 16 + 12 neighbours
  EXPECT_EQ(bonds("group_a = \"a\"").size(), 46u);
  EXPECT_EQ(bonds("group_a = \"a\"\nbetween = \"near\"\nmax_distance = 0.1").size(), 46u);
  // and across the faces of the cubes: 2 per small square, in 3 planes
  EXPECT_EQ(bonds("group_a = \"a\"\nbetween = \"near\"\nmax_distance = 0.15").size(),
            46u + 2 * (6 * 2 + 3 * 3 + 2 * 4));
  EXPECT_EQ(bonds("group_a = \"a\"\ngroup_b = \"b\"").size(), 0u);
  EXPECT_EQ(bonds("group_a = \"a\"\ngroup_b = \"b\"\nmax_gap = 0.011").size(), 2u);
  EXPECT_EQ(bonds("group_a = \"b\"\ngroup_b = \"a\"\nmax_gap = 0.011").size(), 2u);
  EXPECT_EQ(bonds("max_gap = 0.011").size(), 48u);
  EXPECT_EQ(bonds("group_a = \"a\"\nwall = \"floor\"").size(), 0u);
  EXPECT_EQ(bonds("group_a = \"a\"\nwall = \"floor\"\nmax_gap = 0.011\nanchors = 3\nring_radius = 0.01").size(), 36u);
  // the far side of a periodic box is a neighbour; b touches it
  EXPECT_EQ(bonds("group_a = \"a\"", "[domain]\nbox = [[0, 0, -1], [0.8, 0.3, 1]]\nperiodic = [\"y\"]").size(),
            46u + 8u);

  const std::vector<Bond> list = bonds("between = \"list\"\npairs = [[7, 2], [0, 1]]\nanchors = 4\nring_radius = 0.02");
  ASSERT_EQ(list.size(), 8u);
  EXPECT_EQ(list[0].i, 0);
  EXPECT_EQ(list[0].j, 1);
  EXPECT_EQ(list[4].i, 2);
  EXPECT_EQ(list[4].j, 7);
  Vec3d middle;
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(norm(list[k].a_i - Vec3d{0.05, 0, 0}), 0.02, 1e-15);
    EXPECT_NEAR(list[k].a_i.x, 0.05, 1e-15);
    EXPECT_NEAR(dot(list[k].a_i - Vec3d{0.05, 0, 0}, list[(k + 1) % 4].a_i - Vec3d{0.05, 0, 0}), 0, 1e-17);
    EXPECT_NEAR(norm(list[k].a_i - list[k].a_j - Vec3d{0.1, 0, 0}), 0, 1e-15);
    middle += list[k].a_i;
  }
  EXPECT_NEAR(norm(middle - Vec3d{0.2, 0, 0}), 0, 1e-15);
}

TEST(Bonds, SurfaceAnchorsPullAGapTogether) {
  const Frame f =
      simulate(two_spheres("anchor = \"surface\"", "{ x = [0, 0, 0] }, { x = [0.102, 0, 0] }", 0.01)).frame();
  ASSERT_EQ(f.bonds.size(), 1u);
  EXPECT_NEAR(f.bonds[0].force.x, 1e6 * 0.002, 1e-9);
  EXPECT_NEAR(f.energy.bonds, 0.5 * 1e6 * 0.002 * 0.002, 1e-12);
  EXPECT_EQ(simulate(two_spheres("", "{ x = [0, 0, 0] }, { x = [0.102, 0, 0] }", 0.01)).frame().bonds[0].force.x, 0);
}

TEST(Bonds, TimeStepFollowsTheStiffestPair) {
  // alone, T/10; the reason names the set
  Simulation s = simulate(two_spheres("", kAtRest, 0.01));
  expect_step(s.dt(), 2.71707e-4);
  EXPECT_NE(s.choices().dt_reason.find("bonds.joint"), std::string::npos) << s.choices().dt_reason;
  expect_step(simulate(two_spheres("anchors = 4\nring_radius = 0.02", kAtRest, 0.01)).dt(), 0.5 * 2.71707e-4);
  // with a damper less: it would be unstable across the line of centres
  const char* const across = "{ x = [0, 0, 0], v = [0, -1, 0] }, { x = [0.1, 0, 0], v = [0, 1, 0], w = [0, 0, -30] }";
  const Frame f = last_frame(simulate(two_spheres("damping = \"critical\"", across, 0.05)));
  EXPECT_LT(f.dt, 0.5 * 2.71707e-4);
  EXPECT_LT(f.energy.kinetic + f.energy.rotational, f.energy.initial);
  EXPECT_EQ(simulate(two_spheres("", kAtRest, 0.01), {"numerics.dt=3e-4"}).choices().warnings.size(), 1u);
  EXPECT_TRUE(simulate(two_spheres("", kAtRest, 0.01), {"numerics.dt=2e-4"}).choices().warnings.empty());
}
