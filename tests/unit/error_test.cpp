#include "areia/error.h"

#include <gtest/gtest.h>

using namespace areia;

TEST(Problem, NamesFileLineKeyValueAndRule) {
  EXPECT_EQ(to_string({"a.toml", 12, "materials.grain.young", "-3", "must be positive"}),
            "a.toml:12: materials.grain.young = -3: must be positive");
  EXPECT_EQ(to_string({"", 0, "stages", "", "at least one stage is needed"}), "stages: at least one stage is needed");
}

TEST(Problem, InputErrorHoldsAll) {
  InputError e({{"", 0, "a", "1", "r"}, {"", 0, "b", "2", "s"}});
  EXPECT_EQ(e.problems.size(), 2u);
  EXPECT_STREQ(e.what(), "a = 1: r\nb = 2: s");
}
