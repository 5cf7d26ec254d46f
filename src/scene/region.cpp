#include "scene/region.h"

#include "scene/region_mesh.h"

namespace areia {

int side_of_mesh(const Region& r, const Vec3d& x) { return inside_mesh(surface_of(r), x) ? 1 : -1; }

}  // namespace areia
