#include "core/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace areia {
namespace {

struct UnitSymbol {
  std::string_view symbol;
  Unit unit;
  bool prefixed;  // takes SI prefixes
};

constexpr double kTurn = 2 * std::numbers::pi;

// kilogram is the base unit, so the gram is 10^-3 of it; Hz and rpm are turns per time.
constexpr UnitSymbol kSymbols[] = {
    {"m", {1, 0, {1, 0, 0, 0}}, true},
    {"g", {1, -3, {0, 1, 0, 0}}, true},
    {"s", {1, 0, {0, 0, 1, 0}}, true},
    {"N", {1, 0, {1, 1, -2, 0}}, true},
    {"Pa", {1, 0, {-1, 1, -2, 0}}, true},
    {"J", {1, 0, {2, 1, -2, 0}}, true},
    {"W", {1, 0, {2, 1, -3, 0}}, true},
    {"Hz", {kTurn, 0, {0, 0, -1, 1}}, true},
    {"rad", {1, 0, {0, 0, 0, 1}}, true},
    {"deg", {kTurn / 360, 0, {0, 0, 0, 1}}, false},
    {"°", {kTurn / 360, 0, {0, 0, 0, 1}}, false},
    {"rpm", {kTurn / 60, 0, {0, 0, -1, 1}}, false},
    {"turn", {kTurn, 0, {0, 0, 0, 1}}, false},
    {"min", {60, 0, {0, 0, 1, 0}}, false},
    {"h", {3600, 0, {0, 0, 1, 0}}, false},
    {"day", {86400, 0, {0, 0, 1, 0}}, false},
    {"L", {1, -3, {3, 0, 0, 0}}, true},
    {"l", {1, -3, {3, 0, 0, 0}}, true},
    {"t", {1, 3, {0, 1, 0, 0}}, true},
    {"bar", {1, 5, {-1, 1, -2, 0}}, true},
    {"atm", {101325, 0, {-1, 1, -2, 0}}, false},
    {"A", {1, 0, {0, 0, 0, 0, 1}}, true},
    {"C", {1, 0, {0, 0, 1, 0, 1}}, true},
    {"V", {1, 0, {2, 1, -3, 0, -1}}, true},
    {"T", {1, 0, {0, 1, -2, 0, -1}}, true},
    {"F", {1, 0, {-2, -1, 4, 0, 2}}, true},
    {"%", {1, -2, {}}, false},
};

struct Prefix {
  std::string_view symbol;
  int decimal;
};
constexpr Prefix kPrefixes[] = {{"da", 1}, {"h", 2},  {"k", 3},  {"M", 6},  {"G", 9},  {"T", 12}, {"d", -1},
                                {"c", -2}, {"m", -3}, {"u", -6}, {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12}};

constexpr int kLargestPower = 9;
constexpr int kDeepestParenthesis = 16;

std::optional<Unit> find_symbol(std::string_view symbol) {
  for (const UnitSymbol& u : kSymbols)
    if (u.symbol == symbol) return u.unit;
  for (const Prefix& p : kPrefixes) {
    if (!symbol.starts_with(p.symbol)) continue;
    for (const UnitSymbol& u : kSymbols)
      if (u.prefixed && u.symbol == symbol.substr(p.symbol.size())) {
        Unit unit = u.unit;
        unit.decimal += p.decimal;
        return unit;
      }
  }
  return std::nullopt;
}

void multiply(Unit& a, const Unit& b, int power) {
  a.mantissa *= std::pow(b.mantissa, power);
  a.decimal += power * b.decimal;
  for (int k = 0; k < 5; ++k) a.dimension[k] += power * b.dimension[k];
}

class UnitParser {
 public:
  UnitParser(std::string_view text, std::string& error) : text_(text), error_(error) {}

  std::optional<Unit> all() {
    std::optional<Unit> unit = product(0);
    if (unit && at_ < text_.size()) return fail(fmt::format("unexpected `{}` in the unit", text_.substr(at_)));
    return unit;
  }

