#include "core/units.h"

#include <gtest/gtest.h>

#include <numbers>

namespace areia {
namespace {

constexpr double kPi = std::numbers::pi;

double quantity(const std::string& text, const std::string& unit) {
  std::string error;
  const auto value = parse_quantity(text, unit, error);
  EXPECT_TRUE(value.has_value()) << text << ": " << error;
  return value.value_or(-12345);
}

std::string failure(const std::string& text, const std::string& unit) {
  std::string error;
  const auto value = parse_quantity(text, unit, error);
  EXPECT_FALSE(value.has_value()) << text << " gave " << value.value_or(0);
  return error;
}

TEST(Units, DecimalPrefixesGiveTheNearestDouble) {
  EXPECT_EQ(quantity("5 mm", "m"), 0.005);
  EXPECT_EQ(quantity("7mm", "m"), 0.007);
  EXPECT_EQ(quantity("2.5 g/cm^3", "kg/m^3"), 2500.0);
  EXPECT_EQ(quantity("20 MPa", "Pa"), 2e7);
  EXPECT_EQ(quantity("20 ms", "s"), 0.02);
  EXPECT_EQ(quantity("3 um", "m"), 3e-6);
  EXPECT_EQ(quantity("3 µm", "m"), 3e-6);
  EXPECT_EQ(quantity("2 kN/m", "N/m"), 2000.0);
  EXPECT_EQ(quantity("2 t", "kg"), 2000.0);
  EXPECT_EQ(quantity("1.5 L", "m^3"), 0.0015);
  EXPECT_EQ(quantity("12 %", ""), 0.12);
  for (int k = 1; k < 1000; ++k) {
    EXPECT_EQ(quantity(std::to_string(k) + " mm", "m"), k / 1000.0);
    EXPECT_EQ(quantity(std::to_string(k) + " g/cm^3", "kg/m^3"), k * 1000.0);
  }
}

TEST(Units, ProductsQuotientsAndPowers) {
  EXPECT_EQ(quantity("9.81 m/s^2", "m/s^2"), 9.81);
  EXPECT_EQ(quantity("9.81 m/s/s", "m/s^2"), 9.81);
  EXPECT_EQ(quantity("9.81 m s^-2", "m/s^2"), 9.81);
  EXPECT_EQ(quantity("9.81 m/s²", "m/s^2"), 9.81);
  EXPECT_EQ(quantity("9.81 m/s**2", "m/s^2"), 9.81);
  EXPECT_EQ(quantity("3 kg/(m s^2)", "Pa"), 3.0);
  EXPECT_EQ(quantity("3 kg*m/s^2", "N"), 3.0);
  EXPECT_EQ(quantity("3 N·m", "J"), 3.0);
  EXPECT_EQ(quantity("3 N.m", "J"), 3.0);
  EXPECT_EQ(quantity("36 km/h", "m/s"), 10.0);
  EXPECT_EQ(quantity("1 1/s", "1/s"), 1.0);
  EXPECT_EQ(quantity("2 1/min", "1/s"), 2.0 / 60);
  EXPECT_EQ(quantity("-1e-3 m", "m"), -1e-3);
  EXPECT_EQ(quantity("+4 m", "m"), 4.0);
  EXPECT_EQ(quantity(" 4 ", "m"), 4.0);
}

// A turn is 2 pi radians: rpm and Hz mean different numbers to a frequency and to an angular velocity.
TEST(Units, AnglesAreADimension) {
  EXPECT_DOUBLE_EQ(quantity("30 deg", "rad"), kPi / 6);
  EXPECT_DOUBLE_EQ(quantity("60 rpm", "rad/s"), 2 * kPi);
  EXPECT_DOUBLE_EQ(quantity("60 rpm", "Hz"), 1.0);
  EXPECT_EQ(quantity("25 Hz", "Hz"), 25.0);
  EXPECT_DOUBLE_EQ(quantity("25 Hz", "rad/s"), 50 * kPi);
  EXPECT_DOUBLE_EQ(quantity("1 kHz", "Hz"), 1000.0);
  EXPECT_EQ(quantity("3 1/s", "rad/s"), 3.0);
  EXPECT_EQ(quantity("3 1/s", "Hz"), 3.0);
  EXPECT_EQ(quantity("3 rad/s", "rad/s"), 3.0);
  EXPECT_DOUBLE_EQ(quantity("3 deg/s", "rad/s"), kPi / 60);
  EXPECT_NE(failure("3 rad", ""), "");
}

TEST(Units, ErrorsSayWhatIsExpected) {
  EXPECT_NE(failure("5 kg", "m").find("expected a length [m]"), std::string::npos);
  EXPECT_NE(failure("5 parsec", "m").find("unknown unit `parsec`; expected a length"), std::string::npos);
  EXPECT_NE(failure("5 m", "").find("a pure number"), std::string::npos);
  EXPECT_NE(failure("mm", "m").find("begin with a number"), std::string::npos);
  EXPECT_NE(failure("", "m").find("begin with a number"), std::string::npos);
  EXPECT_NE(failure("1e999 m", "m").find("too large"), std::string::npos);
  EXPECT_NE(failure("3 kg/m s", "kg/m").find("ambiguous"), std::string::npos);
  EXPECT_NE(failure("3 kg/(m s", "kg/m").find("missing `)`"), std::string::npos);
  EXPECT_NE(failure("3 m^99999999999", "m").find("small integers"), std::string::npos);
  EXPECT_NE(failure("3 m^", "m").find("small integers"), std::string::npos);
  EXPECT_NE(failure("3 m/", "m").find("ends too early"), std::string::npos);
  EXPECT_NE(failure("3 " + std::string(1000, '(') + "m", "m").find("too many parentheses"), std::string::npos);
  EXPECT_NE(failure("3 m $", "m"), "");
  EXPECT_NE(failure("3 mmin", "s"), "");  // no prefix on the minute
}

}  // namespace
}  // namespace areia
