// Stages that end when a value passes a bound, and stages that set other parameters: the same bits on any engine, after
// a resume, and as the equivalent case without them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bonds_support.h"

using namespace areia;
using namespace areia::test;
using testing::HasSubstr;

namespace {

// Forty grains that fall and slide on an inclined floor into the open.
const std::string kSlope = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.2 }
[particles.grains]
material = "grain"
radius = 0.005
lattice = { region = { box = [[0, 0, 0.0005], [0.056, 0.045, 0.023]] }, spacing = 0.0111 }
velocity_std = 0.02
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.side]
plane = { point = [-0.006, 0, 0], normal = [1, 0, 0] }
[fields.g]
acceleration = [2.5, 0, -9.81]
[numerics]
dt = 2e-5
)";

std::string end_of(Simulation& s) {
  while (!s.finished()) s.advance(777);
  return state_hash(s.frame());
}

const Engine kEngines[] = {Engine::cpu, Engine::reference};

}  // namespace

// ---- ends by a value ----

TEST(StageValue, EndsWhenACountFalls) {
  const std::string toml = kSlope + R"(
[domain]
box = [[-0.1, -0.1, -0.1], [0.09, 0.2, 0.2]]
rule = "delete"
[[stages]]
name = "flow"
until = { value = "state.particles", below = 25, every = "1 ms", at_most = "2 s" }
[[stages]]
name = "after"
duration = 0.01
)";
  std::string hash;
  for (const Engine engine : kEngines) {
    Simulation s = simulate(toml, {"contacts.default.tangential.mu=0.1"}, engine);
    std::int64_t before = 40;
    double last_above = 0;
    while (s.stage() == "flow") {
      before = s.particle_count();
      if (before >= 25) last_above = s.time();
      s.advance(10);
    }
    const std::vector<StageRecord> stages = s.stages();
    ASSERT_EQ(stages.size(), 2u);
    EXPECT_EQ(stages[0].ending, StageRecord::Ending::value);
    EXPECT_EQ(stages[0].last_step % 50, 0);  // looked at every millisecond
    EXPECT_LT(stages[0].end - last_above, 1.3e-3);
    EXPECT_GE(stages[0].end, last_above);
    EXPECT_LT(stages[0].end, 2);
    EXPECT_EQ(stages[1].begin, stages[0].end);
    const std::string end = end_of(s);
    EXPECT_TRUE(hash.empty() || end == hash);
    hash = end;
    EXPECT_NEAR(s.time(), stages[0].end + 0.01, 1e-12);
  }
}

// The force on a wall is known at every look, whatever is written; resuming in mid-stage changes nothing.
TEST(StageValue, EndsWhenAForceRises) {
  const std::string toml = kSlope + R"(
[[stages]]
name = "press"
until = { value = "walls.side.force_x_N", below = -0.05, at_most = "1 s" }
[[stages]]
duration = 0.002
)";
  Simulation whole = simulate(toml, {"fields.g.acceleration=[-5, 0, -9.81]"});
  const std::string hash = end_of(whole);
  ASSERT_EQ(whole.stages()[0].ending, StageRecord::Ending::value);
  const std::int64_t last = whole.stages()[0].last_step;
  EXPECT_EQ(last % 100, 0);
  for (const Engine engine : kEngines)
    for (const std::int64_t stop : {last / 2, last - 1, last, last + 1}) {
      Simulation first = simulate(toml, {"fields.g.acceleration=[-5, 0, -9.81]"}, engine);
      first.advance(stop, false);
      Simulation second = simulate(toml, {"fields.g.acceleration=[-5, 0, -9.81]", "numerics.threads=2"}, engine);
      second.load(first.save());
      EXPECT_EQ(end_of(second), hash) << stop;
      EXPECT_EQ(second.stages()[0].ending, StageRecord::Ending::value);
      EXPECT_EQ(second.stages()[0].last_step, last);
    }
}

