// The forces at a distance of a scene with names turned to numbers. Every engine starts from it.
//
// A particle may have thousands of partners, found in an order that follows from memory. So what it adds up per force
// has no order (FineSum in core/grid_sum.h), on a grid for the force between the smallest particles when they touch.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "core/grid_sum.h"
#include "engine/streams.h"
#include "physics/distance_force.h"
#include "scene/scene.h"

namespace areia {

struct PlannedForce {
  DistanceLaw law;
  FineGrid grid;                         // of its sums
  std::vector<std::uint8_t> in_a, in_b;  // by group
  std::vector<std::uint16_t> walls;
};

inline double size_of_force(const DistanceLaw& law, const SceneParticles& p) {
  if (p.size() == 0) return 0;
  const double d = 2 * *std::min_element(p.radius.begin(), p.radius.end());
  double factors = 1;
  if (law.charges) {
    factors = 0;
    for (const double q : p.charge) factors = std::max(factors, q * q);
  }
  const double inverse = 1 / d;
  return factors * (law.k_at * inverse_power(inverse, law.a_at) + law.k_rep * inverse_power(inverse, law.a_rep));
}

inline std::vector<PlannedForce> plan_forces(const Scene& scene) {
  std::vector<PlannedForce> plan;
  if (scene.settings.forces.empty()) return plan;
  const SceneParticles expected = scene.particles.size() > 0 ? SceneParticles{} : expected_particles(scene).particles;
  const SceneParticles& particles = scene.particles.size() > 0 ? scene.particles : expected;
  for (const DistanceForce& f : scene.settings.forces) {
    PlannedForce p;
    p.law = make_distance_law(f);
    p.grid = FineGrid(size_of_force(p.law, particles));
    for (const std::string& g : scene.groups) {
      p.in_a.push_back(f.group_a.empty() || g == f.group_a);
      p.in_b.push_back(f.group_b.empty() || g == f.group_b);
    }
    for (std::size_t w = 0; w < scene.walls.size(); ++w)
      if (std::find(f.walls.begin(), f.walls.end(), scene.walls[w].name) != f.walls.end())
        p.walls.push_back(static_cast<std::uint16_t>(w));
    plan.push_back(std::move(p));
  }
  return plan;
}

}  // namespace areia
