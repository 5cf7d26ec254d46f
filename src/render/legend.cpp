#include "render/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/text.h"

namespace areia::picture {

namespace {

void fill(Image& image, double x0, double y0, double x1, double y1, const Colour& colour) {
  const std::uint8_t rgb[3] = {display_value(colour.r), display_value(colour.g), display_value(colour.b)};
  for (int y = std::max(0, int(std::lround(y0))); y < std::min(image.height, int(std::lround(y1))); ++y)
    for (int x = std::max(0, int(std::lround(x0))); x < std::min(image.width, int(std::lround(x1))); ++x)
      std::copy_n(rgb, 3, image.rgb.data() + (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3);
}

constexpr Colour kFrameColour{0.05f, 0.05f, 0.05f};

}  // namespace

void make_pale(Image& image, double x0, double y0, double x1, double y1) {
  for (int y = std::max(0, int(std::lround(y0))); y < std::min(image.height, int(std::lround(y1))); ++y)
    for (int x = std::max(0, int(std::lround(x0))); x < std::min(image.width, int(std::lround(x1))); ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        std::uint8_t& value = image.rgb[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3 + c];
        value = static_cast<std::uint8_t>(255 - (255 - value) / 6);
      }
}

double unit_of(const Image& image) { return std::max(0.75, std::min(image.height / 450.0, image.width / 600.0)); }

double legend_width(const Image& image) { return 84 * unit_of(image); }

std::vector<double> round_ticks(double low, double high, bool whole_numbers) {
  if (!(high > low)) return {low};
  const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= raw * 0.999) step = factor * power;
  if (whole_numbers) step = std::max(1.0, std::round(step));
  std::vector<double> ticks;
  const double slack = 1e-9 * (high - low);
  constexpr std::size_t kMost = 100;  // there are a dozen, but for limits beyond all numbers
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < kMost; ++k)
    ticks.push_back(k * step + 0.0);
  return ticks;
}

void draw_bar(Image& image, const std::string& label, const ColourScale& scale, bool whole_numbers,
              const std::function<Colour(double)>& colour_at) {
  const double u = unit_of(image), left = image.width - legend_width(image) + 4 * u, right = left + 9 * u;
  const double top = std::round(0.28 * image.height), bottom = std::round(0.78 * image.height);
  make_pale(image, left - 4 * u, top - 18 * u, image.width, bottom + (scale.beyond ? 16 : 6) * u);
  draw_text(image, left, top - 14 * u, u, label);
  const double line = std::max(1.0, std::round(0.5 * u));
  fill(image, left - line, top - line, right + line, bottom + line, kFrameColour);
  for (double y = top; y < bottom; ++y)
    fill(image, left, y, right, y + 1, colour_at((bottom - y - 0.5) / (bottom - top)));
  for (const double tick : round_ticks(scale.low, scale.high, whole_numbers)) {
    const double y = bottom - scale.position(tick) * (bottom - top);
    fill(image, right, y - 0.5 * line, right + 3 * u, y + 0.5 * line, kFrameColour);
    const bool above = scale.beyond && tick >= scale.high * 0.999;
    draw_text(image, right + 5 * u, y - 3.5 * u, u, fmt::format("{}{:.5g}", above ? ">" : "", tick));
  }
  if (scale.beyond) draw_text(image, left, bottom + 7 * u, 0.75 * u, "top 1 % beyond");
}

void draw_names(Image& image, const std::string& label, const std::vector<std::string>& names) {
  const double u = unit_of(image), left = image.width - legend_width(image) + 4 * u;
  double y = 0.28 * image.height;
  const std::size_t shown = std::min<std::size_t>(names.size(), 16);
  make_pale(image, left - 4 * u, y - 18 * u, image.width, y + 13 * u * (static_cast<double>(shown) + 0.5));
  draw_text(image, left, y - 14 * u, u, label);
  for (std::size_t k = 0; k < shown; ++k, y += 13 * u) {
    fill(image, left, y, left + 8 * u, y + 8 * u, kind_colour(static_cast<std::int32_t>(k)));
    draw_text(image, left + 12 * u, y + 0.5 * u, u, names[k].substr(0, 11));
  }
  if (shown < names.size()) draw_text(image, left, y, u, "...");
}

}  // namespace areia::picture
