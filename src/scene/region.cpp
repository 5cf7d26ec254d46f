#include "scene/region.h"

#include "areia/error.h"

namespace areia {

int side_of_mesh(const Region& r, const Vec3d&) {
  throw InputError("region.mesh", r.mesh, "a region bounded by a mesh is not supported here");
}

}  // namespace areia
