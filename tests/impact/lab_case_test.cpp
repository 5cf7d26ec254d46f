// Case files of the impact lab: what is refused and how it is told; results folders; comparison of models.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "lab/compare.h"
#include "lab/lab_case.h"
#include "lab/plots.h"
#include "lab/results.h"

namespace areia::lab {

namespace {

const std::string kBar = R"(title = "t"
model = "kane"
[params]
e = 1
mu = 0.4
[system]
kind = "bar"
[start]
y = 1.2
theta = "45 deg"
[run]
t_end = 0.9
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(std::string::npos, at) << from;
  return text.replace(at, from.size(), to);
}

std::vector<Problem> problems_of(const std::string& text, const std::vector<std::string>& set = {}) {
  try {
    parse_lab_case(text, "case.toml", set);
  } catch (const InputError& e) { return e.problems; }
  return {};
}

TEST(LabCaseFile, IsReadWithUnits) {
  const LabCase c = parse_lab_case(kBar, "case.toml", {"params.mu=0.5"});
  EXPECT_EQ("bar", c.system->kind());
  EXPECT_DOUBLE_EQ(std::atan(1.0), c.start.q[2]);
  EXPECT_DOUBLE_EQ(1.2, c.start.q[1]);
  EXPECT_DOUBLE_EQ(0.5, c.options.model.mu);
  EXPECT_DOUBLE_EQ(0.9, c.options.t_end);
}

TEST(LabCaseFile, TellsWhereAndWhatIsWrong) {
  struct Wrong {
    const char *from, *to, *key, *value, *rule;
    int line;
  };
  const Wrong all[] = {
      {"mu = 0.4", "mu = -0.4", "params.mu", "-0.4", "", 5},
      {"e = 1", "e = 1.5", "params.e", "1.5", "", 4},
      {"mu = 0.4", "mv = 0.4", "params.mv", "0.4", "", 5},
      {"\"kane\"", "\"kain\"", "model", "\"kain\"", "kane", 2},
      {"\"bar\"", "\"baar\"", "system.kind", "\"baar\"", "bar", 7},
      {"y = 1.2", "why = 1.2", "start.why", "1.2", "not a known key", 9},
      {"y = 1.2", "y = \"a\"", "start.y", "\"a\"", "", 9},
      {"kind = \"bar\"", "kind = \"bar\"\nmass = -1", "system.mass", "-1", "must be positive", 8},
      {"kind = \"bar\"", "kind = \"bar\"\nmas = 1", "system.mas", "1", "mass", 8},
      {"t_end = 0.9", "t_end = 0.9\nsample_step = 0", "run.sample_step", "0", "must be positive", 13},
      {"[run]", "[rum]", "rum", "", "run", 11},
      {"t_end = 0.9", "t_end = nan", "run.t_end", "nan", "finite", 12},
  };
  for (const Wrong& w : all) {
    const auto p = problems_of(replaced(kBar, w.from, w.to));
    ASSERT_FALSE(p.empty()) << w.to;
    const auto found = std::find_if(p.begin(), p.end(), [&](const Problem& x) { return x.key == w.key; });
    ASSERT_NE(p.end(), found) << w.to << ": " << to_string(p[0]);
    EXPECT_EQ("case.toml", found->file) << w.to;
    EXPECT_EQ(w.line, found->line) << w.to;
    EXPECT_EQ(w.value, found->value) << w.to;
    EXPECT_NE(std::string::npos, found->rule.find(w.rule)) << w.to << ": " << found->rule;
  }
}

TEST(LabCaseFile, TellsAllProblemsAtOnce) {
  std::string text = replaced(kBar, "mu = 0.4", "mu = -1");
  text = replaced(text, "y = 1.2", "z = 1.2");
  text = replaced(text, "t_end = 0.9", "t_end = \"long\"");
  EXPECT_EQ(3u, problems_of(text).size());
}

TEST(LabCaseFile, MissingPartsAreNamed) {
  const auto keys = [](const std::string& text) {
    std::string all;
    for (const Problem& p : problems_of(text)) all += p.key + " ";
    return all;
  };
  EXPECT_EQ("system model ", keys("title = \"nothing\"\n"));
  EXPECT_EQ("system.kind ", keys("model = \"newton\"\nparams = {e = 1}\n[system]\n"));
  EXPECT_NE("", keys("model = \"newton\"\n[system]\nkind = \"bar\"\n[start]\ny = 2\n"));  // e is missing
  EXPECT_EQ(1u, problems_of("model = ").size());                                          // not TOML
}

TEST(LabCaseFile, WrongMatricesOfAUserSystem) {
  const std::string text = R"(model = "newton"
params = { e = 1 }
[system]
kind = "linear"
M = [[1, 0.5], [0.2, 1]]
[[system.contacts]]
N = [1, 0]
gap = 1
)";
  auto p = problems_of(text);
  ASSERT_EQ(1u, p.size());
  EXPECT_TRUE(p[0].key.starts_with("system.M")) << p[0].key;
  EXPECT_EQ(5, p[0].line);
  EXPECT_NE(std::string::npos, p[0].rule.find("symmetric")) << p[0].rule;
  p = problems_of(replaced(text, "[[1, 0.5], [0.2, 1]]", "[[1, 2], [2, 1]]"));
  ASSERT_EQ(1u, p.size());
  EXPECT_NE(std::string::npos, p[0].rule.find("positive definite")) << p[0].rule;
  p = problems_of(replaced(replaced(text, "0.2", "0.5"), "N = [1, 0]", "N = [1, 0, 0]"));
  ASSERT_EQ(1u, p.size());
  EXPECT_EQ("system.contacts[0].N", p[0].key);
  EXPECT_EQ(7, p[0].line);
  EXPECT_TRUE(problems_of(replaced(text, "0.2", "0.5")).empty());
}

