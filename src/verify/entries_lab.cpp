// The impact lab: trajectories of source 002 event by event, chatter, rest, simultaneous contacts, and systems with an
// integrator, against the reference cases of tests/data/impact.json and closed forms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "impact/models.h"
#include "impact/simulate.h"
#include "impact/systems/systems.h"
#include "lab/case_json.h"
#include "verify/drawings.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

using namespace impact;
using nlohmann::json;

const json& lab_case(const std::string& id) {
  for (const json& c : impact_references()["cases"])
    if (c["id"] == id) return c;
  throw Error("no reference case " + id);
}

std::unique_ptr<System> system_of(const json& c) {
  const json& in = c["input"];
  if (c["system"] == "bar") return make_bar({in["m"], in["L"], in["g"]});
  return make_ball({in["m"], in["r"], in["h"], in["g"], in["J"]});
}

State start_of(const json& in) { return {0, {in["x0"], in["y0"], in["theta0"]}, {in["vx0"], in["vy0"], in["omega0"]}}; }

impact::Options with(const std::string& model, const std::map<std::string, double>& params, double t_end) {
  impact::Options o;
  o.model = make_model(model, params);
  o.t_end = t_end;
  return o;
}

Trajectory run_case(const json& c) {
  const json& in = c["input"];
  return simulate(*system_of(c), start_of(in),
                  with(in["model"], in["params"].get<std::map<std::string, double>>(), in["t1"]));
}

// The same as a file of `areia impact run`, for who wants to look at it.
RanCase file_of(const json& c) {
  const json& in = c["input"];
  nlohmann::ordered_json file{{"title", c["id"]}, {"model", in["model"]}, {"params", in["params"]}};
  file["system"] = {{"kind", c["system"]}, {"mass", in["m"]}, {"g", in["g"]}};
  if (c["system"] == "bar") file["system"]["length"] = in["L"];
  else file["system"].update({{"radius", in["r"]}, {"height", in["h"]}, {"inertia", in["J"]}});
  file["start"] = {{"x", in["x0"]},   {"y", in["y0"]},   {"theta", in["theta0"]},
                   {"vx", in["vx0"]}, {"vy", in["vy0"]}, {"omega", in["omega0"]}};
  file["run"] = {{"t_end", in["t1"]}};
  return {lab::lab_case_text(file), {}, true};
}

Curve series(const Trajectory& t, const std::string& label, double (*value)(const Sample&)) {
  Curve c;
  c.label = label;
  for (const Sample& s : t.samples) {
    c.x.push_back(s.state.t);
    c.y.push_back(value(s));
  }
  return c;
}

// Every number of every event, and the last state.
void trajectories(Sheet& s) {
  s.sketch(drawings::bar_over_floor(30));
  Plot energy{"Energy of the bar", "t (s)", "energy (J)", {}, false};
  for (const char* id : {"fig-3.2", "fig-3.3", "fig-3.7", "fig-3.9", "fig-3.13", "fig-4.2", "fig-4.5/4.7", "fig-5.3"}) {
    const json& c = lab_case(id);
    const json& want = c["expected"];
    const Trajectory t = run_case(c);
    s.note(file_of(c));
    s.near(fmt::format("{}: impacts", id), static_cast<double>(want["events"].size()),
           static_cast<double>(t.events.size()), 0);
    double time = 0, worst = 0;
    for (std::size_t i = 0; i < std::min(t.events.size(), want["events"].size()); ++i) {
      const json& w = want["events"][i];
      const Event& e = t.events[i];
      const Impact& m = e.hits[0].impact;
      time = std::max(time, std::fabs(w["t"].get<double>() - e.t) / std::max(1.0, e.t));
      const std::pair<const char*, double> values[] = {{"x", e.before.q[0]},
                                                       {"y", e.before.q[1]},
                                                       {"theta", e.before.q[2]},
                                                       {"DNA", e.hits[0].pre.DNA},
                                                       {"DTA", e.hits[0].pre.DTA},
                                                       {"IN", m.I.N},
                                                       {"IT", m.I.T},
                                                       {"Ith", m.I.th},
                                                       {"vx", e.after.v[0]},
                                                       {"vy", e.after.v[1]},
                                                       {"omega", e.after.v[2]},
                                                       {"energy_after", e.energy_after}};
      for (const auto& [key, ours] : values) {
        const double expected = w[key];
        worst = std::max(worst, std::fabs(expected - ours) / std::max(1.0, std::fabs(expected)));
      }
    }
    s.near(fmt::format("{}: largest error of an event time", id), 0, time, 1e-12);
    s.near(fmt::format("{}: largest error of positions, velocities, impulses, energies", id), 0, worst, 1e-9);
    if (c["system"] == "bar") energy.curves.push_back(series(t, id, [](const Sample& x) { return x.energy; }));
  }
  s.plot(energy);
}

