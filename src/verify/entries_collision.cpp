// Planar collisions of rigid bodies, source 002: single impacts and several contacts, against the reference cases of
// tests/data/impact.json and the numbers that the source prints (corrected as docs/impact.md tells).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/random.h"
#include "impact/diagram.h"
#include "impact/many_contacts.h"
#include "impact/models.h"
#include "impact/solve_text.h"
#include "verify/drawings.h"
#include "verify/embedded.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

using namespace impact;
using nlohmann::json;

constexpr double kReference = 1e-9;  // relative tolerance of the reference file

const LocalMass kBar{2.5, 1.5, 2.5};  // bar at 45 degrees, m = L = 1

Pre slip(double DTA) { return {-1, DTA, 0, {}}; }

Impact bar(Law law, double DTA, double e, double mu) { return solve(kBar, slip(DTA), {.law = law, .e = e, .mu = mu}); }

// Largest deviation between what is expected and what came out, relative to max(|expected|, 1e-5): numbers that should
// be zero are compared with the rounding of numbers of order one.
double deviation(const json& expected, const json& result, std::string_view key = "") {
  double worst = 0;
  if (expected.is_object()) {
    for (const auto& item : expected.items())
      worst = std::max(worst,
                       result.contains(item.key()) ? deviation(item.value(), result[item.key()], item.key()) : 1e300);
  } else if (expected.is_array()) {
    if (key == "axis_directions") {  // an axis has no sign
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const double c = expected[i]["IN"].get<double>() * result[i]["IN"].get<double>() +
                         expected[i]["IT"].get<double>() * result[i]["IT"].get<double>();
        worst = std::max(worst, std::fabs(std::fabs(c) - 1));
      }
      return worst;
    }
    if (expected.size() != result.size()) return 1e300;
    for (std::size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, deviation(expected[i], result[i], key));
  } else if (expected.is_number()) {
    const double x = expected.get<double>();
    worst = result.is_number() ? std::fabs(x - result.get<double>()) / std::max(std::fabs(x), 1e-5) : 1e300;
  } else {
    worst = expected == result ? 0 : 1e300;  // status, mode, flags
  }
  return worst;
}

json solved_reference() {
  std::string out;
  solve_text(embedded_file("impact.json"), "impact.json", {}, [&](std::string_view part) { out += part; });
  return json::parse(out);
}

// Everything of the reference file that is one impact, through the text interface.
void references(Sheet& s) {
  s.sketch(drawings::bar_over_floor(40));
  std::map<std::string, std::pair<int, double>> runs;  // per model: how many, worst
  const json solved = solved_reference();
  for (const json& c : solved["cases"]) {
    if (c.contains("runs")) {
      for (const json& run : c["runs"]) {
        auto& r = runs[run["model"].get<std::string>()];
        ++r.first;
        r.second = std::max(r.second, deviation(run["expected"], run["result"]));
      }
    } else if (c.contains("result")) {
      s.near(fmt::format("{}: largest relative deviation", c["id"].get<std::string>()), 0,
             deviation(c["expected"], c["result"]), kReference);
    }
  }
  for (const ModelInfo& m : all_models())
    s.near(fmt::format("{}: largest relative deviation in {} reference impacts", m.name, runs[m.name].first), 0,
           runs[m.name].second, kReference);
}

// The direct impact of the bar by hand, A = C = 2.5, B = 1.5, D_NA = -1, D_TA = 0, mu = 0.4, e = 0.8: it slides one way
// throughout, so that I_T = mu I_N and I_N = (1 + e)/(A - B mu), and dT = (1/2) I.(D_A + D_E).
double direct_dT() {
  const double I_N = 1.8 / (2.5 - 1.5 * 0.4), I_T = 0.4 * I_N;
  const double D_N = -1 + 2.5 * I_N - 1.5 * I_T, D_T = -1.5 * I_N + 2.5 * I_T;
  return 0.5 * (I_N * (-1 + D_N) + I_T * D_T);
}

