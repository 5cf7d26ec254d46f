// The line that stands for a contact: from the centre of i to the centre of j, or to the contact point on a wall.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "areia/frame.h"

namespace areia {

// One line per contact of the frame. A partner across a periodic boundary is put beside i, where it is felt.
std::vector<std::pair<Vec3d, Vec3d>> contact_lines(const Frame& frame);

// Centre of i, anchors of i and j, centre of j; at a wall, and where j acts through a periodic face, the line ends at
// the anchor.
std::vector<std::array<Vec3d, 4>> bond_lines(const Frame& frame);

}  // namespace areia
