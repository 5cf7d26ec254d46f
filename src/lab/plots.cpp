#include "lab/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "areia/error.h"
#include "lab/results.h"
#include "render/plot.h"

namespace areia::lab {

using namespace plot;

namespace {

using nlohmann::json;

Line curve(const Results& r, const std::string& x, const std::string& y, const std::string& label,
           const std::string& colour) {
  Line l;
  l.label = label;
  l.colour = colour;
  l.x = r.series[x];
  l.y = r.series[y];
  return l;
}

Panel panel(const std::string& title, const std::string& x, const std::string& y, std::vector<Line> lines) {
  Panel p;
  p.title = title;
  p.x_label = x;
  p.y_label = y;
  p.lines = std::move(lines);
  return p;
}

// A panel with every one of several columns.
Panel several(const Results& r, const std::string& title, const std::string& unit,
              const std::vector<std::string>& names) {
  std::vector<Line> lines;
  for (const std::string& n : names) lines.push_back(curve(r, "t", n, names.size() > 1 ? n : "", colour(lines.size())));
  return panel(title, "t (s)", unit, std::move(lines));
}

// Panels over time cover exactly the time of the run.
std::string page_over_time(std::vector<Panel> panels, const Results& r) {
  for (Panel& p : panels) {
    p.x_low = r.run.at("t_start").get<double>();
    p.x_high = r.run.at("t_reached").get<double>();
  }
  const bool one = panels.size() == 1;
  return svg_page(panels, one ? 1 : 2, r.run.at("title"), one ? 520 : 400, one ? 300 : 230);
}

// The six panels of the source for the bar; for other systems what they have.
std::string motion(const Results& r) {
  std::vector<Panel> all;
  if (r.run.at("system").at("kind") == "bar") {
    const std::string t = "t (s)";
    all.push_back(
        panel("(a) centre of mass", t, "m", {curve(r, "t", "y", "y", kGreen), curve(r, "t", "x", "x", kBlue)}));
    all.push_back(panel("(b) velocity of the centre", t, "m/s",
                        {curve(r, "t", "vy", "vertical", kGreen), curve(r, "t", "vx", "horizontal", kBlue)}));
    all.push_back(panel("(c) angle", t, "rad", {curve(r, "t", "theta", "", kBlue)}));
    all.push_back(panel("(d) height of the ends", t, "m",
                        {curve(r, "t", "left_y", "left", kGreen), curve(r, "t", "right_y", "right", kBlue)}));
    all.push_back(panel("(e) angular velocity", t, "rad/s", {curve(r, "t", "omega", "", kBlue)}));
    all.push_back(panel("(f) energy", t, "J", {curve(r, "t", "energy", "", kBlue)}));
    return page_over_time(std::move(all), r);
  }
  if (r.run.at("system").at("kind") == "ball") {
    all.push_back(panel("centre", "t (s)", "m", {curve(r, "t", "y", "y", kGreen), curve(r, "t", "x", "x", kBlue)}));
    all.push_back(panel("velocity of the centre", "t (s)", "m/s",
                        {curve(r, "t", "vy", "vertical", kGreen), curve(r, "t", "vx", "horizontal", kBlue)}));
    all.push_back(panel("angular velocity", "t (s)", "rad/s", {curve(r, "t", "omega", "", kBlue)}));
    all.push_back(panel("energy", "t (s)", "J", {curve(r, "t", "energy", "", kBlue)}));
    return page_over_time(std::move(all), r);
  }
  all.push_back(several(r, "coordinates", "m, rad", r.run.at("system").at("coordinates")));
  all.push_back(several(r, "velocities", "m/s, rad/s", r.run.at("system").at("velocities")));
  std::vector<std::string> shown;
  const std::set<std::string> others{"t", "event", "kinetic", "potential", "energy"};
  std::set<std::string> own;
  for (const char* key : {"coordinates", "velocities"})
    for (const std::string n : r.run.at("system").at(key)) own.insert(n);
  for (const std::string& n : r.series.names)
    if (!others.contains(n) && !own.contains(n)) shown.push_back(n);
  if (!shown.empty()) all.push_back(several(r, "positions", "m", shown));
  all.push_back(several(r, "energy", "J", {"kinetic", "potential", "energy"}));
  return page_over_time(std::move(all), r);
}

// I_N, I_T, I_th at each impact as stems.
std::string impulses(const Results& r) {
  Panel p;
  p.title = "impulses";
  p.x_label = "t (s)";
  p.y_label = "N s, N m s";
  p.zero = true;
  Stems n{"I_N", kGreen, {}, {}}, t{"I_T", kBlue, {}, {}}, m{"I_theta", kRed, {}, {}};
  bool turning = false;
  for (const json& e : r.events)
    for (const json& h : e.at("hits")) {
      n.x.push_back(e.at("t")), n.y.push_back(h.at("IN"));
      t.x.push_back(e.at("t")), t.y.push_back(h.at("IT"));
      m.x.push_back(e.at("t")), m.y.push_back(h.at("Ith"));
      turning = turning || h.at("Ith") != 0.0;
    }
  p.stems = {std::move(n), std::move(t)};
  if (turning) p.stems.push_back(std::move(m));
  return page_over_time({p}, r);
}

std::string time_colour(double share) {
  // From light grey-blue to dark blue.
  share = share > 0 ? std::min(share, 1.0) : 0;  // times out of order are those of a damaged file
  const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0xb8, 0x10), mix(0xc8, 0x2c), mix(0xe4, 0x8a));
}

