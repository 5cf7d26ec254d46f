#include "verify/drawings.h"

#include <cmath>
#include <numbers>

namespace areia::verify::drawings {

namespace {

using Point = Sketch::Point;
constexpr double kDegree = std::numbers::pi / 180;

// A slender bar as a thin closed outline.
void bar(Sketch& s, Point from, Point to, double width) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  const double nx = -dy / length * width / 2, ny = dx / length * width / 2;
  s.line({{from.x + nx, from.y + ny}, {to.x + nx, to.y + ny}, {to.x - nx, to.y - ny}, {from.x - nx, from.y - ny}},
         true);
}

void arc(Sketch& s, Point centre, double radius, double from, double to) {
  std::vector<Point> points;
  for (int k = 0; k <= 24; ++k) {
    const double a = (from + (to - from) * k / 24) * kDegree;
    points.push_back({centre.x + radius * std::cos(a), centre.y + radius * std::sin(a)});
  }
  s.line(points);
  s.arrow(points[22], points[24]);
}

}  // namespace

Sketch bar_over_floor(double degrees) {
  Sketch s;
  const double c = std::cos(degrees * kDegree), d = std::sin(degrees * kDegree);
  s.ground({-0.3, 0}, {1.3, 0});
  bar(s, {0, 0.02}, {c, d + 0.02}, 0.04);
  s.arrow({c / 2, d / 2}, {c / 2 + 0.1, d / 2 - 0.25}, "v");
  s.arrow({0, 0}, {0, 0.35}, "I_N").arrow({0, 0}, {0.2, 0}, "I_T");
  return s;
}

Sketch pendulum(int links) {
  Sketch s;
  const double angles[] = {20, 32};
  Point at{0, static_cast<double>(links)};
  s.ground({0.3, at.y}, {-0.3, at.y});
  for (int k = 0; k < links; ++k) {
    const double a = angles[k] * kDegree;
    const Point next{at.x + std::sin(a), at.y - std::cos(a)};
    bar(s, at, next, 0.06);
    s.disc(at, 0.05);
    at = next;
  }
  s.ground({at.x - 0.6, at.y}, {at.x + 0.6, at.y});
  s.arrow(at, {at.x - 0.35, at.y + 0.05}, "v");
  return s;
}

Sketch three_coins() {
  Sketch s;
  const double a = 30 * kDegree;
  s.disc({0, 0}, 1).disc({2 * std::sin(a), 2 * std::cos(a)}, 1).disc({-2 * std::sin(a), 2 * std::cos(a)}, 1);
  s.arrow({0, -0.6}, {0, 0.7}, "v");
  return s;
}

Sketch impulse_plane() {
  Sketch s;
  s.arrow({0, 0}, {0, 1.5}, "I_N").arrow({-0.9, 0}, {0.9, 0}, "I_T");
  s.line({{-0.6, 1.5}, {0, 0}, {0.6, 1.5}});
  s.dashed({-0.6, 0.45}, {0.8, 0.9}).dashed({-0.2, 0}, {0.5, 1.5});
  s.label({0.75, 1.35}, "mu I_N");
  return s;
}

Sketch sphere_on_plate() {
  Sketch s;
  s.ground({-1.4, 0}, {1.4, 0}).disc({0, 0.95}, 1).arrow({0, 0.95}, {0, 0.1}, "F");
  return s;
}

Sketch two_spheres() {
  Sketch s;
  s.disc({-1.5, 0}, 1).disc({1.5, 0}, 1);
  s.arrow({-1.5, 0}, {-0.6, 0}, "v").arrow({1.5, 0}, {0.6, 0});
  return s;
}

Sketch turning_sphere() {
  Sketch s;
  s.disc({0, 0}, 1).arrow({0, 0}, {0.9, 0.5}, "first").arrow({0, 0}, {-0.5, 0.9}, "second");
  arc(s, {0, 0}, 1.25, 20, 110);
  return s;
}

}  // namespace areia::verify::drawings
