// Who owns what: the bodies lie along a space-filling curve, which is cut into as many runs of equal weight as there
// are ranks. A run is compact, so that few bodies are near those of other ranks, and a cut is no more than the numbers
// of the cells at which the runs begin: whoever knows a place knows its owner.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "engine/ranks/link.h"
#include "search/periodicity.h"
#include "search/spatial_order.h"

namespace areia::ranks {

struct Cut {
  Vec3d origin;
  double edge = 1;                   // of a cell
  std::vector<std::uint64_t> first;  // cell of the runs of rank 1, 2, ..., ascending

  std::uint64_t number(const Vec3d& x) const { return number_along_curve(x, origin, edge); }
  int owner(const Vec3d& x) const {
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), number(x)) - first.begin());
  }
};

// For bodies at these places on each rank, all within the box from `low` to `high`. Each rank shows its own at equal
// distances along the curve, and rank 0 cuts by the sum of their weights: off by a weight between two of those shown.
// With `random`, on rank 0, at random places instead.
Cut make_cut(Link& link, const std::vector<Vec3d>& places, const Vec3d& low, const Vec3d& high,
             std::mt19937_64* random);

// Boxes around the bodies of a rank, few and close: those of the cells of the curve, of one size, that its run goes
// through.
struct Around {
  Vec3d low, high;     // of centres
  double largest = 0;  // radius
};
struct Boxes {
  std::vector<Around> all;
  std::vector<std::uint32_t> of;  // per body
};
Boxes boxes_around(const Cut& cut, const std::vector<Vec3d>& places, const std::vector<double>& radii);

// Square of the distance of two boxes, by the nearest image.
double distance2(const Periodicity& periodicity, const Around& a, const Around& b);

}  // namespace areia::ranks
