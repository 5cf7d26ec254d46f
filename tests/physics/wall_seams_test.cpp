// Walls that meet act as one: seams, edges that a contact passes over, rings, and walls across periodic faces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const std::string kGrain = R"(
[materials.a]
density = 2500
young = 5e6
poisson = 0.3
[contacts.default]
normal = { law = "hertz", xi = 0.3 }
tangential = { law = "coulomb_history", mu = 0.8, xi = 0.1 }
rolling = { law = "epsd", mu = 0.02 }
[fields.g]
acceleration = [0, 0, -9.81]
)";

std::string ball(const std::string& state, double radius = 0.02) {
  return fmt::format("[particles.s]\nmaterial = \"a\"\nradius = {}\nlist = [{{ {} }}]\n", radius, state);
}
std::string stage(const std::string& what) { return "[[stages]]\n" + what + "\n"; }

std::string plate(const std::string& name, double x0, double x1, double y0 = -1, double y1 = 1) {
  return fmt::format("[walls.{}]\nrectangle = {{ corner = [{}, {}, 0], edge_a = [{}, 0, 0], edge_b = [0, {}, 0] }}\n",
                     name, x0, y0, x1 - x0, y1 - y0);
}
std::string block(const std::string& name, double x0, double x1) {
  return fmt::format("[walls.{}]\nbox = {{ min = [{}, -1, -0.3], max = [{}, 1, 0] }}\n", name, x0, x1);
}
std::string mesh(const std::string& name, double x0, double x1) {
  return fmt::format(
      "[walls.{0}]\nmesh = {{ obj = \"v {1} -1 0\\nv {2} -1 0\\nv {2} 1 0\\nv {1} 1 0\\nf 1 2 3 4\" }}\n", name, x0,
      x1);
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance, const std::string& what) {
  EXPECT_LT(norm(a - b), tolerance) << what;
}

}  // namespace

// A ball on the seam sinks as far as on one plate, and all of its weight is on the wall that owns the contact.
TEST(WallSeams, ABallRestsOnASeamAsOnAPlate) {
  const std::string rest = stage("duration = 0.5"), on_seam = ball("x = [0, 0, 0.02]");
  const Frame whole = last_frame(simulate(kGrain + on_seam + plate("p", -1, 1) + rest));
  const double weight = 4.0 / 3 * std::numbers::pi * 8e-6 * 2500 * 9.81;
  for (const std::string& walls :
       {plate("p", -1, 0) + plate("q", 0, 1), block("p", -1, 0) + block("q", 0, 1), mesh("p", -1, 0) + mesh("q", 0, 1),
        mesh("p", -1, 0) + plate("q", 0, 1),
        plate("p", -1, 0, -1, 0) + plate("q", 0, 1, -1, 0) + plate("r", -1, 0, 0, 1) + plate("s", 0, 1, 0, 1)})
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const Frame f = last_frame(simulate(kGrain + on_seam + walls + rest, {}, engine));
      ASSERT_EQ(f.contacts.size(), 1u) << walls;
      expect_near(f.particles.x[0], whole.particles.x[0], 1e-14, walls);
      EXPECT_NEAR(f.walls[f.contacts[0].wall].force.z, -weight, 1e-6 * weight) << walls;
    }
}

// A ball that rolls and slides over seams goes on as on one plate: nothing slows it, nothing turns it.
TEST(WallSeams, ABallRollsOverSeams) {
  const std::string roll = stage("duration = 0.6") + "[numerics]\ndt = 2e-5\n";
  const std::string start = ball("x = [-0.15, 0.003, 0.0199], v = [0.6, 0.05, 0], w = [3, 20, 4]");
  const Frame whole = last_frame(simulate(kGrain + start + plate("p", -1, 1) + roll));
  EXPECT_GT(whole.particles.x[0].x, 0.1);
  for (int kind = 0; kind < 4; ++kind) {
    std::string walls;
    for (int k = 0; k < 20; ++k) {
      const double x0 = -0.2 + 0.04 * k, x1 = x0 + 0.04;
      const std::string name = fmt::format("w{}", k);
      walls += kind == 0                 ? plate(name, x0, x1)
               : kind == 1               ? block(name, x0, x1)
               : kind == 2 || k % 2 == 0 ? mesh(name, x0, x1)
                                         : plate(name, x0, x1);
    }
    const Frame f = last_frame(simulate(kGrain + start + walls + roll));
    const std::string what = fmt::format("kind {}", kind);
    expect_near(f.particles.x[0], whole.particles.x[0], 1e-12, what);
    expect_near(f.particles.v[0], whole.particles.v[0], 1e-11, what);
    expect_near(f.particles.w[0], whole.particles.w[0], 1e-9, what);
    EXPECT_NEAR(f.energy.residual, whole.energy.residual, 1e-12 * whole.energy.turned_over) << what;
  }
}

