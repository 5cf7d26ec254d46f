// Regions bounded by a closed mesh (Region::Kind::mesh). Their surfaces are read and prepared once, before a scene is
// made of the case; from then on a question about a point is a question to a mesh in memory, from any thread.
#pragma once
#include "scene/triangle_mesh.h"

namespace areia {

// Reads and prepares the surface of a region that has none yet; regions of other kinds stay as they are. The name of
// the file must be absolute, or relative to the working folder. Throws InputError with `key` if the file cannot be read
// or its surface is not closed.
void prepare_surface(Region& region, const std::string& key);
// The same for all regions of a case that may be meshes; regions of the same file and scale share one surface. Every
// region that is asked about points learns the periods of the domain.
void prepare_regions(Case& c);

// The prepared surface. Throws InputError where nobody has prepared it.
const TriangleMesh& surface_of(const Region& region);

}  // namespace areia
