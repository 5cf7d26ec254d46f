// Generators: gradings, layers, growth, relaxation. Theory manual, section 15.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "areia/case_file.h"
#include "areia/error.h"
#include "engine/prepare.h"
#include "packing/place.h"
#include "scene/radius.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const char* const kGravel = R"(
[materials.g]
density = 2500
young = 2e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
[[stages]]
duration = 0.01
)";

std::string layered(const std::string& fill) {
  return std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = { gaussian = { mean = 0.01, std = 0.001 } }
fill = )" +
         fill + R"(
[walls.b]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.5], open = ["+z"] }
[fields.g]
acceleration = [0, 0, -9.81]
)";
}

double fraction_below(const std::vector<double>& radii, double r) {
  double below = 0, all = 0;
  for (double a : radii) {
    all += a * a * a;
    if (a <= r) below += a * a * a;
  }
  return below / all;
}

}  // namespace

TEST(Radii, GradingGivesItsMassCurve) {
  RadiusDistribution d;
  d.kind = RadiusDistribution::Kind::grading;
  d.shares = {{1e-3, 0}, {2e-3, 0.2}, {4e-3, 0.7}, {8e-3, 1}};
  Random random(5);
  std::vector<double> radii;
  for (int k = 0; k < 400000; ++k) radii.push_back(draw_radius(d, random));
  for (double r : radii) {
    ASSERT_GE(r, 1e-3);
    ASSERT_LE(r, 8e-3);
  }
  EXPECT_NEAR(fraction_below(radii, 2e-3), 0.2, 0.01);
  EXPECT_NEAR(fraction_below(radii, 4e-3), 0.7, 0.01);
  // between lines the passing fraction is linear in ln r: at the geometric mean it is the mean
  EXPECT_NEAR(fraction_below(radii, std::sqrt(8.0) * 1e-3), 0.45, 0.01);
  EXPECT_NEAR(fraction_below(radii, std::sqrt(2.0) * 1e-3), 0.10, 0.01);
  double cubes = 0;
  for (double r : radii) cubes += r * r * r;
  EXPECT_NEAR(cubes / static_cast<double>(radii.size()) / mean_cube(d), 1, 0.02);
}

TEST(Radii, TableGivesItsNumbers) {
  RadiusDistribution d;
  d.kind = RadiusDistribution::Kind::table;
  d.shares = {{1e-3, 3}, {2e-3, 0}, {5e-3, 1}};
  Random random(7);
  int small = 0;
  const int n = 100000;
  for (int k = 0; k < n; ++k) {
    const double r = draw_radius(d, random);
    ASSERT_TRUE(r == 1e-3 || r == 5e-3);
    small += r == 1e-3;
  }
  EXPECT_NEAR(static_cast<double>(small) / n, 0.75, 5 * std::sqrt(0.75 * 0.25 / n));
}

TEST(Packing, LayersHoldTheCountAndLieAtRest) {
  Simulation s = simulate(layered("{ method = \"layers\", region = { box = [[0,0,0],[0.1,0.1,0.1]] }, count = 150 }"));
  const Frame f = s.frame();
  ASSERT_EQ(f.particles.id.size(), 150u);
  double top = 0, volume = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    const double r = f.particles.radius[i];
    EXPECT_GT(f.particles.x[i].z - r, -0.05 * r);
    top = std::max(top, f.particles.x[i].z + r);
    volume += 4.0 / 3 * std::numbers::pi * r * r * r;
    EXPECT_EQ(norm(f.particles.v[i]), 0);
  }
  EXPECT_GT(volume / (0.01 * top), 0.42);  // walls at a distance of ten radii: below the 0.6 of a large packing
  EXPECT_GT(f.contacts.size(), 250u);
  ASSERT_FALSE(s.choices().notes.empty());
  EXPECT_NE(s.choices().notes[0].find("150 particles in"), std::string::npos);
  // it is a packing at rest: nothing falls any more
  while (!s.finished()) s.advance(1000);
  double drop = 0;
  const Frame end = s.frame();
  for (std::size_t i = 0; i < end.particles.x.size(); ++i)
    drop = std::max(drop, norm(end.particles.x[i] - f.particles.x[i]));
  EXPECT_LT(drop, 0.1 * 0.01);
}

