// The hard-sphere engine: against a brute-force search for the next event, conservation, bits, collapse, ledger.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "engine/events/flight.h"
#include "physics/hard_impact.h"
#include "support.h"

namespace areia {
namespace {

using namespace test;
using events::kNever;

// A gas in a unit box; walls, periodicity, gravity and coefficients by --set.
const std::string kGas = R"(
[materials.grain]
density = 1
[contacts.default]
impact = { restitution = 1 }
[particles.gas]
material = "grain"
radius = 0.02
velocity_std = 1
fill = { region = { box = [[0, 0, 0], [1, 1, 1]] }, count = 1000 }
[domain]
box = [[0, 0, 0], [1, 1, 1]]
periodic = ["x", "y", "z"]
[[stages]]
name = "fly"
duration = 1
[numerics]
engine = "events"
)";

const std::string kMixture = R"(
[materials.grain]
density = 1
[materials.wood]
density = 1
[contacts.default]
impact = { restitution = 0.95, tangential_restitution = 0.3, mu = 0.4 }
[contacts.grain-wood]
impact = { restitution = 0.95, mu = 0.1 }
[particles.small]
material = "grain"
radius = { uniform = { min = 0.03, max = 0.06 } }
velocity_std = 1
fill = { region = { box = [[0, 0, 0], [1, 1, 1]] }, count = 25 }
[particles.large]
material = "grain"
radius = 0.1
velocity_std = 0.5
spin = [3, -2, 1]
fill = { region = { box = [[0, 0, 0], [1, 1, 1]] }, count = 6 }
[[stages]]
name = "fly"
duration = 0.6
[numerics]
engine = "events"
)";
const std::string kBox = R"(
[walls.box]
material = "wood"
box = { min = [0, 0, 0], max = [1, 1, 1] }
)";
const std::string kGravity = R"(
[fields.gravity]
acceleration = [1, -0.5, -3]
)";
const std::string kPeriodic = R"(
[domain]
box = [[0, 0, 0], [1, 1, 1]]
periodic = ["x", "y"]
[walls.floor]
material = "wood"
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.top]
material = "wood"
plane = { point = [0, 0, 1], normal = [0, 0, -1] }
)";

// The same physics without cells, queue or own times: all particles move from one event to the next, found among all
// pairs with all their images.
struct Brute {
  FrameParticles p;
  std::vector<double> inertia;
  Vec3d gravity;
  std::array<bool, 3> periodic{};
  struct Plane {
    Vec3d n;
    double offset;
  };
  std::vector<Plane> planes;
  ImpactPair pair{0.95, 0.3, 0.4}, wall{0.95, 0, 0.1};
  int collisions = 0, wall_collisions = 0;

