#include "scene/region_measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene/region_mesh.h"
#include "scene/wall_geometry.h"

namespace areia {

double volume_of(const Region& r) {
  using std::numbers::pi;
  switch (r.kind) {
    case Region::Kind::box: {
      const Vec3d e = r.box.max - r.box.min;
      return e.x * e.y * e.z;
    }
    case Region::Kind::sphere:
      return 4.0 / 3 * pi * r.radius * r.radius * r.radius;
    case Region::Kind::cylinder:
      return pi * r.radius * r.radius * norm(r.to - r.from);
    case Region::Kind::mesh:
      return surface_of(r).report.volume;
    case Region::Kind::half_space:
    case Region::Kind::slab:
    case Region::Kind::all:
      break;  // no finite volume; refused by the rules of a case
  }
  return 0;
}

Box bounds_of(const Region& r) {
  switch (r.kind) {
    case Region::Kind::box:
      return r.box;
    case Region::Kind::sphere: {
      const Vec3d e{r.radius, r.radius, r.radius};
      return {r.center - e, r.center + e};
    }
    case Region::Kind::cylinder: {
      const Vec3d axis = unit(r.to - r.from);
      Box b;
      for (int a = 0; a < 3; ++a) {
        // a disc across the axis reaches radius * sin(angle between the axis and this direction)
        const double c = component(axis, a), e = r.radius * std::sqrt(std::max(0.0, 1 - c * c));
        component(b.min, a) = std::min(component(r.from, a), component(r.to, a)) - e;
        component(b.max, a) = std::max(component(r.from, a), component(r.to, a)) + e;
      }
      return b;
    }
    case Region::Kind::mesh:
      return surface_of(r).bounds;
    case Region::Kind::half_space:
    case Region::Kind::slab:
    case Region::Kind::all:
      break;  // no finite volume; refused by the rules of a case
  }
  return {};
}

}  // namespace areia
