#include "scene/loaded_box.h"

#include <cmath>

namespace areia {

std::optional<double> place_across(const WallShape& shape, int axis) {
  const auto is_across = [axis](const Vec3d& n) {
    const double along = component(n, axis);
    return along != 0 && norm(n) - std::fabs(along) < 1e-12 * norm(n);
  };
  if (const auto* plane = std::get_if<PlaneShape>(&shape); plane && is_across(plane->normal))
    return component(plane->point, axis);
  if (const auto* r = std::get_if<RectangleShape>(&shape); r && is_across(cross(r->edge_a, r->edge_b)))
    return component(r->corner, axis);
  return std::nullopt;
}

std::array<BoxSide, 3> sides_of(const Case& c, const Loading& loading) {
  std::array<BoxSide, 3> sides;
  for (int a = 0; a < 3; ++a) {
    const Loading::Axis& axis = loading.axis[static_cast<std::size_t>(a)];
    BoxSide& side = sides[static_cast<std::size_t>(a)];
    for (std::size_t w = 0; w < c.walls.size(); ++w) {
      if (c.walls[w].name == axis.low) side.low = static_cast<int>(w);
      if (c.walls[w].name == axis.high) side.high = static_cast<int>(w);
    }
    if (side.low >= 0 && side.high >= 0) {
      const auto low = place_across(c.walls[static_cast<std::size_t>(side.low)].shape, a);
      const auto high = place_across(c.walls[static_cast<std::size_t>(side.high)].shape, a);
      if (low && high) side.first = *high - *low;
    } else if (c.domain.periodic[static_cast<std::size_t>(a)]) {
      side.first = component(c.domain.box.max - c.domain.box.min, a);
    }
  }
  return sides;
}

}  // namespace areia
