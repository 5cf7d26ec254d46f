// Single impacts: 000 example 4.2, closed forms of the Hertz and linear contacts, moving walls, oblique impact 001 6.1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/hertz.h"
#include "physics/laws.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// 000 example 4.2: r 0.1, m 10, E 1e9, nu 0, closing at 1 m/s on a rigid plane, no damping, starting in touch.
const char* const kHeadOn = R"(
[materials.ball]
young = 1e9
poisson = 0
density = 1
[contacts.ball-wall]
normal = { law = "hertz" }
[contacts.ball-ball]
normal = { law = "hertz" }
[particles.ball]
material = "ball"
radius = 0.1
mass = 10
list = [{ x = [0, 0, 0], v = [1, 0, 0] }]
[walls.wall]
plane = { point = [0.1, 0, 0], normal = [-1, 0, 0] }
[[stages]]
name = "impact"
duration = 0.0045
)";

}  // namespace

// 000 Table 1, explicit column (drift_kick): the source's second value is a misprint (erratum E18).
TEST(Impact, Table1Explicit) {
  const auto c = reference_case("000-4.2-explicit");
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet"})
    for (std::size_t k = 0; k < c["inputs"]["dt"].size(); ++k) {
      const double dt = c["inputs"]["dt"][k];
      const Frame f = last_frame(
          simulate(kHeadOn, {fmt::format("numerics.dt={:.17g}", dt), fmt::format("numerics.scheme=\"{}\"", scheme)}));
      EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v_after"][k], c["tolerance"]["abs"]) << scheme << " dt " << dt;
      EXPECT_TRUE(f.contacts.empty());
    }
}

// The literal phi = 0 of 000 gains energy: erratum E18. Printed there to four decimals.
TEST(Impact, Table1ForwardEuler) {
  const double dt[] = {5e-4, 2.5e-4, 1.25e-4, 2.5e-5, 2.5e-6};
  const double v[] = {-2.7326, -1.6514, -1.2814, -1.0500, -1.0049};
  for (int k = 0; k < 5; ++k) {
    const Frame f =
        last_frame(simulate(kHeadOn, {fmt::format("numerics.dt={:.17g}", dt[k]), "numerics.scheme=\"forward_euler\"",
                                      "stages=[{name=\"a\",duration=0.006}]"}));
    EXPECT_NEAR(f.particles.v[0].x, v[k], 6e-5) << "dt " << dt[k];
  }
}

TEST(Impact, HertzClosedForms) {
  const auto c = reference_case("hertz-wall-closed");
  const double tolerance = c["tolerance"]["rel"];
  Simulation s = simulate(kHeadOn, {"numerics.dt=1e-6"});
  double overlap = 0, force = 0, first = -1, last = 0;
  watch(s, [&](const Frame& f) {
    if (f.contacts.empty()) return;
    if (first < 0) first = f.time;
    last = f.time;
    overlap = std::max(overlap, f.contacts[0].overlap);
    force = std::max(force, f.contacts[0].normal);
  });
  EXPECT_NEAR(overlap, c["expected"]["delta_max"], tolerance * overlap);
  EXPECT_NEAR(force, c["expected"]["F_max"], tolerance * force);
  EXPECT_NEAR(last - first, c["expected"]["t_c"], tolerance * last);
}

// Restitution of damped Hertz impacts: independent of mass, size, stiffness and speed; with and without the clamp.
TEST(Impact, HertzRestitution) {
  for (const char* name : {"0.0002", "0.1", "0.5"}) {
    const auto c = reference_case(std::string("restitution-hertz-xi-") + name);
    const double tolerance = c["tolerance"]["abs"];
    for (const char* clamp : {"on", "off"}) {
      const double expected = c["expected"][std::string(clamp) == "on" ? "e_with_no_tension_clamp" : "e_without_clamp"];
      Simulation s =
          simulate(kHeadOn, {"numerics.dt=5e-7",
                             fmt::format("contacts.ball-wall.normal={{law=\"hertz\",xi={},clamp=\"{}\"}}", name, clamp),
                             "stages=[{name=\"a\",duration=0.02}]"});
      EXPECT_NEAR(-last_frame(std::move(s)).particles.v[0].x, expected, tolerance) << name << " clamp " << clamp;
    }
  }
}

TEST(Impact, DampingRatioFromRestitution) {
  const auto c = reference_case("xi-from-restitution-e0.5");
  const double tolerance = c["tolerance"]["abs"];
  const auto& x = c["expected"];
  EXPECT_NEAR(Hertz::xi_from_restitution(0.5, "source"), x["xi_source_eq_2_68"], tolerance);
  EXPECT_NEAR(Hertz::xi_from_restitution(0.5, "exact_noclamp"), x["xi_exact_no_clamp"], tolerance);
  EXPECT_NEAR(Hertz::xi_from_restitution(0.5, "exact_clamp"), x["xi_exact_clamp"], tolerance);
  const double z = std::sqrt(1.2) * x["xi_source_eq_2_68"].get<double>();
  EXPECT_NEAR(restitution_without_clamp(z), x["e_obtained_with_source_xi_no_clamp"], tolerance);
  EXPECT_NEAR(restitution_with_clamp(z), x["e_obtained_with_source_xi_clamp"], tolerance);
}

