#include "io/case/short_toml.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "areia/case_file.h"

using namespace areia;

// The short text of a case is the case.
TEST(ShortToml, ReadsBackToTheSameCase) {
  std::vector<std::filesystem::path> files{AREIA_SOURCE_DIR "/tests/cases/everything.toml"};
  for (const auto& e : std::filesystem::directory_iterator(AREIA_SOURCE_DIR "/examples"))
    if (std::filesystem::exists(e.path() / "case.toml")) files.push_back(e.path() / "case.toml");
  EXPECT_GT(files.size(), 10U);
  for (const auto& file : files) {
    const Case c = read_case(file);
    const std::string text = to_short_toml(c);
    EXPECT_LT(text.size(), to_toml(c).size());
    EXPECT_EQ(to_toml(parse_case(text, "short.toml")), to_toml(c)) << file;
  }
}
