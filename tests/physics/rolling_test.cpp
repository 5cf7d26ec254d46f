// Sliding and rolling on planes: 000 examples 4.3 and 4.4, 001 6.2 and 6.3, rolling resistance, the chute of 001 7.2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const char* const kSkid = R"(
[materials.ball]
young = 1e10
poisson = 0.25
density = 1
[contacts.ball-floor]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.25 }
[contacts.ball-ball]
like = "ball-floor"
[particles.ball]
material = "ball"
radius = 0.2
mass = 1000
list = [{ x = [0, 0.2, 0], v = [2.355, 0, 0], w = [0, 0, -127.03] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[fields.g]
acceleration = [0, -9.81, 0]
[numerics]
dt = 1e-4
[[stages]]
name = "roll"
duration = 5
)";

}  // namespace

// 000 4.3: v = 2.355 + 2.4525 t and w = -127.03 + 30.656 t until rolling at 2.6854 s, then uniform.
TEST(Rolling, SkidThenRoll) {
  const auto c = reference_case("000-4.3");
  const double tolerance = c["tolerance"]["rel"];
  Simulation s = simulate(kSkid);
  double t_roll = 0, v = 0, w = 0;
  int samples = 0;
  watch(s, [&](const Frame& f) {
    const double slip = f.particles.v[0].x + 0.2 * f.particles.w[0].z;
    if (t_roll == 0 && slip >= 0) t_roll = f.time;
    if (f.time > 4) {  // undamped vibration of the springs averages out
      v += f.particles.v[0].x;
      w += f.particles.w[0].z;
      ++samples;
    }
    if (f.step == 10000) {
      // sliding: the friction impulse is mu times the normal impulse, m (g t + v_y), whatever the vertical vibration
      const double impulse = 0.25 * (9.81 * f.time + f.particles.v[0].y);
      EXPECT_NEAR(f.particles.v[0].x, 2.355 + impulse, 1e-9);
      EXPECT_NEAR(f.particles.w[0].z, -127.03 + 2.5 * impulse / 0.2, 1e-9);
    }
  });
  EXPECT_NEAR(t_roll, c["expected"]["t_roll"], tolerance * t_roll);
  EXPECT_NEAR(v / samples, c["expected"]["v_x_roll"], tolerance * 8.941);
  EXPECT_NEAR(w / samples, c["expected"]["omega_z_roll"], tolerance * 44.7);
  EXPECT_NEAR(s.frame().particles.x[0].x, c["expected"]["x_at_5s"], tolerance * 35.86);
}

// 001 6.3: the same at t = 3.
TEST(Rolling, Horizontal) {
  const auto c = reference_case("001-6.3");
  const double tolerance = c["tolerance"]["rel"];
  Simulation s = simulate(kSkid, {"stages=[{name=\"a\",duration=3}]", "particles.ball.mass=167.5516081914556"});
  double t_stick = 0, v = 0, w = 0;
  int samples = 0;
  watch(s, [&](const Frame& f) {
    if (t_stick == 0 && f.particles.v[0].x + 0.2 * f.particles.w[0].z >= 0) t_stick = f.time;
    if (f.time > 2.75) {
      v += f.particles.v[0].x;
      w += f.particles.w[0].z;
      ++samples;
    }
  });
  EXPECT_NEAR(s.frame().particles.x[0].x, c["expected"]["x"], tolerance * 17.98);
  EXPECT_NEAR(v / samples, c["expected"]["v_x"], tolerance * 8.941);
  EXPECT_NEAR(w / samples, c["expected"]["omega_z"], tolerance * 44.705);
  EXPECT_NEAR(t_stick, c["expected"]["t_stick"], c["tolerance"]["rel_t"].get<double>() * t_stick);
}

