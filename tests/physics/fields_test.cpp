// Fields with regions and times, charges, magnetic turns. Theory manual, section 3.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/region.h"
#include "scene/region_mesh.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const char* const kSchemes[] = {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"};

// One particle without walls.
std::string one(const std::string& particle, double dt, double duration, const std::string& rest) {
  return fmt::format(R"(
[materials.a]
density = 2000
young = 1e7
[contacts.default]
normal = {{ law = "hertz", xi = 0 }}
[particles.a]
material = "a"
{}
[numerics]
dt = {}
[[stages]]
duration = {}
{})",
                     particle, dt, duration, rest);
}

}  // namespace

TEST(Region, EveryKindByStrictInequality) {
  Region r;
  r.kind = Region::Kind::box;
  r.box = {{0, 0, 0}, {1, 2, 3}};
  EXPECT_TRUE(contains(r, {0.5, 1.9, 2.9}));
  EXPECT_FALSE(contains(r, {0, 1, 1}));
  EXPECT_FALSE(contains(r, {0.5, 1, 3}));
  EXPECT_FALSE(contains(r, {0.5, 2.1, 1}));
  r.outside = true;
  EXPECT_TRUE(contains(r, {0.5, 2.1, 1}));
  EXPECT_FALSE(contains(r, {0, 1, 1})) << "the surface is on neither side";
  EXPECT_FALSE(contains(r, {0.5, 1, 1}));

  r = {};
  r.kind = Region::Kind::sphere;
  r.center = {1, 0, 0};
  r.radius = 2;
  EXPECT_TRUE(contains(r, {2.9, 0, 0}));
  EXPECT_FALSE(contains(r, {3, 0, 0}));

  r = {};
  r.kind = Region::Kind::cylinder;
  r.from = {0, 0, 1};
  r.to = {0, 0, 3};
  r.radius = 0.5;
  EXPECT_TRUE(contains(r, {0.3, 0.3, 2}));
  EXPECT_FALSE(contains(r, {0.5, 0, 2}));
  EXPECT_FALSE(contains(r, {0, 0, 1}));
  EXPECT_FALSE(contains(r, {0, 0, 3.1}));
  EXPECT_FALSE(contains(r, {0.4, 0.4, 2}));

  r = {};
  r.kind = Region::Kind::half_space;
  r.point = {1, 0, 0};
  r.normal = {2, 0, 0};
  EXPECT_TRUE(contains(r, {1.0001, 5, -7}));
  EXPECT_FALSE(contains(r, {1, 0, 0}));
  EXPECT_FALSE(contains(r, {0.9, 0, 0}));
  r.outside = true;
  EXPECT_TRUE(contains(r, {0.9, 0, 0}));

  r = {};
  r.kind = Region::Kind::slab;
  r.from = {0.5, 0, 0};
  r.to = {1.5, 0, 0};
  EXPECT_TRUE(contains(r, {1, 100, -100}));
  EXPECT_FALSE(contains(r, {0.5, 0, 0}));
  EXPECT_FALSE(contains(r, {1.6, 0, 0}));

  // many periods away from the box it has an image in it
  Domain periodic;
  periodic.bounded = true;
  periodic.periodic = {true, true, false};
  periodic.box = {{0, 0, 0}, {1, 1, 1}};
  for (const double first : {-7.8, 0.2, 5.2}) {
    r.from = {first + 0.2, 0, 0};
    r.to = {first, 0, 0};
    repeat_with(periodic, r);
    EXPECT_TRUE(contains(r, {0.3, 0.5, 0})) << first;
    EXPECT_FALSE(contains(r, {0.1, 0.5, 0})) << first;
    EXPECT_FALSE(contains(r, {0.5, 0.5, 0})) << first;
  }

  EXPECT_TRUE(contains(everywhere(), {1e9, 0, 0}));
  r = {};
  r.kind = Region::Kind::mesh;
  r.mesh = "no_such_file.stl";
  EXPECT_THROW(contains(r, {0, 0, 0}), InputError);  // nobody has prepared it
  EXPECT_THROW(prepare_surface(r, "region"), InputError);
}

