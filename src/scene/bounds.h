// Places from one corner to the other.
#pragma once
#include <limits>

#include "areia/case.h"

namespace areia {

struct Bounds {
  Vec3d low, high;
};

// Outside of these a body has left a bounded domain: its box, without end along periodic axes.
inline Bounds watched_bounds(const Domain& d) {
  Bounds b{d.box.min, d.box.max};
  for (int a = 0; a < 3; ++a) {
    if (!d.periodic[a]) continue;
    component(b.low, a) = -std::numeric_limits<double>::infinity();
    component(b.high, a) = std::numeric_limits<double>::infinity();
  }
  return b;
}

}  // namespace areia
