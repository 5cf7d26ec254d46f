// Colours: a perceptually uniform map for numbers, a palette for kinds, and which number a grain is coloured by.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "areia/frame.h"
#include "render/render.h"

namespace areia::picture {

struct Colour {  // linear light, 0..1
  float r = 0, g = 0, b = 0;
};
inline Colour operator*(float s, const Colour& c) { return {s * c.r, s * c.g, s * c.b}; }
inline Colour mix(const Colour& a, const Colour& b, float t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

// sRGB byte of a linear value.
std::uint8_t display_value(float linear);

// 0..1 from dark violet through blue and green to light yellow; equal steps look equally large.
Colour map_colour(double t);
// From light grey to dark red, for forces in chains.
Colour chain_colour(double t);
// For groups and materials.
Colour kind_colour(std::int32_t index);

bool is_kind(ColourBy by);

// What a grain is coloured by: one value per grain (index for kinds).
std::vector<double> colour_values(const Frame& frame, const RenderOptions& options);

struct Scale {
  double low = 0, high = 1;
  bool saturated = false;  // a few values lie above `high`
  double position(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};
Scale automatic_scale(const std::vector<double>& values, ColourBy by);

std::string label_of(ColourBy by);  // "speed (m/s)"

}  // namespace areia::picture
