// Observables on configurations whose answer is known.
#include "areia/observe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "frames.h"
#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"
#include "observe/measures.h"
#include "observe/selection.h"
#include "observe/series_names.h"
#include "run/run.h"
#include "support.h"

using namespace areia;
using namespace areia::test;
using testing_support::TemporaryFolder;

namespace {

// Grains on the surface of a cone of the given slope, filled below; upright along y, middle of the base at `base`.
Frame cone(double slope, double height, double radius, const Vec3d& base) {
  Frame f = empty_frame();
  const double reach = height / slope;
  for (double x = -reach; x <= reach; x += radius)
    for (double z = -reach; z <= reach; z += radius) {
      const double top = height - slope * std::hypot(x, z);
      if (top > 0) add_particle(f, base + Vec3d{x, top - radius, z}, radius);
    }
  return f;
}

}  // namespace

TEST(Observe, ReposeAngleOfACone) {
  for (const double slope : {0.2, 0.5, 1.0}) {
    const Frame f = cone(slope, 0.6, 0.01, {3, -1, 2});
    const ReposeAngle a = repose_angle(f, {}, {3, -1, 2}, {0, 1, 0});
    for (const double s : a.slopes) EXPECT_NEAR(s, slope, 0.02 * slope);
    EXPECT_NEAR(a.slope, slope, 0.02 * slope);
    EXPECT_NEAR(a.degrees, std::atan(slope) * 180 / std::numbers::pi, 0.5);
    EXPECT_NEAR(a.height, 0.6, 0.01);
  }
}

TEST(Observe, ReposeAngleOfSlopesThatDiffer) {
  // a roof: slope 0.5 towards x, level along z up to its gables
  Frame f = empty_frame();
  for (double x = -1; x <= 1; x += 0.01)
    for (double z = -1; z <= 1; z += 0.01) add_particle(f, {x, 0.5 * (1 - std::fabs(x)) - 0.01, z}, 0.01);
  const ReposeAngle a = repose_angle(f, {}, {}, {0, 1, 0});
  EXPECT_NEAR(a.slopes[0], 0.5, 0.01);
  EXPECT_NEAR(a.slopes[1], 0.5, 0.01);
  EXPECT_GT(a.slopes[2], 5);  // a gable is nearly upright
  EXPECT_GT(a.slopes[3], 5);
}

TEST(Observe, ReposeAngleWithoutAHeap) {
  Frame f = empty_frame();
  const ReposeAngle none = repose_angle(f, {}, {}, {0, 1, 0});
  EXPECT_TRUE(std::isnan(none.degrees));
  for (double x = -1; x <= 1; x += 0.02)
    for (double z = -1; z <= 1; z += 0.02) add_particle(f, {x, 0.01, z}, 0.01);
  EXPECT_EQ(repose_angle(f, {}, {}, {0, 1, 0}).degrees, 0);  // one layer
  Frame away = empty_frame();
  add_particle(away, {50, 0.01, 50}, 0.01);
  EXPECT_EQ(repose_angle(away, {}, {}, {0, 1, 0}).degrees, 0);
  // a column that stands upright is steep, not broken
  Frame column = empty_frame();
  for (int k = 0; k < 20; ++k) add_particle(column, {0.001, 0.01 + 0.02 * k, 0.001}, 0.01);
  EXPECT_GT(repose_angle(column, {}, {}, {0, 1, 0}).degrees, 60);
}

TEST(Observe, Deposit) {
  Frame f = empty_frame();
  add_particle(f, {1.9, 3, 0}, 0.05);
  add_particle(f, {1.7, 0, -1}, 0.05);
  add_particle(f, {1.95, 0, 2}, 0.05, 1);
  f.particles.prescribed.back() = 1;  // does not count
  const DepositStatistics d = deposit_statistics(f, {}, {2, 0, 0}, {-2, 0, 0}, 1.0);
  EXPECT_EQ(d.count, 2);
  EXPECT_DOUBLE_EQ(d.distance_mean, 2);
  EXPECT_DOUBLE_EQ(d.distance_std, 1);
  EXPECT_NEAR(d.thickness_mean, 0.2, 1e-15);
  EXPECT_NEAR(d.thickness_std, 0.1, 1e-15);
  EXPECT_EQ(d.share, 0.5);  // d = 1 lies on the rim and counts
  EXPECT_TRUE(std::isnan(deposit_statistics(empty_frame(), {}, {}, {1, 0, 0}, 1).share));
}

