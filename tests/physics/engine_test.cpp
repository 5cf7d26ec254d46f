// The engine as a whole: fast against reference, threads, resume, ledger, boundaries, special particles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// A shaken box of mixed grains: walls that move, all laws, many contacts made and broken.
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
fill = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.12]] }, count = 150 }
[particles.large]
material = "grain"
radius = 0.02
list = [{ x = [0.03, 0.03, 0.15], w = [5, 0, 3] }, { x = [0.07, 0.07, 0.16], v = [0, 0.1, -1] }]
[walls.box]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.3] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
name = "shake"
duration = 0.1
)";

}  // namespace

TEST(Engine, EqualsTheReference) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme),
                                          "stages=[{name=\"a\",duration=0.03}]", "particles.small.velocity=[0,0,-3]"};
    const Frame fast = last_frame(simulate(kShaken, set)), slow = last_frame(simulate(kShaken, set, Engine::reference));
    EXPECT_GT(slow.contacts.size(), 20u);
    expect_one_result(fast, slow, scheme);
  }
}

// Near pairs are those of the motion when they were picked, which changes at once in a collision: a row of grains with
// small gaps is struck at its end; a cloud flies as one against a wall, with a fast grain on its heels.
TEST(Engine, MissesNoContactOfFastParticlesAndFlows) {
  const std::string common = R"(
[materials.grain]
density = 2500
young = 2e8
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[walls.box]
box = { min = [0, 0, -0.02], max = [0.1, 0.1, 0.3] }
[numerics]
dt = 5e-6
[particles.idle]
material = "grain"
radius = 0.004
fill = { region = { box = [[0, 0, -0.02], [0.1, 0.1, 0.02]] }, count = 60 }
[[stages]]
duration = 0.025
)";
  std::string row =
      "[particles.row]\nmaterial = \"grain\"\nradius = 0.005\nlist = [{ x = [0.05, 0.05, 0.28], v = [0, 0, -5] }";
  for (int k = 0; k < 8; ++k) row += fmt::format(", {{ x = [0.05, 0.05, {}] }}", 0.189 - 0.01015 * k);
  const std::string cloud = R"(
[particles.cloud]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.006 } }
fill = { region = { box = [[0.02, 0.02, 0.03], [0.08, 0.08, 0.09]] }, count = 120 }
velocity = [0, 0, -4]
[particles.bullet]
material = "grain"
radius = 0.005
list = [{ x = [0.05, 0.05, 0.15], v = [0, 0, -25] }]
)";
  const std::string brief = "stages=[{duration=0.006}]", whole = "stages=[{duration=0.025}]";
  for (const auto& [toml, time] : {std::pair(common + row + "]\n", whole), {common + cloud, brief}})
    for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet"}) {
      const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme), time};
      Simulation fast = simulate(toml, set), slow = simulate(toml, set, Engine::reference);
      std::size_t seen = 0;
      while (!slow.finished()) {
        fast.advance(20);
        slow.advance(20);
        const Frame a = fast.frame(), b = slow.frame();
        ASSERT_EQ(a.contacts.size(), b.contacts.size()) << scheme << " at " << b.time;
        ASSERT_EQ(state_hash(a), state_hash(b)) << scheme << " at " << b.time;
        seen += b.contacts.size();
      }
      EXPECT_GT(seen, 10u);
      EXPECT_GT(fast.statistics().pickings, 3);
    }
}

TEST(Engine, SameBitsOnAnyNumberOfThreads) {
  for (const char* scheme : {"drift_kick", "velocity_verlet"}) {
    const std::string one = hash_of(kShaken, {"numerics.threads=1", fmt::format("numerics.scheme=\"{}\"", scheme)});
    for (int threads : {2, 3, 4, 8})
      EXPECT_EQ(hash_of(kShaken,
                        {fmt::format("numerics.threads={}", threads), fmt::format("numerics.scheme=\"{}\"", scheme)}),
                one)
          << threads;
  }
}

// The skin only decides when lists are made.
TEST(Engine, SkinDoesNotMatter) {
  const std::vector<std::string> stage = {"stages=[{name=\"a\",duration=0.02}]"};
  const Frame a = last_frame(simulate(kShaken, {stage[0], "numerics.skin=1e-4"}));
  const Frame b = last_frame(simulate(kShaken, {stage[0], "numerics.skin=8e-3"}));
  expect_one_result(a, b);
}

