// Work of sliding and of impacts on walls, against energies that are known.
#include <gtest/gtest.h>

#include <cmath>

#include "areia/observe.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// A ball that cannot turn slides over a floor until friction stops it.
std::string sliding_ball(const std::string& scheme = "drift_kick") {
  return R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
tangential = { law = "coulomb_history", mu = 0.4 }
[particles.ball]
material = "a"
radius = 0.01
inhibit_rotation = true
list = [{ x = [0, 0, 0.00999], v = [1, 0, 0] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.5
[numerics]
scheme = ")" +
         scheme +
         R"("
[output.measure.worn]
kind = "wear"
)";
}

double sum(const std::vector<double>& all) {
  double s = 0;
  for (const double a : all) s += a;
  return s;
}

}  // namespace

// All of m v^2/2 goes into sliding, but for what the spring keeps and dampers take; the product of normal force and
// slip is that over mu. Normal forces swing about m g at first, which changes neither.
TEST(Wear, OfABallThatSlidesToRest) {
  const double m = 2500 * 4.0 / 3 * M_PI * 1e-6;
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"}) {
    const Frame f = last_frame(simulate(sliding_ball(scheme)));
    ASSERT_EQ(f.wear.size(), 1u);
    EXPECT_NEAR(f.particles.v[0].x, 0, 0.01);  // it swings on its spring
    EXPECT_NEAR(sum(f.wear[0].sliding), 0.5 * m, 1e-4 * 0.5 * m) << scheme;
    EXPECT_NEAR(sum(f.wear[0].loaded), 0.5 * m / 0.4, 1e-4 * 0.5 * m / 0.4) << scheme;
    EXPECT_NEAR(sum(f.wear[0].sliding), f.energy.sliding, 1e-3 * f.energy.sliding) << scheme;
  }
}

// It is the slip that counts: a ball that a moving floor takes along wears it as much.
TEST(Wear, OnAFloorThatMoves) {
  Case c = parse_case(sliding_ball(), "test");
  auto& ball = std::get<std::vector<ListedParticle>>(c.particles[0].source)[0];
  ball.v = {};
  c.walls[0].motion.kind = Motion::Kind::constant;
  c.walls[0].motion.velocity = {-1, 0, 0};
  const Frame f = last_frame(Simulation(c));
  const double m = 2500 * 4.0 / 3 * M_PI * 1e-6;
  EXPECT_NEAR(f.particles.v[0].x, -1, 0.01);
  EXPECT_NEAR(sum(f.wear[0].sliding), 0.5 * m, 1e-4 * 0.5 * m);
  EXPECT_NEAR(sum(f.wear[0].loaded), 0.5 * m / 0.4, 1e-4 * 0.5 * m / 0.4);
}

// In a periodic box a grain may touch the image of a mesh; the triangle that it would touch there takes the wear.
TEST(Wear, OfTheImageOfAMeshIsThatOfTheMesh) {
  const auto wear = [](double x) {
    Case c = parse_case(sliding_ball(), "test");
    auto& ball = std::get<std::vector<ListedParticle>>(c.particles[0].source)[0];
    ball.v = {0, 0.3, 0};
    ball.x.x = x;
    MeshShape plate;
    plate.vertices = {{-0.05, -1, 0}, {-0.001, -1, 0}, {-0.001, 1, 0}, {-0.05, 1, 0}};
    plate.triangles = {{0, 1, 2}, {0, 2, 3}};
    c.walls[0].shape = plate;
    c.domain.bounded = true;
    c.domain.box = {{-0.05, -1, -1}, {0.05, 1, 1}};
    c.domain.periodic = {true, false, false};
    c.stages[0].duration = 0.05;
    return last_frame(Simulation(c)).wear[0];
  };
  // over its first triangle from either side of the face x = -0.05 = 0.05, where it lies on the edge of the plate
  const FrameWear inside = wear(-0.05), beyond = wear(std::nextafter(0.05, 0));
  EXPECT_GT(inside.sliding[0] + inside.sliding[1], 1e-5);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(beyond.sliding[k], inside.sliding[k], 1e-9) << k;
}

