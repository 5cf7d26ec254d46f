// Regions bounded by a closed mesh (Region::Kind::mesh).
#pragma once
#include "scene/triangle_mesh.h"

namespace areia {

// The mesh of a region, read and prepared when it is first asked for and kept; the file name must be absolute, or
// relative to the working folder. Throws InputError with `key` if it cannot be read or is not closed.
const TriangleMesh& region_mesh(const Region& region, const std::string& key);

// Whether a point is inside the mesh of the region (`outside` is not looked at). To be called from any thread.
inline bool inside_region_mesh(const Region& region, const Vec3d& x, const std::string& key = "region.mesh") {
  return inside_mesh(region_mesh(region, key), x);
}

}  // namespace areia
