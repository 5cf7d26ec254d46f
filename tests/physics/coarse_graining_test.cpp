// Fields by coarse graining, on configurations whose answer is known in closed form.
#include "observe/coarse_graining.h"

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

Measure field(const Box& box, double cell, double width) {
  Measure m;
  m.name = "f";
  m.kind = Measure::Kind::field;
  m.region = {};
  m.region.box = box;
  m.cell = cell;
  m.width = width;
  return m;
}

FieldImage image_of(const Measure& m, const Case& c, const Frame& f) {
  Observer o(m, c);
  o.look(f);
  return std::get<FieldImage>(o.picture(f));
}
const FieldArray& array(const FieldImage& image, const std::string& name) {
  for (const FieldArray& a : image.arrays)
    if (a.name == name) return a;
  throw std::runtime_error("no array " + name);
}
double column(const Measure& m, const Case& c, const Frame& f, const std::string& name) {
  Observer o(m, c);
  o.look(f);
  const auto names = o.columns();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw std::runtime_error("no column " + name);
  return o.lines(f)[0][static_cast<std::size_t>(at - names.begin())];
}

// The share of phi above the height z of a plane, z from its middle: the marginal of (1 - r^2/c^2)^3 along an axis is
// 315/256 (1 - s^2)^4 with s = z/c.
double share_above(double z, double reach) {
  const double s = std::clamp(z / reach, -1.0, 1.0);
  const auto primitive = [](double u) {
    const double u2 = u * u;
    return u * (1 + u2 * (-4.0 / 3 + u2 * (6.0 / 5 + u2 * (-4.0 / 7 + u2 / 9))));
  };
  return 315.0 / 256 * (primitive(1) - primitive(s));
}

// A column of n balls on a floor at z = 0, one upon the other, at rest; contacts bear what is above them.
Frame column_of_balls(int n, double r, double m, double g, const Vec3d& foot = {}) {
  Frame f = empty_frame();
  for (int k = 0; k < n; ++k) add_particle(f, foot + Vec3d{0, 0, (2 * k + 1) * r}, r, 0, {}, m);
  for (int k = 0; k < n; ++k) {
    FrameContact c;
    c.i = k == 0 ? 0 : k - 1;
    c.j = k == 0 ? -1 : k;
    c.wall = k == 0 ? 0 : -1;
    c.n = {0, 0, k == 0 ? -1.0 : 1.0};
    c.point = foot + Vec3d{0, 0, 2 * k * r};
    c.normal = (n - k) * m * g;
    c.force = -c.normal * c.n;
    f.contacts.push_back(c);
  }
  return f;
}

}  // namespace

TEST(CoarseGraining, HasUnitIntegralAndTheWidthThatWasAskedFor) {
  for (const int dimension : {2, 3}) {
    const CoarseGraining phi(0.3, dimension);
    const int n = 20000;
    double all = 0, squares = 0;  // of r, by shells
    for (int k = 0; k < n; ++k) {
      const double r = (k + 0.5) / n * phi.reach(), dr = phi.reach() / n;
      const double shell = dimension == 2 ? 2 * pi * r : 4 * pi * r * r;
      all += phi.at({r, 0, 0}) * shell * dr;
      squares += r * r * phi.at({r, 0, 0}) * shell * dr;
    }
    EXPECT_NEAR(all, 1, 1e-7) << dimension;
    EXPECT_NEAR(std::sqrt(squares / dimension), 0.3, 1e-7) << dimension;
    EXPECT_EQ(phi.at({phi.reach(), 0, 0}), 0);
  }
}

TEST(CoarseGraining, MeanAlongALineIsThatOfItsPoints) {
  const CoarseGraining phi(0.3, 3);
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    const auto vector = [&](double size) {
      return size * Vec3d{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
    };
    const Vec3d d = vector(2), l = vector(round % 3 == 0 ? 6 : 1);
    const int n = 20000;
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += phi.at(d - ((k + 0.5) / n) * l);
    const SpreadLine line(phi, l);
    EXPECT_NEAR(line.at(d), sum / n, 1e-7 * phi.at({}));
    const SpreadLine::Row row = line.row(d.y, d.z);
    if (sum > 0) {
      EXPECT_GE(d.x, row.low);
      EXPECT_LE(d.x, row.high);
    }
  }
  EXPECT_NEAR(SpreadLine(phi, {}).at({0.1, 0, 0}), phi.at({0.1, 0, 0}), 1e-15 * phi.at({}));
}

