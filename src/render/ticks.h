// Round numbers on scales and axes, and how they are written.
#pragma once
#include <string>
#include <vector>

namespace areia {

// 1, 2 or 5 times a power of ten, so that about five steps make up the range; at least 1 for whole numbers.
double round_step(double range, bool whole_numbers = false);

// Multiples of the step inside [low, high].
std::vector<double> round_ticks(double low, double high, bool whole_numbers);

// Numbers of one scale with equal digits and, where they are very small or large, a common power of ten.
struct TickTexts {
  std::vector<std::string> texts;
  std::string factor;  // "×10⁻³", or ""
};
TickTexts tick_texts(const std::vector<double>& ticks);

std::string power_of_ten(int exponent);  // "10⁻³"

// A label with its factor before the unit: "speed (10⁻³ m/s)".
std::string with_factor(const std::string& label, const std::string& factor);

}  // namespace areia
