#include "verify/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "render/plot.h"

namespace areia::verify {

namespace {

constexpr double kWidth = 300, kHeight = 220, kMargin = 16;
constexpr const char* kInk = "#333333";

using Point = Sketch::Point;
using plot::escaped;

// A tenth of a pixel is enough, and keeps pictures of thousands of grains small.
std::string pixel(double v) {
  std::string text = fmt::format("{:.1f}", v);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

}  // namespace

Sketch& Sketch::disc(Point centre, double radius, double shade) {
  strokes_.push_back({Look::disc, {centre}, radius, shade, ""});
  return *this;
}
Sketch& Sketch::line(std::vector<Point> points, bool closed) {
  strokes_.push_back({closed ? Look::closed : Look::line, std::move(points), 0, 1, ""});
  return *this;
}
Sketch& Sketch::dashed(Point from, Point to) {
  strokes_.push_back({Look::dashed, {from, to}, 0, 1, ""});
  return *this;
}
Sketch& Sketch::arrow(Point from, Point to, std::string label) {
  strokes_.push_back({Look::arrow, {from, to}, 0, 1, std::move(label)});
  return *this;
}
Sketch& Sketch::label(Point at, std::string text) {
  strokes_.push_back({Look::label, {at}, 0, 1, std::move(text)});
  return *this;
}
Sketch& Sketch::ground(Point from, Point to) {
  strokes_.push_back({Look::hatch, {from, to}, 0, 1, ""});
  return *this;
}
Sketch& Sketch::scale(double length, std::string text) {
  bar_ = length;
  bar_text_ = std::move(text);
  return *this;
}

std::string Sketch::svg() const {
  Point low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Point high{-low.x, -low.y};
  for (const Stroke& s : strokes_)
    for (const Point& p : s.points) {
      low = {std::min(low.x, p.x - s.size), std::min(low.y, p.y - s.size)};
      high = {std::max(high.x, p.x + s.size), std::max(high.y, p.y + s.size)};
    }
  const double span = std::max({high.x - low.x, high.y - low.y, 1e-300});
  const double scale = strokes_.empty() ? 1
                                        : std::min((kWidth - 2 * kMargin) / std::max(high.x - low.x, 1e-6 * span),
                                                   (kHeight - 2 * kMargin) / std::max(high.y - low.y, 1e-6 * span));
  const double left = (kWidth - scale * (high.x - low.x)) / 2, top = (kHeight - scale * (high.y - low.y)) / 2;
  const auto at = [&](const Point& p) { return Point{left + scale * (p.x - low.x), top + scale * (high.y - p.y)}; };
  const auto path = [&](const std::vector<Point>& points) {
    std::string text;
    for (const Point& p : points)
      text += fmt::format("{}{},{}", text.empty() ? "" : " ", pixel(at(p).x), pixel(at(p).y));
    return text;
  };
  const double below = bar_ > 0 ? 22 : 0;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      kWidth, kHeight + below);
  for (const Stroke& s : strokes_) {
    const Point a = at(s.points.front()), b = at(s.points.back());
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    switch (s.look) {
      case Look::disc: {
        const int light = static_cast<int>(std::lround(150 + 60 * (1 - std::clamp(s.shade, 0.0, 1.0))));
        out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#{:02x}{:02x}{:02x}\" stroke=\"#555\" {}/>\n",
                           pixel(a.x), pixel(a.y), pixel(scale * s.size), light, light + 20, light + 40,
                           scale * s.size < 6 ? "stroke-width=\".4\"" : "");
        break;
      }
      case Look::line:
      case Look::closed:
        out += fmt::format("<poly{} points=\"{}\" fill=\"none\" stroke=\"#888\"/>\n",
                           s.look == Look::closed ? "gon" : "line", path(s.points));
        break;
      case Look::dashed:
        out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>\n",
                           path(s.points));
        break;
      case Look::arrow: {
        if (length < 1) break;
        const double ux = dx / length, uy = dy / length, head = std::min(7.0, 0.5 * length);
        out += fmt::format(
            "<path d=\"M{},{} L{},{} M{},{} L{},{} L{},{}\" fill=\"none\" stroke=\"#c8283c\" stroke-width=\"1.6\"/>\n",
            pixel(a.x), pixel(a.y), pixel(b.x), pixel(b.y), pixel(b.x - head * (ux - 0.5 * uy)),
            pixel(b.y - head * (uy + 0.5 * ux)), pixel(b.x), pixel(b.y), pixel(b.x - head * (ux + 0.5 * uy)),
            pixel(b.y - head * (uy - 0.5 * ux)));
        if (!s.text.empty()) {
          const bool right = b.x > 0.6 * kWidth;
          const double beyond = dy > 0.1 * length ? 13 : -5;  // the tip, so that the arrow does not cross it
          out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#c8283c\"{}>{}</text>\n", pixel(b.x + (right ? -4 : 4)),
                             pixel(std::clamp(b.y + beyond, 12.0, kHeight - 4)), right ? " text-anchor=\"end\"" : "",
                             escaped(s.text));
        }
        break;
      }
      case Look::label:
        out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\" text-anchor=\"middle\">{}</text>\n", pixel(a.x),
                           pixel(a.y + 4), kInk, escaped(s.text));
        break;
      case Look::hatch: {
        out += fmt::format("<path d=\"M{},{} L{},{}", pixel(a.x), pixel(a.y), pixel(b.x), pixel(b.y));
        for (double t = 4; t < length; t += 8)
          out += fmt::format(" M{},{} l{},{}", pixel(a.x + dx / length * t), pixel(a.y + dy / length * t),
                             pixel(-(dx + dy) / length * 5), pixel((dx - dy) / length * 5));
        out += fmt::format("\" fill=\"none\" stroke=\"{}\"/>\n", kInk);
        break;
      }
    }
  }
  if (bar_ > 0) {
    const double y = kHeight + 6, x = kMargin, w = bar_ * scale;
    out += fmt::format("<path d=\"M{0},{2} v6 M{0},{3} H{1} M{1},{2} v6\" fill=\"none\" stroke=\"{4}\"/>\n", pixel(x),
                       pixel(x + w), pixel(y - 3), pixel(y), kInk);
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", pixel(x + w + 6), pixel(y + 4), kInk,
                       escaped(bar_text_));
  }
  return out + "</svg>\n";
}

