// Neighbour search with a cost that does not depend on the ratio of sizes.
//
// Particles are sorted into size classes, each half as large as the one before, and each class has its own grid of
// cells of edge h = 2 r_max + skin. A particle looks into the 27 cells around it in its own class and in every coarser
// one; a pair of different classes is thus found from the finer side, and a large particle never walks through the
// many small ones around it.
//
// Each grid is a torus of buckets: a cell's bucket is its number modulo the grid's size per axis. In a periodic
// direction that is the geometry itself. In an open one it bounds memory when particles fly far apart: distant cells
// may share a bucket, and the distance test tells them apart.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "areia/case.h"
#include "core/vec4.h"
#include "core/vector_width.h"
#include "search/cell_number.h"
#include "search/periodicity.h"

namespace areia {

// The place of a particle must be known to a thousandth of its radius, else nothing can be said of what it touches. So
// far it may be from the origin, along any axis.
inline double farthest_place(double radius) { return 0x1p42 * radius; }
inline bool is_resolved(const Vec3d& x, double radius) {  // no if it is not a number
  const double most = farthest_place(radius);
  return std::fabs(x.x) <= most && std::fabs(x.y) <= most && std::fabs(x.z) <= most;
}

class SizeClassGrid {
 public:
  // Position holds the radius in its fourth number. Throws StoppedError if one is not resolved.
  void build(const std::vector<Vec4>& position, double skin, const Periodicity& periodicity,
             bool wide = has_wide_vectors());

  // Calls f(j) for every particle j that may be within the skin of i and is to be listed by i: in i's class those with
  // j > i, in coarser classes all. The caller tests distances.
  template <class F>
  void for_each_candidate(std::uint32_t i, F&& f) const {
    const int own = class_of_[i];
    for (int k = 0; k <= own; ++k) {
      const Level& level = levels_[k];
      if (level.items.empty()) continue;
      for_each_bucket(level, cell_of(level, (*position_)[i]), [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t s = begin; s < end; ++s) {
          const std::uint32_t j = level.items[s];
          if (k < own || j > i) f(j);
        }
      });
    }
  }

  // Every j of for_each_candidate(i) whose gap to i is at most `gap`, ascending, and perhaps a few a little further
  // off: places are compared in single precision, with a margin that covers its rounding. `around` keeps what was
  // gathered from the cells around i, for the next in the same cell: i must not fall from one call to the next. The
  // result lasts until then.
  struct Around;
  std::span<std::uint32_t> near(std::uint32_t i, double gap, Around& around) const;

  std::size_t bytes() const;

 private:
  struct Level {
    double h = 0, r_max = 0;
    Vec3d inv_h;
    std::array<int, 3> n{1, 1, 1};
    std::array<bool, 3> torus{};              // buckets wrap around
    std::vector<std::uint32_t> start, items;  // items: with room behind them
  };
  static constexpr std::uint32_t kRoom = 8;  // arrays are read and written by eight
  using Cell = std::array<std::int64_t, 3>;
  struct Sphere {
    float x, y, z, reach;  // reach: radius, gap and margin
    std::int32_t above;    // only slots above this one
  };
  // The items of the cells around one, from its centre, bucket by bucket in the order of their first slots.
  struct Gathered {
    Cell cell{};
    Vec3d centre;
    std::uint32_t count = 0;
    bool known = false, ascending = false;
    std::vector<float> x, y, z, r;  // with room behind them
    std::vector<std::uint32_t> slot;
  };
  Cell cell_of(const Level& level, const Vec4& x) const {
    return {cell(level, 0, x.x), cell(level, 1, x.y), cell(level, 2, x.z)};
  }
  void gather(const Level& level, const Cell& cell, std::int32_t above, Gathered& g) const;
  void place(Gathered& g) const;
  void place_wide(Gathered& g) const;
  std::uint32_t* select(const Gathered& g, const Sphere& s, std::uint32_t* out) const;
  std::uint32_t* select_wide(const Gathered& g, const Sphere& s, std::uint32_t* out) const;

  struct Range {
    int count;
    std::array<int, 3> bucket;
  };

  std::int64_t cell(const Level& level, int axis, double x) const {
    return cell_number((x - component(origin_, axis)) * component(level.inv_h, axis));
  }
  static int bucket(const Level& level, int axis, std::int64_t c) {
    const std::int64_t n = level.n[axis];
    if (level.torus[axis]) return static_cast<int>(((c % n) + n) % n);
    return static_cast<int>(c < 0 ? 0 : c >= n ? n - 1 : c);
  }
  // The distinct buckets of the cells c-1, c, c+1 along an axis, ascending where they do not wrap.
  static Range range(const Level& level, int axis, std::int64_t c) {
    Range r{0, {}};
    for (int d = -1; d <= 1; ++d) {
      const int b = bucket(level, axis, c + d);
      bool known = false;
      for (int k = 0; k < r.count; ++k) known = known || r.bucket[k] == b;
      if (!known) r.bucket[r.count++] = b;
    }
    return r;
  }

  // Calls f(begin, end) for the items of each of the cells around one.
  template <class F>
  static void for_each_bucket(const Level& level, const Cell& cell, F&& f) {
    const Range rx = range(level, 0, cell[0]), ry = range(level, 1, cell[1]), rz = range(level, 2, cell[2]);
    for (int cz = 0; cz < rz.count; ++cz)
      for (int cy = 0; cy < ry.count; ++cy)
        for (int cx = 0; cx < rx.count; ++cx) {
          const std::size_t b =
              (static_cast<std::size_t>(rz.bucket[cz]) * level.n[1] + ry.bucket[cy]) * level.n[0] + rx.bucket[cx];
          f(level.start[b], level.start[b + 1]);
        }
  }

  Periodicity periodicity_;
  bool wide_ = false;  // eight at a time
  const std::vector<Vec4>* position_ = nullptr;
  std::vector<Level> levels_;  // coarse to fine
  std::vector<std::uint8_t> class_of_;
  std::vector<std::uint32_t> bucket_of_;
  Vec3d origin_;
};

struct SizeClassGrid::Around {
 private:
  friend class SizeClassGrid;
  // What was gathered last, kept for reuse. A class has two kinds of gatherings: for its own particles (`own`) and for
  // those of finer classes that look into it (`coarser`). Of each kind there are eight, one for each parity of the
  // cell's three indices: particles come along a curve that goes to and fro between neighbouring cells, and
  // neighbouring cells differ in parity, so that none overwrites what the next step along the curve needs again.
  using OfParity = std::array<Gathered, 8>;
  std::vector<OfParity> own, coarser;
  std::vector<std::uint32_t> found;
};

}  // namespace areia
