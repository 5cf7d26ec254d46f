// The generalized trapezoid: 000 example 4.2, 001 example 6.1 with phi = 1, orders of convergence.
#include <fmt/format.h>

#include <cmath>

#include "motion/step_control.h"
#include "verify/drawings.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

const char* const kHeadOn = R"(
[materials.ball]
young = 1e9
poisson = 0
[contacts.default]
normal = { law = "hertz" }
[particles.ball]
material = "ball"
radius = 0.1
mass = 10
list = [{ x = [0, 0, 0], v = [1, 0, 0] }]
[walls.wall]
plane = { point = [0.1, 0, 0], normal = [-1, 0, 0] }
[[stages]]
name = "impact"
duration = 0.0045
[numerics]
scheme = "trapezoid"
implicit = { phi = 0.5, tol_x = 1e-6, tol_a = 1e-6, tol_v = 1e-6, tol_w = 1e-6 }
)";

void table_1_implicit(Sheet& s) {
  const auto& c = reference_case("000-4.2-implicit");
  const double printed[] = {-1.006123, -1.001939, -1.000024, -1.000006, -1.000000};
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"trapezoid, phi = 1/2", {}, {}};
  for (std::size_t k = 0; k < 5; ++k) {
    const double dt = c["inputs"]["dt"][k];
    const double v = last_frame(s.small(kHeadOn, {fmt::format("numerics.dt={:.17g}", dt)})).particles.v[0].x;
    s.near(fmt::format("rebound velocity, dt {:g}", dt), c["expected"]["v_after"][k], v, c["tolerance"]["abs"]);
    s.near(fmt::format("rebound velocity, dt {:g} (printed)", dt), printed[k], v, 3e-6);
    source.x.push_back(dt);
    source.y.push_back(printed[k]);
    ours.x.push_back(dt);
    ours.y.push_back(v);
  }
  s.plot({"Head-on impact, implicit, 000 Table 1", "time step (s)", "rebound velocity (m/s)", {source, ours}, true});
}

// Converged phi = 1 loses energy: theory manual
void oblique_dissipative(Sheet& s) {
  const double dt[] = {1e-4, 1e-5, 1e-6}, expected[] = {0.890, 0.988, 0.9988}, half_digit[] = {6e-4, 6e-4, 6e-5};
  for (int k = 0; k < 3; ++k) {
    const Frame f = last_frame(s.small(fmt::format(R"(
[materials.a]
young = 1e8
poisson = 0.25
density = 5000
[contacts.default]
normal = {{ law = "hertz" }}
tangential = {{ law = "coulomb_history", mu = 0.05 }}
[particles.ball]
material = "a"
radius = 0.05
list = [{{ x = [0, 0.05, 0], v = [1, -1, 0] }}]
[walls.w]
plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }}
[[stages]]
name = "a"
duration = 0.02
[numerics]
scheme = "trapezoid"
implicit = {{ phi = 1, max_sweeps = 200 }}
dt = {}
)",
                                                   dt[k])));
    s.near(fmt::format("v_y, phi = 1, dt {:g}", dt[k]), expected[k], f.particles.v[0].y, half_digit[k]);
  }
  s.remark(
      "The source prints v_y = 1 for phi = 1: its digits are one sweep from the old state (erratum E40), the entry "
      "001-6.1.");
}

void adaptive_step(Sheet& s) {
  s.sketch(drawings::two_spheres());
  const auto& c = reference_case("adaptive-dt-campello");
  const auto& in = c["inputs"];
  for (std::size_t k = 0; k < in["cases"].size(); ++k) {
    const auto& one = in["cases"][k];
    const bool converged = one["converged"];
    const double factor = campello_factor(in["N_des"], one["N_real"], converged);
    s.near_relative(
        fmt::format("dt after {} sweeps, {} (s)", one["N_real"].get<int>(), converged ? "converged" : "rejected"),
        c["expected"]["dt_new"][k], next_step(in["dt"], factor, in["dt_min"], in["dt_max"]), c["tolerance"]["rel"]);
  }
}

// Error of the rebound against the exact elastic one, halving the step: second order for phi = 1/2, first for phi = 1.
void orders(Sheet& s) {
  const auto error = [&](double phi, double dt) {
    // a soft damped bounce of a linear contact, for which the exact rebound is known
    const Frame f = last_frame(s.small(fmt::format(R"(
[materials.a]
density = 1
[contacts.default]
normal = {{ law = "linear", stiffness = 1000, beta = 0.1, clamp = "off" }}
[particles.two]
material = "a"
radius = 0.1
mass = 0.5
list = [{{ x = [0, 0, 0], v = [0.5, 0, 0] }}, {{ x = [0.199, 0, 0], v = [-0.5, 0, 0] }}]
[[stages]]
name = "a"
duration = 0.032
[numerics]
scheme = "trapezoid"
implicit = {{ phi = {}, tol_x = 1e-12, tol_v = 1e-12, tol_a = 1e-12, tol_w = 1e-12, max_sweeps = 500 }}
dt = {:.17g}
)",
                                                   phi, dt)));
    // overlap u'' + 2 b w u' + w^2 u = 0 from u = 0.001, u' = 1
    const double w = std::sqrt(1000 / 0.25), b = 0.1, wd = w * std::sqrt(1 - b * b), t = f.time;
    const double amplitude = (1 + b * w * 0.001) / wd;
    const double u = std::exp(-b * w * t) * (0.001 * std::cos(wd * t) + amplitude * std::sin(wd * t));
    return std::fabs(0.2 - (f.particles.x[1].x - f.particles.x[0].x) - u);
  };
  for (const double phi : {0.5, 1.0}) {
    const double order = std::log2(error(phi, 4e-5) / error(phi, 2e-5));
    s.near(fmt::format("order of convergence, phi = {}", phi), phi == 0.5 ? 2 : 1, order, 0.1);
  }
}

}  // namespace

std::vector<Entry> implicit_entries() {
  return {
      {"000-4.2-implicit",
       "Head-on impact on a wall, implicit",
       "000 section 4.2, Table 1",
       {"000-4.2-implicit"},
       true,
       table_1_implicit},
      {"001-6.1-phi-1",
       "Oblique impact, converged phi = 1",
       "theory manual, 001 section 6.1",
       {},
       true,
       oblique_dissipative},
      {"adaptive-dt-campello",
       "Step size by the number of sweeps",
       "000 algorithm 5 with E14, E15",
       {"adaptive-dt-campello"},
       true,
       adaptive_step},
      {"trapezoid-orders", "Order of the generalized trapezoid", "theory manual", {}, true, orders},
  };
}

}  // namespace areia::verify