TEST(Engine, ResumeContinuesWithTheSameBits) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme)};
    const Frame whole = last_frame(simulate(kShaken, set));
    for (std::int64_t stop : {1, 777, 2500, 4999}) {
      Simulation first = simulate(kShaken, set);
      first.advance(stop);
      const Archive archive = first.save();
      Simulation second = simulate(kShaken, set);
      second.load(archive);
      EXPECT_EQ(second.step(), stop);
      const Frame end = last_frame(std::move(second));
      EXPECT_EQ(state_hash(end), state_hash(whole)) << scheme << " stopped at " << stop;
      EXPECT_EQ(end.energy.damping, whole.energy.damping) << scheme;
      EXPECT_EQ(end.energy.residual, whole.energy.residual) << scheme;
    }
  }
}

// Advancing in pieces, with or without frames in between, changes nothing.
TEST(Engine, PiecesDoNotMatter) {
  Simulation s = simulate(kShaken);
  for (std::int64_t k = 1; !s.finished(); k = 1 + (k * 7) % 50) s.advance(k, k % 2 == 0);
  EXPECT_EQ(state_hash(s.frame()), hash_of(kShaken, {}));
}

// Undamped bouncing under gravity at 1/50 of the contact time: what the ledger does not explain stays below 1e-6 of
// the energy turned over, while the error of the finite step itself is booked as `numerical`.
TEST(Ledger, UndampedBouncing) {
  Simulation s = simulate(R"(
[materials.ball]
young = 1e7
poisson = 0.25
density = 2500
[contacts.ball-floor]
normal = { law = "hertz" }
[contacts.ball-ball]
normal = { law = "hertz" }
[particles.ball]
material = "ball"
radius = 0.05
list = [{ x = [0, 0, 0.2031] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
scheme = "velocity_verlet"
dt_fraction = 50
[[stages]]
name = "bounce"
duration = 10
)");
  double worst = 0, turned = 0;
  int bounces = 0;
  bool touching = false;
  watch(s, [&](const Frame& f) {
    if (f.contacts.empty()) worst = std::max(worst, std::fabs(f.energy.residual));
    if (touching && f.contacts.empty()) ++bounces;
    touching = !f.contacts.empty();
    turned = f.energy.turned_over;
  });
  EXPECT_GT(bounces, 20);
  EXPECT_LT(worst, 1e-6 * turned);
  const Frame f = s.frame();
  EXPECT_EQ(f.energy.damping, 0);
  EXPECT_LT(std::fabs(f.energy.numerical), 1e-2 * turned);
}

// Damped, sliding and rolling grains in a closed shaken box: the residual against what was dissipated.
TEST(Ledger, ShakenBox) {
  const Frame f = last_frame(simulate(kShaken, {"stages=[{name=\"a\",duration=0.4}]"}));
  const double dissipated = f.energy.damping + f.energy.sliding + f.energy.rolling;
  EXPECT_GT(f.energy.damping, 0);
  EXPECT_GT(f.energy.sliding, 0);
  EXPECT_GT(f.energy.rolling, 0);
  EXPECT_GT(f.energy.wall_work, 0);
  EXPECT_LT(std::fabs(f.energy.residual), 0.01 * dissipated) << "dissipated " << dissipated;
}

// Without walls and fields, momentum is conserved to round-off, angular momentum to the order of overlap/radius with
// levers of the radius and to round-off with deformed ones.
TEST(Engine, Conservation) {
  const char* const toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.grain-grain]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.a]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
velocity = [0.5, 0, 0]
spin = [3, 2, 1]
fill = { region = { sphere = { center = [0, 0, 0], radius = 0.04 } }, count = 60 }
[particles.b]
material = "grain"
radius = 0.006
velocity = [-0.6, 0, 0]
fill = { region = { sphere = { center = [0.09, 0.01, 0], radius = 0.04 } }, count = 60 }
[[stages]]
name = "clash"
duration = 0.1
[numerics]
dt = 1e-5
lever = "deformed"
)";
  Simulation s = simulate(toml);
  auto totals = [](const Frame& f, Vec3d& p, Vec3d& l, double& scale) {
    p = l = {};
    scale = 0;
    for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
      const double m = f.particles.mass[i], r = f.particles.radius[i];
      p += m * f.particles.v[i];
      l += cross(f.particles.x[i], m * f.particles.v[i]) + (0.4 * m * r * r) * f.particles.w[i];
      scale += m * norm(f.particles.v[i]);
    }
  };
  Vec3d p0, l0, p1, l1;
  double scale0, scale1;
  totals(s.frame(), p0, l0, scale0);
  double overlap = 0;
  std::int64_t touching = 0;
  while (!s.finished()) {
    s.advance(100);
    for (const FrameContact& c : s.frame().contacts) overlap = std::max(overlap, c.overlap);
    touching += static_cast<std::int64_t>(s.frame().contacts.size());
  }
  EXPECT_GT(touching, 100);
  totals(s.frame(), p1, l1, scale1);
  EXPECT_LT(norm(p1 - p0), 1e-12 * scale0);
  // drift_kick evaluates positions and velocities half a step apart: the angular momentum sum keeps round-off too,
  // because the arms used are those of the positions at which the kick acts
  EXPECT_LT(norm(l1 - l0), 1e-11 * scale0 * 0.1);
}