// Each triangle takes mu m g times the way on it.
TEST(Wear, IsBookedOnTheTriangleThatIsTouched) {
  Case c = parse_case(sliding_ball(), "test");
  MeshShape strip;
  for (int k = 0; k <= 12; ++k) {
    strip.vertices.push_back({0.01 * k - 0.005, -0.1, 0});
    strip.vertices.push_back({0.01 * k - 0.005, 0.3, 0});
    if (k == 0) continue;
    const std::int32_t n = 2 * k;
    strip.triangles.push_back({n - 2, n, n + 1});
    strip.triangles.push_back({n - 2, n + 1, n - 1});
  }
  c.walls[0].shape = strip;
  const Frame f = last_frame(Simulation(c));
  ASSERT_EQ(f.wear[0].sliding.size(), 24u);
  ASSERT_EQ(f.walls[0].polygons.size(), 24u);
  const double force = 0.4 * 9.81 * 2500 * 4.0 / 3 * M_PI * 1e-6;
  // the edge between the two triangles of a square is met at a quarter of its way, y = 0 between -0.1 and 0.3
  for (std::size_t k = 2; k < 10; ++k) {
    EXPECT_NEAR(f.wear[0].sliding[2 * k], force * 0.0075, 0.04 * force * 0.01) << k;
    EXPECT_NEAR(f.wear[0].sliding[2 * k + 1], force * 0.0025, 0.04 * force * 0.01) << k;
  }
  Measure m = c.output.measure[0];
  m.wear_coefficient = 1e-9;
  Observer o(m, c);
  o.look(f);
  const auto surface = std::get<FieldSurface>(o.picture(f));
  ASSERT_EQ(surface.polygons.size(), 24u);
  ASSERT_EQ(surface.arrays[1].name, "sliding");
  ASSERT_EQ(surface.arrays[4].name, "depth");
  EXPECT_NEAR(surface.arrays[1].values[8], f.wear[0].sliding[8] / (0.5 * 0.01 * 0.4), 1e-9);
  EXPECT_NEAR(surface.arrays[4].values[8], 1e-9 * f.wear[0].loaded[8] / (0.5 * 0.01 * 0.4), 1e-15);
  EXPECT_NEAR(o.lines(f)[0][1], 0.5 * 2500 * 4.0 / 3 * M_PI * 1e-6, 0.003);
}

// A normal impact compresses with all the energy that the ball has, m v^2/2, whatever it keeps of it.
TEST(Wear, OfANormalImpactIsItsEnergy) {
  for (const char* xi : {"0", "0.3"})
    for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet"}) {
      const Frame f = last_frame(simulate(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = )" + std::string(xi) +
                                          R"( }
[particles.ball]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0.011], v = [0, 0, -2] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
duration = 0.02
[numerics]
scheme = ")" + scheme + R"("
[output.measure.worn]
kind = "wear"
)"));
      const double energy = 0.5 * 2500 * 4.0 / 3 * M_PI * 1e-6 * 4;
      EXPECT_GT(f.particles.v[0].z, 0);
      EXPECT_NEAR(sum(f.wear[0].impact), energy, 0.004 * energy) << xi << " " << scheme;
      EXPECT_EQ(sum(f.wear[0].sliding), 0);
    }
}

// A ball that rolls without slip wears nothing: what winds the spring up comes back.
TEST(Wear, OfARollingBallIsNone) {
  const Frame f = last_frame(simulate(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
tangential = { law = "coulomb_history", mu = 0.4 }
[particles.ball]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0.00999], v = [1, 0, 0], w = [0, 100, 0] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.5
[output.measure.worn]
kind = "wear"
)"));
  EXPECT_NEAR(f.particles.v[0].x, 1, 1e-3);
  const double energy = 0.5 * 2500 * 4.0 / 3 * M_PI * 1e-6;
  EXPECT_NEAR(sum(f.wear[0].sliding), 0, 1e-5 * energy);
  EXPECT_NEAR(sum(f.wear[0].loaded), 0, 1e-4 * energy);
}

// Nothing is kept for a case that does not ask.
TEST(Wear, IsBookedOnlyWhereAMeasureAsksForIt) {
  Case c = parse_case(sliding_ball(), "test");
  c.output.measure.clear();
  c.stages[0].duration = 0.01;
  const Frame f = last_frame(Simulation(c));
  EXPECT_TRUE(f.wear.empty());
}