// --- sketches of frames ----------------------------------------------------------------------------------------------

namespace {

struct View {
  int along = 2, right = 0, up = 1;  // axes
  double up_sign = 1;
  Point at(const Vec3d& x) const { return {component(x, right), up_sign * component(x, up)}; }
  double depth(const Vec3d& x) const { return component(x, along); }  // larger: nearer
};

Vec3d normal_of(const FrameWall& w, const std::vector<std::int32_t>& polygon) {
  Vec3d sum;
  for (std::size_t k = 0; k < polygon.size(); ++k)
    sum += cross(w.vertices[static_cast<std::size_t>(polygon[k])],
                 w.vertices[static_cast<std::size_t>(polygon[(k + 1) % polygon.size()])]);
  return sum;
}

// The axis to look along: walls should stand on edge, motion and places lie in the picture.
View view_of(const Frame& f, const Vec3d& gravity) {
  std::array<double, 3> hidden{};
  const FrameParticles& p = f.particles;
  Vec3d low = p.x.front(), high = low;
  double fastest = 0, faces = 0;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    low = {std::min(low.x, p.x[k].x), std::min(low.y, p.x[k].y), std::min(low.z, p.x[k].z)};
    high = {std::max(high.x, p.x[k].x), std::max(high.y, p.x[k].y), std::max(high.z, p.x[k].z)};
    fastest = std::max(fastest, norm(p.v[k]));
  }
  const double span = norm(high - low);
  for (const FrameWall& w : f.walls)
    for (const auto& polygon : w.polygons) faces = std::max(faces, norm(normal_of(w, polygon)));
  for (int axis = 0; axis < 3; ++axis) {
    double& h = hidden[static_cast<std::size_t>(axis)];
    h = 1e-3 * (2 - axis);  // of equals the last: x to the right, y upwards
    if (span > 0) h += component(high - low, axis) / span;
    if (fastest > 0)
      for (const Vec3d& v : p.v) h += 2 * std::fabs(component(v, axis)) / (fastest * static_cast<double>(p.v.size()));
    for (const FrameWall& w : f.walls)
      for (const auto& polygon : w.polygons)
        if (faces > 0)
          h += std::fabs(component(normal_of(w, polygon), axis)) / faces / static_cast<double>(f.walls.size());
    if (norm(gravity) > 0) h += 10 * std::fabs(component(gravity, axis)) / norm(gravity);
  }
  View v;
  v.along = static_cast<int>(std::min_element(hidden.begin(), hidden.end()) - hidden.begin());
  v.right = v.along == 0 ? 1 : 0;
  v.up = v.along == 2 ? 1 : 2;
  if (std::fabs(component(gravity, v.right)) > std::fabs(component(gravity, v.up))) std::swap(v.right, v.up);
  if (component(gravity, v.up) > 0) v.up_sign = -1;
  return v;
}

