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
constexpr double kTop = 0.26, kBottom = 0.76;  // of the height of the picture

double text_size(const Image& image) { return 9.6 * unit_of(image); }

// The label over the legend, its unit on a line of its own where both do not fit side by side; `top`: of the scale.
void write_label(Image& image, double left, double top, const std::string& label) {
  const double u = unit_of(image), size = text_size(image), room = image.width - left - 4 * u;
  TextLook look;
  look.size = size;
  const std::size_t bracket = label.find(" (");
  if (bracket == std::string::npos || text_width(label, size) <= room) {
    draw_text(image, left, top - 8 * u, fitted(label, size, room), look);
    return;
  }
  draw_text(image, left, top - 8 * u - 1.25 * size, fitted(label.substr(0, bracket), size, room), look);
  draw_text(image, left, top - 8 * u, fitted(label.substr(bracket + 1), size, room), look);
}

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

double legend_bottom(const Image& image) { return kBottom * image.height; }

void draw_bar(Image& image, const std::string& label, const ColourScale& scale, bool whole_numbers,
              const std::function<Colour(double)>& colour_at, const std::string& note) {
  const double u = unit_of(image), size = text_size(image);
  const double left = image.width - legend_width(image) + 4 * u, right = left + 9 * u;
  const double top = std::round(kTop * image.height), bottom = std::round(kBottom * image.height);
  std::vector<std::string> notes;
  if (scale.at_rest) notes.emplace_back("all at rest");
  if (scale.beyond) notes.emplace_back("some beyond");
  if (!note.empty()) notes.push_back(note);
  make_pale(image, left - 4 * u, top - 34 * u, image.width, bottom + (8 + 12 * static_cast<double>(notes.size())) * u);
  const std::vector<double> ticks = round_ticks(scale.low, scale.high, whole_numbers);
  const TickTexts texts = tick_texts(ticks);
  write_label(image, left, top, with_factor(label, texts.factor));
  const double line = std::max(1.0, std::round(0.5 * u));
  fill(image, left - line, top - line, right + line, bottom + line, kFrameColour);
  for (double y = top; y < bottom; ++y)
    fill(image, left, y, right, y + 1, colour_at((bottom - y - 0.5) / (bottom - top)));
  TextLook look;
  look.size = size;
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    const double y = bottom - scale.position(ticks[k]) * (bottom - top);
    fill(image, right, y - 0.5 * line, right + 3 * u, y + 0.5 * line, kFrameColour);
    const bool above = scale.beyond && ticks[k] >= scale.high * 0.999;
    draw_text(image, right + 5 * u, y + 0.36 * size, (above ? "≥ " : "") + texts.texts[k], look);
  }
  look.size = 0.85 * size;
  for (std::size_t k = 0; k < notes.size(); ++k)
    draw_text(image, left, bottom + (14 + 11 * static_cast<double>(k)) * u, notes[k], look);
}

void draw_names(Image& image, const std::string& label, const std::vector<std::string>& names) {
  const double u = unit_of(image), size = text_size(image), left = image.width - legend_width(image) + 4 * u;
  double y = kTop * image.height;
  const std::size_t shown = std::min<std::size_t>(names.size(), 16);
  make_pale(image, left - 4 * u, y - 34 * u, image.width, y + 13 * u * (static_cast<double>(shown) + 0.5));
  write_label(image, left, y, label);
  TextLook look;
  look.size = size;
  for (std::size_t k = 0; k < shown; ++k, y += 13 * u) {
    fill(image, left, y, left + 8 * u, y + 8 * u, kind_colour(static_cast<std::int32_t>(k)));
    draw_text(image, left + 12 * u, y + 7.5 * u, fitted(names[k], size, image.width - left - 14 * u), look);
  }
  if (shown < names.size()) draw_text(image, left, y + 7.5 * u, "…", look);
}

}  // namespace areia::picture
