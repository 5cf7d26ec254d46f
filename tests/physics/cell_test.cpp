// A periodic cell that deforms: theory manual, section 12.5.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "observe/series_columns.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

constexpr double kRadius = 0.001, kYoung = 1e8, kPoisson = 0.2;

// Spheres on a simple cubic lattice that just touch, four along each axis.
const std::string kLattice = R"(
[materials.grain]
density = 2600
young = 1e8
poisson = 0.2
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.grains]
material = "grain"
radius = 0.001
lattice = { region = { box = [[0, 0, 0], [0.008, 0.008, 0.008]] }, spacing = 0.002 }
[domain]
box = [[0, 0, 0], [0.008, 0.008, 0.008]]
periodic = ["x", "y", "z"]
[[stages]]
duration = 0.01
)";

std::string load(const std::string& name, const std::string& keys) {
  return fmt::format("\n[domain.loading.{}]\n{}\n", name, keys);
}

// Force of two equal spheres: N = (4/3) E* sqrt(r/2) delta^(3/2), E* = E/(2 (1 - nu^2)).
double hertz(double overlap) {
  const double e_star = kYoung / (2 * (1 - kPoisson * kPoisson));
  return 4.0 / 3 * e_star * std::sqrt(kRadius / 2) * std::pow(overlap, 1.5);
}

// A dense random sample with friction; no gravity. Packings are computed once.
const std::string kSample = R"(
[materials.grain]
density = 2600
young = 5e7
poisson = 0.2
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.0008, max = 0.0012 } }
fill = { method = "grow", region = { box = [[0, 0, 0], [0.01, 0.01, 0.01]] }, solid_fraction = 0.58 }
[domain]
box = [[0, 0, 0], [0.01, 0.01, 0.01]]
periodic = ["x", "y", "z"]
[[stages]]
name = "press"
duration = 0.03
)";

const std::string kPressed = kSample + load("all", "axes = [\"x\", \"y\", \"z\"]\nstress = 1e5");

}  // namespace

// Shortened alike along all axes the lattice stays one: N contacts along each axis, each with the force of the overlap
// delta = 2 r - length/4, so that sigma = n N d/V = N/d^2 with d = length/4.
TEST(Cell, ALatticeUnderIsotropicStrain) {
  const Frame f = last_frame(simulate(kLattice + load("all", "axes = [\"x\", \"y\", \"z\"]\nstrain_rate = 1")));
  ASSERT_EQ(f.particles.id.size(), 64u);
  const Vec3d length = f.cell.length;
  EXPECT_NEAR(length.x, 0.008 * std::exp(-0.01), 1e-6 * 0.008);  // (1 - r dt)^n
  EXPECT_EQ(length.x, length.y);
  EXPECT_EQ(length.x, length.z);
  const double d = length.x / 4, expected = hertz(2 * kRadius - d) / (d * d);
  EXPECT_EQ(f.contacts.size(), 3 * 64u);
  // overlaps are differences of lengths a hundred times larger, so that they have 1e-13
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(component(f.cell.contact_stress, a), expected, 1e-11 * expected);
  EXPECT_LT(norm(f.cell.kinetic_stress), 1e-18 * expected);
  for (std::size_t k = 0; k < 64; ++k) {  // carried along
    const double x = f.particles.x[k].x / d - 0.5;
    EXPECT_NEAR(x, std::round(x), 1e-12);
  }
}

// The work of the cell is what the springs hold: n 3 (2/5) N delta.
TEST(Cell, WorkOfTheCellIsBooked) {
  const Frame f = last_frame(simulate(kLattice + load("all", "axes = [\"x\", \"y\", \"z\"]\nstrain_rate = 1")));
  const double overlap = 2 * kRadius - f.cell.length.x / 4, stored = 64 * 3 * 0.4 * hertz(overlap) * overlap;
  EXPECT_NEAR(f.energy.elastic_normal, stored, 1e-10 * stored);
  EXPECT_NEAR(f.energy.wall_work, stored, 1e-4 * stored);  // sigma de by the trapezoid, with d at the end of the step
  EXPECT_LT(std::fabs(f.energy.residual), 1e-4 * stored);
  const Frame back = last_frame(simulate(kLattice + "\n[[stages]]\nname = \"back\"\nduration = 0.01\n" +
                                         load("in", "axes = [\"z\"]\nstrain_rate = 1") +
                                         load("out", "axes = [\"z\"]\nstrain_rate = -1\nstart_stage = \"back\"")));
  EXPECT_LT(std::fabs(back.energy.wall_work), 1e-4 * stored);  // given back
}

