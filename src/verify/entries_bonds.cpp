// Geometric bonds: the reference results of 003's model, theory manual
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/entry.h"

namespace areia::verify {

namespace {

constexpr double kRadius = 0.05;
const double kMass = 4.0 / 3 * std::numbers::pi * kRadius * kRadius * kRadius * 2500;

const char* const kMaterial = R"(
[materials.ball]
density = 2500
young = 5e7
poisson = 0.25
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
)";

// Two spheres along x, one anchor; `rest` goes into [bonds.joint].
std::string two_spheres(const std::string& rest, const std::string& list, double duration, double dt) {
  return fmt::format(R"({}
[particles.ball]
material = "ball"
radius = 0.05
list = [{}]
[bonds.joint]
between = "list"
pairs = [[0, 1]]
stiffness = 1e6
contact = false
{}
[[stages]]
name = "run"
duration = {:.17g}
[numerics]
dt = {:.17g}
)",
                     kMaterial, list, rest, duration, dt);
}

// n spheres along x after a fixed one at the origin.
std::string row(int n, const std::string& bonds, const std::string& gravity, const std::string& stages) {
  std::string list;
  for (int k = 1; k <= n; ++k) list += fmt::format("{}{{ x = [{}, 0, 0] }}", k > 1 ? ", " : "", 0.1 * k);
  return fmt::format(R"({}
[particles.root]
material = "ball"
radius = 0.05
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.chain]
material = "ball"
radius = 0.05
list = [{}]
[bonds.joints]
between = "touching"
max_gap = 1e-9
contact = false
{}
[fields.gravity]
acceleration = {}
{}
)",
                     kMaterial, list, bonds, gravity, stages);
}

// Stages in which the chain swings for a time and is stopped dead: after some of them it hangs at rest.
std::string stops(int rounds, double swing) {
  std::string text;
  for (int k = 0; k < rounds; ++k)
    text += fmt::format(
        "[[stages]]\nname = \"swing{0}\"\nduration = {1:.17g}\nrelease = [\"chain\"]\n"
        "[[stages]]\nname = \"stop{0}\"\nduration = 1e-6\nfreeze = [\"chain\"]\n",
        k, swing);
  return text;
}

double period(const std::vector<double>& time, const std::vector<double>& value) {
  std::vector<double> crossing;
  for (std::size_t k = 1; k < value.size(); ++k)
    if (value[k - 1] < 0 && value[k] >= 0)
      crossing.push_back(time[k - 1] + (time[k] - time[k - 1]) * value[k - 1] / (value[k - 1] - value[k]));
  if (crossing.size() < 2) return 0;
  return (crossing.back() - crossing.front()) / static_cast<double>(crossing.size() - 1);
}

void axial(Sheet& s) {
  const auto& c = reference_case("gbpm-axial-period");
  Simulation sim = s.small(
      two_spheres("", "{ x = [0, 0, 0], v = [-0.05, 0, 0] }, { x = [0.1, 0, 0], v = [0.05, 0, 0] }", 0.03, 1e-5));
  std::vector<double> t, u;
  watch(sim, [&](const Frame& f) {
    t.push_back(f.time);
    u.push_back(f.particles.x[1].x - f.particles.x[0].x - 0.1);
  });
  s.near_relative("axial period (s)", c["expected"]["T"], period(t, u), c["tolerance"]["rel"]);
  s.near_relative("critical damper 2 sqrt(k m*) (N s/m)", c["expected"]["c_critical"], 2 * std::sqrt(1e6 * kMass / 2),
                  c["tolerance"]["rel"]);
  Simulation across =
      s.small(two_spheres("",
                          "{ x = [0, 0, 0], v = [0, -0.01, 0], w = [0, 0, -0.5] }, { x = [0.1, 0, 0], v "
                          "= [0, 0.01, 0], w = [0, 0, -0.5] }",
                          0.03, 5e-6));
  t.clear();
  u.clear();
  watch(across, [&](const Frame& f) {
    t.push_back(f.time);
    u.push_back(f.bonds.at(0).at_j.y - f.bonds.at(0).at_i.y);
  });
  s.near_relative("tangential period (s)", 2.71707e-3, period(t, u), 1e-3);
}