  void run(double duration) {
    const std::size_t n = p.x.size();
    double left = duration;
    for (int events = 0; events < 5000; ++events) {
      double soonest = left;
      std::size_t a = n, b = n, plane = planes.size();
      Vec3d image;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j)
          for (int s = 0; s < 27; ++s) {
            const Vec3d shift{s % 3 - 1.0, s / 3 % 3 - 1.0, s / 9 - 1.0};
            if ((shift.x != 0 && !periodic[0]) || (shift.y != 0 && !periodic[1]) || (shift.z != 0 && !periodic[2]))
              continue;
            const double t = events::time_to_touch(p.x[j] + shift - p.x[i], p.v[j] - p.v[i], p.radius[i] + p.radius[j]);
            if (t >= soonest) continue;
            soonest = t;
            a = i;
            b = j;
            image = shift;
          }
        for (std::size_t k = 0; k < planes.size(); ++k) {
          const double t = events::time_to_close(dot(planes[k].n, p.x[i]) - planes[k].offset - p.radius[i],
                                                 dot(planes[k].n, p.v[i]), dot(planes[k].n, gravity));
          if (t >= soonest) continue;
          soonest = t;
          a = i;
          b = n;
          plane = k;
        }
      }
      // no particle may cross more than one period before the images are looked at again
      double fastest = 0;
      for (std::size_t i = 0; i < n; ++i) fastest = std::max(fastest, norm(p.v[i]) + norm(gravity) * duration);
      const bool none = soonest >= left || soonest > 0.1 / fastest;
      const double dt = std::min(soonest, 0.1 / fastest);
      for (std::size_t i = 0; i < n; ++i) {
        p.x[i] += dt * (p.v[i] + (0.5 * dt) * gravity);
        p.v[i] += dt * gravity;
        if (periodic[0]) p.x[i].x -= std::floor(p.x[i].x);
        if (periodic[1]) p.x[i].y -= std::floor(p.x[i].y);
        if (periodic[2]) p.x[i].z -= std::floor(p.x[i].z);
      }
      left -= dt;
      if (left <= 0) return;
      if (none) continue;
      const auto body = [&](std::size_t i) {
        return ImpactBody{p.v[i], p.w[i], p.radius[i], 1 / p.mass[i], 1 / inertia[i]};
      };
      Vec3d normal = b < n ? Vec3d{} : -planes[plane].n;
      if (b < n) {
        const auto nearest = [](double d, bool on) { return on ? d - std::round(d) : d; };
        const Vec3d d = p.x[b] - p.x[a];
        normal = unit(Vec3d{nearest(d.x, periodic[0]), nearest(d.y, periodic[1]), nearest(d.z, periodic[2])});
      }
      const Impact hit = Walton::collide(b < n ? pair : wall, normal, body(a), b < n ? body(b) : ImpactBody{});
      const Vec3d turn = cross(normal, hit.tangential);
      p.v[a] += (1 / p.mass[a]) * hit.impulse;
      p.w[a] += (p.radius[a] / inertia[a]) * turn;
      if (b < n) {
        p.v[b] -= (1 / p.mass[b]) * hit.impulse;
        p.w[b] += (p.radius[b] / inertia[b]) * turn;
        ++collisions;
      } else {
        ++wall_collisions;
      }
    }
    FAIL() << "too many events";
  }
};

// Collisions spread round-off by about a factor of ten each; a wrong or missing one would show as a distance of
// order 1.
TEST(Events, AsBruteForce) {
  for (const int way : {0, 1, 2, 3}) {
    const bool falls = way % 2 == 1, box = way < 2;
    Simulation s = simulate(kMixture + (box ? kBox : kPeriodic) + (falls ? kGravity : ""),
                            {"numerics.seed=7", "stages.fly.duration=1"});
    Brute brute;
    brute.p = s.frame().particles;
    for (std::size_t i = 0; i < brute.p.x.size(); ++i)
      brute.inertia.push_back(0.4 * brute.p.mass[i] * brute.p.radius[i] * brute.p.radius[i]);
    if (falls) brute.gravity = {1, -0.5, -3};
    if (!box) brute.periodic = {true, true, false};
    for (int a = box ? 0 : 2; a < 3; ++a) {
      const Vec3d n{a == 0 ? 1.0 : 0, a == 1 ? 1.0 : 0, a == 2 ? 1.0 : 0};
      brute.planes.push_back({n, 0});
      brute.planes.push_back({-n, -1});
    }
    brute.run(1);
    while (!s.finished()) s.advance(1 << 20);
    const Frame f = s.frame();
    EXPECT_GT(brute.collisions, 30) << way;
    EXPECT_GT(brute.wall_collisions, 10) << way;
    EXPECT_EQ(s.statistics().events.collisions, brute.collisions) << way;
    EXPECT_EQ(s.statistics().events.wall_collisions, brute.wall_collisions) << way;
    double worst = 0;
    for (std::size_t i = 0; i < f.particles.x.size(); ++i)
      worst = std::max({worst, norm(f.particles.v[i] - brute.p.v[i]), norm(f.particles.w[i] - brute.p.w[i])});
    EXPECT_LT(worst, 1e-6) << way;
  }
}