std::vector<double> numbers(const json& j, std::size_t least) {
  auto all = j.get<std::vector<double>>();
  if (all.size() < least) throw FileError(fmt::format("animation.json: {} has less than {} numbers", j.dump(), least));
  return all;
}

// Positions at equal intervals, from light (start) to dark (end); walls behind.
std::string strobe(const Results& r) {
  const json& a = r.animation;
  const std::size_t frames = a.at("t").size();
  if (frames == 0 || a.at("shapes").empty()) return "";
  Panel p;
  p.title = "positions at equal intervals, light to dark";
  p.x_label = "x (m)";
  p.y_label = "y (m)";
  p.equal = true;
  const double t0 = a.at("t").front(), t1 = a.at("t").back();
  constexpr int kPositions = 36;
  std::vector<std::size_t> chosen;
  for (int k = 0; k <= kPositions; ++k) {
    const double want = t0 + (t1 - t0) * k / kPositions;
    std::size_t best = chosen.empty() ? 0 : chosen.back();
    while (best + 1 < frames &&
           std::fabs(a.at("t").at(best + 1).get<double>() - want) <= std::fabs(a.at("t").at(best).get<double>() - want))
      ++best;
    if (chosen.empty() || chosen.back() != best) chosen.push_back(best);
  }
  std::vector<Line> walls;
  for (const json& s : a.at("shapes")) {
    if (s.at("kind") == "wall") {
      const auto w = numbers(s.at("through"), 4);
      const double dx = w[2] - w[0], dy = w[3] - w[1];
      Line l;
      l.colour = "#222222";
      l.width = 2;
      l.stretches = false;
      for (const double far : {-1e3, 1e3}) l.x.push_back(w[0] + far * dx), l.y.push_back(w[1] + far * dy);
      walls.push_back(l);
      Line near;  // the wall is in the picture
      near.width = 0;
      near.x = {w[0]};
      near.y = {w[1]};
      near.colour = "none";
      if (s.at("name") == "floor" || s.at("name") == "lower" || s.at("name") == "upper") walls.push_back(near);
      continue;
    }
    if (!s.contains("frames")) continue;
    for (const std::size_t k : chosen) {
      const auto f = numbers(s.at("frames").at(k), s.at("kind") == "segment" ? 4 : 3);
      Line l;
      l.colour = time_colour(t1 > t0 ? (a.at("t").at(k).get<double>() - t0) / (t1 - t0) : 1);
      l.width = 1.4;
      if (s.at("kind") == "segment") {
        l.x = {f[0], f[2]};
        l.y = {f[1], f[3]};
      } else {
        const double radius = s.at("radius");
        l.x.push_back(f[0]), l.y.push_back(f[1]);
        for (int i = 0; i <= 24; ++i) {
          const double w = f[2] + 2 * std::numbers::pi * i / 24;
          l.x.push_back(f[0] + radius * std::cos(w));
          l.y.push_back(f[1] + radius * std::sin(w));
        }
      }
      p.lines.push_back(std::move(l));
    }
  }
  p.lines.insert(p.lines.begin(), walls.begin(), walls.end());
  return svg_page({p}, 1, r.run.at("title"), 520, 420);
}

