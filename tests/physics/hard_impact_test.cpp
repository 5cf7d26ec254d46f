// The law of hard collisions by itself: conservation, cone, coefficients, closed forms.
#include "physics/hard_impact.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace areia {
namespace {

struct After {
  ImpactBody i, j;
  Impact hit;
};

After collide(const ImpactPair& p, const Vec3d& n, const ImpactBody& i, const ImpactBody& j) {
  After a{i, j, Walton::collide(p, n, i, j)};
  const Vec3d turn = cross(n, a.hit.tangential);
  a.i.v += i.inv_m * a.hit.impulse;
  a.i.w += i.inv_j * i.radius * turn;
  a.j.v -= j.inv_m * a.hit.impulse;
  a.j.w += j.inv_j * j.radius * turn;
  return a;
}

Vec3d slip_velocity(const ImpactBody& i, const ImpactBody& j, const Vec3d& n) {
  return i.v + cross(i.w, i.radius * n) - j.v - cross(j.w, -j.radius * n);
}

double energy(const ImpactBody& b) { return b.inv_m > 0 ? 0.5 * norm2(b.v) / b.inv_m + 0.5 * norm2(b.w) / b.inv_j : 0; }

// About the contact point, from which the centre is at `arm`: an impulse there cannot change it.
Vec3d angular_momentum(const ImpactBody& b, const Vec3d& arm) {
  return (1 / b.inv_m) * cross(arm, b.v) + (1 / b.inv_j) * b.w;
}

TEST(HardImpact, RandomPairsKeepTheLaws) {
  Random random(11);
  const auto vector = [&](double size) { return random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size}); };
  int sliding = 0, sticking = 0, walls = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3d n = unit(vector(1));
    const bool wall = k % 4 == 0;
    const auto body = [&] {
      const double radius = random.uniform(0.1, 2), mass = random.uniform(0.1, 10);
      return ImpactBody{vector(3), vector(3), radius, 1 / mass, 1 / (0.4 * mass * radius * radius)};
    };
    const ImpactBody i = body(), j = wall ? ImpactBody{} : body();
    if (dot(i.v - j.v, n) <= 0) continue;
    const ImpactPair p{random.uniform(), random.uniform(-1, 1), random.uniform(0, 1.5)};
    const After a = collide(p, n, i, j);
    const double size = energy(i) + energy(j), lost = a.hit.lost_normal + a.hit.lost_tangential;

    EXPECT_NEAR(energy(a.i) + energy(a.j) + lost, size, 1e-13 * size);
    EXPECT_GE(a.hit.lost_normal, 0);
    EXPECT_GE(a.hit.lost_tangential, -1e-15 * size);
    EXPECT_LE(norm(a.hit.tangential), p.mu * a.hit.normal * (1 + 1e-14));
    EXPECT_NEAR(dot(a.hit.tangential, n), 0, 1e-13 * (1 + a.hit.normal));
    EXPECT_LT(norm(angular_momentum(a.i, -i.radius * n) - angular_momentum(i, -i.radius * n)),
              1e-12 * (1 + norm(angular_momentum(i, -i.radius * n))));
    if (!wall) {
      EXPECT_LT(norm(angular_momentum(a.j, j.radius * n) - angular_momentum(j, j.radius * n)),
                1e-12 * (1 + norm(angular_momentum(j, j.radius * n))));
      const Vec3d before = (1 / i.inv_m) * i.v + (1 / j.inv_m) * j.v;
      EXPECT_LT(norm((1 / i.inv_m) * a.i.v + (1 / j.inv_m) * a.j.v - before), 1e-13 * (1 + norm(before)) * 100);
    }
    EXPECT_LT(norm(a.hit.dv_i - i.inv_m * a.hit.impulse), 1e-14 * (1 + norm(a.hit.dv_i)));
    EXPECT_LT(norm(a.hit.dv_j + j.inv_m * a.hit.impulse), 1e-14 * (1 + norm(a.hit.dv_j)));
    const Vec3d g = slip_velocity(i, j, n), after = slip_velocity(a.i, a.j, n);
    EXPECT_NEAR(dot(after, n), -p.e * dot(g, n), 1e-12);
    const Vec3d g_t = g - dot(g, n) * n, after_t = after - dot(after, n) * n;
    const bool slides = norm(a.hit.tangential) >= p.mu * a.hit.normal * (1 - 1e-12);
    if (slides) {  // friction never turns the slip round beyond what sticking would do
      EXPECT_LT(norm(cross(after_t, g_t)), 1e-11 * (1 + norm2(g_t)));
      EXPECT_GE(dot(after_t, g_t), -p.e_t * norm2(g_t) - 1e-11);
    } else {
      EXPECT_LT(norm(after_t + p.e_t * g_t), 1e-12 * (1 + norm(g_t)));
    }
    sliding += slides;
    sticking += !slides;
    walls += wall;
  }
  EXPECT_GT(sliding, 500);
  EXPECT_GT(sticking, 500);
  EXPECT_GT(walls, 500);
}

