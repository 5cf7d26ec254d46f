// Streams: particles that come while the simulation runs. Theory manual, section 15.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compare.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

// Grains fall into a tray that is open on one side, and leave the domain there.
const char* const kTray = R"(
[materials.g]
density = 2500
young = 2e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
rolling = { law = "constant", mu = 0.05 }
[particles.first]
material = "g"
radius = 0.01
list = [{ x = [0.05, 0.05, 0.02] }, { x = [0.02, 0.05, 0.02] }]
[particles.rain]
material = "g"
radius = { gaussian = { mean = 0.008, std = 0.001 } }
velocity = [0.5, 0, -1]
spin = [0, 3, 0]
stream = { region = { box = [[0, 0, 0.2], [0.1, 0.1, 0.3]] }, rate = 733 }
[walls.b]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.15], open = ["+z", "+x"] }
[fields.g]
acceleration = [0, 0, -9.81]
[domain]
box = [[-1, -1, -1], [0.15, 1, 1]]
rule = "delete"
[numerics]
dt = 5e-5
[[stages]]
duration = 0.4
)";

const std::string kEmpty = R"(
[materials.g]
density = 1000
young = 2e3
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[[stages]]
name = "wait"
duration = 0.1
[[stages]]
name = "pour"
duration = 1
[[stages]]
name = "after"
duration = 0.5
[numerics]
dt = 1e-3
)";

}  // namespace

TEST(Stream, RateIsExactInTheLongRun) {
  // 37.7 particles per second from 0.1 s on, every 30 ms: at time t all of 37.7 (t - 0.1) that are whole have come
  const std::string text = kEmpty + R"(
[particles.p]
material = "g"
radius = 0.01
velocity = [0, 0, 2]
stream = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.1]] }, rate = 37.7, every = "30 ms", start_stage = "pour", stop_stage = "after" }
)";
  Simulation s = simulate(text);
  EXPECT_EQ(s.particle_count(), 0);
  s.advance(100);
  EXPECT_EQ(s.particle_count(), 0);
  s.advance(531);  // just after the insertion at 0.63 s
  EXPECT_EQ(s.particle_count(), std::floor(37.7 * 0.53));
  const Frame f = last_frame(std::move(s));
  EXPECT_EQ(f.inserted, std::floor(37.7));
  EXPECT_EQ(f.particles.id.size(), 37u);
  for (std::size_t i = 0; i < f.particles.id.size(); ++i) {
    EXPECT_EQ(f.particles.id[i], static_cast<std::int64_t>(i));
    EXPECT_EQ(f.particles.v[i], (Vec3d{0, 0, 2}));
  }
}

TEST(Stream, MassRateAndCount) {
  const std::string text = kEmpty + R"(
[particles.p]
material = "g"
radius = { uniform = { min = 0.005, max = 0.01 } }
velocity = [0, 0, 2]
stream = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.1]] }, mass_rate = "0.2 kg/s" }
)";
  const Frame f = last_frame(simulate(text, {"stages=[{duration=2}]"}));
  double mass = 0, largest = 0;
  for (double m : f.particles.mass) {
    mass += m;
    largest = std::max(largest, m);
  }
  // up to the last insertion; what a particle has too much is carried over
  EXPECT_NEAR(mass, 0.4, 0.2 * 0.01 + largest);
  EXPECT_GT(f.particles.id.size(), 50u);
  const Frame few = last_frame(simulate(text, {"stages=[{duration=2}]", "particles.p.stream.count=17"}));
  EXPECT_EQ(few.inserted, 17);
}

TEST(Stream, SameBitsOnAnyNumberOfThreadsAndAfterResuming) {
  for (const char* scheme : {"drift_kick", "velocity_verlet"}) {
    const std::string set = fmt::format("numerics.scheme=\"{}\"", scheme);
    const Frame whole = last_frame(simulate(kTray, {"numerics.threads=1", set}));
    EXPECT_GT(whole.inserted, 200);
    EXPECT_GT(whole.lost, 20);
    for (int threads : {2, 4})
      EXPECT_EQ(state_hash(last_frame(simulate(kTray, {fmt::format("numerics.threads={}", threads), set}))),
                state_hash(whole));
    for (std::int64_t stop : {1, 1777, 4000, 7999}) {
      Simulation first = simulate(kTray, {set});
      for (std::int64_t n = 0; n < stop;) n += first.advance(std::min<std::int64_t>(stop - n, 333));
      Simulation second = simulate(kTray, {set});
      second.load(first.save());
      const Frame end = last_frame(std::move(second));
      EXPECT_EQ(state_hash(end), state_hash(whole)) << scheme << " stopped at " << stop;
      EXPECT_EQ(end.inserted, whole.inserted);
      EXPECT_EQ(end.energy.removed, whole.energy.removed);
    }
  }
}

TEST(Stream, EqualsTheReference) {
  for (const char* scheme : {"drift_kick", "velocity_verlet"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme), "stages=[{duration=0.1}]"};
    const Frame fast = last_frame(simulate(kTray, set)), slow = last_frame(simulate(kTray, set, Engine::reference));
    expect_one_result(fast, slow, scheme);
  }
}

