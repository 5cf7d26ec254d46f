// The variants of Coulomb friction with memory that other codes have: each against its formula, on one contact.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "law_rows.h"
#include "physics/fused_sets.h"
#include "physics/interaction.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const Material kGrain{.name = "grain", .density = 2500, .young = 1e7, .poisson = 0.25};
constexpr double kRadius = 0.01, kMass = 0.01, kCoefficient = 0.4, kStep = 1e-6, kDeep = 1e-4;
const double kGstar = g_star({kGrain, kGrain}, true);

using Words = std::map<std::string, std::string>;
LawChoice friction(Words words = {}, std::map<std::string, double> numbers = {}) {
  numbers["mu"] = kCoefficient;
  return {"coulomb_history", numbers, words};
}

// Two equal spheres side by side, which slide over each other along y; rotations do not matter here.
struct Bench {
  Interaction laws;
  double history[kMostHistory];

  explicit Bench(const LawChoice& tangential, const LawChoice& normal = {"hertz", {}, {}}, double overlap = kDeep)
      : laws(pair_of(normal, tangential), {kGrain, kGrain}) {
    laws.begin(bodies(kRadius, kRadius), overlap, history);
  }
  static ContactPair pair_of(const LawChoice& normal, const LawChoice& tangential) {
    ContactPair p;
    p.a = p.b = "grain";
    p.normal = normal;
    p.tangential = tangential;
    return p;
  }
  // Friction on i along y; `closing` is the rate of overlap.
  double step(double overlap, double sliding, double closing = 0) {
    const Touch<double> touch{{1, 0, 0}, overlap, kRadius / 2, kMass / 2, kRadius, kRadius};
    const Body<double> i{{closing, sliding, 0}, {}, kRadius, 1 / kMass, 0, 1}, j{{}, {}, kRadius, 1 / kMass, 0, 1};
    out = laws.evaluate(touch, i, j, kStep, {kStep, 0.5 * kStep}, history);
    return out.tangential.y;
  }
  double elongation() const { return laws.elongation(history).y; }
  Outcome<double> out;
};

double contact_radius(double overlap) { return contact_radius_of(kRadius / 2, overlap); }
double stiffness(double overlap) { return 8 * kGstar * contact_radius(overlap); }
double hertz(double overlap) {
  return 4.0 / 3 * e_star({kGrain, kGrain}) * std::sqrt(kRadius / 2) * std::pow(overlap, 1.5);
}
double near(double a) { return 1e-12 * std::fabs(a); }

}  // namespace

// Without any variant, written out or not, a contact runs in the loops of the law itself; with one, it does not.
TEST(FrictionVariants, AreATypeOfTheirOwn) {
  const LawChoice written = friction(
      {{"dashpot", "own"}, {"history", "elongation"}, {"rescale", "off"}, {"cap", "sum"}, {"limit", "pressing"}},
      {{"stiffness_factor", 1}, {"xi", 0.1}});
  EXPECT_EQ(type_name(friction()), "coulomb_history");
  EXPECT_EQ(type_name(written), "coulomb_history");
  for (const LawChoice& c :
       {friction({{"dashpot", "normal"}}), friction({{"dashpot", "normal_ratio"}}), friction({{"history", "force"}}),
        friction({{"rescale", "on"}}), friction({{"cap", "remainder"}}), friction({{"cap", "spring"}}),
        friction({{"limit", "magnitude"}}), friction({}, {{"stiffness_factor", 0.5}})})
    EXPECT_EQ(type_name(c), CoulombVariants::kTypeName);
  EXPECT_EQ(type_name(friction({}, {{"mu_dynamic", kCoefficient}})), "coulomb_history");
  EXPECT_EQ(type_name(friction({}, {{"mu_dynamic", 0.3}})), CoulombStickSlip::kTypeName);
  EXPECT_EQ(type_name(friction({{"cap", "spring"}}, {{"mu_dynamic", 0.3}})), CoulombVariants::kTypeName);
  using Plain = LawSet<Hertz, NoLaw, CoulombHistory, NoLaw, NoLaw>;
  EXPECT_TRUE(is_set_of<Plain>(Bench::pair_of({"hertz", {}, {}}, written)));
  EXPECT_FALSE(is_set_of<Plain>(Bench::pair_of({"hertz", {}, {}}, friction({{"cap", "spring"}}))));
  int named = 0;  // and the manual has one law of the name, with all parameters
  for (const LawInfo& law : all_laws())
    if (std::string_view(law.name) == "coulomb_history") {
      ++named;
      EXPECT_EQ(law.parameters.size(), std::size(CoulombVariants::kParameters));
    }
  EXPECT_EQ(named, 1);
}

