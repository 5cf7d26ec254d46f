#include <fmt/format.h>

#include "render/canvas.h"
#include "render/plot.h"

namespace areia::plot {

namespace {

std::string number(double v) {
  std::string s = fmt::format("{:.1f}", v);
  if (s.ends_with(".0")) s.resize(s.size() - 2);
  return s == "-0" ? "0" : s;
}

std::string attributes(const Look& look) {
  std::string s = fmt::format(" fill=\"{}\"", look.fill.empty() ? "none" : escaped(look.fill));
  if (!look.stroke.empty() && look.width > 0)
    s += fmt::format(" stroke=\"{}\" stroke-width=\"{:.3g}\"", escaped(look.stroke), look.width);
  if (!look.dash.empty()) s += fmt::format(" stroke-dasharray=\"{}\"", escaped(look.dash));
  if (look.opacity < 1) s += fmt::format(" opacity=\"{:.2g}\"", look.opacity);
  return s;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c == '\'') out += "&#39;";
    else out += c;
  return out;
}

SvgCanvas::SvgCanvas(double width, double height)
    : text_(
          fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                      "font-family=\"sans-serif\" font-size=\"11\" fill=\"#222222\">\n<rect width=\"100%\" "
                      "height=\"100%\" fill=\"#ffffff\"/>\n",
                      number(width), number(height))) {}

void SvgCanvas::begin_clip(const Area& a) {
  text_ += fmt::format(
      "<clipPath id=\"c{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#c{0})\">\n",
      clips_++, number(a.x), number(a.y), number(a.width), number(a.height));
}

void SvgCanvas::end_clip() { text_ += "</g>\n"; }

void SvgCanvas::path(const std::vector<std::vector<Point>>& stretches, bool closed, const Look& look) {
  std::string d;
  for (const std::vector<Point>& points : stretches) {
    for (std::size_t k = 0; k < points.size(); ++k)
      d += fmt::format("{}{} {}", k == 0 ? "M" : "L", number(points[k].x), number(points[k].y));
    if (closed && !points.empty()) d += "Z";
  }
  if (!d.empty()) text_ += fmt::format("<path d=\"{}\"{}/>\n", d, attributes(look));
}

void SvgCanvas::circle(const Point& c, double radius, const Look& look) {
  text_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{:.3g}\"{}/>\n", number(c.x), number(c.y), radius, attributes(look));
}

void SvgCanvas::text(const Point& base, const std::string& words, const Lettering& l) {
  if (words.empty()) return;
  static constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  text_ += "<text";
  if (l.upward) text_ += fmt::format(" transform=\"translate({} {}) rotate(-90)\"", number(base.x), number(base.y));
  else text_ += fmt::format(" x=\"{}\" y=\"{}\"", number(base.x), number(base.y));
  text_ += kAnchors[static_cast<int>(l.anchor)];
  if (l.size != 11) text_ += fmt::format(" font-size=\"{:.3g}\"", l.size);
  if (l.colour != "#222222") text_ += fmt::format(" fill=\"{}\"", escaped(l.colour));
  text_ += fmt::format(">{}</text>\n", escaped(words));
}

std::string SvgCanvas::finished() const { return text_ + "</svg>\n"; }

}  // namespace areia::plot