TEST(ElectricField, BehindAPlane) {
  const auto c = reference_case("E-field-region");
  for (const char* scheme : kSchemes) {
    Simulation s = simulate(one(R"(radius = 0.05
charge = 1
list = [{ x = [0, 0, 0], v = [50, 0, 0] }])",
                                5e-6, 0.04, R"([fields.e]
electric = [1000, 0, 0]
region = { half_space = { point = [1, 0, 0], normal = [1, 0, 0] } })"),
                            {fmt::format("numerics.scheme=\"{}\"", scheme)});
    double before = 0, t = 0, v = 0;
    watch(s, [&](const Frame& f) {
      const double x = f.particles.x[0].x;
      if (before < 2 && x >= 2) {
        t = f.time - (x - 2) / f.particles.v[0].x;
        v = f.particles.v[0].x;
      }
      before = x;
    });
    const double tolerance = c["tolerance"]["rel"];
    EXPECT_NEAR(v, c["expected"]["v_at_x2"], tolerance * v) << scheme;
    EXPECT_NEAR(t, c["expected"]["t_at_x2"], tolerance * t) << scheme;
    const Energy e = s.frame().energy;
    EXPECT_NEAR(e.field_work, e.kinetic - e.initial, 1e-9 * e.kinetic) << scheme;
    EXPECT_NEAR(e.residual, 0, 1e-9 * e.turned_over) << scheme;
  }
}

TEST(ElectricField, InASlab) {
  const auto c = reference_case("E-field-slab");
  const Frame f = last_frame(simulate(one(R"(radius = 0.05
list = [{ x = [0, 0, 0], v = [2, 0, 0], mass = 0.002, charge = 0.001 }])",
                                          1e-4, 1.5, R"([fields.e]
electric = [0, 4, 0]
region = { slab = { from = [0.5, 0, 0], to = [1.5, 0, 0] } })")));
  const double tolerance = c["tolerance"]["rel"];
  EXPECT_NEAR(f.particles.x[0].y, c["expected"]["y"], tolerance);
  EXPECT_NEAR(f.particles.v[0].y, c["expected"]["v_y"], tolerance);
  EXPECT_EQ(f.particles.charge[0], 0.001);
}

TEST(MagneticField, Cyclotron) {
  const auto c = reference_case("cyclotron");
  const double radius = c["expected"]["radius"], period = c["expected"]["period"], tolerance = c["tolerance"]["rel"];
  for (const char* scheme : kSchemes)
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const double dt = period / 8000;
      Simulation s =
          simulate(one("radius = 0.05\nmass = 0.001\ncharge = 0.001\nlist = [{ x = [0, 0, 0], v = [1, 0, 0] }]", dt,
                       10 * period, "[fields.b]\nmagnetic = [0, 0, 2]"),
                   {fmt::format("numerics.scheme=\"{}\"", scheme), "materials.a.young=1e5"}, engine);
      s.advance(2000);
      const Vec3d quarter = s.frame().particles.x[0];
      const auto& expected = c["expected"]["position_quarter_period"];
      EXPECT_NEAR(quarter.x, expected[0], tolerance * radius) << scheme;
      EXPECT_NEAR(quarter.y, expected[1], tolerance * radius) << scheme;
      const Frame f = s.frame();  // the frame's force is that of the present velocity
      EXPECT_NEAR(norm(f.particles.force[0]), 0.001 * 2, 1e-12) << scheme;
      s.advance(6000);
      EXPECT_NEAR(norm(s.frame().particles.x[0]), 0, tolerance * radius) << scheme;
      s.advance(1 << 20);
      // no work: the speed is kept to round-off over 80 000 steps
      EXPECT_NEAR(norm(s.frame().particles.v[0]), 1, 1e-12) << scheme;
      EXPECT_EQ(s.frame().energy.field_work, 0) << scheme;
    }
}

