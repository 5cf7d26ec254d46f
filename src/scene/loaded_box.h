// The box between the walls of a loading: which walls bound it along x, y and z, and how far apart they were placed.
#pragma once
#include <array>
#include <optional>

#include "areia/case.h"

namespace areia {

// Where a flat wall lies along an axis that it stands across; nothing for others.
std::optional<double> place_across(const WallShape& shape, int axis);

struct BoxSide {
  int low = -1, high = -1;  // walls of the case, or -1
  double first = 0;         // m, distance of the two as placed, or period of the domain; 0: there is no length
};
std::array<BoxSide, 3> sides_of(const Case& c, const Loading& loading);

}  // namespace areia
