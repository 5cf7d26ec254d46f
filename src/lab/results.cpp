#include "lab/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "areia/error.h"
#include "impact/models.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"
#include "io/files/manifest.h"
#include "lab/plots.h"

namespace areia::lab {

namespace {

using namespace impact;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char *kRunFile = "run.json", *kDiagrams = "diagrams";

ordered_json point(const PlanePoint& p) { return {p.IT, p.IN}; }
ordered_json points(const std::vector<PlanePoint>& all) {
  ordered_json j = ordered_json::array();
  for (const PlanePoint& p : all) j.push_back(point(p));
  return j;
}
ordered_json line(const PlaneLine& l) { return {{"n", l.n}, {"t", l.t}, {"c", l.c}}; }

// JSON has no infinity: what cannot be written is null.
ordered_json number(double v) { return std::isfinite(v) ? ordered_json(v) : ordered_json(nullptr); }

ordered_json state(const System& system, const State& s) {
  ordered_json j;
  const auto q = system.coordinates(), v = system.velocities();
  for (std::size_t i = 0; i < q.size(); ++i) j[q[i]] = s.q[i];
  for (std::size_t i = 0; i < v.size(); ++i) j[v[i]] = s.v[i];
  return j;
}

// Superball behaviour of a ball (10.2): its centre turns back along the wall.
bool turns_back(const Event& e) { return e.before.v[0] * e.after.v[0] < 0; }
// ... and stays within the cone between the way it came and the normal.
bool within_cone(const Event& e) {
  return turns_back(e) && std::fabs(e.after.v[0] * e.before.v[1]) <= std::fabs(e.before.v[0] * e.after.v[1]);
}

ordered_json event_json(const LabCase& c, const Event& e) {
  const System& system = *c.system;
  ordered_json j;
  j["kind"] = name(e.kind);
  j["t"] = e.t;
  if (e.kind == Event::Kind::chatter) {
    j["t_last_impact"] = e.before.t;
    j["ratio"] = e.ratio;
  }
  j["before"] = state(system, e.before);
  j["after"] = state(system, e.after);
  j["energy_before"] = e.energy_before;
  j["energy_after"] = e.energy_after;
  ordered_json hits = ordered_json::array();
  for (const Hit& h : e.hits) {
    ordered_json k;
    k["contact"] = system.contacts()[h.contact];
    k["mode"] = h.mode;
    k.update(to_json(h.impact, h.mass, h.pre));
    if (system.kind() == "pinned_bar") {
      // m (L/2) sigma d(omega) - I_N = (3d/(2L) - 1) I_N: with A = 3 d^2/(m L^2) and M = m L^2/3, d = sqrt(A M).
      const double M = system.mass(e.before.q)[0][0], d = std::sqrt(h.mass.A * M);
      k["pin_impulse"] = (1.5 * d / system.length() - 1) * h.impact.I.N;
    }
    hits.push_back(std::move(k));
  }
  j["hits"] = std::move(hits);
  ordered_json resting = ordered_json::array();
  for (const RestingContact& r : e.resting)
    resting.push_back({{"contact", system.contacts()[r.contact]}, {"touch", name(r.touch)}});
  j["resting"] = std::move(resting);
  ordered_json flags = ordered_json::array();
  if (e.substituted) flags.push_back("simultaneous contacts: gp1 in place of the model");
  if (e.moment_suppressed) flags.push_back("moment_suppressed");
  bool gain = false;
  for (const Hit& h : e.hits) gain = gain || h.impact.energy_gain;
  if (gain) flags.push_back("energy_gain");
  if (system.kind() == "ball" && e.kind == Event::Kind::impact) {
    if (turns_back(e)) flags.push_back("superball");
    if (within_cone(e)) flags.push_back("within_cone");
  }
  j["flags"] = std::move(flags);
  return j;
}

std::string series_csv(const LabCase& c, const Trajectory& t) {
  const Table table = series_of(c, t);
  std::string s = fmt::format("{}\n", fmt::join(table.names, ","));
  for (std::size_t row = 0; row < t.samples.size(); ++row)
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      s += fmt::format("{}{}", table.columns[k][row], k + 1 < table.columns.size() ? "," : "\n");
  return s;
}

std::string events_csv(const LabCase& c, const Trajectory& t) {
  std::string s =
      "event,t,kind,contact,mode,DNA,DTA,DthA,IN,IT,Ith,INC,ITC,IthC,INE,ITE,IthE,DNE,DTE,DthE,dT,energy_before,"
      "energy_after,energy_gain\n";
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    const Event& e = t.events[i];
    for (const Hit& h : e.hits) {
      const Impact& m = h.impact;
      s += fmt::format("{},{},{},{},{}", i, e.t, name(e.kind), io::csv_field(c.system->contacts()[h.contact]), h.mode);
      for (const double v : {h.pre.DNA, h.pre.DTA, h.pre.DthA, m.I.N, m.I.T, m.I.th}) s += fmt::format(",{}", v);
      for (const double v : {m.IC.N, m.IC.T, m.IC.th, m.IE.N, m.IE.T, m.IE.th})
        s += m.stages ? fmt::format(",{}", v) : ",";
      for (const double v : {m.E.N, m.E.T, m.E.th, m.dT, e.energy_before, e.energy_after}) s += fmt::format(",{}", v);
      s += fmt::format(",{}\n", m.energy_gain ? 1 : 0);
    }
    if (e.hits.empty())
      s += fmt::format("{},{},{},,,,,,,,,,,,,,,,,,,{},{},0\n", i, e.t, name(e.kind), e.energy_before, e.energy_after);
  }
  return s;
}

ordered_json animation_json(const LabCase& c, const Trajectory& t) {
  const Animation all = animation_of(c, t);
  ordered_json shapes = ordered_json::array();
  for (const Animation::Moving& m : all.shapes) {
    const Shape& s = m.first;
    ordered_json k;
    k["name"] = s.name;
    k["kind"] = name(s.kind);
    if (s.kind == Shape::Kind::wall) k["through"] = {s.a[0], s.a[1], s.b[0], s.b[1]};
    if (s.kind == Shape::Kind::disc) k["radius"] = s.radius;
    const auto width = static_cast<std::ptrdiff_t>(m.components());
    for (auto at = m.places.begin(); at != m.places.end(); at += width)
      k["frames"].push_back(std::vector<double>(at, at + width));
    shapes.push_back(std::move(k));
  }
  ordered_json j;
  j["about"] = "segments: x and y of both ends; discs: x, y and angle; walls: two points of the line";
  j["t"] = all.t;
  j["shapes"] = std::move(shapes);
  return j;
}

}  // namespace

