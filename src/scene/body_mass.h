// Mass and moment of inertia of a sphere, or of a disk in a 2-D case with `disk_thickness`.
#pragma once
#include <numbers>

#include "areia/case.h"

namespace areia {

struct BodyMass {
  double mass = 0, inertia = 0;
};

// `given` > 0 replaces density times volume.
inline BodyMass body_mass(const Domain& d, double radius, double given, double density) {
  using std::numbers::pi;
  const bool disk = d.dimension == 2 && d.disk_thickness > 0;
  const double volume = disk ? pi * radius * radius * d.disk_thickness : 4.0 / 3 * pi * radius * radius * radius;
  const double mass = given > 0 ? given : volume * density;
  return {mass, (disk ? 0.5 : 0.4) * mass * radius * radius};
}

}  // namespace areia
