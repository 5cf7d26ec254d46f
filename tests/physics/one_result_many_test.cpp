// One result of many grains: sums of more than two partners, and whatever books an engine keeps.
#include <gtest/gtest.h>

#include "meshes.h"
#include "one_result.h"

using namespace areia;
using namespace areia::test;

namespace {

// A shaken box of mixed grains: walls that move, all laws, many contacts made and broken.
const std::string kShaken = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[materials.steel]
density = 7800
young = 2e7
poisson = 0.3
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[contacts.steel-grain]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.2, xi = 0.1 }
adhesion = { law = "dmt", work = 0.5 }
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
velocity = [0, 0, -3]
fill = { region = { box = [[0, 0, 0], [0.06, 0.06, 0.08]] }, count = 60 }
[particles.large]
material = "steel"
radius = 0.015
list = [{ x = [0.02, 0.02, 0.1], w = [5, 0, 3] }, { x = [0.04, 0.04, 0.14], v = [0, 0.1, -1] }]
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.03
)";
const std::string kShakenBox = R"(
[walls.box]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.3] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
)";

}  // namespace

TEST(OneResult, ManyGrains) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(kShaken + kShakenBox, {scheme(name)}, 100).contacts, 100u) << name;
  EXPECT_GT(expect_one_result(kShaken + kShakenBox, {"numerics.lever=\"deformed\""}, 100).contacts, 100u);
}

// Pairs whose friction follows another code beside pairs whose does not.
TEST(OneResult, VariantsOfFriction) {
  const std::string variant =
      "{law=\"coulomb_history\",mu=0.3,dashpot=\"normal\",history=\"force\",rescale=\"on\",cap=\"spring\"}";
  for (const char* name : kSchemes) {
    EXPECT_GT(expect_one_result(kPair, {scheme(name), "contacts.default.tangential=" + variant}).contacts, 3u) << name;
    EXPECT_GT(expect_one_result(kShaken + kShakenBox, {scheme(name), "contacts.steel-grain.tangential=" + variant}, 100)
                  .contacts,
              100u)
        << name;
  }
}

TEST(OneResult, ManyGrainsInAMesh) {
  const Seen seen = expect_one_result(
      [&](Engine engine, const Bookkeeping& books) {
        Case c = parse_case(kShaken + kShakenBox, "test", {});
        c.walls[0].shape = box_mesh({0, 0, 0}, {0.06, 0.06, 0.3}, 4);
        return Simulation(c, engine, books);
      },
      "mesh", 100);
  EXPECT_GT(seen.contacts, 100u);
}

TEST(OneResult, ManyGrainsInAPeriodicBox) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(kShaken + "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", "
                                          "\"y\"]\n[walls.floor]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n",
                                {scheme(name)}, 100)
                  .contacts,
              100u)
        << name;
}

// Walls that meet, overlap, cross periodic faces, move and have other laws than their neighbours; rings and edges.
TEST(OneResult, ManyGrainsOnWallsThatMeet) {
  const std::string walls = R"(
[domain]
box = [[0, 0, -0.1], [0.07, 0.065, 0.3]]
periodic = ["x", "y"]
[walls.left]
rectangle = { corner = [-0.01, 0, 0], edge_a = [0.03, 0, 0], edge_b = [0, 0.065, 0] }
[walls.middle]
box = { min = [0.02, -0.01, -0.02], max = [0.035, 0.07, 0] }
material = "steel"
[walls.right]
mesh = { obj = "v 0.035 0 0\nv 0.07 0 0\nv 0.07 0.04 0\nv 0.035 0.04 0\nf 1 2 3 4" }
[walls.ring]
disk = { center = [0.0525, 0.0525, 0], normal = [0, 0, 1], radius = 0.0175, hole = 0.0045 }
[walls.cone]
cone = { from = [0.01, 0.03, 0], to = [0.01, 0.03, 0.015], radius_from = 0.004, radius_to = 0.013 }
[walls.ball]
sphere = { center = [0.069, 0.06, 0.004], radius = 0.006 }
motion = { constant = { velocity = [0.9, 0.4, 0] } }
[walls.paddle]
rectangle = { corner = [0.03, 0.03, 0.001], edge_a = [0.02, 0, 0], edge_b = [0, 0, 0.02] }
motion = { rotating = { point = [0.03, 0.03, 0], axis = [0, 0, 1], rate = 30 } }
)";
  for (const char* name : {"drift_kick", "velocity_verlet", "trapezoid"})
    EXPECT_GT(expect_one_result(kShaken + walls, {scheme(name)}, 100).contacts, 100u) << name;
}