// Along one axis only: no contact across it gets an overlap.
TEST(Cell, ALatticeUnderUniaxialStrain) {
  const Frame f = last_frame(simulate(kLattice + load("top", "axes = [\"z\"]\nstrain_rate = 1")));
  const double d = f.cell.length.z / 4, expected = hertz(2 * kRadius - d) / (4 * kRadius * kRadius);
  EXPECT_EQ(f.cell.length.x, 0.008);
  EXPECT_NEAR(f.cell.contact_stress.z, expected, 1e-11 * expected);
  EXPECT_NEAR(f.cell.contact_stress.x, 0, 1e-9 * expected);
  EXPECT_NEAR(f.cell.contact_stress.y, 0, 1e-9 * expected);
}

// Grains that do not meet are a gas: c length stays, so that the kinetic energy of the axis goes with 1/length^2, and
// the cell has done the work.
TEST(Cell, AGasIsHeatedByCompression) {
  const std::string toml = R"(
[materials.grain]
density = 2600
young = 1e8
[contacts.default]
normal = { law = "hertz" }
[particles.grains]
material = "grain"
radius = 0.0001
list = [{ x = [0.002, 0.001, 0.003], v = [0.3, 0, 0.2] }, { x = [0.004, 0.006, 0.001], v = [-0.4, 0, -0.1] }]
[domain]
box = [[0, 0, 0], [0.01, 0.01, 0.01]]
periodic = ["x", "y", "z"]
[numerics]
dt = 1e-6
[domain.loading.side]
axes = ["x"]
strain_rate = 2
[[stages]]
duration = 0.1
)";
  Simulation s = simulate(toml);
  const Frame begin = s.frame(), end = last_frame(std::move(s));
  EXPECT_EQ(end.contacts.size(), 0u);
  EXPECT_NEAR(end.cell.length.x, 0.01 * std::exp(-0.2), 1e-6 * 0.01);
  for (int k = 0; k < 2; ++k) {
    const double c = begin.particles.v[k].x * 0.01 / end.cell.length.x;
    EXPECT_NEAR(end.particles.v[k].x, c, 1e-10 * std::fabs(c));
    EXPECT_EQ(end.particles.v[k].z, begin.particles.v[k].z);
  }
  const double gained = end.energy.kinetic - begin.energy.kinetic;
  EXPECT_GT(gained, 0.3 * begin.energy.kinetic);
  EXPECT_NEAR(end.energy.wall_work, gained, 1e-10 * gained);
  EXPECT_LT(std::fabs(end.energy.residual), 1e-10 * gained);
  const double sigma = (end.particles.mass[0] * end.particles.v[0].x * end.particles.v[0].x +
                        end.particles.mass[1] * end.particles.v[1].x * end.particles.v[1].x) /
                       end.cell.volume;
  EXPECT_NEAR(end.cell.stress().x, sigma, 1e-5 * sigma);
}

// A dense sample is pressed to 100 kPa and held there: within 1 % along each axis at every later look.
TEST(Cell, AStressIsHeld) {
  Simulation s = simulate(kPressed);
  double worst = 0;
  int looks = 0;
  while (!s.finished()) {
    s.advance(100);
    const Frame f = s.frame();
    if (f.time < 0.015) continue;
    ++looks;
    for (int a = 0; a < 3; ++a) worst = std::max(worst, std::fabs(component(f.cell.stress(), a) / 1e5 - 1));
  }
  EXPECT_GT(looks, 20);
  EXPECT_LT(worst, 0.01);
  const Frame f = s.frame();
  EXPECT_GT(f.energy.wall_work, 0);
  EXPECT_LT(std::fabs(f.energy.residual), 1e-3 * f.energy.turned_over);
}