TEST(Field, OfOneParticleIsTheFunctionItself) {
  Frame f = empty_frame();
  add_particle(f, {0.1, -0.2, 0.3}, 0.05, 0, {1, 2, 3}, 0.7);
  const Measure m = field({{-1, -1, -1}, {1, 1, 1}}, 0.1, 0.2);
  const FieldImage image = image_of(m, {}, f);
  EXPECT_EQ(image.cells, (std::array<std::int64_t, 3>{20, 20, 20}));
  EXPECT_EQ(image.origin, (Vec3d{-1, -1, -1}));
  const CoarseGraining phi(0.2, 3);
  const FieldArray &rho = array(image, "density"), &v = array(image, "velocity"),
                   &solid = array(image, "solid_fraction");
  for (std::size_t cell = 0; cell < rho.values.size(); ++cell) {
    const Vec3d middle{-0.95 + 0.1 * static_cast<double>(cell % 20), -0.95 + 0.1 * static_cast<double>(cell / 20 % 20),
                       -0.95 + 0.1 * static_cast<double>(cell / 400)};
    const double here = phi.at(middle - Vec3d{0.1, -0.2, 0.3});
    EXPECT_NEAR(rho.values[cell], 0.7 * here, 1e-12);
    EXPECT_NEAR(solid.values[cell], 4.0 / 3 * pi * std::pow(0.05, 3) * here, 1e-12);
    if (here > 1e-6) {
      EXPECT_NEAR(v.values[3 * cell + 2], 3, 1e-12);
    } else if (here == 0) {
      EXPECT_TRUE(std::isnan(v.values[3 * cell]));
    }
  }
}

// The sum over the grid is the integral up to what a smooth function loses between points: 1e-3 where cells are as
// large as the width, 1e-5 at half of it.
TEST(Field, HoldsTheWholeMassInSpaceInThePlaneAndAcrossPeriodicFaces) {
  Random random(3);
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true}) {
      Case c;
      c.domain.dimension = dimension;
      c.domain.bounded = periodic;
      c.domain.box = {{0, 0, 0}, {1, 1, 1}};
      c.domain.periodic = {periodic, periodic, periodic && dimension == 3};
      Frame f = empty_frame();
      double mass = 0, volume = 0;
      for (int k = 0; k < 50; ++k) {
        const double m = 0.5 + random.uniform(), r = 0.01 + 0.02 * random.uniform();
        add_particle(f, {random.uniform(), random.uniform(), dimension == 2 ? 0.5 : random.uniform()}, r, 0, {1, 0, 0},
                     m);
        mass += m;
        volume += dimension == 2 ? pi * r * r : 4.0 / 3 * pi * r * r * r;
      }
      const double rim = periodic ? 0 : 0.5;  // wide enough for all of phi
      Measure m = field({{-rim, -rim, -rim}, {1 + rim, 1 + rim, 1 + rim}}, 0.05, 0.1);
      EXPECT_NEAR(column(m, c, f, "mass_kg"), mass, 1e-5 * mass) << dimension << periodic;
      const double side = 1 + 2 * rim, size = dimension == 2 ? side * side : side * side * side;
      EXPECT_NEAR(column(m, c, f, "solid_fraction") * size, volume, 1e-5 * volume) << dimension << periodic;
      EXPECT_NEAR(column(m, c, f, "vx_m/s"), 1, 1e-12);
      EXPECT_NEAR(column(m, c, f, "temperature_m2/s2"), 0, 1e-12);
      m.cell = 0.1;
      EXPECT_NEAR(column(m, c, f, "mass_kg"), mass, 1e-3 * mass) << dimension << periodic;
    }
}

// Two particles in one place with velocities V + u and V - u: the stress of their fluctuation is rho u (x) u, the
// temperature u^2/D.
TEST(Field, TemperatureAndKineticStressOfTwoStreams) {
  Frame f = empty_frame();
  const Vec3d mean{10, 0, 0}, u{0.5, 0.25, 0};
  add_particle(f, {}, 0.1, 0, mean + u, 2);
  add_particle(f, {}, 0.1, 0, mean - u, 2);
  for (const int dimension : {2, 3}) {
    Case c;
    c.domain.dimension = dimension;
    const FieldImage image = image_of(field({{-1, -1, -0.1}, {1, 1, 0.1}}, 0.1, 0.2), c, f);
    const std::size_t middle = image.cells[2] == 1 ? 10 * 20 + 10 : 20 * 20 + 10 * 20 + 10;
    const double rho = array(image, "density").values[middle];
    EXPECT_GT(rho, 0);
    EXPECT_NEAR(array(image, "temperature").values[middle], norm2(u) / dimension, 1e-12);
    const std::vector<double>& s = array(image, "kinetic_stress").values;
    EXPECT_NEAR(s[9 * middle], rho * 0.25, 1e-11 * rho * 100);
    EXPECT_NEAR(s[9 * middle + 1], rho * 0.125, 1e-11 * rho * 100);
    EXPECT_NEAR(s[9 * middle + 3], rho * 0.125, 1e-11 * rho * 100);
    EXPECT_NEAR(array(image, "pressure").values[middle], rho * norm2(u) / dimension, 1e-11 * rho * 100);
  }
}