TEST(Packing, LayersWithoutACountFillTheRegionToItsTop) {
  const Frame f =
      simulate(layered("{ method = \"layers\", region = { cylinder = { from = [0.05,0.05,0], to = [0.05,0.05,0.08], "
                       "radius = 0.05 } }, layer = \"6 cm\" }"))
          .frame();
  double top = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i)
    top = std::max(top, f.particles.x[i].z + f.particles.radius[i]);
  EXPECT_LE(top, 0.08);
  EXPECT_GT(top, 0.06);
}

// Without friction grains find deeper hollows; the run that follows has the case's friction, and holds the packing.
TEST(Packing, SettlesWithAFrictionOfItsOwn) {
  const auto height = [](const Frame& f) {
    double sum = 0;
    for (const Vec3d& x : f.particles.x) sum += x.z / static_cast<double>(f.particles.x.size());
    return sum;
  };
  const auto packed = [&](const std::string& friction, const std::string& how) {
    return simulate(
        layered("{ " + how + ", region = { box = [[0,0,0],[0.1,0.1,0.3]] }, count = 150" + friction + " }"));
  };
  for (const std::string how : {"method = \"layers\"", "relax = true"}) {
    const double rough = height(packed("", how).frame()), same = height(packed(", friction = 0.5", how).frame());
    Simulation smooth = packed(", friction = 0", how);
    EXPECT_EQ(same, rough) << how << ": 0.5 is the case's own";
    EXPECT_LT(height(smooth.frame()), 0.97 * rough) << how;
    const double before = height(smooth.frame());
    while (!smooth.finished()) smooth.advance(1000);
    double rubbing = 0;
    for (const FrameContact& c : smooth.frame().contacts) rubbing = std::max(rubbing, c.tangential);
    EXPECT_GT(rubbing, 0) << how;
    EXPECT_NEAR(height(smooth.frame()), before, 1e-3 * before) << how;
  }
}

TEST(Packing, SameLayersOnAnyNumberOfThreads) {
  const std::string text = layered("{ method = \"layers\", region = { box = [[0,0,0],[0.1,0.1,0.1]] }, count = 90 }");
  const std::string one = state_hash(simulate(text, {"numerics.threads=1"}).frame());
  EXPECT_EQ(state_hash(simulate(text, {"numerics.threads=2"}).frame()), one);
  EXPECT_EQ(state_hash(simulate(text, {"numerics.threads=4"}).frame()), one);
  EXPECT_NE(state_hash(simulate(text, {"numerics.seed=2"}).frame()), one);
}

TEST(Packing, GrowthReachesDenseFractionsWithoutOverlap) {
  const std::string text = std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = { uniform = { min = 0.006, max = 0.008 } }
fill = { method = "grow", region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, solid_fraction = 0.55 }
)";
  const Simulation s = simulate(text);
  const Frame f = s.frame();
  EXPECT_TRUE(f.contacts.empty());
  double volume = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    const double r = f.particles.radius[i];
    volume += 4.0 / 3 * std::numbers::pi * r * r * r;
    for (double c : {f.particles.x[i].x, f.particles.x[i].y, f.particles.x[i].z}) {
      EXPECT_GE(c, r * (1 - 1e-12));
      EXPECT_LE(c, 0.1 - r * (1 - 1e-12));
    }
  }
  EXPECT_GE(volume / 1e-3, 0.55);
  EXPECT_LT(volume / 1e-3, 0.552);
  EXPECT_EQ(state_hash(simulate(text, {"numerics.threads=4"}).frame()), state_hash(f));
}

TEST(Packing, GrowthThatJamsIsRefused) {
  const std::string text = std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = 0.01
fill = { method = "grow", region = { box = [[0, 0, 0], [0.06, 0.06, 0.06]] }, solid_fraction = 0.8 }
)";
  try {
    simulate(text);
    FAIL() << "no error";
  } catch (const InputError& e) {
    EXPECT_EQ(e.problems[0].key, "particles.p.fill");
    EXPECT_NE(e.problems[0].rule.find("jam"), std::string::npos);
  }
}

TEST(Packing, RelaxationLetsRandomAdditionSettle) {
  const Frame f =
      simulate(layered("{ region = { box = [[0,0,0],[0.1,0.1,0.3]] }, count = 100, relax = true }")).frame();
  double top = 0;
  for (const Vec3d& x : f.particles.x) top = std::max(top, x.z);
  EXPECT_LT(top, 0.16);
  EXPECT_GT(f.contacts.size(), 150u);
}