// 000 4.4: three balls roll towards the centroid of a triangle, rebound, and roll again.
TEST(Rolling, ThreeBalls) {
  const auto c = reference_case("000-4.4-as-source");
  const auto& x = c["expected"];
  const double tolerance = c["tolerance"]["rel"], times = c["tolerance"]["rel_times"];
  const std::string toml = R"(
[materials.ball]
young = 1e10
poisson = 0.25
density = 1
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.5, shear_modulus = "source" }
[particles.balls]
material = "ball"
radius = 0.2
mass = 1000
list = [
  { x = [-1, -0.57735026918962573, 0.2], v = [1.7320508075688772, 1, 0], w = [-5, 8.6602540378443873, 0] },
  { x = [1, -0.57735026918962573, 0.2], v = [-1.7320508075688772, 1, 0], w = [-5, -8.6602540378443873, 0] },
  { x = [0, 1.1547005383792515, 0.2], v = [0, -2, 0], w = [10, 0, 0] },
]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 1e-5
[[stages]]
name = "roll"
duration = 2
)";
  Simulation s = simulate(toml);
  double start = 0, end = 0, spin_zero = 0, roll = 0, back = 0;
  Vec3d v1, w1, v3, w3, after;
  int samples = 0;
  const double r = 0.2;
  double last_w = 0;
  watch(s, [&](const Frame& f) {
    for (const FrameContact& contact : f.contacts)
      if (contact.j >= 0) {
        if (start == 0) start = f.time;
        end = f.time;
      }
    const Vec3d v = f.particles.v[0], w = f.particles.w[0];
    if (f.step == 47000) after = v;
    const double spin = w.y;  // 8.66 at first, negative after the rebound
    if (end > 0 && spin_zero == 0 && last_w > 0 && spin <= 0) spin_zero = f.time;
    last_w = spin;
    // rolling again when the contact point stops sliding: v_x = r w_y
    if (spin_zero > 0 && roll == 0 && v.x - r * w.y >= 0) roll = f.time;
    if (end > 0 && back == 0 && f.particles.x[0].x <= -1) back = f.time;
    if (f.time > 1) {
      v1 += v;
      w1 += w;
      v3 += f.particles.v[2];
      w3 += f.particles.w[2];
      ++samples;
    }
  });
  const double n = 1.0 / samples;
  EXPECT_NEAR(start, x["contact_start"], times * start);
  EXPECT_NEAR(end - start, x["contact_duration"], times * 0.00466 + 2e-5);
  EXPECT_NEAR(after.x, x["v1_at_0_47"][0], tolerance * 1.69);
  EXPECT_NEAR(after.y, x["v1_at_0_47"][1], tolerance * 0.976);
  EXPECT_NEAR(n * v1.x, x["v1_roll"][0], tolerance * 0.7595);
  EXPECT_NEAR(n * v1.y, x["v1_roll"][1], tolerance * 0.4385);
  EXPECT_NEAR(n * w1.x, x["omega1_roll"][0], tolerance * 2.1925);
  EXPECT_NEAR(n * w1.y, x["omega1_roll"][1], tolerance * 3.7975);
  EXPECT_NEAR(n * v3.y, x["v3_roll_y"], tolerance * 0.877);
  EXPECT_NEAR(n * w3.x, x["omega3_roll_x"], tolerance * 4.385);
  EXPECT_NEAR(spin_zero, x["t_spin_zero"], times * spin_zero);
  EXPECT_NEAR(roll, x["t_roll"], times * roll);
  EXPECT_NEAR(back, x["t_back"], times * back);
}

namespace {

// 001 6.2: an incline of tan 0.75 on which the ball slips for ever.
const char* const kIncline = R"(
[materials.ball]
young = 1e9
poisson = 0.25
density = 5000
[contacts.ball-ball]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.2 }
[particles.ball]
material = "ball"
radius = 0.25
list = [{ x = [-0.15, 0.2, 0], v = [-6.08, -4.56, 0], w = [0, 0, 16] }]
[walls.plane]
material = "ball"
plane = { point = [0, 0, 0], normal = [-0.6, 0.8, 0] }
[fields.g]
acceleration = [0, -10, 0]
[numerics]
scheme = "kick_drift"
dt = 1e-3
[[stages]]
name = "slide"
duration = 3.002
)";

}  // namespace

// The source's printed digits come from kick_drift with a wall of the ball's own material.
TEST(Rolling, InclineSingleSweep) {
  const auto c = reference_case("001-6.2-single-sweep");
  const Frame f = last_frame(simulate(kIncline));
  const double tolerance = c["tolerance"]["abs"];
  EXPECT_EQ(f.step, 3002);
  EXPECT_NEAR(f.particles.x[0].x + 0.15, c["expected"]["r"][0], tolerance);
  EXPECT_NEAR(f.particles.x[0].y - 0.2, c["expected"]["r"][1], tolerance);
  EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v"][0], tolerance);
  EXPECT_NEAR(f.particles.v[0].y, c["expected"]["v"][1], tolerance);
  EXPECT_NEAR(f.particles.w[0].z, c["expected"]["omega"][2], tolerance);
}