bool has_flag(const json& event, const char* flag) {
  for (const json& f : event.at("flags"))
    if (f == flag) return true;
  return false;
}

// The centre's way; branches after an impact at which a ball turned back in red.
std::string path(const Results& r) {
  Panel p;
  p.title = "path of the centre of mass";
  p.x_label = "x (m)";
  p.y_label = "y (m)";
  const auto &x = r.series["x"], &y = r.series["y"], &event = r.series["event"];
  Line now;
  const auto begin = [&](bool back) {
    now = Line();
    now.colour = back ? kRed : kBlue;
    now.label = back ? "after turning back" : "";
  };
  begin(false);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (event[i] >= 0) {
      if (!(event[i] < static_cast<double>(r.events.size())))
        throw FileError(
            fmt::format("series.csv: event {} is not among the {} of events.json", event[i], r.events.size()));
      p.lines.push_back(now);
      begin(has_flag(r.events.at(static_cast<std::size_t>(event[i])), "superball"));
    }
    now.x.push_back(x[i]);
    now.y.push_back(y[i]);
  }
  p.lines.push_back(now);
  p.marks.push_back({"start", "#222222", x.front(), y.front(), "ring", ""});
  return svg_page({p}, 1, r.run.at("title"), 520, 320);
}

// An impact at which the ball turns back: the velocity before (arriving), the normal, the velocity after, and
// the cone between the way it came and the normal.
std::string cone(const Results& r) {
  const json* chosen = nullptr;  // one that stays within the cone, else the first that turns back
  for (const json& e : r.events)
    if (has_flag(e, "superball") && (!chosen || (has_flag(e, "within_cone") && !has_flag(*chosen, "within_cone"))))
      chosen = &e;
  if (chosen) {
    const json& e = *chosen;
    const double ux = e.at("before").at("vx"), uy = e.at("before").at("vy"), vx = e.at("after").at("vx"),
                 vy = e.at("after").at("vy");
    const double n = uy > 0 ? -1 : 1;  // normal of the wall, into the gap
    Panel p;
    p.title = fmt::format("impact at t = {:.4g} s on the {} wall", e.at("t").get<double>(),
                          e.at("hits").at(0).at("contact").get<std::string>());
    p.x_label = "v_x (m/s)";
    p.y_label = "v_y (m/s)";
    p.equal = true;
    p.zero = true;
    Line area;
    area.label = "cone of the way it came and the normal";
    area.fill = "#f0c060";
    area.width = 0;
    area.opacity = 0.5;
    const double size = 1.25 * std::hypot(ux, uy), l = size / std::hypot(ux, uy);
    area.x = {0, -ux * l, 0};
    area.y = {0, -uy * l, n * size};
    p.lines.push_back(area);
    const auto arrow = [&](const char* label, const char* colour, double x0, double y0, double x1, double y1) {
      Line a;
      a.label = label;
      a.colour = colour;
      a.width = 2.2;
      a.x = {x0, x1};
      a.y = {y0, y1};
      a.arrow = true;
      p.lines.push_back(a);
    };
    arrow("velocity before", kBlue, -ux, -uy, 0, 0);
    arrow("velocity after", kRed, 0, 0, vx, vy);
    arrow("normal", kGreen, 0, 0, 0, n * size);
    Line wall;
    wall.colour = "#222222";
    wall.width = 2.5;
    wall.x = {-1.2 * size, 1.2 * size};
    wall.y = {0, 0};
    p.lines.insert(p.lines.begin(), wall);
    return svg_page({p}, 1, r.run.at("title"), 520, 360);
  }
  return "";
}

}  // namespace