// A prescribed restitution is what comes out, for pairs too.
TEST(Impact, PrescribedRestitution) {
  for (double e : {0.2, 0.5, 0.9}) {
    const std::string toml = fmt::format(R"(
[materials.a]
young = 1e8
density = 2500
[contacts.a-a]
normal = {{ law = "hertz", restitution = {} }}
[particles.two]
material = "a"
list = [{{ x = [0, 0, 0], v = [1, 0, 0], radius = 0.01 }}, {{ x = [0.0351, 0, 0], radius = 0.025 }}]
[[stages]]
name = "a"
duration = 0.005
[numerics]
dt = 5e-8
)",
                                         e);
    const Frame f = last_frame(simulate(toml));
    EXPECT_NEAR(f.particles.v[1].x - f.particles.v[0].x, e, 5e-4);
    // momentum
    EXPECT_NEAR(f.particles.mass[0] * f.particles.v[0].x + f.particles.mass[1] * f.particles.v[1].x,
                f.particles.mass[0], 1e-12 * f.particles.mass[0]);
  }
}

// 004 (2.5): linear spring and dashpot between two equal spheres, m* = 0.25.
TEST(Impact, LinearSpringDashpot) {
  const auto c = reference_case("linear-contact-restitution");
  const double tolerance = c["tolerance"]["rel"];
  const std::string toml = R"(
[materials.a]
density = 1
[contacts.a-a]
normal = { law = "linear", stiffness = 20000, beta = 0.2, clamp = "off" }
[particles.two]
material = "a"
radius = 0.1
mass = 0.5
list = [{ x = [0, 0, 0], v = [0.5, 0, 0] }, { x = [0.2, 0, 0], v = [-0.5, 0, 0] }]
[[stages]]
name = "a"
duration = 0.02
[numerics]
dt = 1e-6
)";
  Simulation s = simulate(toml);
  double overlap = 0, last = 0, v = 0;
  watch(s, [&](const Frame& f) {
    v = f.particles.v[1].x - f.particles.v[0].x;
    if (f.contacts.empty()) return;
    overlap = std::max(overlap, f.contacts[0].overlap);
    last = f.time;
  });
  EXPECT_NEAR(v, c["expected"]["e"], tolerance * v);
  EXPECT_NEAR(last, c["expected"]["t_c"], tolerance * last);
  EXPECT_NEAR(overlap, c["expected"]["delta_max"], tolerance * overlap);
}

// A wall moving at 0.5 m/s meets a ball at 1 m/s: elastic reflection in the wall's frame.
TEST(Impact, MovingWall) {
  const auto c = reference_case("moving-wall-bounce");
  const std::string toml = R"(
[materials.a]
young = 1e8
poisson = 0.25
density = 1
[contacts.a-w]
normal = { law = "hertz" }
[contacts.a-a]
normal = { law = "hertz" }
[particles.ball]
material = "a"
radius = 0.05
mass = 1
list = [{ x = [0.06, 0, 0], v = [-1, 0, 0] }]
[walls.w]
plane = { point = [0, 0, 0], normal = [1, 0, 0] }
motion = { constant = { velocity = [0.5, 0, 0] } }
[[stages]]
name = "a"
duration = 0.05
[numerics]
dt = 1e-6
)";
  const Frame f = last_frame(simulate(toml));
  EXPECT_NEAR(f.particles.v[0].x, c["expected"]["v_after"][0], c["tolerance"]["rel"].get<double>() * 2);
  // the wall's work is the gain of kinetic energy
  EXPECT_NEAR(f.energy.wall_work, 0.5 * (4.0 - 1.0), 1e-3);
  EXPECT_LT(std::fabs(f.energy.residual), 1e-3 * f.energy.wall_work);
}

// 001 6.1: oblique impact that slides throughout. The source's rate law slides all the time; so does coulomb_history
// here, since its spring passes the Coulomb limit at once. Levers of the full radius give -5, deformed ones -4.869.
TEST(Impact, Oblique) {
  const auto c = reference_case("001-6.1");
  const std::string toml = R"(
[materials.a]
young = 1e8
poisson = 0.25
density = 5000
[contacts.a-w]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.05 }
[contacts.a-a]
like = "a-w"
[particles.ball]
material = "a"
radius = 0.05
list = [{ x = [0, 0.05, 0], v = [1, -1, 0] }]
[walls.w]
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
[[stages]]
name = "a"
duration = 0.02
)";
  for (const char* scheme : {"kick_drift", "drift_kick"})
    for (const auto& dt : c["inputs"]["dt"]) {
      const Frame f = last_frame(simulate(
          toml, {fmt::format("numerics.dt={:.17g}", dt.get<double>()), fmt::format("numerics.scheme=\"{}\"", scheme)}));
      const double tolerance = c["tolerance"]["abs"];
      EXPECT_NEAR(f.particles.v[0].x, 0.9, tolerance) << scheme << dt;
      EXPECT_NEAR(f.particles.v[0].y, 1, tolerance) << scheme << dt;
      EXPECT_NEAR(f.particles.w[0].z, -5, tolerance) << scheme << dt;
    }
  const Frame f = last_frame(simulate(toml, {"numerics.dt=1e-6", "numerics.lever=\"deformed\""}));
  EXPECT_NEAR(f.particles.w[0].z, -4.869, 2e-3);
}
