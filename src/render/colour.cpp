#include "render/colour.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "areia/error.h"
#include "core/suggest.h"
#include "io/frames/frame_files.h"

namespace areia {

std::vector<std::string> colour_names(const Frame& frame) {
  std::vector<std::string> names;
  for (const ParticleColumn& column : particle_columns(frame.particles))
    if (column.components <= 3 && column.name != "prescribed") names.push_back(column.name);
  if (std::find(names.begin(), names.end(), "speed") == names.end() &&
      std::find(names.begin(), names.end(), "velocity") != names.end())
    names.emplace_back("speed");
  names.emplace_back("height");
  return names;
}

ColourScale colour_scale(const Frame& frame, const RenderOptions& options) {
  return picture::scale_of(picture::colouring(frame, options.colour_by, options.up), frame, options.duration);
}

ColourScale joined(const ColourScale& a, const ColourScale& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.beyond || b.beyond, a.at_rest && b.at_rest};
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

Colour pull_colour(double t) {
  static const auto table =
      table_of([](double s) { return from_polar(0.80 - 0.42 * s, 0.02 + 0.15 * std::sqrt(s), 225 + 30 * s); });
  return look_up(table, t);
}

Colour dark_chain_colour(double t) {
  static const auto table =
      table_of([](double s) { return from_polar(0.42 + 0.48 * s, 0.03 + 0.13 * std::sqrt(s), 30 + 65 * s); });
  return look_up(table, t);
}

Colour dark_pull_colour(double t) {
  static const auto table =
      table_of([](double s) { return from_polar(0.42 + 0.48 * s, 0.03 + 0.11 * std::sqrt(s), 260 - 45 * s); });
  return look_up(table, t);
}

Colour displayed(const Colour& linear) {
  const auto shown = [](float v) { return static_cast<float>(display_value(v)) / 255; };
  return {shown(linear.r), shown(linear.g), shown(linear.b)};
}

Colour kind_colour(std::int32_t index) {
  // Eight hues at two lightnesses, neighbours far apart on the circle.
  static constexpr std::array<double, 8> kHues{250, 55, 150, 25, 310, 95, 200, 350};
  const auto k = static_cast<std::size_t>(std::max(index, 0));
  return from_polar(k / 8 % 2 == 0 ? 0.66 : 0.48, 0.13, kHues[k % 8]);
}

namespace {

// A speed below which grains are at rest: they move less than a thousandth of their radius in the whole run.
double least_motion(const Frame& frame, double duration) {
  const std::vector<double>& radius = frame.particles.radius;
  if (!(duration > 0) || radius.empty()) return 0;
  double sum = 0;
  for (const double r : radius) sum += r;
  return 1e-3 * sum / static_cast<double>(radius.size()) / duration;
}

// "velocity.x": an array and a part of its vectors.
std::pair<std::string, std::string> parted(const std::string& name) {
  const std::size_t dot = name.find('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

std::string label_of(const std::string& name) {
  static const std::map<std::string, std::string> labels{
      {"velocity", "speed (m/s)"}, {"speed", "speed (m/s)"},   {"spin", "spin (rad/s)"},
      {"force", "force (N)"},      {"torque", "torque (N m)"}, {"radius", "radius (m)"},
      {"mass", "mass (kg)"},       {"charge", "charge (C)"},   {"height", "height (m)"}};
  const auto [array, part] = parted(name);
  const auto found = labels.find(array);
  std::string label = found == labels.end() ? array : found->second;
  if (part.empty() || part == "length") return label;
  // "speed (m/s)" is the length of "velocity x (m/s)"
  const std::size_t unit = label.find(" (");
  return array + " " + part + (unit == std::string::npos ? "" : label.substr(unit));
}

}  // namespace

Colouring colouring(const Frame& frame, const std::string& name, const Vec3d& up) {
  const FrameParticles& p = frame.particles;
  const auto [array, part] = parted(name);
  const int component = part.size() == 1 ? static_cast<int>(std::string_view("xyz").find(part)) : -1;
  Colouring made;
  made.label = label_of(name);
  made.motion = (array == "speed" || array == "velocity") && component < 0;
  made.values.resize(p.id.size());
  if (name == "height") {
    for (std::size_t k = 0; k < p.x.size(); ++k) made.values[k] = dot(p.x[k], unit(up));
    return made;
  }
  const std::vector<ParticleColumn> columns = particle_columns(p);
  const auto has = [&](const std::string& wanted) {
    return std::find_if(columns.begin(), columns.end(),
                        [&](const ParticleColumn& c) { return c.name == wanted && c.components <= 3; });
  };
  auto column = has(array);
  if (column == columns.end() && made.motion) column = has(array == "speed" ? "velocity" : "speed");
  const bool is_part = part.empty() || (column != columns.end() && column->components > 1 &&
                                        (part == "length" || (component >= 0 && component < column->components)));
  if (column == columns.end() || !is_part) {
    if (p.id.empty()) return made;  // nothing to colour
    const std::vector<std::string> names = colour_names(frame);
    throw InputError(
        "colour", name,
        fmt::format("the frame has no such array{}; it has {}", suggestion(name, names), fmt::join(names, ", ")));
  }
  made.kinds = name == "group" || name == "material";
  made.whole = made.kinds || name == "coordination" || name == "id";
  made.from_zero = (column->components > 1 && component < 0) || made.motion || name == "coordination";
  for (std::size_t k = 0; k < made.values.size(); ++k) {
    if (component >= 0 || column->components == 1) made.values[k] = column->value(k, std::max(component, 0));
    else made.values[k] = std::hypot(column->value(k, 0), column->value(k, 1), column->value(k, 2));
  }
  return made;
}

ColourScale scale_of(const Colouring& colouring, const Frame& frame, double duration) {
  std::vector<double> finite;
  finite.reserve(colouring.values.size());
  for (const double v : colouring.values)
    if (std::isfinite(v)) finite.push_back(v);
  if (finite.empty()) return {};
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  ColourScale scale{*low, *high};
  if (scale.high - scale.low < 1e-9 * std::abs(scale.high)) scale.low = scale.high;
  if (!colouring.from_zero) return scale;
  scale.low = 0;
  // One grain that flies away must not turn all others into one colour.
  const auto rank = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(finite.size() - 1));
  std::nth_element(finite.begin(), finite.begin() + rank, finite.end());
  const double most = finite[static_cast<std::size_t>(rank)];
  if (most > 0 && scale.high > 2.5 * most) {
    scale.high = most;
    scale.beyond = true;
  }
  if (const double least = least_motion(frame, duration); colouring.motion && scale.high < least) {
    scale.high = least;
    scale.at_rest = !scale.beyond;
  }
  return scale;
}

}  // namespace areia::picture
