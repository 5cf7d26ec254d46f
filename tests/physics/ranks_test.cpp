// The engine of several ranks, with threads in place of processes: the bits of one process, whatever the cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "areia/case_file.h"
#include "areia/error.h"
#include "one_result.h"
#include "threads_as_ranks.h"

using namespace areia;
using namespace areia::test;

namespace {

const std::string kMaterials = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[materials.steel]
density = 7800
young = 2e7
poisson = 0.3
)";
const std::string kLaws = R"(
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[contacts.steel-grain]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.2, xi = 0.1 }
adhesion = { law = "strain", k = 5, beta = 1 }
)";
const std::string kGrains = R"(
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.007 } }
velocity = [0.3, 0, -2]
fill = { region = { box = [[0, 0, 0], [0.06, 0.06, 0.08]] }, count = 80 }
[particles.large]
material = "steel"
radius = 0.012
list = [{ x = [0.02, 0.02, 0.1], w = [5, 0, 3] }, { x = [0.04, 0.04, 0.14], v = [0, 0.1, -1] }]
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.06
)";
const std::string kBox = R"(
[walls.box]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.3] }
)";

struct Ending {
  std::string hash;
  double residual = 0;
  std::size_t contacts = 0;
  std::int64_t lost = 0, inserted = 0;
  Archive archive;
};

Ending outcome(Simulation& s, std::int64_t at_once) {
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
  const Ending many = outcome(s, at_once);
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
  const Ending one = outcome(s, 1 << 20);
  EXPECT_GT(one.contacts, 0);
  for (const int ranks : {1, 2, 3, 5}) compare(c, one, ranks);
  compare(c, one, 4, {.extra_lists = 7, .random_cut = 3}, 333);
  c.numerics.threads = 2;
  compare(c, one, 2);
  return one;
}

}  // namespace

TEST(Ranks, GrainsInABox) { expect_same(kMaterials + kLaws + kGrains + kBox); }

TEST(Ranks, SchemesAndLaws) {
  for (const char* name : {"kick_drift", "forward_euler", "velocity_verlet"})
    expect_same(kMaterials + kLaws + kGrains + kBox, {scheme(name), "stages[1].duration=0.03"});
  for (const char* laws :
       {"contacts.default={normal={law=\"linear\",stiffness=2e4,restitution=0.6},tangential={law=\"coulomb_history\","
        "mu=0.3}}",
        "contacts.default={normal={law=\"jkr\",xi=0.1,work=0.5},tangential={law=\"coulomb_history\",mu=0.3},"
        "rolling={law=\"epsd\",mu=0.05},twisting={law=\"spring\",mu=0.02}}",
        "numerics.lever=\"deformed\""})
    expect_same(kMaterials + kLaws + kGrains + kBox, {laws, "stages[1].duration=0.03"});
}

// Everything moves: faces are crossed, walls turn and shake, bodies are led, released and frozen, and gravity is switched.
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
  std::string text = kMaterials + kLaws + kGrains + periodic + walls + led;
  const std::string shape = std::string(AREIA_SOURCE_DIR) + "/tests/cases/shape.stl";
  text.replace(text.find("SHAPE"), 5, shape);
  expect_same(text);
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
    const Ending one = expect_same(kMaterials + kLaws + kGrains + more, {scheme(name), "stages[1].duration=0.12"});
    EXPECT_GT(one.lost, 20);
    EXPECT_GT(one.inserted, 20);
  }
}

// What a case of the examples does in its first steps, whatever it has.
TEST(Ranks, Examples) {
  std::string refused;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(AREIA_SOURCE_DIR) + "/examples")) {
    const std::filesystem::path file = entry.path() / "case.toml";
    if (!std::filesystem::exists(file)) continue;
    Case c = read_case(file);
    c.numerics.threads = 1;
    if (!ranks::what_ranks_lack(c).empty()) {
      refused += entry.path().filename().string() + ": " + fmt::format("{}", fmt::join(ranks::what_ranks_lack(c), "; ")) + "\n";
      continue;
    }
    const std::int64_t steps = std::getenv("STEPS") ? std::atoll(std::getenv("STEPS")) : 200;
    Simulation one(c);
    one.advance(steps);
    const std::string wanted = state_hash(one.frame());
    ThreadRanks all(3);
    Simulation many(c, Engine::cpu, {.link = &all.link()});
    many.advance(steps);
    EXPECT_EQ(state_hash(many.frame()), wanted) << file;
    EXPECT_TRUE(same(many.save(), one.save())) << file;
    printf("%s %ld %s\n", file.parent_path().filename().c_str(), (long)many.particle_count(), wanted.c_str());
  }
  printf("%s", refused.c_str());
}
