// The forces at a distance of a scene with names turned to numbers. Both engines start from it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "physics/distance_force.h"
#include "scene/scene.h"

namespace areia {

struct PlannedForce {
  DistanceLaw law;
  std::vector<std::uint8_t> in_a, in_b;  // by group
  std::vector<std::uint16_t> walls;
};

inline std::vector<PlannedForce> plan_forces(const Scene& scene) {
  std::vector<PlannedForce> plan;
  for (const DistanceForce& f : scene.settings.forces) {
    PlannedForce p;
    p.law = make_distance_law(f);
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
