// A mesh is a wall: planes, boxes and cylinders as meshes against the primitives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "compare.h"
#include "meshes.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

const char* const kOneBall = R"(
[materials.grain]
density = 2500
young = 5e7
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.3, xi = 0.1 }
rolling = { law = "constant", mu = 0.02 }
[particles.ball]
material = "grain"
radius = 0.05
list = [{ x = [0, 0, 0.05] }]
[walls.wall]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 5e-5
[[stages]]
duration = 0.15
)";

Vec3d random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return unit(Vec3d{normal(random), normal(random), normal(random)});
}

// Five ways to cut the square from (-1, -1) to (1, 1) into triangles.
MeshShape cut_plane(int way) {
  MeshShape mesh;
  if (way < 2) {
    add_face(mesh, {-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, way == 0 ? 2 : 40);  // a vertex in the middle
    return mesh;
  }
  if (way == 4) {  // a fan of slivers
    mesh.vertices.push_back({});
    const int n = 37;
    for (int k = 0; k < n; ++k)
      mesh.vertices.push_back({std::cos(2 * std::numbers::pi * k / n), std::sin(2 * std::numbers::pi * k / n), 0});
    for (int k = 0; k < n; ++k) mesh.triangles.push_back({0, 1 + k, 1 + (k + 1) % n});
    return mesh;
  }
  // vertices shifted at random within the plane; every other triangle of way 3 looks down
  const int n = 24;
  add_face(mesh, {-1, -1, 0}, {2, 0, 0}, {0, 2, 0}, n);
  std::mt19937 random(way);
  std::uniform_real_distribution<double> uniform(-0.3 / n, 0.3 / n);
  for (Vec3d& v : mesh.vertices) v += Vec3d{uniform(random), uniform(random), 0};
  if (way == 3)
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 2) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  return mesh;
}

// Largest difference over the run, relative to the largest value of each kind.
double difference(const Case& a, const Case& b, Engine engine = Engine::cpu, int parts = 5) {
  Simulation s(a, engine), t(b, engine);
  double worst = 0;
  while (!s.finished()) {
    const auto steps = std::max<std::int64_t>(1, std::llround(s.planned_time() / s.dt() / parts));
    s.advance(steps);
    t.advance(steps);
    const Frame f = s.frame(), g = t.frame();
    for (std::size_t i = 0; i < f.particles.x.size(); ++i) {
      const auto relative = [](const Vec3d& p, const Vec3d& q, double scale) {
        return norm(p - q) / std::max(norm(p), scale);
      };
      worst = std::max(
          {worst, relative(f.particles.x[i], g.particles.x[i], 0.05), relative(f.particles.v[i], g.particles.v[i], 0.1),
           relative(f.particles.w[i], g.particles.w[i], 2), relative(f.walls[0].force, g.walls[0].force, 1.0)});
    }
  }
  return worst;
}

}  // namespace

// Rolling and sliding from a vertex over faces, edges and vertices.
TEST(MeshWall, CutPlaneIsThePlane) {
  const Case plane = parse_case(kOneBall, "test");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Case> cut;
  for (int way = 0; way < 5; ++way) {
    cut.push_back(plane);
    cut.back().walls[0].shape = cut_plane(way);
  }
  for (int k = 0; k < 100; ++k) {
    const double angle = 2 * std::numbers::pi * uniform(random);
    ListedParticle ball;
    // the first ones along the axes and diagonals, on edges all the way
    ball.v = k < 8 ? 2.0 * Vec3d{std::round(2 * std::cos(k * std::numbers::pi / 4)) / 2,
                                 std::round(2 * std::sin(k * std::numbers::pi / 4)) / 2, 0}
                   : (0.5 + 3 * uniform(random)) * Vec3d{std::cos(angle), std::sin(angle), 0};
    ball.w = 20 * uniform(random) * random_direction(random);
    ball.x = {0, 0, 0.05};
    Case on_plane = plane;
    on_plane.particles[0].source = std::vector<ListedParticle>{ball};
    for (int way = 0; way < 5; ++way) {
      cut[way].particles[0].source = on_plane.particles[0].source;
      EXPECT_LT(difference(on_plane, cut[way]), 1e-12) << "direction " << k << ", cut " << way;
    }
  }
}

TEST(MeshWall, CutPlaneIsThePlaneInTheReference) {
  const Case plane = parse_case(kOneBall, "test", {"stages=[{duration=0.05}]", "particles.ball.velocity=[3,1.3,0]"});
  for (const int way : {0, 3, 4}) {
    Case cut = plane;
    cut.walls[0].shape = cut_plane(way);
    EXPECT_LT(difference(plane, cut, Engine::reference), 1e-12) << way;
  }
}