// The force that the stress carries through a level plane is the weight above it, less what the floor has taken over,
// each spread by phi.
TEST(Field, StressOfAColumnAtRestBalancesItsWeight) {
  const double r = 0.1, m = 0.3, g = 9.81, width = 0.12, cell = 0.04;
  const int n = 8;
  const Frame f = column_of_balls(n, r, m, g);
  const FieldImage image = image_of(field({{-0.6, -0.6, -0.6}, {0.6, 0.6, 2.2}}, cell, width), {}, f);
  const std::vector<double>& stress = array(image, "contact_stress").values;
  const std::vector<double>& wall = array(image, "wall_force").values;
  const double reach = CoarseGraining(width, 3).reach(), area = image.spacing.x * image.spacing.y;
  const std::size_t layer = static_cast<std::size_t>(image.cells[0] * image.cells[1]);
  double by_walls = 0;
  for (std::int64_t k = 0; k < image.cells[2]; ++k) {
    const double z = image.origin.z + (static_cast<double>(k) + 0.5) * image.spacing.z;
    double force = 0, expected = -n * m * g * share_above(z - 0, reach);
    for (int i = 0; i < n; ++i) expected += m * g * share_above(z - (2 * i + 1) * r, reach);
    for (std::size_t c = 0; c < layer; ++c) {
      force += stress[9 * (static_cast<std::size_t>(k) * layer + c) + 8] * area;
      by_walls += wall[3 * (static_cast<std::size_t>(k) * layer + c) + 2] * area * image.spacing.z;
    }
    EXPECT_NEAR(force, expected, 1e-4 * n * m * g) << z;
  }
  EXPECT_NEAR(by_walls, n * m * g, 1e-4 * n * m * g);
  EXPECT_NEAR(column(field({{-0.6, -0.6, -0.6}, {0.6, 0.6, 2.2}}, cell, width), {}, f, "wall_force_z_N"), n * m * g,
              1e-4 * n * m * g);
}

// The same in the plane, in a box that is periodic along x, with the column at its face; and a fixed particle as floor.
TEST(Field, StressOfAColumnInThePlaneAtAPeriodicFace) {
  const double r = 0.1, m = 0.3, g = 9.81, width = 0.12;
  const int n = 5;
  Case c;
  c.domain.dimension = 2;
  c.domain.flat_axis = 1;
  c.domain.bounded = true;
  c.domain.box = {{0, -1, -1}, {1, 1, 3}};
  c.domain.periodic = {true, false, false};
  c.domain.disk_thickness = 0.5;
  for (const bool on_particle : {false, true}) {
    Frame f = column_of_balls(n, r, m, g, {0.02, 0, 0});
    if (on_particle) {  // particle n, below: contacts (0, n)
      add_particle(f, {0.02, 0, -r}, r, 0, {}, 1e3);
      f.particles.prescribed.back() = 1;
      f.contacts[0].j = n;
      f.contacts[0].wall = -1;
    }
    const FieldImage image = image_of(field({{0, 0, -0.6}, {1, 0, 1.8}}, 0.05, width), c, f);
    EXPECT_EQ(image.cells[1], 1);
    EXPECT_NEAR(image.spacing.y, 0.5, 1e-15);
    EXPECT_NEAR(image.origin.y, -0.25, 1e-15);
    const std::vector<double>& stress = array(image, "contact_stress").values;
    // the weight above, where phi of floor and top do not reach: in the middle of the column a plane bears 2.5 balls
    double force = 0;
    const auto k = static_cast<std::int64_t>((0.5 - image.origin.z) / image.spacing.z);
    const double z = image.origin.z + (static_cast<double>(k) + 0.5) * image.spacing.z;
    for (std::int64_t i = 0; i < image.cells[0]; ++i)
      force += stress[9 * static_cast<std::size_t>(k * image.cells[0] + i) + 8] * image.spacing.x * image.spacing.y;
    // of (1 - r^2)^3 in the plane the share above by numbers
    const CoarseGraining phi(width, 2);
    const auto above = [&](double from) {
      double sum = 0;
      const int steps = 400;
      for (int a = 0; a < steps; ++a)
        for (int b = 0; b < steps; ++b) {
          const double x = phi.reach() * (2 * (a + 0.5) / steps - 1), y = phi.reach() * (2 * (b + 0.5) / steps - 1);
          if (y > from) sum += phi.at({x, y, 0}) * std::pow(2 * phi.reach() / steps, 2);
        }
      return sum;
    };
    double expected = -n * m * g * above(z - 0);
    for (int i = 0; i < n; ++i) expected += m * g * above(z - (2 * i + 1) * r);
    EXPECT_NEAR(force, expected, 5e-3 * n * m * g) << on_particle;
    EXPECT_NEAR(column(field({{0, 0, -0.6}, {1, 0, 1.8}}, 0.05, width), c, f, "wall_force_z_N"), n * m * g,
                1e-3 * n * m * g);
    EXPECT_NEAR(column(field({{0, 0, -0.6}, {1, 0, 1.8}}, 0.05, width), c, f, "mass_kg"), n * m, 1e-4 * n * m);
  }
}