// Section 3.7.4 of the source with errata 25 to 28: the oblique impact D_TA = 0.6 and the direct one.
void oblique(Sheet& s) {
  s.sketch(drawings::bar_over_floor(45));
  const auto both = [&](const char* what, const Impact& r, double IN, double IT) {
    s.near(fmt::format("I_N, {}", what), IN, r.I.N, 5e-7);
    s.near(fmt::format("I_T, {}", what), IT, r.I.T, 5e-7);
  };
  both("Newton, mu = 0.4, e = 1", bar(Law::wm_newton, 0.6, 1, 0.4), 0.901053, 0.168421);
  both("Poisson, mu = 0.4, e = 1", bar(Law::wm_poisson, 0.6, 1, 0.4), 0.749474, 0.107789);
  both("energetic, mu = 0.4, e = 1", bar(Law::stronge, 0.6, 1, 0.4), 0.795221, 0.126088);
  both("Newton, mu = 1, e = 1", bar(Law::wm_newton, 0.6, 1, 1), 1.025, 0.375);
  both("Poisson, mu = 1, e = 1", bar(Law::wm_poisson, 0.6, 1, 1), 0.8, 0.24);
  both("energetic, mu = 1, e = 1", bar(Law::stronge, 0.6, 1, 1), 0.840170, 0.264102);
  both("Poisson, E-sticking (D_TA = 1.5, mu = 1)", bar(Law::wm_poisson, 1.5, 1, 1), 0.5, -0.3);
  both("Poisson, E-reverse (D_TA = 1.2, mu = 0.4)", bar(Law::wm_poisson, 1.2, 1, 0.4), 0.645161, -0.125935);
  both("direct, mu = 0.4, e = 0.8", bar(Law::wm_poisson, 0, 0.8, 0.4), 0.947368, 0.378947);
  s.near("dT Newton, mu = 0.4, e = 1: gains", 0.022693, bar(Law::wm_newton, 0.6, 1, 0.4).dT, 5e-7);
  s.near("dT Poisson, mu = 0.4, e = 1", -0.089316, bar(Law::wm_poisson, 0.6, 1, 0.4).dT, 5e-7);
  s.near("dT energetic, mu = 0.4, e = 1", -0.059627, bar(Law::stronge, 0.6, 1, 0.4).dT, 5e-7);
  s.explained("I_N of C-reverse as printed", -1.558, bar(Law::wm_poisson, 0.6, 1, 0.4).I.N, 5e-4,
              {"erratum 21: a minus sign is missing and one D_NA should be D_TA",
               {less("a floor cannot pull, but the printed impulse is {} N s, below {}", -1.558, 0)}});
  s.explained("I_T of E-reverse as printed", 0.578, bar(Law::wm_poisson, 1.2, 1, 0.4).I.T, 5e-4,
              {"erratum 22: D_NA in place of D_TA",
               {more("printed {} N s, more than Coulomb's limit mu I_N = {} N s", 0.578,
                     0.4 * bar(Law::wm_poisson, 1.2, 1, 0.4).I.N)}});
  s.explained("dT of the direct impact (3.9), (3.10) as printed", 0.1105, bar(Law::wm_poisson, 0, 0.8, 0.4).dT, 5e-5,
              {"erratum 25: friction with the wrong sign",
               {more("friction and e < 1 take energy, but printed is a gain of {} J, more than {}", 0.1105, 0),
                equal("(1/2) I.(D_A + D_E) of the impulses of the direct impact is {} J, ours {}", direct_dT(),
                      bar(Law::wm_poisson, 0, 0.8, 0.4).dT, 5e-7)}});
  Plot plot{"energy change of the oblique impact, mu = 1", "e", "dT (J)", {}};
  for (const Law law : {Law::kane, Law::wm_newton, Law::wm_poisson, Law::stronge, Law::smith}) {
    Curve c{info(law).name, {}, {}};
    for (int i = 0; i <= 50; ++i) {
      c.x.push_back(i / 50.0);
      c.y.push_back(bar(law, 0.6, i / 50.0, 1).dT);
    }
    plot.curves.push_back(std::move(c));
  }
  s.plot(std::move(plot));
}

// 002 Table 2.1: rigid pendulum against a moving surface, Delta = 0.
void table21(Sheet& s) {
  s.sketch(drawings::pendulum(1));
  const json& file = impact_references();
  for (const json& c : file["cases"]) {
    if (c["kind"] != "pendulum") continue;
    const json &x = c["system"], &run = c["runs"][0];
    const double m = x["m"], L = x["L"], th = x["theta0"], omega = x["omegaA"], v = x["v"];
    const MassMatrix M(std::vector(1, std::vector{m * L * L / 3}));
    const ContactRows W{{L * std::sin(th)}, {L * std::cos(th)}, {}};
    const Impact r = solve(local_mass(M, W), pre_impact(W, std::vector{omega}, {0, -v, 0}),
                           {.law = Law::wm_poisson, .e = run["params"]["e"], .mu = run["params"]["mu"]});
    const std::string mode = c["table21"]["mode"];
    if (mode == "no_solution") {
      s.near("no solution where the table has none", 1, r.status == Status::no_solution, 0);
      continue;
    }
    s.near_relative(fmt::format("omega_E, {} (1/s)", mode), c["table21"]["omegaE"],
                    velocities_after(M, W, std::vector{omega}, r.I)[0], kReference);
    s.near(fmt::format("mode is {}", mode), 1, r.mode == mode, 0);
  }
}

