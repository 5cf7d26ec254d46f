// Formulas and generators: effective moduli, Rodrigues vectors, truncated Gaussian radii, random addition.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/rotation.h"
#include "physics/material_pair.h"
#include "verify/drawings.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

void moduli(Sheet& s) {
  s.sketch(drawings::sphere_on_plate());
  const auto& c = reference_case("eq-2.93-wall-moduli");
  const double tolerance = c["tolerance"]["rel"];
  Material a, rigid;
  a.young = c["inputs"]["E"];
  a.poisson = c["inputs"]["nu"];
  rigid.rigid = true;
  const auto& x = c["expected"];
  s.near_relative("E*, rigid wall (Pa)", x["E_star_rigid"], e_star({a, rigid}), tolerance);
  s.near_relative("E*, same material (Pa)", x["E_star_same_material"], e_star({a, a}), tolerance);
  s.near_relative("G*, mindlin, rigid wall (Pa)", x["G_star_mindlin_rigid"], g_star({a, rigid}, true), tolerance);
  s.near_relative("G*, source, rigid wall (Pa)", x["G_star_source"], g_star({a, rigid}, false), tolerance);
}

void rodrigues(Sheet& s) {
  s.sketch(drawings::turning_sphere());
  const auto& c = reference_case("rodrigues-composition");
  const auto vector = [](const nlohmann::json& v) { return Vec3d{v[0], v[1], v[2]}; };
  const Vec3d a1 = vector(c["inputs"]["alpha_1"]), a2 = vector(c["inputs"]["alpha_2"]);
  const Vec3d expected = vector(c["expected"]["alpha"]), direct = compose_rodrigues(a2, a1);
  const Quat q = multiply(from_rodrigues(a2), from_rodrigues(a1));
  const Vec3d by_quaternions = (2 / q[0]) * Vec3d{q[1], q[2], q[3]};
  const double tolerance = c["tolerance"]["abs"];
  s.near("x", expected.x, direct.x, tolerance);
  s.near("y", expected.y, direct.y, tolerance);
  s.near("z", expected.z, direct.z, tolerance);
  s.near("x, by quaternions", expected.x, by_quaternions.x, tolerance);
  s.near("y, by quaternions", expected.y, by_quaternions.y, tolerance);
  s.near("z, by quaternions", expected.z, by_quaternions.z, tolerance);
}

// 20000 draws leave the mean uncertain by 0.06 %, too close to its tolerance of 0.1 % for one sample: ten samples.
void truncated_gaussian(Sheet& s) {
  const auto& c = reference_case("truncated-gaussian-2sigma");
  constexpr int kSamples = 10;
  double n = 0, sum = 0, squares = 0, least = 1, most = 0;
  for (int seed = 1; seed <= kSamples; ++seed) {
    const Frame f = s.small(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = { law = "hertz" }
[particles.a]
material = "a"
radius = { gaussian = { mean = 0.01, std = 0.001, truncate = 2 } }
lattice = { region = { box = [[0, 0, 0], [1, 1, 1]] }, spacing = 0.03, count = 20000 }
[[stages]]
name = "a"
duration = 1e-5
[numerics]
dt = 1e-5
)",
                            {fmt::format("numerics.seed={}", seed)})
                        .frame();
    for (const double r : f.particles.radius) {
      n += 1;
      sum += r;
      squares += (r - 0.01) * (r - 0.01);
      least = std::min(least, r);
      most = std::max(most, r);
    }
  }
  const double mean = sum / n, std = std::sqrt(squares / n - (mean - 0.01) * (mean - 0.01));
  const auto& x = c["expected"];
  s.near("number of each sample", c["inputs"]["n"], n / kSamples, 0);
  s.near_relative("mean radius (m), ten samples", x["mean"], mean, c["tolerance"]["rel_mean"]);
  s.near_relative("standard deviation (m)", x["std"], std, c["tolerance"]["rel_std"]);
  s.near("smallest radius (m)", x["min"], least, 1e-5);
  s.near("largest radius (m)", x["max"], most, 1e-5);
  s.near("radii outside [min, max]", 0, least < 0.008 || most > 0.012, 0);
}

void cluster(Sheet& s) {
  const auto& c = reference_case("rsa-cluster-4.7");
  const Frame f = s.small(R"(
[materials.a]
density = 2000
young = 2e9
[contacts.default]
normal = { law = "hertz" }
[particles.cluster]
material = "a"
radius = 0.05
fill = { region = { sphere = { center = [0, 0, 0], radius = 1 } }, count = 1000 }
[[stages]]
name = "a"
duration = 1e-5
[numerics]
dt = 1e-5
)")
                      .frame();
  const auto& p = f.particles;
  double overlaps = 0, outside = 0, volume = 0;
  for (std::size_t i = 0; i < p.id.size(); ++i) {
    outside += norm(p.x[i]) + p.radius[i] > 1;
    volume += std::pow(p.radius[i], 3);
    for (std::size_t j = i + 1; j < p.id.size(); ++j) overlaps += norm(p.x[i] - p.x[j]) < p.radius[i] + p.radius[j];
  }
  const auto& x = c["expected"];
  s.near("placed", x["placed"], static_cast<double>(p.id.size()), 0);
  s.near("overlaps", x["overlaps"], overlaps, 0);
  s.near("outside of the sphere", 0, outside, 0);
  s.near("solid fraction", x["solid_fraction"], volume, 1e-12);
}

}  // namespace

std::vector<Entry> formula_entries() {
  return {
      {"wall-moduli", "Effective moduli at walls", "000 (2.93), theory manual", {"eq-2.93-wall-moduli"}, true, moduli},
      {"rodrigues-composition", "Composition of rotations", "000 (2.12)", {"rodrigues-composition"}, true, rodrigues},
      {"truncated-gaussian",
       "Radii from a truncated Gaussian",
       "theory manual",
       {"truncated-gaussian-2sigma"},
       true,
       truncated_gaussian},
      {"rsa-cluster", "Random addition of the cluster of 4.7", "000 section 4.7", {"rsa-cluster-4.7"}, true, cluster},
  };
}

}  // namespace areia::verify
