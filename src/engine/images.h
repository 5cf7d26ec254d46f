// Which particles, and which of their periodic images, reach into a box.
#pragma once
#include "engine/backend.h"
#include "scene/wall_geometry.h"
#include "search/size_class_grid.h"

namespace areia {

inline bool reaches_into(const Box& box, const Vec3d& x, double radius) {
  for (int a = 0; a < 3; ++a)
    if (component(x, a) + radius < component(box.min, a) || component(x, a) - radius > component(box.max, a))
      return false;
  return true;
}

inline void add_images(Surroundings& s, const Periodicity& periodicity, const Box& box, const Vec3d& x, double radius) {
  Vec3d at;
  const auto steps = [&](int axis) { return periodicity.on[axis] ? 1 : 0; };
  for (int i = -steps(0); i <= steps(0); ++i)
    for (int j = -steps(1); j <= steps(1); ++j)
      for (int k = -steps(2); k <= steps(2); ++k) {
        at = {x.x + i * periodicity.length.x, x.y + j * periodicity.length.y, x.z + k * periodicity.length.z};
        if (i == 0 && j == 0 && k == 0) at = x;  // a length that is not used may be infinite
        if (!reaches_into(box, at, radius)) continue;
        s.x.push_back(at);
        s.radius.push_back(radius);
      }
}

}  // namespace areia
