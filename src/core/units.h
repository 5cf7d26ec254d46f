// Quantities written with a unit: "5 mm", "2.5 g/cm^3", "60 rpm". The unit's dimension is checked against the one
// that the reader of the value expects.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace areia {

// A unit reduced to base units: mantissa 10^decimal m^a kg^b s^c rad^d A^e.
// The power of ten is kept apart because 7 / 10^3 is the double nearest to 0.007 while 7 * 0.001 need not be.
// The angle is a dimension of its own: otherwise "60 rpm" could not be told from "60 Hz".
struct Unit {
  double mantissa = 1;
  int decimal = 0;
  std::array<int, 5> dimension{};  // exponents of m, kg, s, rad, A
};

// A unit expression: products (space, * or .), quotients, integer powers, parentheses, SI prefixes. "" is a pure
// number. On failure nothing is returned and `error` says why.
std::optional<Unit> parse_unit(std::string_view text, std::string& error);

// A number with an optional unit, in units of `expected`, which is a valid unit expression or "". A quantity without
// angle is accepted where an angle is expected ("2 1/s" for rad/s, and for Hz as cycles per second).
std::optional<double> parse_quantity(std::string_view text, std::string_view expected, std::string& error);

// "a length, such as 5 mm": what a value of this unit is, for messages.
std::string describe_unit(std::string_view unit);

// Units known without prefix, for the reference page.
std::vector<std::string> unit_symbols();

}  // namespace areia