// A bond across a periodic face pulls as a contact pushes: its stress lies between the two, not through the box.
TEST(Field, BondAcrossAPeriodicFace) {
  Case c;
  c.domain.bounded = true;
  c.domain.box = {{0, 0, 0}, {2, 1, 1}};
  c.domain.periodic = {true, false, false};
  Frame f = empty_frame();
  add_particle(f, {1.95, 0.5, 0.5}, 0.1);
  add_particle(f, {0.15, 0.5, 0.5}, 0.1);
  FrameBond b;
  b.i = 0;
  b.j = 1;
  b.at_i = b.at_j = {2.05, 0.5, 0.5};
  b.force = {3, 0, 0};  // pulled towards +x: tension
  f.bonds.push_back(b);
  const FieldImage image = image_of(field({{0, 0, 0}, {2, 1, 1}}, 0.05, 0.1), c, f);
  const std::vector<double>& stress = array(image, "contact_stress").values;
  double all = 0, far = 0;
  const double cell = image.spacing.x * image.spacing.y * image.spacing.z;
  for (std::size_t k = 0; k < stress.size() / 9; ++k) {
    all += stress[9 * k] * cell;
    if (k % 40 == 20) far += std::fabs(stress[9 * k]);
  }
  EXPECT_NEAR(all, -3 * 0.2, 1e-4);  // -f.l, tension is negative
  EXPECT_EQ(far, 0);
}

TEST(Field, OfAGroupHasNoStress) {
  Frame f = empty_frame();
  add_particle(f, {0.5, 0.5, 0.5}, 0.1, 0, {1, 0, 0}, 2);
  add_particle(f, {0.5, 0.5, 0.5}, 0.1, 1, {-1, 0, 0}, 3);
  Measure m = field({{-1, -1, -1}, {2, 2, 2}}, 0.05, 0.2);
  m.group = "b";
  EXPECT_NEAR(column(m, {}, f, "mass_kg"), 3, 1e-4);
  EXPECT_NEAR(column(m, {}, f, "vx_m/s"), -1, 1e-12);
  EXPECT_THROW(column(m, {}, f, "pressure_Pa"), std::runtime_error);
}

// Means over time are taken of mass and momentum: 1 kg at 2 m/s, then 3 kg at rest, moves at 0.5 m/s.
TEST(Field, MeanOverAWindowIsThatOfMomentumOverThatOfMass) {
  Measure m = field({{-1, -1, -1}, {1, 1, 1}}, 0.05, 0.2);
  m.average = 1;
  Observer o(m, {});
  for (int k = 0; k < 2; ++k) {
    Frame f = empty_frame();
    f.step = k + 1;
    f.time = 0.1 * (k + 1);
    add_particle(f, {}, 0.1, 0, {k == 0 ? 2.0 : 0.0, 0, 0}, k == 0 ? 1 : 3);
    o.look(f);
    if (k == 0) continue;
    const auto line = o.lines(f)[0];
    EXPECT_NEAR(line[1], 2, 1e-4);
    EXPECT_NEAR(line[3], 0.5, 1e-12);
    EXPECT_EQ(line.back(), 2);
  }
}