void chatter(Sheet& s) {
  s.sketch(drawings::bar_over_floor(15));
  const json& c = lab_case("zeno-ball");
  const auto ball = system_of(c);
  for (const double e : {0.3, 0.5, 0.9}) {
    const Trajectory t = simulate(*ball, start_of(c["input"]), with("newton", {{"e", e}}, 20));
    const double closed = std::sqrt(2 / 9.8) * (1 + e) / (1 - e);
    s.near(fmt::format("end of infinitely many bounces, e = {} (s)", e), closed, t.events.back().t, 1e-9);
    if (e != 0.5) continue;
    s.near("height at rest (m)", 0.1, t.samples.back().state.q[1], 1e-12);
    Curve y = series(t, "height of the ball", [](const Sample& x) { return x.state.q[1]; });
    const auto end = std::find_if(y.x.begin(), y.x.end(), [](double x) { return x > 2; }) - y.x.begin();
    y.x.resize(static_cast<std::size_t>(end));
    y.y.resize(static_cast<std::size_t>(end));
    s.plot({"A ball dropped from 1 m, e = 0.5", "t (s)", "height (m)", {y}, false});
  }
  const Trajectory t =
      simulate(*make_bar({}), {0, {0, 2, 0.78}, {0, 0, 0}},
               with("cs", {{"e", 1}, {"et", 0.5}, {"nu", 0.2}, {"mu", 0.5}, {"emC", 0.5}, {"emE", 0.1}}, 2.5));
  for (const Event& e : t.events)
    if (e.kind == Event::Kind::chatter) {
      s.near("form defaults of the source: the right end comes to rest (s)", 1.9669927, e.t, 5e-8);
      break;
    }
}

void rest(Sheet& s) {
  s.sketch(drawings::bar_over_floor(6));
  const json& c = lab_case("rest-pivot");
  impact::Options o = with("gp1", {{"e", 0}, {"mu", 1}}, 0.15);
  o.sample_step = 1e-3;
  const Trajectory t = simulate(*make_bar({}), start_of(c["input"]), o);
  const Event& flat = t.events.at(1);
  s.near_relative("bar pivots on its end: lies flat at (s)", c["expected"]["t_flat"], flat.t, 1e-9);
  s.near_relative("angular velocity then (rad/s)", c["expected"]["omega_flat"], flat.before.v[2], 1e-9);
  s.near("largest |R_T|/R_N: 6 sin 0.1, when flat", 6 * std::sin(0.1), t.largest_friction_ratio, 1e-9);
  s.explained(
      "largest |R_T|/R_N of the reference file", c["expected"]["largest_friction_ratio"], t.largest_friction_ratio,
      1e-9,
      {"the ratio grows until the bar lies flat; the file's value belongs to an angle at which the other end would be "
       "below the floor",
       {more("the file needs {}, more than 6 sin 0.1 = {} of the flat bar", c["expected"]["largest_friction_ratio"],
             6 * std::sin(0.1))}});
}

