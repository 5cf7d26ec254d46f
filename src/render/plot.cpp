#include "render/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "render/canvas.h"
#include "render/text.h"
#include "render/ticks.h"

namespace areia::plot {

namespace {

double head_of(const std::string& title) { return title.empty() ? 4 : 26; }

double page_height(const std::vector<Panel>& panels, int columns, const std::string& title, double height) {
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  return head_of(title) + rows * height;
}

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
    step = round_step(high - low, log);
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
  TickTexts labels() const {
    if (!log) return tick_texts(ticks());
    TickTexts powers;
    for (const double t : ticks()) powers.texts.push_back(power_of_ten(static_cast<int>(std::lround(t))));
    return powers;
  }
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
    waiting.emplace_back(at, b);
    waiting.emplace_back(a, at);
  }
}

std::vector<Point> thinned(const std::vector<Point>& p) {
  if (p.size() < 3) return p;
  std::vector<char> keep(p.size(), 0);
  keep.front() = keep.back() = 1;
  thin(p, keep);
  std::vector<Point> left;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (keep[i]) left.push_back(p[i]);
  return left;
}

void draw_mark(Canvas& canvas, const std::string& shape, const Point& p, const std::string& colour) {
  if (shape == "square") canvas.rectangle({p.x - 3.5, p.y - 3.5, 7, 7}, {"", 0, "", colour});
  else if (shape == "cross")
    canvas.path({{{p.x - 4, p.y - 4}, {p.x + 4, p.y + 4}}, {{p.x - 4, p.y + 4}, {p.x + 4, p.y - 4}}}, false,
                {colour, 2});
  else if (shape == "ring") canvas.circle(p, 3.5, {colour, 1.5, "", "#ffffff"});
  else canvas.circle(p, 3.5, {"", 0, "", colour});
}

struct Entry {
  std::string label, colour, dash, shape;
  double opacity = 1;
};