// Kane's double pendulum against the ground: T_E/T_A as in docs/impact-lab.md, Systems; Kane's model gains 59 %.
void kane_paradox(Sheet& s) {
  s.sketch(drawings::pendulum(2));
  const double q1 = std::numbers::pi / 9, q2 = std::numbers::pi / 6, c = std::cos(q1 - q2) / 2;
  const MassMatrix M({{4.0 / 3, c}, {c, 1.0 / 3}});
  const ContactRows W{{std::sin(q1), std::sin(q2)}, {std::cos(q1), std::cos(q2)}, {}};
  const std::vector<double> qdot = {-0.1, -0.2};
  const LocalMass m = local_mass(M, W);
  s.near("critical friction", 0.6234, m.critical_friction(), 5e-5);
  const std::pair<Law, double> expected[] = {
      {Law::newton, 0.71141},  {Law::kane, 1.58749},  {Law::wm_newton, 0.73715}, {Law::wm_poisson, 0.54508},
      {Law::stronge, 0.55319}, {Law::smith, 0.56677}, {Law::gp1, 0.54487}};
  for (const auto& x : expected) {
    const Impact r = solve(m, pre_impact(W, qdot), {.law = x.first, .e = 0.5, .mu = 0.5});
    s.near(fmt::format("T_E/T_A, {}", info(x.first).name), x.second,
           M.energy(velocities_after(M, W, qdot, r.I)) / M.energy(qdot), 5e-6);
  }
}

// Closed forms of section 8: coin against two coins at rest, bar that falls flat, bar with one end at rest.
void several(Sheet& s) {
  s.sketch(drawings::three_coins());
  const auto coins = [](double alpha, double e) {
    std::vector<std::vector<double>> M(9, std::vector<double>(9));
    for (int i = 0; i < 9; ++i) M[i][i] = i % 3 == 2 ? 0.5 : 1;
    std::vector<ContactRows> W;
    for (const int side : {1, -1}) {
      const double nx = side * std::sin(alpha), ny = std::cos(alpha);
      ContactRows r{{-nx, -ny, 0, 0, 0, 0, 0, 0, 0}, {-ny, nx, 1, 0, 0, 0, 0, 0, 0}, {}};
      const std::size_t at = side > 0 ? 3 : 6;
      r.N[at] = nx, r.N[at + 1] = ny, r.T[at] = ny, r.T[at + 1] = -nx, r.T[at + 2] = 1;
      W.push_back(r);
    }
    return solve_many(MassMatrix(M), W, std::vector<double>{0, 1, 0, 0, 0, 0, 0, 0, 0}, {},
                      {.law = Law::newton, .e = e});
  };
  const double deg = std::numbers::pi / 180;
  s.near("three coins, 30 degrees, e = 1: v1'/v", -0.2, coins(30 * deg, 1).qdotE[1], 1e-12);
  const ManyImpact r = coins(30 * deg, 1);
  s.near("speed of the others /v", 2 * std::sqrt(3.0) / 5, std::hypot(r.qdotE[3], r.qdotE[4]), 1e-12);
  s.near("three coins, 45 degrees, e = 1: v1'/v", 0, coins(45 * deg, 1).qdotE[1], 1e-12);
  const MassMatrix M({{1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 12}});
  const std::vector<ContactRows> ends = {{{0, 1, -0.5}, {1, 0, 0}, {}}, {{0, 1, 0.5}, {1, 0, 0}, {}}};
  const Model model{.law = Law::gp1, .e = 0.7};
  s.near("flat bar, e = 0.7: speed after / before", 0.7,
         solve_many(M, ends, std::vector{0.0, -1.0, 0.0}, {}, model).qdotE[1], 1e-12);
  const ManyImpact one = solve_many(M, ends, std::vector{0.0, -0.5, -1.0}, {}, model);
  s.near("bar with one end at rest: impulse at the resting end / (m u)", 1.7 / 6, one.I[0].N, 1e-12);
  s.near("impulse at the arriving end / (m u)", 1.7 / 3, one.I[1].N, 1e-12);
  s.near("arriving end leaves with e u", 0.7, one.E[1].N, 1e-12);
}

Curve curve(const char* label, const std::vector<PlanePoint>& points, Curve::Look look = Curve::Look::line) {
  Curve c{label, {}, {}, look};
  for (const PlanePoint& p : points) {
    c.x.push_back(p.IT);
    c.y.push_back(p.IN);
  }
  return c;
}