 private:
  std::optional<Unit> fail(std::string why) {
    if (error_.empty()) error_ = std::move(why);
    return std::nullopt;
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void skip_space() {
    while (take(" ") || take("\t")) {}
  }
  static bool in_symbol(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || static_cast<unsigned char>(c) >= 0x80;
  }

  std::optional<Unit> product(int depth) {
    if (depth > kDeepestParenthesis) return fail("too many parentheses in the unit");
    Unit total;
    bool divided = false;
    int power = 1;
    for (;;) {
      skip_space();
      const std::optional<Unit> next = factor(depth);
      if (!next) return std::nullopt;
      multiply(total, *next, power);
      for (int d : total.dimension)
        if (std::abs(d) > 99) return fail("power too large in the unit");
      const std::size_t before_space = at_;
      skip_space();
      if (at_ == text_.size() || text_[at_] == ')') return total;
      if (take("/")) {
        divided = true;
        power = -1;
      } else if (take("**")) {
        return fail("unexpected `**` in the unit");
      } else if (take("*") || take("·") || take(".") || at_ > before_space) {
        // "kg/m s" would mean kg s/m to a program and kg/(m s) to most readers.
        if (divided) return fail("a product after `/` is ambiguous; use parentheses, as in kg/(m s^2)");
        power = 1;
      } else {
        return fail(fmt::format("unexpected `{}` in the unit", text_.substr(at_)));
      }
    }
  }

  std::optional<Unit> factor(int depth) {
    Unit unit;
    if (take("(")) {
      const std::optional<Unit> inner = product(depth + 1);
      if (!inner) return std::nullopt;
      if (!take(")")) return fail("missing `)` in the unit");
      unit = *inner;
    } else if (at_ < text_.size() && text_[at_] == '1') {
      ++at_;
      return unit;
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() && in_symbol(text_[at_])) {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("²") || rest.starts_with("³") || rest.starts_with("·")) break;
        ++at_;
      }
      const std::string_view symbol = text_.substr(begin, at_ - begin);
      if (symbol.empty()) {
        return fail(at_ < text_.size() ? fmt::format("unexpected `{}` in the unit", text_.substr(at_))
                                       : std::string("unit ends too early"));
      }
      const std::optional<Unit> found = find_symbol(symbol);
      if (!found) return fail(fmt::format("unknown unit `{}`", symbol));
      unit = *found;
    }
    int power = 1;
    if (take("²")) {
      power = 2;
    } else if (take("³")) {
      power = 3;
    } else if (take("^") || take("**")) {
      const char* begin = text_.data() + at_;
      const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), power);
      if (code != std::errc() || std::abs(power) > kLargestPower) return fail("powers in a unit are small integers");
      at_ += end - begin;
    }
    Unit raised;
    multiply(raised, unit, power);
    return raised;
  }

  std::string_view text_;
  std::string& error_;
  std::size_t at_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// value 10^decimal, correctly rounded as long as the power of ten is exact in double.
double scaled(double value, int decimal) {
  return decimal < 0 ? value / std::pow(10.0, -decimal) : value * std::pow(10.0, decimal);
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text, std::string& error) {
  text = trimmed(text);
  if (text.empty()) return Unit{};
  return UnitParser(text, error).all();
}

std::optional<double> parse_quantity(std::string_view text, std::string_view expected, std::string& error) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) {
    error = code == std::errc::result_out_of_range ? "is too large or too small for a number"
                                                   : "does not begin with a number";
    return std::nullopt;
  }
  const std::string_view unit_text = trimmed(text.substr(end - text.data()));
  if (unit_text.empty()) return value;

  std::string why;
  const std::optional<Unit> unit = parse_unit(unit_text, why);
  if (!unit) {
    error = fmt::format("{}; expected {}", why, describe_unit(expected));
    return std::nullopt;
  }
  const Unit target = parse_unit(expected, why).value_or(Unit{});
  std::array<int, 5> without_angle = target.dimension;
  without_angle[3] = 0;
  const bool bare_angle = unit->dimension == without_angle && unit->dimension != target.dimension;
  if (!bare_angle && unit->dimension != target.dimension) {
    error = fmt::format("`{}` has the wrong dimension; expected {}", unit_text, describe_unit(expected));
    return std::nullopt;
  }
  const double target_mantissa = bare_angle ? 1 : target.mantissa;
  return scaled(value * (unit->mantissa / target_mantissa), unit->decimal - target.decimal);
}

std::string describe_unit(std::string_view unit) {
  struct Known {
    std::string_view unit, text;
  };
  static constexpr Known kKnown[] = {
      {"", "a pure number"},
      {"m", "a length [m], such as \"5 mm\""},
      {"s", "a time [s], such as \"20 ms\""},
      {"kg", "a mass [kg], such as \"3 g\""},
      {"kg/m^3", "a density [kg/m^3], such as \"2.5 g/cm^3\""},
      {"Pa", "a pressure [Pa], such as \"20 MPa\""},
      {"N", "a force [N], such as \"2 kN\""},
      {"N s/m", "a damper [N s/m], such as \"3 N s/m\""},
      {"m^2", "an area [m^2], such as \"4 cm^2\""},
      {"kg/s", "a mass per time [kg/s]"},
      {"s/kg", "a speed per force [s/kg]"},
      {"N/m", "a stiffness [N/m], such as \"2 kN/m\""},
      {"m/s", "a velocity [m/s], such as \"3 cm/s\""},
      {"m/s^2", "an acceleration [m/s^2], such as \"9.81 m/s^2\""},
      {"rad/s", "an angular velocity [rad/s], such as \"60 rpm\""},
      {"Hz", "a frequency [Hz], such as \"25 Hz\""},
      {"rad", "an angle [rad], such as \"30 deg\""},
      {"J", "an energy [J], such as \"2 mJ\""},
      {"kg/s", "a mass per time [kg/s], such as \"4 kg/s\""},
      {"C", "a charge [C], such as \"3 nC\""},
      {"V/m", "an electric field [V/m], such as \"5 kV/m\""},
      {"T", "a magnetic field [T], such as \"20 mT\""},
      {"1/s", "a rate [1/s], such as \"3 1/s\""},
      {"F/m", "a permittivity [F/m], such as \"8.85 pF/m\""},
      {"1/Pa", "a wear coefficient [1/Pa], such as \"1e-12 1/Pa\""},
      {"Pa s", "a viscosity [Pa s], such as \"1 mPa s\""},
  };
  for (const Known& k : kKnown)
    if (k.unit == unit) return std::string(k.text);
  return fmt::format("a quantity in {}", unit);
}

std::vector<std::string> unit_symbols() {
  std::vector<std::string> symbols;
  for (const UnitSymbol& u : kSymbols) symbols.emplace_back(u.symbol);
  return symbols;
}

}  // namespace areia
