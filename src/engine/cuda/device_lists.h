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

// Rows of slots, of which pairs are made: entry k of body i is near[k * count + i]. Those that touch come first. A pair
// is listed by its lower body, and by the upper one, too, if that is in another group.
struct NearView {
  std::uint32_t* near;
  std::uint32_t *touching, *others;  // how many of each body
  std::uint32_t count, room;

  AREIA_PORTABLE std::uint32_t& at(std::uint32_t i, std::uint32_t k) const {
    return near[static_cast<std::size_t>(k) * count + i];
  }
  AREIA_PORTABLE static bool lists(std::uint32_t i, std::uint32_t j) { return i < j || j / kGroup != i / kGroup; }
};

// Pairs that touched at the last evaluation, wherever they are now.
struct ListTouching {
  StateView s;  // its pairs are those that were there before
  const std::uint32_t* new_slot;
  NearView n;
  AREIA_PORTABLE void operator()(std::uint32_t p) const {
    if (s.flags[p] != kTouches) return;
    const std::uint32_t a = new_slot[s.pair[p].first], b = new_slot[s.pair[p].second];
    if (NearView::lists(a, b)) put(a, b);
    if (NearView::lists(b, a)) put(b, a);
  }

 private:
  AREIA_PORTABLE void put(std::uint32_t i, std::uint32_t j) const {
    if (const std::uint32_t k = add_to(&n.touching[i], 1); k < n.room) n.at(i, k) = j;
  }
};

// All others within reach.
struct ListOthers {
  Rules rules;
  StateView s;
  PlaceInCells cells;
  const std::uint32_t *begin, *end;
  double reach;  // of surfaces: skin and range of the laws
  NearView n;
  std::uint32_t* most;  // length of the longest row, whether it fits or not

  AREIA_PORTABLE bool concerns(std::uint32_t i, std::uint32_t j) const {
    return (s.now.v[i].w > 0 || s.now.v[j].w > 0) && rules.laws[pair_of(rules, s, i, j)].present;
  }

  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    std::uint32_t listed = n.touching[i];
    const std::uint32_t touching = fewer_of(listed, n.room);
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
            if (j == i || !NearView::lists(i, j)) continue;
            const Vec4 y = s.now.x[j];
            const double most_apart = x.w + y.w + reach;
            if (!(norm2(rules.periodicity.nearest(y.xyz() - x.xyz())) < most_apart * most_apart)) continue;
            if (!concerns(i, j)) continue;
            bool known = false;
            for (std::uint32_t k = 0; k < touching; ++k) known = known || n.at(i, k) == j;
            if (known) continue;
            if (listed < n.room) n.at(i, listed) = j;
            ++listed;
          }
        }
    n.others[i] = listed - n.touching[i];
    most_of(most, listed);
    if (listed > kMostListed) least_of(s.failed, s.rank[i]);
    s.built[i] = x.xyz();
  }
};

// Which number a pair gets: those of a group follow each other, first all that touch.
struct PairNumbers {
  NearView n;
  const std::uint32_t *touching_before, *others_before;  // how many those before a body list
  std::uint32_t touching, others;                        // and all

  AREIA_PORTABLE std::uint32_t touching_up_to(std::uint32_t i) const {
    return i < n.count ? touching_before[i] : touching;
  }
  AREIA_PORTABLE std::uint32_t others_up_to(std::uint32_t i) const { return i < n.count ? others_before[i] : others; }
  AREIA_PORTABLE std::uint32_t begin(std::uint32_t group) const {
    return touching_up_to(group * kGroup) + others_up_to(group * kGroup);
  }
  // Of entry k of a body.
  AREIA_PORTABLE std::uint32_t of(std::uint32_t i, std::uint32_t k) const {
    const std::uint32_t group = i / kGroup, first = group * kGroup, own = n.touching[i];
    if (k < own) return begin(group) + (touching_before[i] - touching_before[first]) + k;
    return begin(group) + (touching_up_to(first + kGroup) - touching_before[first]) +
           (others_before[i] - others_before[first]) + (k - own);
  }
};

struct MakePairs {
  PairNumbers numbers;
  const std::uint32_t* rank;
  PairSlots* pair;
  std::uint8_t* flags;
  std::uint32_t* pair_begin;

  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    const NearView& n = numbers.n;
    const std::uint32_t listed = n.touching[i] + n.others[i];
    for (std::uint32_t k = 0; k < listed; ++k) {
      const std::uint32_t j = n.at(i, k), p = numbers.of(i, k);
      pair[p] = rank[j] < rank[i] ? PairSlots{j, i} : PairSlots{i, j};
      flags[p] = static_cast<std::uint8_t>((k < n.touching[i] ? kTouches : 0) | (j < i ? kCopy : 0));
    }
    if (i % kGroup == 0) pair_begin[i / kGroup] = numbers.begin(i / kGroup);
    if (i + 1 == n.count) pair_begin[i / kGroup + 1] = numbers.touching + numbers.others;
  }
};

// Where the histories of pairs that touch come from, by their place among all that do: each old pair finds its new
// entries.
struct FindOrigins {
  PairNumbers numbers;
  StateView s;  // its pairs are those that were there before
  const std::uint32_t* new_slot;
  std::uint32_t* origin;
  AREIA_PORTABLE void operator()(std::uint32_t old) const {
    if (s.flags[old] != kTouches) return;
    const std::uint32_t a = new_slot[s.pair[old].first], b = new_slot[s.pair[old].second];
    if (NearView::lists(a, b)) put(a, b, old);
    if (NearView::lists(b, a)) put(b, a, old);
  }

 private:
  AREIA_PORTABLE void put(std::uint32_t i, std::uint32_t j, std::uint32_t old) const {
    for (std::uint32_t k = 0; k < numbers.n.touching[i]; ++k)
      if (numbers.n.at(i, k) == j) origin[numbers.touching_before[i] + k] = old;
  }
};

// Histories of pairs that touch, by their place among them, to[h * touching + place]; and from there to where pairs
// have theirs.
struct GatherHistories {
  const double* from;
  double* to;
  std::size_t stride, touching;
  const std::uint32_t* origin;
  int history;
  AREIA_PORTABLE void operator()(std::uint32_t place) const {
    for (int h = 0; h < history; ++h) to[h * touching + place] = from[h * stride + origin[place]];
  }
};
struct SpreadHistories {
  const double* from;
  double* to;
  std::size_t stride, touching;
  const std::uint32_t* pair_begin;       // of groups
  const std::uint32_t* touching_before;  // bodies
  std::uint32_t count;
  int history;
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    const std::uint32_t first = touching_before[i], group = i / kGroup,
                        end = i + 1 < count ? touching_before[i + 1] : static_cast<std::uint32_t>(touching),
                        to_first = pair_begin[group] + first - touching_before[group * kGroup];
    for (int h = 0; h < history; ++h)
      for (std::uint32_t k = 0; k < end - first; ++k) to[h * stride + to_first + k] = from[h * touching + first + k];
  }
};

// Where entries of groups begin.
struct FindGroups {
  const std::uint32_t* before;  // how many entries those before a body have
  std::uint32_t count, all;
  std::uint32_t* begin;
  AREIA_PORTABLE void operator()(std::uint32_t group) const {
    begin[group] = group * kGroup < count ? before[group * kGroup] : all;
  }
};

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
