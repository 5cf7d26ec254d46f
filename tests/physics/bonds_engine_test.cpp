// Geometric bonds in use: walls, boundaries, stages, and the promises of the engines.
#include <gtest/gtest.h>

#include <cmath>

#include "bonds_support.h"
#include "compare.h"

using namespace areia;
using namespace areia::test;

// ---- walls, prescribed bodies, boundaries, stages ----

TEST(Bonds, WallCarriesWhatIsBondedToIt) {
  const std::string toml = fmt::format(R"({}
[particles.ball]
material = "ball"
radius = 0.05
list = [{{ x = [0.3, 0, 0.05] }}]
[walls.plate]
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
motion = {{ rotating = {{ axis = [0, 0, 1], rate = 2 }} }}
[bonds.glue]
group_a = "ball"
wall = "plate"
stiffness = 1e6
anchors = 4
ring_radius = 0.03
damping = "critical"
contact = false
[[stages]]
name = "turn"
duration = 0.785398163397448
)",
                                       kMaterial);
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml, {}, engine));
    ASSERT_EQ(f.bonds.size(), 4u);
    EXPECT_TRUE(f.contacts.empty());
    const double phi = 2 * f.time;
    EXPECT_NEAR(f.particles.x[0].x, 0.3 * std::cos(phi), 1e-4);
    EXPECT_NEAR(f.particles.x[0].y, 0.3 * std::sin(phi), 1e-4);
    EXPECT_NEAR(f.particles.w[0].z, 2, 1e-2);
    // the wall feels the centrifugal force, and its work is the kinetic energy and what the dampers took
    EXPECT_NEAR(norm(f.walls[0].force), kMass * 4 * 0.3, 0.02 * kMass * 4 * 0.3);
    const Energy& e = f.energy;
    EXPECT_GT(e.wall_work, 0.5 * kMass * 0.36);
    EXPECT_NEAR(e.residual, 0, 1e-10);
    EXPECT_NEAR(e.numerical, 0, 0.02 * e.wall_work);
    EXPECT_NEAR(e.wall_work, e.kinetic + e.rotational + e.bonds + e.bond_damping, 0.02 * e.wall_work);
  }
}

TEST(Bonds, AcrossAPeriodicFace) {
  const std::string toml =
      two_spheres("", "{ x = [0.02, 0, 0], v = [-0.3, 0, 0] }, { x = [0.92, 0, 0], v = [0.2, 0, 0] }", 0.3) +
      "[domain]\nbox = [[0, -1, -1], [1, 1, 1]]\nperiodic = [\"x\"]\n";
  Simulation s = simulate(toml), r = simulate(toml, {}, Engine::reference);
  while (!s.finished()) {
    s.advance(100);
    r.advance(100);
    const Frame f = s.frame(), g = r.frame();
    double d = f.particles.x[0].x - f.particles.x[1].x;
    d -= std::round(d);
    EXPECT_NEAR(d, 0.1, 2e-3);
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
    expect_one_result(f, g);
  }
}

TEST(Bonds, InTwoDimensionsTwoAnchorsBend) {
  // the formula of theory manual, section 11 with K_b = n_b k rho_b^2 for anchors in the plane of bending
  const double n = 3, w = kMass * 9.81, ks = 2 * 1e6, kb = 2 * 1e6 * 0.025 * 0.025;
  const double tip = w / ks * n * (n + 1) / 2 +
                     w * kRadius * kRadius / kb * (n * n * (n + 1) * (n + 1) / 2 - n * (n + 1) * (2 * n + 1) / 6);
  const std::string toml = row(3, "stiffness = 1e6\nanchors = 2\nring_radius = 0.025\ndamping = \"critical\"",
                               "[0, -9.81, 0]", stops(8, 0.5 * kPi / std::sqrt(1.545 * 9.81 / tip))) +
                           "[domain]\ndimension = 2\nplane = \"xy\"\n";
  const Frame f = last_frame(simulate(toml));
  for (const Vec3d& x : f.particles.x) EXPECT_EQ(x.z, 0);
  EXPECT_NEAR(-f.particles.x[3].y, tip, 2e-3 * tip);
}

// Without rotation one anchor holds a beam straight: only shear is left.
TEST(Bonds, InhibitedRotationNeedsNoRing) {
  const std::string toml = row(3, "stiffness = 1e6\ndamping = \"critical\"", "[0, 0, -9.81]", stops(10, 0.004));
  const Frame f = last_frame(simulate(toml, {"particles.chain.inhibit_rotation=true"}));
  EXPECT_NEAR(-f.particles.x[3].z, kMass * 9.81 / 1e6 * 6, 5e-3 * kMass * 9.81 / 1e6 * 6);
  for (const Vec3d& w : f.particles.w) EXPECT_EQ(norm(w), 0);
}

