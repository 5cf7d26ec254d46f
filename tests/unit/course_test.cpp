// Numbers that change in time: values and rates of formulas, ramps and tables, what is said of wrong ones, and how case
// files have them.
#include "areia/course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/schema/course.h"

namespace areia {
namespace {

using testing::HasSubstr;

double value(const char* text, double t = 0) { return Formula(text).at(t).value; }

TEST(Formula, FollowsTheOrderOfOperations) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("(-3)^3"), -27);
  EXPECT_EQ(value("2*-t", 3), -6);
  EXPECT_EQ(value(".5e1"), 5);
  EXPECT_EQ(value("min(3, max(1, t))", 2), 2);
  EXPECT_EQ(value("step(t - 1)", 1), 1);
  EXPECT_EQ(value("step(t - 1)", 0.999), 0);
  EXPECT_EQ(value("smooth(t)", 0.5), 0.5);
  EXPECT_EQ(value("mod(t, 2)", 5.5), 1.5);
  EXPECT_EQ(value("abs(0 - t)", 2), 2);
  EXPECT_EQ(value("sqrt(t)", 9), 3);
  EXPECT_EQ(value("pi"), std::numbers::pi);
}

TEST(Formula, FunctionsAreThoseOfTheLibraryToRounding) {
  for (double t = 0.05; t < 20; t += 0.37) {
    EXPECT_NEAR(value("sin(t)", t), std::sin(t), 2e-16);
    EXPECT_NEAR(value("cos(t)", t), std::cos(t), 2e-16);
    EXPECT_NEAR(value("exp(-t)", t) * std::exp(t), 1, 1e-14);
    EXPECT_NEAR(value("ln(t)", t), std::log(t), 1e-15);
    EXPECT_NEAR(value("t^1.7", t) / std::pow(t, 1.7), 1, 1e-14);
    EXPECT_NEAR(value("t^(0.1*t)", t) / std::pow(t, 0.1 * t), 1, 1e-14);
  }
}

// A central difference is off by h^2 f'''/6, here below 1e-6 of the rate, and rounding by 1e-16/h.
TEST(Formula, RateIsTheDerivative) {
  for (const char* text :
       {"3*t", "t^3 - 2*t", "sin(2*pi*t)", "cos(t)*t", "exp(-3*t)*sin(20*t)", "1/(1 + t^2)", "sqrt(1 + t)", "ln(1 + t)",
        "t^2.5", "(1 + t)^t", "smooth(t/2)*0.1", "abs(t - 5)", "min(t, 2 - t)", "max(t^2, 1)", "mod(3*t, 1)", "2^t"}) {
    const Formula f(text);
    ASSERT_EQ(f.problem(), "") << text;
    for (double t = 0.11; t < 1.9; t += 0.173) {
      const double h = 1e-5, difference = (f.at(t + h).value - f.at(t - h).value) / (2 * h);
      EXPECT_NEAR(f.at(t).rate, difference, 1e-6 * (1 + std::fabs(difference))) << text << " at " << t;
    }
  }
}

