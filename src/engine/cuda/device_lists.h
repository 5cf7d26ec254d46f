// Neighbour lists made on the device: bodies sorted along a Morton curve through the cells of a grid, for each the
// others within reach and skin, and of these the pairs. Bodies beyond the grid belong to its outermost cells: two that
// are near each other are in cells beside each other all the same, so that a lost grain costs time and no contact.
#pragma once
#include "engine/cuda/device_state.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// Bits of a number up to 2^21, two empty ones after each.
AREIA_PORTABLE inline std::uint64_t spread_bits(std::uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 32) & 0x1f00000000ffff;
  a = (a | a << 16) & 0x1f0000ff0000ff;
  a = (a | a << 8) & 0x100f00f00f00f00f;
  a = (a | a << 4) & 0x10c30c30c30c30c3;
  return (a | a << 2) & 0x1249249249249249;
}

// Cells along the axes; their sizes differ where whole numbers of them fit into a period.
struct PlaceInCells {
  Vec3d low, inverse;
  std::int32_t count[3];
  bool wraps[3];

  AREIA_PORTABLE static std::int32_t cell(double x, double low, double inverse, std::int32_t n) {
    const double c = std::floor((x - low) * inverse);
    return c >= n ? n - 1 : c > 0 ? static_cast<std::int32_t>(c) : 0;  // what is no number is in the first
  }
  AREIA_PORTABLE void of(const Vec4& x, std::int32_t (&c)[3]) const {
    c[0] = cell(x.x, low.x, inverse.x, count[0]);
    c[1] = cell(x.y, low.y, inverse.y, count[1]);
    c[2] = cell(x.z, low.z, inverse.z, count[2]);
  }
  AREIA_PORTABLE std::size_t number(const std::int32_t (&c)[3]) const {
    return (static_cast<std::size_t>(c[2]) * count[1] + c[1]) * count[0] + c[0];
  }
};

struct SortKeys {
  PlaceInCells cells;
  const Vec4* x;
  std::uint64_t* key;
  std::uint32_t* order;
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    std::int32_t c[3];
    cells.of(x[i], c);
    key[i] = spread_bits(c[0]) | spread_bits(c[1]) << 1 | spread_bits(c[2]) << 2;
    order[i] = i;
  }
};

// to[i] = from[order[i]]
template <class T>
struct Gather {
  const T* from;
  T* to;
  const std::uint32_t* order;
  AREIA_PORTABLE void operator()(std::uint32_t i) const { to[i] = from[order[i]]; }
};

struct Invert {
  const std::uint32_t* order;
  std::uint32_t* slot;  // new slot of an old one
  AREIA_PORTABLE void operator()(std::uint32_t i) const { slot[order[i]] = i; }
};

// Where bodies of a cell begin and end; those without bodies have begin = end = 0.
struct FindCells {
  PlaceInCells cells;
  const std::uint64_t* key;
  const Vec4* x;  // sorted
  std::uint32_t count;
  std::uint32_t *begin, *end;
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    std::int32_t c[3];
    if (i == 0 || key[i - 1] != key[i]) {
      cells.of(x[i], c);
      begin[cells.number(c)] = i;
    }
    if (i + 1 == count || key[i + 1] != key[i]) {
      cells.of(x[i], c);
      end[cells.number(c)] = i + 1;
    }
  }
};

// Rows of slots, of which pairs are made: entry k of body i is near[k * count + i]. Those that touch come first.
struct NearView {
  std::uint32_t* near;
  std::uint8_t *listed, *touching;  // how many
  std::uint32_t count, room;

  AREIA_PORTABLE std::uint32_t& at(std::uint32_t i, std::uint32_t k) const {
    return near[static_cast<std::size_t>(k) * count + i];
  }
};

// For each body first those that touched it at the last evaluation, wherever they are now, then all others within
// reach. A pair belongs to its lower slot, which counts it.
struct MakeRows {
  Rules rules;
  StateView s;  // its pairs and rows are those that were there before
  PlaceInCells cells;
  const std::uint32_t *begin, *end;
  double reach;  // of surfaces: skin and range of the laws
  const std::uint32_t *old_slot, *new_slot;
  NearView n;
  std::uint32_t *own_touching, *own_others;
  std::uint32_t* most;  // length of the longest row, whether it fits or not

