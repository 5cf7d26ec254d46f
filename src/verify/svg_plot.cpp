#include "verify/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace areia::verify {

namespace {

constexpr double kWidth = 640, kHeight = 400, kLeft = 72, kRight = 16, kTop = 34, kBottom = 48;
constexpr std::array kColours{"#0b6e99", "#d1495b", "#2e8b57", "#8e5ea2", "#c27c0e", "#444444"};

// A number range with round ticks.
struct Axis {
  double low = 0, high = 1, step = 1;
  bool log = false;

  Axis(std::vector<double> values, bool logarithmic) : log(logarithmic) {
    std::erase_if(values, [&](double v) { return !std::isfinite(v) || (log && v <= 0); });
    if (!values.empty()) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      low = place(*least);
      high = place(*most);
    }
    if (high - low < 1e-12 * std::max(1.0, std::fabs(high))) {
      low -= 0.5 * std::max(1e-3, std::fabs(low));
      high += 0.5 * std::max(1e-3, std::fabs(high));
    }
    const double rough = (high - low) / 6, power = std::pow(10.0, std::floor(std::log10(rough)));
    step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : rough > power ? 2 : 1);
    if (log) step = std::max(1.0, std::round(step));
    low = step * std::floor(low / step + 1e-9);
    high = step * std::ceil(high / step - 1e-9);
  }
  double place(double v) const { return log ? std::log10(v) : v; }
  double share(double v) const { return (place(v) - low) / (high - low); }
  std::string label(double at) const {
    return log ? fmt::format("1e{:.0f}", at) : fmt::format("{:.6g}", std::fabs(at) < 1e-9 * step ? 0.0 : at);
  }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else out += c;
  return out;
}

}  // namespace

std::string svg_plot(const Plot& plot) {
  std::vector<double> xs, ys;
  for (const Curve& c : plot.curves) {
    xs.insert(xs.end(), c.x.begin(), c.x.end());
    ys.insert(ys.end(), c.y.begin(), c.y.end());
  }
  const Axis ax(xs, plot.log_x), ay(ys, false);
  const double w = kWidth - kLeft - kRight, h = kHeight - kTop - kBottom;
  const auto px = [&](double v) { return kLeft + w * ax.share(v); };
  const auto py = [&](double v) { return kTop + h * (1 - ay.share(v)); };

  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      kWidth, kHeight);
  s += fmt::format("<text x=\"{}\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">{}</text>\n", kLeft + w / 2,
                   escaped(plot.title));
  const auto ticks = [](const Axis& a) {
    std::vector<double> all;
    for (int k = 0; a.low + k * a.step <= a.high + 1e-9 * a.step; ++k) all.push_back(a.low + k * a.step);
    return all;
  };
  for (const double t : ticks(ax)) {
    const double x = kLeft + w * (t - ax.low) / (ax.high - ax.low);
    s += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#dddddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        x, kTop, kTop + h, kTop + h + 16, ax.label(t));
  }
  for (const double t : ticks(ay)) {
    const double y = kTop + h * (1 - (t - ay.low) / (ay.high - ay.low));
    s += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"#dddddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>\n",
        kLeft, y, kLeft + w, kLeft - 6, y + 4, ay.label(t));
  }
  s += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333333\"/>\n", kLeft,
                   kTop, w, h);
  s += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kLeft + w / 2, kHeight - 10,
                   escaped(plot.x_label));
  s += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", kTop + h / 2,
                   escaped(plot.y_label));

  // The legend goes to the corner with the fewest points behind it.
  std::size_t longest = 0;
  for (const Curve& c : plot.curves) longest = std::max(longest, c.label.size());
  const double legend_w = 40 + 6.6 * static_cast<double>(longest);
  const double legend_h = 10 + 16 * static_cast<double>(plot.curves.size());
  double legend_x = 0, legend_y = 0;
  int fewest = std::numeric_limits<int>::max();
  for (const double left : {kLeft + 8, kLeft + w - 8 - legend_w})
    for (const double top : {kTop + 8, kTop + h - 8 - legend_h}) {
      int behind = 0;
      for (const Curve& c : plot.curves)
        for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i)
          behind +=
              px(c.x[i]) > left && px(c.x[i]) < left + legend_w && py(c.y[i]) > top && py(c.y[i]) < top + legend_h;
      if (behind >= fewest) continue;
      fewest = behind;
      legend_x = left;
      legend_y = top;
    }
  std::string legend = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#ffffff\" fill-opacity=\"0.8\"/>\n",
      legend_x, legend_y, legend_w, legend_h);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& c = plot.curves[k];
    const char* colour = kColours[k % kColours.size()];
    const bool points = c.look == Curve::Look::points;
    std::string path;
    bool pen = false;
    for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i) {
      if (!std::isfinite(c.x[i]) || !std::isfinite(c.y[i]) || (plot.log_x && c.x[i] <= 0)) {
        pen = false;
        continue;
      }
      const double x = px(c.x[i]), y = py(c.y[i]);
      if (points)
        s += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"none\" stroke=\"{}\" "
            "stroke-width=\"1.5\"/>\n",
            x, y, colour);
      else path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", x, y);
      pen = true;
    }
    if (!path.empty())
      s += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, colour);
    const double y = legend_y + 17 + 16 * static_cast<double>(k);
    if (points)
      legend += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
                            legend_x + 16, y - 4, colour);
    else
      legend += fmt::format("<path d=\"M{:.1f} {:.1f}h20\" stroke=\"{}\" stroke-width=\"1.5\"/>", legend_x + 6, y - 4,
                            colour);
    legend += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", legend_x + 34, y, escaped(c.label));
  }
  return s + legend + "</svg>\n";
}

}  // namespace areia::verify
