// areia impact run, plot, compare, characteristic: the impact lab.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/print.h"
#include "impact/models.h"
#include "impact/simulate.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "lab/compare.h"
#include "lab/lab_case.h"
#include "lab/plots.h"
#include "lab/results.h"

namespace areia::app {

namespace {

namespace fs = std::filesystem;

// What a simulation finds wrong with a case that was read gets the name of its file.
template <class F>
auto of_file(const std::string& file, F&& f) {
  try {
    return f();
  } catch (InputError& e) {
    for (Problem& p : e.problems)
      if (p.file.empty() && !p.key.starts_with("--")) p.file = file;
    throw InputError(std::move(e.problems));
  }
}

struct RunArguments {
  std::string file, out;
  std::vector<std::string> set;
  bool plot = false;
};

void write_plots(const fs::path& folder, const fs::path& to, bool quiet) {
  Manifest manifest(to, "--out", lab::kKind);
  const NamedTexts plots = lab::lab_plots(lab::read_results(folder));
  write_owned(manifest, plots);
  if (quiet) return;
  for (const auto& [name, text] : plots) print("{}\n", (to / name).string());
}

int run(const RunArguments& a) {
  const lab::LabCase c = lab::read_lab_case(a.file, a.set);
  const impact::Trajectory t = of_file(a.file, [&] { return impact::simulate(*c.system, c.start, c.options); });
  lab::write_results(a.out, c, t);
  if (a.plot) write_plots(a.out, a.out, true);
  std::size_t gains = 0;
  for (const impact::Event& e : t.events) {
    std::string contacts;
    bool gain = false;
    for (const impact::Hit& h : e.hits) {
      contacts +=
          fmt::format("  {}: I_N = {:.6g}, I_T = {:.6g}{}, {}", c.system->contacts()[h.contact], h.impact.I.N,
                      h.impact.I.T, h.impact.I.th != 0 ? fmt::format(", I_th = {:.6g}", h.impact.I.th) : "", h.mode);
      gain = gain || h.impact.energy_gain;
    }
    for (const impact::RestingContact& r : e.resting)
      contacts += fmt::format("  {} rests ({})", c.system->contacts()[r.contact], name(r.touch));
    gains += gain;
    const bool worth = t.events.size() <= 40 || e.kind != impact::Event::Kind::impact;
    if (worth)
      print("t = {:<14.10g} {:<8}{}  E = {:.8g}{}\n", e.t, name(e.kind), contacts, e.energy_after,
            gain ? "  energy gain" : "");
  }
  print("{}: {} event{}{} to t = {:.6g}, energy {:.8g} -> {:.8g}; results in {}\n", c.title, t.events.size(),
        t.events.size() == 1 ? "" : "s", gains ? fmt::format(" ({} with energy gain)", gains) : "",
        t.samples.back().state.t, t.samples.front().energy, t.samples.back().energy, a.out);
  if (t.complete()) return kDone;
  tell("stopped: {}\n", t.reason);
  return kStopped;
}

struct CompareArguments {
  std::string file, sweep, show = "dT", out;
  std::vector<std::string> models, set;
  int impact = 0;
  double mass = 1, length = 1, theta = 0.78539816339744830962, DN = -1, DT = 0.6, e = 1, mu = 0.4;
  bool e_given = false, mu_given = false;
};

int compare(const CompareArguments& a) {
  lab::Comparison c;
  c.sweep = lab::parse_sweep(a.sweep);
  c.models = a.models.empty()
                 ? std::vector<std::string>{"newton", "kane", "gp1", "wm_newton", "wm_poisson", "stronge", "smith"}
                 : a.models;
  std::string title = fmt::format("bar at {:.4g} rad, D_NA = {:.4g}, D_TA = {:.4g}", a.theta, a.DN, a.DT);
  c.bar_mass = a.mass;
  c.bar_length = a.length;
  c.pre = {a.DN, a.DT, 0, {}};
  c.params["e"] = {a.e, "", false};
  c.params["mu"] = {a.mu, "", false};
  if (a.file.empty()) {
    for (const auto& [key, value] : {std::pair{"--mass", a.mass}, {"--length", a.length}})
      if (!(value > 0)) throw InputError(key, fmt::format("{}", value), "must be positive");
    if (!(a.DN < 0)) throw InputError("--DN", fmt::format("{}", a.DN), "must be negative: the bodies approach");
    c.mass = lab::bar_local_mass(a.mass, a.length, a.theta, 0);
  } else {
    const lab::LabCase l = lab::read_lab_case(a.file, a.set);
    const impact::Trajectory t = of_file(a.file, [&] { return impact::simulate(*l.system, l.start, l.options); });
    const impact::Hit* hit = nullptr;
    int seen = 0;
    for (const impact::Event& e : t.events)
      if (e.kind == impact::Event::Kind::impact && e.hits.size() == 1 && seen++ == a.impact) hit = &e.hits[0];
    if (!hit)
      throw InputError("--impact", fmt::format("{}", a.impact),
                       fmt::format("the case has {} impacts at one contact (numbers from 0)", seen));
    c.mass = hit->mass;
    c.pre = hit->pre;
    c.bar_end = static_cast<int>(hit->contact);
    for (const impact::Coefficient& k : impact::info(l.options.model.law).coefficients)
      if (k.number) {
        const double v = l.options.model.*k.number;
        if (v != impact::kNotGiven ||
            (k.number != &impact::Model::mu0 && k.number != &impact::Model::KN && k.number != &impact::Model::KT))
          c.params[k.name] = {v, "", false};
      }
    if (a.e_given) c.params["e"] = {a.e, "", false};
    if (a.mu_given) c.params["mu"] = {a.mu, "", false};
    if (c.sweep.name == "angle" && l.system->kind() != "bar")
      throw InputError("--sweep", "angle", "can be swept for a bar only");
    if (l.system->kind() == "bar") {
      c.bar_mass = l.system->mass(l.start.q)[0][0];
      c.bar_length = l.system->length();
    }
    title = fmt::format("{}: impact {}", l.title, a.impact);
  }
  const auto rows = lab::compare(c);
  const std::string table = lab::compare_table(c, rows, a.show);
  if (!a.out.empty()) {
    Manifest manifest(a.out, "--out", lab::kKind);
    write_owned(manifest, {{"compare.csv", lab::compare_csv(c, rows)},
                           {"compare.json", lab::compare_json(c, rows).dump(1) + "\n"},
                           {"compare.svg", lab::compare_svg(c, rows, title)}});
  }
  print("{}", table);
  return kDone;
}

}  // namespace

// Adds to `areia impact`, and makes it where it is not there yet.
void add_impact_lab(CLI::App& app, int& exit_code) {
  CLI::App* impact = nullptr;
  for (CLI::App* s : app.get_subcommands([](const CLI::App* a) { return a->get_name() == "impact"; })) impact = s;
  if (!impact) {
    impact = app.add_subcommand("impact", "planar collisions of rigid bodies: the impact lab");
    impact->require_subcommand(1);
  }

  auto r = std::make_shared<RunArguments>();
  CLI::App* run_command = impact->add_subcommand("run", "simulate a system event by event");
  run_command->add_option("case", r->file, "case file of the impact lab (TOML)")->type_name(kFile)->required();
  run_command->add_option("--out", r->out, "folder of the results")->type_name(kFolder)->required();
  run_command->add_option("--set", r->set, "path=value, in place of what the case says");
  run_command->add_flag("--plot", r->plot, "write the plots, too");
  run_command->callback([=, &exit_code] { exit_code = run(*r); });

  auto folder = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  CLI::App* plot_command = impact->add_subcommand("plot", "pictures of a run as SVG");
  plot_command->add_option("results", *folder, "folder that `areia impact run` wrote")->type_name(kFolder)->required();
  plot_command->add_option("--out", *to, "folder of the pictures (default: the same)")->type_name(kFolder);
  plot_command->callback([=, &exit_code] {
    write_plots(*folder, to->empty() ? *folder : *to, false);
    exit_code = kDone;
  });

  auto c = std::make_shared<CompareArguments>();
  CLI::App* compare_command = impact->add_subcommand(
      "compare", "models side by side over a sweep of one parameter: friction, restitution, angle, any coefficient");
  compare_command->add_option("case", c->file, "case file whose impact is compared (default: a bar at 45 degrees)")
      ->type_name(kFile);
  compare_command->add_option("--sweep", c->sweep, "mu=0:1:0.05 or angle=0.2,0.4,0.8")->required();
  compare_command->add_option("--models", c->models, "models (default: those with e and mu)")->delimiter(',');
  compare_command->add_option("--impact", c->impact, "which impact of the case, from 0")->check(CLI::NonNegativeNumber);
  compare_command->add_option("--show", c->show, "what the table shows: dT, IN, IT, DNE, DTE");
  compare_command->add_option("--out", c->out, "folder for compare.csv, compare.json, compare.svg")->type_name(kFolder);
  compare_command->add_option("--set", c->set, "path=value, in place of what the case says");
  compare_command->add_option("--theta", c->theta, "angle of the bar (rad), without a case");
  compare_command->add_option("--mass", c->mass, "mass of the bar");
  compare_command->add_option("--length", c->length, "length of the bar");
  compare_command->add_option("--DN", c->DN, "normal relative velocity before, without a case");
  compare_command->add_option("--DT", c->DT, "tangential relative velocity before, without a case");
  const CLI::Option* e = compare_command->add_option("--e", c->e, "restitution");
  const CLI::Option* mu = compare_command->add_option("--mu", c->mu, "friction");
  compare_command->callback([=, &exit_code] {
    c->e_given = e->count() > 0;
    c->mu_given = mu->count() > 0;
    exit_code = compare(*c);
  });

  auto k = std::make_shared<lab::Characteristic>();
  auto svg = std::make_shared<std::string>();
  auto title = std::make_shared<std::string>("Laws of impact in one stage");
  CLI::App* law = impact->add_subcommand("characteristic", "the stage laws of Glocker and Pfeiffer as a picture");
  law->add_option("--mu", k->mu, "friction")->check(CLI::NonNegativeNumber);
  law->add_option("--e", k->e, "restitution")->check(CLI::Range(0.0, 1.0));
  law->add_option("--et", k->et, "reversible part of the tangential impulse")->check(CLI::Range(0.0, 1.0));
  law->add_option("--nu", k->nu, "reversible part of the friction bound")->check(CLI::Range(0.0, 1.0));
  law->add_option("--ITC", k->ITC, "tangential impulse of compression, in units of I_NC");
  law->add_option("--title", *title, "title");
  law->add_option("--out", *svg, "SVG file")->type_name(kFile)->required();
  auto overwrite = std::make_shared<bool>(false);
  law->add_flag("--overwrite", *overwrite, "replace the file if it is there");
  law->callback([=, &exit_code] {
    if (std::fabs(k->ITC) > k->mu) throw InputError("--ITC", fmt::format("{}", k->ITC), "must not exceed mu");
    refuse_existing(*svg, "--out", *overwrite);
    write_file_atomically(*svg, lab::characteristic_svg(*k, *title));
    exit_code = kDone;
  });
}

}  // namespace areia::app
