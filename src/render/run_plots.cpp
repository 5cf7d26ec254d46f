#include "render/run_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "observe/series_names.h"
#include "render/colour.h"

namespace areia {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostCurves = 6;  // in a panel

std::string hex(const picture::Colour& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", picture::display_value(c.r), picture::display_value(c.g),
                     picture::display_value(c.b));
}

bool is_over_time(const SeriesTable& t) {
  if (t.names.size() < 2 || t.names[0] != "time_s" || t.columns[0].size() < 2) return false;
  const std::vector<double>& time = t.columns[0];
  for (std::size_t k = 1; k < time.size(); ++k)
    if (!(time[k] > time[k - 1])) return false;
  return true;
}

bool has_numbers(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

std::vector<plot::Panel> panels_of(const SeriesTable& t) {
  std::vector<plot::Panel> panels;
  std::map<std::string, std::size_t> open;  // panel of a unit that has room
  for (std::size_t c = 1; c < t.names.size(); ++c) {
    if (!has_numbers(t.columns[c])) continue;
    const ColumnLabel label = column_label(t.names[c]);
    // counts have little in common: a panel for each
    const bool alone = label.unit.empty();
    auto found = open.find(label.unit);
    if (alone || found == open.end() || panels[found->second].lines.size() >= kMostCurves) {
      plot::Panel panel;
      panel.x_label = "t (s)";
      panel.y_label = alone ? label.name : label.unit;
      panel.x_low = t.columns[0].front();
      panel.x_high = t.columns[0].back();
      panels.push_back(std::move(panel));
      found = open.insert_or_assign(label.unit, panels.size() - 1).first;
    }
    plot::Panel& panel = panels[found->second];
    plot::Line line;
    line.label = alone ? "" : label.name;
    line.colour = plot::colour(panel.lines.size());
    line.x = t.columns[0];
    line.y = t.columns[c];
    panel.lines.push_back(std::move(line));
  }
  return panels;
}

}  // namespace

ColumnLabel column_label(const std::string& column) {
  static const std::map<std::string, std::string> units{
      {"J", "J"},         {"N", "N"},       {"Nm", "N m"},   {"m", "m"},     {"s", "s"},         {"kg", "kg"},
      {"Pa", "Pa"},       {"deg", "°"},     {"rad", "rad"},  {"m/s", "m/s"}, {"rad/s", "rad/s"}, {"m2/s2", "m²/s²"},
      {"kg/m3", "kg/m³"}, {"kg/s", "kg/s"}, {"1/s", "1/s"},  {"m2", "m²"},   {"m3", "m³"},       {"W", "W"},
      {"C", "C"},         {"K", "K"},       {"J/m2", "J/m²"}};
  ColumnLabel label{column, ""};
  const std::size_t at = column.rfind('_');
  if (at != std::string::npos && at > 0)
    if (const auto found = units.find(column.substr(at + 1)); found != units.end())
      label = {column.substr(0, at), found->second};
  std::replace(label.name.begin(), label.name.end(), '_', ' ');
  return label;
}

// With the signs of the theory manual, section 16:
//   stored + dissipated = initial + wall_work + field_work - removed + numerical + residual
std::vector<plot::Panel> ledger_panels(const SeriesTable& energy) {
  static constexpr const char* kStored[] = {
      "kinetic",         "rotational", "potential", "elastic_normal", "elastic_tangential",
      "elastic_rolling", "adhesive",   "distant",   "bonds"};
  static constexpr const char* kDissipated[] = {"damping",      "sliding", "rolling", "adhesion",
                                                "bond_damping", "broken",  "drag"};
  static constexpr std::pair<const char*, int> kSupplied[] = {
      {"initial", 1}, {"wall_work", 1}, {"field_work", 1}, {"removed", -1}, {"numerical", 1}};
  const auto column = [&](std::string_view name) -> const std::vector<double>* {
    const auto found = std::find(energy.names.begin(), energy.names.end(), fmt::format("{}_J", name));
    return found == energy.names.end() ? nullptr
                                       : &energy.columns[static_cast<std::size_t>(found - energy.names.begin())];
  };
  const std::vector<double>& time = energy.columns[0];
  const std::size_t n = time.size();
  std::vector<double> above(n, 0), below(n, 0);
  // Potential energy has no zero of its own: counted from its lowest value, on both sides.
  double lowest = 0;
  if (const auto* potential = column("potential"); potential && n > 0)
    lowest = *std::min_element(potential->begin(), potential->end());

  plot::Panel stack;
  stack.title = "energy: stored and dissipated, and what was supplied";
  stack.x_label = "t (s)";
  stack.y_label = std::string("J");  // a plain letter makes gcc 12 warn of copies that overlap
  const auto add = [&](const std::string& name, std::int32_t kind) {
    const std::vector<double>* values = column(name);
    if (!values || std::all_of(values->begin(), values->end(), [](double v) { return v == 0; })) return;
    plot::Line area;
    area.label = name;
    std::replace(area.label.begin(), area.label.end(), '_', ' ');
    area.fill = area.colour = hex(picture::kind_colour(kind));
    area.width = 0;
    std::vector<double> bottom(n), top(n);
    for (std::size_t k = 0; k < n; ++k) {
      const double v = (*values)[k] - (name == "potential" ? lowest : 0);
      double& pile = v < 0 ? below[k] : above[k];
      bottom[k] = pile;
      pile += v;
      top[k] = pile;
    }
    area.x = time;
    area.y = top;
    for (std::size_t k = n; k-- > 0;) area.x.push_back(time[k]), area.y.push_back(bottom[k]);
    stack.lines.push_back(std::move(area));
  };
  for (std::size_t k = 0; k < std::size(kStored); ++k) add(kStored[k], static_cast<std::int32_t>(k));
  for (std::size_t k = 0; k < std::size(kDissipated); ++k) add(kDissipated[k], static_cast<std::int32_t>(k + 8));

  plot::Line supplied;
  supplied.label = "supplied";
  supplied.colour = "#111111";
  supplied.dash = "6 4";
  supplied.x = time;
  supplied.y.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    for (const auto& [name, sign] : kSupplied)
      if (const auto* values = column(name)) supplied.y[k] += sign * (*values)[k];
    supplied.y[k] -= lowest + below[k];
  }
  stack.lines.push_back(std::move(supplied));

  plot::Panel rest;
  rest.title = "residual, as a share of the energy turned over";
  rest.x_label = "t (s)";
  rest.zero = true;
  plot::Line share;
  share.colour = plot::kRed;
  share.x = time;
  const auto *residual = column("residual"), *scale = column("turned_over");
  for (std::size_t k = 0; k < n; ++k)
    share.y.push_back(residual && scale && (*scale)[k] > 0 ? (*residual)[k] / (*scale)[k] : 0);
  rest.lines.push_back(std::move(share));
  for (plot::Panel* p : {&stack, &rest})
    if (n > 1) p->x_low = time.front(), p->x_high = time.back();
  return {stack, rest};
}

std::vector<RunPlot> run_plots(const fs::path& results) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(results))
    if (entry.path().extension() == ".csv" && fs::is_regular_file(entry.symlink_status()))
      names.insert(entry.path().stem().string());
  std::vector<RunPlot> plots;
  for (const std::string& name : names) {
    if (name == kStageSeries || name == kBreakSeries) continue;  // events, not values over time
    const SeriesTable table = read_series(results / (name + ".csv"));
    if (!is_over_time(table)) continue;
    if (name == kEnergySeries) plots.insert(plots.begin(), {"ledger", ledger_panels(table)});
    if (RunPlot plot{name, panels_of(table)}; !plot.panels.empty()) plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace areia
