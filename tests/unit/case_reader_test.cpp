#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "areia/case_file.h"
#include "core/suggest.h"

namespace areia {
namespace {

using testing::HasSubstr;

const std::string kCases = AREIA_SOURCE_DIR "/tests/cases/";

const std::string kBase = R"(
[materials.grain]
density = 2500
young = 2e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[particles.ball]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 1] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
duration = 1
)";

Case parsed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    return parse_case(text, "case.toml", overrides);
  } catch (const InputError& e) {
    ADD_FAILURE() << e.what();
    return {};
  }
}

std::vector<Problem> problems(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_case(text, "case.toml", overrides);
  } catch (const InputError& e) { return e.problems; }
  ADD_FAILURE() << "was accepted";
  return {};
}

const ContactPair& pair(const Case& c, const std::string& a, const std::string& b) {
  for (const ContactPair& p : c.contacts)
    if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return p;
  ADD_FAILURE() << "no pair " << a << "-" << b;
  static const ContactPair none;
  return none;
}

TEST(CaseReader, ReadsTheCollapse) {
  const Case c = read_case(kCases + "collapse.toml");
  EXPECT_EQ(c.title, "Collapse of a pile of grains");
  ASSERT_EQ(c.materials.size(), 3u);  // grain, and the rigid floor and cage
  EXPECT_EQ(c.materials[0].name, "grain");
  EXPECT_EQ(c.materials[0].density, 2500);
  EXPECT_EQ(c.materials[0].young, 2e7);
  EXPECT_FALSE(c.materials[0].rigid);
  EXPECT_EQ(c.materials[1].name, "floor");
  EXPECT_TRUE(c.materials[1].rigid);
  ASSERT_EQ(c.particles.size(), 1u);
  const ParticleSet& pile = c.particles[0];
  EXPECT_EQ(pile.group, "pile");
  EXPECT_EQ(pile.radius.kind, RadiusDistribution::Kind::gaussian);
  EXPECT_EQ(pile.radius.mean, 0.02);
  EXPECT_EQ(pile.radius.std, 0.002);
  const auto& fill = std::get<RandomAddition>(pile.source);
  EXPECT_EQ(fill.count, 12360);
  EXPECT_EQ(fill.region.box, (Box{{-0.5, 0, -0.5}, {0.5, 2.5, 0.5}}));
  ASSERT_EQ(c.walls.size(), 2u);
  EXPECT_EQ(c.walls[0].name, "floor");  // order of the file, not of the alphabet
  EXPECT_EQ(std::get<PlaneShape>(c.walls[0].shape).normal, (Vec3d{0, 1, 0}));
  EXPECT_EQ(std::get<BoxShape>(c.walls[1].shape).open, (std::array<bool, 6>{false, false, false, true, false, false}));
  ASSERT_EQ(c.stages.size(), 2u);
  EXPECT_TRUE(c.stages[0].at_rest);
  EXPECT_EQ(c.stages[0].duration, 3);
  EXPECT_EQ(c.stages[1].remove_walls, std::vector<std::string>{"cage"});
  EXPECT_EQ(c.output.frames, 0.02);
  EXPECT_EQ(c.fields[0].value, (Vec3d{0, -9.81, 0}));
}

TEST(CaseReader, FillsDefaults) {
  const Case c = parsed(kBase);
  EXPECT_EQ(c.numerics, Numerics{});
  EXPECT_EQ(c.output, Output{});
  EXPECT_EQ(c.domain, Domain{});
  EXPECT_EQ(c.stages[0].name, "stage1");
  EXPECT_EQ(c.particles[0].group, "ball");
  const LawChoice& normal = pair(c, "grain", "grain").normal;
  EXPECT_EQ(normal.words.at("clamp"), "on");
  EXPECT_EQ(normal.words.at("xi_from_e"), "exact_clamp");
  EXPECT_FALSE(normal.numbers.contains("restitution"));
  EXPECT_EQ(pair(c, "grain", "grain").tangential.law, "none");
}

TEST(CaseReader, AStandInParameterHoldsBackTheDefault) {
  const Case c = parsed(kBase, {"contacts.default.normal={law='hertz', restitution=0.5}"});
  EXPECT_FALSE(pair(c, "grain", "grain").normal.numbers.contains("xi"));
  EXPECT_EQ(pair(c, "grain", "grain").normal.numbers.at("restitution"), 0.5);
}

