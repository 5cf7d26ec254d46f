// The legend at the right side: a bar with round numbers, or a list of names.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "render/colour.h"
#include "render/ticks.h"

namespace areia::picture {

// Unit of lengths on the picture (pixels): text and margins grow with it.
double unit_of(const Image& image);

// Width that the legend takes at the right side, pixels.
double legend_width(const Image& image);

double legend_bottom(const Image& image);  // where its scale ends

// Makes what is drawn in a rectangle pale, so that text on it can be read.
void make_pale(Image& image, double x0, double y0, double x1, double y1);

void draw_bar(Image& image, const std::string& label, const ColourScale& scale, bool whole_numbers,
              const std::function<Colour(double)>& colour_at, const std::string& note = "");
void draw_names(Image& image, const std::string& label, const std::vector<std::string>& names);

}  // namespace areia::picture
