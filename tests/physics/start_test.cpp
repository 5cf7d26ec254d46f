// Cases that start from the state of another run: the bits of a run that went on where nothing but time is another;
// what goes on and what does not, told by number; the ledger; resuming; both engines.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "areia/start.h"
#include "bonds_support.h"
#include "engine/bookkeeping.h"
#include "engine/ledger.h"
#include "io/checkpoints/checkpoint.h"
#include "io/frames/vtk_frames.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::test;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing_support::TemporaryFolder;

namespace {

const std::string kMatter = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.2 }
rolling = { law = "epsd", mu = 0.1 }
)";

const std::string kFloor = R"(
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
)";

const std::string kSide = R"(
[walls.side]
plane = { point = [-0.0002, 0, 0], normal = [1, 0, 0] }
)";

const std::string kWeight = R"(
[fields.g]
acceleration = [-6, 0, -9.81]
[numerics]
dt = 2e-5
)";

// Forty grains that fall, slide on the floor and against the side.
const std::string kGrains = R"(
[particles.low]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0.0005], [0.056, 0.045, 0.0115]] }, spacing = 0.0111 }
velocity_std = 0.02
[particles.high]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0.0116], [0.056, 0.045, 0.023]] }, spacing = 0.0111 }
velocity_std = 0.02
)";

const std::string kFall = "[[stages]]\nname = \"fall\"\nduration = 0.03\n";
const std::string kGoOn = "[[stages]]\nname = \"go on\"\nduration = 0.03\n";
const std::string kFrom = "[start]\nfrom = \"other.out\"\n";

const Engine kEngines[] = {Engine::cpu, Engine::reference};

void finish(Simulation& s) {
  while (!s.finished()) s.advance(777);
}

// The results folder of a run, as far as a start needs it.
struct Other {
  TemporaryFolder folder;

  explicit Other(const std::string& toml, const std::vector<std::string>& set = {}, std::int64_t steps = 0,
                 Engine engine = Engine::cpu) {
    Simulation s = simulate(toml, set, engine);
    if (steps > 0) s.advance(steps);
    else finish(s);
    write_checkpoint(folder.path() / "other.out", s.save(), s.time(), s.step());
    Output all;
    all.arrays = {"velocity", "spin", "orientation", "mass", "material", "group", "prescribed"};
    all.double_precision = true;
    FrameWriter(folder.path() / "other.out", {}, all).write(s.frame());
  }
  Case read(const std::string& toml, const std::vector<std::string>& set = {}) const {
    return parse_case(toml, (folder.path() / "case.toml").string(), set);
  }
  Simulation start(const std::string& toml, const std::vector<std::string>& set = {},
                   Engine engine = Engine::cpu) const {
    return Simulation(read(toml, set), engine);
  }
  std::string why_not(const std::string& toml) const {
    try {
      start(toml);
    } catch (const InputError& e) { return e.what(); }
    return "";
  }
};

// All of the state but the time, which begins anew.
std::string hash_at(Frame f, double time) {
  f.time = time;
  return state_hash(f);
}

// The particles alone, for cases that have other walls.
std::string particles_of(Frame f) {
  f.time = 0;
  f.contacts.clear();
  f.walls.clear();
  return state_hash(f);
}

void expect_balance(const Frame& f, double most) { EXPECT_NEAR(f.energy.residual, 0, most * f.energy.turned_over); }

}  // namespace

// ---- the bits of a run that went on ----

TEST(Start, IsTheRunThatWentOn) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"}) {
    const std::vector<std::string> with{fmt::format("numerics.scheme=\"{}\"", scheme)};
    Simulation whole = simulate(kMatter + kFloor + kSide + kWeight + kGrains + kFall + kGoOn, with);
    finish(whole);
    const Frame end = whole.frame();
    const Other other(kMatter + kFloor + kSide + kWeight + kGrains + kFall, with);
    for (const Engine engine : kEngines)
      for (const int threads : {1, 2, 3}) {
        if (engine == Engine::reference && threads > 1) continue;
        std::vector<std::string> set = with;
        set.push_back(fmt::format("numerics.threads={}", threads));
        Simulation s = other.start(kFrom + kMatter + kFloor + kSide + kWeight + kGoOn, set, engine);
        EXPECT_EQ(s.time(), 0);
        EXPECT_EQ(s.step(), 0);
        finish(s);
        EXPECT_EQ(hash_at(s.frame(), end.time), state_hash(end)) << scheme;
        EXPECT_NEAR(s.time(), 0.03, 1e-12);
        // no worse than in the run that went on
        const double whole_ratio = std::fabs(end.energy.residual) / end.energy.turned_over;
        expect_balance(s.frame(), std::max(1e-3, 1.5 * whole_ratio));
      }
  }
}