void draw(Canvas& canvas, const Panel& p, double x0, double y0, double width, double height) {
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

  const auto grid_line = [&](const Point& from, const Point& to) { canvas.line(from, to, {"#e2e2e2", 1}); };
  const std::vector<double> x_ticks = ax.ticks(), y_ticks = ay.ticks();
  const TickTexts x_texts = ax.labels(), y_texts = ay.labels();
  for (std::size_t k = 0; k < x_ticks.size(); ++k) {
    const double x = at_x(x_ticks[k]);
    grid_line({x, top}, {x, top + h});
    canvas.text({x, top + h + 14}, x_texts.texts[k], {11, Anchor::middle});
  }
  for (std::size_t k = 0; k < y_ticks.size(); ++k) {
    const double y = py(y_ticks[k]);
    grid_line({left, y}, {left + w, y});
    canvas.text({left - 5, y + 4}, y_texts.texts[k], {11, Anchor::end});
  }
  canvas.text({left + w, top + h + 28}, x_texts.factor, {11, Anchor::end});
  canvas.text({left, top - 7}, y_texts.factor, {11, Anchor::middle});
  if (p.zero) {
    const Look axis_look{"#888888", 1};
    if (ax.low < 0 && ax.high > 0) canvas.line({px(0), top}, {px(0), top + h}, axis_look);
    if (ay.low < 0 && ay.high > 0) canvas.line({left, py(0)}, {left + w, py(0)}, axis_look);
  }
  canvas.begin_clip({left, top, w, h});
  std::vector<Entry> legend;
  const auto enter = [&](const std::string& label, const std::string& colour, const std::string& dash,
                         const std::string& shape, double opacity = 1) {
    if (label.empty()) return;
    for (const Entry& e : legend)
      if (e.label == label) return;
    legend.push_back({label, colour, dash, shape, opacity});
  };
  std::vector<Point> occupied;
  for (const Line& l : p.lines) {
    std::vector<Point> run;
    std::vector<std::vector<Point>> stretches;
    const auto flush = [&] {
      if (!run.empty()) stretches.push_back(thinned(run));
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
    if (stretches.empty()) continue;
    canvas.path(stretches, !l.fill.empty(), {l.width > 0 ? l.colour : "", l.width, l.dash, l.fill, l.opacity});
    if (l.arrow && l.x.size() >= 2) {
      const std::size_t n = l.x.size();
      const double ex = px(l.x[n - 1]), ey = py(l.y[n - 1]), dx = ex - px(l.x[n - 2]), dy = ey - py(l.y[n - 2]);
      if (const double size = std::hypot(dx, dy); size > 0) {
        const double ux = dx / size, uy = dy / size;
        canvas.path(
            {{{ex, ey}, {ex - 9 * ux + 4 * uy, ey - 9 * uy - 4 * ux}, {ex - 9 * ux - 4 * uy, ey - 9 * uy + 4 * ux}}},
            true, {"", 0, "", l.colour});
      }
    }
    enter(l.label, l.fill.empty() || l.width > 0 ? l.colour : l.fill, l.dash, l.fill.empty() ? "" : "area",
          l.fill.empty() ? 1 : l.opacity);
  }
  for (const Stems& t : p.stems) {
    for (std::size_t i = 0; i < t.x.size(); ++i) {
      const Point head{px(t.x[i]), py(t.y[i])};
      canvas.line({head.x, py(0)}, head, {t.colour, 1.5});
      draw_mark(canvas, "disc", head, t.colour);
      occupied.push_back(head);
    }
    enter(t.label, t.colour, "", "disc");
  }
  for (const Mark& m : p.marks) {
    if (!std::isfinite(ax.place(m.x)) || !std::isfinite(m.y)) continue;
    draw_mark(canvas, m.shape, {px(m.x), py(m.y)}, m.colour);
    canvas.text({px(m.x) + 7, py(m.y) - 5}, m.text, {11, Anchor::start, m.colour});
    occupied.push_back({px(m.x), py(m.y)});
    enter(m.label, m.colour, "", m.shape);
  }
  canvas.end_clip();
  canvas.rectangle({left, top, w, h}, {"#333333", 1});
  canvas.text({left + w / 2, top - 8}, p.title, {12, Anchor::middle});
  canvas.text({left + w / 2, top + h + 30}, p.x_label, {11, Anchor::middle});
  canvas.text({x0 + 13, top + h / 2}, p.y_label, {11, Anchor::middle, "#222222", true});

  // The legend goes to the corner with the fewest points behind it.
  if (legend.empty()) return;
  double longest = 0;
  for (const Entry& e : legend) longest = std::max(longest, picture::text_width(e.label, 11));
  const double lw = 38 + longest, lh = 6 + 14 * static_cast<double>(legend.size());
  double lx = 0, ly = 0;
  int fewest = std::numeric_limits<int>::max();
  for (const double cy : {top + 5, top + h - 5 - lh})
    for (const double cx : {left + w - 5 - lw, left + 5}) {
      int behind = 0;
      for (const Point& q : occupied) behind += q.x > cx && q.x < cx + lw && q.y > cy && q.y < cy + lh;
      if (behind < fewest) fewest = behind, lx = cx, ly = cy;
    }
  canvas.rectangle({lx, ly, lw, lh}, {"", 0, "", "#ffffff", 0.85});
  for (std::size_t k = 0; k < legend.size(); ++k) {
    const Entry& e = legend[k];
    const double y = ly + 10 + 14 * static_cast<double>(k);
    if (e.shape == "area") canvas.rectangle({lx + 6, y - 4, 18, 8}, {"", 0, "", e.colour, e.opacity});
    else if (!e.shape.empty()) draw_mark(canvas, e.shape, {lx + 15, y}, e.colour);
    else canvas.line({lx + 5, y}, {lx + 25, y}, {e.colour, 1.5, e.dash});
    canvas.text({lx + 31, y + 4}, e.label, {});
  }
}

void draw_page(Canvas& canvas, const std::vector<Panel>& panels, int columns, const std::string& title, double width,
               double height) {
  if (!title.empty()) canvas.text({columns * width / 2, 18}, title, {14, Anchor::middle});
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    draw(canvas, panels[i], column * width, head_of(title) + row * height, width, height);
  }
}

}  // namespace

const char* colour(std::size_t k) {
  static constexpr std::array kColours{"#1f4fd1", "#c8283c", "#1a8a3a", "#8e3fa8", "#c27c0e", "#0b8f93",
                                       "#7a5230", "#e0509a", "#556b2f", "#444444", "#5a78b8", "#b0604a"};
  return kColours[k % kColours.size()];
}

std::string svg_page(const std::vector<Panel>& panels, int columns, const std::string& title, double width,
                     double height) {
  SvgCanvas canvas(columns * width, page_height(panels, columns, title, height));
  draw_page(canvas, panels, columns, title, width, height);
  return canvas.finished();
}

Image image_page(const std::vector<Panel>& panels, int columns, const std::string& title, double width, double height,
                 double pixels) {
  ImageCanvas canvas(columns * width, page_height(panels, columns, title, height), pixels);
  draw_page(canvas, panels, columns, title, width, height);
  return canvas.image();
}

}  // namespace areia::plot