// A large step turns too little, by 2 atan(w dt/2), but still does no work, with other forces beside.
TEST(MagneticField, CrossedFieldsDrift) {
  for (const char* scheme : kSchemes) {
    Simulation s = simulate(one("radius = 1\nmass = 2\ncharge = 3\nlist = [{ x = [0, 0, 0] }]", 1e-3, 20,
                                "[fields.b]\nmagnetic = [0, 0, 4]\n[fields.e]\nelectric = [0, 2, 0]"),
                            {fmt::format("numerics.scheme=\"{}\"", scheme)});
    const Frame f = last_frame(std::move(s));
    // E x B drift of E/B = 0.5 m/s along x; the cycloid adds at most one radius, v/w = 0.5/6
    EXPECT_NEAR(f.particles.x[0].x, 0.5 * 20, 0.09) << scheme;
    EXPECT_NEAR(f.energy.residual, 0, 1e-10) << scheme;
    EXPECT_NEAR(f.energy.field_work, f.energy.kinetic, 1e-10) << scheme;
  }
}

TEST(Gravity, TurningOneDoesWork) {
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f =
        last_frame(simulate(one("radius = 1\nlist = [{ x = [1, 2, 3] }]", 1e-4, 2,
                                "[fields.g]\nacceleration = [5, 0, 0]\nturning = { axis = [0, 0, 1], rate = 3 }"),
                            {}, engine));
    // v = 5/3 (sin 3t, 1 - cos 3t)
    EXPECT_NEAR(f.particles.v[0].x, 5.0 / 3 * std::sin(6), 2e-3);
    EXPECT_NEAR(f.particles.v[0].y, 5.0 / 3 * (1 - std::cos(6)), 2e-3);
    EXPECT_NEAR(f.energy.removed, 0, 1e-9);
    EXPECT_NEAR(f.energy.kinetic + f.energy.potential - f.energy.initial, f.energy.field_work,
                1e-3 * f.energy.turned_over);
    EXPECT_NEAR(f.energy.residual, 0, 1e-3 * f.energy.turned_over);
  }
}

TEST(Gravity, InARegionAndForATime) {
  const std::string rest = R"([fields.up]
acceleration = [0, 0, 10]
region = { sphere = { center = [0, 0, 0], radius = 1 } }
start = 0.1
stop = 0.3
[fields.aside]
acceleration = [2, 0, 0]
region = { sphere = { center = [0, 0, 0], radius = 1 }, outside = true }
start_stage = "second")";
  const std::string toml = one("radius = 0.1\nlist = [{ x = [0, 0, 0] }, { x = [0, 0, 5] }]", 1e-3, 0.4, rest) +
                           "\n[[stages]]\nname = \"second\"\nduration = 0.5\n";
  for (const Engine engine : {Engine::cpu, Engine::reference}) {
    const Frame f = last_frame(simulate(toml, {}, engine));
    EXPECT_NEAR(f.particles.v[0].z, 2, 1e-9);
    EXPECT_NEAR(f.particles.v[1].z, 0, 1e-12);
    EXPECT_NEAR(f.particles.v[1].x, 1, 1e-2);
    EXPECT_EQ(f.energy.potential, 0);
    EXPECT_NEAR(f.energy.residual, 0, 1e-9 * f.energy.turned_over);
  }
}

TEST(Fields, TimeStepFollowsTheCyclotron) {
  Simulation s = simulate(one("radius = 0.05\nmass = 0.001\ncharge = 0.001\nlist = [{ x = [0, 0, 0], v = [1, 0, 0] }]",
                              1, 1, "[fields.b]\nmagnetic = [0, 0, 1e6]"),
                          {"numerics.dt=\"auto\"", "stages=[{duration=1e-7}]"});
  expect_step(s.choices().dt, 2 * std::numbers::pi / 1e6 / 100);
  EXPECT_NE(s.choices().dt_reason.find("magnetic"), std::string::npos);
}