// 002 Figure 3.23: the impulse plane of the oblique impact, mu = e = 1.
void impulse_plane(Sheet& s) {
  s.sketch(drawings::impulse_plane());
  const Diagram d =
      diagram(kBar, slip(0.6), {{.law = Law::wm_newton, .e = 1, .mu = 1}, {.law = Law::wm_poisson, .e = 1, .mu = 1}});
  s.near("centre of the ellipse, I_N", 0.4, d.energy.centre.IN, 1e-12);
  s.near("centre of the ellipse, I_T", 0, d.energy.centre.IT, 1e-12);
  s.near("longer semi-axis", 0.632456, d.energy.semi_axes[0], 5e-7);
  s.near("shorter semi-axis", 0.316228, d.energy.semi_axes[1], 5e-7);
  s.near("local energy", 0.2, d.local_energy, 1e-12);
  s.near("Newton's end point lies outside", 1, d.runs[0].energy_gain, 0);
  s.near("Poisson's end point lies inside", 0, d.runs[1].energy_gain, 0);
  const auto line = [](const PlaneLine& l, double from, double to) {  // at these I_T
    return std::vector<PlanePoint>{{from, -(l.t * from + l.c) / l.n}, {to, -(l.t * to + l.c) / l.n}};
  };
  s.plot(
      {"impulse plane, D_TA = 0.6, mu = e = 1",
       "I_T (N s)",
       "I_N (N s)",
       {curve("energy", d.energy.outline), curve("maximum compression", line(d.compression, -0.5, 0.9)),
        curve("termination (Newton)", line(d.termination, -0.5, 0.6)), curve("sticking", line(d.sticking, -0.25, 0.45)),
        curve("path, Newton", d.runs[0].path, Curve::Look::points), curve("path, Poisson", d.runs[1].path)}});
}

// Section 4: which models never gain energy; a hundred thousand random impacts each.
void guarantees(Sheet& s) {
  s.sketch(drawings::bar_over_floor(60));
  constexpr int kDraws = 100000;
  Random random(mixed_seed({2002}));
  const auto body = [&] {
    FreeBody b;
    b.inverse_mass = random.uniform(0.1, 3), b.inverse_inertia = random.uniform(0.1, 6);
    b.x = random.uniform(-1, 1), b.y = random.uniform(-1, 1);
    b.vx = random.uniform(-2, 2), b.vy = random.uniform(-2, 2), b.omega = random.uniform(-2, 2);
    return b;
  };
  for (const ModelInfo& m : all_models()) {
    const bool clamped = m.law == Law::brach;  // with the admissible clamp and no moment impulse
    int gains = 0, solved = 0;
    for (int i = 0; i < kDraws; ++i) {
      FreeBody b1 = body(), b2 = body();
      Pre a = pre_impact(b1, b2);
      if (a.DNA > 0) a = {-a.DNA, -a.DTA, -a.DthA, {}};  // seen backwards in time they approach
      Model c{.law = m.law, .e = i % 5 == 0 ? 1.0 : random.uniform(), .mu = random.uniform(clamped ? -1.5 : 0.0, 1.5)};
      c.et = random.uniform(), c.nu = random.uniform();
      if (clamped) c.clamp = Clamp::admissible;
      if (m.law == Law::cs) c.emC = random.uniform(-1, 1), c.emE = random.uniform(-1, 1);
      const Impact r = solve(local_mass(b1, b2), a, c);
      solved += r.ok();
      gains += r.energy_gain;
    }
    if (m.never_gains || clamped) s.near(fmt::format("{}: gains in {} random impacts", m.name, solved), 0, gains, 0);
    else s.near(fmt::format("{}: gains happen", m.name), 1, gains > 0, 0);
  }
}

}  // namespace

std::vector<Entry> collision_entries() {
  return {
      {"002-references",
       "Single impacts and several contacts, every model",
       "002, reference cases of docs/impact.md",
       {},
       true,
       references},
      {"002-3.7.4", "Oblique and direct impact of a bar", "002 section 3.7.4 with errata 21 to 28", {}, true, oblique},
      {"002-table-2.1", "Pendulum against a moving surface", "002 Table 2.1", {}, true, table21},
      {"002-kane", "Kane's double pendulum", "002; docs/impact-lab.md, Systems", {}, true, kane_paradox},
      {"002-several", "Several contacts at one instant", "002; docs/impact.md, Several contacts", {}, true, several},
      {"002-3.23", "Impulse plane", "002 Figure 3.23; docs/impact.md, Impulse plane", {}, true, impulse_plane},
      {"002-energy", "Which models cannot gain energy", "002; docs/impact.md, Energy", {}, true, guarantees},
  };
}

}  // namespace areia::verify