const char* name(Shape::Kind kind) {
  return kind == Shape::Kind::wall ? "wall" : kind == Shape::Kind::disc ? "disc" : "segment";
}

Table series_of(const LabCase& c, const Trajectory& t) {
  const System& system = *c.system;
  Table table;
  table.names = {"t", "event"};
  for (const auto& names : {system.coordinates(), system.velocities()})
    table.names.insert(table.names.end(), names.begin(), names.end());
  for (const Shown& n : system.shown(c.start)) table.names.push_back(n.name);
  table.names.insert(table.names.end(), {"kinetic", "potential", "energy"});
  table.columns.resize(table.names.size());
  for (const Sample& x : t.samples) {
    std::size_t k = 0;
    const auto put = [&](double v) { table.columns[k++].push_back(v); };
    put(x.state.t);
    put(x.after_event);
    for (const double v : x.state.q) put(v);
    for (const double v : x.state.v) put(v);
    for (const Shown& v : system.shown(x.state)) put(v.value);
    const double potential = system.potential(x.state.q);
    put(x.energy - potential);
    put(potential);
    put(x.energy);
  }
  return table;
}

Animation animation_of(const LabCase& c, const Trajectory& t) {
  Animation all;
  for (const Shape& s : c.system->shapes(c.start)) all.shapes.push_back({s, {}});
  double last = std::numeric_limits<double>::quiet_NaN();
  for (const Sample& x : t.samples) {
    if (x.state.t == last) continue;  // positions do not jump
    last = x.state.t;
    all.t.push_back(x.state.t);
    const auto now = c.system->shapes(x.state);
    for (std::size_t i = 0; i < now.size(); ++i) {
      std::vector<double>& places = all.shapes[i].places;
      if (now[i].kind == Shape::Kind::disc) places.insert(places.end(), {now[i].a[0], now[i].a[1], now[i].angle});
      else if (now[i].kind == Shape::Kind::segment)
        places.insert(places.end(), {now[i].a[0], now[i].a[1], now[i].b[0], now[i].b[1]});
    }
  }
  return all;
}