// The mean of what frames show of contacts is the stress that the cell tells.
TEST(Cell, StressIsTheVirialOfTheContacts) {
  const Frame f = last_frame(simulate(kPressed));
  Vec3d sum;
  for (const FrameContact& c : f.contacts) {
    const double length = f.particles.radius[c.i] + f.particles.radius[c.j] - c.overlap;
    sum += Vec3d{c.force.x * c.n.x, c.force.y * c.n.y, c.force.z * c.n.z} * (-length / f.cell.volume);
  }
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(component(sum, a), component(f.cell.contact_stress, a), 1e-5);  // of 1e5
}

// Where the sample lies against the faces makes no difference.
TEST(Cell, ATranslationDoesNotChangeTheStress) {
  Simulation pressed = simulate(kPressed);
  while (pressed.time() < 0.015) pressed.advance(100);
  const Frame f = pressed.frame();
  const auto stress = [&](const Vec3d& by) {
    Case c = parse_case(kPressed, "test");
    std::vector<ListedParticle> list;
    for (std::size_t k = 0; k < f.particles.id.size(); ++k)
      list.push_back({f.particles.x[k] + by, f.particles.v[k], f.particles.w[k], f.particles.radius[k]});
    c.particles[0].source = list;
    c.numerics.start_overlap = 0.2;
    c.domain.box.max = c.domain.box.min + f.cell.length;
    c.domain.loading[0].control = CellLoad::Control::strain_rate;
    c.domain.loading[0].strain_rate = 0.5;
    c.stages[0].duration = 0.002;
    return last_frame(Simulation(c)).cell.stress();
  };
  const Vec3d here = stress({}), there = stress({0.0031, -0.0017, 0.0047});
  EXPECT_GT(here.z, 1.005e5);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(component(there, a), component(here, a), 1e-7 * component(here, a));
}

// Axes without a load keep their lengths; a load that is over leaves the cell as it is; the last of several leads.
TEST(Cell, TheLastLoadLeads) {
  const std::string toml = kLattice + load("a", "axes = [\"x\", \"z\"]\nstrain_rate = 1") +
                           load("b", "axes = [\"z\"]\nstrain_rate = -1\nstart = 0.002\nstop = 0.004");
  Simulation s = simulate(toml);
  double longest = 0;
  while (!s.finished()) {
    s.advance(20);
    longest = std::max(longest, s.frame().cell.length.z);
  }
  const Frame f = s.frame();
  EXPECT_NEAR(std::log(0.008 / f.cell.length.x), 0.01, 1e-6);
  EXPECT_NEAR(std::log(0.008 / f.cell.length.z), 0.006, 2e-5);
  EXPECT_EQ(f.cell.length.y, 0.008);
  EXPECT_LE(longest, 0.008);
}

// The columns of cell.csv.
TEST(Cell, SeriesOfTheCell) {
  const std::string toml = kLattice + load("top", "axes = [\"z\"]\nstrain_rate = 1");
  Simulation s = simulate(toml);
  const Domain domain = s.settings().domain;
  const Frame f = last_frame(std::move(s));
  const std::vector<std::string> names = cell_columns(domain);
  const std::vector<double> values = cell_values(f, domain);
  ASSERT_EQ(names.size(), values.size());
  const auto value = [&](const std::string& name) {
    return values[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  EXPECT_NEAR(value("strain_z"), 0.01, 1e-6);
  EXPECT_NEAR(value("volumetric_strain"), 0.01, 1e-6);
  const double solid = 64 * 4.0 / 3 * M_PI * 1e-9 / (0.008 * 0.008 * f.cell.length.z);
  EXPECT_NEAR(value("solid_fraction"), solid, 1e-12);
  EXPECT_NEAR(value("void_ratio"), 1 / solid - 1, 1e-12);
  EXPECT_NEAR(value("pressure_Pa"), value("stress_z_Pa") / 3, 1e-6 * value("stress_z_Pa"));
  EXPECT_NEAR(value("deviator_Pa"), value("stress_z_Pa"), 1e-6 * value("stress_z_Pa"));
}

// A cell that gets shorter than two largest diameters side by side stops the run.
TEST(Cell, TooShortACellStops) {
  const std::string toml =
      kLattice + load("top", "axes = [\"z\"]\nstrain_rate = 200") + "[numerics]\nmax_overlap = 1.9\n";
  try {
    last_frame(simulate(toml));
    FAIL() << "it went on";
  } catch (const StoppedError& e) { EXPECT_THAT(std::string(e.what()), testing::HasSubstr("too short")); }
}
