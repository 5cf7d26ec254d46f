// The engine of several ranks, with threads in place of processes: the bits of one process, whatever the cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "areia/case_file.h"
#include "areia/error.h"
#include "engine/prepare.h"
#include "mixed_grains.h"
#include "one_result.h"
#include "threads_as_ranks.h"

using namespace areia;
using namespace areia::test;

namespace {

struct Ending {
  std::string hash;
  double residual = 0;
  std::size_t contacts = 0;
  std::int64_t lost = 0, inserted = 0;
  Archive archive;
};

Ending ending(Simulation& s, std::int64_t at_once) {
  while (!s.finished()) s.advance(at_once);
  const Frame f = s.frame();
  return {state_hash(f), f.energy.residual, f.contacts.size(), f.lost, f.inserted, s.save(false)};
}

bool same(const Archive& a, const Archive& b) { return a.real == b.real && a.integer == b.integer && a.text == b.text; }

// All of one process against so many ranks: hash, ledger, and the checkpoint to the last number.
void compare(const Case& c, const Ending& one, int ranks, const Bookkeeping& given = {},
             std::int64_t at_once = 1 << 20) {
  ThreadRanks all(ranks);
  Bookkeeping books = given;
  books.link = &all.link();
  Simulation s(c, Engine::cpu, books);
  const Ending many = ending(s, at_once);
  EXPECT_EQ(many.hash, one.hash) << ranks << " ranks";
  EXPECT_EQ(many.residual, one.residual) << ranks << " ranks";
  EXPECT_EQ(many.contacts, one.contacts) << ranks << " ranks";
  EXPECT_TRUE(same(many.archive, one.archive)) << ranks << " ranks";
}

// Returns what one process finds.
Ending expect_same(const std::string& toml, const std::vector<std::string>& set = {}) {
  Case c = parse_case(toml, "test", set);
  SCOPED_TRACE(fmt::format("{}", fmt::join(set, " ")));
  c.numerics.threads = 1;
  Simulation s(c, Engine::cpu);
  const Ending one = ending(s, 1 << 20);
  EXPECT_GT(one.contacts, 0);
  for (const int ranks : {1, 2, 3, 5}) compare(c, one, ranks);
  compare(c, one, 4, {.extra_lists = 7, .random_cut = 3}, 333);
  c.numerics.threads = 2;
  compare(c, one, 2);
  return one;
}

}  // namespace

TEST(Ranks, GrainsInABox) { expect_same(kMaterials + kMixed + kGrains + kLarge + kBox); }

TEST(Ranks, SchemesAndLaws) {
  for (const char* name : {"kick_drift", "forward_euler", "velocity_verlet"})
    expect_same(kMaterials + kMixed + kGrains + kLarge + kBox, {scheme(name), "stages[1].duration=0.03"});
  for (const char* laws :
       {"contacts.default={normal={law=\"linear\",stiffness=2e4,restitution=0.6},tangential={law=\"coulomb_history\","
        "mu=0.3}}",
        "contacts.default={normal={law=\"jkr\",xi=0.1,work=0.5},tangential={law=\"coulomb_history\",mu=0.3},"
        "rolling={law=\"epsd\",mu=0.05},twisting={law=\"spring\",mu=0.02}}",
        "numerics.lever=\"deformed\""})
    expect_same(kMaterials + kMixed + kGrains + kLarge + kBox, {laws, "stages[1].duration=0.03"});
}

// Everything moves: faces are crossed, walls turn and shake, bodies are led, released and frozen, and gravity is
// switched.
TEST(Ranks, PeriodicFacesWallsAndBodiesThatMove) {
  const std::string periodic = "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", \"y\"]\n";
  const std::string walls = R"(
[walls.floor]
plane = { point = [0, 0, -0.01], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0, 0, "2 mm"], frequency = "60 Hz" } }
[walls.ring]
disk = { center = [0.0525, 0.0525, 0], normal = [0, 0, 1], radius = 0.0175, hole = 0.0045 }
[walls.shape]
mesh = { file = "SHAPE", scale = 0.02 }
material = "steel"
motion = { rotating = { point = [0.02, 0.02, 0], axis = [0, 0, 1], rate = "200 rpm" } }
)";
  const std::string led = R"(