TEST(Packing, OtherParticlesAreInTheWayAndStay) {
  const std::string text =
      layered("{ method = \"layers\", region = { box = [[0,0,0],[0.1,0.1,0.1]] }, count = 40 }") + R"(
[particles.rock]
material = "g"
radius = 0.03
list = [{ x = [0.05, 0.05, 0.03] }]
)";
  const Frame f = simulate(text).frame();
  ASSERT_EQ(f.particles.id.size(), 41u);
  EXPECT_EQ(f.particles.x[40].z, 0.03);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_GT(norm(f.particles.x[i] - f.particles.x[40]), 0.95 * (0.03 + f.particles.radius[i]));
}

// A region across a periodic face holds images of walls and of other sets.
TEST(Packing, RandomAdditionSeesWhatIsAcrossAPeriodicFace) {
  const Scene scene = make_scene(parse_case(std::string(kGravel) + R"(
[particles.all]
material = "g"
radius = 0.004
fill = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, count = 150, min_gap = 0.001 }
[particles.across]
material = "g"
radius = 0.004
fill = { region = { box = [[0.08, 0, 0], [0.12, 0.1, 0.1]] }, count = 100, min_gap = 0.001 }
[walls.ball]
sphere = { center = [0.01, 0.05, 0.05], radius = 0.03 }
[domain]
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x", "y"]
)",
                                            "test"));
  const Periodicity periodicity = periodicity_of(scene.settings.domain);
  const std::vector<Vec3d>& x = scene.particles.x;
  ASSERT_EQ(x.size(), 250u);
  int across = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    across += x[i].x > 0.1;
    const Vec3d at = periodicity.wrapped(x[i]);
    EXPECT_GE(std::fabs(norm(periodicity.nearest(at - Vec3d{0.01, 0.05, 0.05})) - 0.03), 0.005 * (1 - 1e-9)) << i;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GE(norm(periodicity.nearest(at - periodicity.wrapped(x[j]))), 0.009 * (1 - 1e-9)) << i << " " << j;
  }
  EXPECT_GT(across, 20);
}

TEST(Packing, GrowthInAPeriodicBox) {
  const std::string text = std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = 0.01
fill = { method = "grow", region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, solid_fraction = 0.58 }
[domain]
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x", "y", "z"]
)";
  const Frame f = simulate(text).frame();
  EXPECT_TRUE(f.contacts.empty());
  int across = 0;  // without walls at the faces spheres stand across them
  for (const Vec3d& x : f.particles.x) across += x.x < 0.01 || x.x > 0.09;
  EXPECT_GT(across, 10);
  EXPECT_GE(static_cast<double>(f.particles.id.size()) * 4.0 / 3 * std::numbers::pi * 1e-6 / 1e-3, 0.58);
}

TEST(Packing, GrowthOfDisksInThePlane) {
  const std::string text = std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = { uniform = { min = 0.008, max = 0.012 } }
fill = { method = "grow", region = { box = [[0, 0, 0], [0.3, 0.3, 0]] }, solid_fraction = 0.78 }
[domain]
dimension = 2
)";
  const Frame f = simulate(text).frame();
  EXPECT_TRUE(f.contacts.empty());
  double area = 0;
  for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
    area += std::numbers::pi * f.particles.radius[i] * f.particles.radius[i];
    EXPECT_EQ(f.particles.x[i].z, 0);
  }
  EXPECT_GE(area / 0.09, 0.78);
}

TEST(Packing, GrowthInsideASphere) {
  const std::string text = std::string(kGravel) + R"(
[particles.p]
material = "g"
radius = 0.01
fill = { method = "grow", region = { sphere = { center = [1, 0, 0], radius = 0.06 } }, solid_fraction = 0.5 }
)";
  const Frame f = simulate(text).frame();
  EXPECT_TRUE(f.contacts.empty());
  EXPECT_EQ(f.particles.id.size(), 108u);  // 0.5 (6)^3
  for (const Vec3d& x : f.particles.x) EXPECT_LE(norm(x - Vec3d{1, 0, 0}), 0.05 + 1e-12);
}

