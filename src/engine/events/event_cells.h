// Cells of the hard-sphere engine: every particle is in the list of its cell, and what it can hit before it leaves the
// cell is in the 27 cells around it, because cells are at least as wide as the largest diameter.
//
// A bucket holds the ids in place, so that the particles of many cells are gathered without a branch per particle.
//
// Along each axis the cells are numbered without end and share buckets modulo n. In a periodic direction that is the
// geometry: numbers stay in [0, n), and with n >= 4 a particle of a neighbouring cell is its nearest image. In an open
// direction it bounds memory: cells far apart may share a bucket, and the true positions tell their particles apart.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "areia/vec3.h"
#include "search/size_class_grid.h"

namespace areia::events {

using CellNumber = std::array<std::int32_t, 3>;

class EventCells {
 public:
  struct Axis {
    double low = 0, edge = 1, period = 0;  // period 0: open
    std::int32_t n = 1;                    // 1: no division, nothing is ever crossed
    // Per bucket, for the cell below, itself and the one above: index times stride.
    std::vector<std::array<std::int32_t, 3>> index;
  };
  static constexpr std::int32_t kFewestPeriodic = 4;

  // Cells at least `smallest` wide over `box`; about `per_cell` of the `count` particles in each. `flat` is an axis
  // without motion, or -1.
  void plan(const Vec3d& low, const Vec3d& high, double smallest, double per_cell, std::size_t count, int flat,
            const Periodicity& periodicity);
  void clear(std::size_t particles);
  void add(std::uint32_t i, const CellNumber& at);
  void remove(std::uint32_t i);
  CellNumber number_of(const Vec3d& x) const;

  const Axis& axis(int a) const { return axis_[a]; }
  const CellNumber& at(std::uint32_t i) const { return at_[i]; }
  static std::int32_t bucket_of(const Axis& a, std::int32_t number) {
    if (number >= 0 && number < a.n) return number;
    const std::int32_t b = number % a.n;
    return b < 0 ? b + a.n : b;
  }
  // Moves i to the next cell along an axis. The shift of its position: minus the period where it wraps, else 0.
  double cross(std::uint32_t i, int axis, int direction);

  // Ids in the cells around i, or in those of one face of this block (2 axis + (above)); `out` has room for `room()`.
  std::size_t gather_around(std::uint32_t i, std::uint32_t* out) const;
  std::size_t gather_face(std::uint32_t i, int face, std::uint32_t* out) const;
  std::size_t room() const { return 28 * width_; }
  // True where some of the cells around i lie beyond a periodic face.
  bool at_period(std::uint32_t i) const {
    for (int a = 0; a < 3; ++a)
      if (axis_[a].period > 0 && (at_[i][a] == 0 || at_[i][a] == axis_[a].n - 1)) return true;
    return false;
  }
  std::size_t bytes() const;

 private:
  std::int32_t bucket(const CellNumber& c) const {
    return axis_[0].index[bucket_of(axis_[0], c[0])][1] + axis_[1].index[bucket_of(axis_[1], c[1])][1] +
           axis_[2].index[bucket_of(axis_[2], c[2])][1];
  }
  void grow();
  // Copies the ids of a bucket, and what is behind them up to its width: no branch.
  std::size_t copy(std::int32_t bucket, std::uint32_t* out) const {
    const std::uint32_t* from = &buckets_[static_cast<std::size_t>(bucket) * width_];
    std::memcpy(out, from + 1, 8 * sizeof(std::uint32_t));  // all of them, but in a crowd
    for (std::size_t k = 8; k < width_; k += 8) std::memcpy(out + k, from + k + 1, 8 * sizeof(std::uint32_t));
    return *from;
  }
  std::uint32_t* bucket_at(const CellNumber& c) { return &buckets_[static_cast<std::size_t>(bucket(c)) * width_]; }

  std::array<Axis, 3> axis_;
  std::size_t width_ = 8, count_ = 0;   // numbers per bucket, a multiple of 8; buckets
  std::vector<std::uint32_t> buckets_;  // of each the count, then the ids; one number more at the end
  std::vector<CellNumber> at_;
};

}  // namespace areia::events