TEST(Observe, CountAndCenterOfMass) {
  Frame f = empty_frame();
  add_particle(f, {0, 0, 0}, 1, 0, {3, 0, 0}, 1);
  add_particle(f, {0, 0, 3}, 1, 0, {0, 0, 0}, 2);
  add_particle(f, {9, 9, 9}, 1, 1, {0, 1, 0}, 5);
  EXPECT_EQ(particle_count(f, {}).count, 3);
  EXPECT_DOUBLE_EQ(particle_count(f, {}).mass, 8);
  Region low;
  low.kind = Region::Kind::half_space;
  low.point = {0, 0, 1};
  low.normal = {0, 0, -1};
  EXPECT_EQ(particle_count(f, {"", low}).count, 1);
  EXPECT_DOUBLE_EQ(particle_count(f, {"", low}).mass, 1);
  const CenterOfMass c = center_of_mass(f, {"a"});
  EXPECT_EQ(c.count, 2);
  EXPECT_DOUBLE_EQ(c.mass, 3);
  EXPECT_DOUBLE_EQ(c.position.z, 2);
  EXPECT_DOUBLE_EQ(c.velocity.x, 1);
  EXPECT_EQ(particle_count(empty_frame(), {}).count, 0);
  EXPECT_TRUE(std::isnan(center_of_mass(empty_frame(), {}).position.x));
}

TEST(Observe, GranularTemperature) {
  Frame f = empty_frame();
  add_particle(f, {}, 1, 0, {3, 0, 0}, 1);
  add_particle(f, {}, 1, 0, {0, 0, 0}, 2);
  // mean (1, 0, 0); fluctuations 2 and 1: T = (1*4 + 2*1)/(3*3)
  const GranularTemperature t = granular_temperature(f, {});
  EXPECT_DOUBLE_EQ(t.mean_velocity.x, 1);
  EXPECT_DOUBLE_EQ(t.temperature, 6.0 / 9);
  EXPECT_TRUE(std::isnan(granular_temperature(f, {"b"}).temperature));
}

TEST(Observe, MixingLimits) {
  const int n = 12;
  Frame apart = empty_frame(), even = empty_frame(), random = empty_frame();
  Random dice(3);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3d x{i + 0.5, j + 0.5, k + 0.5};
        add_particle(apart, x, 0.5, i < n / 2 ? 0 : 1);
        add_particle(even, x, 0.5, (i + j + k) % 2);
        add_particle(random, x, 0.5, dice.uniform() < 0.5);
      }
  EXPECT_NEAR(mixing_index(apart, {"a"}, "b", 3).index, 0, 1e-12);
  // 27 to a cell, 13 or 14 of one group: s^2 = (1/54)^2; s_r^2 = (K-1)/(4 (N-1))
  const double s = 1.0 / 54, r = 0.25 * 63.0 / (n * n * n - 1);
  EXPECT_NEAR(mixing_index(even, {"a"}, "b", 3).index, (0.25 - s * s) / (0.25 - r), 1e-12);
  EXPECT_NEAR(mixing_index(even, {"a"}, "b", 2).variance, 0, 1e-15);
  const MixingIndex m = mixing_index(random, {"a"}, "b", 3);
  EXPECT_EQ(m.cells, 64);
  EXPECT_NEAR(m.index, 1, 0.03);
  EXPECT_EQ(mixing_index(random, {"a"}, "b", 0).cells, 27);  // four diameters
  EXPECT_TRUE(std::isnan(mixing_index(empty_frame(), {"a"}, "b", 1).index));
}

