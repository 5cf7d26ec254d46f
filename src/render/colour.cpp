#include "render/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "areia/error.h"

namespace areia {

namespace {
const std::vector<std::string> kNames{"speed",  "radius", "force", "coordination", "group", "material",
                                      "height", "spin",   "id"};
}

const std::vector<std::string>& colour_by_names() { return kNames; }

std::optional<ColourBy> colour_by_name(std::string_view name) {
  for (std::size_t k = 0; k < kNames.size(); ++k)
    if (kNames[k] == name) return static_cast<ColourBy>(k);
  return {};
}

std::pair<double, double> colour_range(const Frame& frame, const RenderOptions& options) {
  const picture::Scale scale = picture::automatic_scale(picture::colour_values(frame, options), options.colour_by);
  return {scale.low, scale.high};
}

}  // namespace areia

namespace areia::picture {

namespace {

// Oklab (B. Ottosson, "A perceptual color space for image processing", 2020): equal distances look equally large.
Colour from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const auto inside = [](double v) { return static_cast<float>(std::clamp(v, 0.0, 1.0)); };
  return {inside(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          inside(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          inside(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Colour from_polar(double lightness, double chroma, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return from_oklab(lightness, chroma * std::cos(angle), chroma * std::sin(angle));
}

template <class Function>
std::array<Colour, 256> table_of(const Function& colour_at) {
  std::array<Colour, 256> table;
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = colour_at(static_cast<double>(k) / 255);
  return table;
}

Colour look_up(const std::array<Colour, 256>& table, double t) {
  if (!(t > 0)) return table.front();
  return table[static_cast<std::size_t>(std::lround(255 * std::min(t, 1.0)))];
}

}  // namespace

std::uint8_t display_value(float linear) {
  static const std::array<std::uint8_t, 4097> table = [] {
    std::array<std::uint8_t, 4097> values{};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double v = static_cast<double>(k) / 4096;
      const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
      values[k] = static_cast<std::uint8_t>(std::lround(255 * s));
    }
    return values;
  }();
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative, and the nearest entry of a table
  return table[static_cast<std::size_t>(std::clamp(linear, 0.0f, 1.0f) * 4096 + 0.5f)];
}

Colour map_colour(double t) {
  // Lightness rises evenly; the hue runs from violet over blue and green to yellow.
  static const auto table =
      table_of([](double s) { return from_polar(0.39 + 0.53 * s, 0.13 + 0.035 * s, 305 - 200 * std::pow(s, 1.05)); });
  return look_up(table, t);
}

Colour chain_colour(double t) {
  static const auto table =
      table_of([](double s) { return from_polar(0.80 - 0.42 * s, 0.02 + 0.16 * std::sqrt(s), 60 - 32 * s); });
  return look_up(table, t);
}

Colour kind_colour(std::int32_t index) {
  // Eight hues at two lightnesses, neighbours far apart on the circle.
  static constexpr std::array<double, 8> kHues{250, 55, 150, 25, 310, 95, 200, 350};
  const auto k = static_cast<std::size_t>(std::max(index, 0));
  return from_polar(k / 8 % 2 == 0 ? 0.66 : 0.48, 0.13, kHues[k % 8]);
}

bool is_kind(ColourBy by) { return by == ColourBy::group || by == ColourBy::material; }

// The array of frames that a colour is made from, and how many values the frame has of it.
std::pair<const char*, std::size_t> array_behind(const FrameParticles& p, ColourBy by) {
  switch (by) {
    case ColourBy::speed:
      return {"velocity", p.v.size()};
    case ColourBy::force:
      return {"force", p.force.size()};
    case ColourBy::coordination:
      return {"coordination", p.coordination.size()};
    case ColourBy::group:
      return {"group", p.group.size()};
    case ColourBy::material:
      return {"material", p.material.size()};
    case ColourBy::spin:
      return {"spin", p.w.size()};
    case ColourBy::radius:
    case ColourBy::height:
    case ColourBy::id:
      break;
  }
  return {"", p.id.size()};
}

std::vector<double> colour_values(const Frame& frame, const RenderOptions& options) {
  const FrameParticles& p = frame.particles;
  if (const auto [array, size] = array_behind(p, options.colour_by); size != p.id.size())
    throw InputError("colour", kNames[static_cast<std::size_t>(options.colour_by)],
                     std::string("the frame has no array `") + array + "`; output.arrays of its case left it out");
  const Vec3d up = unit(options.up);
  std::vector<double> values(p.id.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    switch (options.colour_by) {
      case ColourBy::speed:
        values[k] = norm(p.v[k]);
        break;
      case ColourBy::radius:
        values[k] = p.radius[k];
        break;
      case ColourBy::force:
        values[k] = norm(p.force[k]);
        break;
      case ColourBy::coordination:
        values[k] = p.coordination[k];
        break;
      case ColourBy::group:
        values[k] = p.group[k];
        break;
      case ColourBy::material:
        values[k] = p.material[k];
        break;
      case ColourBy::height:
        values[k] = dot(p.x[k], up);
        break;
      case ColourBy::spin:
        values[k] = norm(p.w[k]);
        break;
      case ColourBy::id:
        values[k] = static_cast<double>(p.id[k]);
        break;
    }
  }
  return values;
}

Scale automatic_scale(const std::vector<double>& values, ColourBy by) {
  std::vector<double> finite;
  for (const double v : values)
    if (std::isfinite(v)) finite.push_back(v);
  if (finite.empty()) return {};
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  Scale scale{*low, *high, false};
  const bool from_zero =
      by == ColourBy::speed || by == ColourBy::force || by == ColourBy::spin || by == ColourBy::coordination;
  if (from_zero) {
    scale.low = 0;
    // One grain that flies away must not turn all others into one colour.
    const auto rank = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(finite.size() - 1));
    std::nth_element(finite.begin(), finite.begin() + rank, finite.end());
    const double most = finite[static_cast<std::size_t>(rank)];
    if (most > 0 && scale.high > 2.5 * most) scale = {0, most, true};
  }
  if (by == ColourBy::radius && scale.high - scale.low < 1e-9 * scale.high) scale.low = scale.high;
  return scale;
}

std::string label_of(ColourBy by) {
  switch (by) {
    case ColourBy::speed:
      return "speed (m/s)";
    case ColourBy::radius:
      return "radius (m)";
    case ColourBy::force:
      return "force (N)";
    case ColourBy::coordination:
      return "coordination";
    case ColourBy::group:
      return "group";
    case ColourBy::material:
      return "material";
    case ColourBy::height:
      return "height (m)";
    case ColourBy::spin:
      return "spin (rad/s)";
    case ColourBy::id:
      return "id";
  }
  return {};
}

}  // namespace areia::picture