void critical(Sheet& s) {
  const auto& c = reference_case("gbpm-critical-decay");
  const double omega = std::sqrt(1e6 * 2 / kMass), stretch = c["inputs"]["initial_stretch"];
  const double dt = 2 / omega / 20000;
  Simulation sim =
      s.small(two_spheres("damping = \"critical\"\nanchor = \"surface\"",
                          fmt::format("{{ x = [0, 0, 0] }}, {{ x = [{:.17g}, 0, 0] }}", 0.1 + stretch), 0.01, dt));
  const auto stretched = [&] {
    const Frame f = sim.frame();
    return (f.particles.x[1].x - f.particles.x[0].x - 0.1) / stretch;
  };
  Curve ours{"this program", {0}, {1}}, exact{"(1 + wt) exp(-wt)", {}, {}, Curve::Look::points};
  double at_two = 0, least = 1;
  while (!sim.finished()) {
    sim.advance(500);
    const double wt = omega * sim.time(), u = stretched();
    if (std::fabs(wt - 2) < 1e-6) at_two = u;
    least = std::min(least, u);
    ours.x.push_back(wt);
    ours.y.push_back(u);
  }
  for (double wt = 0; wt <= 12; wt += 1) {
    exact.x.push_back(wt);
    exact.y.push_back((1 + wt) * std::exp(-wt));
  }
  const double tolerance = c["tolerance"]["abs"];
  s.near("u/u0 at wt = 2", c["expected"]["u_over_u0"], at_two, tolerance);
  s.near("overshoot", c["expected"]["overshoot"], std::max(0.0, -least), tolerance);
  s.plot({"Critically damped bond", "w t", "stretch / first stretch", {exact, ours}});
}

void hanging(Sheet& s) {
  const auto& c = reference_case("gbpm-hanging-chain");
  const Frame f = last_frame(s.small(row(5, "stiffness = 1e5\ndamping = \"critical\"", "[9.81, 0, 0]",
                                         "[[stages]]\nname = \"hang\"\nduration = 2\n")));
  s.near_relative("elongation (m)", c["expected"]["elongation"], f.particles.x[5].x - 0.5, c["tolerance"]["rel"]);
}

// The dampers of bonds hardly damp bending: the beam swings for a quarter of its period, w^2 = 1.545 g/tip, and is
// stopped.
void cantilever(Sheet& s) {
  const auto& c = reference_case("gbpm-cantilever-5");
  const double expected = c["expected"]["tip_deflection"];
  const double quarter = 0.5 * std::numbers::pi / std::sqrt(1.545 * 9.81 / expected);
  const Frame f = last_frame(s.small(row(5, "stiffness = 1e7\nanchors = 4\nring_radius = 0.025\ndamping = \"critical\"",
                                         "[0, 0, -9.81]", stops(8, quarter))));
  const double tip = -f.particles.x[5].z, tolerance = c["tolerance"]["rel"];
  s.near_relative("deflection of the tip (m)", expected, tip, tolerance);
  s.near_relative("deflection, formula of small rotations (m)", c["expected"]["small_rotation_formula"], tip,
                  tolerance);
}

// The chain hangs from its anchor on the surface of the root.
void hinge(Sheet& s) {
  const auto& c = reference_case("gbpm-single-anchor-is-a-hinge");
  const Frame f = last_frame(s.small(row(5, "stiffness = 1e7\ndamper = 500", "[0, 0, -9.81]", stops(30, 0.12))));
  const double tolerance = c["tolerance"]["abs"];
  s.near("tip x (m)", c["expected"]["final_tip"][0], f.particles.x[5].x, tolerance);
  s.near("tip y (m)", c["expected"]["final_tip"][1], f.particles.x[5].y, tolerance);
  s.near("tip z (m)", c["expected"]["final_tip"][2], f.particles.x[5].z, tolerance);
}

void breakage(Sheet& s) {
  const auto& c = reference_case("gbpm-break-pull");
  Simulation sim = s.small(fmt::format(R"({}
[particles.held]
material = "ball"
radius = 0.05
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.pulled]
material = "ball"
radius = 0.05
prescribed = true
motion = {{ constant = {{ velocity = [0.1, 0, 0] }} }}
list = [{{ x = [0.1, 0, 0] }}]
[bonds.joint]
between = "list"
pairs = [[0, 1]]
stiffness = 1e6
strength = 1000
[[stages]]
name = "pull"
duration = 0.02
[numerics]
dt = 1e-6
)",
                                       kMaterial));
  const Frame f = last_frame(std::move(sim));
  const double time = f.breaks.empty() ? -1 : f.breaks[0].time, tolerance = c["tolerance"]["rel"];
  s.near_relative("breaks at (s)", c["expected"]["t_break"], time, tolerance);
  s.near_relative("stretch at breaking (m)", c["expected"]["stretch"], 0.1 * time, tolerance);
}

}  // namespace

std::vector<Entry> bond_entries() {
  const char* const source = "003 section 5.2, theory manual";
  return {
      {"gbpm-axial-period", "Bonded pair: periods", source, {"gbpm-axial-period"}, true, axial},
      {"gbpm-critical-decay", "Bonded pair: critical damping", source, {"gbpm-critical-decay"}, true, critical},
      {"gbpm-hanging-chain", "Hanging chain", source, {"gbpm-hanging-chain"}, true, hanging},
      {"gbpm-cantilever-5", "Cantilever of bonded spheres", source, {"gbpm-cantilever-5"}, true, cantilever},
      {"gbpm-single-anchor-is-a-hinge",
       "One anchor is a hinge",
       source,
       {"gbpm-single-anchor-is-a-hinge"},
       true,
       hinge},
      {"gbpm-break-pull", "A bond pulled to its strength", source, {"gbpm-break-pull"}, true, breakage},
  };
}

}  // namespace areia::verify
