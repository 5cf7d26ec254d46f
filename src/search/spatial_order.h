// Particles in the order of a space-filling (Morton) curve over grid cells: neighbours in space are near in memory.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec4.h"

namespace areia {

// The number of a cell of edge h, counted from `origin`, along the curve; less than 2^63.
std::uint64_t number_along_curve(const Vec3d& x, const Vec3d& origin, double h);

// order[new] = old. Cells of edge h counted from `origin`; particles of one cell keep their present order, so the
// result depends on positions and present order only.
std::vector<std::uint32_t> spatial_order(std::span<const Vec4> position, const Vec3d& origin, double h);

}  // namespace areia