// With every variant at its default both types give the same force and keep the same elongation, to round-off.
TEST(FrictionVariants, DefaultsAreTheLawItself) {
  const LawChoice c = friction({}, {{"xi", 0.2}});
  const auto plain = CoulombHistory::prepare(c, {kGrain, kGrain});
  const auto variant = CoulombVariants::prepare(c, {kGrain, kGrain});
  Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    LawInput<double> in = some_input(random);
    look_at_sliding(in.c, in.i, in.j);
    const Vec3d s{in.history[4], in.history[5], in.history[6]};
    Memory<double, 0, 1> a{{}, {s}};
    Memory<double, 0, 2> b{{}, {s, Vec3d{}}};
    const Vec3d f = CoulombHistory::force(plain, in.c, in.pressing, a).force;
    const Vec3d g = CoulombVariants::force(variant, in.c, in.pressing, b).force;
    ASSERT_LE(norm(f - g), 1e-13 * norm(f)) << trial;
    ASSERT_LE(norm(a.vector[0] - b.vector[0]), 1e-13 * norm(a.vector[0])) << trial;
  }
}

TEST(FrictionVariants, StiffnessFactor) {
  for (const double factor : {2.0 / 3, 1.5}) {
    Bench b(friction({}, {{"stiffness_factor", factor}}));
    const double v = 1e-3;
    EXPECT_NEAR(b.step(kDeep, v), -factor * stiffness(kDeep) * v * kStep, near(stiffness(kDeep) * v * kStep));
    Geometry<double> g = bodies(kRadius, kRadius);
    g.contact_radius = contact_radius(kDeep);
    EXPECT_NEAR(b.laws.part(kTangential)->stiffness(g), factor * stiffness(kDeep), near(stiffness(kDeep)));
  }
}

// A spring that is stretched by s at the radius of contact a, which then changes without sliding.
TEST(FrictionVariants, WhatStaysWhenTheStiffnessChanges) {
  const double v = 1e-3, s = v * kStep, k = stiffness(kDeep);
  const auto after = [&](const Words& words, double overlap) {
    Bench b(friction(words));
    b.step(kDeep, v);
    return -b.step(overlap, 0);
  };
  const double less = 0.81 * kDeep, more = 1.21 * kDeep;  // a is 0.9 and 1.1 times as large
  const Words force{{"history", "force"}}, rescaled{{"rescale", "on"}}, both{{"history", "force"}, {"rescale", "on"}};
  EXPECT_NEAR(after({}, less), 0.9 * k * s, near(k * s));
  EXPECT_NEAR(after({}, more), 1.1 * k * s, near(k * s));
  EXPECT_NEAR(after(force, less), k * s, near(k * s));
  EXPECT_NEAR(after(force, more), k * s, near(k * s));
  EXPECT_NEAR(after(both, less), 0.9 * k * s, near(k * s));
  EXPECT_NEAR(after(both, more), k * s, near(k * s));
  EXPECT_NEAR(after(rescaled, less), 0.81 * k * s, near(k * s));
  EXPECT_NEAR(after(rescaled, more), 1.1 * k * s, near(k * s));
}

// Increments: f = -integral of k_t(a) v_t dt, whatever the way.
TEST(FrictionVariants, ForceIsTheSumOfItsIncrements) {
  Bench b(friction({{"history", "force"}}));
  double sum = 0;
  for (int n = 0; n < 200; ++n) {
    const double overlap = kDeep * (1 + 0.5 * std::sin(0.1 * n)), v = 0.02 * std::cos(0.07 * n);
    sum -= stiffness(overlap) * v * kStep;
    ASSERT_LT(std::fabs(sum), kCoefficient * hertz(overlap));
    ASSERT_NEAR(b.step(overlap, v), sum, 1e-10 * stiffness(kDeep) * 0.02 * kStep) << n;
  }
}

