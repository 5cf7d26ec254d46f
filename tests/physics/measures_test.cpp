// Profiles, residence times, distributions, mixing by mass and means over time, on frames whose answer is known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "frames.h"
#include "observe/measures.h"
#include "scene/region.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

using std::numbers::pi;
using Lines = std::vector<std::vector<double>>;

Measure measure(Measure::Kind kind, const Box& box) {
  Measure m;
  m.name = "m";
  m.kind = kind;
  m.region = {};
  m.region.box = box;
  return m;
}

Lines lines_of(Measure m, const Case& c, const Frame& f) {
  repeat_with(c.domain, m.region);
  Observer o(m, c);
  o.look(f);
  return o.lines(f);
}

Case periodic_case(const Box& box, int dimension = 3) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.bounded = true;
  c.domain.box = box;
  c.domain.periodic = {true, true, dimension == 3};
  return c;
}

}  // namespace

// Volumes of the slices of a sphere: pi (r^2 z - z^3/3) between two heights.
TEST(Profile, CutsASphereIntoItsSlices) {
  Frame f = empty_frame();
  const double r = 0.3, mass = 2;
  add_particle(f, {0.5, 0.5, 0.55}, r, 0, {1, 2, 3}, mass);
  Measure m = measure(Measure::Kind::profile, {{0, 0, 0}, {1, 1, 1}});
  m.bins = 10;
  const Lines lines = lines_of(m, {}, f);
  ASSERT_EQ(lines.size(), 10u);
  const auto primitive = [&](double z) {
    z = std::clamp(z - 0.55, -r, r);
    return pi * (r * r * z - z * z * z / 3);
  };
  const double whole = 4.0 / 3 * pi * r * r * r;
  for (std::size_t b = 0; b < 10; ++b) {
    const double volume = primitive(0.1 * static_cast<double>(b + 1)) - primitive(0.1 * static_cast<double>(b));
    EXPECT_NEAR(lines[b][1], 0.05 + 0.1 * static_cast<double>(b), 1e-15);
    EXPECT_NEAR(lines[b][2], mass * volume / whole / 0.1, 1e-9);
    EXPECT_NEAR(lines[b][3], volume / 0.1, 1e-9);
    if (volume > 0) {
      EXPECT_NEAR(lines[b][6], 3, 1e-12);
      EXPECT_NEAR(lines[b][7], 0, 1e-12);
    } else {
      EXPECT_TRUE(std::isnan(lines[b][6]));
    }
  }
  m.axis = {0, -1, 0};  // across y
  EXPECT_NEAR(lines_of(m, {}, f)[0][3], 0, 1e-15);
}

// In the plane: discs and areas; the column of a group is its share of the mass.
TEST(Profile, InThePlaneWithSharesOfGroups) {
  Case c;
  c.domain.dimension = 2;
  c.domain.disk_thickness = 0.1;
  c.particles.resize(2);
  c.particles[0].name = "a";
  c.particles[1].name = "b";
  Frame f = empty_frame();
  add_particle(f, {0.5, 0.25, 0}, 0.1, 0, {1, 0, 0}, 1);
  add_particle(f, {0.2, 0.25, 0}, 0.1, 1, {-1, 0, 0}, 3);
  add_particle(f, {0.5, 0.5, 0}, 0.1, 1, {0, 0, 0}, 2);  // half in either slice
  Measure m = measure(Measure::Kind::profile, {{0, 0, 0}, {1, 1, 0}});
  m.axis = {0, 1, 0};
  m.bins = 2;
  const Lines lines = lines_of(m, c, f);
  ASSERT_EQ(lines[0].size(), 10u);  // time, seven columns, two shares
  EXPECT_NEAR(lines[0][2], 5 / 0.05, 1e-9);
  EXPECT_NEAR(lines[0][3], 2.5 * pi * 0.01 / 0.5, 1e-12);
  EXPECT_NEAR(lines[0][4], -2.0 / 5, 1e-12);
  EXPECT_NEAR(lines[0][7], (4.0 - 4.0 / 5) / (2 * 5), 1e-12);  // (sum m v^2 - p^2/m)/(D m)
  EXPECT_NEAR(lines[0][8], 1.0 / 5, 1e-12);
  EXPECT_NEAR(lines[0][9], 4.0 / 5, 1e-12);
  EXPECT_NEAR(lines[1][9], 1, 1e-12);
}