// A measure that adds up counts from the beginning of its stage, also over a checkpoint.
TEST(StageValue, MeasuresAddUpFromTheirStage) {
  const std::string toml = kSlope + R"(
[output.measure.out]
kind = "mass_flow"
axis = [1, 0, 0]
point = [0.07, 0, 0]
[[stages]]
name = "first"
until = { value = "out.total_number", above = 4, every = "0.4 ms", at_most = "2 s" }
[[stages]]
name = "second"
until = { value = "out.total_number", above = 4, every = "0.4 ms", at_most = "2 s" }
)";
  Simulation whole = simulate(toml, {"contacts.default.tangential.mu=0.1"});
  const std::string hash = end_of(whole);
  const auto stages = whole.stages();
  ASSERT_EQ(stages.size(), 2u);
  for (const StageRecord& s : stages) EXPECT_EQ(s.ending, StageRecord::Ending::value) << s.name;
  EXPECT_GT(stages[1].last_step, stages[1].first_step + 20);
  Simulation first = simulate(toml, {"contacts.default.tangential.mu=0.1"});
  first.advance((stages[1].first_step + stages[1].last_step) / 2);
  Simulation second = simulate(toml, {"contacts.default.tangential.mu=0.1"});
  second.load(first.save());
  EXPECT_EQ(end_of(second), hash);
}

TEST(StageValue, EndsAtTheLongestTime) {
  Simulation s = simulate(kSlope + "[[stages]]\nuntil = { value = \"state.particles\", below = 3, at_most = 0.01 }\n");
  end_of(s);
  EXPECT_EQ(s.stages()[0].ending, StageRecord::Ending::limit);
  EXPECT_NEAR(s.time(), 0.01, 2.1e-5);
}

TEST(StageValue, WrongNamesAndBoundsAreTold) {
  const auto why = [](const std::string& until) -> std::string {
    try {
      simulate(kSlope + "[[stages]]\nuntil = " + until + "\n");
    } catch (const InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_THAT(why(R"({ value = "state.partcles", below = 3 })"),
              testing::AllOf(HasSubstr("stages[1].until.value"), HasSubstr("did you mean `state.particles`")));
  EXPECT_THAT(why(R"({ value = "walls.lid.force_x_N", below = 3 })"), HasSubstr("walls.floor.force_x_N"));
  EXPECT_THAT(why(R"({ value = "nothing", below = 3 })"), HasSubstr("SERIES.COLUMN"));
  EXPECT_THAT(why(R"({ value = "state.particles" })"), HasSubstr("needs `above` or `below`"));
  EXPECT_THAT(why(R"({ at_rest = true, above = 3 })"), HasSubstr("needs `value`"));
  EXPECT_THAT(why(R"({ at_rest = false })"), HasSubstr("needs a `duration` or an end"));
}

// ---- other parameters ----

// What a stage sets from its first instant on is what a case would have that begins with it.
TEST(StageSettings, OfTheFirstStageAreThoseOfTheCase) {
  for (const Engine engine : kEngines) {
    Simulation plain =
        simulate(kSlope + "[[stages]]\nduration = 0.05\n", {"contacts.default.tangential.mu=0.1"}, engine);
    Simulation set = simulate(
        kSlope + "[[stages]]\nduration = 0.05\nset = { \"contacts.default.tangential.mu\" = 0.1 }\n", {}, engine);
    EXPECT_EQ(end_of(plain), end_of(set));
    EXPECT_NEAR(plain.frame().energy.residual, set.frame().energy.residual, 1e-9 * plain.frame().energy.turned_over);
  }
}

// A stage that sets what was so anyway changes no bit.
TEST(StageSettings, TheSameValuesChangeNothing) {
  for (const char* scheme : {"drift_kick", "kick_drift", "velocity_verlet", "trapezoid"}) {
    const std::vector<std::string> with{fmt::format("numerics.scheme=\"{}\"", scheme)};
    Simulation plain = simulate(kSlope + "[[stages]]\nduration = 0.03\n[[stages]]\nduration = 0.03\n", with);
    Simulation set = simulate(kSlope + R"(
[[stages]]
duration = 0.03
[[stages]]
duration = 0.03
set = { contacts.default.tangential = { mu = 0.5 }, materials.grain.young = "5 MPa" }
)",
                              with);
    EXPECT_EQ(end_of(plain), end_of(set)) << scheme;
  }
}

TEST(StageSettings, SameBitsOnAnyEngineAndAfterResume) {
  const std::string toml = kSlope + R"(
[[stages]]
name = "fall"
duration = 0.03
[[stages]]
name = "slippery"
duration = 0.03
set = { "contacts.default.tangential.mu" = 0.05, "materials.grain.young" = "20 MPa" }
[[stages]]
name = "tilted"
duration = 0.03
set = { "fields.g.acceleration" = [-4, 1, -9], "fluid.drag" = "stokes", "fluid.viscosity" = 0.5 }
)";
  Simulation whole = simulate(toml);
  const std::string hash = end_of(whole);
  Simulation without = simulate(kSlope + "[[stages]]\nduration = 0.09\n");
  EXPECT_NE(end_of(without), hash);
  const Energy e = whole.frame().energy;
  EXPECT_NE(e.removed, 0);  // springs became stiffer, and gravity another one
  EXPECT_GT(e.drag, 0);
  EXPECT_NEAR(e.residual, 0, 2e-3 * e.turned_over);
  for (const Engine engine : kEngines)
    for (const std::int64_t stop : {1400, 1499, 1500, 1501, 2999, 3000, 3001, 4000}) {
      Simulation first = simulate(toml, {}, engine);
      first.advance(stop);
      Simulation second = simulate(toml, {"numerics.threads=3"}, stop % 2 == 0 ? Engine::cpu : engine);
      second.load(first.save());
      EXPECT_EQ(end_of(second), hash) << stop;
    }
}

