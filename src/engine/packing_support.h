// What can hold the particles of a packing that settles.
#pragma once
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

// The height along `up` below which nothing stops a particle any more: under every wall and every particle that stands
// still, by a margin for outlines, whose chords lie inside a curved wall. A plane that looks up holds all that is above
// it: then there is no such height, and minus infinity is returned. `walls` are those of the frame, in its order.
double lowest_support(const std::vector<Wall>& walls, const Frame& frame, const Vec3d& up);

}  // namespace areia