// Iterations that try contacts and take them back.
TEST(MeshWall, CutPlaneIsThePlaneForImplicitSteps) {
  const Case plane =
      parse_case(kOneBall, "test",
                 {"stages=[{duration=0.05}]", "particles.ball.velocity=[3,1.3,0]", "numerics.scheme=\"trapezoid\""});
  for (const int way : {1, 2}) {
    Case cut = plane;
    cut.walls[0].shape = cut_plane(way);
    EXPECT_LT(difference(plane, cut), 1e-12) << way;
  }
}

// The same on planes at random angles, that move and turn.
TEST(MeshWall, TiltedAndMovingPlane) {
  std::mt19937 random(5);
  for (int k = 0; k < 20; ++k) {
    const Vec3d n = random_direction(random);
    const Vec3d a = unit(cross(n, random_direction(random))), b = cross(n, a);
    // without the rolling law, whose torque turns round with the last bit of a spin that has come to rest
    Case plane = parse_case(kOneBall, "test", {"contacts.default.rolling=\"none\""});
    plane.fields[0].value = -9.81 * n;
    std::get<PlaneShape>(plane.walls[0].shape).normal = n;
    ListedParticle ball;
    ball.x =
        (0.05 + 1e-6) * n;  // above both planes; touching to the last bit is a contact for one and not for the other
    ball.v = 2.0 * a + (0.1 * k - 1) * b;
    ball.w = 10.0 * random_direction(random);
    plane.particles[0].source = std::vector<ListedParticle>{ball};
    if (k % 2) {
      plane.walls[0].motion.kind = Motion::Kind::oscillating;
      plane.walls[0].motion.amplitude = 0.002 * (n + a);  // stays in touch
      plane.walls[0].motion.omega = 60;
    } else {
      plane.walls[0].motion.kind = Motion::Kind::rotating;
      plane.walls[0].motion.axis = n;
      plane.walls[0].motion.omega = 20;
    }
    Case cut = plane;
    MeshShape mesh = cut_plane(2);
    for (Vec3d& v : mesh.vertices) v = v.x * a + v.y * b;
    cut.walls[0].shape = mesh;
    // the normals of both differ in their last bits; the rounding of a place, 1e-16 m, over an overlap of 1e-6 m and
    // less is magnified in the force
    EXPECT_LT(difference(plane, cut), 2e-10) << k;
  }
}

// A ball thrown about in a box: faces, edges and corners from inside.
TEST(MeshWall, CutBoxIsTheBox) {
  std::mt19937 random(11);
  Case box = parse_case(kOneBall, "test",
                        {"walls.wall={box={min=[-0.2,-0.15,0],max=[0.2,0.15,0.25]}}", "stages=[{duration=0.4}]"});
  for (int k = 0; k < 30; ++k) {
    ListedParticle ball;
    ball.x = {0, 0, 0.1};
    // the first ones into corners and edges
    ball.v = k == 0 ? Vec3d{3, 2, -1} : k == 1 ? Vec3d{3, 0, -1} : 3.0 * random_direction(random);
    ball.w = 10.0 * random_direction(random);
    box.particles[0].source = std::vector<ListedParticle>{ball};
    // Bounces magnify rounding: runs in the box itself, begun a last bit apart, tell by how much.
    double rounding = 0;
    for (const auto vector : {&ListedParticle::x, &ListedParticle::v, &ListedParticle::w})
      for (const auto axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
        ListedParticle other = ball;
        other.*vector.*axis = std::nextafter(ball.*vector.*axis, 20);
        Case apart = box;
        apart.particles[0].source = std::vector<ListedParticle>{other};
        rounding = std::max(rounding, difference(box, apart));
      }
    EXPECT_LT(rounding, 1e-10) << k;
    for (const int n : {1, 3, 8}) {
      Case cut = box;
      cut.walls[0].shape = box_mesh({-0.2, -0.15, 0}, {0.2, 0.15, 0.25}, n);
      EXPECT_LT(difference(box, cut), std::max(1e-12, rounding)) << "direction " << k << ", cut " << n;
    }
  }
}