// All slices together hold all mass, also of grains that lie across a periodic face; and shear shows as shear.
TEST(Profile, OfShearInAPeriodicBox) {
  const Case c = periodic_case({{0, 0, 0}, {1, 1, 1}});
  Frame f = empty_frame();
  Random random(5);
  double mass = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3d x = random.uniform({0, 0, 0}, {1, 1, 1});
    const double m = random.uniform(1, 2);
    add_particle(f, x, 0.01, 0, {4 * x.z, 0, 0}, m);
    mass += m;
  }
  Measure m = measure(Measure::Kind::profile, {{0, 0, 0}, {1, 1, 1}});
  m.bins = 20;
  double sum = 0;
  for (const std::vector<double>& line : lines_of(m, c, f)) {
    sum += line[2] / 20;
    if (line[1] > 0.05 && line[1] < 0.95) { EXPECT_NEAR(line[4], 4 * line[1], 4 * 0.04); }
  }
  EXPECT_NEAR(sum, mass, 1e-8 * mass);
}

TEST(Profile, OfACylinderAlongItsAxis) {
  Frame f = empty_frame();
  add_particle(f, {0.25, 0, 0}, 0.1, 0, {}, 2);
  Measure m = measure(Measure::Kind::profile, {});
  m.region.kind = Region::Kind::cylinder;
  m.region.from = {0, 0, 0};
  m.region.to = {1, 0, 0};
  m.region.radius = 0.5;
  m.bins = 2;
  const Lines lines = lines_of(m, {}, f);
  EXPECT_NEAR(lines[0][2], 2 / (pi * 0.25 * 0.5), 1e-9);
  EXPECT_EQ(lines[1][2], 0);
}

// Particles that cross a slab of length L at speeds v stay L/v, found to half the time between looks at either end.
TEST(Residence, OfParticlesThatCross) {
  Measure m = measure(Measure::Kind::residence, {{0, -1, -1}, {1, 1, 1}});
  Observer o(m, {});
  const double look = 0.01, error = look + 1e-12;
  Lines last;
  for (int k = 0; k <= 700; ++k) {
    Frame f = empty_frame();
    f.time = look * k;
    f.step = k;
    for (int i = 0; i < 4; ++i) add_particle(f, {-0.3 + 0.25 * (i + 1) * f.time, 0, 0}, 0.01);
    add_particle(f, {0.5, 0, 0}, 0.01);                  // never leaves
    if (k <= 300) add_particle(f, {0.5, 0.5, 0}, 0.01);  // taken out at t = 3 s
    o.look(f);
    last = o.lines(f);
  }
  // stays of 4, 2, 4/3 and 1 s, and 3 s of the one taken out
  ASSERT_EQ(o.columns()[3], "stays");
  EXPECT_EQ(last[0][1], 1);
  EXPECT_NEAR(last[0][2], 7, 1e-9);
  EXPECT_EQ(last[0][3], 5);
  EXPECT_NEAR(last[0][4], (4 + 2 + 4.0 / 3 + 1 + 3) / 5, error);
  EXPECT_NEAR(last[0][6], 1 + 0.4 * (4.0 / 3 - 1), error);  // p10: 0.4 of the way from the first to the second
  EXPECT_NEAR(last[0][7], 2, error);
  EXPECT_NEAR(last[0][8], 3 + 0.6, error);
}

TEST(Residence, GoesOnFromACheckpoint) {
  const Measure m = measure(Measure::Kind::residence, {{0, -1, -1}, {1, 1, 1}});
  const auto frame = [](int k) {
    Frame f = empty_frame();
    f.time = 0.1 * k;
    f.step = k;
    for (int i = 0; i < 5; ++i) add_particle(f, {-0.3 * i + 0.7 * f.time, 0, 0}, 0.01);
    return f;
  };
  Observer whole(m, {});
  std::optional<Observer> part(std::in_place, m, Case{});
  for (int k = 0; k < 40; ++k) {
    if (k == 17) {
      Archive a;
      part->save(a);
      part.emplace(m, Case{});
      part->load(a);
    }
    const Frame f = frame(k);
    whole.look(f);
    part->look(f);
    const Lines a = whole.lines(f), b = part->lines(f);
    for (std::size_t n = 0; n < a[0].size(); ++n)
      EXPECT_TRUE(a[0][n] == b[0][n] || (std::isnan(a[0][n]) && std::isnan(b[0][n]))) << k;
  }
  Observer other(m, {});
  EXPECT_THROW(other.load({}), FileError);
}

