// Adhesion and the laws of 001: equilibria and single forces.
#include <fmt/format.h>

#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

// Two spheres of one radius along x with an overlap, laws as given.
std::string overlapping(double radius, double young, double overlap, const std::string& laws, double duration,
                        double dt) {
  return fmt::format(R"(
[materials.a]
density = 2500
young = {}
poisson = 0.25
[contacts.a-a]
{}
[particles.a]
material = "a"
radius = {}
list = [{{ x = [0, 0, 0] }}, {{ x = [{:.17g}, 0, 0] }}]
[[stages]]
name = "a"
duration = {:.17g}
[numerics]
dt = {:.17g}
start_overlap = 0.5
)",
                     young, laws, radius, 2 * radius - overlap, duration, dt);
}

// Force of the adhesion alone: with it less without it.
double adhesion_force(const Sheet& s, double radius, double young, double overlap, const std::string& adhesion) {
  const std::string normal = "normal = { law = \"hertz\" }\n";
  const auto force = [&](const std::string& laws) {
    return s.small(overlapping(radius, young, overlap, laws, 1e-9, 1e-9)).frame().particles.force[0].x;
  };
  return force(normal + "adhesion = " + adhesion) - force(normal);
}

void adhesion_equilibrium(Sheet& s) {
  const auto& c = reference_case("adhesion-equilibrium");
  const Frame f =
      last_frame(s.small(overlapping(0.01, 1e7, 1e-5,
                                     "normal = { law = \"hertz\", xi = 0.3 }\nadhesion = { law = \"strain\", "
                                     "k = 50, beta = 1, eps_c = 0 }",
                                     0.2, 5e-6)));
  s.near_relative("overlap at rest (m)", c["expected"]["delta_eq"], f.contacts.at(0).overlap, c["tolerance"]["rel"]);
}

void adhesion_critical_strain(Sheet& s) {
  const auto& c = reference_case("adhesion-critical-strain");
  for (std::size_t k = 0; k < 3; ++k) {
    const double overlap = c["inputs"]["overlaps"][k], expected = c["expected"]["f_ad_i_along_n"][k];
    s.near(fmt::format("adhesion at overlap {} m (N)", overlap), expected,
           adhesion_force(s, 0.01, 1e9, overlap, "{ law = \"strain\", k = 50, beta = 1, eps_c = 0.01 }"),
           c["tolerance"]["rel"].get<double>() * std::max(0.525, expected));
  }
}

void bond_normal(Sheet& s) {
  const auto& c = reference_case("001-bond-normal");
  const double force =
      adhesion_force(s, 0.2, 1e9, 0.01, "{ law = \"bond_area\", K_nb = 1e6, K_rb = 1e3, P_p = 2, eps_star = 0.02 }");
  const double tolerance = c["tolerance"]["rel"];
  s.near_relative("force on i along n (N)", c["expected"]["f_i_along_n"], force, tolerance);
  // f = K_nb eps^2 A_c with eps = 0.01/0.4
  s.near_relative("contact area (m^2)", c["expected"]["A_c"], force / (1e6 * 0.025 * 0.025), tolerance);
}

}  // namespace

std::vector<Entry> law_entries() {
  return {
      {"adhesion-equilibrium",
       "Adhesion against a Hertz contact",
       "000 section 2.11, theory manual",
       {"adhesion-equilibrium"},
       true,
       adhesion_equilibrium},
      {"adhesion-critical-strain",
       "Adhesion from a critical strain on",
       "theory manual",
       {"adhesion-critical-strain"},
       true,
       adhesion_critical_strain},
      {"001-bond-normal", "Bond force by contact area", "001 (71) with E34", {"001-bond-normal"}, true, bond_normal},
  };
}

}  // namespace areia::verify
