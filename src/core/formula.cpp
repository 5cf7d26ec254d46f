// Formulas of time. A text becomes steps on a stack of pairs (value, derivative by t), so that a rate is that of the
// formula itself and no difference quotient: (a b)' = a' b + a b', and so on for every operation.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "areia/course.h"
#include "core/elementary.h"
#include "core/rotation.h"
#include "core/suggest.h"

namespace areia {
namespace {

constexpr std::size_t kDeepest = 40;    // values on the stack, and parentheses within parentheses
constexpr std::size_t kLongest = 4000;  // characters

enum What : std::uint8_t {
  kNumber,
  kTime,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kNegate,
  kFirstFunction  // and on, in the order of kFunctions
};

using Value = Formula::Value;

// x^n by squaring, for whole n: also of negative x.
double whole_power(double x, double n) {
  double power = 1, square = x;
  for (auto k = static_cast<int>(std::fabs(n)); k > 0; k /= 2, square *= square)
    if (k % 2 == 1) power *= square;
  return n < 0 ? 1 / power : power;
}
bool is_small_whole(double n) { return std::fabs(n) <= 64 && n == std::floor(n); }
double power(double x, double e) { return is_small_whole(e) ? whole_power(x, e) : power_of(x, e); }

// (a^b)' = b a^(b - 1) a' + a^b ln(a) b'
Value power(const Value& a, const Value& b) {
  Value p{power(a.value, b.value), 0};
  if (a.rate != 0 && b.value != 0) p.rate += b.value * power(a.value, b.value - 1) * a.rate;
  if (b.rate != 0) p.rate += p.value * log_of(a.value) * b.rate;
  return p;
}

// e^x as a power of the double next to e: off by x/2 units in the last place at most.
double exponential(double x) { return power_of(std::numbers::e, x); }

// An angle of which no digit behind the point is left has no sine.
SinCos of_angle(double x) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return std::fabs(x) < 1e9 ? sin_cos(x) : SinCos{kNone, kNone};
}

struct Function {
  std::string_view name;
  int arguments;
  Value (*of)(const Value& a, const Value& b);
};
constexpr std::array<Function, 11> kFunctions{{
    {"sin", 1,
     [](const Value& a, const Value&) {
       const SinCos s = of_angle(a.value);
       return Value{s.sin, s.cos * a.rate};
     }},
    {"cos", 1,
     [](const Value& a, const Value&) {
       const SinCos s = of_angle(a.value);
       return Value{s.cos, -(s.sin * a.rate)};
     }},
    {"exp", 1,
     [](const Value& a, const Value&) {
       const double e = exponential(a.value);
       return Value{e, e * a.rate};
     }},
    {"ln", 1,
     [](const Value& a, const Value&) {
       return Value{log_of(a.value), a.rate / a.value};
     }},
    {"sqrt", 1,
     [](const Value& a, const Value&) {
       const double s = std::sqrt(a.value);
       return Value{s, a.rate == 0 ? 0 : a.rate / (2 * s)};
     }},
    {"abs", 1,
     [](const Value& a, const Value&) {
       return a.value < 0 ? Value{-a.value, -a.rate} : a;
     }},
    {"min", 2, [](const Value& a, const Value& b) { return b.value < a.value ? b : a; }},
    {"max", 2, [](const Value& a, const Value& b) { return b.value > a.value ? b : a; }},
    {"step", 1,  // 0 below 0, else 1
     [](const Value& a, const Value&) {
       return Value{a.value < 0 ? 0.0 : 1.0, 0};
     }},
    {"smooth", 1,  // 0 below 0, 1 above 1, and 3 a^2 - 2 a^3 between, without a jump of the rate
     [](const Value& a, const Value&) {
       if (a.value <= 0 || a.value >= 1) return Value{a.value <= 0 ? 0.0 : 1.0, 0};
       return Value{a.value * a.value * (3 - 2 * a.value), 6 * a.value * (1 - a.value) * a.rate};
     }},
    {"mod", 2,  // a - b floor(a/b), for a saw; its rate is that of a
     [](const Value& a, const Value& b) {
       const double turns = std::floor(a.value / b.value);
       return Value{a.value - b.value * turns, a.rate - b.rate * turns};
     }},
}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Wrong {
  std::string why;
};

// sum: product {(+|-) product};  product: signed {(*|/) signed};  signed: [-] power;  power: operand [^ signed].
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Formula::Step> steps() {
    if (text_.size() > kLongest) throw Wrong{fmt::format("is longer than {} characters", kLongest)};
    sum();
    if (peek() != '\0') fail(peek() == ')' ? "`)` closes nothing" : "an operator is missing");
    return std::move(steps_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) { fail(why, at_); }
  [[noreturn]] void fail(const std::string& why, std::size_t at) {
    const std::string_view rest = text_.substr(at, 12);
    throw Wrong{at < text_.size() ? fmt::format("{} at character {}, `{}{}`", why, at + 1, rest,
                                                at + rest.size() < text_.size() ? "..." : "")
                                  : fmt::format("{} at its end", why)};
  }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  // How many values a step takes from the stack, to give one back.
  void add(std::uint8_t what, std::size_t takes, double number = 0) {
    steps_.push_back({what, number});
    height_ = height_ + 1 - takes;
    if (height_ > kDeepest) fail("is nested too deeply");
  }

  void sum() {
    if (++depth_ > kDeepest) fail("is nested too deeply");
    product();
    for (;;) {
      if (take('+')) product(), add(kAdd, 2);
      else if (take('-')) product(), add(kSubtract, 2);
      else break;
    }
    --depth_;
  }
  void product() {
    signed_power();
    for (;;) {
      if (take('*')) signed_power(), add(kMultiply, 2);
      else if (take('/')) signed_power(), add(kDivide, 2);
      else break;
    }
  }
  void signed_power() {
    if (++depth_ > kDeepest) fail("is nested too deeply");
    if (take('-')) signed_power(), add(kNegate, 1);
    else if (take('+')) signed_power();
    else {
      operand();
      if (take('^')) signed_power(), add(kPower, 2);
    }
    --depth_;
  }
  void operand() {
    const char c = peek();
    if (take('(')) {
      sum();
      if (!take(')')) fail("`)` is missing");
      return;
    }
    if (is_digit(c) || c == '.') return number();
    if (!is_letter(c)) fail("a number, `t`, `pi`, a function or `(` is missing");
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "t") return add(kTime, 0);
    if (name == "pi") return add(kNumber, 0, std::numbers::pi);
    for (std::size_t k = 0; k < kFunctions.size(); ++k)
      if (kFunctions[k].name == name) return function(k);
    std::vector<std::string> known{"t", "pi"};
    for (const Function& f : kFunctions) known.emplace_back(f.name);
    std::string list;
    for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
    fail(fmt::format("unknown `{}`{} (there are {})", name, suggestion(std::string(name), known), list), begin);
  }
  void number() {
    double v = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc()) fail("is no number");
    at_ = static_cast<std::size_t>(end - text_.data());
    add(kNumber, 0, v);
  }
  void function(std::size_t k) {
    const auto& [name, arguments, of] = kFunctions[k];
    if (!take('(')) fail(fmt::format("`{}` needs its argument in parentheses", name));
    sum();
    if (arguments == 2) {
      if (!take(',')) fail(fmt::format("`{}` needs two arguments, with a comma between them", name));
      sum();
    }
    if (!take(')')) fail("`)` is missing");
    add(static_cast<std::uint8_t>(kFirstFunction + k), static_cast<std::size_t>(arguments));
  }