[particles.led]
material = "steel"
radius = 0.006
prescribed = true
list = [{ x = [0.01, 0.05, -0.007] }, { x = [0.065, 0.01, -0.007] }]
motion = { constant = { velocity = [0.3, 0.2, 0] } }
[[stages]]
name = "released"
duration = 0.02
release = ["led"]
freeze = ["large"]
[fields.wind]
acceleration = [0.5, 0, 0]
start_stage = "released"
)";
  std::string text = kMaterials + kMixed + kGrains + kLarge + periodic + walls + led;
  const std::string shape = std::string(AREIA_SOURCE_DIR) + "/tests/cases/shape.stl";
  text.replace(text.find("SHAPE"), 5, shape);
  expect_same(text);
}

// Walls follow the sum of all forces on them, of whichever rank.
TEST(Ranks, WallsThatFollowForces) {
  const std::string lid = R"(
[walls.floor]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.3], open = ["+z"] }
[walls.lid]
plane = { point = [0, 0, 0.16], normal = [0, 0, -1] }
servo = { axis = [0, 0, -1], force = "20 N", max_speed = "2 m/s" }
)";
  expect_same(kMaterials + kMixed + kGrains + kLarge + lid, {"stages[1].duration=0.05"});
}

// Grains roll off a plate and leave the domain, some of them in contact with others; more come from above.
TEST(Ranks, GrainsThatLeaveAndCome) {
  const std::string more = R"(
[domain]
box = [[-0.05, -0.05, -0.02], [0.11, 0.11, 0.3]]
rule = "delete"
[walls.plate]
rectangle = { corner = [0, 0, 0], edge_a = [0.06, 0, 0], edge_b = [0, 0.06, 0] }
[particles.rain]
material = "grain"
radius = 0.004
velocity = [0, 0, -1]
stream = { region = { box = [[0, 0, 0.2], [0.06, 0.06, 0.25]] }, rate = 1000, every = 0.004 }
)";
  for (const char* name : {"drift_kick", "velocity_verlet"}) {
    const Ending one =
        expect_same(kMaterials + kMixed + kGrains + kLarge + more, {scheme(name), "stages[1].duration=0.12"});
    EXPECT_GT(one.lost, 20);
    EXPECT_GT(one.inserted, 20);
  }
}

// What the cases of the examples do in their first steps, whatever they have.
TEST(Ranks, Examples) {
  int taken = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(AREIA_SOURCE_DIR) + "/examples")) {
    const std::filesystem::path file = entry.path() / "case.toml";
    if (!std::filesystem::exists(file)) continue;
    Case c = read_case(file);
    if (!ranks::what_ranks_lack(c).empty() || needs_preparation(c)) continue;  // whose packings take long
    ++taken;
    c.numerics.threads = 1;
    Simulation one(c);
    one.advance(100);
    ThreadRanks all(3);
    Simulation many(c, Engine::cpu, {.link = &all.link()});
    many.advance(100);
    EXPECT_EQ(state_hash(many.frame()), state_hash(one.frame())) << file;
    EXPECT_TRUE(same(many.save(), one.save())) << file;
  }
  EXPECT_GE(taken, 18);
}

TEST(Ranks, FewerBodiesThanRanks) {
  const Case c = parse_case(kPair, "test", {"numerics.threads=1"});
  Simulation s(c);
  compare(c, ending(s, 7), 5);
}

