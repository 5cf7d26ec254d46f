// Collisions as JSON text: the answer is the same text with results, wrong input names its place.
#include <gtest/gtest.h>

#include <sstream>

#include "impact/solve_text.h"
#include "impact/support.h"

namespace areia::impact::test {
namespace {

using nlohmann::json;

std::string solved(const std::string& text, SolveOptions options = {}) {
  std::string out;
  solve_text(text, "test.json", options, [&](std::string_view part) { out += part; });
  return out;
}

std::string reference_text() {
  std::ostringstream text;
  text << std::ifstream(AREIA_SOURCE_DIR "/tests/data/impact.json").rdbuf();
  return text.str();
}

void near(const json& expected, const json& result, const std::string& where) {
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      ASSERT_TRUE(result.contains(key)) << where << key;
      if (key == "axis_directions") {  // an axis has no sign
        for (int i = 0; i < 2; ++i)
          EXPECT_NEAR(std::fabs(value[i]["IN"].get<double>()), std::fabs(result[key][i]["IN"].get<double>()), 1e-9);
        continue;
      }
      near(value, result[key], where + key + " ");
    }
  } else if (expected.is_array()) {
    ASSERT_EQ(expected.size(), result.size()) << where;
    for (std::size_t i = 0; i < expected.size(); ++i) near(expected[i], result[i], where + std::to_string(i) + " ");
  } else if (expected.is_number()) {
    EXPECT_NEAR(expected.get<double>(), result.get<double>(), allowed(expected)) << where;
  } else {
    EXPECT_EQ(expected, result) << where;
  }
}

TEST(ImpactText, ReferenceFileGetsItsResults) {
  const std::string text = reference_text(), answer = solved(text);
  json j = json::parse(answer);
  int compared = 0;
  for (json& c : j["cases"]) {
    const std::string id = c["id"].get<std::string>() + " ";
    if (c["kind"] == "trajectory" || c["kind"] == "rest" || c["kind"] == "zeno") {
      EXPECT_FALSE(c.contains("result"));
    } else if (c.contains("runs")) {
      for (json& run : c["runs"]) {
        near(run["expected"], run["result"], id + run["model"].get<std::string>() + " ");
        ++compared;
        run.erase("result");
      }
    } else {
      near(c["expected"], c["result"], id);
      ++compared;
      c.erase("result");
    }
  }
  EXPECT_EQ(compared, 164 + 6 + 11 + 2 + 1);
  EXPECT_EQ(j, json::parse(text));    // all else is as it was
  EXPECT_EQ(solved(answer), answer);  // results are replaced, not doubled
}

TEST(ImpactText, KeysInAnyOrderAndOldResults) {
  const std::string answer = solved(
      R"({"note": {"x": [1, "a\"b", null, true]}, "cases": [{"runs": [{"result": {"old": 1}, "params": {"mu": 0.3, "e": 1}, "model": "kane"},
      {"params": {"e": 0}, "result": 3, "model": "newton"}, {"model": "newton", "params": {"e": 0}, "result": []}],
      "pre": {"DTA": 0.6, "DNA": -1}, "local": {"C": 2.5, "B": 1.5, "A": 2.5}}]})");
  const json j = json::parse(answer);
  EXPECT_EQ(j["note"]["x"].size(), 4u);
  for (const json& run : j["cases"][0]["runs"]) {
    EXPECT_EQ(run.size(), 3u);
    EXPECT_EQ(run["result"]["status"], "ok");
  }
  EXPECT_EQ(answer.find("old"), std::string::npos);
}

TEST(ImpactText, ManyContactsWithRuns) {
  const std::string head =
      R"({"cases": [{"M": [[1, 0, 0], [0, 1, 0], [0, 0, 0.0833]], "WN": [[0, 1, -0.5], [0, 1, 0.5]], "WT": [[1, 0, 0], [1, 0, 0]],
      "qdotA": [0.5, -2, 0], "w": [[0, -0.5], [0, -0.5]], )";
  const json j = json::parse(solved(head + R"("runs": [{"model": "gp1", "params": {"e": 0.5, "mu": 0.2}},
      {"model": "stronge", "params": {"e": 0.5, "mu": 0.2}}]}]})"));
  const json& runs = j["cases"][0]["runs"];
  EXPECT_NEAR(runs[0]["result"]["qdotE"][0].get<double>(), 0.5, 1e-12);  // the belt runs with the bar
  EXPECT_FALSE(runs[0]["result"].contains("solved_as"));
  EXPECT_EQ(runs[1]["result"]["solved_as"], "gp1");
}