void coins(Sheet& s) {
  s.sketch(drawings::three_coins());
  for (const double degrees : {30.0, 45.0})
    for (const double e : {1.0, 0.5}) {
      const double a = degrees * std::atan(1.0) / 45, x = 2 * std::sin(a), y = 2 * std::cos(a),
                   cc = std::cos(a) * std::cos(a);
      const Trajectory t =
          simulate(*make_coins({{1, 1}, {1, 1}, {1, 1}}),
                   {0, {0, -1, 0, x, y, 0, -x, y, 0}, {0, 1, 0, 0, 0, 0, 0, 0, 0}}, with("newton", {{"e", e}}, 1.5));
      const Event& event = t.events.at(0);
      s.near(fmt::format("{} degrees, e = {}: instant of both contacts (s)", degrees, e), 1, event.t, 1e-12);
      s.near("  velocity of coin 1 after (m/s)", 1 - 2 * (1 + e) * cc / (1 + 2 * cc), event.after.v[1], 1e-11);
      s.near("  impulse at each contact (N s)", (1 + e) * std::cos(a) / (1 + 2 * cc), event.hits[1].impact.I.N, 1e-11);
    }
}

void systems(Sheet& s) {
  s.sketch(drawings::pendulum(2));
  const double degree = std::atan(1.0) / 45;
  DoublePendulumParameters p;
  p.depth = std::cos(20 * degree) + std::cos(30 * degree);
  const auto pendulum = make_double_pendulum(p);
  for (const json& run : lab_case("double-pendulum")["runs"]) {
    const std::string model = run["model"];
    const Trajectory t = simulate(*pendulum, {0, {20 * degree, 30 * degree}, {-0.1, -0.2}},
                                  with(model, {{"e", 0.5}, {"mu", 0.5}}, 1e-3));
    const Event& e = t.events.at(0);
    const double ratio = 1 + run["expected"]["dT"].get<double>() / pendulum->kinetic(e.before);
    s.near_relative(fmt::format("Kane's double pendulum, {}: T_E/T_A", model), ratio,
                    pendulum->kinetic(e.after) / pendulum->kinetic(e.before), 1e-9);
  }
  const Trajectory box = simulate(*make_box_pendulum({1, 1, 0.4, 0.05, 9.8, false, 2}), {0, {0, 0.3}, {0.4, -1}},
                                  with("newton", {{"e", 1}}, 5));
  double momentum = 0, energy = 0;
  for (const Sample& x : box.samples) {
    momentum =
        std::max(momentum, std::fabs(3 * x.state.v[0] + std::cos(x.state.q[1]) * x.state.v[1] - 1.2 + std::cos(0.3)));
    energy = std::max(energy, std::fabs(x.energy - box.samples.front().energy));
  }
  s.near(fmt::format("free box, {} impacts: change of the horizontal momentum (N s)", box.events.size()), 0, momentum,
         1e-11);
  s.near("  change of the energy with e = 1 (J)", 0, energy, 1e-10);
  const Trajectory bar =
      simulate(*make_pinned_bar({1, 1, 9.8, 2.0 / 3, 0.2, 1}), {0, {1.0}, {0}}, with("newton", {{"e", 0.7}}, 1));
  const Event& e = bar.events.at(0);
  s.near("stop at 2L/3: impulse at the pin (N s)", 0, 0.5 * (e.after.v[0] - e.before.v[0]) - e.hits[0].impact.I.N,
         1e-12);
}

}  // namespace

std::vector<Entry> lab_entries() {
  const char* source = "002 chapters 2 to 5, reference cases";
  return {
      {"002-trajectories", "Impact lab: trajectories of bar and ball", source, {}, true, trajectories},
      {"002-chatter", "Impact lab: infinitely many bounces", source, {}, true, chatter},
      {"002-rest", "Impact lab: resting contact", source, {}, true, rest},
      {"002-coins", "Impact lab: simultaneous contacts", source, {}, true, coins},
      {"002-systems", "Impact lab: pendulums, box and pinned bar", source, {}, true, systems},
  };
}

}  // namespace areia::verify
