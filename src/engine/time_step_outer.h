// Limits of the time step from forces other than contacts. Theory manual, section 13.2.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"
#include "scene/scene.h"

namespace areia {

struct OuterLimit {
  double dt = kForever;
  std::string reason;
  std::vector<std::string> warnings;
};

// Forces at a distance: 1/10 of the period 2 pi sqrt(m*/|df/dd|) of the two lightest particles at their equilibrium, or
// touching where there is none or touching comes first. Magnetic fields: 1/100 of a turn. Drag: 1/10 of the time m/c in
// which it slows a particle down, at the given speed. Where any of these move the particles, 1/10 of the time in which
// the fastest crosses the smallest radius: what they meet on the way must not be passed over.
OuterLimit outer_limit(const Scene& scene, double speed);

// Largest speed that electric fields and fields in regions may give on the way through the scene, and forces at a
// distance on the way of two particles from where they are to touching, or apart.
double field_speed(const Scene& scene, double start_speed);

}  // namespace areia