// A column of five balls at rest: below a ball the stress is the weight above over the area.
TEST(Observe, StressOfAColumnIsItsWeight) {
  const std::string toml = R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz", xi = 0.5 }
[particles.a]
material = "a"
radius = 0.01
list = [{ x = [0, 0, 0.01] }, { x = [0, 0, 0.03] }, { x = [0, 0, 0.05] }, { x = [0, 0, 0.07] }, { x = [0, 0, 0.09] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
name = "a"
duration = 1.5
[numerics]
dt = 1e-5
threads = 1
)";
  const Frame f = last_frame(simulate(toml));
  const double weight = f.particles.mass[0] * 9.81;
  for (int k = 0; k < 4; ++k) {
    const Vec3d a = f.particles.x[k], b = f.particles.x[k + 1];
    Region slab;  // one contact in a slice as high as its branch
    slab.box = {{-0.02, -0.02, a.z}, {0.02, 0.02, b.z}};
    const StressTensor s = stress_tensor(f, slab);
    EXPECT_EQ(s.contacts, 1);
    EXPECT_NEAR(s.contact[2].z, (4 - k) * weight / 0.0016, 1e-6 * weight / 0.0016);
    EXPECT_NEAR(s.contact[0].x, 0, 1e-9);
    EXPECT_NEAR(s.pressure, s.contact[2].z / 3, 1e-9);
    EXPECT_NEAR(s.deviator, s.contact[2].z, 1e-6);  // uniaxial
    EXPECT_NEAR(s.kinetic[2].z, 0, 1e-9);
  }
}

// A periodic simple cubic lattice pressed together: six partners, no preferred direction, p = F/l^2.
TEST(Observe, FabricAndPressureOfACubicLattice) {
  const double l = 0.0199, r = 0.01;
  const std::string toml = fmt::format(R"(
[materials.a]
density = 2500
young = 1e7
poisson = 0
[contacts.default]
normal = {{ law = "hertz" }}
[particles.a]
material = "a"
radius = {}
lattice = {{ region = {{ box = [[-1, -1, -1], [1, 1, 1]] }}, spacing = 0.0199, count = 0 }}
[[stages]]
name = "a"
duration = 1e-6
[domain]
periodic = ["x", "y", "z"]
box = [[0, 0, 0], [0.0995, 0.0995, 0.0995]]
[numerics]
dt = 1e-6
)",
                                       r);
  // by hand, since the box of the lattice must be that of the domain
  std::string list;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k)
        list += fmt::format("{{x=[{:.17g},{:.17g},{:.17g}]}},", (i + 0.5) * l, (j + 0.5) * l, (k + 0.5) * l);
  std::string text = toml;
  const std::size_t at = text.find("lattice");
  text.replace(at, text.find('\n', at) - at, "list = [" + list + "]");
  const Frame f = simulate(text).frame();
  Region all;
  all.box = {{-0.01, -0.01, -0.01}, {0.11, 0.11, 0.11}};
  const FabricTensor t = fabric_tensor(f, all);
  EXPECT_EQ(t.contacts, 375);
  EXPECT_EQ(t.coordination, 6);
  EXPECT_NEAR(t.anisotropy, 0, 1e-12);
  for (const double d : {t.fabric[0].x, t.fabric[1].y, t.fabric[2].z}) EXPECT_NEAR(d, 1.0 / 3, 1e-12);
  // inside one cell of the lattice around a corner of eight balls there is no contact; take 2 x 2 x 2 cells
  Region some;
  some.box = {{0.7 * l, 0.7 * l, 0.7 * l}, {2.7 * l, 2.7 * l, 2.7 * l}};
  const StressTensor s = stress_tensor(f, some);
  const double e_star = 0.5e7, overlap = 2 * r - l;
  const double force = 4.0 / 3 * e_star * std::sqrt(r / 2) * std::pow(overlap, 1.5);
  EXPECT_EQ(s.contacts, 24);
  EXPECT_NEAR(s.pressure, force / (l * l), 1e-9 * s.pressure);
  EXPECT_NEAR(s.deviator, 0, 1e-9 * s.pressure);
  // one line of contacts
  Region line;
  line.box = {{0.4 * l, 0.4 * l, 0}, {0.6 * l, 0.6 * l, 5 * l}};
  EXPECT_NEAR(fabric_tensor(f, line).anisotropy, 1, 1e-12);
}

