// Colours: a perceptually uniform map for numbers, a palette for kinds, and which number a grain is coloured by.
#pragma once
#include <cstdint>
#include <string>
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
// From light grey to dark blue, for forces that pull.
Colour pull_colour(double t);
// The same on dark paper: from dark to light.
Colour dark_chain_colour(double t);
Colour dark_pull_colour(double t);
// For groups and materials.
Colour kind_colour(std::int32_t index);

// The same as the bytes of a screen divided by 255, where light is not added up but mixed as on the page.
Colour displayed(const Colour& linear);

// What grains are coloured by.
struct Colouring {
  std::vector<double> values;  // one per grain; an index for kinds
  std::string label;           // "speed (m/s)"
  bool kinds = false;          // groups and materials: a name for each
  bool whole = false;          // counts and numbers of grains
  bool from_zero = false;      // lengths of vectors and counts
  bool motion = false;         // speeds, which may be those of rest
};
// By an array of the frame, vectors by their length (`velocity`, or `velocity.length`) or a component (`velocity.x`),
// or by `height`. Throws InputError where the frame has no such array.
Colouring colouring(const Frame& frame, const std::string& name, const Vec3d& up);

// The range of the values. Where it begins at zero, a few values far above all others lie beyond it; speeds of grains
// that would move less than a thousandth of their radius from the first to the last frame are not spread over all
// colours. The page is told it with each frame (studio/frame_message.h).
ColourScale scale_of(const Colouring& colouring, const Frame& frame, double duration);

}  // namespace areia::picture
