// Attraction and repulsion at a distance, and all outer forces together. Theory manual, section 5.
#include "physics/distance_force.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compare.h"
#include "engine/cpu/cpu_distance.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

std::string two(double distance, const std::string& particle, const std::string& force, double dt, double duration) {
  return fmt::format(R"(
[materials.a]
density = 2000
young = 1e9
[contacts.default]
normal = {{ law = "hertz", xi = 0 }}
[particles.a]
material = "a"
radius = 0.05
{}
list = [{{ x = [0, 0, 0] }}, {{ x = [{}, 0, 0] }}]
[numerics]
dt = {}
[[stages]]
duration = {}
{})",
                     particle, distance, dt, duration, force);
}

const std::string kExample = "[forces.f]\nlaw = \"power\"\nk_at = 0.5\na_at = 1\nk_rep = 0.25\na_rep = 2\ncutoff = 1\n";

// Everything at once: two groups of charged grains with contacts, walls that pull, fields in regions, fluid.
const char* const kAll = R"(
[materials.a]
density = 2000
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.3, xi = 0.1 }
[particles.a]
material = "a"
radius = { uniform = { min = 0.03, max = 0.06 } }
charge = 3e-6
fill = { region = { box = [[-1, -1, 0.1], [0, 1, 1]] }, count = 90 }
[particles.b]
material = "a"
radius = 0.05
charge = -2e-6
velocity = [-1, 0, 0]
spin = [0, 0, 5]
fill = { region = { box = [[0, -1, 0.1], [1, 1, 1]] }, count = 60 }
[particles.post]
material = "a"
radius = 0.1
list = [{ x = [0, 0, 1.3] }]
motion = { oscillating = { amplitude = [0.1, 0, 0], frequency = 3 } }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0, 0, 0.01], frequency = 5 } }
[fields.g]
acceleration = [0, 0, -5]
turning = { axis = [1, 0, 0], rate = 1 }
[fields.e]
electric = [0, 1e6, 0]
region = { half_space = { point = [0, 0, 0], normal = [1, 0, 0] } }
[fields.b]
magnetic = [0, 0, 1e6]
region = { sphere = { center = [0, 0, 0.5], radius = 0.8 } }
[fluid]
density = 10
viscosity = 0.05
drag = "chow"
magnus = 0.01
buoyancy = true
[fluid.flows.wind]
velocity = [0.5, 0, 0]
gradient = [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
region = { slab = { from = [0, 0, 0], to = [0, 0, 0.5] } }
[forces.ab]
law = "power"
between = ["a", "b"]
k_at = 0.1
a_at = 1
k_rep = 2e-4
a_rep = 3.5
cutoff = 0.6
shift = true
walls = ["floor"]
[forces.charges]
law = "coulomb"
[forces.soft]
law = "lennard_jones"
between = ["a", "a"]
depth = 0.002
size = 0.07
cutoff = 0.4
[forces.hold]
law = "power"
between = ["post", "b"]
k_at = 1
a_at = 2
[numerics]
dt = 1e-4
seed = 5
[[stages]]
duration = 0.02
)";

}  // namespace

