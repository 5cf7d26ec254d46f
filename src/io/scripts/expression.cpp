#include "io/scripts/expression.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace areia::io {
namespace {

constexpr int kDeepest = 64;  // parentheses within parentheses

struct Operator {
  std::string_view text;
  int rank;  // a higher one binds closer; equal ones go from left to right, also ^
};
// Longer ones first. A sign binds closer than all of them: -2^2 is 4.
constexpr std::array<Operator, 15> kOperators{{{"||", 1},
                                               {"|^", 1},
                                               {"&&", 2},
                                               {"==", 3},
                                               {"!=", 3},
                                               {"<=", 4},
                                               {">=", 4},
                                               {"<", 4},
                                               {">", 4},
                                               {"+", 5},
                                               {"-", 5},
                                               {"*", 6},
                                               {"/", 6},
                                               {"%", 6},
                                               {"^", 7}}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Formula {
 public:
  Formula(std::string_view text, const NamedValue& named) : text_(text), named_(named) {}

  double value() {
    const double v = sum(1);
    if (peek() != '\0') fail();
    return v;
  }

 private:
  [[noreturn]] void fail() const { throw NoValue(fmt::format("`{}` is no formula", text_)); }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  const Operator* next_operator() {
    peek();
    for (const Operator& o : kOperators)
      if (text_.substr(at_).starts_with(o.text)) return &o;
    return nullptr;
  }

  double sum(int rank) {
    double left = operand();
    for (;;) {
      const Operator* o = next_operator();
      if (!o || o->rank < rank) return left;
      at_ += o->text.size();
      const double right = sum(o->rank + 1);
      left = apply(o->text, left, right);
    }
  }

  double apply(std::string_view o, double a, double b) const {
    if (o == "+") return a + b;
    if (o == "-") return a - b;
    if (o == "*") return a * b;
    if ((o == "/" || o == "%") && b == 0) throw NoValue(fmt::format("`{}` divides by zero", text_));
    if (o == "/") return a / b;
    if (o == "%") return std::fmod(a, b);
    if (o == "^") return std::pow(a, b);
    if (o == "==") return a == b;
    if (o == "!=") return a != b;
    if (o == "<=") return a <= b;
    if (o == ">=") return a >= b;
    if (o == "<") return a < b;
    if (o == ">") return a > b;
    if (o == "&&") return a != 0 && b != 0;
    if (o == "|^") return (a != 0) != (b != 0);
    return a != 0 || b != 0;
  }

  double operand() {
    if (++depth_ > kDeepest) throw NoValue("a formula is nested too deeply");
    const double v = plain_operand();
    --depth_;
    return v;
  }
  double plain_operand() {
    if (take('-')) return -operand();
    if (take('+')) return operand();
    if (take('!')) return operand() == 0;
    if (take('(')) {
      const double v = sum(1);
      if (!take(')')) fail();
      return v;
    }
    const char c = peek();
    if (is_digit(c) || c == '.') {
      double v = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
      if (error != std::errc()) fail();
      at_ = static_cast<std::size_t>(end - text_.data());
      return v;
    }
    if (!is_letter(c)) fail();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (peek() == '[') throw NoValue(fmt::format("`{}[...]` follows from the state of the run", name));
    if (take('(')) return function(name);
    if (name == "PI") return std::numbers::pi;
    if (name == "on" || name == "yes" || name == "true") return 1;
    if (name == "off" || name == "no" || name == "false") return 0;
    return named_(name);
  }

  double function(const std::string& name) {
    struct OfOne {
      std::string_view name;
      double (*f)(double);
    };
    static constexpr std::array<OfOne, 13> kOfOne{{{"sqrt", std::sqrt},
                                                   {"exp", std::exp},
                                                   {"ln", std::log},
                                                   {"log", std::log10},
                                                   {"abs", std::fabs},
                                                   {"sin", std::sin},
                                                   {"cos", std::cos},
                                                   {"tan", std::tan},
                                                   {"asin", std::asin},
                                                   {"acos", std::acos},
                                                   {"atan", std::atan},
                                                   {"ceil", std::ceil},
                                                   {"floor", std::floor}}};
    const OfOne* known = nullptr;
    for (const OfOne& f : kOfOne)
      if (f.name == name) known = &f;
    if (!known && name != "round" && name != "atan2")
      throw NoValue(fmt::format("`{}(...)` follows from the state of the run", name));
    const double a = sum(1);
    const double b = name == "atan2" && take(',') ? sum(1) : 0;
    if (!take(')')) fail();
    if (name == "atan2") return std::atan2(a, b);
    if (name == "round") return std::round(a);
    return known->f(a);
  }

  std::string_view text_;
  const NamedValue& named_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(std::string_view formula, const NamedValue& named) {
  const double v = Formula(formula, named).value();
  if (!std::isfinite(v)) throw NoValue(fmt::format("`{}` has no finite value", formula));
  return v;
}

}  // namespace areia::io