// A cube of 10 units as a mesh, in cm.
TEST(Packing, InsideAMesh) {
  const char* const corner[8] = {"0 0 0", "10 0 0", "10 10 0", "0 10 0", "0 0 10", "10 0 10", "10 10 10", "0 10 10"};
  const int facet[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                            {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  const std::string file = testing::TempDir() + "packing_cube.stl";
  std::ofstream out(file);
  out << "solid cube\n";
  for (const auto& f : facet) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (int k : f) out << "vertex " << corner[k] << "\n";
    out << "endloop\nendfacet\n";
  }
  out << "endsolid\n";
  out.close();
  for (const char* how : {"count = 60", "method = \"grow\", solid_fraction = 0.5"}) {
    const std::string text = std::string(kGravel) + fmt::format(R"(
[particles.p]
material = "g"
radius = 0.01
fill = {{ region = {{ mesh = {{ file = "{}", scale = 0.01 }} }}, {} }}
)",
                                                                file, how);
    const Frame f = simulate(text).frame();
    EXPECT_TRUE(f.contacts.empty());
    EXPECT_GE(f.particles.id.size(), 60u);
    for (const Vec3d& x : f.particles.x)
      for (double c : {x.x, x.y, x.z}) {
        EXPECT_GE(c, 0.01 - 1e-12);
        EXPECT_LE(c, 0.09 + 1e-12);
      }
  }
}

// --- what holds a packing --------------------------------------------------------------------------------------------
namespace {

std::string problem_of(const std::string& toml) {
  try {
    prepared(parse_case(toml, "case.toml"), {});
    return "none";
  } catch (const InputError& e) { return e.problems[0].key + ": " + e.problems[0].rule; }
}

std::string without_floor(std::string toml) {
  const std::string open = R"(open = ["+z"])";
  return toml.replace(toml.find(open), open.size(), R"(open = ["+z", "-z"])");
}

}  // namespace

TEST(Packing, WithoutAFloorIsRefused) {
  const std::string region = "region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }";
  for (const std::string& fill : {"{ method = \"layers\", " + region + ", count = 60 }",
                                  "{ method = \"layers\", " + region + " }",  // up to the top, which is never reached
                                  "{ method = \"rsa\", " + region + ", count = 30, relax = true }"}) {
    const std::string told = problem_of(without_floor(layered(fill)));
    EXPECT_NE(told.find("particles.p.fill.region: does not hold its particles"), std::string::npos) << told;
    EXPECT_EQ(problem_of(layered(fill)), "none");
  }
}

// Particles that stand still hold others as walls do, and so does a plane below.
TEST(Packing, MayFallOutOfItsRegionOntoSomething) {
  const std::string fill = R"({ method = "layers", region = { box = [[0, 0, 0.2], [0.1, 0.1, 0.3]] }, count = 60 })";
  EXPECT_EQ(problem_of(without_floor(layered(fill)) + R"(
[walls.ground]
plane = { point = [0, 0, -0.05], normal = [0, 0, 1] }
)"),
            "none");
  EXPECT_EQ(problem_of(without_floor(layered(fill)) + R"(
[particles.plate]
material = "g"
radius = 0.01
prescribed = true
lattice = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.02]] }, spacing = 0.02 }
)"),
            "none");
}

TEST(Packing, HeightCountsFromTheLowestGrain) {
  const std::string fill = R"({ method = "layers", region = { box = [[0, 0, 0.2], [0.1, 0.1, 0.3]] }, count = 60 })";
  std::string told;
  const Case c = prepared(parse_case(layered(fill), "case.toml"), {.note = [&](const std::string& n) { told = n; }});
  double low = 1, high = 0;
  for (const ListedParticle& p : std::get<std::vector<ListedParticle>>(c.particles[0].source)) {
    low = std::min(low, p.x.z - p.radius);
    high = std::max(high, p.x.z + p.radius);
  }
  EXPECT_LT(high, 0.15);  // all of it below the region's base
  EXPECT_NE(told.find(fmt::format("height {:.4g} m", high - low)), std::string::npos) << told;
  const std::size_t at = told.find("solid fraction ");
  ASSERT_NE(at, std::string::npos);
  const double fraction = std::stod(told.substr(at + 15));
  EXPECT_GT(fraction, 0.3);
  EXPECT_LT(fraction, 0.64);
}