TEST(DistanceForce, PairForceOfExample47) {
  const auto c = reference_case("000-4.7-pair-force");
  DistanceForce f;
  f.k_at = c["inputs"]["k_at"];
  f.a_at = c["inputs"]["alpha_at"];
  f.k_rep = c["inputs"]["k_rep"];
  f.a_rep = c["inputs"]["alpha_rep"];
  f.cutoff = c["inputs"]["d_c"];
  const DistanceLaw law = make_distance_law(f);
  const double tolerance = c["tolerance"]["rel"];
  EXPECT_NEAR(equilibrium_distance(law), c["expected"]["equilibrium"], 1e-12);
  EXPECT_NEAR(critical_distance(law), c["expected"]["critical_distance"], 1e-12);
  for (std::size_t k = 0; k < c["inputs"]["d"].size(); ++k) {
    const double d = c["inputs"]["d"][k], expected = c["expected"]["f_i_along_n"][k];
    EXPECT_NEAR(distance_force(law, d), expected, tolerance * std::fabs(expected) + 1e-12);
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const Frame frame = simulate(two(d, "", kExample, 1e-4, 1), {}, engine).frame();
      EXPECT_NEAR(frame.particles.force[0].x, expected, tolerance * std::fabs(expected) + 1e-12);
      EXPECT_EQ(frame.particles.force[1].x, -frame.particles.force[0].x);
    }
  }
  // small oscillation about the equilibrium
  Simulation s = simulate(two(0.5005, "", kExample, 1e-4, 5));
  double before = 1, first = 0, second = 0;
  watch(s, [&](const Frame& frame) {
    const double stretch = frame.particles.x[1].x - frame.particles.x[0].x - 0.5;
    if (before > 0 && stretch <= 0) (first == 0 ? first : second) = frame.time;
    before = stretch;
  });
  const double period = c["expected"]["small_oscillation_period"];
  EXPECT_NEAR(second - first, period, tolerance * period);
}

TEST(DistanceForce, CoulombRepulsion) {
  const auto c = reference_case("coulomb-repulsion");
  const double tolerance = c["tolerance"]["rel"];
  Simulation s = simulate(two(0.1, "charge = 1e-6\nmass = 0.001", "[forces.f]\nlaw = \"coulomb\"", 1e-6, 0.015),
                          {"particles.a.radius=0.01"});
  const double force = c["expected"]["force_on_i_along_n_at_d0"];
  EXPECT_NEAR(s.frame().particles.force[0].x, force, 1e-6 * std::fabs(force));
  double t = 0, v = 0;
  watch(s, [&](const Frame& f) {
    if (t > 0 || f.particles.x[1].x - f.particles.x[0].x < 0.2) return;
    t = f.time;
    v = f.particles.v[1].x - f.particles.v[0].x;
  });
  EXPECT_NEAR(v, c["expected"]["v_rel"], tolerance * v);
  EXPECT_NEAR(t, c["expected"]["time"], tolerance * t);
}

TEST(DistanceForce, IsTheSlopeOfItsEnergy) {
  DistanceForce lj;
  lj.law = DistanceForce::Law::lennard_jones;
  lj.depth = 2;
  lj.size = 0.3;
  const DistanceLaw law = make_distance_law(lj);
  EXPECT_NEAR(distance_energy(law, 0.3), 0, 1e-12);
  EXPECT_NEAR(distance_energy(law, 0.3 * std::pow(2, 1.0 / 6)), -2, 1e-9);
  EXPECT_NEAR(equilibrium_distance(law), 0.3 * std::pow(2, 1.0 / 6), 1e-9);
  std::vector<DistanceForce> all{lj};
  for (const auto& [a, b] : {std::pair{1.0, 2.0}, {0.0, 1.0}, {2.0, 1.0}, {1.5, 3.7}, {7.0, 13.0}})
    for (const double cutoff : {1.3, kForever})
      for (const bool shift : {false, true}) {
        DistanceForce f;
        f.k_at = 0.7;
        f.a_at = a;
        f.k_rep = 0.4;
        f.a_rep = b;
        f.cutoff = cutoff;
        f.shift = shift;
        all.push_back(f);
      }
  for (const DistanceForce& f : all) {
    const DistanceLaw l = make_distance_law(f);
    for (const double d : {0.31, 0.6, 1.0, 1.29}) {
      const double h = 1e-6;
      const double slope = (distance_energy(l, d + h) - distance_energy(l, d - h)) / (2 * h);
      EXPECT_NEAR(distance_force(l, d), slope, 1e-6 * (1 + std::fabs(slope))) << f.a_at << " " << f.a_rep << " " << d;
      const double bend = (distance_force(l, d + h) - distance_force(l, d - h)) / (2 * h);
      EXPECT_NEAR(distance_stiffness(l, d), bend, 1e-6 * (1 + std::fabs(bend)));
    }
    if (!(f.cutoff < kForever)) continue;
    EXPECT_NEAR(distance_energy(l, f.cutoff * (1 - 1e-12)), 0, 1e-9);
    if (f.shift) { EXPECT_NEAR(distance_force(l, f.cutoff * (1 - 1e-12)), 0, 1e-9); }
  }
}

