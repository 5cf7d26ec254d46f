// Cases of bonded spheres that several tests share.
#pragma once

#include <fmt/format.h>

#include <numbers>
#include <string>

#include "support.h"

namespace areia::test {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kRadius = 0.05;
inline constexpr double kMass = 4.0 / 3 * kPi * kRadius * kRadius * kRadius * 2500;

inline const char* const kMaterial = R"(
[materials.ball]
density = 2500
young = "50 MPa"
poisson = 0.25
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
)";

// Two free spheres in touch along x, one anchor at the contact point; `rest` goes into [bonds.joint].
inline std::string two_spheres(const std::string& rest, const std::string& list, double duration) {
  return fmt::format(R"({}
[particles.ball]
material = "ball"
radius = {}
list = [{}]
[bonds.joint]
between = "list"
pairs = [[0, 1]]
stiffness = 1e6
contact = false
{}
[[stages]]
name = "run"
duration = {}
)",
                     kMaterial, kRadius, list, rest, duration);
}

inline const char* const kAtRest = "{ x = [0, 0, 0] }, { x = [0.1, 0, 0] }";

// A row of n + 1 spheres along x from the origin, the first one fixed.
inline std::string row(int n, const std::string& bonds, const std::string& gravity, const std::string& rest) {
  std::string list;
  for (int k = 1; k <= n; ++k) list += fmt::format("{}{{ x = [{}, 0, 0] }}", k > 1 ? ", " : "", 0.1 * k);
  return fmt::format(R"({}
[particles.root]
material = "ball"
radius = {}
fixed = true
list = [{{ x = [0, 0, 0] }}]
[particles.chain]
material = "ball"
radius = {}
list = [{}]
[bonds.joints]
contact = false
{}
[fields.gravity]
acceleration = {}
{}
)",
                     kMaterial, kRadius, kRadius, list, bonds, gravity, rest);
}

// Stages in which the chain swings for a time and is stopped dead: after some of them it hangs at rest.
inline std::string stops(int rounds, double swing) {
  std::string text;
  for (int k = 0; k < rounds; ++k)
    text += fmt::format(
        "[[stages]]\nname = \"swing{}\"\nduration = {:.17g}\nrelease = [\"chain\"]\n"
        "[[stages]]\nname = \"stop{}\"\nduration = 1e-6\nfreeze = [\"chain\"]\n",
        k, swing, k);
  return text;
}

// The ledger sees velocities half a step after positions: gravity's potential is off by m g . v dt/2.
inline double of_gravity(const Frame& f, double g) {
  double sum = 0;
  for (std::size_t i = 0; i < f.particles.id.size(); ++i)
    if (!f.particles.prescribed[i]) sum += f.particles.mass[i] * g * norm(f.particles.v[i]) * f.dt;
  return sum;
}

}  // namespace areia::test