// One million elastic collisions. Their number is that of Enskog's theory, n sigma^2 g 4 sqrt(pi T/m) per particle with
// the contact value of Carnahan and Starling (0.2 % at this density); sampling leaves 0.1 %, the finite system 0.1 %.
TEST(Events, MillionElasticCollisions) {
  Simulation s = simulate(
      kGas, {"particles.gas.radius=0.036278", "particles.gas.fill.method=\"grow\"", "stages.fly.duration=1000"});
  const auto sums = [](const Frame& f) {
    struct {
      Vec3d p;
      double size = 0, energy = 0, mass = 0;
    } out;
    for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
      out.p += f.particles.mass[i] * f.particles.v[i];
      out.size += f.particles.mass[i] * norm(f.particles.v[i]);
      out.energy += 0.5 * f.particles.mass[i] * norm2(f.particles.v[i]);
      out.mass += f.particles.mass[i];
    }
    return out;
  };
  const auto before = sums(s.frame());
  while (s.statistics().events.collisions < 1000000) s.advance(1000, false);
  const Frame f = s.frame();
  const auto after = sums(f);
  EXPECT_LT(std::fabs(after.energy / before.energy - 1), 1e-12);
  EXPECT_LT(norm(after.p - before.p) / before.size, 1e-12);
  EXPECT_LT(std::fabs(f.energy.residual) / f.energy.turned_over, 1e-12);

  const double n = 1000, sigma = 2 * 0.036278, phi = n * std::numbers::pi / 6 * sigma * sigma * sigma;
  EXPECT_NEAR(phi, 0.2, 1e-4);
  const double g = (1 - phi / 2) / std::pow(1 - phi, 3);
  const double t_over_m = 2 * before.energy / (3 * before.mass);
  const double rate = 4 * std::sqrt(std::numbers::pi) * n * sigma * sigma * g * std::sqrt(t_over_m);
  EXPECT_NEAR(static_cast<double>(s.statistics().events.collisions) / (0.5 * n * rate * f.time), 1, 0.01);
}

// What is missed would overlap sooner or later.
TEST(Events, NothingOverlaps) {
  const std::string flat = "\n[fields.gravity]\nacceleration = [0, 0, -2]\n";
  const std::vector<std::vector<std::string>> ways{
      {"particles.gas.fill={method=\"grow\",count=300,region={box=[[0,0,0],[1,1,1]]}}", "particles.gas.radius=0.069",
       "stages.fly.duration=2"},
      {"domain.dimension=2", "domain.periodic=[\"x\"]", "particles.gas.fill={count=60,region={box=[[0,0,0],[1,1,0]]}}",
       "particles.gas.radius=0.03", "stages.fly.duration=10"},
      {"domain.periodic=[]", "particles.gas.radius={uniform={min=0.005,max=0.06}}", "particles.gas.fill.count=300",
       "stages.fly.duration=2"}};
  for (std::size_t way = 0; way < ways.size(); ++way) {
    Simulation s = simulate(kGas + (way == 2 ? flat : ""), ways[way]);
    const Domain d = s.settings().domain;
    double deepest = 0;
    for (int part = 0; part < 4; ++part) {
      s.advance(250000);
      const Frame f = s.frame();
      const FrameParticles& p = f.particles;
      for (std::size_t i = 0; i < p.x.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          Vec3d dx = p.x[i] - p.x[j];
          if (d.periodic[0]) dx.x -= std::round(dx.x);
          if (d.periodic[1]) dx.y -= std::round(dx.y);
          if (d.periodic[2]) dx.z -= std::round(dx.z);
          deepest = std::max(deepest, p.radius[i] + p.radius[j] - norm(dx));
        }
    }
    EXPECT_TRUE(s.finished());
    EXPECT_GT(s.statistics().events.collisions, 100) << way;
    EXPECT_LT(deepest, 1e-13) << way;
  }
}

