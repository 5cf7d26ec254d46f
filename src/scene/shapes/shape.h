// What every shape of a wall has to tell, and the small geometry that shapes share.
//
// A shape is one header of this folder and one name in the variant WallShape (areia/case.h). The header holds
//   closest_point(s, patch, x)          the point of a patch that is nearest to a centre;
//   is_symmetric_about(s, point, axis)  whether a turn about this axis leaves the surface where it is;
//   ShapeInfo<S>                        all that is asked once: name and keys of the case file, rules, outline, lowest
//                                       points.
// wall_geometry.h includes them all and refuses to compile where something is missing.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "areia/case.h"
#include "core/range.h"

namespace areia {

// --- geometry --------------------------------------------------------------------------------------------------------
struct WallPoint {
  bool found = false;
  double distance = 0;  // from centre to wall; negative behind a plane
  Vec3d n;              // unit, from the centre to the wall
};

inline double& component(Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
inline double component(const Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

// A centre exactly on the wall has no direction to it: a fixed one is used.
inline WallPoint towards(const Vec3d& d, const Vec3d& fallback) {
  const double distance = norm(d);
  return {true, distance, distance > 0 ? (1 / distance) * d : fallback};
}

// Any unit vector normal to the axis (of unit length).
inline Vec3d across(const Vec3d& axis) {
  return unit(std::fabs(axis.x) < 0.6 ? cross(axis, Vec3d{1, 0, 0}) : cross(axis, Vec3d{0, 1, 0}));
}

// A centre by its height along an axis and its distance from it, with the direction away from the axis.
struct AxialPlace {
  Vec3d axis, out;
  double along, rho;
};
inline AxialPlace axial_place(const Vec3d& origin, const Vec3d& unit_axis, const Vec3d& x) {
  const double along = dot(x - origin, unit_axis);
  const Vec3d radial = x - origin - along * unit_axis;
  const double rho = norm(radial);
  return {unit_axis, rho > 0 ? (1 / rho) * radial : across(unit_axis), along, rho};
}

// True if both axes are one line, to rounding.
inline bool is_same_line(const Vec3d& a, const Vec3d& axis_a, const Vec3d& b, const Vec3d& axis_b, double scale) {
  const Vec3d direction = unit(axis_b);
  return norm(cross(unit(axis_a), direction)) < 1e-12 && norm(cross(a - b, direction)) < 1e-12 * scale;
}

// --- keys of a case file ---------------------------------------------------------------------------------------------
// What is known of a value: its unit, what it may be, what the manual page says about it.
struct KeyRule {
  std::string unit = "";
  Range range = {};
  std::string word = "";  // a word that may stand in place of the number ...
  double word_value = 0;  // ... and the value it stands for
  bool required = false;
  bool unset_is_zero = false;  // 0 in memory means "not given": has no default and is not written back
  bool direction = false;      // of a vector: must not be zero
  std::string text = "";
};

template <class S>
struct VectorKey {
  std::string name;
  Vec3d S::*member;
  KeyRule rule;
};
template <class S>
struct NumberKey {
  std::string name;
  double S::*member;
  KeyRule rule;
};
// An array of words, each of which switches a flag.
template <class S>
struct FlagsKey {
  std::string name;
  std::vector<std::pair<std::string, std::function<bool&(S&)>>> flags;
  KeyRule rule;
};
template <class S>
using ShapeKeys = std::vector<std::variant<VectorKey<S>, NumberKey<S>, FlagsKey<S>>>;

// --- the table of a shape --------------------------------------------------------------------------------------------
// A sphere around all particles, with some room: where an endless wall is cut for pictures.
struct Extent {
  Vec3d center;
  double radius = 1;
};

// Gravity and the mean place of the particles, for the question how deep they may fall.
struct Fall {
  Vec3d gravity;
  double strength = 0;  // |gravity| > 0
  Vec3d mean;
};

// For each shape:
//   kName, kText, kPatches
//   keys()                        what the case file gives
//   check(rules, key, s)          rules that concern several values; each value by itself is checked by its key
//   outline(polygons, s, extent)  hands its surface to polygons.add, .ring and .band
//   lowest_points(s, fall, tell)  points that a fall may end at
template <class S>
struct ShapeInfo;

template <class S>
constexpr int patch_count(const S&) {
  return ShapeInfo<S>::kPatches;
}

// A lower bound of the distance of a centre to a patch, edges included, for neighbour lists. A shape of one patch has
// no neighbour that takes an edge over, so the distance itself is the bound.
template <class S>
requires(ShapeInfo<S>::kPatches == 1) double patch_distance(const S& s, int patch, const Vec3d& x) {
  return closest_point(s, patch, x).distance;
}

}  // namespace areia
