// A number that changes in time: constant, a ramp, a table, or a formula of t. Any key of a case may take one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace areia {

// A formula of the time t: numbers, t, pi, + - * / ^, parentheses, and functions (src/core/formula.cpp lists them). It
// is read once, and then gives the same bits on every machine. The text is all that tells two formulas apart.
class Formula {
 public:
  Formula() = default;
  Formula(std::string text);                                 // NOLINT: a text is a formula
  Formula(const char* text) : Formula(std::string(text)) {}  // NOLINT

  const std::string& text() const { return text_; }
  bool given() const { return !text_.empty(); }
  // Why the text is no formula, and where; "" if it is one.
  const std::string& problem() const { return problem_; }

  struct Value {
    double value = 0, rate = 0;  // rate: the derivative, exactly that of the formula
  };
  Value at(double t) const;  // {0, 0} without a sound text

  friend bool operator==(const Formula& a, const Formula& b) { return a.text_ == b.text_; }

  struct Step {  // of the calculation, on a stack
    std::uint8_t what = 0;
    double number = 0;
  };

 private:
  std::string text_, problem_;
  std::vector<Step> steps_;
};

struct CourseRow {
  double time = 0, value = 0;
  friend bool operator==(const CourseRow&, const CourseRow&) = default;
};

// Its t is the time since that began which it belongs to (the start of a servo, of a stage it waits for). Before 0 it
// has its first value.
struct Course {
  enum class Kind { constant, ramp, table, formula };
  Kind kind = Kind::constant;
  double value = 0;                   // constant
  double from = 0, to = 0, over = 0;  // ramp: linear in the time `over`, s, and then `to`
  std::vector<CourseRow> table;       // linear between the lines; before and after them it stays
  Formula formula;

  Course() = default;
  Course(double constant) : value(constant) {}  // NOLINT: a number is a course
  // Nothing but the zero of a key that was not given.
  bool given() const { return kind != Kind::constant || value != 0; }
  friend bool operator==(const Course&, const Course&) = default;
};

double value_at(const Course& course, double t);

// The least and the largest value from 0 to `until`, and the fastest change, 1/s. Those of a formula are the extremes
// of ten thousand samples: what happens between two of them is not seen.
struct CourseBounds {
  double least = 0, most = 0, fastest = 0;
  double size() const { return -least > most ? -least : most; }  // of the absolute value
  bool finite = true;                                            // a formula may have no value, as 1/t at 0
};
CourseBounds bounds_of(const Course& course, double until);
CourseBounds bounds_of(const Formula& formula, double until);

}  // namespace areia
