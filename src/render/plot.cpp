#include "render/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace areia::plot {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else out += c;
  return out;
}

namespace {

constexpr double kLeft = 58, kRight = 12, kTop = 26, kBottom = 40;

// A range of numbers with round ticks; of a logarithmic axis the decimal logarithms.
struct Axis {
  double low, high, step;
  bool log;

  Axis(double least, double most, bool exact, bool logarithmic = false) : low(least), high(most), log(logarithmic) {
    if (!(most >= least)) low = 0, high = 1;
    if (high - low < 1e-9 * std::max(std::fabs(high), std::fabs(low)) || high - low < 1e-300) {
      const double half = std::max(0.05 * std::fabs(high), 1e-3);
      low -= half;
      high += half;
    }
    const double rough = (high - low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
    step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    if (log) step = std::max(1.0, std::round(step));
    if (exact) return;
    low = step * std::floor(low / step + 1e-6);
    high = step * std::ceil(high / step - 1e-6);
  }
  std::vector<double> ticks() const {
    std::vector<double> all;
    constexpr std::size_t kMost = 100;  // there are a dozen, but for limits beyond all numbers
    for (double k = std::ceil(low / step - 1e-6); k * step <= high + 1e-6 * step && all.size() < kMost; ++k)
      all.push_back(k * step);
    return all;
  }
  double place(double v) const { return log ? std::log10(v) : v; }
  std::string label(double at) const {
    return log ? fmt::format("1e{:.0f}", at) : fmt::format("{:.6g}", std::fabs(at) < 1e-9 * step ? 0.0 : at);
  }
};

struct Point {
  double x, y;
};

// Leaves out points that lie on the line between their neighbours, to a tenth of a pixel (Douglas and Peucker). The
// stretches that are left to look at may be as many as points: they wait in a list, not on the stack.
void thin(const std::vector<Point>& p, std::vector<char>& keep) {
  std::vector<std::pair<std::size_t, std::size_t>> waiting{{0, p.size() - 1}};
  while (!waiting.empty()) {
    const auto [a, b] = waiting.back();
    waiting.pop_back();
    double worst = 0.1;
    std::size_t at = 0;
    const double dx = p[b].x - p[a].x, dy = p[b].y - p[a].y, l = std::hypot(dx, dy);
    for (std::size_t i = a + 1; i < b; ++i) {
      const double ex = p[i].x - p[a].x, ey = p[i].y - p[a].y;
      const double d = l > 0 ? std::fabs(ex * dy - ey * dx) / l : std::hypot(ex, ey);
      if (d > worst) worst = d, at = i;
    }
    if (at == 0) continue;
    keep[at] = 1;
    waiting.push_back({at, b});
    waiting.push_back({a, at});
  }
}

std::string number(double v) {
  std::string s = fmt::format("{:.1f}", v);
  if (s.ends_with(".0")) s.resize(s.size() - 2);
  return s == "-0" ? "0" : s;
}

std::string path_of(const std::vector<Point>& p) {
  if (p.empty()) return "";
  std::vector<char> keep(p.size(), 0);
  keep.front() = keep.back() = 1;
  if (p.size() > 2) thin(p, keep);
  std::string d;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (keep[i]) d += fmt::format("{}{} {}", d.empty() ? "M" : "L", number(p[i].x), number(p[i].y));
  return d;
}

std::string mark_path(const std::string& shape, double x, double y, const std::string& colour) {
  if (shape == "square")
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"7\" height=\"7\" fill=\"{}\"/>", number(x - 3.5),
                       number(y - 3.5), colour);
  if (shape == "cross")
    return fmt::format("<path d=\"M{0} {1}l8 8m-8 0l8 -8\" stroke=\"{2}\" stroke-width=\"2\"/>", number(x - 4),
                       number(y - 4), colour);
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" {}=\"{}\"/>", number(x), number(y),
                     shape == "ring" ? "fill=\"#ffffff\" stroke-width=\"1.5\" stroke" : "fill", colour);
}

struct Entry {
  std::string label, colour, dash, shape;
};