  std::string_view text_;
  std::vector<Formula::Step> steps_;
  std::size_t at_ = 0, depth_ = 0, height_ = 0;
};

}  // namespace

Formula::Formula(std::string text) : text_(std::move(text)) {
  try {
    steps_ = Parser(text_).steps();
  } catch (const Wrong& wrong) {
    problem_ = wrong.why;
    steps_.clear();
  }
}

Formula::Value Formula::at(double t) const {
  std::array<Value, kDeepest + 1> stack;
  Value* top = stack.data();  // the place of the next value
  for (const Step& s : steps_) {
    switch (s.what) {
      case kNumber:
        *top++ = {s.number, 0};
        break;
      case kTime:
        *top++ = {t, 1};
        break;
      case kNegate:
        top[-1] = {-top[-1].value, -top[-1].rate};
        break;
      case kAdd:
      case kSubtract:
      case kMultiply:
      case kDivide:
      case kPower: {
        const Value b = *--top, a = top[-1];
        if (s.what == kAdd) top[-1] = {a.value + b.value, a.rate + b.rate};
        else if (s.what == kSubtract) top[-1] = {a.value - b.value, a.rate - b.rate};
        else if (s.what == kMultiply) top[-1] = {a.value * b.value, a.rate * b.value + a.value * b.rate};
        else if (s.what == kDivide) top[-1] = {a.value / b.value, (a.rate - a.value / b.value * b.rate) / b.value};
        else top[-1] = power(a, b);
        break;
      }
      default: {
        const Function& f = kFunctions[s.what - kFirstFunction];
        const Value b = f.arguments == 2 ? *--top : Value{};
        top[-1] = f.of(top[-1], b);
      }
    }
  }
  return steps_.empty() ? Value{} : stack[0];
}

}  // namespace areia
