// The line that stands for a contact: from the centre of i to the centre of j, or to the contact point on a wall.
#pragma once
#include <utility>
#include <vector>

#include "areia/frame.h"

namespace areia {

// One line per contact of the frame. A partner across a periodic boundary is put beside i, where it is felt.
std::vector<std::pair<Vec3d, Vec3d>> contact_lines(const Frame& frame);

}  // namespace areia