// Forces 1, 2, ..., 100 are uniform over their mean between 0 and 2: a density of 1/2 in each bin up to there.
TEST(ForceDistribution, OfUniformForces) {
  Frame f = empty_frame();
  for (int k = 1; k <= 1000; ++k) {
    FrameContact c;
    c.point = {0.5, 0.5, 0.5};
    c.normal = k % 2 == 0 ? k : -k;  // pulls count by their size
    c.tangential = 3;
    f.contacts.push_back(c);
  }
  f.contacts.push_back({});  // outside
  f.contacts.back().point = {5, 5, 5};
  f.contacts.back().normal = 1e9;
  Measure m = measure(Measure::Kind::force_distribution, {{0, 0, 0}, {1, 1, 1}});
  m.bins = 10;
  m.up_to = 5;
  const Lines lines = lines_of(m, {}, f);
  ASSERT_EQ(lines.size(), 10u);
  double sum = 0;
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_EQ(lines[b][1], 0.25 + 0.5 * static_cast<double>(b));
    EXPECT_NEAR(lines[b][2], b < 4 ? 0.5 : 0, 0.003);
    EXPECT_EQ(lines[b][3], b == 2 ? 2 : 0);  // all equal: the bin of 1
    EXPECT_EQ(lines[b][4], 1000);
    EXPECT_EQ(lines[b][5], 500.5);
    EXPECT_EQ(lines[b][6], 3);
    sum += lines[b][2] * 0.5;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  f.contacts.clear();
  EXPECT_TRUE(std::isnan(lines_of(m, {}, f)[0][2]));
}

// Neighbours on a simple cubic lattice: 6 at a, 12 at sqrt(2) a, 8 at sqrt(3) a, 6 at 2 a.
TEST(RadialDistribution, OfACubicLattice) {
  const Case c = periodic_case({{0, 0, 0}, {6, 6, 6}});
  Frame f = empty_frame();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) add_particle(f, {i + 0.5, j + 0.5, k + 0.5}, 0.5);
  for (const double edge : {6.0, 3.0}) {  // about all, or about those of a part
    Measure m = measure(Measure::Kind::radial_distribution, {{0, 0, 0}, {edge, edge, edge}});
    m.radius = 2.1;
    m.bins = 21;
    const Lines lines = lines_of(m, c, f);
    const auto neighbours = [&](double r) { return lines[static_cast<std::size_t>(std::lround(10 * r)) - 1][3]; };
    EXPECT_EQ(neighbours(0.9), 0);
    EXPECT_EQ(neighbours(1.1), 6);
    EXPECT_EQ(neighbours(1.5), 18);
    EXPECT_EQ(neighbours(1.8), 26);
    EXPECT_EQ(neighbours(2.1), 32);
    // the shell from 1.0 to 1.1 holds 6 of 4/3 pi (1.1^3 - 1)
    EXPECT_NEAR(lines[10][2] + lines[9][2] * (1 - std::pow(0.9, 3)) / (std::pow(1.1, 3) - 1),
                6 / (4.0 / 3 * pi * (std::pow(1.1, 3) - 1)), 1e-9);
  }
}

// Beyond half the box images count, a particle's own among them: a single one in a box of edge 1 is a lattice.
TEST(RadialDistribution, OfOneParticleAndItsImages) {
  const Case c = periodic_case({{0, 0, 0}, {1, 1, 0}}, 2);
  Frame f = empty_frame();
  add_particle(f, {0.3, 0.9, 0}, 0.1);
  Measure m = measure(Measure::Kind::radial_distribution, {{0, 0, 0}, {1, 1, 0}});
  m.radius = 2.5;
  m.bins = 25;
  const Lines lines = lines_of(m, c, f);
  EXPECT_EQ(lines[8][3], 0);
  EXPECT_EQ(lines[10][3], 4);
  EXPECT_EQ(lines[14][3], 8);
  EXPECT_EQ(lines[24][3], 20);  // 4 + 4 + 4 at 2, and 8 at sqrt(5)
}

// Of particles anywhere g is one; of two groups apart it is zero between them.
TEST(RadialDistribution, OfAnIdealGasIsOne) {
  const Case c = periodic_case({{0, 0, 0}, {1, 1, 1}});
  Frame f = empty_frame();
  Random random(11);
  for (int k = 0; k < 3000; ++k) {
    Vec3d x = random.uniform({0, 0, 0}, {1, 1, 1});
    const int group = k % 3 == 0;
    if (group == 1) x.x *= 0.5;
    add_particle(f, x, 0.01, group);
  }
  Measure m = measure(Measure::Kind::radial_distribution, {{0, 0, 0}, {1, 1, 1}});
  m.group = "a";
  m.radius = 0.2;
  m.bins = 4;
  // pairs of bin b: N rho V/2; g scatters by one over the root of that
  const Lines lines = lines_of(m, c, f);
  for (std::size_t b = 0; b < 4; ++b) {
    const double shell =
        4.0 / 3 * pi * (std::pow(0.05 * static_cast<double>(b + 1), 3) - std::pow(0.05 * static_cast<double>(b), 3));
    EXPECT_NEAR(lines[b][2], 1, 4 / std::sqrt(2000.0 * 2000 * shell / 2)) << b;
  }
  m.region.box = {{0.1, 0, 0}, {0.4, 1, 1}};  // partners of group b are twice as dense there
  m.other_group = "b";
  EXPECT_NEAR(lines_of(m, c, f)[0][2], 1, 0.15);
}

