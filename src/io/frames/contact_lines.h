// The line that stands for a contact: from the centre of i to the centre of j, or to the contact point on a wall.
#pragma once
#include <array>

#include "areia/frame.h"

namespace areia {

// A partner across a periodic boundary is put beside i, where it is felt.
std::array<Vec3d, 2> contact_line(const Frame& frame, const FrameContact& contact);

// The contact point of two particles from direction and overlap: in the middle of what they share.
Vec3d contact_point(const Frame& frame, const FrameContact& contact);

// Centre of i, anchors of i and j, centre of j; at a wall, and where j acts through a periodic face, the line ends at
// the anchor.
std::array<Vec3d, 4> bond_line(const Frame& frame, const FrameBond& bond);

}  // namespace areia