std::string draw(const Panel& p, double x0, double y0, double width, double height, int index) {
  double xl = 1e300, xh = -1e300, yl = 1e300, yh = -1e300;
  const auto see = [&](double x, double y) {
    if (p.log_x) x = std::log10(x);
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    xl = std::min(xl, x), xh = std::max(xh, x), yl = std::min(yl, y), yh = std::max(yh, y);
  };
  for (const Line& l : p.lines)
    for (std::size_t i = 0; l.stretches && i < l.x.size(); ++i) see(l.x[i], l.y[i]);
  for (const Stems& s : p.stems)
    for (std::size_t i = 0; i < s.x.size(); ++i) see(s.x[i], s.y[i]), see(s.x[i], 0);
  for (const Mark& m : p.marks) see(m.x, m.y);
  const auto axis = [](double low, double high, std::optional<double> l, std::optional<double> h, bool log) {
    Axis a(l.value_or(low), h.value_or(high), false, log);
    if (l) a.low = *l;
    if (h) a.high = *h;
    return a;
  };
  Axis ax = axis(xl, xh, p.x_low, p.x_high, p.log_x), ay = axis(yl, yh, p.y_low, p.y_high, false);
  const double w = width - kLeft - kRight, h = height - kTop - kBottom;
  if (p.equal) {  // the looser axis is widened
    const double unit = std::max((ax.high - ax.low) / w, (ay.high - ay.low) / h);
    const double mx = 0.5 * (ax.low + ax.high), my = 0.5 * (ay.low + ay.high);
    ax = Axis(mx - 0.5 * unit * w, mx + 0.5 * unit * w, true);
    ay = Axis(my - 0.5 * unit * h, my + 0.5 * unit * h, true);
  }
  const double left = x0 + kLeft, top = y0 + kTop;
  const auto at_x = [&](double place) { return left + w * (place - ax.low) / (ax.high - ax.low); };
  const auto px = [&](double v) { return at_x(ax.place(v)); };
  const auto py = [&](double v) { return top + h * (1 - (v - ay.low) / (ay.high - ay.low)); };

  std::string s = fmt::format("<clipPath id=\"c{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                              index, number(left), number(top), number(w), number(h));
  std::string grid, labels;
  for (const double t : ax.ticks()) {
    grid += fmt::format("M{} {}v{}", number(at_x(t)), number(top), number(h));
    labels += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", number(at_x(t)),
                          number(top + h + 14), ax.label(t));
  }
  for (const double t : ay.ticks()) {
    grid += fmt::format("M{} {}h{}", number(left), number(py(t)), number(w));
    labels += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", number(left - 5), number(py(t) + 4),
                          ay.label(t));
  }
  s += fmt::format("<path d=\"{}\" stroke=\"#e2e2e2\" fill=\"none\"/>\n{}\n", grid, labels);
  if (p.zero) {
    std::string axes;
    if (ax.low < 0 && ax.high > 0) axes += fmt::format("M{} {}v{}", number(px(0)), number(top), number(h));
    if (ay.low < 0 && ay.high > 0) axes += fmt::format("M{} {}h{}", number(left), number(py(0)), number(w));
    s += fmt::format("<path d=\"{}\" stroke=\"#888888\" fill=\"none\"/>\n", axes);
  }
  s += fmt::format("<g clip-path=\"url(#c{})\" fill=\"none\">\n", index);
  std::vector<Entry> legend;
  const auto enter = [&](const std::string& label, const std::string& colour, const std::string& dash,
                         const std::string& shape) {
    if (label.empty()) return;
    for (const Entry& e : legend)
      if (e.label == label) return;
    legend.push_back({label, colour, dash, shape});
  };
  std::vector<Point> occupied;
  for (const Line& l : p.lines) {
    std::vector<Point> run;
    std::string d;
    const auto flush = [&] {
      d += path_of(run);
      if (!l.fill.empty() && !run.empty()) d += "Z";
      run.clear();
    };
    // Far outside the frame numbers would only be long.
    const auto inside = [&](double v, double low, double high) { return std::clamp(v, low - 1e6, high + 1e6); };
    for (std::size_t i = 0; i < l.x.size(); ++i) {
      if (!std::isfinite(ax.place(l.x[i])) || !std::isfinite(l.y[i])) {
        flush();
        continue;
      }
      run.push_back({inside(px(l.x[i]), left, left + w), inside(py(l.y[i]), top, top + h)});
      if (l.fill.empty()) occupied.push_back(run.back());
    }
    flush();
    if (d.empty()) continue;
    s += fmt::format("<path d=\"{}\"{}{}{}{}/>\n", d,
                     l.width > 0 ? fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", l.colour, l.width) : "",
                     l.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", l.dash),
                     l.fill.empty() ? "" : fmt::format(" fill=\"{}\"", l.fill),
                     l.opacity < 1 ? fmt::format(" opacity=\"{:.2g}\"", l.opacity) : "");
    if (l.arrow && l.x.size() >= 2) {
      const std::size_t n = l.x.size();
      const double ex = px(l.x[n - 1]), ey = py(l.y[n - 1]), dx = ex - px(l.x[n - 2]), dy = ey - py(l.y[n - 2]);
      if (const double size = std::hypot(dx, dy); size > 0) {
        const double ux = dx / size, uy = dy / size;
        s += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(ex), number(ey),
                         number(ex - 9 * ux + 4 * uy), number(ey - 9 * uy - 4 * ux), number(ex - 9 * ux - 4 * uy),
                         number(ey - 9 * uy + 4 * ux), l.colour);
      }
    }
    enter(l.label, l.fill.empty() || l.width > 0 ? l.colour : l.fill, l.dash, l.fill.empty() ? "" : "area");
  }
  for (const Stems& t : p.stems) {
    std::string d, heads;
    for (std::size_t i = 0; i < t.x.size(); ++i) {
      d += fmt::format("M{} {}V{}", number(px(t.x[i])), number(py(0)), number(py(t.y[i])));
      heads += mark_path("disc", px(t.x[i]), py(t.y[i]), t.colour);
      occupied.push_back({px(t.x[i]), py(t.y[i])});
    }
    s += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>{}\n", d, t.colour, heads);
    enter(t.label, t.colour, "", "disc");
  }
  for (const Mark& m : p.marks) {
    if (!std::isfinite(ax.place(m.x)) || !std::isfinite(m.y)) continue;
    s += mark_path(m.shape, px(m.x), py(m.y), m.colour);
    if (!m.text.empty())
      s += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>", number(px(m.x) + 7), number(py(m.y) - 5),
                       m.colour, escaped(m.text));
    s += "\n";
    occupied.push_back({px(m.x), py(m.y)});
    enter(m.label, m.colour, "", m.shape);
  }
  s += "</g>\n";
  s += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333333\"/>\n",
                   number(left), number(top), number(w), number(h));
  s += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\">{}</text>\n", number(left + w / 2),
                   number(top - 8), escaped(p.title));
  s += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", number(left + w / 2),
                   number(top + h + 30), escaped(p.x_label));
  s += fmt::format("<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                   number(x0 + 13), number(top + h / 2), escaped(p.y_label));

  // The legend goes to the corner with the fewest points behind it.
  if (legend.empty()) return s;
  std::size_t longest = 0;
  for (const Entry& e : legend) longest = std::max(longest, e.label.size());
  const double lw = 36 + 5.9 * static_cast<double>(longest), lh = 6 + 14 * static_cast<double>(legend.size());
  double lx = 0, ly = 0;
  int fewest = std::numeric_limits<int>::max();
  for (const double cy : {top + 5, top + h - 5 - lh})
    for (const double cx : {left + w - 5 - lw, left + 5}) {
      int behind = 0;
      for (const Point& q : occupied) behind += q.x > cx && q.x < cx + lw && q.y > cy && q.y < cy + lh;
      if (behind < fewest) fewest = behind, lx = cx, ly = cy;
    }
  s += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" fill-opacity=\"0.85\"/>\n",
                   number(lx), number(ly), number(lw), number(lh));
  for (std::size_t k = 0; k < legend.size(); ++k) {
    const Entry& e = legend[k];
    const double y = ly + 10 + 14 * static_cast<double>(k);
    if (e.shape == "area")
      s += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"8\" fill=\"{}\" opacity=\"0.5\"/>",
                       number(lx + 6), number(y - 4), e.colour);
    else if (!e.shape.empty()) s += mark_path(e.shape, lx + 15, y, e.colour);
    else
      s += fmt::format("<path d=\"M{} {}h20\" stroke=\"{}\" stroke-width=\"1.5\"{}/>", number(lx + 5), number(y),
                       e.colour, e.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", e.dash));
    s += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", number(lx + 31), number(y + 4), escaped(e.label));
  }
  return s;
}

}  // namespace

const char* colour(std::size_t k) {
  static constexpr std::array kColours{"#1f4fd1", "#c8283c", "#1a8a3a", "#8e3fa8", "#c27c0e", "#0b8f93",
                                       "#7a5230", "#e0509a", "#556b2f", "#444444", "#5a78b8", "#b0604a"};
  return kColours[k % kColours.size()];
}

std::string svg_page(const std::vector<Panel>& panels, int columns, const std::string& title, double width,
                     double height) {
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  const double head = title.empty() ? 4 : 26, W = columns * width, H = head + rows * height;
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"11\" fill=\"#222222\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>\n",
      number(W), number(H));
  if (!title.empty())
    s += fmt::format("<text x=\"{}\" y=\"18\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", number(W / 2),
                     escaped(title));
  for (std::size_t i = 0; i < panels.size(); ++i)
    s += draw(panels[i], static_cast<double>(static_cast<int>(i) % columns) * width,
              head + static_cast<double>(static_cast<int>(i) / columns) * height, width, height, static_cast<int>(i));
  return s + "</svg>\n";
}

}  // namespace areia::plot