// Every kernel against the reference engine: with and without cut-off, known and general exponents, periodic.
TEST(DistanceForce, EqualsTheReference) {
  const std::string cloud = R"(
[materials.a]
density = 2000
young = 1e6
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[particles.a]
material = "a"
radius = 0.02
charge = 3e-7
velocity = [1, 0.5, 0.2]
fill = { region = { box = [[0, 0, 0], [1, 1, 1]] }, count = 203, min_gap = 0.005 }
[domain]
box = [[0, 0, 0], [1, 1, 1]]
[numerics]
dt = 1e-3
[[stages]]
duration = 0.05
)";
  const std::string laws[] = {
      "law=\"power\",k_at=0.05,a_at=1,k_rep=0.003,a_rep=2", "law=\"power\",k_at=0.01,a_at=0.5,k_rep=1e-4,a_rep=2.25",
      "law=\"power\",k_at=2e-3,a_at=2,k_rep=1e-6,a_rep=4",  "law=\"power\",k_at=0.002,a_at=2",
      "law=\"lennard_jones\",depth=1e-4,size=0.045",        "law=\"coulomb\""};
  for (const std::string& law : laws)
    for (const std::string cutoff : {"0.3", "\"none\"", "periodic"}) {
      const bool periodic = cutoff == "periodic";
      std::vector<std::string> set = {fmt::format("forces.f={{{},cutoff={}}}", law, periodic ? "0.3" : cutoff)};
      if (periodic) set.emplace_back("domain.periodic=[\"x\",\"y\",\"z\"]");
      const Frame fast = last_frame(simulate(cloud, set)), slow = last_frame(simulate(cloud, set, Engine::reference));
      expect_one_result(fast, slow, law + cutoff);
      EXPECT_NE(slow.energy.distant, 0) << law << cutoff;
      double largest = 0;
      for (const Vec3d& f : fast.particles.force) largest = std::max(largest, norm(f));
      EXPECT_GT(largest, 1e-4) << law;
    }
}

// Forces of a pair are opposite bit by bit, so the total momentum stays to round-off; the energy to the step's error.
TEST(DistanceForce, KeepsMomentumAndEnergy) {
  const std::string cloud = R"(
[materials.a]
density = 2000
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0 }
[particles.a]
material = "a"
radius = 0.05
fill = { region = { sphere = { center = [0, 0, 0], radius = 1 } }, count = 150 }
[forces.f]
law = "power"
k_at = 1
a_at = 1
k_rep = 0.5
a_rep = 2
cutoff = 0.9
[numerics]
dt = 1e-4
scheme = "velocity_verlet"
[[stages]]
duration = 0.3
)";
  const Frame f = last_frame(simulate(cloud));
  Vec3d momentum;
  double size = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    momentum += f.particles.mass[i] * f.particles.v[i];
    size += f.particles.mass[i] * norm(f.particles.v[i]);
  }
  EXPECT_GT(size, 1);
  EXPECT_LT(norm(momentum), 1e-12 * size);
  EXPECT_GT(f.energy.kinetic, 0.1 * std::fabs(f.energy.initial));
  const double stored = f.energy.kinetic + f.energy.rotational + f.energy.distant + f.energy.elastic_normal;
  EXPECT_NEAR(stored, f.energy.initial, 1e-4 * f.energy.kinetic);
  EXPECT_NEAR(f.energy.residual, 0, 1e-6 * f.energy.turned_over);
}

TEST(OuterForces, TogetherEqualTheReference) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme)};
    const Frame fast = last_frame(simulate(kAll, set)), slow = last_frame(simulate(kAll, set, Engine::reference));
    expect_one_result(fast, slow, scheme);
    const Energy& a = fast.energy;
    for (const double e : {a.field_work, a.drag, a.distant, a.wall_work}) EXPECT_GT(std::fabs(e), 1e-3 * a.turned_over);
    EXPECT_NEAR(a.residual, 0, 2e-3 * a.turned_over) << scheme;
  }
}

