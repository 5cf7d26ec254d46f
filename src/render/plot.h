// Plots: panels with axes that hold lines, areas, stems, marks and texts, as SVG text or as an image. All plots of the
// program are drawn here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "render/render.h"

namespace areia::plot {

std::string escaped(const std::string& text);  // as text or attribute within SVG and HTML

struct Line {
  std::string label;  // "" : not in the legend
  std::string colour = "#444444";
  std::vector<double> x, y;  // a gap in the line where a value is not finite
  double width = 1.5;
  std::string dash;  // "6 3"
  std::string fill;  // of an area; "" : none
  double opacity = 1;
  bool stretches = true;  // counts when the ranges of the axes are found
  bool arrow = false;     // at its end
};

struct Mark {
  std::string label;
  std::string colour = "#444444";
  double x = 0, y = 0;
  std::string shape = "disc";  // disc, ring, square, cross
  std::string text;            // written beside it
};

// From the axis y = 0 to the value.
struct Stems {
  std::string label, colour = "#444444";
  std::vector<double> x, y;
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Line> lines;  // drawn in this order, then stems, then marks
  std::vector<Stems> stems;
  std::vector<Mark> marks;
  bool equal = false;  // one unit is as long upwards as to the right
  bool zero = false;   // the axes through the origin are drawn
  bool log_x = false;  // powers of ten to the right; what is not positive is left out
  std::optional<double> x_low, x_high, y_low, y_high;
};

// One picture with the panels row by row.
std::string svg_page(const std::vector<Panel>& panels, int columns, const std::string& title, double width = 460,
                     double height = 300);

// The same with so many pixels for each unit of width and height.
Image image_page(const std::vector<Panel>& panels, int columns, const std::string& title, double width = 460,
                 double height = 300, double pixels = 2);

// The colours of the source: vertical and left green, horizontal and right blue.
inline constexpr const char* kGreen = "#1a8a3a";
inline constexpr const char* kBlue = "#1f4fd1";
inline constexpr const char* kRed = "#c8283c";
// A colour for the k-th of several things.
const char* colour(std::size_t k);

}  // namespace areia::plot