TEST(Start, WithOddBooksAndTheOtherEngine) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  Simulation whole = simulate(matter + kGrains + kFall + kGoOn);
  finish(whole);
  const Other other(matter + kGrains + kFall, {}, 0, Engine::reference);
  Bookkeeping odd;
  odd.shuffle = 7;
  Simulation s(other.read(kFrom + matter + kGoOn), Engine::cpu, odd);
  finish(s);
  EXPECT_EQ(hash_at(s.frame(), whole.time()), state_hash(whole.frame()));
}

// A case with other parameters is a stage that sets them. (Not to the bit where the stiffness is another one: the
// quantum of the sums of forces follows from the stiffest contact of a case, in all of its stages.)
TEST(Start, OtherParametersAreThoseOfAStage) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const std::string set = "set = { contacts.default = { tangential.mu = 0.1, normal.restitution = 0.8 } }\n";
  Simulation whole = simulate(matter + kGrains + kFall + kGoOn + set);
  finish(whole);
  const Other other(matter + kGrains + kFall);
  for (const Engine engine : kEngines) {
    Simulation s =
        other.start(kFrom + matter + kGoOn,
                    {"contacts.default.tangential.mu=0.1", "contacts.default.normal.restitution=0.8"}, engine);
    finish(s);
    EXPECT_EQ(hash_at(s.frame(), whole.time()), state_hash(whole.frame()));
  }
}

// A wall that is left out is one that a stage removes; its contacts are told.
TEST(Start, AWallLeftOutIsOneRemoved) {
  const std::string matter = kMatter + kFloor + kWeight;
  Simulation whole = simulate(matter + kSide + kGrains + kFall + kGoOn + "remove = [\"walls.side\"]\n");
  finish(whole);
  const Other other(matter + kSide + kGrains + kFall);
  Simulation s = other.start(kFrom + matter + kGoOn);
  EXPECT_THAT(s.choices().notes, Contains(AllOf(HasSubstr("do not go on"), HasSubstr("walls.side"))));
  finish(s);
  EXPECT_EQ(particles_of(s.frame()), particles_of(whole.frame()));
}

// One that comes is one that a stage inserts.
TEST(Start, AWallAddedIsOneInserted) {
  const std::string matter = kMatter + kFloor + kWeight, right = R"(
[walls.right]
plane = { point = [0.0549, 0, 0], normal = [-1, 0, 0] }
)";
  const std::vector<std::string> push{"fields.g.acceleration=[2.5, 0, -9.81]", "numerics.start_overlap=0.5"};
  Simulation whole = simulate(matter + kSide + kGrains + right + kFall + kGoOn + "insert = [\"walls.right\"]\n", push);
  finish(whole);
  const Other other(matter + kSide + kGrains + kFall, push);
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + kSide + right + kGoOn, push, engine);
    finish(s);
    EXPECT_EQ(particles_of(s.frame()), particles_of(whole.frame()));
  }
}

TEST(Start, ServoWallsGoOn) {
  const std::string matter = kMatter + kFloor + kSide + kWeight + R"(
[walls.lid]
plane = { point = [0, 0, 0.0225], normal = [0, 0, -1] }
servo = { axis = [0, 0, 1], force = 0.5, max_speed = 0.05, gain = 0.002 }
)";
  Simulation whole = simulate(matter + kGrains + kFall + kGoOn);
  finish(whole);
  const Frame end = whole.frame();
  ASSERT_NE(end.walls[2].origin.z, 0);
  const Other other(matter + kGrains + kFall);
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + kGoOn, {}, engine);
    finish(s);
    EXPECT_EQ(hash_at(s.frame(), end.time), state_hash(end));
  }
}

// ---- walls that have moved ----