// The loop compiled for wide vectors gives the bits of the narrow one.
TEST(DistanceForce, SameBitsForAnyWidthOfVectors) {
  constexpr int n = 41 * cpu::kCell, nowhere = n / cpu::kCell;
  std::vector<double> x(n + cpu::kCell, 1e100), y(x), z(x), weight(n + cpu::kCell);
  std::vector<std::uint32_t> cells;
  for (int c = 0; c < n / cpu::kCell; ++c) cells.push_back(c);
  for (int i = 0; i < n; ++i) {
    x[i] = std::fmod(0.37 * i, 1.0);
    y[i] = std::fmod(0.71 * i * i, 1.0);
    z[i] = std::fmod(0.13 * i * i * i, 1.0);
    weight[i] = i % 7 == 0 ? 0 : 0.1 * (i % 5 - 2);
  }
  for (const auto& [a, b] : {std::pair{1.0, 2.0}, {7.0, 13.0}, {2.5, 4.0}})
    for (const bool periodic : {false, true}) {
      DistanceForce f;
      f.k_at = 0.3;
      f.a_at = a;
      f.k_rep = 0.2;
      f.a_rep = b;
      f.cutoff = 0.45;
      f.shift = true;
      const DistanceLaw law = make_distance_law(f);
      Periodicity box;
      box.on = {periodic, periodic, periodic};
      box.length = {1, 1, 1};
      // a grid that takes all forces, some of them, none
      for (const double size : {1e6, 10.0, 0.0})
        for (int i = 0; i < n; ++i) {
          const cpu::DistanceConstants constants{law, law.cutoff * law.cutoff, box, FineGrid(size)};
          const cpu::DistanceRow row{x.data(), y.data(), z.data(), weight.data(), cells.data(), cells.size(),
                                     nowhere,  x[i],     y[i],     z[i],          0.7};
          const Vec3d wide = cpu::distance_kernel(law, periodic)(constants, row);
          for (const VectorWidth width : {VectorWidth::plain, VectorWidth::avx2})
            if (width <= widest_vectors()) {
              EXPECT_EQ(wide, cpu::distance_kernel(law, periodic, width)(constants, row));
            }
          Vec3d plain;
          FineSum sx(constants.grid), sy(constants.grid), sz(constants.grid);
          for (int j = 0; j < n; ++j) {
            const Vec3d d = box.nearest({x[j] - x[i], y[j] - y[i], z[j] - z[i]});
            const Vec3d term = distance_force_over_d(law, norm2(d), 0.7 * weight[j]) * d;
            sx.add(term.x), sy.add(term.y), sz.add(term.z);
            if (norm(d) > 0) plain += (0.7 * weight[j] * distance_force(law, norm(d)) / norm(d)) * d;
          }
          EXPECT_LT(norm(wide - plain), 1e-10 * (1 + norm(plain)));
          EXPECT_EQ(wide, (Vec3d{sx.value(), sy.value(), sz.value()}));
        }
    }
}

TEST(OuterForces, SameBitsOnAnyNumberOfThreads) {
  for (const char* scheme : {"drift_kick", "velocity_verlet", "trapezoid"}) {
    std::string one;
    for (const int threads : {1, 2, 4}) {
      const Frame f = last_frame(
          simulate(kAll, {fmt::format("numerics.scheme=\"{}\"", scheme), fmt::format("numerics.threads={}", threads)}));
      if (one.empty()) one = state_hash(f);
      EXPECT_EQ(state_hash(f), one) << threads;
    }
  }
}

