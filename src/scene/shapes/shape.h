// What every shape of a wall has to tell, and the small geometry that shapes share.
//
// A shape is one header of this folder and one name in the variant WallShape (areia/case.h). The header holds
//   closest_point(s, patch, x)          the point of a patch that is nearest to a centre;
//   far_point(s, patch, x, reach)       of a patch with circles, where on the other side of the circle the distance is
//                                       stationary, too; no shape has to have one, nor to find it beyond `reach`;
//   covers(s, patch, x, reach, shift)   whether the patch, moved by the shift, lies on itself as far as `reach` around
//                                       the foot of x; no shape has to know;
//   surface_at(s, patch, point, tol)    the surface around one of its points: its normal, and where it ends;
//   extent_of(s)                        a sphere around all of it;
//   is_symmetric_about(s, point, axis)  whether a turn about this axis leaves the surface where it is;
//   ShapeInfo<S>                        all that is asked once: name and keys of the case file, rules, outline, lowest
//                                       points.
// wall_geometry.h includes them all and refuses to compile where something is missing. The geometry, all but the last
// of these, is asked on every step, by processors and accelerators alike (AREIA_PORTABLE).
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "areia/case.h"
#include "areia/portable.h"
#include "core/range.h"

namespace areia {

// --- geometry --------------------------------------------------------------------------------------------------------
// A stationary point of the distance of a patch from a centre.
struct WallPoint {
  bool found = false;
  double distance = 0;  // from centre to wall; negative behind a plane
  Vec3d n;              // unit, from the centre to the wall
  int edges = 0;        // that it lies on: 0 inside the patch, the foot of the centre; 1 on an edge or rim; 2 a corner
};

// A patch around a point of it: its tangent plane, and the directions into it where the point lies on its end.
struct LocalSurface {
  bool holds = false;  // the point lies on the patch, to a tolerance
  Vec3d normal;
  int edges = 0;
  std::array<Vec3d, 4> inward;  // unit, in the tangent plane, across each edge that the point lies on

  AREIA_PORTABLE void end(const Vec3d& into) { inward[edges++] = into; }
};

// How steeply the distance falls along the patch from this point: the largest -n.t over the directions t that stay on
// it, all of the tangent plane or the wedge that its edges leave of it; 0 where it does not fall. n is the direction
// from the centre to the point: along t the distance changes by n.t.
AREIA_PORTABLE inline double steepness(const LocalSurface& s, const Vec3d& n) {
  const Vec3d down = dot(n, s.normal) * s.normal - n;
  constexpr double kAlong = -1e-12;
  const auto stays = [&](const Vec3d& t) {
    for (int k = 0; k < s.edges; ++k)
      if (dot(t, s.inward[k]) < kAlong) return false;
    return true;
  };
  if (stays(down)) return norm(down);
  double most = 0;  // along one of the edges, then
  for (int k = 0; k < s.edges; ++k) {
    const Vec3d along = down - dot(down, s.inward[k]) * s.inward[k];
    if (norm(along) > most && stays(along)) most = norm(along);
  }
  return most;
}

// A sphere around something: around all particles, with some room, where an endless wall is cut for pictures; or around
// a shape.
struct Extent {
  Vec3d center;
  double radius = 1;
};

// A point of an edge, or of several. A centre exactly on it has no direction to it: a fixed one is used.
AREIA_PORTABLE inline WallPoint towards(const Vec3d& d, const Vec3d& fallback, int edges = 1) {
  const double distance = norm(d);
  return {true, distance, distance > 0 ? (1 / distance) * d : fallback, edges};
}

// x brought between two values; of zeros of either sign the limit counts. fmin and fmax may return the one or the
// other, and do so differently from library to library and with the order of arguments, which compilers change.
AREIA_PORTABLE inline double clamped(double x, double low, double high) {
  const double above = x > low ? x : low;
  return above < high ? above : high;
}

// Any unit vector normal to the axis (of unit length).
AREIA_PORTABLE inline Vec3d across(const Vec3d& axis) {
  return unit(std::fabs(axis.x) < 0.6 ? cross(axis, Vec3d{1, 0, 0}) : cross(axis, Vec3d{0, 1, 0}));
}

// A centre by its height along an axis and its distance from it, with the direction away from the axis.
struct AxialPlace {
  Vec3d axis, out;
  double along, rho;
};
AREIA_PORTABLE inline AxialPlace axial_place(const Vec3d& origin, const Vec3d& unit_axis, const Vec3d& x) {
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

// A coordinate of a point that a patch holds between two values, along this unit vector of its tangent plane: where it
// is at one of them, the patch ends. False: the point is beyond.
AREIA_PORTABLE inline bool end_between(LocalSurface& s, double at, double low, double high, const Vec3d& along,
                                       double tolerance) {
  if (!(at >= low - tolerance && at <= high + tolerance)) return false;
  if (at <= low + tolerance) s.end(along);
  if (at >= high - tolerance) s.end(-along);
  return true;
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
//   hull(s, tell)                 tell(center, radius) for spheres in whose common hull the shape lies; none if endless
template <class S>
struct ShapeInfo;

template <class S>
AREIA_PORTABLE constexpr int patch_count(const S&) {
  return ShapeInfo<S>::kPatches;
}

// Distance of a centre to a patch; infinite where the patch is left out.
template <class S>
AREIA_PORTABLE double patch_distance(const S& s, int patch, const Vec3d& x) {
  const WallPoint at = closest_point(s, patch, x);
  return at.found ? at.distance : kForever;
}

}  // namespace areia