TEST(LabCaseFile, EveryExampleIsSound) {
  int seen = 0;
  for (const auto& f : std::filesystem::directory_iterator(AREIA_SOURCE_DIR "/examples/impact")) {
    if (f.path().extension() != ".toml") continue;
    const LabCase c = read_lab_case(f.path().string());
    const impact::Trajectory t = impact::simulate(*c.system, c.start, c.options);
    EXPECT_TRUE(t.complete()) << f.path() << ": " << t.reason;
    EXPECT_FALSE(t.events.empty()) << f.path();
    ++seen;
  }
  EXPECT_GE(seen, 12);
}

class LabFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("areia_lab_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(LabFolder, ResultsAreReadBack) {
  const LabCase c = parse_lab_case(kBar + "[diagram]\nmodels = [\"gp1\", \"wm_poisson\"]\n", "case.toml");
  const impact::Trajectory t = impact::simulate(*c.system, c.start, c.options);
  write_results(folder_, c, t);
  const Results r = read_results(folder_);
  ASSERT_EQ(t.samples.size(), r.series["t"].size());
  for (std::size_t i = 0; i < t.samples.size(); ++i) {
    EXPECT_EQ(t.samples[i].state.q[1], r.series["y"][i]);  // shortest text that gives the same bits
    EXPECT_EQ(t.samples[i].state.v[2], r.series["omega"][i]);
    EXPECT_EQ(t.samples[i].energy, r.series["energy"][i]);
  }
  ASSERT_EQ(t.events.size(), r.events.size());
  EXPECT_EQ(t.events[1].hits[0].impact.I.N, r.events[1]["hits"][0]["IN"].get<double>());
  EXPECT_EQ("energy_gain", r.events[1]["flags"][0]);
  EXPECT_EQ(1, r.run["energy_gains"]);
  // The diagram holds the chosen models, and its lines go where they should.
  const auto d = nlohmann::json::parse(read_file(folder_ / "diagrams" / "0001.json"));
  ASSERT_EQ(3u, d["runs"].size());
  const double A = d["local"]["A"], B = d["local"]["B"], DNA = d["pre"]["DNA"];
  EXPECT_DOUBLE_EQ(A, d["compression"]["n"]);
  EXPECT_DOUBLE_EQ(-B, d["compression"]["t"]);
  const auto end = d["runs"][0]["end"];
  EXPECT_NEAR(0, A * end[1].get<double>() - B * end[0].get<double>() + 2 * DNA, 1e-12);  // on the line of termination
  EXPECT_TRUE(std::filesystem::exists(folder_ / "diagrams" / "0000.svg"));
  // Each event instant stands twice.
  const auto& times = r.series["t"];
  for (const impact::Event& e : t.events) EXPECT_EQ(2, std::count(times.begin(), times.end(), e.t));
  const auto plots = lab_plots(r);
  ASSERT_GE(plots.size(), 4u);
  for (const auto& p : plots) {
    EXPECT_TRUE(p.second.starts_with("<svg ")) << p.first;
    EXPECT_TRUE(p.second.ends_with("</svg>\n")) << p.first;
    EXPECT_EQ(std::string::npos, p.second.find("nan")) << p.first;
  }
}