// Walls that go and come, groups that are removed, gravity that begins late and stops: everything that can be cut.
const std::string kStaged = R"(
[[stages]]
name = "later"
duration = 0.3
remove = ["particles.large", "walls.floor"]
insert = ["walls.lid"]
[walls.lid]
material = "wood"
plane = { point = [0, 0, -50], normal = [0, 0, 1] }
[fields.late]
acceleration = [0.3, 0, -2]
start = 0.123
stop = 0.45
)";

TEST(Events, SameBitsHoweverTheRunIsCut) {
  const std::string toml = kMixture + kPeriodic + kStaged;
  const std::vector<std::string> set{"numerics.events={contact_time=1e-5}"};
  const std::string once = state_hash(last_frame(simulate(toml, set)));
  EXPECT_EQ(once, state_hash(last_frame(simulate(toml, set))));
  EXPECT_EQ(once, state_hash(last_frame(simulate(toml, {set[0], "numerics.threads=2"}))));
  EXPECT_NE(once, state_hash(last_frame(simulate(toml, {set[0], "numerics.seed=2"}))));
  Simulation cut = simulate(toml, set);
  for (int k = 1; !cut.finished(); k = 1 + k * 7 % 5003) {
    cut.advance(k, k % 2 == 0);
    if (k % 3 == 0) cut.frame();
  }
  EXPECT_EQ(once, state_hash(cut.frame()));
  for (const std::int64_t at : {1, 123456, 400000, 666667, 800001}) {
    Simulation first = simulate(toml, set);
    first.advance(at);
    Simulation second = simulate(toml, set);
    second.load(first.save());
    EXPECT_EQ(state_hash(first.frame()), state_hash(second.frame()));
    while (!second.finished()) second.advance(1 << 20);
    EXPECT_EQ(once, state_hash(second.frame())) << at;
    const Frame a = last_frame(simulate(toml, set)), b = second.frame();
    EXPECT_EQ(a.energy.residual, b.energy.residual);
    EXPECT_EQ(a.energy.damping, b.energy.damping);
    ASSERT_EQ(a.walls.size(), b.walls.size());
    for (std::size_t w = 0; w < a.walls.size(); ++w) EXPECT_EQ(a.walls[w].force, b.walls[w].force);
  }
}

TEST(Events, LedgerClosesToRoundOff) {
  for (const std::string& toml :
       {kMixture + kBox + kGravity, kMixture + kPeriodic + kGravity, kMixture + kPeriodic + kStaged}) {
    const Frame f = last_frame(simulate(toml, {"stages.fly.duration=1"}));
    EXPECT_LT(std::fabs(f.energy.residual), 1e-12 * f.energy.turned_over);
    EXPECT_GT(f.energy.damping, 0);
    EXPECT_GT(f.energy.sliding, 0);
  }
}

const std::string kBall = R"(
[materials.grain]
density = 1000
[contacts.default]
impact = { restitution = 0.5 }
[particles.ball]
material = "grain"
radius = 0.1
list = [{ x = [0, 0, 1.1] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.gravity]
acceleration = [0, 0, -10]
[[stages]]
name = "fall"
duration = 1
[numerics]
engine = "events"
)";