static std::vector<std::pair<std::string, std::string>> plots_of(const Results& r) {
  std::vector<std::pair<std::string, std::string>> all{{"motion.svg", motion(r)}, {"impulses.svg", impulses(r)}};
  if (auto s = strobe(r); !s.empty()) all.emplace_back("strobe.svg", std::move(s));
  if (r.series.find("x") && r.series.find("y")) all.emplace_back("path.svg", path(r));
  if (r.series.find("omega")) {
    Panel spin = panel("angular velocity", "t (s)", "rad/s", {curve(r, "t", "omega", "", kBlue)});
    all.emplace_back("spin.svg", page_over_time({std::move(spin)}, r));
  }
  if (auto s = cone(r); !s.empty()) all.emplace_back("cone.svg", std::move(s));
  return all;
}

std::vector<std::pair<std::string, std::string>> lab_plots(const Results& r) {
  try {
    return plots_of(r);
  } catch (const json::exception& e) {
    throw FileError(fmt::format("run.json, events.json or animation.json is damaged: {}", e.what()));
  }
}

std::string diagram_svg(const impact::Diagram& d, const std::string& title) {
  using namespace impact;
  Panel p;
  p.x_label = "I_T (N s)";
  p.y_label = "I_N (N s)";
  p.equal = true;
  p.zero = true;
  // The picture holds the origin, the energy conic where it closes, and all end points.
  double size = 0;
  for (const DiagramRun& r : d.runs)
    if (r.status == Status::ok) size = std::max({size, std::fabs(r.end.IT), r.end.IN});
  if (size == 0) size = std::max(1e-12, -2 * d.pre.DNA / d.mass.A);
  const auto area = [&](const std::vector<PlanePoint>& points, const char* label, const char* fill) {
    Line l;
    l.label = label;
    l.fill = fill;
    l.width = 0;
    l.opacity = 0.55;
    l.stretches = false;
    for (const PlanePoint& q : points) l.x.push_back(q.IT), l.y.push_back(q.IN);
    p.lines.push_back(l);
  };
  if (!d.admissible.empty()) area(d.admissible, "admissible", "#f3d9a0");
  Line conic;
  conic.label = d.energy.kind == Conic::ellipse ? "energy ellipse" : "energy as before";
  conic.colour = "#c27c0e";
  conic.stretches = d.energy.kind == Conic::ellipse;
  if (d.energy.kind == Conic::parallel_lines) {
    for (std::size_t i = 0; i < d.energy.outline.size(); ++i) {
      if (i == 2) conic.x.push_back(NAN), conic.y.push_back(NAN);
      conic.x.push_back(d.energy.outline[i].IT), conic.y.push_back(d.energy.outline[i].IN);
    }
  } else {
    for (const PlanePoint& q : d.energy.outline) conic.x.push_back(q.IT), conic.y.push_back(q.IN);
  }
  // n I_N + t I_T + c = 0, far beyond the frame.
  const double far = 20 * size;
  const auto straight = [&](const PlaneLine& l, const char* label, const char* colour, const char* dash) {
    const double square = l.n * l.n + l.t * l.t;
    if (!(square > 0)) return;
    const double x = -l.c * l.t / square, y = -l.c * l.n / square, length = std::sqrt(square);
    Line k;
    k.label = label;
    k.colour = colour;
    k.dash = dash;
    k.stretches = false;
    k.width = 1.2;
    for (const double s : {-far, far}) k.x.push_back(x + s * l.n / length), k.y.push_back(y - s * l.t / length);
    p.lines.push_back(k);
  };
  straight(d.compression, "C: maximum compression", "#7a5230", "6 3");
  straight(d.termination, "T: termination (Newton)", "#7a5230", "2 3");
  straight(d.sticking, "Ad: sticking", kGreen, "6 3");
  for (int k = 0; k < 2 && d.mu > 0; ++k) {
    Line l;
    l.label = "At: friction";
    l.colour = "#8e3fa8";
    l.width = 1.2;
    l.stretches = false;
    const double s = k == 0 ? -1 : 1;
    l.x = {0, s * d.mu * far};
    l.y = {0, far};
    p.lines.push_back(l);
  }
  if (d.reverse_slip) {
    Line l;
    l.label = "DR: reverse slip";
    l.colour = "#0b8f93";
    l.dash = "3 3";
    l.stretches = false;
    l.x = {d.reverse_from.IT, d.reverse_to.IT};
    l.y = {d.reverse_from.IN, d.reverse_to.IN};
    p.lines.push_back(l);
  }
  p.lines.push_back(conic);
  std::vector<std::pair<PlanePoint, std::string>> ends;
  for (std::size_t k = 0; k < d.runs.size(); ++k) {
    const DiagramRun& r = d.runs[k];
    if (r.status != Status::ok) continue;
    Line l;
    l.colour = k == 0 ? kRed : colour(k + 1);
    l.width = k == 0 ? 2.4 : 1.2;
    for (const PlanePoint& q : r.path) l.x.push_back(q.IT), l.y.push_back(q.IN);
    if (r.path.size() < 2) l.x = {0, r.end.IT}, l.y = {0, r.end.IN}, l.dash = "1 3";
    p.lines.push_back(l);
    if (k == 0 && r.compression > 0 && r.compression < static_cast<int>(r.path.size())) {
      const PlanePoint& q = r.path[static_cast<std::size_t>(r.compression)];
      p.marks.push_back({"end of compression", kRed, q.IT, q.IN, "ring", ""});
    }
    p.marks.push_back({fmt::format("{}{}", r.model, r.energy_gain ? " (gains energy)" : ""), l.colour, r.end.IT,
                       r.end.IN,
                       r.energy_gain ? "cross"
                       : k == 0      ? "disc"
                                     : "square",
                       ""});
  }
  p.marks.push_back({"", "#222222", 0, 0, "disc", ""});
  p.title = fmt::format("D_NA = {:.4g}, D_TA = {:.4g}, mu = {:.4g}, e = {:.4g}, mu_s = {:.4g}", d.pre.DNA, d.pre.DTA,
                        d.mu, d.e, d.mu_s);
  return svg_page({p}, 1, title, 640, 520);
}