TEST(Start, AMovedWallBeginsWhereItWasLeft) {
  const std::string matter = kMatter + kFloor + kWeight;
  const std::string moving = kSide + "motion = { constant = { velocity = [-0.05, 0, 0] }, stop = 0.03 }\n";
  Simulation whole = simulate(matter + moving + kGrains + kFall + kGoOn);
  finish(whole);
  const Frame end = whole.frame();
  ASSERT_NEAR(end.walls[1].origin.x, -0.0015, 1e-9);
  const Other other(matter + moving + kGrains + kFall);
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + kSide + kGoOn, {}, engine);
    EXPECT_THAT(s.choices().notes, Contains(HasSubstr("walls.side begins where it was left, 0.0015 m")));
    finish(s);
    EXPECT_EQ(hash_at(s.frame(), end.time), state_hash(end));
  }
  // written in another place it is there
  Simulation elsewhere = other.start(kFrom + matter + kSide + kGoOn, {"walls.side.plane.point=[-0.02, 0, 0]"});
  EXPECT_EQ(elsewhere.frame().walls[1].origin, Vec3d{});
  EXPECT_THAT(elsewhere.choices().notes, Contains(HasSubstr("walls.side begins where it is written")));
  // and so it is when the case asks for that, where grains are in the way
  Simulation back =
      other.start(kFrom + matter + kSide + kGoOn, {"start.walls=\"as_written\"", "numerics.start_overlap=0.5"});
  EXPECT_EQ(back.frame().walls[1].origin.x, 0);
}

// A motion goes on from there: turned and shifted walls alike, as the composition of both displacements.
TEST(Start, MotionsGoOnFromThere) {
  const std::string box = kMatter + R"(
[particles.ball]
material = "grain"
radius = 0.005
list = [{ x = [0, 0, 1] }]
[walls.paddle]
rectangle = { corner = [0.1, 0, 0], edge_a = [0.1, 0, 0], edge_b = [0, 0.1, 0] }
motion = { rotating = { point = [0, 0, 0], axis = [0, 0, 1], rate = 10 } }
[numerics]
dt = 1e-4
)";
  const std::string matter = box.substr(0, box.find("[particles")) + box.substr(box.find("[walls"));
  Simulation whole = simulate(box + "[[stages]]\nduration = 0.2\n");
  finish(whole);
  const Other other(box + "[[stages]]\nduration = 0.1\n");
  Simulation s = other.start(kFrom + matter + "[[stages]]\nduration = 0.1\n");
  finish(s);
  const FrameWall a = whole.frame().walls[0], b = s.frame().walls[0];
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t k = 0; k < a.vertices.size(); ++k) EXPECT_LT(norm(a.vertices[k] - b.vertices[k]), 1e-14);
  // shifted afterwards
  Simulation shifted = other.start(kFrom + matter + "[[stages]]\nduration = 0.1\n",
                                   {"walls.paddle.motion={ constant = { velocity = [0, 0, 2] } }"});
  const FrameWall begin = shifted.frame().walls[0];
  finish(shifted);
  const FrameWall later = shifted.frame().walls[0];
  for (std::size_t k = 0; k < begin.vertices.size(); ++k)
    EXPECT_LT(norm(later.vertices[k] - begin.vertices[k] - Vec3d{0, 0, 0.2}), 1e-14);
  EXPECT_LT(norm(later.velocity - Vec3d{0, 0, 2}), 1e-14);
}

// ---- particles that come, and names ----

TEST(Start, NewParticlesFollowAndAllEnginesAgree) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall);
  const std::string more = R"(
