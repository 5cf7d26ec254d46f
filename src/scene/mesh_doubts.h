// Whether a mesh is a rounded surface that falls into patches.
#pragma once
#include <string>

#include "scene/triangle_mesh.h"

namespace areia {

// In words, or "". Facets that meet at `patch_angle` or more are patches of their own, and a grain that rolls over
// their common edge loses what its contact remembers. Where a good part of the edges bends by a little more than that
// angle, a rounded surface was meant: a cylinder of 72 facets bends by 5 degrees at each.
std::string split_patches(const TriangleMesh& mesh);

}  // namespace areia
