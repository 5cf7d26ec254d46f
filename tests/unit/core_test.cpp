// Rotations, random numbers, effective moduli.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "core/rotation.h"
#include "physics/laws.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

TEST(Rotation, RodriguesComposition) {
  const auto c = reference_case("rodrigues-composition");
  const Vec3d a = compose_rodrigues({-0.1, 0.4, 0.7}, {0.3, -0.5, 0.2});
  const double tolerance = c["tolerance"]["abs"];
  EXPECT_NEAR(a.x, c["expected"]["alpha"][0], tolerance);
  EXPECT_NEAR(a.y, c["expected"]["alpha"][1], tolerance);
  EXPECT_NEAR(a.z, c["expected"]["alpha"][2], tolerance);
  // the same through quaternions
  const Quat q = multiply(from_rodrigues({-0.1, 0.4, 0.7}), from_rodrigues({0.3, -0.5, 0.2}));
  EXPECT_NEAR(2 * q[1] / q[0], a.x, 1e-14);
  EXPECT_NEAR(2 * q[2] / q[0], a.y, 1e-14);
  EXPECT_NEAR(2 * q[3] / q[0], a.z, 1e-14);
}

TEST(Rotation, SinCosAgreeWithTheLibrary) {
  Random random(7);
  for (int k = 0; k < 100000; ++k) {
    const double x = random.uniform(-1000, 1000);
    EXPECT_NEAR(sin_cos(x).sin, std::sin(x), 3e-16 + 1e-16 * std::fabs(x) / 1000);
    EXPECT_NEAR(sin_cos(x).cos, std::cos(x), 3e-16 + 1e-16 * std::fabs(x) / 1000);
  }
}

// A whole turn in steps comes back; the `source` increment turns by 2 atan(w dt/2) instead (erratum E2).
TEST(Rotation, Increments) {
  const Vec3d w{0, 0, 2 * std::numbers::pi};
  Quat exact{1, 0, 0, 0}, source = exact;
  for (int k = 0; k < 100; ++k) {
    exact = turned(exact, w, 0.01, true);
    source = turned(source, w, 0.01, false);
  }
  EXPECT_NEAR(std::fabs(exact[0]), 1, 1e-14);
  EXPECT_NEAR(norm(rotation_vector(exact)), 0, 1e-13);
  const double turn = 100 * 2 * std::atan(0.5 * 0.01 * w.z);
  EXPECT_NEAR(rotation_vector(source).z, turn - 2 * std::numbers::pi, 1e-12);
  const Vec3d u = rotate(turned({1, 0, 0, 0}, {0, 0, std::numbers::pi / 4}, 1, true), {1, 0, 0});
  EXPECT_NEAR(u.x, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(u.y, std::sqrt(0.5), 1e-15);
}

TEST(RandomNumbers, TruncatedGaussian) {
  const auto c = reference_case("truncated-gaussian-2sigma");
  // the sample of the case, 25 times over: its own mean scatters by 0.0006, against a tolerance of 0.001
  Random random(1);
  const int n = 25 * c["inputs"]["n"].get<int>();
  double sum = 0, sum2 = 0, low = 1, high = 0;
  for (int k = 0; k < n; ++k) {
    const double r = 0.01 + 0.001 * random.truncated_normal(2);
    sum += r;
    sum2 += r * r;
    low = std::min(low, r);
    high = std::max(high, r);
  }
  const double mean = sum / n, deviation = std::sqrt(sum2 / n - mean * mean);
  EXPECT_NEAR(mean, 0.01, c["tolerance"]["rel_mean"].get<double>() * 0.01);
  EXPECT_NEAR(deviation, c["expected"]["std"], c["tolerance"]["rel_std"].get<double>() * deviation);
  EXPECT_GE(low, 0.008);
  EXPECT_LE(high, 0.012);
}

TEST(Moduli, RigidAndOwnWalls) {
  const auto c = reference_case("eq-2.93-wall-moduli");
  const Material grain{.name = "g", .density = 1, .young = 2e9, .poisson = 0.25};
  const Material wall{.name = "w", .rigid = true};
  const double tolerance = c["tolerance"]["rel"];
  auto near = [&](double a, const char* name) { EXPECT_NEAR(a, c["expected"][name], tolerance * a) << name; };
  near(e_star({grain, wall}), "E_star_rigid");
  near(e_star({grain, grain}), "E_star_same_material");
  near(g_star({grain, wall}, true), "G_star_mindlin_rigid");
  near(g_star({grain, wall}, false), "G_star_source");
  EXPECT_EQ(e_star({grain, wall}, true), 2e9);
  EXPECT_EQ(overlap_share_of_i({grain, wall}), 1);
  EXPECT_NEAR(overlap_share_of_i({grain, grain}), 0.5, 1e-15);
}
