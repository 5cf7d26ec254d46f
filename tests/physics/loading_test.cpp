// Loadings: pairs of walls that hold stresses or move by strain rates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "areia/error.h"
#include "areia/observe.h"
#include "one_result.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// Planes around the unit cube times `edge`.
std::string walls(double edge) {
  std::string text;
  const char* const names[] = {"west", "east", "south", "north", "bottom", "top"};
  for (int k = 0; k < 6; ++k) {
    Vec3d point, normal;
    component(point, k / 2) = k % 2 == 0 ? 0 : edge;
    component(normal, k / 2) = k % 2 == 0 ? 1 : -1;
    text += fmt::format("[walls.{}]\nplane = {{ point = [{}, {}, {}], normal = [{}, {}, {}] }}\n", names[k], point.x,
                        point.y, point.z, normal.x, normal.y, normal.z);
  }
  return text;
}

const std::string kGrain = R"(
[materials.grain]
density = 2600
young = 2e7
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.3, xi = 0.1 }
)";

std::string lattice(const std::string& loading) {
  return kGrain + R"(
[particles.grains]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0], [0.03, 0.03, 0.03]] } }
[[stages]]
name = "a"
duration = 0.02
[[stages]]
name = "b"
duration = 0.02
[output.measure.box]
kind = "loading"
loading = "box"
)" + walls(0.03) +
         loading;
}

// The numbers of the case's first measure, by the names of their columns.
struct Look {
  std::vector<std::string> names;
  std::vector<double> values;
  explicit Look(const Simulation& s) {
    const Frame f = s.frame();
    Observer observer(s.settings().output.measure[0], s.settings());
    observer.look(f);
    names = observer.columns();
    values = observer.lines(f).at(0);
  }
  double operator()(const std::string& name) const {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (names[k] == name) return values[k];
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
};

const std::string kIsotropic = R"(
[loading.box]
x = { walls = ["west", "east"], stress = "10 kPa" }
y = { walls = ["south", "north"], stress = "10 kPa" }
z = { walls = ["bottom", "top"], stress = { from = 0, to = "20 kPa", over = "10 ms" } }
max_speed = 0.1
)";

}  // namespace

// 27 grains in a cube: nine of them press on each wall. The middle of the sample stays where it is.
TEST(Loading, HoldsItsStresses) {
  Simulation s = simulate(lattice(kIsotropic), {"numerics.dt=5e-6"});  // the residual is of the first order in dt
  while (!s.finished()) {
    s.advance(100);
    if (s.time() < 0.015) continue;
    const Look now(s);
    EXPECT_NEAR(now("stress_x_Pa"), 1e4, 100) << s.time();
    EXPECT_NEAR(now("stress_y_Pa"), 1e4, 100) << s.time();
    EXPECT_NEAR(now("stress_z_Pa"), 2e4, 200) << s.time();
  }
  const Look end(s);
  const Frame f = s.frame();
  EXPECT_NEAR(end("mean_Pa"), 4e4 / 3, 100);
  EXPECT_NEAR(end("deviator_Pa"), 1e4, 150);
  EXPECT_GT(end("strain_z"), end("strain_x"));
  EXPECT_GT(end("strain_x"), 0);
  EXPECT_NEAR(end("volume_m3"), 2.7e-5 * std::exp(-end("volume_strain")), 1e-15);
  EXPECT_NEAR(end("solid_fraction"), 27 * 4.0 / 3 * 3.14159265358979 * 1.25e-7 / end("volume_m3"), 1e-9);
  EXPECT_EQ(f.walls[4].origin.z, -f.walls[5].origin.z);  // both walls alike
  EXPECT_NEAR(f.particles.x[13].z, 0.015, 1e-6);
  // work done on the sample is in its springs and dashpots
  EXPECT_GT(f.energy.wall_work, 0);
  EXPECT_LT(std::fabs(f.energy.residual), 2e-3 * f.energy.turned_over);
}

// L' = -e L: the length is L_0 exp(-e t), here for half the time, and then of a course.
TEST(Loading, StrainRateIsThatOfThePresentLength) {
  Simulation s = simulate(lattice(R"(
[loading.box]
x = { walls = ["west", "east"] }
y = { walls = ["south", "north"] }
z = { walls = ["bottom", "top"], strain_rate = { table = [[0.02, -1], [0.0200001, 2]] } }
)"),
                          {"numerics.dt=1e-5"});
  s.advance(2000);
  EXPECT_NEAR(Look(s)("strain_z"), -0.02, 1e-6);
  EXPECT_NEAR(Look(s)("length_z_m"), 0.03 * std::exp(0.02), 1e-7);
  EXPECT_EQ(Look(s)("strain_x"), 0);
  EXPECT_NEAR(s.frame().walls[5].velocity.z, 0.5 * 0.03 * std::exp(0.02), 1e-6);
  s.advance(1000);
  EXPECT_NEAR(Look(s)("strain_z"), 0, 2e-5);
  while (!s.finished()) s.advance(100);
  EXPECT_NEAR(Look(s)("strain_z"), 0.02, 5e-5);
  EXPECT_GT(Look(s)("stress_z_Pa"), 1e3);
}