  AREIA_PORTABLE bool concerns(std::uint32_t i, std::uint32_t j) const {
    return (s.now.v[i].w > 0 || s.now.v[j].w > 0) && rules.laws[pair_of(rules, s, i, j)].present;
  }

  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    std::uint32_t listed = 0, own = 0;
    const auto put = [&](std::uint32_t j) {
      if (listed < n.room) n.at(i, listed) = j;
      ++listed;
      own += i < j;
    };
    const std::uint32_t before = old_slot[i], listed_before = s.listed[before];
    for (std::uint32_t k = 0; k < listed_before; ++k) {
      const std::uint32_t entry = s.row[static_cast<std::size_t>(k) * s.count + before];
      if (s.touching[entry >> 1] == 0) continue;
      const PairSlots old = s.pair[entry >> 1];
      put(new_slot[entry & kIsSecond ? old.first : old.second]);
    }
    const std::uint32_t touching = listed < n.room ? listed : n.room;
    n.touching[i] = static_cast<std::uint8_t>(touching);
    own_touching[i] = own;
    own = 0;
    const Vec4 x = s.now.x[i];
    std::int32_t c[3];
    cells.of(x, c);
    const auto neighbours = [&](int axis, int way) {  // the cell, or -1: there is none that has not been looked at
      const std::int32_t at = c[axis] + way, cells_there = cells.count[axis];
      if (at >= 0 && at < cells_there) return at;
      if (!cells.wraps[axis] || cells_there < 3) return -1;
      return at < 0 ? at + cells_there : at - cells_there;
    };
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const std::int32_t at[3] = {neighbours(0, dx), neighbours(1, dy), neighbours(2, dz)};
          if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
          const std::size_t cell = cells.number(at);
          for (std::uint32_t j = begin[cell]; j < end[cell]; ++j) {
            if (j == i) continue;
            const Vec4 y = s.now.x[j];
            const double most_apart = x.w + y.w + reach;
            if (!(norm2(rules.periodicity.nearest(y.xyz() - x.xyz())) < most_apart * most_apart)) continue;
            if (!concerns(i, j)) continue;
            bool known = false;
            for (std::uint32_t k = 0; k < touching; ++k) known = known || n.at(i, k) == j;
            if (!known) put(j);
          }
        }
    own_others[i] = own;
    most_of(most, listed);
    if (listed > kMostListed) least_of(s.failed, s.rank[i]);
    n.listed[i] = static_cast<std::uint8_t>(listed < n.room ? listed : n.room);
    s.built[i] = x.xyz();
  }
};

// Which number a pair gets: all that touch before all others, both in the order of the bodies they belong to.
struct PairNumbers {
  NearView n;
  const std::uint32_t *touching_at, *others_at;  // where those of a body begin; the others after all that touch
  std::uint32_t touching;                        // all that do
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Next {
    std::uint32_t touching, other;
    AREIA_PORTABLE std::uint32_t take(bool touches) { return touches ? touching++ : other++; }
  };
  AREIA_PORTABLE Next first_of(std::uint32_t i) const { return {touching_at[i], touching + others_at[i]}; }
  AREIA_PORTABLE std::uint32_t of(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t lower = i < j ? i : j, upper = i < j ? j : i, listed = n.listed[lower];
    Next next = first_of(lower);
    for (std::uint32_t k = 0; k < listed; ++k) {
      const std::uint32_t other = n.at(lower, k);
      if (other < lower) continue;
      const std::uint32_t number = next.take(k < n.touching[lower]);
      if (other == upper) return number;
    }
    return kNone;
  }
};

// Pairs, and rows of their numbers.
struct MakePairs {
  PairNumbers numbers;
  const std::uint32_t* rank;
  PairSlots* pair;
  std::uint8_t* touching;
  std::uint32_t* row;
  std::uint32_t* lost;  // raised where only one of two bodies has found the other

  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    const NearView& n = numbers.n;
    PairNumbers::Next next = numbers.first_of(i);
    const std::uint32_t listed = n.listed[i];
    for (std::uint32_t k = 0; k < listed; ++k) {
      const std::uint32_t j = n.at(i, k);
      const bool touches = k < n.touching[i], second = rank[j] < rank[i];
      const std::uint32_t p = i < j ? next.take(touches) : numbers.of(i, j);
      if (p == PairNumbers::kNone) {
        raise_flag(lost, 1);
        continue;
      }
      row[static_cast<std::size_t>(k) * n.count + i] = p << 1 | (second ? kIsSecond : 0);
      if (j < i) continue;
      pair[p] = second ? PairSlots{j, i} : PairSlots{i, j};
      touching[p] = touches;
    }
  }
};

// Where the histories of pairs that touch come from: each old pair finds its new number.
struct FindOrigins {
  PairNumbers numbers;
  const PairSlots* old_pair;
  const std::uint8_t* old_touching;
  const std::uint32_t* new_slot;
  std::uint32_t* origin;
  AREIA_PORTABLE void operator()(std::uint32_t old) const {
    if (old_touching[old] == 0) return;
    const PairSlots pair = old_pair[old];
    const std::uint32_t p = numbers.of(new_slot[pair.first], new_slot[pair.second]);
    if (p < numbers.touching) origin[p] = old;
  }
};

// Histories of the first pairs of all, to[h * to_stride + p]; from where they were, or from the same place.
struct MoveHistories {
  const double* from;
  double* to;
  std::size_t from_stride, to_stride;
  const std::uint32_t* origin;  // or null
  int history;
  AREIA_PORTABLE void operator()(std::uint32_t p) const {
    const std::size_t at = origin != nullptr ? origin[p] : p;
    for (int h = 0; h < history; ++h) to[h * to_stride + p] = from[h * from_stride + at];
  }
};

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
