// A plot as SVG text: axes with ticks, lines, points, a legend. Nothing else is needed to show it.
#pragma once
#include <string>

#include "verify/sheet.h"

namespace areia::verify {

std::string svg_plot(const Plot& plot);

}  // namespace areia::verify