// The history of a contact goes on when it passes from a face onto an edge: a ball rolls off a box, a capped cylinder
// and the mesh of the box as off a plate.
TEST(WallSeams, HistoriesGoOverAnEdge) {
  const std::string run = stage("duration = 0.14") + "[numerics]\ndt = 2e-5\n";
  const std::string start = ball("x = [0.09, 0, 0.02], v = [0.25, 0, 0], w = [0, 12.5, 0]");
  const Frame whole = last_frame(simulate(kGrain + start + plate("p", -0.1, 0.1, -0.1, 0.1) + run));
  EXPECT_LT(whole.particles.x[0].z, 0);
  for (const std::string& wall :
       {std::string("[walls.b]\nbox = { min = [-0.1, -0.1, -0.1], max = [0.1, 0.1, 0] }\n"),
        std::string("[walls.b]\nbox = { min = [-0.1, -0.1, -0.1], max = [0.1, 0.1, 0], open = [\"-z\", \"-x\"] }\n"),
        plate("p", -0.1, 0.05, -0.1, 0.1) + plate("q", 0.05, 0.1, -0.1, 0.1),
        std::string("[walls.m]\nmesh = { obj = \"v -0.1 -0.1 0\\nv 0.1 -0.1 0\\nv 0.1 0.1 0\\nv -0.1 0.1 0\\nv 0.1 "
                    "-0.1 -0.2\\nv 0.1 0.1 -0.2\\nf 1 2 3 4\\nf 2 5 6 3\" }\n")}) {
    const Frame f = last_frame(simulate(kGrain + start + wall + run));
    expect_near(f.particles.x[0], whole.particles.x[0], 1e-9, wall);
    expect_near(f.particles.v[0], whole.particles.v[0], 1e-8, wall);
  }
  // a round edge lies a little further back beside the middle; on the way over it makes no difference
  const Frame cap = last_frame(
      simulate(kGrain + start +
               "[walls.c]\ncylinder = { from = [0, 0, -1], to = [0, 0, 0], radius = 0.1, caps = [\"to\"] }\n" + run));
  expect_near(cap.particles.x[0], whole.particles.x[0], 1e-9, "cap");
}

// A ball that touches all around comes to rest, and the books balance.
TEST(WallSeams, BallsInRingsComeToRest) {
  const std::string law = R"(
[materials.a]
density = 2500
young = 5e6
poisson = 0.3
[contacts.default]
normal = { law = "hertz", xi = 0.3 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
[fields.g]
acceleration = [0, 0, -9.81]
)";
  const std::string rest = stage("until = { at_rest = true, at_most = 10, rest_energy = 1e-12 }");
  const std::pair<const char*, const char*> rings[] = {
      {"cone = { from = [0, 0, -0.1], to = [0, 0, 0.2], radius_from = 0.005, radius_to = 0.305 }",
       "[0.001, 0, -0.0742]"},
      {"cone = { from = [0, 0, 0], to = [0, 0, 0.2], radius_from = 0, radius_to = 0.1 }", "[0.002, 0.001, 0.05]"},
      {"disk = { center = [0, 0, 0], normal = [0, 0, 1], radius = 0.2, hole = 0.012 }", "[0.001, 0.0005, 0.0165]"},
      {"cylinder = { from = [0, 0, -0.2], to = [0, 0, 0], radius = 0.012 }", "[0.001, 0.0005, 0.0165]"}};
  for (const auto& [wall, x] : rings)
    for (const Engine engine : {Engine::cpu, Engine::reference}) {
      const Frame f =
          last_frame(simulate(law + ball(fmt::format("x = {}", x)) + "[walls.w]\n" + wall + "\n" + rest, {}, engine));
      EXPECT_LT(f.time, 5) << wall;
      EXPECT_LT(norm(f.particles.v[0]), 1e-5) << wall;
      EXPECT_EQ(f.contacts.size(), 2u) << wall;
      EXPECT_LT(std::fabs(f.energy.residual), 5e-3 * f.energy.turned_over) << wall;
    }
}