// c_t of the normal law, by value or by ratio.
TEST(FrictionVariants, DashpotOfTheNormalLaw) {
  const LawChoice normals[] = {{"hertz", {{"restitution", 0.6}}, {}},
                               {"linear", {{"stiffness", 1e4}, {"beta", 0.2}}, {}},
                               {"penalty", {{"K", 1e7}, {"xi", 0.1}}, {}},
                               {"jkr", {{"work", 0.1}, {"xi", 0.1}}, {}}};
  const double v = 1e-4;
  for (const LawChoice& normal : normals) {
    SCOPED_TRACE(normal.law);
    const auto friction_of_dashpot = [&](Words words, std::map<std::string, double> numbers) {
      Bench b(friction(words, numbers), normal);
      return -b.step(kDeep, v) - stiffness(kDeep) * v * kStep;
    };
    const Bench b(friction({{"dashpot", "normal"}}), normal);
    Geometry<double> g = bodies(kRadius, kRadius);
    g.overlap = kDeep;
    g.contact_radius = contact_radius(kDeep);
    const double c = b.laws.part(kNormal)->damper(g, kMass / 2), k = b.laws.part(kNormal)->stiffness(g);
    EXPECT_NEAR(friction_of_dashpot({{"dashpot", "normal"}}, {}), c * v, 1e-10 * c * v);
    EXPECT_NEAR(friction_of_dashpot({{"dashpot", "normal"}}, {{"dashpot_factor", 0.5}}), 0.5 * c * v, 1e-10 * c * v);
    EXPECT_NEAR(friction_of_dashpot({{"dashpot", "normal_ratio"}}, {}), c * std::sqrt(stiffness(kDeep) / k) * v,
                1e-10 * c * v);
    EXPECT_TRUE(b.laws.shares());  // however strong it is, it is held back among the contacts of a body
  }
  // of Hertz's law that is its damping ratio
  const LawChoice normal{"hertz", {{"xi", 0.25}}, {}};
  Bench by_ratio(friction({{"dashpot", "normal_ratio"}}), normal), by_xi(friction({}, {{"xi", 0.25}}), normal);
  const double f = by_xi.step(kDeep, v);
  EXPECT_NEAR(by_ratio.step(kDeep, v), f, near(f));
}

// One step that slides far: what the limit holds, and what is left to the spring.
TEST(FrictionVariants, WhatTheLimitHolds) {
  const double k = stiffness(kDeep), limit = kCoefficient * hertz(kDeep), xi = 0.1,
               c = 2 * xi * std::sqrt(kMass / 2 * k);
  const std::map<std::string, double> numbers{{"xi", xi}};
  const auto slide = [&](const char* cap, double v) {
    Bench b(friction({{"cap", cap}}, numbers));
    const double f = -b.step(kDeep, v);
    return std::pair(f, k * b.elongation());
  };
  // spring and dashpot together pass the limit, the spring alone does not
  for (const double speed : {1.5 * limit / (c + k * kStep), 1.2 * limit / c}) {
    ASSERT_LT(k * kStep * speed, limit);
    const auto [f_sum, left_sum] = slide("sum", speed);
    EXPECT_NEAR(f_sum, limit, near(limit));
    EXPECT_NEAR(left_sum, limit, near(limit));
    const auto [f_remainder, left_remainder] = slide("remainder", speed);
    EXPECT_NEAR(f_remainder, limit, near(limit));
    EXPECT_NEAR(left_remainder, limit - c * speed, near(limit));
    const auto [f_spring, left_spring] = slide("spring", speed);
    EXPECT_NEAR(f_spring, (k * kStep + c) * speed, near(f_spring));
    EXPECT_NEAR(left_spring, k * kStep * speed, near(limit));
  }
  // the spring alone passes it: no dashpot
  const auto [f, left] = slide("spring", 1.5 * limit / (k * kStep));
  EXPECT_NEAR(f, limit, near(limit));
  EXPECT_NEAR(left, limit, near(limit));
}

