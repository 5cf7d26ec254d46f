// Cases of PyParticles (004): what an .ini file says, and the exact results of its three sample cases.
#include <gtest/gtest.h>

#include <cmath>

#include "io/case/pyparticles.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

Case sample(const std::string& name, const std::vector<std::string>& set = {}) {
  return read_case(AREIA_SOURCE_DIR "/examples/14_pyparticles/" + name + ".ini", set);
}

std::string minimal(const std::string& simulation, const std::string& rest = "") {
  return "[Simulation Data]\n" + simulation +
         "\n[Particles Data]\n# id mass radius\n0 1 1\n[Initial Conditions]\n0 0 0 5 0 0 0 0 0 0\n" + rest;
}

std::vector<Problem> problems_of(const std::string& text) {
  try {
    import_pyparticles(text, "case.ini");
  } catch (const InputError& e) { return e.problems; }
  return {};
}

}  // namespace

// First contact from t = 1 for pi sqrt(m*/k) = 0.157 s; the velocity passes along the chain.
TEST(PyParticles, Chain) {
  Simulation s(sample("chain"));
  EXPECT_DOUBLE_EQ(s.dt(), 0.005);
  double begin = 0, end = 0;
  while (!s.finished() && s.time() < 1.5) {
    s.advance(1);
    if (s.frame().contacts.empty()) continue;
    if (begin == 0) begin = s.time();
    end = s.time();
  }
  EXPECT_NEAR(begin, 1, 0.0051);
  EXPECT_NEAR(end - begin, M_PI * std::sqrt(0.5 / 200), 0.0101);
  const Frame f = last_frame(std::move(s));
  EXPECT_EQ(f.step, 2000);
  EXPECT_NEAR(f.particles.v[0].x, 0, 2e-3);
  EXPECT_NEAR(f.particles.v[1].x, 0, 2e-3);
  EXPECT_NEAR(f.particles.v[2].x, 1, 2e-3);
  EXPECT_EQ(f.particles.x[2].z, 0);  // the plane is never touched
  const Frame fine = last_frame(Simulation(sample("chain", {"numerics.dt=0.0005"})));
  EXPECT_NEAR(fine.particles.v[2].x, 1, 2e-5);
  EXPECT_NEAR(fine.particles.v[0].x, 0, 2e-5);
}

// Falls 2 m; each bounce has the restitution of the damped spring with b = 0.05, with gravity acting during the
// contact; at rest the overlap is m g/k = 0.0125.
TEST(PyParticles, BouncingBall) {
  Simulation s(sample("bouncing_ball"));
  double first = 0, rebound = 0;
  watch(s, [&](const Frame& f) {
    const bool touches = !f.contacts.empty();
    if (touches && first == 0) first = f.time;
    // speed at the height of touching, from the first frame in the air
    const double v = f.particles.v[0].z, z = f.particles.x[0].z;
    if (first > 0 && rebound == 0 && !touches) rebound = std::sqrt(v * v + 2 * 10 * z);
  });
  EXPECT_NEAR(first, std::sqrt(2 * 2 / 10.0), 0.0011);
  // overlap(t) of the oscillator in closed form, until the force k delta + c delta_dot is no push any more
  const double b = 0.05, w0 = std::sqrt(800.0), w = w0 * std::sqrt(1 - b * b), g = 10, impact = std::sqrt(2 * g * 2);
  const auto overlap = [&](double t) {
    const double decay = std::exp(-b * w0 * t), rest = g / (w0 * w0);
    return rest + decay * (-rest * std::cos(w * t) + (impact - b * w0 * rest) / w * std::sin(w * t));
  };
  const auto rate = [&](double t) { return (overlap(t + 1e-6) - overlap(t - 1e-6)) / 2e-6; };
  double t = 0.5 * M_PI / w;
  while (w0 * w0 * overlap(t) + 2 * b * w0 * rate(t) > 0) t += 1e-6;
  const double exact = std::sqrt(rate(t) * rate(t) - 2 * g * overlap(t));
  EXPECT_NEAR(rebound, exact, 1e-3 * exact);
  EXPECT_NEAR(exact / impact, std::exp(-2 * b * std::acos(b) / std::sqrt(1 - b * b)), 0.02);  // without gravity
  const Frame rest = last_frame(Simulation(sample("bouncing_ball", {"stages=[{duration=25}]"})));
  EXPECT_NEAR(rest.particles.x[0].z, -0.0125, 1e-6);
  EXPECT_EQ(rest.particles.x[0].x, 25);
}

// Seen from the pushing ball the free one bounces without loss: v^2/2 + g z + k overlap^2/(2 m) stays.
TEST(PyParticles, PushedBall) {
  Simulation s(sample("pushed_ball"));
  double largest = 0;
  watch(s, [&](const Frame& f) {
    for (const FrameContact& c : f.contacts) largest = std::max(largest, c.overlap);
  });
  const Frame f = s.frame();
  EXPECT_NEAR(f.particles.x[1].z, 0.5 * 5, 1e-12);
  EXPECT_EQ(f.particles.v[1].z, 0.5);
  EXPECT_NEAR(largest, (10 + std::sqrt(100 + 4 * 250 * 10.125)) / 500, 1e-3);
  const double v = f.particles.v[0].z - 0.5, z = f.particles.x[0].z - f.particles.x[1].z;
  const double overlap = std::max(0.0, 2 - z);
  EXPECT_NEAR(0.5 * v * v + 10 * z + 250 * overlap * overlap, 0.5 * 0.25 + 30, 0.01);
  EXPECT_EQ(norm(f.particles.w[0]), 0);
}