ordered_json run_json(const LabCase& c, const Trajectory& t) {
  const System& system = *c.system;
  std::size_t impacts = 0, gains = 0;
  for (const Event& e : t.events) {
    impacts += e.kind == Event::Kind::impact;
    bool gain = false;
    for (const Hit& h : e.hits) gain = gain || h.impact.energy_gain;
    gains += gain;
  }
  ordered_json j;
  j["title"] = c.title;
  j["system"] = {{"kind", system.kind()},
                 {"coordinates", system.coordinates()},
                 {"velocities", system.velocities()},
                 {"contacts", system.contacts()}};
  j["model"] = c.model;
  ordered_json params;
  for (const Coefficient& k : info(c.options.model.law).coefficients)
    if (k.number) {
      const double v = c.options.model.*k.number;
      const bool optional = k.number == &Model::mu0 || k.number == &Model::KN || k.number == &Model::KT;
      if (!optional || v != kNotGiven) params[k.name] = v;
    }
  j["params"] = std::move(params);
  j["t_start"] = c.start.t;
  j["t_end"] = c.options.t_end;
  j["complete"] = t.complete();
  j["status"] = t.limit_reached ? "limit_of_impacts" : t.out_of_time ? "out_of_time" : name(t.status);
  j["reason"] = t.reason;
  j["t_reached"] = t.samples.back().state.t;
  j["impacts"] = impacts;
  j["events"] = t.events.size();
  j["energy_gains"] = gains;
  j["energy_start"] = t.samples.front().energy;
  j["energy_end"] = t.samples.back().energy;
  return j;
}

ordered_json events_json(const LabCase& c, const Trajectory& t) {
  ordered_json events = ordered_json::array();
  for (const Event& e : t.events) events.push_back(event_json(c, e));
  return events;
}

std::optional<Diagram> plane_of(const LabCase& c, const Event& e) {
  if (e.kind != Event::Kind::impact || e.hits.size() != 1) return std::nullopt;
  std::vector<Model> models{c.options.model};
  models.insert(models.end(), c.diagram_models.begin(), c.diagram_models.end());
  return diagram(e.hits[0].mass, e.hits[0].pre, models);
}

ordered_json to_json(const Impact& m, const LocalMass& a, const Pre& p) {
  ordered_json j;
  j["local"] = {{"A", a.A}, {"B", a.B}, {"C", a.C}, {"D", a.D}, {"E", a.E}, {"F", a.F}};
  j["pre"] = {{"DNA", p.DNA}, {"DTA", p.DTA}, {"DthA", p.DthA}};
  j["status"] = name(m.status);
  j["IN"] = m.I.N, j["IT"] = m.I.T, j["Ith"] = m.I.th;
  if (m.stages) {
    j["INC"] = m.IC.N, j["ITC"] = m.IC.T, j["IthC"] = m.IC.th;
    j["INE"] = m.IE.N, j["ITE"] = m.IE.T, j["IthE"] = m.IE.th;
    j["DTC"] = m.C.T, j["DthC"] = m.C.th;
  }
  j["DNE"] = m.E.N, j["DTE"] = m.E.T, j["DthE"] = m.E.th;
  j["dT"] = m.dT;
  j["dT_inertial"] = m.dT_inertial;
  j["energy_gain"] = m.energy_gain;
  if (m.works) j["WnC"] = m.WnC, j["WnE"] = m.WnE, j["Wt"] = m.Wt;
  if (m.has_eb2) j["eb2"] = m.eb2;
  j["classification"] = {{"direct", m.kind.direct}, {"grazing", m.kind.grazing}, {"central", m.kind.central}};
  return j;
}

ordered_json to_json(const Diagram& d) {
  ordered_json j;
  j["axes"] = "points are [I_T, I_N]; a line is n I_N + t I_T + c = 0";
  j["local"] = {{"A", d.mass.A}, {"B", d.mass.B}, {"C", d.mass.C}};
  j["pre"] = {{"DNA", d.pre.DNA}, {"DTA", d.pre.DTA}};
  j["mu"] = d.mu;
  j["e"] = d.e;
  j["mu_s"] = d.mu_s;
  j["T_loc"] = d.local_energy;
  j["compression"] = line(d.compression);
  j["termination"] = line(d.termination);
  j["sticking"] = line(d.sticking);
  j["friction"] = {line(d.friction[0]), line(d.friction[1])};
  if (d.reverse_slip) j["reverse_slip"] = {point(d.reverse_from), point(d.reverse_to)};
  static constexpr const char* kConics[] = {"ellipse", "parabola", "parallel_lines"};
  ordered_json energy;
  energy["kind"] = kConics[static_cast<int>(d.energy.kind)];
  if (d.energy.kind == Conic::ellipse) {
    energy["centre"] = point(d.energy.centre);
    energy["semi_axes"] = {d.energy.semi_axes[0], d.energy.semi_axes[1]};
    energy["directions"] = {point(d.energy.directions[0]), point(d.energy.directions[1])};
  }
  energy["outline"] = points(d.energy.outline);
  j["energy"] = std::move(energy);
  j["admissible"] = points(d.admissible);
  ordered_json runs = ordered_json::array();
  for (const DiagramRun& r : d.runs)
    runs.push_back({{"model", r.model},
                    {"status", name(r.status)},
                    {"mode", r.mode},
                    {"path", points(r.path)},
                    {"compression", r.compression},
                    {"end", {number(r.end.IT), number(r.end.IN)}},
                    {"dT", r.dT},
                    {"energy_gain", r.energy_gain}});
  j["runs"] = std::move(runs);
  return j;
}