// Falls 1 m, then flights of 2 e^k v/g: all bounces are over at sqrt(2 h/g) (1 + e)/(1 - e).
TEST(Events, CollapseOfABouncingBallIsTold) {
  const double start = std::sqrt(0.2);
  Simulation early = simulate(kBall);
  early.advance(600000);  // after the first bounce, v = 0.5 sqrt(20) - 10 (t - start)
  EXPECT_NEAR(early.frame().particles.v[0].z, 0.5 * std::sqrt(20) - 10 * (0.6 - start), 1e-13);
  for (const double e : {0.5, 0.2, 0.0}) {
    const double end = start * (1 + e) / (1 - e);
    try {
      last_frame(
          simulate(kBall, {"contacts.default.impact.restitution=" + std::to_string(e), "stages.fall.duration=5"}));
      FAIL() << "came to rest";
    } catch (const StoppedError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("inelastic collapse at t = "), std::string::npos) << text;
      EXPECT_NE(text.find("particle 0"), std::string::npos) << text;
      EXPECT_NE(text.find("the wall `floor`"), std::string::npos) << text;
      EXPECT_NEAR(std::stod(text.substr(text.find("t = ") + 4)), end, 1e-6);
    }
  }
  // with a contact time it hops on, ever so little, and the ledger still closes
  Simulation s = simulate(kBall, {"numerics.events.contact_time=1e-3", "stages.fall.duration=5"});
  while (!s.finished()) s.advance(1 << 20);
  const Frame f = s.frame();
  EXPECT_NEAR(f.particles.x[0].z, 0.1, 1e-5);
  EXPECT_GT(s.statistics().events.elastic, 1000);
  EXPECT_LT(std::fabs(f.energy.residual), 1e-12 * f.energy.turned_over);
}

// Three balls on a line with e = 0.05, below 7 - 4 sqrt(3) = 0.0718: infinitely many collisions in a finite time.
TEST(Events, CollapseOfThreeBallsIsTold) {
  const std::string toml = R"(
[materials.grain]
density = 1
[contacts.default]
impact = { restitution = 0.05 }
[particles.row]
material = "grain"
radius = 0.1
list = [{ x = [0, 0, 0], v = [1, 0, 0] }, { x = [0.5, 0, 0] }, { x = [1, 0, 0], v = [-1, 0, 0] }]
[[stages]]
duration = 10
[numerics]
engine = "events"
)";
  // below the limit the three end with one velocity: either told as a collapse, or at rest to round-off
  try {
    const Frame f = last_frame(simulate(toml));
    for (int k = 0; k < 3; ++k) EXPECT_LT(norm(f.particles.v[k]), 1e-12);
  } catch (const StoppedError& error) {
    EXPECT_NE(std::string(error.what()).find("inelastic collapse"), std::string::npos);
  }
}

// A ball between two walls pushes each with 2 m v every 2 (L - 2 r)/v.
TEST(Events, MeanForceOnAWall) {
  const std::string toml = R"(
[materials.grain]
density = 1
[contacts.default]
impact = { restitution = 1 }
[particles.ball]
material = "grain"
radius = 0.1
mass = 2
list = [{ x = [0.5, 0.3, 0], v = [4, 0, 0] }]
[walls.box]
box = { min = [0, 0, -1], max = [1, 1, 1] }
[[stages]]
duration = 10
[numerics]
engine = "events"
[output]
series = 2
)";
  Simulation s = simulate(toml, {"walls.box.box.max=[1,2,1]"});
  s.advance(450000);
  EXPECT_EQ(s.frame().walls[0].force, Vec3d{});  // both sides push alike: the box feels nothing on the whole
  Simulation one = simulate(toml.substr(0, toml.find("[walls.box]")) + R"(
[walls.left]
plane = { point = [0, 0, 0], normal = [1, 0, 0] }
[walls.right]
plane = { point = [1, 0, 0], normal = [-1, 0, 0] }
[[stages]]
duration = 10
[numerics]
engine = "events"
[output]
series = 2
)");
  one.advance(1);
  EXPECT_EQ(one.frame().walls[0].force, Vec3d{});
  one.advance(450000 - 1);  // 4.5 s; the last window is that from 2 to 4 s
  const Frame f = one.frame();
  EXPECT_NEAR(f.walls[0].force.x, -2 * 2 * 4 / 0.4, 1e-12);  // five times in 2 s: every 0.4 s
  EXPECT_NEAR(f.walls[1].force.x, 2 * 2 * 4 / 0.4, 1e-12);
  EXPECT_NEAR(f.walls[0].torque.z, 0.3 * 2 * 2 * 4 / 0.4, 1e-11);  // r x F = -y F_x
}