TEST(PyParticles, TimeStepsAreAnExpressionOfLists) {
  ImportedCase c = import_pyparticles(minimal("time_steps = [0.001]*300 + [0.005]*400"), "case.ini");
  EXPECT_DOUBLE_EQ(c.settings.numerics.dt, 0.001);
  EXPECT_NEAR(c.settings.stages[0].duration, 2.3, 1e-12);
  ASSERT_EQ(c.warnings.size(), 1u);
  c = import_pyparticles(minimal("time_steps = 2*[0.001, 0.002] * 10"), "case.ini");
  EXPECT_NEAR(c.settings.stages[0].duration, 0.06, 1e-12);
  for (const char* bad : {"time_steps = [0.001]*n", "time_steps = [0.001", "time_steps = __import__('os')",
                          "time_steps = [-1]*3", "time_steps = [0.1]*2.5", "time_steps = [0.1] [0.2]"}) {
    const auto p = problems_of(minimal(bad));
    ASSERT_EQ(p.size(), 1u) << bad;
    EXPECT_EQ(p[0].line, 2) << bad;
    EXPECT_EQ(p[0].key, "time_steps") << bad;
  }
}

TEST(PyParticles, PlanesFromEquations) {
  const auto plane = [](const std::string& equation) {
    const ImportedCase c = import_pyparticles(
        minimal("time_step = 0.1\nnSteps = 10", "[Boundary Conditions]\n3: " + equation + "\n"), "case.ini");
    EXPECT_EQ(c.settings.walls.at(0).name, "plane3");
    return std::get<PlaneShape>(c.settings.walls.at(0).shape);
  };
  // the particle starts at (0, 0, 5): the normal points to its side
  PlaneShape p = plane("x + 2y - 3*z = 4");
  EXPECT_EQ(p.normal, (Vec3d{-1, -2, 3}));
  EXPECT_NEAR(dot(p.point, Vec3d{1, 2, -3}), 4, 1e-12);
  p = plane("2*z = 1 - 3 + x");
  EXPECT_EQ(p.normal, (Vec3d{-1, 0, 2}));
  EXPECT_NEAR(dot(p.point, p.normal), -2, 1e-12);
  p = plane("0 = 9 - z");
  EXPECT_EQ(p.normal, (Vec3d{-0.0, -0.0, -1}));
  EXPECT_NEAR(p.point.z, 9, 1e-12);
  for (const char* bad : {"x*y = 1", "x = ", "3 = 4", "sin(x) = 0", "2 x 3 = 1"})
    EXPECT_EQ(
        problems_of(minimal("time_step = 0.1\nnSteps = 10", std::string("[Boundary Conditions]\n1: ") + bad)).size(),
        1u)
        << bad;
}

TEST(PyParticles, ContactKeys) {
  const ImportedCase c = import_pyparticles(
      minimal("time_step = 0.1\nnSteps = 10\ninit_time = 2",
              "[Contacts Data]\nKn_r = 200\nkn_a = 50\ndb_max = 0.1\nks = 30\nmu = 0.4\nbeta_n = 0.1\nbeta_s = 0.2\n"
              "[Boundary Conditions]\n1: z = 0\n[Boundary 1]\ntype = 'Plane'\nkn = 800\ndb_max = 0\n"),
      "case.ini");
  ASSERT_EQ(c.settings.contacts.size(), 2u);
  const ContactPair &pair = c.settings.contacts[0], &plane = c.settings.contacts[1];
  EXPECT_EQ(pair.normal.law, "linear");
  EXPECT_EQ(pair.normal.numbers.at("stiffness"), 200);
  EXPECT_EQ(pair.normal.numbers.at("attraction"), 50);
  EXPECT_EQ(pair.normal.numbers.at("range"), 0.1);
  EXPECT_EQ(pair.tangential.law, "coulomb_time");
  EXPECT_EQ(pair.tangential.numbers.at("mu"), 0.4);
  EXPECT_EQ(plane.normal.numbers.at("stiffness"), 800);
  EXPECT_FALSE(plane.normal.numbers.contains("attraction"));
  EXPECT_EQ(c.warnings.size(), 1u);  // init_time
  EXPECT_EQ(import_pyparticles(minimal("time_step = 0.1\nnSteps = 10", "[Contacts Data]\nkn_a = 5\n"), "case.ini")
                .warnings.size(),
            1u);
}

TEST(PyParticles, ProblemsHaveTheirLines) {
  auto p = problems_of(
      "[Simulation Data]\ntime_step = 0.1\nnSteps = 10\n[Particles Data]\n0 1 1\n1 0 1\n"
      "[Initial Conditions]\n0 0 0 0 0 0 0 0 0 0\n5 0 0 0 0 0 0 0 0 0\n");
  ASSERT_EQ(p.size(), 3u);  // mass 0, unknown id 5, nothing about 1
  EXPECT_EQ(p[0].line, 6);
  EXPECT_EQ(p[1].line, 9);
  EXPECT_EQ(p[2].line, 6);
  p = problems_of("time_step = 1\n");
  ASSERT_FALSE(p.empty());
  EXPECT_EQ(p[0].line, 1);
  p = problems_of(minimal("time_step = 0.1\nnSteps = 10\nbypass = [7]"));
  ASSERT_EQ(p.size(), 1u);
  EXPECT_EQ(p[0].key, "bypass");
}

TEST(PyParticles, IdsAreWholeNumbers) {
  const std::string time = "time_step = 0.001\nnSteps = 5\n";
  EXPECT_TRUE(problems_of(minimal(time)).empty());
  EXPECT_EQ(problems_of(minimal(time + "bypass = [5e21]\n")).at(0).key, "id");
  EXPECT_EQ(problems_of(minimal(time + "bypass = [0.5]\n")).at(0).line, 4);
}