TEST(CaseReader, LikeInheritsKeyByKey) {
  const Case c = read_case(kCases + "collapse.toml");
  const ContactPair& grain = pair(c, "grain", "grain");
  const ContactPair& floor = pair(c, "grain", "floor");
  EXPECT_EQ(grain.tangential.numbers.at("mu"), 0.5);
  EXPECT_EQ(floor.tangential.numbers.at("mu"), 0.65);
  EXPECT_EQ(floor.tangential.numbers.at("xi"), 0.1);
  EXPECT_EQ(floor.tangential.law, "coulomb_history");
  EXPECT_EQ(floor.normal, grain.normal);
  EXPECT_EQ(floor.rolling, grain.rolling);
}

TEST(CaseReader, LikeGivesWayToAnotherLawOrAStandIn) {
  const Case c = parsed(kBase + R"(
[contacts.grain-grain]
like = "default"
normal = { restitution = 0.5 }
[contacts.floor-grain]
like = "grain-grain"
normal = { law = "linear", stiffness = "2 kN/m" }
)");
  EXPECT_EQ(pair(c, "grain", "grain").normal.numbers, (std::map<std::string, double>{{"restitution", 0.5}}));
  const LawChoice& floor = pair(c, "grain", "floor").normal;
  EXPECT_EQ(floor.law, "linear");
  EXPECT_EQ(floor.numbers.at("stiffness"), 2000);
  EXPECT_FALSE(floor.numbers.contains("restitution"));
}

// Exact table, then default, then for a wall the particle material's own pair.
TEST(CaseReader, PairsFallBackInOrder) {
  std::string text = kBase;
  text.replace(text.find("contacts.default"), 16, "contacts.grain-grain");
  const Case own = parsed(text);
  EXPECT_EQ(own.contacts.size(), 2u);
  EXPECT_EQ(pair(own, "grain", "floor").normal, pair(own, "grain", "grain").normal);
  const Case with_default = parsed(text + "[contacts.default]\nnormal = { law = \"hertz\", xi = 0.7 }\n");
  EXPECT_EQ(pair(with_default, "grain", "grain").normal.numbers.at("xi"), 0.1);
  EXPECT_EQ(pair(with_default, "grain", "floor").normal.numbers.at("xi"), 0.7);
  const Case exact = parsed(text + "[contacts.floor-grain]\nnormal = { law = \"hertz\", xi = 0.9 }\n");
  EXPECT_EQ(pair(exact, "grain", "floor").normal.numbers.at("xi"), 0.9);
}

TEST(CaseReader, OverridesReplaceAndAdd) {
  const Case c =
      parsed(kBase, {"materials.grain.young=30 MPa", "numerics.dt=\"5 us\"", "stages[1].duration=2",
                     "stages[1].name=fall", "stages.fall.duration=3", "walls.floor.plane.point=[0, 0, '1 cm']",
                     "title=A title", "numerics.threads=2", "fields.gravity.acceleration=[0,0,-9.81]"});
  EXPECT_EQ(c.materials[0].young, 3e7);
  EXPECT_EQ(c.numerics.dt, 5e-6);
  EXPECT_EQ(c.stages[0].duration, 3);
  EXPECT_EQ(c.stages[0].name, "fall");
  EXPECT_EQ(std::get<PlaneShape>(c.walls[0].shape).point.z, 0.01);
  EXPECT_EQ(c.title, "A title");
  EXPECT_EQ(c.numerics.threads, 2);
  EXPECT_EQ(c.fields.size(), 1u);
}

TEST(CaseReader, WrongOverridesAreTold) {
  const auto all = problems(kBase, {"materials.grain.young=-3", "nonsense", "numerics.scheem=kick_drift",
                                    "stages[7].duration=1", "materials.grain.density.x=1", "materials..x=3",
                                    "output.frames=2 kg", "particles.ball.radius={uniform={min=1 mm}}"});
  ASSERT_EQ(all.size(), 8u);
  for (const Problem& p : all) EXPECT_EQ(p.file, "--set") << to_string(p);
  const auto find = [&](const std::string& key) {
    for (const Problem& p : all)
      if (p.key == key) return p;
    ADD_FAILURE() << key;
    return Problem{};
  };
  EXPECT_EQ(find("materials.grain.young").value, "-3");
  EXPECT_THAT(find("materials.grain.young").rule, HasSubstr("must be positive"));
  EXPECT_THAT(find("nonsense").rule, HasSubstr("path=value"));
  EXPECT_THAT(find("numerics.scheem").rule, HasSubstr("did you mean `scheme`"));
  EXPECT_THAT(find("stages[7].duration").rule, HasSubstr("not there"));
  EXPECT_THAT(find("particles.ball.radius").rule, HasSubstr("not valid TOML"));
  EXPECT_THAT(find("output.frames").rule, HasSubstr("a time [s]"));
}