TEST(Bonds, AreMadeWhenTheirStageBegins) {
  const std::string toml =
      two_spheres("start_stage = \"glued\"", "{ x = [0, 0, 0], v = [0, 0, 0] }, { x = [0.11, 0, 0], v = [-1, 0, 0] }",
                  0.005) +
      "[[stages]]\nname = \"glued\"\nduration = 0.01\n";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {"numerics.dt=1e-5"}, engine);
    s.advance(500);
    EXPECT_TRUE(s.frame().bonds.empty());
    s.advance(500);
    EXPECT_EQ(s.frame().bonds.size(), 1u);
    s.advance(500);
    const Frame f = s.frame();
    EXPECT_TRUE(s.finished());
    EXPECT_TRUE(f.contacts.empty());
    // stress-free where they were 0.105 apart, then swinging about that distance
    EXPECT_NEAR(f.particles.x[1].x - f.particles.x[0].x, 0.105, 1.0 * std::sqrt(kMass / 2 / 1e6) * 1.01);
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
  }
}

TEST(Bonds, GoWithRemovedParticlesAndWalls) {
  const std::string toml = row(3, "stiffness = 1e6\nanchors = 3\nring_radius = 0.02", "[0, 0, -9.81]", R"(
[particles.last]
material = "ball"
radius = 0.05
list = [{ x = [0.4, 0, 0] }]
[[stages]]
name = "bend"
duration = 0.01
[[stages]]
name = "cut"
duration = 0.01
remove = ["particles.last"]
)");
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {"numerics.dt=1e-5"}, engine);
    s.advance(1000);
    EXPECT_EQ(s.frame().bonds.size(), 12u);
    s.advance(1000);
    const Frame f = s.frame();
    EXPECT_EQ(f.bonds.size(), 9u);
    EXPECT_TRUE(f.breaks.empty());
    EXPECT_NE(f.energy.removed, 0);
    EXPECT_NEAR(f.energy.residual, 0, 2 * of_gravity(f, 9.81));
  }
}

TEST(Bonds, GoWithLostParticlesAndRemovedWalls) {
  const std::string lost =
      two_spheres("damper = 50", "{ x = [0, 0, 0], v = [1, 0.1, 0] }, { x = [0.1, 0, 0], v = [2, 0, 0] }", 0.1) +
      "[domain]\nbox = [[-1, -1, -1], [0.15, 1, 1]]\nrule = \"delete\"\n";
  const std::string wall = two_spheres("", kAtRest, 0.01) + R"(
[walls.plate]
plane = { point = [0, 0, -0.05], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0, 0, 0.001], frequency = 100 } }
[bonds.glue]
group_a = "ball"
wall = "plate"
stiffness = 1e5
contact = false
[[stages]]
name = "free"
duration = 0.01
remove = ["walls.plate"]
)";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(lost, {"numerics.dt=1e-5"}, engine);
    while (!s.finished() && s.particle_count() == 2) s.advance(1);
    Frame f = s.frame();
    EXPECT_EQ(f.lost, 1);
    EXPECT_TRUE(f.bonds.empty());
    EXPECT_TRUE(f.breaks.empty());
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
    EXPECT_GT(f.energy.removed, 0.5 * kMass);

    Simulation w = simulate(wall, {"numerics.dt=1e-5"}, engine);
    w.advance(1000);
    EXPECT_EQ(w.frame().bonds.size(), 3u);
    while (!w.finished()) w.advance(100);
    f = w.frame();
    EXPECT_EQ(f.bonds.size(), 1u);
    EXPECT_GT(f.energy.wall_work, 0);
    EXPECT_NEAR(f.energy.residual, 0, 1e-12);
  }
}

// Energy that goes with freezing and comes with releasing is told apart from work.
TEST(Bonds, LedgerBalancesWhenBodiesAreFrozenAndReleased) {
  const std::string toml =
      two_spheres("damper = 50\nanchors = 3\nring_radius = 0.02",
                  "{ x = [0, 0, 0], v = [0, 0.1, 0] }, { x = [0.1, 0, 0], v = [0.3, 0, 0], w = [0, 5, 0] }", 0.002) +
      R"([particles.third]
material = "ball"
radius = 0.05
list = [{ x = [0.2, 0, 0] }]
[bonds.more]
between = "list"
pairs = [[1, 2]]
stiffness = 1e6
[[stages]]
name = "hold"
duration = 0.002
freeze = ["third"]
[[stages]]
name = "go"
duration = 0.002
release = ["third"]
)";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {"numerics.dt=2e-6", "bonds.more.contact=false"}, engine);
    for (const double removed : {0.0, 1e-3, 1e-3}) {
      s.advance(999);
      s.advance(1);
      const Energy e = s.frame().energy;
      EXPECT_NEAR(e.residual, 0, 1e-12);
      EXPECT_GE(e.removed, removed);
    }
  }
}