TEST(ImpactText, NumbersReadBackToTheSameBits) {
  RandomCollisions draw;
  for (int i = 0; i < 200; ++i) {
    const auto c = draw.next();
    const Model m = draw.model(Law::wm_poisson);
    const json in = {{"cases",
                      {{{"local", {{"A", c.m.A}, {"B", c.m.B}, {"C", c.m.C}}},
                        {"pre", {{"DNA", c.a.DNA}, {"DTA", c.a.DTA}}},
                        {"runs", {{{"model", "wm_poisson"}, {"params", {{"e", m.e}, {"mu", m.mu}}}}}}}}}};
    const Impact r = solve({c.m.A, c.m.B, c.m.C}, {c.a.DNA, c.a.DTA, 0, {}}, m);
    const json out = json::parse(solved(in.dump(i % 3)))["cases"][0]["runs"][0]["result"];
    EXPECT_EQ(out["IN"].get<double>(), r.I.N);
    EXPECT_EQ(out["IT"].get<double>(), r.I.T);
    EXPECT_EQ(out["dT"].get<double>(), r.dT);
  }
}

TEST(ImpactText, WrongInputNamesItsPlace) {
  const std::string good = R"("local": {"A": 2.5, "B": 1.5, "C": 2.5}, "pre": {"DNA": -1, "DTA": 0.6})";
  const std::string run = R"(, "runs": [{"model": "kane", "params": {"e": 0.5, "mu": 0.3}}])";
  const std::string bar = R"("WN": [0, 1], "WT": [1, 0], "qdotA": [0, -1])";
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
      {good + R"(, "runs": [{"model": "kaen", "params": {"e": 0.5, "mu": 0.3}}])",
       {"runs[0].model", "did you mean `kane`?"}},
      {good + R"(, "runs": [{"model": "kane", "params": {"e": 0.5, "nu": 0.3}}])",
       {"params.nu", "no such coefficient", "params.mu", "needs it"}},
      {good + R"(, "runs": [{"model": "kane", "params": {"e": 1.5, "mu": -0.3}}])",
       {"params.e = 1.5", "from 0 to 1", "params.mu = -0.3", ">= 0"}},
      {good + R"(, "runs": [{"model": "cs", "params": {"e": 1, "mu": 0, "moment_law": "resistin"}}])",
       {"did you mean `resisting`?"}},
      {good + R"(, "runs": [{"model": "kane", "params": {"e": "high", "mu": 0}}])",
       {"params.e = high", "must be a number"}},
      {good + R"(, "runs": [{"model": "kane", "params": {"e": 1, "e": 1, "mu": 0}}])", {"params.e", "twice"}},
      {good + R"(, "runs": [{"params": {"e": 1}}])", {"runs[0].model", "missing"}},
      {good + R"(, "runs": [])", {"runs", "missing"}},
      {good, {"runs", "missing"}},
      {R"("local": {"A": 2.5, "B": 1.5, "C": 2.5})" + run, {"pre", "missing"}},
      {R"("local": {"A": 2.5, "C": 2.5, "G": 1}, "pre": {"DNA": -1, "DTA": 0})" + run,
       {"local.B", "missing", "local.G = 1", "not known"}},
      {R"("local": {"A": 2.5, "B": 3, "C": 2.5}, "pre": {"DNA": -1, "DTA": 0})" + run, {"semidefinite"}},
      {R"("local": {"A": 0, "B": 0, "C": 2.5}, "pre": {"DNA": -1, "DTA": 0})" + run, {"local.A = 0", "positive"}},
      {R"("local": {"A": 2, "B": 0, "C": 2, "D": 3, "E": 0, "F": 1}, "pre": {"DNA": -1, "DTA": 0})" + run,
       {"semidefinite"}},
      {R"("kind": "impakt", )" + good + run, {"kind = impakt", "did you mean `impact`?"}},
      {R"("id": "a")" + run, {"kind", "missing"}},
      {R"("M": [[1, 0.1], [0.2, 1]], )" + bar + run, {"M[1][0] = 0.2", "symmetric"}},
      {R"("M": [[1, 1], [1, 1]], )" + bar + run, {"positive definite"}},
      {R"("M": [[1, 0], [0, -1]], )" + bar + run, {"positive definite"}},
      {R"("M": [[1, 0, 0], [0, 1, 0]], )" + bar + run, {"square"}},
      {R"("M": [[1, 0], [0, 1]], "WN": [0, 1, 2], "WT": [1, 0], "qdotA": [0, -1])" + run,
       {"WN = 3 numbers", "2 coordinates"}},
      {R"("M": [[1, 0], [0, 1]], "WN": [0, 0], "WT": [1, 0], "qdotA": [0, -1])" + run, {"WN", "zero"}},
      {R"("M": [[1, 0], [0, 1]], "pre": {"DNA": 1, "DTA": 0}, )" + bar + run, {"pre = DNA 1", "approach is negative"}},
      {R"("M": [[1, 0], [0, 1]], "local": {"A": 2, "B": 0, "C": 1}, )" + bar + run, {"local", "does not follow"}},
      {R"("system": {"m": 1, "L": 1, "theta0": 0.5, "omegaA": 2, "v": 0.1})" + run,
       {"system.omegaA = 2", "must be negative"}},
      {R"("system": {"m": 1, "L": -1, "theta0": 2, "omegaA": -2, "v": 0.1})" + run, {"system.L", "system.theta0"}},
      {R"("local": {"A": 1e999, "B": 0, "C": 1})" + run, {"64 bits"}},
      {R"("local": {"A": nan, "B": 0, "C": 1})" + run, {"must be a number"}},
      {R"("local": [1])" + run, {"local", "expected `{`"}},
      {R"("local": {"A": 01})" + run, {"leading zero"}},
      {R"("id": "a)", {"does not end"}},
  };
  for (const auto& w : wrong) {
    const std::string text = "{\"cases\": [\n{" + good + run + "},\n{" + w.first + "}]}";
    std::string message;
    bool wrote = false;
    try {
      solve_text(text, "test.json", {}, [&](std::string_view) { wrote = true; });
    } catch (const InputError& e) { message = e.what(); }
    EXPECT_FALSE(wrote) << w.first;
    EXPECT_NE(message.find("test.json:3: cases[1]"), std::string::npos) << w.first << "\n" << message;
    for (const std::string& part : w.second)
      EXPECT_NE(message.find(part), std::string::npos) << w.first << "\n" << message;
  }
  for (const char* text :
       {"", "[]", "{}", "{\"cases\": 3}", "{\"cases\": []} x", "{\"cases\": [{}]}", "{\"cases\": [3]}"})
    EXPECT_THROW(solved(text), InputError) << text;
  std::string deep = "{\"x\": ";
  EXPECT_THROW(solved(deep + std::string(100000, '[')), InputError);
}