TEST(OuterForces, ResumeContinuesWithTheSameBits) {
  const std::string more =
      "\n[[stages]]\nname = \"two\"\nduration = 0.004\n[fields.late]\nelectric = [1e6, 0, 0]\nstart_stage = \"two\"\n";
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme)};
    const Frame whole = last_frame(simulate(kAll + more, set));
    for (const std::int64_t stop : {1, 133, 200, 220}) {
      Simulation first = simulate(kAll + more, set);
      first.advance(stop);
      Simulation second = simulate(kAll + more, set);
      second.load(first.save());
      const Frame end = last_frame(std::move(second));
      EXPECT_EQ(state_hash(end), state_hash(whole)) << scheme << " stopped at " << stop;
      EXPECT_EQ(end.energy.field_work, whole.energy.field_work) << scheme << stop;
      EXPECT_EQ(end.energy.drag, whole.energy.drag) << scheme << stop;
      EXPECT_EQ(end.energy.residual, whole.energy.residual) << scheme << stop;
    }
  }
}

// Particles that come later carry their charge and feel everything from their first step on.
TEST(OuterForces, OnStreamedParticles) {
  const std::string toml = R"(
[materials.a]
density = 2000
young = 1e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
[particles.old]
material = "a"
radius = 0.05
charge = 3e-6
list = [{ x = [0, 0, 0] }, { x = [0.3, 0, 0] }]
[particles.new]
material = "a"
radius = 0.03
charge = -2e-6
stream = { region = { box = [[-0.5, -0.5, 0.3], [0.5, 0.5, 0.8]] }, rate = 500, count = 30 }
[fields.e]
electric = [1e5, 0, 0]
[forces.charges]
law = "coulomb"
[forces.near]
law = "power"
between = ["old", "new"]
k_at = 0.5
a_at = 1
cutoff = 0.6
[fluid]
drag = "linear"
coefficient = 0.1
[numerics]
dt = 1e-4
[[stages]]
duration = 0.1
)";
  for (const char* scheme : {"drift_kick", "velocity_verlet", "trapezoid"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme)};
    const Frame fast = last_frame(simulate(toml, set)), slow = last_frame(simulate(toml, set, Engine::reference));
    ASSERT_EQ(fast.particles.id.size(), 32u);
    EXPECT_EQ(fast.particles.charge.back(), -2e-6);
    expect_one_result(fast, slow, scheme);
    EXPECT_NEAR(fast.energy.residual, 0, 1e-3 * fast.energy.turned_over) << scheme;
    Simulation first = simulate(toml, set);
    first.advance(400);
    Simulation second = simulate(toml, set);
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), state_hash(fast)) << scheme;
  }
}

TEST(DistanceForce, TimeStepAndWarning) {
  const auto c = reference_case("000-4.7-pair-force");
  Simulation s = simulate(two(0.6, "", kExample, 1, 1),
                          {"numerics.dt=\"auto\"", "materials.a.young=1e-6", "stages=[{duration=1e-3}]",
                           "forces.f.cutoff=1.2", "numerics.max_speed=1e-3"});
  const double period = c["expected"]["small_oscillation_period"];
  expect_step(s.choices().dt, period / 10);
  EXPECT_NE(s.choices().dt_reason.find("forces.f"), std::string::npos);
  ASSERT_EQ(s.choices().warnings.size(), 1u);
  EXPECT_NE(s.choices().warnings[0].find("convex"), std::string::npos);
}

// A wall that attracts, at rest and moving.
TEST(DistanceForce, WallAttracts) {
  const std::string toml = two(3, "",
                               "[forces.f]\nlaw = \"power\"\nk_at = 3\na_at = 2\ncutoff = 5\nwalls = [\"w\"]\n"
                               "[walls.w]\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n"
                               "motion = { constant = { velocity = [0, 0, -0.3] } }",
                               1e-4, 0.5);
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    Simulation s = simulate(toml, {}, engine);
    s.advance(1);
    const Frame start = s.frame();
    EXPECT_NEAR(start.particles.force[0].z, -3, 1e-3);
    EXPECT_NEAR(start.walls[0].force.z, 6, 2e-3);
    const Frame f = last_frame(std::move(s));
    EXPECT_LT(f.particles.v[0].z, -0.1);
    EXPECT_NE(f.energy.wall_work, 0);
    EXPECT_NEAR(f.energy.residual, 0, 1e-9 * f.energy.turned_over);
    EXPECT_NEAR(f.energy.numerical, 0, 1e-3 * f.energy.turned_over);
  }
}
