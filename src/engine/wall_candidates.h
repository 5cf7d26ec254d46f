// Which patches of walls a centre may come to touch: what engines put into their neighbour lists, with WallCandidate of
// wall_search.h. Written once for all of them, the host's and an accelerator's: nothing is allocated.
#pragma once
#include <type_traits>
#include <variant>

#include "core/fixed_vector.h"
#include "engine/wall_now.h"
#include "scene/wall_geometry.h"
#include "search/wall_images.h"

namespace areia {

// Every shift that brings a centre within `reach` of a wall after a way of length `skin`, and perhaps some that do not:
// it may come in at the opposite face of a periodic box, and meets the wall from there.
AREIA_PORTABLE inline ShiftRange shifts_on_the_way(const Periodicity& periodicity, const Extent& around,
                                                   const Pose& pose, const Vec3d& x, double skin, double reach) {
  ShiftRange range = shifts_to_wall(periodicity, around, pose, x, reach);
  periodicity.for_each_image(
      x, skin, [&](const Vec3d& image) { range.join(shifts_to_wall(periodicity, around, pose, image, reach)); });
  return range;
}

// Whether is_near(place in the frame of the wall) holds for x or one of its images that it may come to, shifted by
// this.
template <class IsNear>
AREIA_PORTABLE bool is_any_image(const Periodicity& periodicity, const WallNow& wall, const Vec3d& x, double skin,
                                 const ShiftRange::Shift& by, IsNear&& is_near) {
  bool any = false;
  periodicity.for_each_image(
      x, skin, [&](const Vec3d& image) { any = any || is_near(wall.to_body(periodicity.shifted(image, by))); });
  return any;
}

// What not every shape can tell. Asked by functions of their own: where a lambda that has been made for a shape asks
// with `if constexpr`, nvcc 13.0 leaves out what follows for the shapes that cannot.
template <class Shape>
concept HasCovers = requires(const Shape& s, const Vec3d& x) {
  covers(s, 0, x, 1.0, x);
};
template <class Shape>
AREIA_PORTABLE bool lies_on_itself(const Shape& s, int patch, const Vec3d& x, double reach, const Vec3d& shift) {
  if constexpr (HasCovers<Shape>) return covers(s, patch, x, reach, shift);
  else return false;
}
template <class Shape>
AREIA_PORTABLE bool is_far_from_all(const Shape& s, const Vec3d& x, double reach) {
  if constexpr (std::is_same_v<Shape, BoxShape>) return is_deep_inside(s, x, reach);
  else return false;
}

// f(patch, by) for each patch of a shape that a centre at x may come within `reach` of on a way of length `skin`, and
// each shift from which it does: those of few lengths first, as WallCandidate::rank has them.
//
// A wall that is longer than a period lies on its own images. Of patches that do, where they are met, the first alone
// is told: it does all that the others would do. Not so of a wall that turns: its images leave each other.
template <class Shape, class F>
AREIA_PORTABLE void for_each_near_patch_of(const Shape& shape, const Periodicity& periodicity, const WallNow& wall,
                                           bool turns, const Vec3d& x, double skin, double reach, F&& f) {
  struct Told {
    ShiftRange::Shift by;
    int patch;
  };
  // What finds no room here covers nothing: then more is told than must be, never less.
  FixedVector<Told, 16> told;
  const auto is_covered = [&](int patch, const ShiftRange::Shift& by) {
    bool covered = false;
    for (const Told& t : told) {
      if (covered || t.patch != patch) continue;
      const Vec3d between = periodicity.shifted({}, by) - periodicity.shifted({}, t.by);
      const Vec3d way = rotate(conjugate(wall.pose.q), between);
      covered = !is_any_image(periodicity, wall, x, skin, t.by,
                              [&](const Vec3d& at) { return !lies_on_itself(shape, patch, at, reach, way); });
    }
    return covered;
  };
  const auto look_from = [&](const ShiftRange::Shift& by) {
    if (!is_any_image(periodicity, wall, x, skin, by,
                      [&](const Vec3d& at) { return !is_far_from_all(shape, at, reach); }))
      return;
    for (int patch = 0; patch < patch_count(shape); ++patch) {
      if (!is_any_image(periodicity, wall, x, skin, by,
                        [&](const Vec3d& at) { return patch_distance(shape, patch, at) <= reach; }))
        continue;
      if (!turns && periodicity.any()) {
        if (is_covered(patch, by)) continue;
        told.push_back({by, patch});
      }
      f(patch, by);
    }
  };
  shifts_on_the_way(periodicity, extent_of(shape), wall.pose, x, skin, reach).for_each_by_length(look_from);
}
// The same of a wall, whose shape is one of several.
template <class Variant, class F>
AREIA_PORTABLE void for_each_near_patch(const Periodicity& periodicity, const Variant& shape, const WallNow& wall,
                                        bool turns, const Vec3d& x, double skin, double reach, F&& f) {
  visit_shape(shape,
              [&](const auto& one) { for_each_near_patch_of(one, periodicity, wall, turns, x, skin, reach, f); });
}

}  // namespace areia