TEST(Stream, EnergyOfNewParticlesIsBooked) {
  // without contacts: what was inserted is what was taken "away" with the opposite sign
  const std::string text = kEmpty + R"(
[particles.p]
material = "g"
radius = 0.01
velocity = [0, 0, 2]
spin = [5, 0, 0]
stream = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.1]] }, rate = 50, stop = 0.5 }
)";
  const Frame f = last_frame(simulate(text));
  EXPECT_EQ(f.inserted, 25);
  EXPECT_NEAR(f.energy.removed, -(f.energy.kinetic + f.energy.rotational), 1e-12 * f.energy.kinetic);
  EXPECT_NEAR(f.energy.residual, 0, 1e-12 * f.energy.kinetic);
  const Frame tray = last_frame(simulate(kTray));
  EXPECT_LT(std::fabs(tray.energy.residual), 1e-3 * tray.energy.turned_over);
}

TEST(Stream, WhatFindsNoPlaceWaits) {
  const std::string text = kEmpty + R"(
[particles.p]
material = "g"
radius = 0.01
stream = { region = { box = [[0, 0, 0], [0.05, 0.05, 0.03]] }, rate = 100, every = 0.05 }
)";
  Simulation s = simulate(text, {"stages=[{duration=1}]"});
  while (!s.finished()) s.advance(1000);
  EXPECT_GT(s.statistics().waiting, 50);
  const Frame f = s.frame();
  EXPECT_EQ(f.inserted + s.statistics().waiting, 95);  // asked for until the last insertion, at 0.95 s
  EXPECT_TRUE(f.contacts.empty());
}

TEST(Stream, ChoicesKnowWhatIsToCome) {
  const std::string text = kEmpty + R"(
[particles.p]
material = "g"
radius = { uniform = { min = 0.002, max = 0.01 } }
velocity = [0, 0, -30]
stream = { region = { box = [[0, 0, 0], [0.3, 0.3, 0.1]] }, rate = 100 }
)";
  const Simulation s = simulate(text, {"numerics.dt=\"auto\""});
  EXPECT_DOUBLE_EQ(s.choices().skin, 0.25 * 0.002);
  EXPECT_DOUBLE_EQ(s.choices().closing_speed, 60);
  EXPECT_GT(s.choices().contact_time, 0);
}

TEST(Stream, ParticlesAddedByTheProgram) {
  Simulation s = simulate(kTray, {"numerics.threads=1"});
  ListedParticle p;
  p.x = {0.05, 0.05, 0.1};
  p.v = {1, 0, 0};
  p.radius = 0.005;
  s.insert("first", {p});
  EXPECT_EQ(s.particle_count(), 3);
  s.advance(1);
  EXPECT_NEAR(s.frame().particles.v[2].x, 1, 1e-12);
  EXPECT_THROW(s.insert("nobody", {p}), InputError);
}

// A case that began with one particle and nothing to touch has neither a table nor a step for contacts.
TEST(Stream, NothingIsAddedWhereNothingCouldMeet) {
  const std::string lone = R"(
[materials.g]
density = 2500
young = 2e7
[particles.first]
material = "g"
radius = 0.01
list = [{ x = [0, 0, 0], v = [1, 0, 0] }]
[[stages]]
duration = 1
)";
  for (const char* table : {"", "[contacts.default]\nnormal = { law = \"hertz\", xi = 0.1 }\n"}) {
    Simulation s = simulate(lone + table);
    EXPECT_EQ(s.choices().contact_time, 0);
    EXPECT_NE(s.choices().dt_reason.find("no contacts"), std::string::npos);
    s.advance(10);
    EXPECT_EQ(s.frame().particles.v[0], (Vec3d{1, 0, 0}));
    EXPECT_THROW(s.insert("first", {ListedParticle{}}), InputError);
  }
}

// Whatever is at a periodic face reaches through it: nothing is placed into it, and nothing touches when it comes.
TEST(Stream, SeesImagesThroughPeriodicFaces) {
  const std::string text = kEmpty + R"(
[particles.wall]
material = "g"
radius = 0.02
fixed = true
list = [{ x = [0.001, 0.05, 0.05] }, { x = [0.099, 0.02, 0.02] }]
[particles.p]
material = "g"
radius = 0.006
stream = { region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, rate = 300, every = 0.1 }
[domain]
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x", "y"]
)";
  const Frame f = last_frame(simulate(text, {"stages=[{duration=0.5}]"}));
  EXPECT_EQ(f.inserted, 120);
  EXPECT_TRUE(f.contacts.empty());
}

// New particles take part in fields, fluid, forces at a distance and implicit steps, in both engines alike.
TEST(Stream, WithFieldsFluidDistantForcesAndImplicitSteps) {
  const std::string text = std::string(kTray) + R"(
[fields.spark]
electric = [2e4, 0, 0]
[fluid]
density = 1.2
viscosity = 1.8e-5
drag = "chow"
[forces.charges]
law = "coulomb"
cutoff = 0.05
)";
  for (const char* scheme : {"drift_kick", "velocity_verlet", "trapezoid"}) {
    const std::vector<std::string> set = {fmt::format("numerics.scheme=\"{}\"", scheme), "stages=[{duration=0.06}]",
                                          "particles.rain.charge=1e-8", "particles.first.charge=-1e-8"};
    const Frame fast = last_frame(simulate(text, set)), slow = last_frame(simulate(text, set, Engine::reference));
    expect_one_result(fast, slow, scheme);
    EXPECT_GT(fast.inserted, 20);
    EXPECT_EQ(fast.particles.charge.back(), 1e-8);
    Simulation first = simulate(text, set);
    first.advance(700);
    Simulation second = simulate(text, set);
    second.load(first.save());
    EXPECT_EQ(state_hash(last_frame(std::move(second))), state_hash(fast)) << scheme;
  }
}