TEST(Formula, WrongOnesAreToldWithTheirPlace) {
  const auto problem = [](const std::string& text) { return Formula(text).problem(); };
  EXPECT_THAT(problem("1 + "), HasSubstr("at its end"));
  EXPECT_THAT(problem("2*(t + 1"), HasSubstr("`)` is missing at its end"));
  EXPECT_THAT(problem("2 t"), HasSubstr("an operator is missing at character 3, `t`"));
  EXPECT_THAT(problem("1 + snh(t)"), HasSubstr("unknown `snh`"));
  EXPECT_THAT(problem("1 + snh(t)"), HasSubstr("at character 5"));
  EXPECT_THAT(problem("1 + x"), HasSubstr("there are t, pi, sin"));
  EXPECT_THAT(problem("min(1)"), HasSubstr("two arguments"));
  EXPECT_THAT(problem("sin t"), HasSubstr("in parentheses"));
  EXPECT_THAT(problem("t)"), HasSubstr("closes nothing at character 2"));
  EXPECT_THAT(problem("1e999"), HasSubstr("no number"));
  EXPECT_THAT(problem(std::string(200, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem(std::string(200, '-') + "1"), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem(std::string(5000, '1')), HasSubstr("longer than"));
  std::string right = "1";
  for (int k = 0; k < 100; ++k) right += "+(1";
  EXPECT_THAT(problem(right), HasSubstr("nested too deeply"));
  EXPECT_EQ(Formula("1 +").at(3).value, 0);  // and is never evaluated
}

TEST(Course, RampAndTable) {
  Course ramp;
  ramp.kind = Course::Kind::ramp;
  ramp.from = 10, ramp.to = 30, ramp.over = 4;
  EXPECT_EQ(value_at(ramp, -1), 10);
  EXPECT_EQ(value_at(ramp, 1), 15);
  EXPECT_EQ(value_at(ramp, 4), 30);
  EXPECT_EQ(value_at(ramp, 9), 30);
  EXPECT_EQ(bounds_of(ramp, 100).fastest, 5);
  EXPECT_EQ(bounds_of(ramp, 100).most, 30);

  Course table;
  table.kind = Course::Kind::table;
  table.table = {{1, 5}, {2, 7}, {4, -1}};
  EXPECT_EQ(value_at(table, 0), 5);
  EXPECT_EQ(value_at(table, 1), 5);
  EXPECT_EQ(value_at(table, 1.5), 6);
  EXPECT_EQ(value_at(table, 2), 7);
  EXPECT_EQ(value_at(table, 3), 3);
  EXPECT_EQ(value_at(table, 8), -1);
  EXPECT_EQ(bounds_of(table, 100).fastest, 4);
  EXPECT_EQ(bounds_of(table, 100).least, -1);

  Course formula;
  formula.kind = Course::Kind::formula;
  formula.formula = "2 + 3*sin(t)";
  EXPECT_EQ(value_at(formula, -1), 2);
  EXPECT_NEAR(bounds_of(formula, 10).most, 5, 1e-6);
  EXPECT_NEAR(bounds_of(formula, 10).size(), 5, 1e-6);
  EXPECT_TRUE(bounds_of(formula, 10).finite);
  EXPECT_FALSE(bounds_of(Formula("1/t"), 10).finite);
  EXPECT_FALSE(bounds_of(Formula("sqrt(1 - t)"), 10).finite);
}

}  // namespace

namespace io {
namespace {

struct Press {
  Course pressure;
};
const Table<Press>& press_table() {
  static const Table<Press> table{
      "A press.",
      {course("pressure", &Press::pressure, {.unit = "Pa", .range = kPositive, .unset_is_zero = true, .text = "."})}};
  return table;
}
// Reads; problems are those of reading and those of the check after it.
Course read(const std::string& text, std::vector<std::string>& problems) {
  const toml::table parsed = toml::parse(text);
  Reader reader(".");
  Press press;
  read_table(press_table(), press, parsed, reader, "");
  Case c;
  c.stages.emplace_back().duration = 2;
  Rules rules(c);
  if (reader.problems.empty()) check_table(press_table(), press, rules, "");
  for (const Problem& p : reader.problems) problems.push_back(p.key + ": " + p.rule);
  for (const Problem& p : std::move(rules).problems()) problems.push_back(p.key + ": " + p.rule);
  return press.pressure;
}
Course read(const std::string& text) {
  std::vector<std::string> problems;
  const Course c = read(text, problems);
  EXPECT_THAT(problems, testing::IsEmpty()) << text;
  return c;
}
std::string refused(const std::string& text) {
  std::vector<std::string> problems;
  read(text, problems);
  EXPECT_EQ(problems.size(), 1u) << text;
  return problems.empty() ? "" : problems[0];
}

TEST(CourseKey, ReadsWhatItWrites) {
  for (const char* text :
       {"pressure = 5.0", "pressure = '5 kPa'", "pressure = { from = '1 kPa', to = 2, over = '3 ms' }",
        "pressure = { table = [[0, 0], ['1 s', '2 kPa']] }", "pressure = { formula = '1e3*(1 + t)' }"}) {
    const Course c = read(text);
    EXPECT_TRUE(c.given());
    EXPECT_EQ(read("pressure = " + press_table().keys[0].write(Press{c})), c) << text;
  }
  EXPECT_EQ(read("pressure = '5 kPa'").value, 5000);
  EXPECT_EQ(read("pressure = { from = '1 kPa', to = 2, over = '3 ms' }").over, 0.003);
  EXPECT_EQ(value_at(read("pressure = { table = [[0, 0], ['1 s', '2 kPa']] }"), 0.5), 1000);
  EXPECT_EQ(press_table().keys[0].write(Press{}), "");
}

TEST(CourseKey, TellsWhatIsWrong) {
  EXPECT_THAT(refused("pressure = -1"), HasSubstr("pressure: must be positive"));
  EXPECT_THAT(refused("pressure = '5 m'"), HasSubstr("pressure: "));
  EXPECT_THAT(refused("pressure = { from = 1, to = 2 }"), HasSubstr("needs one of `over`, `table`, `formula`"));
  EXPECT_THAT(refused("pressure = { to = -2, over = 1 }"), HasSubstr("pressure.to: must not be negative"));
  EXPECT_THAT(refused("pressure = { to = 2, over = 0 }"), HasSubstr("pressure.over: must be positive"));
  EXPECT_THAT(refused("pressure = { table = [] }"), HasSubstr("at least one line"));
  EXPECT_THAT(refused("pressure = { table = [[1, 2], [1, 3]] }"), HasSubstr("pressure.table[2]: times must ascend"));
  EXPECT_THAT(refused("pressure = { table = [[1, 2, 3]] }"), HasSubstr("must be [t, value]"));
  EXPECT_THAT(refused("pressure = { formula = '1 +' }"), HasSubstr("pressure.formula: is no formula"));
  EXPECT_THAT(refused("pressure = { formula = '' }"), HasSubstr("is missing"));
  EXPECT_THAT(refused("pressure = { formula = '1/(1 - t)' }"), HasSubstr("no finite value"));
  EXPECT_THAT(refused("pressure = { formula = '1 - t' }"), HasSubstr("it comes to -1"));
  EXPECT_THAT(refused("pressure = { formula = 3 }"), HasSubstr("must be a text"));
}

}  // namespace
}  // namespace io
}  // namespace areia