TEST(CaseReader, MotionMakesParticlesPrescribed) {
  const Case c = parsed(kBase, {"particles.ball.motion={oscillating={amplitude=[0,0,'2 cm'], frequency='25 Hz'}}"});
  EXPECT_TRUE(c.particles[0].prescribed);
  EXPECT_DOUBLE_EQ(c.particles[0].motion.omega, 50 * std::numbers::pi);
  EXPECT_TRUE(parsed(kBase, {"particles.ball.fixed=true"}).particles[0].prescribed);
}

// A problem of an inherited value points at the line where that value was written.
TEST(CaseReader, ProblemsOfInheritedValuesPointAtTheirOrigin) {
  const auto all = problems(kBase +
                            "[contacts.grain-floor]\nlike = \"grain-grain\"\n[contacts.grain-grain]\n"
                            "normal = { law = \"hertz\" }\nrolling = { law = \"constant\" }\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "contacts.grain-grain.rolling.mu");
  EXPECT_EQ(all[0].line, 19);
}

// What the engine finds at setup, by key, is told with file and line as well.
TEST(CaseReader, PlacesServeLaterProblems) {
  KeyPlaces places;
  parse_case(kBase, "case.toml", {"numerics.dt=0.1"}, &places);
  Problem overlap{"", 0, "particles.ball.list[1]", "", "overlaps"};
  locate(overlap, places);
  EXPECT_EQ(to_string(overlap), "case.toml:10: particles.ball.list[1] = { x = [0, 0, 1] }: overlaps");
  Problem step{"", 0, "numerics.dt", "0.1", "too large"};
  locate(step, places);
  EXPECT_EQ(to_string(step), "--set: numerics.dt = 0.1: too large");
  Problem pair_problem{"", 0, "contacts.grain-floor.normal.xi", "", "odd"};
  locate(pair_problem, places);
  EXPECT_EQ(to_string(pair_problem), "case.toml:6: contacts.default.normal.xi = 0.1: odd");
  Problem elsewhere{"", 0, "nothing.like.it", "", "odd"};
  locate(elsewhere, places);
  EXPECT_EQ(elsewhere.file, "case.toml");
}

TEST(CaseReader, ReadsParticlesFromAFileBesideTheCase) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "areia_case_with_csv";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "p.csv") << "# four\r\nx,y,z,radius,vz\r\n0,0,1,0.01,-1\r\n\r\n+1,0,1,1e-2,0 # last\r\n";
  std::string text = kBase;
  text.replace(text.find("list = [{ x = [0, 0, 1] }]"), 26, "file = \"p.csv\"");
  std::ofstream(folder / "case.toml") << text;
  const Case c = read_case(folder / "case.toml");
  const auto& list = std::get<std::vector<ListedParticle>>(c.particles[0].source);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].v.z, -1);
  EXPECT_EQ(list[1].x.x, 1);
  EXPECT_EQ(list[1].radius, 0.01);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(parsed(to_toml(c)), c);  // the resolved case needs no other file
}

// The line of names says how fields are separated; blanks may be many, and tabs.
TEST(CaseReader, ReadsTablesSeparatedByBlanks) {
  const auto with = [](const std::string& table) {
    std::string text = kBase;
    text.replace(text.find("list = [{ x = [0, 0, 1] }]"), 26, "csv = \"\"\"\n" + table + "\"\"\"");
    return text;
  };
  const Case blanks =
      parsed(with("  x  y\t z   radius vz\n# heaps of columns\n 0 0  1 0.01\t-1  \n\n+1 0 1 1e-2 0 # last\n"));
  EXPECT_EQ(blanks, parsed(with("x,y,z,radius,vz\n0,0,1,0.01,-1\n1,0,1,0.01,0\n")));
  const std::vector<Problem> found = problems(with("x y z\n0 0 1\n0, 0, 1\n0 0\n"));  // commas below names without
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].rule, "must be a number, in SI units, without unit");
  EXPECT_EQ(found[2].rule, "must have 3 fields, as the header");
}

