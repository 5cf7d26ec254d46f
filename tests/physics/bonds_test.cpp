// Geometric bonds: spec section 11, the gbpm-* entries of dem.json, and the promises of the engines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "packing/make_bonds.h"
#include "physics/bond.h"
#include "scene/scene.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRadius = 0.05;
const double kMass = 4.0 / 3 * kPi * kRadius * kRadius * kRadius * 2500;

const char* const kMaterial = R"(
[materials.ball]
density = 2500
young = "50 MPa"
poisson = 0.25
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
)";

// Two free spheres in touch along x, one anchor at the contact point; `rest` goes into [bonds.joint].
std::string two_spheres(const std::string& rest, const std::string& list, double duration) {
  return fmt::format(R"({}
[particles.ball]
material = "ball"
radius = {}
list = [{}]
[bonds.joint]
between = "list"
pairs = [[0, 1]]
stiffness = 1e6
contact = false
{}
[[stages]]
name = "run"
duration = {}
)",
                     kMaterial, kRadius, list, rest, duration);
}

const char* const kAtRest = "{ x = [0, 0, 0] }, { x = [0.1, 0, 0] }";

// Time of one period of a signal, by its zero crossings with a rising value.
double period(const std::vector<double>& time, const std::vector<double>& value) {
  std::vector<double> crossing;
  for (std::size_t k = 1; k < value.size(); ++k)
    if (value[k - 1] < 0 && value[k] >= 0)
      crossing.push_back(time[k - 1] + (time[k] - time[k - 1]) * value[k - 1] / (value[k - 1] - value[k]));
  if (crossing.size() < 2) return 0;
  return (crossing.back() - crossing.front()) / static_cast<double>(crossing.size() - 1);
}

// A row of n + 1 spheres along x from the origin, the first one fixed.
std::string row(int n, const std::string& bonds, const std::string& gravity, const std::string& rest) {
  std::string list;
  for (int k = 1; k <= n; ++k) list += fmt::format("{}{{ x = [{}, 0, 0] }}", k > 1 ? ", " : "", 0.1 * k);
  return fmt::format(R"({}
[particles.root]
material = "ball"
radius = {}
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.chain]
material = "ball"
radius = {}
list = [{}]
[bonds.joints]
contact = false
{}
[fields.gravity]
acceleration = {}
{}
)",
                     kMaterial, kRadius, kRadius, list, bonds, gravity, rest);
}

Vec3d momentum(const Frame& f) {
  Vec3d p;
  for (std::size_t i = 0; i < f.particles.id.size(); ++i) p += f.particles.mass[i] * f.particles.v[i];
  return p;
}

Vec3d angular_momentum(const Frame& f) {
  Vec3d l;
  const FrameParticles& p = f.particles;
  for (std::size_t i = 0; i < p.id.size(); ++i)
    l += p.mass[i] * cross(p.x[i], p.v[i]) + (0.4 * p.mass[i] * p.radius[i] * p.radius[i]) * p.w[i];
  return l;
}

}  // namespace

// ---- dem.json ----

TEST(Bonds, AxialPeriod) {
  const auto c = reference_case("gbpm-axial-period");
  Simulation s = simulate(two_spheres("", "{ x = [0, 0, 0], v = [-0.05, 0, 0] }, { x = [0.1, 0, 0], v = [0.05, 0, 0] }",
                                      0.03),
                          {"numerics.dt=1e-5"});
  std::vector<double> t, u;
  watch(s, [&](const Frame& f) {
    t.push_back(f.time);
    u.push_back(f.particles.x[1].x - f.particles.x[0].x - 0.1);
  });
  const double expected = c["expected"]["T"];
  EXPECT_NEAR(period(t, u), expected, c["tolerance"]["rel"].get<double>() * expected);
  const double critical = c["expected"]["c_critical"];
  EXPECT_NEAR(critical_damper(1e6, 2 / kMass, 1), critical, 1e-9 * critical);
}

// Spec section 11: across the line of centres, w_t = sqrt(3.5 k/m*).
TEST(Bonds, TangentialPeriod) {
  for (const char* point : {"midpoint", "anchors"}) {
    Simulation s =
        simulate(two_spheres(fmt::format("point = \"{}\"", point),
                             "{ x = [0, 0, 0], v = [0, -0.01, 0], w = [0, 0, -0.5] }, { x = [0.1, 0, 0], v = [0, 0.01, "
                             "0], w = [0, 0, -0.5] }",
                             0.03),
                 {"numerics.dt=5e-6"});
    std::vector<double> t, u;
    watch(s, [&](const Frame& f) {
      t.push_back(f.time);
      u.push_back(f.bonds[0].at_j.y - f.bonds[0].at_i.y);
    });
    EXPECT_NEAR(period(t, u), 2.71707e-3, 1e-3 * 2.71707e-3) << point;
  }
}

