#include "render/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace areia {

double round_step(double range, bool whole_numbers) {
  const double raw = range / 5, power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= raw * 0.999) step = factor * power;
  return whole_numbers ? std::max(1.0, std::round(step)) : step;
}

std::vector<double> round_ticks(double low, double high, bool whole_numbers) {
  if (!(high > low)) return {low};
  const double step = round_step(high - low, whole_numbers);
  std::vector<double> ticks;
  const double slack = 1e-9 * (high - low);
  constexpr std::size_t kMost = 100;  // there are a dozen, but for limits beyond all numbers
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < kMost; ++k)
    ticks.push_back(k * step + 0.0);
  return ticks;
}

std::string power_of_ten(int exponent) {
  static constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  if (exponent < 0) text += "⁻";
  for (const char digit : std::to_string(std::abs(exponent))) text += kRaised[digit - '0'];
  return text;
}

TickTexts tick_texts(const std::vector<double>& ticks) {
  TickTexts made;
  double largest = 0, step = 0;
  for (const double t : ticks) largest = std::max(largest, std::abs(t));
  for (std::size_t k = 1; k < ticks.size(); ++k) step = std::max(step, std::abs(ticks[k] - ticks[k - 1]));
  int exponent = 0;
  // One number is written as it is; a scale within 0.01 to 100 000 needs no factor.
  if (ticks.size() > 1 && std::isfinite(largest) && largest > 0 && (largest < 0.00999 || largest > 99999))
    exponent = 3 * static_cast<int>(std::floor(std::log10(largest * 1.000001) / 3));
  if (exponent != 0) made.factor = "×" + power_of_ten(exponent);
  const double unit = std::pow(10.0, exponent);
  const int digits = step > 0 ? std::clamp(-static_cast<int>(std::floor(std::log10(step / unit) + 1e-6)), 0, 12) : -1;
  for (const double t : ticks) {
    const double shown = std::abs(t) < 1e-9 * step ? 0.0 : t / unit;
    std::string text =
        digits < 0 || std::abs(shown) > 1e15 ? fmt::format("{:.4g}", shown) : fmt::format("{:.{}f}", shown, digits);
    if (text.starts_with('-')) text.replace(0, 1, "−");
    made.texts.push_back(std::move(text));
  }
  return made;
}

std::string with_factor(const std::string& label, const std::string& factor) {
  if (factor.empty()) return label;
  const std::size_t bracket = label.rfind('(');
  if (bracket == std::string::npos || !label.ends_with(')')) return label.empty() ? factor : label + " " + factor;
  return label.substr(0, bracket + 1) + factor.substr(std::string("×").size()) + " " + label.substr(bracket + 1);
}

}  // namespace areia