// A wall at a periodic face is the wall in the middle of the box: rigid bodies of every shape, standing and moving.
TEST(WallSeams, WallsRepeatThemselves) {
  const auto run = [](const std::string& wall, double shift, Engine engine) {
    // what is drawn around (0.5, 0.5) is placed `shift` further along x and y
    std::string text = kGrain + "[domain]\nbox = [[0, 0, -1], [1, 1, 1]]\nperiodic = [\"x\", \"y\"]\n" +
                       stage("duration = 0.3") + "[numerics]\ndt = 5e-5\n" + wall;
    const auto at = [&](double a) {
      const double b = a + shift;
      return b - std::floor(b);
    };
    text += fmt::format(
        "[particles.s]\nmaterial = \"a\"\nradius = 0.02\nlist = [{{ x = [{}, {}, 0.1], v = [0.3, 0.2, 0] }}, "
        "{{ x = [{}, {}, 0.1], v = [-0.2, 0.5, -1] }}, {{ x = [{}, {}, 0.12], v = [0, -0.4, 0], w = [9, 9, 9] }}]\n",
        at(0.47), at(0.48), at(0.55), at(0.44), at(0.52), at(0.54));
    return last_frame(simulate(text, {}, engine));
  };
  const auto walls = [](double s) {
    const std::string mesh = fmt::format(
        "[walls.m]\nmesh = {{ obj = \"v {0} {0} 0.02\\nv {1} {0} 0\\nv {1} {1} 0.01\\nv {0} {1} "
        "0\\nf 1 2 3\\nf 1 3 4\" }}\n",
        0.3 + s, 0.7 + s);
    return std::vector<std::string>{
        fmt::format("[walls.w]\nrectangle = {{ corner = [{0}, {0}, 0], edge_a = [0.4, 0, 0], edge_b = [0, 0.4, 0] }}\n",
                    0.3 + s),
        fmt::format("[walls.w]\nbox = {{ min = [{0}, {0}, -0.2], max = [{1}, {1}, 0] }}\n", 0.4 + s, 0.6 + s),
        fmt::format("[walls.w]\nsphere = {{ center = [{0}, {0}, 0], radius = 0.06 }}\n", 0.5 + s),
        fmt::format(
            "[walls.w]\ncylinder = {{ from = [{0}, {0}, 0.2], to = [{0}, {0}, 0], radius = 0.12, caps = [\"to\"] }}\n",
            0.5 + s),
        fmt::format(
            "[walls.w]\ncone = {{ from = [{0}, {0}, 0], to = [{0}, {0}, 0.2], radius_from = 0.01, radius_to = 0.3 }}\n",
            0.5 + s),
        mesh,
        fmt::format("[walls.w]\nrectangle = {{ corner = [{0}, {0}, 0], edge_a = [0.4, 0, 0], edge_b = [0, 0.4, 0] }}\n"
                    "motion = {{ rotating = {{ point = [{1}, {1}, 0], axis = [0, 0, 1], rate = 9 }} }}\n",
                    0.3 + s, 0.5 + s)};
  };
  const std::vector<std::string> middle = walls(0), face = walls(0.5), beyond = walls(-1.5);
  for (std::size_t k = 0; k < middle.size(); ++k) {
    const Frame a = run(middle[k], 0, Engine::cpu);
    bool touched = false;
    for (const auto& w : a.walls) touched = touched || norm(w.force) > 0;
    for (const auto& [wall, engine] :
         {std::pair{face[k], Engine::cpu}, std::pair{face[k], Engine::reference}, std::pair{beyond[k], Engine::cpu}}) {
      const Frame b = run(wall, 0.5, engine);
      for (std::size_t i = 0; i < a.particles.x.size(); ++i) {
        Vec3d d = b.particles.x[i] - a.particles.x[i] - Vec3d{0.5, 0.5, 0};
        d -= Vec3d{std::round(d.x), std::round(d.y), 0};
        expect_near(d, {}, 1e-9, wall);
        expect_near(b.particles.v[i], a.particles.v[i], 1e-7, wall);
      }
      EXPECT_NEAR(a.energy.residual, b.energy.residual, 1e-8 * a.energy.turned_over) << wall;
    }
  }
}

// Regions repeat themselves, too: a field in a ball at the face acts on both sides of it.
TEST(WallSeams, RegionsRepeatThemselves) {
  const Frame f = last_frame(simulate(R"(
[materials.a]
density = 2500
young = 5e6
[particles.s]
material = "a"
radius = 0.01
list = [{ x = [0.95, 0.5, 0.5] }, { x = [0.05, 0.5, 0.5] }, { x = [0.5, 0.5, 0.5] }, { x = [0.15, 0.5, 0.5] }]
[contacts.default]
normal = { law = "hertz", xi = 0.2 }
[fields.here]
acceleration = [0, 0, 1]
region = { sphere = { center = [0.99, 0.5, 0.5], radius = 0.1 } }
[fields.not_there]
acceleration = [0, 1, 0]
region = { box = [[0.9, 0.4, 0.4], [1.1, 0.6, 0.6]], outside = true }
[domain]
box = [[0, 0, 0], [1, 1, 1]]
periodic = ["x"]
[[stages]]
duration = 1e-3
[numerics]
dt = 1e-4
)"));
  const double z[] = {1e-3, 1e-3, 0, 0}, y[] = {0, 0, 1e-3, 1e-3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(f.particles.v[i].z, z[i], 1e-12) << i;
    EXPECT_NEAR(f.particles.v[i].y, y[i], 1e-12) << i;
  }
}