std::string characteristic_svg(const Characteristic& c, const std::string& title) {
  const double INE = c.e, shift = (c.ITC == 0 ? 0 : c.mu * c.nu * INE * (c.ITC > 0 ? 1 : -1) + c.e * c.et * c.ITC);
  const double low = -c.mu * INE + (c.ITC > 0 ? shift : 0), high = c.mu * INE + (c.ITC < 0 ? shift : 0);
  Panel n;
  n.title = "normal: 0 <= I_N complementary to D_N >= 0";
  n.x_label = "I_NP";
  n.y_label = "D_N";
  n.zero = true;
  n.lines.push_back({"", kBlue, {0, 0, 1}, {1, 0, 0}, 3, "", "", 1, true, false});
  n.x_low = -0.5, n.x_high = 1, n.y_low = -0.5, n.y_high = 1;
  Panel t;
  t.title = "tangential: D_T over I_T";
  t.x_label = "I_T / I_NC";
  t.y_label = "D_T";
  t.zero = true;
  const double edge = 1.3 * c.mu * std::max(1.0, INE);
  if (shift != 0) {
    Line old;
    old.label = "without shift";
    old.colour = "#999999";
    old.dash = "5 3";
    old.x = {-c.mu * INE, -c.mu * INE, c.mu * INE, c.mu * INE};
    old.y = {1, 0, 0, -1};
    t.lines.push_back(old);
  }
  t.lines.push_back(
      {shift != 0 ? "shifted by 2 I_TS" : "", kBlue, {low, low, high, high}, {1, 0, 0, -1}, 3, "", "", 1, true, false});
  t.marks.push_back({"", kRed, low, 0, "disc", fmt::format("{:.3g}", low)});
  t.marks.push_back({"", kRed, high, 0, "disc", fmt::format("{:.3g}", high)});
  t.x_low = -edge, t.x_high = edge, t.y_low = -1, t.y_high = 1;
  return svg_page({n, t}, 2, title, 400, 280);
}

}  // namespace areia::lab