TEST(Engine, PeriodicBoxConservesAndWraps) {
  const char* const toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.gas]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.01 } }
velocity = [0.7, 0.2, -0.4]
fill = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, count = 120 }
[particles.bullet]
material = "grain"
list = [{ x = [-0.02, 0.05, 0.05], v = [-3, 0.3, 0.2], radius = 0.01 }]
[domain]
box = [[-0.04, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x", "y", "z"]
[[stages]]
name = "gas"
duration = 0.2
[numerics]
dt = 1e-5
)";
  const Frame a = simulate(toml).frame(), b = last_frame(simulate(toml));
  Vec3d p0, p1;
  for (std::size_t i = 0; i < a.particles.x.size(); ++i) {
    p0 += a.particles.mass[i] * a.particles.v[i];
    p1 += b.particles.mass[i] * b.particles.v[i];
    EXPECT_GT(b.particles.x[i].x, -0.05);
    EXPECT_LT(b.particles.x[i].x, 0.11);
  }
  EXPECT_LT(norm(p1 - p0), 1e-11 * norm(p0));
  EXPECT_LT(std::fabs(b.energy.residual), 1e-4 * b.energy.turned_over);
  // the fast and the slow engine meet the same images
  const std::vector<std::string> brief = {"stages=[{name=\"a\",duration=0.02}]"};
  expect_one_result(last_frame(simulate(toml, brief)), last_frame(simulate(toml, brief, Engine::reference)));
}

// What a run that stops says, told as soon as it can be.
static std::string why_stopped(const std::string& toml, const std::vector<std::string>& set, Engine engine) {
  try {
    Simulation s = simulate(toml, set, engine);
    while (!s.finished()) s.advance(1);
  } catch (const StoppedError& e) { return e.what(); }
  return "";
}

TEST(Engine, DomainRules) {
  const char* const toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.two]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0], v = [1, 0, 0] }, { x = [0, 0.05, 0] }]
[domain]
box = [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]
rule = "delete"
[[stages]]
name = "fly"
duration = 0.2
[numerics]
dt = 1e-4
)";
  for (Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame deleted = last_frame(simulate(toml, {}, engine));
    EXPECT_EQ(deleted.particles.id, (std::vector<std::int64_t>{1}));
    EXPECT_EQ(deleted.lost, 1);
    EXPECT_NEAR(deleted.energy.removed, 0.5 * 2500 * 4.0 / 3 * 3.14159265 * 1e-6, 1e-6);
    EXPECT_LT(std::fabs(deleted.energy.residual), 1e-12);
    EXPECT_EQ(last_frame(simulate(toml, {"domain.rule=\"open\""}, engine)).particles.id.size(), 2u);
    EXPECT_THROW(last_frame(simulate(toml, {"domain.rule=\"stop\""}, engine)), StoppedError);
  }
  const std::string text = why_stopped(toml, {"domain.rule=\"stop\""}, Engine::cpu);
  EXPECT_NE(text.find("particle 0 left the domain"), std::string::npos) << text;
  EXPECT_EQ(why_stopped(toml, {"domain.rule=\"stop\""}, Engine::reference), text);
}

