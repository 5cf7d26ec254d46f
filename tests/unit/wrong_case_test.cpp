// Every file of tests/cases/wrong breaks rules on purpose and says which in its first lines:
//   # expect: line=12 key=materials.grain.young contains="must be" value='-3' file="particles.csv"
// Problem by problem, nothing more and nothing less must be reported. `value` and `file` may be left out; the file is
// then the case itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "areia/case_file.h"

namespace areia {
namespace {

const std::filesystem::path kFolder = AREIA_SOURCE_DIR "/tests/cases/wrong";

struct Expectation {
  std::string file, key, contains, value;
  int line = 0;
  bool met = false;
};

std::string attribute(const std::string& text, const std::string& name) {
  std::smatch m;
  if (!std::regex_search(text, m, std::regex(" " + name + "=(?:\"([^\"]*)\"|'([^']*)'|(\\S*))"))) return "";
  return m[1].matched ? m[1] : m[2].matched ? m[2] : m[3];
}

std::vector<Expectation> expectations(const std::filesystem::path& file) {
  std::vector<Expectation> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.starts_with("# expect:");) {
    Expectation e;
    e.file = attribute(line, "file").empty() ? file.string() : (kFolder / attribute(line, "file")).string();
    e.key = attribute(line, "key");
    e.contains = attribute(line, "contains");
    e.value = attribute(line, "value");
    e.line = std::stoi(attribute(line, "line"));
    all.push_back(e);
  }
  return all;
}

class WrongCase : public testing::TestWithParam<std::string> {};

TEST_P(WrongCase, IsToldCompletely) {
  const std::filesystem::path file = kFolder / GetParam();
  std::vector<Expectation> expected = expectations(file);
  ASSERT_FALSE(expected.empty()) << "no `# expect:` line";
  try {
    read_case(file);
    FAIL() << "was accepted";
  } catch (const InputError& e) {
    for (const Problem& p : e.problems) {
      const auto hit = std::find_if(expected.begin(), expected.end(), [&](const Expectation& x) {
        return !x.met && p.file == x.file && p.line == x.line && p.key == x.key &&
               p.rule.find(x.contains) != std::string::npos && (x.value.empty() || p.value == x.value);
      });
      if (hit == expected.end()) ADD_FAILURE() << "not expected: " << to_string(p);
      else hit->met = true;
    }
    for (const Expectation& x : expected)
      EXPECT_TRUE(x.met) << "not reported: " << x.file << ":" << x.line << ": " << x.key << " = " << x.value
                         << " with \"" << x.contains << '"';
  }
}

std::vector<std::string> wrong_cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, WrongCase, testing::ValuesIn(wrong_cases()),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

TEST(WrongCases, AreMany) { EXPECT_GE(wrong_cases().size(), 30u); }

TEST(WrongCases, MissingFileIsWrongInput) {
  try {
    read_case(kFolder / "no_such_case.toml");
    FAIL() << "was accepted";
  } catch (const InputError& e) {
    ASSERT_EQ(e.problems.size(), 1u);
    EXPECT_NE(e.problems[0].rule.find("no such file"), std::string::npos);
    EXPECT_EQ(e.problems[0].file, (kFolder / "no_such_case.toml").string());
  }
}

}  // namespace
}  // namespace areia