TEST(HardImpact, FrameDoesNotMatter) {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const auto vector = [&] { return random.uniform(Vec3d{-1, -1, -1}, Vec3d{1, 1, 1}); };
    const ImpactBody i{vector(), vector(), 0.5, 2, 9}, j{vector(), vector(), 0.7, 1, 4};
    const Vec3d n = unit(vector()), moving = 10.0 * vector();
    const ImpactPair p{0.7, 0.3, 0.4};
    if (dot(i.v - j.v, n) <= 0) continue;
    ImpactBody i2 = i, j2 = j;
    i2.v += moving;
    j2.v += moving;
    EXPECT_LT(norm(Walton::collide(p, n, i, j).impulse - Walton::collide(p, n, i2, j2).impulse), 1e-12);
    EXPECT_LT(norm(Walton::collide(p, n, i, j).impulse + Walton::collide(p, -n, j, i).impulse),
              1e-13);  // i and j swapped
  }
}

// Equal smooth elastic spheres exchange their normal velocities.
TEST(HardImpact, EqualSpheresExchange) {
  const ImpactBody i{{2, 1, 0}, {}, 0.5, 1, 10}, j{{-1, 3, 5}, {}, 0.5, 1, 10};
  const After a = collide({1, 0, 0}, {1, 0, 0}, i, j);
  EXPECT_EQ(a.i.v, (Vec3d{-1, 1, 0}));
  EXPECT_EQ(a.j.v, (Vec3d{2, 3, 5}));
  EXPECT_EQ(a.i.w, Vec3d{});
}

// A sphere without spin on a wall. Sticking (e_t = 0): 1/m_t = 7/(2 m), so 5/7 of the sliding speed remain and it
// rolls. Sliding through: mu (1 + e) of the normal speed is taken.
TEST(HardImpact, SphereOnWall) {
  const double r = 0.3, m = 2;
  const ImpactBody ball{{1, 0, -2}, {}, r, 1 / m, 1 / (0.4 * m * r * r)};
  const After rolls = collide({0.5, 0, 10}, {0, 0, -1}, ball, {});
  EXPECT_NEAR(rolls.i.v.x, 5.0 / 7, 1e-15);
  EXPECT_NEAR(rolls.i.w.y, 5.0 / 7 / r, 1e-14);
  EXPECT_NEAR(rolls.i.v.z, 1, 1e-15);
  const After slides = collide({0.5, 0, 0.05}, {0, 0, -1}, ball, {});
  EXPECT_NEAR(slides.i.v.x, 1 - 0.05 * 1.5 * 2, 1e-15);
  EXPECT_NEAR(slides.i.w.y, 2.5 * 0.05 * 1.5 * 2 / r, 1e-14);
  // perfectly rough and elastic: the slip turns round and nothing is lost
  const After rough = collide({1, 1, 10}, {0, 0, -1}, ball, {});
  EXPECT_NEAR(energy(rough.i), energy(ball), 1e-14);
  EXPECT_NEAR(rough.i.v.x - r * rough.i.w.y, -1, 1e-14);
}

}  // namespace
}  // namespace areia