TEST(Rolling, InclineAnalytic) {
  const auto c = reference_case("001-6.2-analytic");
  const Frame f = last_frame(simulate(kIncline, {"numerics.dt=1e-4", "numerics.scheme=\"drift_kick\""}));
  const double tolerance = c["tolerance"]["rel"];
  EXPECT_NEAR(f.particles.x[0].x + 0.15, c["expected"]["r"][0], tolerance * 34.1);
  EXPECT_NEAR(f.particles.x[0].y - 0.2, c["expected"]["r"][1], tolerance * 25.6);
  EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v"][0], tolerance * 16.6);
  EXPECT_NEAR(f.particles.v[0].y, c["expected"]["v"][1], tolerance * 12.5);
  EXPECT_NEAR(f.particles.w[0].z, c["expected"]["omega"][2], tolerance * 64);
}

// A ball on a level plane slows at (5/7) mu_R g. Static overlap at the start: delta = (3 m g/(4 E* sqrt(r)))^(2/3).
TEST(Rolling, ConstantTorque) {
  const auto c = reference_case("rolling-resistance-a");
  const double e_star = 1e7 / (1 - 0.09);
  const double overlap = std::pow(3 * 2.0 * 9.81 / (4 * e_star * std::sqrt(0.1)), 2.0 / 3);
  const std::string toml = fmt::format(R"(
[materials.ball]
young = 1e7
poisson = 0.3
density = 1
[contacts.ball-floor]
normal = {{ law = "hertz", xi = 0.1 }}
tangential = {{ law = "coulomb_history", mu = 0.5, xi = 0.1 }}
rolling = {{ law = "constant", mu = 0.02 }}
[contacts.ball-ball]
like = "ball-floor"
[particles.ball]
material = "ball"
radius = 0.1
mass = 2
list = [{{ x = [0, 0, {:.17g}], v = [1, 0, 0], w = [0, 10, 0] }}]
[walls.floor]
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
name = "roll"
duration = 2
)",
                                       0.1 - overlap);
  const Frame f = last_frame(simulate(toml));
  EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v"], c["tolerance"]["rel"].get<double>() * 0.72);
  EXPECT_LT(std::fabs(f.energy.residual), 0.01 * f.energy.rolling);
}

// 001 7.2: pure rolling down a chute of slope 0.1 without rolling resistance: a_x and dw/dt.
TEST(Rolling, Chute) {
  const auto c = reference_case("001-7.2-chute-rolling");
  const double slope = 0.1, s = slope / std::sqrt(1 + slope * slope), k = 1 / std::sqrt(1 + slope * slope);
  const double r = 0.2;
  const std::string toml = fmt::format(R"(
[materials.ball]
young = 1e9
poisson = 0.25
density = 2500
[contacts.ball-chute]
normal = {{ law = "hertz", xi = 0.9 }}
tangential = {{ law = "coulomb_history", mu = 0.2, xi = 0.1 }}
[contacts.ball-ball]
like = "ball-chute"
[particles.ball]
material = "ball"
radius = {}
list = [{{ x = [{:.17g}, 0, {:.17g}] }}]
[walls.chute]
plane = {{ point = [0, 0, 0], normal = [{:.17g}, 0, {:.17g}] }}
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
name = "roll"
duration = 2
)",
                                       r, r * s, r * k, s, k);
  Simulation sim = simulate(toml);
  const auto half = static_cast<std::int64_t>(std::llround(1.0 / sim.dt()));
  sim.advance(half);
  const Frame a = sim.frame();
  const Frame b = last_frame(std::move(sim));
  const double dt = b.time - a.time, tolerance = c["tolerance"]["rel"];
  EXPECT_NEAR((b.particles.v[0].x - a.particles.v[0].x) / dt, c["expected"]["a_x"], tolerance * 0.694);
  EXPECT_NEAR((b.particles.w[0].y - a.particles.w[0].y) / dt, c["expected"]["omega_rate"], tolerance * 3.49);
}
