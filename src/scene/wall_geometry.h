// Walls as sets of patches, whatever their shape; theory manual, section 12.
//
// A plane is one patch, a box has six faces, a cylinder a lateral surface and two caps, the other shapes are one patch
// each (shapes/, one header per shape). Finite patches act from both sides, and each tells its nearest point, edges
// included. Which of these points are contacts is decided over all patches of all walls together (wall_hits.h).
#pragma once
#include <array>
#include <cmath>
#include <variant>

#include "areia/case.h"
#include "scene/shapes/box.h"
#include "scene/shapes/cone.h"
#include "scene/shapes/cylinder.h"
#include "scene/shapes/disk.h"
#include "scene/shapes/mesh.h"
#include "scene/shapes/plane.h"
#include "scene/shapes/rectangle.h"
#include "scene/shapes/sphere.h"

namespace areia {

// A shape that says all that is asked of shapes (shapes/shape.h). What asks for more, with types of its own, is
// engine/wall_outline.cpp, engine/time_step.cpp and the rules of walls; they do not compile either without an answer.
template <class S>
concept CompleteShape = requires(const S& s, const Vec3d& x) {
  { ShapeInfo<S>::kName } -> std::convertible_to<const char*>;
  { ShapeInfo<S>::kText } -> std::convertible_to<const char*>;
  { patch_count(s) } -> std::same_as<int>;
  { closest_point(s, 0, x) } -> std::same_as<WallPoint>;
  { surface_at(s, 0, x, 0.0) } -> std::same_as<LocalSurface>;
  { extent_of(s) } -> std::same_as<Extent>;
  { is_symmetric_about(s, x, x) } -> std::same_as<bool>;
  { ShapeInfo<S>::keys() } -> std::same_as<ShapeKeys<S>>;
};

template <class... S>
constexpr bool are_complete(const std::variant<S...>*) {
  return (CompleteShape<S> && ...);
}
static_assert(are_complete(static_cast<const WallShape*>(nullptr)), "a shape of WallShape lacks something");

// True if a centre is outside of a bounded domain; periodic axes have no outside.
inline bool is_outside(const Domain& d, const Vec3d& x) {
  for (int a = 0; a < 3; ++a)
    if (!d.periodic[a] && !(component(x, a) >= component(d.box.min, a) && component(x, a) <= component(d.box.max, a)))
      return true;
  return false;
}

// The nearest point of a whole wall, in the wall's own frame.
inline WallPoint nearest_point(const WallShape& shape, const Vec3d& x) {
  return std::visit(
      [&](const auto& s) {
        WallPoint best;
        for (int patch = 0; patch < patch_count(s); ++patch) {
          const WallPoint at = closest_point(s, patch, x);
          if (at.found && (!best.found || at.distance < best.distance)) best = at;
        }
        return best;
      },
      shape);
}

}  // namespace areia