[particles.rain]
material = "grain"
radius = 0.004
fill = { region = { box = [[0, 0, 0.03], [0.05, 0.045, 0.06]] }, count = 12 }
[particles.post]
material = "grain"
radius = 0.005
fixed = true
list = [{ x = [0.09, 0.02, 0.005] }]
)";
  std::string hash;
  for (const Engine engine : kEngines)
    for (const int threads : {1, 2, 3}) {
      if (engine == Engine::reference && threads > 1) continue;
      const std::vector<std::string> set{fmt::format("numerics.threads={}", threads)};
      Simulation s = other.start(kFrom + matter + more + kGoOn, set, engine);
      const Frame f = s.frame();
      ASSERT_EQ(f.particles.id.size(), 53u);
      for (std::size_t k = 0; k < f.particles.id.size(); ++k) EXPECT_EQ(f.particles.id[k], static_cast<int>(k));
      EXPECT_EQ(f.groups, (std::vector<std::string>{"low", "high", "rain", "post"}));
      EXPECT_EQ(f.particles.group[52], 3);
      EXPECT_EQ(f.particles.prescribed[52], 1);
      EXPECT_NEAR(f.energy.initial, stored(f.energy), 1e-15);
      EXPECT_NEAR(f.energy.residual, 0, 1e-3 * f.energy.initial);  // half a kick
      finish(s);
      EXPECT_TRUE(hash.empty() || hash == state_hash(s.frame()));
      hash = state_hash(s.frame());
      expect_balance(s.frame(), 2e-3);
      EXPECT_EQ(s.frame().inserted, 0);
    }
  // a checkpoint within goes on to the same hash, on the other engine
  Simulation first = other.start(kFrom + matter + more + kGoOn);
  first.advance(700);
  Simulation second = other.start(kFrom + matter + more + kGoOn, {"numerics.threads=2"}, Engine::reference);
  second.load(first.save());
  finish(second);
  EXPECT_EQ(state_hash(second.frame()), hash);
}

// Ids of those that went stay empty, and a carried set may be given another material, group and motion.
TEST(Start, SetsMayBeWrittenAnew) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall +
                    "[[stages]]\nname = \"fewer\"\nduration = 0.001\nremove = [\"particles.low\"]\n");
  const std::string anew = R"(
[materials.glue]
density = 1000
young = 1e6
[particles.more]
material = "grain"
radius = 0.004
list = [{ x = [0.2, 0, 0.02] }]
[particles.high]
carried = true
material = "glue"
group = "lifted"
motion = { constant = { velocity = [0, 0, 0.1] } }
)";
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + anew + kGoOn, {}, engine);
    const Frame f = s.frame();
    ASSERT_EQ(f.particles.id.size(), 21u);
    EXPECT_EQ(f.particles.id.front(), 20);
    EXPECT_EQ(f.particles.id.back(), 40);
    EXPECT_EQ(f.groups[static_cast<std::size_t>(f.particles.group[0])], "lifted");
    EXPECT_EQ(f.materials[static_cast<std::size_t>(f.particles.material[0])], "glue");
    finish(s);
    const Frame end = s.frame();
    for (std::size_t k = 0; k < 20; ++k)
      EXPECT_LT(norm(end.particles.x[k] - f.particles.x[k] - Vec3d{0, 0, 0.003}), 1e-12);
  }
}

TEST(Start, OtherLawsBeginAnew) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall);
  std::string hash;
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + kGoOn, {"contacts.default.rolling=\"none\""}, engine);
    EXPECT_THAT(s.choices().notes, Contains(HasSubstr("between materials whose laws are others")));
    EXPECT_GT(s.frame().contacts.size(), 10u);
    finish(s);
    EXPECT_TRUE(hash.empty() || hash == state_hash(s.frame()));
    hash = state_hash(s.frame());
    expect_balance(s.frame(), 2e-3);
  }
}

TEST(Start, BondsGoOn) {
  const std::string spring = "max_gap = 1e-3\nstiffness = 1e5\ndamper = 5\n";
  const std::string hang = "[bonds.hang]\ncontact = false\ngroup_a = \"root\"\ngroup_b = \"chain\"\n" + spring;
  const std::string chain = row(4, "group_a = \"chain\"\n" + spring, "[0, 0, -9.81]", hang + "[numerics]\ndt = 1e-5\n");
  const std::string matter = std::string(kMaterial) + "[bonds.joints]\ncontact = false\ngroup_a = \"chain\"\n" +
                             spring + hang + "[fields.gravity]\nacceleration = [0, 0, -9.81]\n[numerics]\ndt = 1e-5\n";
  const auto stage = [&](const char* name) {
    return fmt::format("[[stages]]\nname = \"{}\"\nduration = 0.01\n", name);
  };
  Simulation whole = simulate(chain + stage("a") + stage("b"));
  finish(whole);
  ASSERT_GT(whole.frame().bonds.size(), 2u);
  const Other other(chain + stage("a"));
  for (const Engine engine : kEngines) {
    Simulation s = other.start(kFrom + matter + stage("b"), {}, engine);
    EXPECT_EQ(s.frame().bonds.size(), whole.frame().bonds.size());
    finish(s);
    EXPECT_EQ(hash_at(s.frame(), whole.time()), state_hash(whole.frame()));
    expect_balance(s.frame(), 1e-3);
  }
  Simulation without =
      other.start(kFrom + matter.substr(0, matter.find("[bonds")) + matter.substr(matter.find("[fields")) + stage("b"));
  EXPECT_TRUE(without.frame().bonds.empty());
  EXPECT_THAT(without.choices().notes, Contains(HasSubstr("of bonds.joints, which is not there")));
}