TEST(Bonds, CriticalDecay) {
  const auto c = reference_case("gbpm-critical-decay");
  // the stretch is given by the velocities of a first moment: u = v t exp(-w t); here the spheres are pulled apart first
  const double omega = std::sqrt(1e6 * 2 / kMass), stretch = c["inputs"]["initial_stretch"];
  const double dt = 2 / omega / 20000;
  Simulation s(parse_case(two_spheres("damping = \"critical\"\nanchor = \"surface\"",
                                      fmt::format("{{ x = [0, 0, 0] }}, {{ x = [{:.17g}, 0, 0] }}", 0.1 + stretch), 0.01),
                          "test", {fmt::format("numerics.dt={:.17g}", dt)}));
  const auto at = static_cast<std::int64_t>(std::llround(c["inputs"]["at_omega_t"].get<double>() / omega / dt));
  s.advance(at);
  const auto u = [&] {
    const Frame f = s.frame();
    return (f.particles.x[1].x - f.particles.x[0].x - 0.1) / stretch;
  };
  EXPECT_NEAR(u(), c["expected"]["u_over_u0"], c["tolerance"]["abs"]);
  double least = 1;
  while (!s.finished()) {
    s.advance(100);
    least = std::min(least, u());
  }
  EXPECT_GT(least, -c["tolerance"]["abs"].get<double>());
}

TEST(Bonds, HangingChain) {
  const auto c = reference_case("gbpm-hanging-chain");
  const std::string toml = row(5, "between = \"touching\"\nstiffness = 1e5\ndamping = \"critical\"", "[9.81, 0, 0]",
                               "[[stages]]\nname = \"hang\"\nduration = 2.0");
  const Frame f = last_frame(simulate(toml));
  EXPECT_EQ(f.bonds.size(), 5u);
  const double elongation = f.particles.x[5].x - 0.5, expected = c["expected"]["elongation"];
  EXPECT_NEAR(elongation, expected, c["tolerance"]["rel"].get<double>() * expected);
}

TEST(Bonds, Cantilever) {
  const auto c = reference_case("gbpm-cantilever-5");
  const std::string toml =
      row(5, "between = \"touching\"\nstiffness = 1e7\nanchors = 4\nring_radius = 0.025\ndamping = \"critical\"",
          "[0, 0, -9.81]", "[[stages]]\nname = \"bend\"\nduration = 0.6");
  const Frame f = last_frame(simulate(toml));
  EXPECT_EQ(f.bonds.size(), 20u);
  const double tip = -f.particles.x[5].z, expected = c["expected"]["tip_deflection"];
  EXPECT_NEAR(tip, expected, c["tolerance"]["rel"].get<double>() * expected);
  // the same beam with loads across any direction: four anchors bend alike
  const Frame g = last_frame(simulate(toml, {"fields.gravity.acceleration=[0, 6.9367175234400325, -6.9367175234400325]"}));
  EXPECT_NEAR(std::hypot(g.particles.x[5].y, g.particles.x[5].z), expected,
              c["tolerance"]["rel"].get<double>() * expected);
}

TEST(Bonds, SingleAnchorIsAHinge) {
  const auto c = reference_case("gbpm-single-anchor-is-a-hinge");
  // Between spheres of equal spin a damper on the line of centres does no work: the air, or here the contact, must
  // damp the swinging. The damper of the bonds acts on the spheres as they turn about their anchors.
  const std::string toml = row(5, "between = \"touching\"\nstiffness = 1e7\ndamper = 4000", "[0, 0, -9.81]",
                               "[[stages]]\nname = \"swing\"\nduration = 12.0\n[numerics]\ndt = 2e-5");
  const Frame f = last_frame(simulate(toml));
  for (int k = 0; k < 6; ++k)
    fmt::print("{} {} {} {}\n", k, f.particles.x[k].x, f.particles.x[k].y, f.particles.x[k].z);
  const auto tip = c["expected"]["final_tip"];
  const double tolerance = c["tolerance"]["abs"];
  EXPECT_NEAR(f.particles.x[5].x, tip[0], tolerance);
  EXPECT_NEAR(f.particles.x[5].y, tip[1], tolerance);
  EXPECT_NEAR(f.particles.x[5].z, tip[2], tolerance);
}
