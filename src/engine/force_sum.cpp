#include "engine/force_sum.h"

#include <algorithm>
#include <vector>

#include "physics/interaction.h"
#include "scene/scene.h"

namespace areia {

namespace {

// The radius of which nine tenths of the particles of a material are not below; 0: there are none.
double small_radius(const SceneParticles& particles, std::size_t material) {
  std::vector<double> radii;
  for (std::size_t i = 0; i < particles.size(); ++i)
    if (particles.material[i] == material) radii.push_back(particles.radius[i]);
  if (radii.empty()) return 0;
  const auto tenth = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 10);
  std::nth_element(radii.begin(), tenth, radii.end());
  return *tenth;
}

}  // namespace

ForceGrid force_grid(const Scene& scene, const SceneParticles& particles) {
  constexpr double kStrain = 0.2;
  const std::size_t n = scene.materials.size();
  std::vector<double> radius(n);
  for (std::size_t a = 0; a < n; ++a) radius[a] = small_radius(particles, a);
  double force = 0, torque = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0 || radius[a] == 0) continue;
      const Interaction laws(scene.settings.contacts[k], {scene.materials[a], scene.materials[b]});
      Geometry<double> g = bodies(radius[a], radius[b]);  // radius 0: a wall
      g.overlap = kStrain * radius[a];
      g.contact_radius = contact_radius_of(g.r_star, g.overlap);
      const double push = laws.part(kNormal)->elastic(g);
      force = std::max(force, push);
      torque = std::max(torque, push * radius[a]);
    }
  const auto usable = [](double size) { return size > 0x1p-800 && size < 0x1p800 ? size : 1.0; };
  return {Grid(usable(force)), Grid(usable(torque))};
}

}  // namespace areia