// A ball that rolls in a lying cylinder: the place after a time against that in the primitive.
TEST(MeshWall, CutCylinderConverges) {
  const Case round = parse_case(
      kOneBall, "test",
      {"walls.wall={cylinder={from=[0,-0.3,0],to=[0,0.3,0],radius=0.3}}", "stages=[{duration=0.4}]",
       "particles.ball.list=[{x=[0.17,0,-0.18330302779823360],v=[0,0.1,0]}]", "contacts.default.rolling=\"none\""});
  std::vector<double> error;
  const Vec3d exact = last_frame(Simulation(round)).particles.x[0];
  for (const int n : {80, 160, 320, 640}) {
    Case cut = round;
    // the area of the polygon is that of the circle
    const double out = std::sqrt(2 * std::numbers::pi / n / std::sin(2 * std::numbers::pi / n));
    cut.walls[0].shape = tube_mesh({0, -0.3, 0}, {0, 0.3, 0}, 0.3, n, 6, out);
    error.push_back(norm(last_frame(Simulation(cut)).particles.x[0] - exact));
  }
  for (std::size_t k = 0; k + 1 < error.size(); ++k) EXPECT_LT(error[k + 1], error[k]) << k;
  EXPECT_LT(error.back(), 2e-4);
  const double order = std::log2(error.front() / error.back()) / 3;
  std::printf("errors %g %g %g %g, order %.2f\n", error[0], error[1], error[2], error[3], order);
  EXPECT_GT(order, 1);
}

namespace {

// Grains in a hopper of triangles that shakes: many contacts with faces, edges and corners, made and broken.
Case shaken_mesh() {
  Case c = parse_case(R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
fill = { region = { cylinder = { from = [0, 0, 0.02], to = [0, 0, 0.18], radius = 0.045 } }, count = 150 }
[walls.tube]
cylinder = { from = [0, 0, 0], to = [0, 0, 0.3], radius = 0.05 }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { rotating = { axis = [0, 0, 1], rate = 10 } }
[walls.ridge]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.08
)",
                      "test");
  c.walls[0].shape = tube_mesh({0, 0, 0}, {0, 0, 0.3}, 0.051, 80, 5);
  MeshShape floor = square_mesh(9);
  for (Vec3d& v : floor.vertices) v = 0.16 * (v - Vec3d{0.5, 0.5, 0});
  c.walls[1].shape = floor;
  MeshShape ridge;  // a roof over the floor: a convex edge, open rims
  add_face(ridge, {-0.04, 0, 0.012}, {0.08, 0, 0}, {0, 0.012, -0.012}, 3);
  add_face(ridge, {-0.04, 0, 0.012}, {0, -0.012, -0.012}, {0.08, 0, 0}, 3);
  c.walls[2].shape = ridge;
  return c;
}

std::string hash_with(Case c, int threads) {
  c.numerics.threads = threads;
  return state_hash(last_frame(Simulation(c)));
}

}  // namespace

TEST(MeshWall, EqualsTheReference) {
  Case c = shaken_mesh();
  c.particles[0].velocity = {0, 0, -4};
  c.stages[0].duration = 0.02;
  const Frame fast = last_frame(Simulation(c)), slow = last_frame(Simulation(c, Engine::reference));
  expect_one_result(fast, slow);
  EXPECT_GT(
      std::count_if(slow.contacts.begin(), slow.contacts.end(), [](const FrameContact& k) { return k.wall >= 0; }), 8);
}

TEST(MeshWall, SameBitsOnAnyNumberOfThreads) {
  const std::string one = hash_with(shaken_mesh(), 1);
  for (const int threads : {2, 4}) EXPECT_EQ(hash_with(shaken_mesh(), threads), one) << threads;
}

TEST(MeshWall, ResumeContinuesWithTheSameBits) {
  const Case c = shaken_mesh();
  const std::string whole = state_hash(last_frame(Simulation(c)));
  for (const std::int64_t stop : {1, 1234, 3500}) {
    Simulation first(c);
    first.advance(stop);
    Simulation second(c);
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), whole) << stop;
  }
}

TEST(MeshWall, SkinDoesNotMatter) {
  Case a = shaken_mesh();
  a.stages[0].duration = 0.02;
  a.particles[0].velocity = {0, 0, -2};
  Case b = a;
  a.numerics.skin = 1e-4;
  b.numerics.skin = 6e-3;
  const Frame f = last_frame(Simulation(a)), g = last_frame(Simulation(b));
  for (std::size_t i = 0; i < f.particles.x.size(); ++i)
    EXPECT_LT(norm(f.particles.x[i] - g.particles.x[i]), 1e-10) << i;
}

TEST(MeshWall, LedgerBalances) {
  const Frame f = last_frame(Simulation(shaken_mesh()));
  EXPECT_GT(f.energy.turned_over, 0);
  EXPECT_LT(std::fabs(f.energy.residual), 2e-3 * f.energy.turned_over);
}
