#include <gtest/gtest.h>

#include "areia/case_file.h"

namespace areia {
namespace {

TEST(CaseReader, ReadsARealisticCase) {
  Case c;
  try {
    c = read_case(AREIA_SOURCE_DIR "/tests/cases/collapse.toml");
  } catch (const InputError& e) {
    FAIL() << e.what();
  }
  const std::string resolved = to_toml(c);
  try {
    EXPECT_TRUE(parse_case(resolved, "resolved.toml") == c) << resolved;
  } catch (const InputError& e) {
    FAIL() << e.what() << resolved;
  }
}

}  // namespace
}  // namespace areia