// Spheres that something nearer hides are left out: a heap of thousands shows its front alone.
std::vector<std::size_t> visible(const FrameParticles& p, const View& v, double pixel_size) {
  std::vector<std::size_t> order(p.x.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return v.depth(p.x[a]) > v.depth(p.x[b]); });
  std::set<std::pair<long, long>> painted;
  std::vector<std::size_t> seen;
  for (const std::size_t k : order) {
    const Point c = v.at(p.x[k]);
    const double r = p.radius[k] / pixel_size;
    bool fresh = r < 0.5;
    for (double dy = -std::floor(0.8 * r); dy <= 0.8 * r; ++dy)
      for (double dx = -std::floor(0.8 * r); dx <= 0.8 * r; ++dx)
        if (dx * dx + dy * dy <= 0.64 * r * r)
          fresh |= painted.emplace(std::lround(c.x / pixel_size + dx), std::lround(c.y / pixel_size + dy)).second;
    if (fresh) seen.push_back(k);
  }
  std::reverse(seen.begin(), seen.end());
  return seen;
}

// A round length of about a fifth of the picture.
double round_length(double span) {
  const double power = std::pow(10.0, std::floor(std::log10(span / 5)));
  for (const double digit : {5.0, 2.0, 1.0})
    if (digit * power <= span / 4) return digit * power;
  return power;
}

}  // namespace

Sketch sketch_of(const Frame& f, const Vec3d& gravity) {
  Sketch s;
  const FrameParticles& p = f.particles;
  if (p.x.empty()) return s;
  const View v = view_of(f, gravity);
  Point low = v.at(p.x[0]), high = low;
  const auto reach = [&](const Point& c, double r) {
    low = {std::min(low.x, c.x - r), std::min(low.y, c.y - r)};
    high = {std::max(high.x, c.x + r), std::max(high.y, c.y + r)};
  };
  for (std::size_t k = 0; k < p.x.size(); ++k) reach(v.at(p.x[k]), p.radius[k]);
  for (const FrameWall& w : f.walls)
    for (const auto& polygon : w.polygons) {
      std::vector<Point> corners;
      for (const std::int32_t k : polygon) corners.push_back(v.at(w.vertices[static_cast<std::size_t>(k)]));
      for (const Point& c : corners) reach(c, 0);
      s.line(std::move(corners), true);
    }
  const double span = std::max(high.x - low.x, high.y - low.y);
  const std::vector<std::size_t> seen = visible(p, v, span / 270);
  double nearest = v.depth(p.x[0]), farthest = nearest;
  for (const Vec3d& x : p.x) {
    nearest = std::max(nearest, v.depth(x));
    farthest = std::min(farthest, v.depth(x));
  }
  for (const std::size_t k : seen)
    s.disc(v.at(p.x[k]), p.radius[k], nearest > farthest ? (v.depth(p.x[k]) - farthest) / (nearest - farthest) : 1);

  double fastest = 0;
  Vec3d mean;
  for (const Vec3d& u : p.v) {
    fastest = std::max(fastest, norm(u));
    mean += (1 / static_cast<double>(p.v.size())) * u;
  }
  const auto arrow = [&](const Vec3d& from, const Vec3d& u, bool told) {
    const Point a = v.at(from), d = v.at((0.22 * span / fastest) * u);
    s.arrow(a, {a.x + d.x, a.y + d.y}, told ? fmt::format("{:.3g} m/s", norm(u)) : "");
  };
  if (fastest > 0 && p.x.size() <= 12) {
    bool told = false;
    for (std::size_t k = 0; k < p.x.size(); ++k) {
      const bool tell = !told && norm(p.v[k]) >= fastest * (1 - 1e-9);
      told |= tell;
      arrow(p.x[k], p.v[k], tell);
    }
  } else if (norm(mean) > 0.2 * fastest) {
    Vec3d middle;
    for (const Vec3d& x : p.x) middle += (1 / static_cast<double>(p.x.size())) * x;
    arrow(middle, mean, true);
  }
  if (norm(gravity) > 0) {
    const Point g = v.at((0.13 * span / norm(gravity)) * gravity), a{high.x + 0.06 * span, high.y};
    s.arrow(a, {a.x + g.x, a.y + g.y}, "g");
  }
  const double length = round_length(span);
  return s.scale(length, fmt::format("{:g} m", length));
}

}  // namespace areia::verify
