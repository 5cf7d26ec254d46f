// Walls as sets of patches, whatever their shape; theory manual, section 12.
//
// A plane is one patch, a box has six faces, a cylinder a lateral surface and two caps, the other shapes are one patch
// each (shapes/, one header per shape). Finite patches act from both sides, and each tells its nearest point, edges
// included. Which of these points are contacts is decided over all patches of all walls together (wall_hits.h).
#pragma once
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
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

// f(shape) for the shape that a variant holds; std::visit, which may throw, is for the host alone.
template <std::size_t index = 0, class F, class... S>
AREIA_PORTABLE auto visit_shape(const std::variant<S...>& shape, F&& f) {
  if constexpr (index + 1 < sizeof...(S))
    if (shape.index() != index) return visit_shape<index + 1>(shape, f);
  return f(*std::get_if<index>(&shape));
}

// --- shapes that are plain numbers -----------------------------------------------------------------------------------
// All but meshes, which are tables: as an accelerator takes them.
namespace plain {
template <class Kept, class Left>
struct WithoutMesh;
template <class... Kept>
struct WithoutMesh<std::variant<Kept...>, std::variant<>> {
  using Type = std::variant<Kept...>;
};
template <class... Kept, class First, class... Left>
struct WithoutMesh<std::variant<Kept...>, std::variant<First, Left...>>
    : std::conditional_t<std::is_same_v<First, MeshShape>, WithoutMesh<std::variant<Kept...>, std::variant<Left...>>,
                         WithoutMesh<std::variant<Kept..., First>, std::variant<Left...>>> {};
}  // namespace plain

using PlainShape = plain::WithoutMesh<std::variant<>, WallShape>::Type;
static_assert(std::variant_size_v<PlainShape> + 1 == std::variant_size_v<WallShape>);
static_assert(std::is_trivially_copyable_v<PlainShape>, "a shape of numbers alone can be copied to an accelerator");

// None of a mesh.
inline std::optional<PlainShape> plain_shape(const WallShape& shape) {
  return visit_shape(shape, []<class S>(const S& s) -> std::optional<PlainShape> {
    if constexpr (std::is_same_v<S, MeshShape>) return std::nullopt;
    else return s;
  });
}

AREIA_PORTABLE inline Extent sphere_around(const PlainShape& shape) {
  return visit_shape(shape, [](const auto& s) { return extent_of(s); });
}

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