TEST(Start, FromAFrame) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall);
  std::string hash;
  for (const Engine engine : kEngines) {
    Simulation s = other.start("[start]\nfrom = \"other.out\"\ntime = 0.03\n" + matter + kGoOn, {}, engine);
    EXPECT_THAT(s.choices().notes, Contains(HasSubstr("frame at t = 0.03 s")));
    EXPECT_THAT(s.choices().notes, Contains(HasSubstr("knows nothing of what contacts remember")));
    const Frame f = s.frame();
    EXPECT_EQ(f.groups, (std::vector<std::string>{"low", "high"}));
    EXPECT_GT(f.contacts.size(), 10u);
    finish(s);
    EXPECT_TRUE(hash.empty() || hash == state_hash(s.frame()));
    hash = state_hash(s.frame());
    expect_balance(s.frame(), 2e-3);
  }
  Simulation file = other.start("[start]\nfrom = \"other.out/frames/particles_000000.vtp\"\n" + matter + kGoOn);
  finish(file);
  EXPECT_EQ(state_hash(file.frame()), hash);
}

// A checkpoint belongs to the state that its case began from.
TEST(Start, TheStateIsPartOfTheCase) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other one(matter + kGrains + kFall), two(matter + kGrains + kFall, {}, 1400);
  Simulation a = one.start(kFrom + matter + kGoOn), b = two.start(kFrom + matter + kGoOn);
  a.advance(10);
  try {
    b.load(a.save());
    FAIL() << "was accepted";
  } catch (const FileError& e) { EXPECT_THAT(e.what(), HasSubstr("# start: ")); }
  EXPECT_THAT(b.choices().notes, Contains(HasSubstr("has not come to its end")));
}

TEST(Start, OutOfATextAndBack) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall);
  const Case c = other.read(kFrom + matter + kGoOn);
  ASSERT_EQ(c.particles.size(), 2u);
  EXPECT_EQ(c.particles[0].name, "low");
  EXPECT_EQ(other.read(to_toml(c)), c);
}

// ---- what cannot be ----

TEST(Start, WhatCannotBeIsTold) {
  const std::string matter = kMatter + kFloor + kSide + kWeight;
  const Other other(matter + kGrains + kFall);
  EXPECT_THAT(other.why_not(kFrom + kFloor + kGoOn),
              AllOf(HasSubstr("start.from"), HasSubstr("write [materials.grain]")));
  EXPECT_THAT(other.why_not(kFrom + matter + kGrains + kGoOn),
              AllOf(HasSubstr("particles.low"), HasSubstr("comes from other.out")));
  EXPECT_THAT(other.why_not(kFrom + matter + kGoOn + "[particles.hihg]\nmaterial = \"grain\"\ncarried = true\n"),
              AllOf(HasSubstr("particles.hihg.carried"), HasSubstr("did you mean `high`")));
  EXPECT_THAT(other.why_not(kFrom + matter + kGoOn +
                            "[particles.high]\nmaterial = \"grain\"\ncarried = true\nvelocity = [1, 0, 0]\n"),
              HasSubstr("particles.high.velocity"));
  EXPECT_THAT(other.why_not(matter + kGrains + kGoOn + "[particles.x]\nmaterial = \"grain\"\ncarried = true\n"),
              HasSubstr("needs `start.from`"));
  // a wall that cuts grains
  EXPECT_THAT(
      other.why_not(kFrom + matter + kGoOn + "[walls.cut]\nplane = { point = [0, 0, 0.006], normal = [0, 0, 1] }\n"),
      HasSubstr("overlaps walls.cut"));
  // and new grains where others are
  EXPECT_THAT(other.why_not(kFrom + matter + kGoOn +
                            "[particles.more]\nmaterial = \"grain\"\nradius = 0.005\nlist = [{ x = [0.005, 0.005, "
                            "0.006] }]\n"),
              HasSubstr("particles.more"));
}
