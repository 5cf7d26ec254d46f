#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>

#include "render/canvas.h"
#include "render/text.h"

namespace areia::plot {

namespace {

constexpr int kRows = 8;  // lines on which a pixel is looked at; to the right its cover is exact

// "#rrggbb" or "#rgb"; black for anything else.
std::array<int, 3> rgb_of(const std::string& colour) {
  std::array<int, 3> rgb{0, 0, 0};
  const std::size_t digits = colour.size() == 7 ? 2 : colour.size() == 4 ? 1 : 0;
  if (digits == 0 || colour[0] != '#') return colour == "white" ? std::array<int, 3>{255, 255, 255} : rgb;
  for (std::size_t c = 0; c < 3; ++c) {
    const char* first = colour.data() + 1 + digits * c;
    std::from_chars(first, first + digits, rgb[c], 16);
    if (digits == 1) rgb[c] *= 17;
  }
  return rgb;
}

std::vector<Point> disc(const Point& c, double radius) {
  const int corners = std::clamp(static_cast<int>(4 * std::sqrt(radius)) + 8, 8, 64);
  std::vector<Point> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    points.push_back({c.x + radius * std::cos(angle), c.y + radius * std::sin(angle)});
  }
  return points;
}

// The pieces of a line that its dashes leave.
std::vector<std::vector<Point>> dashed(const std::vector<Point>& line, const std::vector<double>& dashes) {
  std::vector<std::vector<Point>> pieces;
  std::size_t which = 0;
  double left = dashes[0];
  if (!line.empty()) pieces.push_back({line[0]});
  for (std::size_t k = 1; k < line.size(); ++k) {
    Point at = line[k - 1];
    double rest = std::hypot(line[k].x - at.x, line[k].y - at.y);
    while (rest > left) {
      const double share = left / rest;
      at = {at.x + share * (line[k].x - at.x), at.y + share * (line[k].y - at.y)};
      rest -= left;
      if (which % 2 == 0) pieces.back().push_back(at);
      else pieces.push_back({at});
      left = dashes[++which % dashes.size()];
    }
    left -= rest;
    if (which % 2 == 0) pieces.back().push_back(line[k]);
  }
  return pieces;
}

// A stroke as polygons that all turn the same way round: a rectangle for each piece, a disc at each corner.
void add_stroke(std::vector<std::vector<Point>>& polygons, const std::vector<Point>& line, double width, bool closed) {
  const double half = 0.5 * width;
  const std::size_t pieces = closed ? line.size() : line.size() - 1;
  for (std::size_t k = 0; k < pieces; ++k) {
    const Point &a = line[k], &b = line[(k + 1) % line.size()];
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    if (length > 0) {
      const double nx = -half * dy / length, ny = half * dx / length;
      polygons.push_back({{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}});
    }
    if (width > 1.2 && (closed || k > 0)) polygons.push_back(disc(a, half));
  }
}

}  // namespace

ImageCanvas::ImageCanvas(double width, double height, double pixels_per_unit) : scale_(pixels_per_unit) {
  own_.width = std::max(1, static_cast<int>(std::lround(width * scale_)));
  own_.height = std::max(1, static_cast<int>(std::lround(height * scale_)));
  own_.rgb.assign(std::size_t(own_.width) * std::size_t(own_.height) * 3, 255);
  clip_ = whole();
}

ImageCanvas::ImageCanvas(Image& drawn_on) : image_(&drawn_on) { clip_ = whole(); }

void ImageCanvas::begin_clip(const Area& a) {
  const auto at = [&](double v, int most) { return std::clamp(static_cast<int>(std::lround(v * scale_)), 0, most); };
  clip_ = {at(a.x, image_->width), at(a.y, image_->height), at(a.x + a.width, image_->width),
           at(a.y + a.height, image_->height)};
}

void ImageCanvas::end_clip() { clip_ = whole(); }

