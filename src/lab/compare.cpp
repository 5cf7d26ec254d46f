#include "lab/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "areia/error.h"
#include "core/suggest.h"
#include "impact/systems/systems.h"
#include "lab/results.h"
#include "render/plot.h"

namespace areia::lab {

using namespace plot;

namespace {

using namespace impact;

struct Quantity {
  const char* name;
  const char* title;
  double (*of)(const Impact&);
};
constexpr Quantity kQuantities[] = {
    {"dT", "change of kinetic energy (J)", [](const Impact& i) { return i.dT; }},
    {"IN", "normal impulse (N s)", [](const Impact& i) { return i.I.N; }},
    {"IT", "tangential impulse (N s)", [](const Impact& i) { return i.I.T; }},
    {"DNE", "normal velocity after (m/s)", [](const Impact& i) { return i.E.N; }},
    {"DTE", "tangential velocity after (m/s)", [](const Impact& i) { return i.E.T; }},
};

double parse_number(const std::string& text, const std::string& whole) {
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(v))
    throw InputError("--sweep", whole, "must look like mu=0:1:0.05 (from, to, step) or mu=0.1,0.4,1");
  return v;
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) parse_number("", text);
  Sweep s{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  const auto range = split(values, ':');
  if (range.size() == 3) {
    const double from = parse_number(range[0], text), to = parse_number(range[1], text);
    const double step = parse_number(range[2], text);
    const double count = (to - from) / step;
    if (!(step != 0) || !(count >= 0) || count > 100000)
      throw InputError("--sweep", text, "the step must lead from the first value to the last in at most 100000 steps");
    for (int k = 0; k <= static_cast<int>(std::floor(count + 1e-9)); ++k) {
      const double v = from + k * step;
      s.values.push_back(std::fabs(v) < 1e-12 * std::fabs(step) ? 0.0 : v);
    }
    return s;
  }
  for (const std::string& v : split(values, ',')) s.values.push_back(parse_number(v, text));
  return s;
}

LocalMass bar_local_mass(double mass, double length, double angle, int end) {
  const auto bar = make_bar({mass, length, 0});
  const Vector q{0, length, angle};
  return local_mass(MassMatrix(bar->mass(q)), bar->rows(static_cast<std::size_t>(end), q));
}

std::vector<std::string> compared_quantities() {
  std::vector<std::string> names;
  for (const Quantity& q : kQuantities) names.emplace_back(q.name);
  return names;
}

std::vector<ComparedRow> compare(const Comparison& c) {
  std::vector<Problem> problems;
  bool used = c.sweep.name == "angle";
  for (const std::string& m : c.models) {
    const ModelInfo* i = find_model(m);
    if (!i) {
      problems.push_back({"", 0, "--models", m, "is no model" + suggestion(m, model_names())});
      continue;
    }
    for (const Coefficient& k : i->coefficients) used = used || c.sweep.name == k.name;
  }
  if (!used && problems.empty())
    problems.push_back({"", 0, "--sweep", c.sweep.name, "is neither `angle` nor a coefficient of the models"});
  std::vector<ComparedRow> rows;
  for (const double v : c.sweep.values) {
    if (!problems.empty()) break;
    ComparedRow row{v, {}};
    std::map<std::string, Written> params = c.params;
    if (c.sweep.name != "angle") params[c.sweep.name] = {v, "", false};
    const LocalMass mass = c.sweep.name == "angle" ? bar_local_mass(c.bar_mass, c.bar_length, v, c.bar_end) : c.mass;
    for (const std::string& name : c.models) {
      std::map<std::string, Written> own;
      for (const Coefficient& k : find_model(name)->coefficients)
        if (const auto p = params.find(k.name); p != params.end()) own.insert(*p);
      const Model model = make_model(name, own, name + ".", problems);
      if (problems.empty()) row.impacts.push_back(solve(mass, c.pre, model));
    }
    rows.push_back(std::move(row));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return rows;
}

std::string compare_table(const Comparison& c, const std::vector<ComparedRow>& rows, const std::string& quantity) {
  const Quantity* q = nullptr;
  for (const Quantity& k : kQuantities)
    if (quantity == k.name) q = &k;
  if (!q)
    throw InputError("--show", quantity,
                     fmt::format("must be one of {}{}", fmt::join(compared_quantities(), ", "),
                                 suggestion(quantity, compared_quantities())));
  std::string s = fmt::format("{}: {}; * energy gain\n{:>10}", q->name, q->title, c.sweep.name);
  for (const std::string& m : c.models) s += fmt::format(" {:>13}", m);
  s += "\n";
  for (const ComparedRow& r : rows) {
    s += fmt::format("{:>10.6g}", r.value);
    for (const Impact& i : r.impacts)
      s += i.ok() ? fmt::format(" {:>12.6g}{}", q->of(i), i.energy_gain ? "*" : " ")
                  : fmt::format(" {:>13}", name(i.status));
    s += "\n";
  }
  return s;
}

std::string compare_csv(const Comparison& c, const std::vector<ComparedRow>& rows) {
  std::string s = c.sweep.name + ",model,status,mode,IN,IT,Ith,DNE,DTE,DthE,dT,energy_gain\n";
  for (const ComparedRow& r : rows)
    for (std::size_t k = 0; k < r.impacts.size(); ++k) {
      const Impact& i = r.impacts[k];
      s += fmt::format("{},{},{},{}", r.value, c.models[k], name(i.status), i.mode);
      for (const double v : {i.I.N, i.I.T, i.I.th, i.E.N, i.E.T, i.E.th, i.dT})
        s += i.ok() ? fmt::format(",{}", v) : ",";
      s += fmt::format(",{}\n", i.energy_gain ? 1 : 0);
    }
  return s;
}

nlohmann::ordered_json compare_json(const Comparison& c, const std::vector<ComparedRow>& rows) {
  nlohmann::ordered_json j;
  j["sweep"] = c.sweep.name;
  j["models"] = c.models;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ComparedRow& r : rows) {
    nlohmann::ordered_json row;
    row["value"] = r.value;
    const LocalMass mass =
        c.sweep.name == "angle" ? bar_local_mass(c.bar_mass, c.bar_length, r.value, c.bar_end) : c.mass;
    for (std::size_t k = 0; k < r.impacts.size(); ++k) {
      row[c.models[k]] = to_json(r.impacts[k], mass, c.pre);
      row[c.models[k]]["mode"] = r.impacts[k].mode;
    }
    all.push_back(std::move(row));
  }
  j["rows"] = std::move(all);
  return j;
}

std::string compare_svg(const Comparison& c, const std::vector<ComparedRow>& rows, const std::string& title) {
  std::vector<Panel> panels;
  for (const char* wanted : {"IN", "IT", "DTE", "dT"})
    for (const Quantity& q : kQuantities) {
      if (std::string(wanted) != q.name) continue;
      Panel p;
      p.title = q.title;
      p.x_label = c.sweep.name;
      p.y_label = q.name;
      for (std::size_t k = 0; k < c.models.size(); ++k) {
        Line l;
        l.label = c.models[k];
        l.colour = colour(k);
        // Models that agree lie on each other: later ones are dashed so that the earlier ones stay visible.
        if (k % 3 == 1) l.dash = "7 4";
        if (k % 3 == 2) l.dash = "2 4";
        const std::size_t every = std::max<std::size_t>(1, rows.size() / 15);  // marks do not hide the line
        for (std::size_t n = 0; n < rows.size(); ++n) {
          const ComparedRow& r = rows[n];
          const Impact& i = r.impacts[k];
          const double y = i.ok() ? q.of(i) : std::numeric_limits<double>::quiet_NaN();
          l.x.push_back(r.value);
          l.y.push_back(y);
          if (n % every == 0 && q.name == std::string("dT") && i.ok() && i.energy_gain)
            p.marks.push_back({"energy gain", kRed, r.value, y, "cross", ""});
        }
        p.lines.push_back(std::move(l));
      }
      p.zero = true;
      panels.push_back(std::move(p));
    }
  return svg_page(panels, 2, title, 440, 300);
}

}  // namespace areia::lab