TEST(Observe, RegionsOfPoints) {
  Region r = everywhere();
  EXPECT_TRUE(contains(r, {1, 2, 3}));
  r.kind = Region::Kind::half_space;
  r.point = {1, 0, 0};
  r.normal = {1, 0, 0};
  EXPECT_FALSE(contains(r, {1, 5, 5}));  // strict
  EXPECT_TRUE(contains(r, {1.001, 5, 5}));
  r.outside = true;
  EXPECT_TRUE(contains(r, {0.5, 0, 0}));
  Region slab;
  slab.kind = Region::Kind::slab;
  slab.from = {0.5, 0, 0};
  slab.to = {1.5, 0, 0};
  EXPECT_TRUE(contains(slab, {1, 9, 9}));
  EXPECT_FALSE(contains(slab, {1.5, 0, 0}));
  Region tube;
  tube.kind = Region::Kind::cylinder;
  tube.to = {0, 0, 2};
  tube.radius = 1;
  EXPECT_TRUE(contains(tube, {0.7, 0.7, 1}));
  EXPECT_FALSE(contains(tube, {0.8, 0.7, 1}));
  EXPECT_FALSE(contains(tube, {0, 0, 2.1}));
}

TEST(Observe, MassFlowCountsCrossings) {
  Frame f = empty_frame();
  add_particle(f, {0, 0, 1}, 0.1, 0, {}, 2);
  add_particle(f, {0.4, 0, 1}, 0.1, 1, {}, 3);
  add_particle(f, {5, 0, 1}, 0.1, 0, {}, 7);  // beside the opening
  MassFlow all("", {}, {0, 0, -2}, 0.5), only_b("b", {}, {0, 0, -1}, 0.5), plane("", {}, {0, 0, -1}, 0);
  const auto look = [&](double time) {
    f.time = time;
    for (MassFlow* m : {&all, &only_b, &plane}) m->look(f);
  };
  look(0);
  EXPECT_EQ(all.total_number(), 0);
  for (Vec3d& x : f.particles.x) x.z = -1;
  look(0.5);
  EXPECT_EQ(all.mass(), 5);
  EXPECT_EQ(all.rate(), 10);
  EXPECT_EQ(only_b.total_mass(), 3);
  EXPECT_EQ(plane.total_number(), 3);
  f.particles.x[0].z = 1;  // back
  look(1);
  EXPECT_EQ(all.number(), -1);
  EXPECT_EQ(all.total_mass(), 3);
  // leaves through the rim: crosses the plane at x = 0.6
  f.particles.x[0] = {1.2, 0, -1};
  look(1.5);
  EXPECT_EQ(all.number(), 0);
}