// The second loading takes over one axis of the first; the others go on with theirs.
TEST(Loading, ALaterOneTakesOver) {
  Simulation s = simulate(lattice(kIsotropic + R"(
[loading.shear]
z = { walls = ["bottom", "top"], strain_rate = 0.2 }
when = { start_stage = "b" }
)"));
  while (s.stage() == "a") s.advance(1);
  const double before = Look(s)("strain_z");
  while (!s.finished()) s.advance(1);
  const Look end(s);
  EXPECT_NEAR(end("strain_z") - before, 0.2 * 0.02, 2e-5);  // less one step
  EXPECT_GT(end("stress_z_Pa"), 2.5e4);
  EXPECT_NEAR(end("stress_x_Pa"), 1e4, 100);
}

TEST(Loading, AreaAcrossAPeriodicDomain) {
  Simulation s = simulate(kGrain + R"(
[particles.grains]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0], [0.03, 0.03, 0.03]] } }
[domain]
box = [[0, 0, 0], [0.03, 0.03, 0.03]]
periodic = ["x", "y"]
[walls.bottom]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.top]
plane = { point = [0, 0, 0.03], normal = [0, 0, -1] }
[loading.box]
z = { walls = ["bottom", "top"], stress = "10 kPa" }
max_speed = 0.1
[[stages]]
duration = 0.02
[output.measure.box]
kind = "loading"
loading = "box"
)");
  while (!s.finished()) s.advance(1000);
  EXPECT_NEAR(s.frame().walls[1].force.z, 1e4 * 0.0009, 0.01 * 9);
  EXPECT_NEAR(Look(s)("stress_z_Pa"), 1e4, 100);
}

TEST(Loading, WallsThatMeetStop) {
  Simulation s = simulate(kGrain + R"(
[particles.grains]
material = "grain"
radius = 0.001
list = [{ x = [0.5, 0.5, 0.5] }]
[walls.west]
rectangle = { corner = [0, 0, 0], edge_a = [0, 0.01, 0], edge_b = [0, 0, 0.01] }
[walls.east]
rectangle = { corner = [0.03, 0, 0], edge_a = [0, 0.01, 0], edge_b = [0, 0, 0.01] }
[domain]
box = [[0, 0, 0], [1, 1, 1]]
periodic = ["y", "z"]
[loading.box]
x = { walls = ["west", "east"], stress = 1e4 }
max_speed = 5
[[stages]]
duration = 0.1
)");
  try {
    while (!s.finished()) s.advance(10);
    FAIL();
  } catch (const StoppedError& e) {
    EXPECT_NE(std::string(e.what()).find("loading.box: the walls across x meet"), std::string::npos) << e.what();
  }
}

TEST(Loading, OneResult) {
  const std::string shear = R"(
[loading.shear]
z = { walls = ["bottom", "top"], strain_rate = { formula = '2*sin(300*t)' } }
when = { start_stage = "b" }
)";
  for (const char* more :
       {"numerics.skin=0.004", "numerics.scheme='kick_drift'", "numerics.scheme='velocity_verlet'"}) {
    const Seen seen = expect_one_result(lattice(kIsotropic + shear), {more, "numerics.dt=2e-5"}, 50);
    EXPECT_GT(seen.contacts, 500u) << more;
  }
}

// A dense random sample under triaxial compression. It holds the lateral stress within 1 %, is strongest early, and
// dilates: the volume shrinks first and grows then.
TEST(Loading, TriaxialTestOfADenseSample) {
  Simulation s = simulate(kGrain + walls(0.03) + R"(
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.0019, max = 0.0027 } }
fill = { method = "grow", region = { box = [[0, 0, 0], [0.03, 0.03, 0.03]] }, solid_fraction = 0.55 }
[loading.box]
x = { walls = ["west", "east"], stress = "20 kPa" }
y = { walls = ["south", "north"], stress = "20 kPa" }
z = { walls = ["bottom", "top"], stress = "20 kPa" }
max_speed = 0.5
[loading.shear]
z = { walls = ["bottom", "top"], strain_rate = 1 }
when = { start_stage = "shear" }
[[stages]]
name = "compress"
duration = 0.05
set = { "contacts.default.tangential.mu" = 0 }
[[stages]]
name = "shear"
duration = 0.2
set = { "contacts.default.tangential.mu" = 0.5 }
[output.measure.box]
kind = "loading"
loading = "box"
)");
  while (s.time() < 0.0499) s.advance(1);
  const Look start(s);
  EXPECT_NEAR(start("stress_x_Pa"), 2e4, 200);
  EXPECT_NEAR(start("stress_z_Pa"), 2e4, 200);
  EXPECT_GT(start("solid_fraction"), 0.58);
  double peak = 0, most = 0, held = 0;
  int looks = 0;
  while (!s.finished()) {
    s.advance(50);
    const Look now(s);
    peak = std::max(peak, now("deviator_Pa") / now("mean_Pa"));
    most = std::max(most, now("volume_strain"));
    if (s.time() > 0.055) {  // friction has set in and the walls know how fast the sample gives way
      held += std::fabs(now("stress_x_Pa") - 2e4) < 200;
      held += std::fabs(now("stress_y_Pa") - 2e4) < 200;
      looks += 2;
    }
  }
  const Look end(s);
  EXPECT_GT(held, 0.97 * looks);
  EXPECT_NEAR(end("strain_z") - start("strain_z"), 0.2, 1e-3);
  EXPECT_GT(peak, 0.9);
  EXPECT_LT(end("deviator_Pa") / end("mean_Pa"), peak);
  EXPECT_GT(most, start("volume_strain"));       // contracts a little
  EXPECT_LT(end("volume_strain"), most - 0.01);  // and dilates
  EXPECT_LT(std::fabs(s.frame().energy.residual), 0.01 * s.frame().energy.turned_over);
}