void write_results(const fs::path& folder, const LabCase& c, const Trajectory& t) {
  Manifest manifest(folder, "--out", kKind);
  if (fs::is_directory(folder) && !fs::is_empty(folder) && !manifest.exists())
    throw InputError("--out", folder.string(),
                     "holds other things than results of the impact lab; choose a new folder");
  NamedTexts files{{"case.toml", c.text}, {"series.csv", series_csv(c, t)}, {"events.csv", events_csv(c, t)}};
  files.emplace_back("events.json", events_json(c, t).dump(1) + "\n");
  files.emplace_back("animation.json", animation_json(c, t).dump() + "\n");
  int drawn = 0;
  for (std::size_t i = 0; i < t.events.size() && drawn < c.most_diagrams; ++i) {
    const Event& e = t.events[i];
    const std::optional<Diagram> plane = plane_of(c, e);
    if (!plane) continue;
    ++drawn;
    const Diagram& d = *plane;
    const std::string stem = fmt::format("{}/{:04}", kDiagrams, i);
    files.emplace_back(stem + ".json", to_json(d).dump(1) + "\n");
    files.emplace_back(stem + ".svg", diagram_svg(d, fmt::format("{}: impact {} at t = {:.6g}, contact {}", c.title, i,
                                                                 e.t, c.system->contacts()[e.hits[0].contact])));
  }
  files.emplace_back(kRunFile, run_json(c, t).dump(1) + "\n");

  std::set<std::string> would_write;
  for (const auto& [name, text] : files) would_write.insert(name);
  manifest.refuse_others([&](const std::string& name) { return would_write.contains(name) || manifest.lists(name); },
                         {kDiagrams});
  manifest.open();
  // pictures of the earlier run, too; comparisons stand by themselves
  std::vector<std::string> earlier;
  for (const std::string& name : manifest.names())
    if (name != kRunFile && !name.starts_with("compare.")) earlier.push_back(name);
  manifest.remove({kRunFile});
  manifest.remove(earlier);
  write_owned(manifest, files);
}

const std::vector<double>* Table::find(const std::string& name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &columns[i];
  return nullptr;
}

const std::vector<double>& Table::operator[](const std::string& name) const {
  if (const auto* c = find(name)) return *c;
  throw FileError(fmt::format("series.csv has no column {}", name));
}

// A line of names, then lines of as many numbers.
static Table read_table(const fs::path& path) {
  const std::string text = read_file(path);
  Table table;
  std::size_t at = 0;
  std::vector<std::string_view> pieces;
  for (int line = 1; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    io::split_at_commas(std::string_view(text).substr(at, end - at), pieces);
    at = end + 1;
    if (line == 1) {
      table.names.assign(pieces.begin(), pieces.end());
      table.columns.resize(pieces.size());
      continue;
    }
    if (pieces.size() != table.names.size())
      throw FileError(
          fmt::format("{}:{}: has {} fields, not {}", path.string(), line, pieces.size(), table.names.size()));
    for (std::size_t k = 0; k < pieces.size(); ++k)
      if (!io::read_number(pieces[k], table.columns[k].emplace_back()))
        throw FileError(fmt::format("{}:{}: {}: \"{}\" is not a number", path.string(), line, table.names[k],
                                    pieces[k].substr(0, 80)));
  }
  if (table.columns.empty() || table.columns[0].empty())
    throw FileError(fmt::format("{}: holds no numbers", path.string()));
  return table;
}

Results read_results(const fs::path& folder) {
  if (!fs::exists(folder / "run.json"))
    throw InputError("folder", folder.string(), "holds no results of the impact lab (`areia impact run` makes them)");
  const auto json = [&](const char* file) {
    auto j = nlohmann::json::parse(read_file(folder / file), nullptr, false);
    if (j.is_discarded()) throw FileError(fmt::format("{} is not JSON", (folder / file).string()));
    return j;
  };
  Results r;
  r.run = json("run.json");
  r.events = json("events.json");
  r.animation = json("animation.json");
  r.series = read_table(folder / "series.csv");
  return r;
}

}  // namespace areia::lab