TEST(OneResult, ManyBondedGrains) {
  const std::string bonds = R"(
[bonds.glue]
max_gap = 0.002
stiffness = 1e4
damping = "critical"
anchors = 3
ring_radius = 0.002
strength = 2
)";
  for (const char* name : kSchemes) {
    const Seen seen = expect_one_result(kShaken + kShakenBox + bonds, {scheme(name), "stages=[{duration=0.006}]"}, 100);
    EXPECT_GT(seen.end.breaks.size(), 1u) << name;
  }
}

TEST(OneResult, ForcesAtADistance) {
  const std::string forces = "[forces.pull]\nlaw = \"coulomb\"\n";
  EXPECT_GT(expect_one_result(kShaken + kShakenBox + forces, {"particles.small.charge=2e-9"}, 100).contacts, 100u);
}

// ---- more than one chunk: what a run may be told or choose by itself ----

namespace {

const std::string kSilo = kShaken.substr(0, kShaken.find("[particles.small]")) + R"(
[particles.small]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.006 } }
velocity = [0.5, 0, -3]
fill = { region = { box = [[0, 0, 0.005], [0.08, 0.08, 0.16]] }, count = 700 }
[particles.large]
material = "steel"
radius = 0.012
list = [{ x = [0.02, 0.02, 0.2], w = [5, 0, 3] }, { x = [0.05, 0.05, 0.2], v = [0, 0.1, -1] }]
[domain]
box = [[0, 0, -0.05], [0.08, 0.09, 0.4]]
periodic = ["x"]
rule = "delete"
[fields.g]
acceleration = [0, 0, -9.81]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
[walls.sides]
box = { min = [-1, 0, -1], max = [1, 0.09, 1], open = ["-x", "+x", "-z", "+z"] }
[numerics]
dt = 2e-5
[[stages]]
duration = 0.008
)";

std::string hash_of(const Case& c, Engine engine = Engine::cpu, const Bookkeeping& books = {}) {
  return state_hash(last_frame(Simulation(c, engine, books)));
}

}  // namespace

TEST(OneResult, WhateverTheBooks) {
  for (const char* name : {"drift_kick", "velocity_verlet", "kick_drift"}) {
    Case c = parse_case(kSilo, "test", {scheme(name), "numerics.threads=2"});
    const Simulation usual(c);
    const std::string one = hash_of(c, Engine::reference);
    EXPECT_EQ(hash_of(c), one) << name;
    for (const std::uint32_t size : {64u, 256u, 1024u, 4096u})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.chunk_size = size}), one) << name << ", chunks of " << size;
    for (const std::uint64_t seed : {1, 2})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.shuffle = seed}), one) << name << ", shuffled by " << seed;
    for (const std::int64_t every : {2, 20})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.extra_lists = every}), one) << name << ", lists every " << every << " steps";
    for (const int threads : {1, 3, 8}) {
      c.numerics.threads = threads;
      EXPECT_EQ(hash_of(c, Engine::cpu, {.chunk_size = 64, .shuffle = 3, .extra_lists = 10}), one)
          << name << " on " << threads << " threads";
    }
    for (const double times : {0.5, 1.0, 2.0, 4.0}) {
      c.numerics.skin = times * usual.choices().skin;
      EXPECT_EQ(hash_of(c), one) << name << ", skin x " << times;
    }
  }
}

// Frames, series and checkpoints are looks at the state.
TEST(OneResult, HoweverItIsLookedAt) {
  for (const char* name : kSchemes) {
    const Case c = parse_case(kShaken + kShakenBox, "test", {scheme(name)});
    const Frame whole = last_frame(Simulation(c));
    Simulation looked_at(c);
    for (std::int64_t k = 1; !looked_at.finished(); k = k % 13 + 1) {
      looked_at.advance(k, k % 2 == 0);
      looked_at.frame();
      looked_at.save();
    }
    EXPECT_EQ(state_hash(looked_at.frame()), state_hash(whole)) << name;
    EXPECT_EQ(looked_at.frame().energy.residual, whole.energy.residual) << name;
    EXPECT_EQ(looked_at.frame().energy.turned_over, whole.energy.turned_over) << name;
  }
}
