// Scripts of LAMMPS and LIGGGHTS as words: lines, quotes, variables, formulas. The values of formulas are those that
// LAMMPS (29 Sep 2021) prints.
#include <gtest/gtest.h>

#include <cmath>

#include "io/scripts/expression.h"
#include "io/scripts/script_reader.h"

using namespace areia::io;

namespace {

double value(const std::string& formula) {
  return evaluate(formula, [](const std::string& name) -> double {
    if (name == "v_a") return 2;
    throw NoValue(name + " has no value");
  });
}

std::vector<Command> commands(
    const std::string& text, std::map<std::string, std::string> variables = {},
    const ReadText& read = [](const auto&, std::string& why) -> std::optional<std::string> {
      why = "none here";
      return {};
    }) {
  ScriptReader reader(text, "folder/in.test", std::move(variables), read);
  reader.set_keyword("dt", 0.25);
  std::vector<Command> all;
  while (auto c = reader.next()) all.push_back(*c);
  return all;
}

std::vector<std::string> words(const std::string& text) {
  const auto all = commands(text);
  return all.empty() ? std::vector<std::string>{} : all.back().words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST(ScriptFormula, ValuesAsInLammps) {
  EXPECT_DOUBLE_EQ(value("-2^2"), 4);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 64);
  EXPECT_DOUBLE_EQ(value("-v_a"), -2);
  EXPECT_DOUBLE_EQ(value("7%4"), 3);
  EXPECT_DOUBLE_EQ(value("!0"), 1);
  EXPECT_DOUBLE_EQ(value("1<2"), 1);
  EXPECT_DOUBLE_EQ(value("ln(2.718281828)"), 0.99999999983112664026);
  EXPECT_DOUBLE_EQ(value("log(100)"), 2);
  EXPECT_DOUBLE_EQ(value("round(2.5)"), 3);
  EXPECT_DOUBLE_EQ(value("atan2(1,0)"), 1.570796326794896558);
  EXPECT_DOUBLE_EQ(value("1e-3*2."), 0.002);
  EXPECT_DOUBLE_EQ(value("2*-3"), -6);
  EXPECT_DOUBLE_EQ(value("2+3*4-10/5"), 12);
  EXPECT_DOUBLE_EQ(value("(1 == 1) && (2 != 3) || 0"), 1);
  EXPECT_DOUBLE_EQ(value("PI"), M_PI);
  EXPECT_DOUBLE_EQ(value("sqrt(4) + abs(-1) + floor(1.9) + ceil(0.1)"), 5);
}

TEST(ScriptFormula, WithoutAValue) {
  for (const char* f :
       {"", "1+", "(1", "1)", "v_b", "1/0", "step*2", "c_temp", "mass(all)", "x[3]", "sqrt(-1)", "2 3", "ln(0)", "#"})
    EXPECT_THROW(value(f), NoValue) << f;
  EXPECT_THROW(value(std::string(5000, '(')), NoValue);
  EXPECT_THROW(value(std::string(5000, '-') + "1"), NoValue);
}

TEST(ScriptReader, LinesCommentsAndQuotes) {
  const auto all =
      commands("# a script\n\nunits\tsi   # not cgs\nfix 1 all &\n  nve/sphere &\n\nprint \"a # b\" 'c  d'\r\n");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].words, (Words{"units", "si"}));
  EXPECT_EQ(all[0].text, "units si");
  EXPECT_EQ(all[0].line, 3);
  EXPECT_EQ(all[1].words, (Words{"fix", "1", "all", "nve/sphere"}));
  EXPECT_EQ(all[1].line, 4);
  EXPECT_EQ(all[2].words, (Words{"print", "a # b", "c  d"}));
  EXPECT_EQ(all[2].line, 7);
  EXPECT_EQ(words("if \"\"\"1 > \"0\" \"\"\" then\n"), (Words{"if", "1 > \"0\" ", "then"}));
  EXPECT_FALSE(commands("print \"open\n")[0].trouble.empty());
}

TEST(ScriptReader, Variables) {
  const std::string given =
      "variable r equal 2*3\nvariable s string x y\nvariable i index one two\nvariable n loop 4\n";
  EXPECT_EQ(words(given + "a ${r} $r ${s} ${i} $n $(v_r/4) $(PI:%.3f) $(dt*2)"),
            (Words{"a", "6", "6", "x", "one", "1", "1.5", "3.142", "0.5"}));
  // formulas are evaluated when they are used, texts when they are given
  EXPECT_EQ(
      words("variable a equal 1\nvariable b equal v_a+1\nvariable c equal ${a}+1\nvariable a equal 5\nx ${b} ${c}"),
      (Words{"x", "6", "2"}));
  EXPECT_EQ(words("variable a equal 1\nprint \"$a ${a}\" $a"), (Words{"print", "$a ${a}", "1"}));
  EXPECT_EQ(words("variable a equal 2\nvariable b equal \"${a}*3\"\nx ${b}"), (Words{"x", "6"}));
  // an index keeps its value, one of the command line, too
  EXPECT_EQ(words("variable a index 1\nvariable a index 2\nx $a"), (Words{"x", "1"}));
  EXPECT_EQ(commands("variable a index 1\nx $a", {{"a", "7"}})[0].words, (Words{"x", "7"}));
}

TEST(ScriptReader, TroubleIsToldAndReadingGoesOn) {
  const auto all =
      commands("x ${nothing}\ny $(step)\nvariable v atom x\nvariable w equal v_w\nz ${w}\nrun 1\ninclude other\n");
  ASSERT_EQ(all.size(), 6U);
  for (int k : {0, 1, 2, 3, 5}) EXPECT_FALSE(all[k].trouble.empty()) << all[k].text;
  EXPECT_EQ(all[4].words, (Words{"run", "1"}));
  EXPECT_TRUE(all[4].trouble.empty());
  EXPECT_NE(all[0].trouble.find("nothing"), std::string::npos);
}

TEST(ScriptReader, IncludesOtherScriptsBesideIt) {
  const auto read = [](const std::filesystem::path& file, std::string&) -> std::optional<std::string> {
    EXPECT_EQ(file, "folder/more.in");
    return "variable q equal 3\nrun ${q}\n";
  };
  const auto all = commands("include more.in\nrun $(v_q+1)\n", {}, read);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].words, (Words{"run", "3"}));
  EXPECT_EQ(all[0].file, "folder/more.in");
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[1].words, (Words{"run", "4"}));
  EXPECT_EQ(all[1].line, 2);
  // one that includes itself ends
  const auto again = [](const std::filesystem::path&, std::string&) -> std::optional<std::string> {
    return "include x\n";
  };
  EXPECT_FALSE(commands("include x\n", {}, again).empty());
}

// Variables of variables may not take for ever, nor all memory.
TEST(ScriptReader, GrowthIsBounded) {
  std::string text = "variable a string xxxxxxxxxxxxxxxx\n";
  for (int k = 0; k < 40; ++k) text += "variable a string ${a}${a}\n";
  EXPECT_FALSE(commands(text).empty());
  text = "variable a0 equal 1\n";
  for (int k = 1; k < 60; ++k)
    text +=
        "variable a" + std::to_string(k) + " equal v_a" + std::to_string(k - 1) + "+v_a" + std::to_string(k - 1) + "\n";
  const auto all = commands(text + "x ${a59}\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].trouble.empty());
  EXPECT_FALSE(commands("x " + std::string(20000, '$') + "(" + std::string(20000, '(') + "\n").empty());
}