TEST(RoundTrip, EveryFeature) {
  const Case c = read_case(kCases + "everything.toml");
  EXPECT_EQ(parsed(to_toml(c)), c) << to_toml(c);
  const Case collapse = read_case(kCases + "collapse.toml");
  EXPECT_EQ(parsed(to_toml(collapse)), collapse);
}

TEST(RoundTrip, TwoDimensionsAndManyParticles) {
  Case c = parsed(kBase, {"domain.dimension=2", "domain.plane=xz", "domain.disk_thickness=1 mm"});
  std::vector<ListedParticle> list(1000);
  for (std::size_t k = 0; k < list.size(); ++k) {
    list[k].x = {std::sqrt(2.0 * k), 1.0 / 3, -0.1 * k};
    list[k].v = {1e-300 * k, 0, 1e99};
    list[k].w.y = std::nextafter(1.0, 2.0);
    list[k].radius = k % 2 ? 0.1 + 1e-17 * k : 0;
    list[k].mass = k % 3 ? 0 : 1.0 / (k + 1);
  }
  c.particles[0].source = list;
  EXPECT_EQ(parsed(to_toml(c)), c);
}

TEST(RoundTrip, TextsSurvive) {
  Case c = parsed(kBase);
  c.title = "quotes \" ' backslash \\ line\nbreak\ttab \x01 µ";
  EXPECT_EQ(parsed(to_toml(c)).title, c.title);
}

TEST(StarterCase, ParsesCleanly) {
  const Case c = parsed(starter_case());
  EXPECT_GE(c.stages.size(), 2u);
  EXPECT_EQ(parsed(to_toml(c)), c);
}

TEST(Validate, ChecksCasesThatNeverWereAFile) {
  EXPECT_TRUE(validate(parsed(kBase)).empty());
  const std::vector<Problem> empty = validate(Case{});
  ASSERT_EQ(empty.size(), 1u);
  EXPECT_EQ(empty[0].key, "stages");

  Case c = parsed(kBase);
  c.materials[0].young = std::nan("");
  c.particles[0].velocity.x = INFINITY;
  c.contacts[0].normal.numbers["xi"] = -1;
  c.contacts[0].normal.words["clamp"] = "maybe";
  c.contacts[1].normal.numbers["typo"] = 1;
  c.stages[0].duration = -1;
  c.numerics.threads = -2;
  std::vector<std::string> keys;
  for (const Problem& p : validate(c)) keys.push_back(p.key);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("materials.grain.young", "particles.ball.velocity",
                                                  "contacts.grain-grain.normal.xi", "contacts.grain-grain.normal.clamp",
                                                  "contacts.grain-floor.normal.typo", "stages[1].duration",
                                                  "numerics.threads"));
}

// What a program fills in is held against the ranges of the keys, wherever they lie.
TEST(Validate, KnowsTheRangesOfTheKeys) {
  Case c = parsed(kBase);
  c.numerics.dt_fraction = 0.5;
  c.numerics.implicit.phi = 7;  // not looked at: another scheme
  c.domain.dimension = 4;
  c.output.frames = -1;
  c.fluid.flows.emplace_back().name = "wind";
  c.fluid.flows[0].gradient[1].x = INFINITY;
  Wall drum;
  drum.name = "drum";
  drum.material = "grain";
  drum.shape = CylinderShape{{0, 0, 0}, {0, 0, 0}, -1};
  drum.servo.on = true;
  drum.servo.axis = {};
  drum.servo.force = 1;
  c.walls.push_back(drum);
  std::vector<std::string> keys;
  for (const Problem& p : validate(c)) keys.push_back(p.key);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("numerics.dt_fraction", "domain.dimension", "output.frames",
                                                  "fluid.flows.wind.gradient", "walls.drum.cylinder.radius",
                                                  "walls.drum.cylinder.to", "walls.drum.servo.axis",
                                                  "walls.drum.servo.max_speed", "numerics.implicit"));
}

TEST(Suggestions, FindTheNearestWord) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("yuong", "young"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_THAT(suggestion("densty", {"young", "density"}), HasSubstr("`density`"));
  EXPECT_THAT(suggestion("dens", {"young", "density"}), HasSubstr("`density`"));
  EXPECT_EQ(suggestion("viscosity", {"young", "poisson"}), "");
  EXPECT_EQ(suggestion(std::string(100000, 'a'), {"a"}), "");
}

}  // namespace
}  // namespace areia