// One oblique collision of rough spheres that slide through, hard and as springs. Overlap and duration of a soft
// contact go with 1/sqrt(stiffness), and so does the difference.
TEST(Events, AsStiffSprings) {
  const auto toml = [](const std::string& contact, const std::string& numerics) {
    return R"(
[materials.grain]
density = 1000
[contacts.default]
)" + contact +
           R"(
[particles.two]
material = "grain"
list = [{ x = [0, 0, 0], v = [1, 0, 0], w = [0, 0, 4], radius = 0.1 }, { x = [0.26, 0.1, 0.05], v = [-1, 0, 0], w = [0, 3, 0], radius = 0.15 }]
[[stages]]
duration = 0.05
[numerics]
)" + numerics;
  };
  const Frame hard = last_frame(simulate(toml("impact = { restitution = 0.8, mu = 0.03 }", "engine = \"events\"")));
  EXPECT_GT(hard.energy.sliding, 0);
  double before = 0;
  for (const std::string stiffness : {"1e6", "1e8", "1e9"}) {
    const std::string laws = "normal = { law = \"linear\", restitution = 0.8, stiffness = " + stiffness +
                             " }\ntangential = { law = \"coulomb_time\", mu = 0.03, stiffness = " + stiffness + " }";
    const Frame soft = last_frame(simulate(toml(laws, "threads = 1\ndt_fraction = 1000")));
    double worst = 0;
    for (int k = 0; k < 2; ++k)
      worst = std::max({worst, norm(hard.particles.v[k] - soft.particles.v[k]),
                        0.1 * norm(hard.particles.w[k] - soft.particles.w[k])});
    if (before > 0) { EXPECT_LT(worst, 0.4 * before) << stiffness; }
    before = worst;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Events, OrientationFollowsTheSpin) {
  Simulation s = simulate(kBall, {"particles.ball.spin=[0,0,3]", "contacts.default.impact.restitution=1"});
  while (!s.finished()) s.advance(1 << 20);
  const Quat q = s.frame().particles.q[0];
  EXPECT_NEAR(std::fabs(q[0]), std::fabs(std::cos(1.5)), 1e-14);
  EXPECT_NEAR(std::fabs(q[3]), std::fabs(std::sin(1.5)), 1e-14);
}

TEST(Events, RandomVelocitiesHaveTheirMoments) {
  Simulation s = simulate(kGas, {"particles.gas.velocity=[1,2,3]", "particles.gas.velocity_std=0.5"});
  const Frame f = s.frame();
  Vec3d mean;
  double square = 0;
  for (const Vec3d& v : f.particles.v) mean += 1e-3 * v;
  EXPECT_LT(norm(mean - Vec3d{1, 2, 3}), 1e-13);
  for (const Vec3d& v : f.particles.v) square += norm2(v - mean) / 3000;
  EXPECT_NEAR(square, 0.25, 0.25 * 4 * std::sqrt(2.0 / 3000));  // four standard deviations of the estimate
}

TEST(Events, RefusedAtTheStart) {
  EXPECT_THROW(simulate(kGas, {}, Engine::reference), InputError);
  EXPECT_THROW(simulate(kGas, {"particles.gas.radius=0.13", "particles.gas.fill.count=2"}), InputError);  // 4 diameters
  EXPECT_THROW(simulate(kBall, {"walls.floor.plane.point=[0,0,2]"}), InputError);                         // behind it
  EXPECT_THROW(simulate(kBall, {"walls.floor.plane.point=[0,0,1.05]"}), InputError);                      // in it
  Simulation s = simulate(kBall);
  EXPECT_THROW(s.insert("ball", {ListedParticle{}}), Error);
}

}  // namespace
}  // namespace areia