TEST(Engine, BlowUpNamesTheParticle) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 1e4
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.two]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0], v = [50, 0, 0] }, { x = [0.03, 0, 0] }]
[[stages]]
name = "crash"
duration = 0.1
[numerics]
dt = 1e-5
)";
  const std::string text = why_stopped(toml, {}, Engine::cpu);
  EXPECT_NE(text.find("particle 0"), std::string::npos) << text;
  EXPECT_NE(text.find("t = "), std::string::npos);
  EXPECT_EQ(why_stopped(toml, {}, Engine::reference), text);
}

TEST(Engine, InhibitedRotationAndTwoDimensions) {
  const Frame still =
      last_frame(simulate(kShaken, {"particles.small.inhibit_rotation=true", "stages=[{name=\"a\",duration=0.05}]"}));
  double spin = 0, large = 0;
  for (std::size_t i = 0; i < 150; ++i) spin = std::max(spin, norm(still.particles.w[i]));
  large = norm(still.particles.w[150]);
  EXPECT_EQ(spin, 0);
  EXPECT_GT(large, 0);

  const std::string flat = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4 }
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
fill = { region = { box = [[0, 0, -0.01], [0.2, 0.2, 0.01]] }, count = 100 }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[walls.sides]
box = { min = [0, -0.1, -1], max = [0.2, 1, 1], open = ["+y", "-y", "-z", "+z"] }
[fields.g]
acceleration = [1, -9.81, 5]
[domain]
dimension = 2
[[stages]]
name = "fall"
duration = 0.2
[numerics]
dt = 2e-5
)";
  const Frame f = last_frame(simulate(flat));
  double turning = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    EXPECT_EQ(f.particles.x[i].z, 0);
    EXPECT_EQ(f.particles.v[i].z, 0);
    EXPECT_EQ(f.particles.w[i].x, 0);
    EXPECT_EQ(f.particles.w[i].y, 0);
    turning = std::max(turning, std::fabs(f.particles.w[i].z));
  }
  EXPECT_GT(turning, 0.1);
  const Frame disks = simulate(flat, {"domain.disk_thickness=0.01"}).frame();
  EXPECT_NEAR(disks.particles.mass[0], 3.14159265358979 * std::pow(disks.particles.radius[0], 2) * 0.01 * 2500, 1e-12);
}

// Walls: the force on the floor is the weight of what rests on it.
TEST(Engine, FloorCarriesTheWeight) {
  const Frame f = last_frame(simulate(kShaken, {"walls.box.motion.oscillating.amplitude=[0,0,0]",
                                                "stages=[{name=\"a\",until={at_rest=true,at_most=3}}]"}));
  double weight = 0;
  for (double m : f.particles.mass) weight += 9.81 * m;
  EXPECT_NEAR(f.walls[0].force.z, -weight, 0.01 * weight);
  EXPECT_NEAR(f.walls[0].force.x, 0, 0.01 * weight);
}

// rsa-cluster-4.7: 1000 spheres of radius 0.05 in a sphere of radius 1.
TEST(Packing, RandomClusterInSphere) {
  const auto c = reference_case("rsa-cluster-4.7");
  const Frame f = simulate(R"(
[materials.grain]
density = 2000
young = 2e9
[contacts.grain-grain]
normal = { law = "hertz" }
[particles.cluster]
material = "grain"
radius = 0.05
fill = { region = { sphere = { center = [0, 0, 0], radius = 1 } }, count = 1000 }
[[stages]]
name = "a"
duration = 1
)")
                      .frame();
  EXPECT_EQ(f.particles.id.size(), c["expected"]["placed"].get<std::size_t>());
  EXPECT_TRUE(f.contacts.empty());
  double volume = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    EXPECT_LE(norm(f.particles.x[i]) + 0.05, 1 + 1e-12);
    volume += std::pow(f.particles.radius[i], 3);
  }
  EXPECT_NEAR(volume, c["expected"]["solid_fraction"].get<double>(), 1e-12);
}