TEST_F(LabFolder, SameBytesOnRepeat) {
  const LabCase c = parse_lab_case(kBar, "case.toml");
  std::string first;
  for (int k = 0; k < 2; ++k) {
    write_results(folder_, c, impact::simulate(*c.system, c.start, c.options));
    std::string all;
    for (const char* f : {"run.json", "series.csv", "events.csv", "events.json", "animation.json", "diagrams/0000.svg"})
      all += read_file(folder_ / f);
    if (k == 0) first = all;
    else EXPECT_EQ(first, all);
  }
}

TEST_F(LabFolder, OtherFilesAreNotOverwritten) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "mine.txt") << "keep";
  const LabCase c = parse_lab_case(kBar, "case.toml");
  const impact::Trajectory t = impact::simulate(*c.system, c.start, c.options);
  EXPECT_THROW(write_results(folder_, c, t), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "series.csv"));
  EXPECT_THROW(read_results(folder_), InputError);
}

// dT of Newton and Poisson over friction, gains marked.
TEST(LabCompare, OverFriction) {
  Comparison c;
  c.mass = bar_local_mass(1, 1, std::atan(1.0), 0);
  EXPECT_NEAR(2.5, c.mass.A, 1e-14);
  EXPECT_NEAR(1.5, c.mass.B, 1e-14);
  c.pre = {-1, 0.6, 0, {}};
  c.params["e"] = {1, "", false};
  c.models = {"wm_newton", "wm_poisson", "newton"};
  c.sweep = parse_sweep("mu=0.4,1");
  const auto rows = compare(c);
  ASSERT_EQ(2u, rows.size());
  EXPECT_NEAR(0.022693, rows[0].impacts[0].dT, 1e-6);
  EXPECT_NEAR(-0.089316, rows[0].impacts[1].dT, 1e-6);
  EXPECT_NEAR(0.3125 - 0.2, rows[1].impacts[0].dT, 1e-12);
  EXPECT_TRUE(rows[0].impacts[0].energy_gain);
  EXPECT_FALSE(rows[0].impacts[1].energy_gain);
  const std::string table = compare_table(c, rows, "dT");
  EXPECT_NE(std::string::npos, table.find("0.1125*")) << table;
  EXPECT_THROW(compare_table(c, rows, "nothing"), InputError);
  EXPECT_NE(std::string::npos, compare_svg(c, rows, "t").find("energy gain"));
}

TEST(LabCompare, OverTheAngle) {
  Comparison c;
  c.pre = {-1, 0, 0, {}};
  c.params = {{"e", {0.5, "", false}}, {"mu", {10, "", false}}};
  c.models = {"gp1"};
  c.sweep = parse_sweep("angle=0:1.5:0.5");
  ASSERT_EQ(4u, c.sweep.values.size());
  for (const ComparedRow& r : compare(c)) {
    // Direct impact that sticks: D_TE = 0, D_NE = e.
    EXPECT_NEAR(0, r.impacts[0].E.T, 1e-12);
    EXPECT_NEAR(0.5, r.impacts[0].E.N, 1e-12);
  }
}

TEST(LabCompare, WrongSweepsAreRefused) {
  for (const char* text : {"mu", "mu=", "mu=a", "mu=0:1", "mu=0:1:0", "mu=0:1:-0.1", "mu=1,,2"})
    EXPECT_THROW(parse_sweep(text), InputError) << text;
  Comparison c;
  c.mass = {2.5, 1.5, 2.5};
  c.pre = {-1, 0, 0, {}};
  c.params["e"] = {1, "", false};
  c.models = {"newton"};
  c.sweep = parse_sweep("emC=0.1");
  EXPECT_THROW(compare(c), InputError);  // newton has no emC
  c.sweep = parse_sweep("e=0.5,1.5");
  EXPECT_THROW(compare(c), InputError);
  c.sweep = parse_sweep("e=0.5");
  c.models = {"newtn"};
  EXPECT_THROW(compare(c), InputError);
}

}  // namespace

}  // namespace areia::lab