// Bonded pairs of such a set do not touch; once the bond is gone they do.
TEST(Bonds, ContactReturnsWhenABondBreaks) {
  const auto last = [](const std::string& rest) {
    Simulation s =
        simulate(two_spheres(rest + "\nstrength = 500",
                             "{ x = [0, 0, 0], v = [0.6, 0, 0] }, { x = [0.1, 0, 0], v = [-0.6, 0, 0] }", 0.02),
                 {"numerics.dt=2e-6"});
    return last_frame(std::move(s));
  };
  const Frame f = last("");
  ASSERT_EQ(f.breaks.size(), 1u);
  EXPECT_GT(f.particles.v[1].x, 0.1);  // bounced off
  EXPECT_NEAR(f.energy.residual, 0, 1e-3 * f.energy.turned_over);
}

// ---- engines ----

namespace {

// A bonded block falls on the floor, some bonds break; a plate in between is glued to its side.
const std::string kBlock = std::string(kMaterial) + R"(
[particles.block]
material = "ball"
radius = 0.01
velocity = [0.3, 0, -2]
spin = [0, 0, 0]
lattice = { region = { box = [[0, 0, 0.011], [0.16, 0.12, 0.131]] }, jitter = 1e-5, spacing = 0.0201 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0.1, 0, 1] }
[walls.side]
plane = { point = [-0.005, 0, 0], normal = [1, 0, 0] }
motion = { oscillating = { amplitude = [0, 0, 0.001], frequency = 50 } }
[bonds.grain]
group_a = "block"
max_gap = 0.0003
stiffness = 2e5
damper = 2
strength = 60
contact = false
[bonds.glue]
group_a = "block"
wall = "side"
max_gap = 0.006
stiffness = 1e4
strength = 20
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
name = "fall"
duration = 0.01
[[stages]]
name = "after"
duration = 0.01
[numerics]
dt = 1e-5
)";

}  // namespace

TEST(Bonds, SameBitsOnAnyNumberOfThreads) {
  for (const char* scheme : {"drift_kick", "velocity_verlet"}) {
    std::string one;
    for (const int threads : {1, 2, 4}) {
      if (threads == 2 && std::string(scheme) == "velocity_verlet") continue;
      const Frame f = last_frame(simulate(
          kBlock, {fmt::format("numerics.threads={}", threads), fmt::format("numerics.scheme=\"{}\"", scheme)}));
      EXPECT_GT(f.bonds.size(), 300u);
      EXPECT_GT(f.breaks.size(), 20u);
      for (std::size_t k = 1; k < f.breaks.size(); ++k) EXPECT_LE(f.breaks[k - 1].time, f.breaks[k].time);
      if (threads == 1) one = state_hash(f);
      EXPECT_EQ(state_hash(f), one) << scheme << " on " << threads << " threads";
      EXPECT_NEAR(f.energy.residual, 0, 2e-3 * f.energy.turned_over);
    }
  }
}

TEST(Bonds, ResumedRunsHaveTheSameBits) {
  for (const char* scheme : {"drift_kick", "kick_drift"}) {
    const std::vector<std::string> set{fmt::format("numerics.scheme=\"{}\"", scheme)};
    Simulation whole = simulate(kBlock, set);
    std::vector<std::int64_t> cuts;
    std::size_t broken = 0;
    while (!whole.finished()) {
      whole.advance(1);
      const std::size_t now = whole.frame().breaks.size();
      if (now > broken && cuts.size() < 2) cuts.push_back(whole.step());  // right after a break: lists are stale
      broken = now;
    }
    cuts.insert(cuts.end(), {1000, 1777});
    const Frame end = whole.frame();
    EXPECT_GT(end.breaks.size(), 20u);
    for (const std::int64_t cut : cuts) {
      Simulation first = simulate(kBlock, set);
      first.advance(cut);
      Simulation second = simulate(kBlock, set);
      second.load(first.save());
      EXPECT_EQ(state_hash(second.frame()).size(), 32u);
      while (!second.finished()) second.advance(333);
      const Frame f = second.frame();
      EXPECT_EQ(state_hash(f), state_hash(end)) << scheme << " cut at " << cut;
      EXPECT_EQ(f.breaks.size(), end.breaks.size());
      EXPECT_EQ(f.energy.broken, end.energy.broken);
      EXPECT_EQ(f.energy.bond_damping, end.energy.bond_damping);
      EXPECT_EQ(f.energy.residual, end.energy.residual);
    }
  }
}

TEST(Bonds, EqualTheReference) {
  const std::vector<std::string> set{"particles.block.lattice.region.box=[[0, 0, 0.011], [0.08, 0.06, 0.071]]"};
  Simulation fast = simulate(kBlock, set), slow = simulate(kBlock, set, Engine::reference);
  while (!fast.finished()) {
    fast.advance(250);
    slow.advance(250);
    const Frame f = fast.frame(), g = slow.frame();
    expect_one_result(f, g, fmt::format("at {}", f.time));
  }
  EXPECT_GT(fast.frame().breaks.size(), 3u);
}