// The normal dashpot pulls: no friction, or mu |N|.
TEST(FrictionVariants, LimitByTheMagnitude) {
  const LawChoice pulls{"hertz", {{"xi", 0.5}}, {{"clamp", "off"}}};
  for (const char* limit : {"pressing", "magnitude"}) {
    Bench b(friction({{"limit", limit}}), pulls);
    const double f = -b.step(kDeep, 5e3, -5), n = b.out.normal;
    ASSERT_LT(n, 0);
    EXPECT_NEAR(f, std::string(limit) == "magnitude" ? -kCoefficient * n : 0, near(n));
    Bench pressed(friction({{"limit", limit}}), pulls);
    const double g = -pressed.step(kDeep, 5e3, 0.1);
    EXPECT_NEAR(g, kCoefficient * pressed.out.normal, near(g));
  }
}

// A force that is kept on a spring that softens holds more energy than was put in; one that is rescaled never does.
TEST(FrictionVariants, ARescaledForceGivesNoEnergy) {
  const auto energy_gained = [](const Words& words) {
    Bench b(friction(words));
    Geometry<double> g = bodies(kRadius, kRadius);
    double put_in = 0, most = 0, before = 0, last = 0;
    for (int n = 0; n < 400; ++n) {
      const double overlap = kDeep * (1 + 0.5 * std::sin(0.05 * n)), v = n < 5 ? 0.02 : 0;
      const double f = -b.step(overlap, v);
      put_in += 0.5 * (before + f) * v * kStep;
      before = f;
      g.overlap = overlap;
      g.contact_radius = contact_radius(overlap);
      last = b.laws.part(kTangential)
                 ->energy(g, 0, b.history + b.laws.scalar_at(kTangential), b.history + b.laws.vector_at(kTangential));
      most = std::max(most, last);
    }
    return most / put_in - 1;
  };
  EXPECT_LT(energy_gained({{"history", "force"}, {"rescale", "on"}}), 1e-3);
  EXPECT_GT(energy_gained({{"history", "force"}}), 0.1);
  EXPECT_GT(energy_gained({}), 0.1);  // elongation: on a spring that stiffens
}

// Sliding with a dynamic coefficient below the static one: all the work is booked, and only that.
TEST(FrictionVariants, LedgerBalancesWithADynamicCoefficient) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 1e8
poisson = 0.25
[contacts.default]
normal = { law = "hertz", xi = 0.3 }
tangential = { law = "coulomb_history", mu_static = 0.6, mu_dynamic = 0.2, xi = 0.1, cap = "spring" }
[particles.a]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0.01], v = [2, 0, 0] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.gravity]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.1
)";
  for (const char* cap : {"sum", "remainder", "spring"}) {
    const Frame f = last_frame(simulate(toml, {fmt::format("contacts.default.tangential.cap=\"{}\"", cap)}));
    EXPECT_NEAR(f.particles.v[0].x, 2 - 0.2 * 9.81 * 0.1, 1e-3);
    EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * f.energy.turned_over) << cap;
  }
}

// Whichever type computes it, force and elongation have the same bits; and the force follows from what the type for two
// coefficients remembers.
TEST(FrictionVariants, TwoCoefficientsAreTheLawItself) {
  for (const double mu_d : {0.1, 0.3, kCoefficient}) {
    const LawChoice c = friction({}, {{"xi", 0.2}, {"mu_dynamic", mu_d}});
    const auto plain = CoulombHistory::prepare(c, {kGrain, kGrain});
    const auto pair = CoulombStickSlip::prepare(c, {kGrain, kGrain});
    Random random(3);
    for (int trial = 0; trial < 500; ++trial) {
      LawInput<double> in = some_input(random);
      look_at_sliding(in.c, in.i, in.j);
      const Vec3d s{in.history[4], in.history[5], in.history[6]};
      Memory<double, 0, 1> a{{}, {s}};
      Memory<double, 1, 1> b{{1}, {s}};
      const TangentialForce<double> f = CoulombHistory::force(plain, in.c, in.pressing, a);
      const TangentialForce<double> g = CoulombStickSlip::force(pair, in.c, in.pressing, b);
      ASSERT_EQ(norm2(f.force - g.force) + norm2(a.vector[0] - b.vector[0]), 0);
      ASSERT_EQ(f.power_before, g.power_before);
      // what acted, from what is remembered
      const Vec3d acted = (-b.scalar[0] * CoulombHistory::stiffness(plain, in.c.contact_radius)) * b.vector[0];
      ASSERT_LT(norm(acted - (g.force + g.damper * in.c.v_t)), 1e-12 * norm(g.force) + 1e-15);
    }
  }
}