// The step is one that suits every stage.
TEST(StageSettings, TheStepSuitsAllStages) {
  const std::string stages = R"(
[[stages]]
duration = 0.001
[[stages]]
name = "stiff"
duration = 0.001
set = { materials.grain.young = 5e8 }
)";
  const Simulation both = simulate(kSlope + stages, {"numerics.dt=\"auto\""});
  const Simulation stiff =
      simulate(kSlope + "[[stages]]\nduration = 0.001\n", {"numerics.dt=\"auto\"", "materials.grain.young=5e8"});
  EXPECT_EQ(both.dt(), stiff.dt());
  EXPECT_THAT(both.choices().dt_reason, HasSubstr("in stage stiff"));
}

TEST(StageSettings, OutOfATextAndBack) {
  const Case c = parse_case(kSlope + R"(
[[stages]]
duration = 1
set = { contacts.default = { tangential.mu = 0.25, normal.restitution = 0.3 }, fields.g.acceleration = [0, 0, -1] }
)",
                            "test");
  // one for each pair that can meet: grains with each other, with the floor and with the side
  EXPECT_EQ(c.stages[0].set.size(), 7u);
  EXPECT_EQ(parse_case(to_toml(c), "again"), c);
}

TEST(StageSettings, WhatCannotBeSetIsTold) {
  const auto why = [](const std::string& set) -> std::string {
    try {
      parse_case(kSlope + "[[stages]]\nduration = 1\nset = " + set + "\n", "case.toml");
    } catch (const InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_THAT(why(R"({ "contacts.defualt.tangential.mu" = 0.1 })"),
              testing::AllOf(HasSubstr("case.toml:"), HasSubstr("did you mean `default`")));
  EXPECT_THAT(why(R"({ "contacts.default.tangential.nu" = 0.1 })"), HasSubstr("did you mean `mu`"));
  EXPECT_THAT(why(R"({ "contacts.default.tangentail.mu" = 0.1 })"), HasSubstr("did you mean `tangential`"));
  EXPECT_THAT(why(R"({ "contacts.default.tangential.mu" = -1 })"), HasSubstr("-1"));
  EXPECT_THAT(why(R"({ "contacts.default.normal.law" = "linear" })"), HasSubstr("the laws of a contact stay"));
  EXPECT_THAT(why(R"({ "materials.grain.density" = 1000 })"), HasSubstr("masses of particles stay"));
  EXPECT_THAT(why(R"({ "materials.sand.young" = 1e6 })"), HasSubstr("there is no material `sand`"));
  EXPECT_THAT(why(R"({ "numerics.dt" = 1e-6 })"), HasSubstr("is not among what a stage may set"));
  EXPECT_THAT(why(R"({ "fields.g.acceleration" = 3 })"), HasSubstr("array of three"));
  EXPECT_THAT(why(R"({ "fields.g.accelleration" = [0, 0, 1] })"), HasSubstr("did you mean `acceleration`"));
}