TEST(ImpactText, SeparatingIsAStatusUnlessApproachIsAskedFor) {
  const std::string text =
      R"({"cases": [{"local": {"A": 2.5, "B": 1.5, "C": 2.5}, "pre": {"DNA": 1, "DTA": 0.6}, "runs": [{"model": "newton", "params": {"e": 1}}]}]})";
  EXPECT_EQ(json::parse(solved(text))["cases"][0]["runs"][0]["result"]["status"], "separating");
  EXPECT_THROW(solved(text, {true}), InputError);
}

// Damaged text is refused, or still JSON with results; never anything else.
TEST(ImpactText, DamagedText) {
  const std::string good =
      R"({"cases": [{"id": "a", "local": {"A": 2.5, "B": 1.5, "C": 2.5}, "pre": {"DNA": -1, "DTA": 0.6},
 "runs": [{"model": "cs", "params": {"e": 0.5, "mu": 0.3, "emC": 0.1, "moment_law": "source"}, "result": {"x": [1, 2]}}]},
 {"M": [[1, 0], [0, 1]], "WN": [[0, 1], [0, 1]], "WT": [[1, 0], [1, 0]], "qdotA": [0, -1], "params": {"e": 1, "mu": 0.1}},
 {"system": {"m": 1, "L": 1, "theta0": 0.5, "omegaA": -1, "v": 0.2}, "runs": [{"model": "smith", "params": {"e": 1, "mu": 0.1}}]}]})";
  ASSERT_TRUE(json::accept(solved(good)));
  std::mt19937_64 random(5);
  const std::string bytes = "{}[]\",:0123456789.eE+-\\ \ntfnaAmu\x80";
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (std::size_t k = 0, n = 1 + random() % 3; k < n && !text.empty(); ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = bytes[random() % bytes.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 9);
          break;
        case 2:
          text.insert(at, 1, bytes[random() % bytes.size()]);
          break;
        default:
          text.resize(at + 1);
      }
    }
    std::string out;
    try {
      out = solved(text);
    } catch (const InputError&) { continue; }
    ++accepted;
    if (json::accept(text)) { EXPECT_TRUE(json::accept(out)) << text; }
  }
  EXPECT_GT(accepted, 100);
}

TEST(ImpactText, ManyProblemsAreCut) {
  std::string text = "{\"cases\": [";
  for (int i = 0; i < 500; ++i) text += i ? ",{}" : "{}";
  try {
    solved(text + "]}");
    FAIL();
  } catch (const InputError& e) { EXPECT_LT(e.problems.size(), 120u); }
}

}  // namespace
}  // namespace areia::impact::test