// A box without thickness holds what lies in the plane of a 2-D case.
TEST(Measures, InThePlaneABoxNeedsNoThickness) {
  const Case c = periodic_case({{0, 0, 0}, {1, 1, 0}}, 2);
  Frame f = empty_frame();
  add_particle(f, {0.3, 0.9, 0}, 0.1);
  EXPECT_EQ(lines_of(measure(Measure::Kind::count, {{0, 0, 0}, {1, 1, 0}}), c, f)[0][1], 1);
}

TEST(MixingByMass, OfEqualMassesIsThatByNumbers) {
  Frame f = empty_frame();
  Random random(2);
  for (int k = 0; k < 400; ++k) add_particle(f, random.uniform({0, 0, 0}, {4, 4, 4}), 0.1, k % 3 == 0, {}, 0.25);
  const MixingIndex number = mixing_index(f, {"a", everywhere()}, "b", 1);
  const MixingIndex mass = mixing_index(f, {"a", everywhere()}, "b", 1, Measure::Weight::mass);
  EXPECT_NEAR(mass.index, number.index, 1e-12);
  EXPECT_NEAR(mass.share, number.share, 1e-14);
}

// Two cells, by hand: a has 1 kg and 3 kg, b 2 kg and 2 kg. p = 1/2, cells 3 and 5 kg with shares 1/3 and 3/5;
// s^2 = (3 (1/6)^2 + 5 (1/10)^2)/8, m_a = 10/4, m_b = 2, N = 8/(1.25 + 1) = 32/9, s_r^2 = 1/4 (2 - 1)/(N - 1).
TEST(MixingByMass, ByHand) {
  Frame f = empty_frame();
  add_particle(f, {0.5, 0.5, 0.5}, 0.1, 0, {}, 1);
  add_particle(f, {0.6, 0.5, 0.5}, 0.1, 1, {}, 2);
  add_particle(f, {1.5, 0.5, 0.5}, 0.1, 0, {}, 3);
  add_particle(f, {1.6, 0.5, 0.5}, 0.1, 1, {}, 2);
  const MixingIndex m = mixing_index(f, {"a", everywhere()}, "b", 1, Measure::Weight::mass);
  const double s2 = (3.0 / 36 + 5.0 / 100) / 8, random = 0.25 / (32.0 / 9 - 1);
  EXPECT_NEAR(m.share, 0.5, 1e-15);
  EXPECT_NEAR(m.variance, s2, 1e-15);
  EXPECT_NEAR(m.index, (0.25 - s2) / (0.25 - random), 1e-12);
}

// Random mixtures of light and heavy grains have the index 1 on average: 0.0004 is four times the scatter of the mean.
TEST(MixingByMass, OfRandomMixturesIsOneOnAverage) {
  Random random(9);
  double sum = 0;
  const int rounds = 60;
  for (int round = 0; round < rounds; ++round) {
    Frame f = empty_frame();
    for (int k = 0; k < 6400; ++k)
      add_particle(f, random.uniform({0, 0, 0}, {4, 4, 4}), 0.1, k % 2, {}, k % 2 == 0 ? 1 : random.uniform(4, 12));
    sum += mixing_index(f, {"a", everywhere()}, "b", 1, Measure::Weight::mass).index;
  }
  EXPECT_NEAR(sum / rounds, 1, 0.0004);
}

TEST(Windows, AreMeansOfTheirLooksAndLeaveOutWhatDoesNotExist) {
  Measure m;
  m.name = "m";
  m.kind = Measure::Kind::center_of_mass;
  m.average = 1;
  Observer o(m);
  EXPECT_EQ(o.columns().back(), "looks");
  const auto frame = [](int step, std::initializer_list<double> x) {
    Frame f = empty_frame();
    f.step = step;
    f.time = 0.25 * step;
    for (const double at : x) add_particle(f, {at, 0, 0}, 0.1);
    return f;
  };
  o.look(frame(0, {100}));  // the start is in no window
  EXPECT_FALSE(o.has_lines());
  o.look(frame(1, {1, 3}));
  o.look(frame(2, {}));  // no centre
  o.look(frame(3, {5}));
  const Frame last = frame(4, {6});
  Archive a;
  o.save(a);
  Observer resumed(m);
  resumed.load(a);
  for (Observer* one : {&o, &resumed}) {
    one->look(last);
    const std::vector<double> line = one->lines(last)[0];
    EXPECT_EQ(line[0], 1);
    EXPECT_EQ(line[1], 1);  // mean of 2, 0, 1 and 1 particles
    EXPECT_NEAR(line[3], (2.0 + 5 + 6) / 3, 1e-15);
    EXPECT_EQ(line.back(), 4);
    one->begin_window();
    EXPECT_FALSE(one->has_lines());
  }
}