// A resumed run writes the same lines of every measure as one that was never stopped.
TEST(Observe, SeriesOfAResumedRunAreTheSame) {
  const std::string toml = R"(
[materials.a]
density = 2500
young = 1e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.a]
material = "a"
radius = 0.02
fill = { region = { box = [[-0.1, -0.1, 0.2], [0.1, 0.1, 0.5]] }, count = 60 }
[particles.b]
material = "a"
radius = 0.015
fill = { region = { box = [[-0.1, -0.1, 0.2], [0.1, 0.1, 0.5]] }, count = 60 }
[walls.box]
box = { min = [-0.1, -0.1, 0], max = [0.1, 0.1, 1], open = ["+z"] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
name = "fall"
duration = 0.3
[numerics]
dt = 1e-4
threads = 2
[output]
series = 0.013
[output.measure.through]
kind = "mass_flow"
point = [0, 0, 0.15]
axis = [0, 0, -1]
[output.measure.heap]
kind = "repose_angle"
[output.measure.mix]
kind = "mixing"
group = "a"
other_group = "b"
[output.measure.load]
kind = "stress"
region = { box = [[-0.09, -0.09, 0.01], [0.09, 0.09, 0.05]] }
[output.measure.net]
kind = "fabric"
[output.measure.heat]
kind = "granular_temperature"
group = "b"
[output.measure.spot]
kind = "deposit"
radius = 0.05
[output.measure.above]
kind = "count"
region = { half_space = { point = [0, 0, 0.05], normal = [0, 0, 1] } }
[output.measure.middle]
kind = "center_of_mass"
)";
  const Case c = parse_case(toml, "test");
  const TemporaryFolder whole, parts;
  RunOptions options;
  options.out = whole.path() / "out";
  run_case(c, options);

  std::atomic<int> stop{0};
  options.out = parts.path() / "out";
  options.interrupt = &stop;
  options.progress = [&](const Progress& p) {
    if (!options.resume && p.step > 500) stop = 1;
  };
  stop = 1;  // after the first steps
  EXPECT_EQ(run_case(c, options).ending, Ending::interrupted);
  for (int round = 0; round < 3; ++round) {
    stop = round < 2;
    options.resume = true;
    options.progress = {};
    run_case(c, options);
  }
  for (const char* name : {"through", "heap", "mix", "load", "net", "heat", "spot"}) {
    const std::string file = std::string(name) + ".csv";
    const std::string expected = read_file(whole.path() / "out" / file);
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 20);
    EXPECT_EQ(read_file(parts.path() / "out" / file), expected) << name;
  }
  const std::string flow = read_file(whole.path() / "out" / "through.csv");
  EXPECT_NE(flow.find(",120\n"), std::string::npos) << flow;  // all of them fell through
}

// The registry: every kind stands at its own place, and its lines have as many values as columns.
TEST(Measures, EveryKindHasOneEntry) {
  ASSERT_EQ(all_measures().size(), Measure::kKinds);
  Case c;
  Wall floor;
  floor.name = "floor";
  floor.shape = PlaneShape{};
  c.walls.push_back(floor);
  Frame f = empty_frame();
  add_particle(f, {0.5, 0.5, 0.5}, 0.1);
  for (std::size_t k = 0; k < Measure::kKinds; ++k) {
    Measure m;
    m.name = "m";
    m.kind = static_cast<Measure::Kind>(k);
    m.region = {};
    m.region.box = {{0, 0, 0}, {1, 1, 1}};
    m.cell = m.width = m.radius = 0.5;
    EXPECT_EQ(measure_info(m.kind).kind, m.kind);
    Observer observer(m, c);
    const std::vector<std::string> columns = observer.columns();
    EXPECT_EQ(columns[0], "time_s");
    EXPECT_GT(columns.size(), 2u) << measure_info(m.kind).name;
    observer.look(f);
    const auto lines = observer.lines(f);
    ASSERT_FALSE(lines.empty()) << measure_info(m.kind).name;
    for (const auto& line : lines) EXPECT_EQ(line.size(), columns.size()) << measure_info(m.kind).name;
  }
}

TEST(Measures, DoNotTakeTheNamesOfOtherSeries) {
  Case c;
  c.stages.resize(1);
  c.stages[0].duration = 1;
  for (const std::string_view name : kOwnSeries) {
    c.output.measure.assign(1, {});
    c.output.measure[0].name = name;
    c.output.measure[0].kind = Measure::Kind::fabric;
    const std::vector<Problem> problems = validate(c);
    ASSERT_EQ(problems.size(), 1u) << name;
    EXPECT_EQ(problems[0].key, "output.measure." + std::string(name));
  }
}
