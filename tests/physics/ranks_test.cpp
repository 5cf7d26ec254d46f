// The engine of several ranks, with threads in place of processes: the bits of one process, whatever the cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

struct Outcome {
  std::string hash;
  double residual = 0;
  std::size_t contacts = 0;
  Archive archive;
};

Outcome outcome(Simulation& s, std::int64_t at_once) {
  while (!s.finished()) s.advance(at_once);
  const Frame f = s.frame();
  return {state_hash(f), f.energy.residual, f.contacts.size(), s.save(false)};
}

bool same(const Archive& a, const Archive& b) { return a.real == b.real && a.integer == b.integer && a.text == b.text; }

// All of one process against so many ranks: hash, ledger, and the checkpoint to the last number.
void expect_same(const Case& c, const Outcome& one, int ranks, const Bookkeeping& given = {},
                 std::int64_t at_once = 1 << 20) {
  ThreadRanks all(ranks);
  Bookkeeping books = given;
  books.link = &all.link();
  Simulation s(c, Engine::cpu, books);
  const Outcome many = outcome(s, at_once);
  EXPECT_EQ(many.hash, one.hash) << ranks << " ranks";
  EXPECT_EQ(many.residual, one.residual) << ranks << " ranks";
  EXPECT_EQ(many.contacts, one.contacts) << ranks << " ranks";
  EXPECT_TRUE(same(many.archive, one.archive)) << ranks << " ranks";
}

void expect_same(const std::string& toml, const std::vector<std::string>& set = {}) {
  Case c = parse_case(toml, "test", set);
  c.numerics.threads = 1;
  Simulation s(c, Engine::cpu);
  const Outcome one = outcome(s, 1 << 20);
  EXPECT_GT(one.contacts, 0);
  for (const int ranks : {1, 2, 3, 5}) expect_same(c, one, ranks);
  expect_same(c, one, 4, {.extra_lists = 7, .random_cut = 3}, 333);
  c.numerics.threads = 2;
  expect_same(c, one, 2);
}

}  // namespace

TEST(Ranks, GrainsInABox) { expect_same(kMaterials + kLaws + kGrains + kBox); }