// Non-zero winding over lines of each row of pixels. Between two crossings on a line a pixel is covered by the share of
// its width that lies there.
void ImageCanvas::fill(const std::vector<std::vector<Point>>& polygons, const std::string& colour, double opacity) {
  struct Edge {
    double x, y, slope, end;  // from (x, y) down to y = end
    int turn;
  };
  std::vector<std::vector<Edge>> starting(static_cast<std::size_t>(std::max(0, clip_.y1 - clip_.y0)));
  if (starting.empty()) return;
  for (const std::vector<Point>& p : polygons)
    for (std::size_t k = 0; k < p.size(); ++k) {
      Point a = p[k], b = p[(k + 1) % p.size()];
      if (!std::isfinite(a.x + a.y + b.x + b.y) || a.y == b.y) continue;
      const int turn = a.y < b.y ? 1 : -1;
      if (turn < 0) std::swap(a, b);
      if (b.y <= clip_.y0 || a.y >= clip_.y1) continue;
      const int row = std::max(0, static_cast<int>(std::floor(a.y)) - clip_.y0);
      starting[static_cast<std::size_t>(row)].push_back({a.x, a.y, (b.x - a.x) / (b.y - a.y), b.y, turn});
    }
  const std::array<int, 3> ink = rgb_of(colour);
  std::vector<Edge> active;
  std::vector<float> cover(static_cast<std::size_t>(image_->width) + 2);
  std::vector<std::pair<double, int>> crossings;
  for (int y = clip_.y0; y < clip_.y1; ++y) {
    const auto& fresh = starting[static_cast<std::size_t>(y - clip_.y0)];
    active.insert(active.end(), fresh.begin(), fresh.end());
    std::erase_if(active, [&](const Edge& e) { return e.end <= y; });
    if (active.empty()) continue;
    std::fill(cover.begin(), cover.end(), 0.0f);
    for (int line = 0; line < kRows; ++line) {
      const double at = y + (line + 0.5) / kRows;
      crossings.clear();
      for (const Edge& e : active)
        if (e.y <= at && at < e.end) crossings.emplace_back(e.x + (at - e.y) * e.slope, e.turn);
      std::sort(crossings.begin(), crossings.end());
      int winding = 0;
      for (std::size_t k = 0; k + 1 < crossings.size(); ++k) {
        winding += crossings[k].second;
        if (winding == 0) continue;
        const double x0 = std::max<double>(crossings[k].first, clip_.x0);
        const double x1 = std::min<double>(crossings[k + 1].first, clip_.x1);
        if (!(x1 > x0)) continue;
        const int first = static_cast<int>(x0), last = std::min(static_cast<int>(x1), image_->width - 1);
        for (int x = first; x <= last; ++x)
          cover[static_cast<std::size_t>(x)] +=
              static_cast<float>((std::min<double>(x + 1, x1) - std::max<double>(x, x0)) / kRows);
      }
    }
    for (int x = clip_.x0; x < clip_.x1; ++x) {
      const double share = opacity * std::min(1.0f, cover[static_cast<std::size_t>(x)]);
      if (share <= 0) continue;
      std::uint8_t* pixel = image_->rgb.data() + (std::size_t(y) * std::size_t(image_->width) + std::size_t(x)) * 3;
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + share * (ink[c] - pixel[c])));
    }
  }
}

void ImageCanvas::path(const std::vector<std::vector<Point>>& stretches, bool closed, const Look& look) {
  std::vector<std::vector<Point>> scaled = stretches;
  for (std::vector<Point>& points : scaled)
    for (Point& p : points) p = {p.x * scale_, p.y * scale_};
  if (!look.fill.empty() && look.fill != "none") fill(scaled, look.fill, look.opacity);
  if (look.stroke.empty() || look.stroke == "none" || !(look.width > 0)) return;
  std::vector<double> dashes;
  std::istringstream words(look.dash);
  for (double d = 0; words >> d;)
    if (d > 0) dashes.push_back(d * scale_);
  if (dashes.size() % 2 == 1) dashes.insert(dashes.end(), dashes.begin(), dashes.end());
  std::vector<std::vector<Point>> polygons;
  for (const std::vector<Point>& points : scaled) {
    if (points.empty()) continue;
    if (dashes.empty()) add_stroke(polygons, points, look.width * scale_, closed && points.size() > 2);
    else
      for (const std::vector<Point>& piece : dashed(points, dashes))
        add_stroke(polygons, piece, look.width * scale_, false);
  }
  fill(polygons, look.stroke, look.opacity);
}

void ImageCanvas::circle(const Point& c, double radius, const Look& look) {
  const std::vector<Point> round = disc({c.x * scale_, c.y * scale_}, radius * scale_);
  if (!look.fill.empty()) fill({round}, look.fill, look.opacity);
  if (look.stroke.empty() || !(look.width > 0)) return;
  std::vector<std::vector<Point>> polygons;
  add_stroke(polygons, round, look.width * scale_, true);
  fill(polygons, look.stroke, look.opacity);
}

void ImageCanvas::text(const Point& base, const std::string& words, const Lettering& l) {
  const std::array<int, 3> ink = rgb_of(l.colour);
  picture::TextLook look;
  look.size = l.size * scale_;
  look.red = ink[0], look.green = ink[1], look.blue = ink[2];
  look.share = 0.5 * static_cast<int>(l.anchor);
  look.upward = l.upward;
  picture::draw_text(*image_, base.x * scale_, base.y * scale_, words, look);
}

}  // namespace areia::plot