// Other laws from a stage on, bodies that are thrown and taken out, gravity and a wall that are set, and back to one
// process.
TEST(Ranks, WhatChangesBetweenSteps) {
  const Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test",
                            {"numerics.threads=1",
                             "stages=[{duration=0.02},{duration=0.01,freeze=[\"large\"],set={\"contacts.default."
                             "tangential.mu\"=0.1}},{duration=0.02,remove=[\"walls.box\"],release=[\"large\"]}]"});
  const auto changed = [](Simulation& s) {
    s.advance(700);
    s.set_velocity("small", {0, 0.5, 0});
    s.advance(100);
    s.set_gravity({0, 1, -5});
    s.set_wall_velocity("box", {0, 0, 0.05}, {0, 0.2, 0}, {0, 0, 0});
    s.advance(150);
    s.remove({3, 50});
    s.advance(7, false);
    return s.save();
  };
  Simulation one(c);
  const Archive kept = changed(one);
  ThreadRanks all(3);
  Simulation many(c, Engine::cpu, {.link = &all.link()});
  EXPECT_TRUE(same(changed(many), kept));
  Simulation back(c);
  back.load(many.save());
  many.load(kept);
  EXPECT_EQ(ending(back, 333).hash, ending(one, 1 << 20).hash);
  EXPECT_EQ(ending(many, 333).hash, state_hash(one.frame()));
}

// Between two lists, one message each way and step, with nine words for each copy, or ten where contacts are counted.
TEST(Ranks, WhatIsSentInAStep) {
  for (const bool counts : {false, true}) {
    Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test",
                        {"numerics.threads=1", "particles.small.velocity=[0,0,0]", "fields.g.acceleration=[0,0,-1e-6]",
                         "particles.large.list=[{x=[0.02,0.02,0.2]}]"});
    if (!counts)
      for (ContactPair& pair : c.contacts) pair.rolling = {};
    ThreadRanks all(2);
    Simulation s(c, Engine::cpu, {.link = &all.link()});
    s.advance(10, false);
    const ThreadRanks::Sent before = all.sent();
    const std::int64_t lists = s.statistics().rebuilds;
    const ThreadRanks::Sent asked = all.sent();
    s.advance(50, false);
    const ThreadRanks::Sent after = all.sent();
    ASSERT_EQ(s.statistics().rebuilds, lists);
    EXPECT_GT(asked.messages, before.messages);
    EXPECT_EQ(after.messages - asked.messages, 1 + 2 * 50);  // one of them the order
    constexpr std::int64_t kOrder = 4;                       // words
    const std::int64_t words = after.words - asked.words - kOrder;
    EXPECT_GT(words, 0);
    EXPECT_EQ(words % (50 * (counts ? 10 : 9)), 0);
  }
}

TEST(Ranks, RefusedByName) {
  const auto why = [](const std::vector<std::string>& set, Engine engine = Engine::cpu) -> std::string {
    ThreadRanks all(2);
    try {
      Simulation s(parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test", set), engine,
                   {.link = &all.link()});
    } catch (const InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(why({}), "");
  EXPECT_THAT(why({scheme("trapezoid")}), testing::HasSubstr("numerics.scheme"));
  EXPECT_THAT(why({"forces.pull={law=\"power\",k_at=1e-9,a_at=2}"}), testing::HasSubstr("forces at a distance"));
  EXPECT_THAT(why({}, Engine::reference), testing::HasSubstr("cpu engine"));
}

// In words of the rank, without waiting for ever; and what all agree on, as in one process.
TEST(Ranks, RanksThatFail) {
  const Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test", {"numerics.threads=1"});
  ThreadRanks all(3);
  Simulation s(c, Engine::cpu, {.link = &all.link()});
  s.advance(10);
  all.break_rank(2);
  const auto why = [](Simulation& failing) -> std::string {
    try {
      while (!failing.finished()) failing.advance(100);
    } catch (const StoppedError& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(why(s), "rank 2: out of order");

  const Case fast = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test",
                               {"numerics.threads=1", "numerics.max_overlap=0.01"});
  Simulation one(fast);
  ThreadRanks others(3);
  Simulation many(fast, Engine::cpu, {.link = &others.link()});
  const std::string blown_up = why(one);
  EXPECT_THAT(blown_up, testing::HasSubstr("blow-up"));
  EXPECT_EQ(why(many), blown_up);
}
