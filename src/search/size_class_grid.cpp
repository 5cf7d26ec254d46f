#include "search/size_class_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "areia/error.h"
#include "core/first_lanes.h"
#include "search/nearest_image.h"

namespace areia {

static constexpr double kFarApart = 1e6;  // of the largest radius

void SizeClassGrid::build(const std::vector<Vec4>& position, double skin, const Periodicity& periodicity, bool wide) {
  position_ = &position;
  periodicity_ = periodicity;
  wide_ = wide;
  const std::size_t n = position.size();
  levels_.clear();
  if (n == 0) return;

  Vec3d low = position[0].xyz(), high = low;
  double r_max = 0;
  for (const Vec4& p : position) {
    if (!is_resolved(p.xyz(), p.w))
      throw StoppedError(
          fmt::format("a particle with radius {:.6g} m is at ({:.6g}, {:.6g}, {:.6g}): farther than {:.3g} m from the "
                      "origin its place is not known well enough to tell what it touches",
                      p.w, p.x, p.y, p.z, farthest_place(p.w)));
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    r_max = std::max(r_max, p.w);
  }
  // Cells are counted from the lowest particle, but not if that is far off: rounding would then put the others into
  // wrong cells. Half of them are below the middle one, so that axis is a torus.
  std::array<bool, 3> far{};
  const auto origin = [&](int axis, double Vec4::*x) {
    if (periodicity.on[axis]) return component(periodicity.low, axis);
    far[axis] = component(high, axis) - component(low, axis) > kFarApart * r_max;
    if (!far[axis]) return component(low, axis);
    std::vector<double> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = position[i].*x;
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n / 2), all.end());
    return all[n / 2];
  };
  origin_ = {origin(0, &Vec4::x), origin(1, &Vec4::y), origin(2, &Vec4::z)};

  // Class k holds radii in (r_max/2^(k+1), r_max/2^k].
  class_of_.resize(n);
  std::vector<std::size_t> count;
  for (std::size_t i = 0; i < n; ++i) {
    int k = 0;
    for (double r = r_max * 0.5; position[i].w <= r && k < 63; r *= 0.5) ++k;
    class_of_[i] = static_cast<std::uint8_t>(k);
    if (count.size() <= static_cast<std::size_t>(k)) count.resize(k + 1);
    ++count[k];
  }
  levels_.resize(count.size());
  for (std::size_t i = 0; i < n; ++i)
    levels_[class_of_[i]].r_max = std::max(levels_[class_of_[i]].r_max, position[i].w);

  for (std::size_t k = 0; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    if (count[k] == 0) continue;
    level.h = 2 * level.r_max + skin;
    if (far[0] || far[1] || far[2]) level.h *= 1.01;  // the cells of those far off are a little uncertain
    // Cells over the whole extent, at most a few per particle; beyond that the torus folds space together.
    std::array<double, 3> cells{};
    for (int a = 0; a < 3; ++a) {
      const double extent =
          periodicity.on[a] ? component(periodicity.length, a) : component(high, a) - component(low, a);
      // periodic: a whole number of cells, none smaller than h
      const double whole = std::max(0.0, std::min(kMostCells, std::floor(extent / level.h)));
      cells[a] = periodicity.on[a] ? std::max(1.0, whole) : whole + 1;
    }
    const double limit = 64 + 4.0 * static_cast<double>(count[k]);
    std::array<double, 3> kept = cells;
    while (kept[0] * kept[1] * kept[2] > limit) {
      const int a = static_cast<int>(std::max_element(kept.begin(), kept.end()) - kept.begin());
      if (kept[a] <= 3) break;
      kept[a] = std::max(3.0, std::floor(kept[a] / 2));
    }
    for (int a = 0; a < 3; ++a) {
      // a periodic axis is cut into fewer, longer cells; an open one keeps its cells and folds
      const double per_metre = periodicity.on[a] ? kept[a] / component(periodicity.length, a) : 1 / level.h;
      (a == 0 ? level.inv_h.x : a == 1 ? level.inv_h.y : level.inv_h.z) = per_metre;
      level.torus[a] = periodicity.on[a] || far[a] || kept[a] < cells[a];
      level.n[a] = static_cast<int>(kept[a]);
    }
  }

  // Counting sort of each class into its buckets, in the order of the particles.
  bucket_of_.resize(n);
  for (Level& level : levels_)
    if (level.h > 0) level.start.assign(static_cast<std::size_t>(level.n[0]) * level.n[1] * level.n[2] + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    Level& level = levels_[class_of_[i]];
    const Vec4& p = position[i];
    const std::size_t b = (static_cast<std::size_t>(bucket(level, 2, cell(level, 2, p.z))) * level.n[1] +
                           bucket(level, 1, cell(level, 1, p.y))) *
                              level.n[0] +
                          bucket(level, 0, cell(level, 0, p.x));
    bucket_of_[i] = static_cast<std::uint32_t>(b);
    ++level.start[b + 1];
  }
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    for (std::size_t b = 1; b < level.start.size(); ++b) level.start[b] += level.start[b - 1];
    level.items.resize(count[k]);
  }
  std::vector<std::vector<std::uint32_t>> next;
  for (const Level& level : levels_) next.push_back(level.start);
  for (std::size_t i = 0; i < n; ++i) {
    const int k = class_of_[i];
    levels_[k].items[next[k][bucket_of_[i]]++] = static_cast<std::uint32_t>(i);
  }
  for (Level& level : levels_)
    if (!level.items.empty()) level.items.resize(level.items.size() + kRoom);
}

std::span<std::uint32_t> SizeClassGrid::near(std::uint32_t i, double gap, Around& around) const {
  const Vec4& p = (*position_)[i];
  const int own = class_of_[i];
  around.own.resize(levels_.size());
  around.coarser.resize(levels_.size());
  std::size_t begin = 0;
  bool ascending = true;
  for (int k = 0; k <= own; ++k) {
    const Level& level = levels_[k];
    if (level.items.empty()) continue;
    const Cell cell = cell_of(level, p);
    Gathered& g = (k == own ? around.own : around.coarser)[k][(cell[0] & 1) | (cell[1] & 1) << 1 | (cell[2] & 1) << 2];
    const auto above = k == own ? static_cast<std::int32_t>(i) : -1;
    if (!g.known || g.cell != cell) gather(level, cell, above, g);
    if (around.found.size() < begin + g.count + kRoom) around.found.resize(begin + 2 * g.count + kRoom);
    // Coordinates from the centre are below 2 h where it matters, so two of them and their difference are off by
    // 4 h / 2^24 in each direction, and less than 1e-6 h together.
    const auto margin = static_cast<float>(2e-6 * level.h);
    const Sphere s{static_cast<float>(p.x - g.centre.x), static_cast<float>(p.y - g.centre.y),
                   static_cast<float>(p.z - g.centre.z), static_cast<float>(p.w + gap) * (1 + 1e-6f) + margin, above};
    std::uint32_t* const out = around.found.data() + begin;
    std::uint32_t* const end = wide_ ? select_wide(g, s, out) : select(g, s, out);
    ascending = ascending && g.ascending && (begin == 0 || end == out || out[-1] < out[0]);
    begin += end - out;
  }
  const std::span<std::uint32_t> found(around.found.data(), begin);
  if (!ascending) std::sort(found.begin(), found.end());
  return found;
}

// Slots follow a curve through cells that are often those of the grid, so most buckets hold a run of slots, half of
// them below any slot of the cell: those are left out, and the others are in ascending order one after the other.
void SizeClassGrid::gather(const Level& level, const Cell& cell, std::int32_t above, Gathered& g) const {
  struct Run {
    std::uint32_t slot, begin, end;  // slot: the first
  };
  std::array<Run, 27> runs;
  int n = 0;
  std::uint32_t count = 0;
  for_each_bucket(level, cell, [&](std::uint32_t begin, std::uint32_t end) {
    if (begin == end || static_cast<std::int32_t>(level.items[end - 1]) <= above) return;
    count += end - begin;
    if (above < 0 && n > 0 && runs[n - 1].end == begin) {  // not by slots, so one behind the other is as well
      runs[n - 1].end = end;
      return;
    }
    const std::uint32_t slot = level.items[begin];
    int at = n++;
    if (above >= 0)
      for (; at > 0 && runs[at - 1].slot > slot; --at) runs[at] = runs[at - 1];
    runs[at] = {slot, begin, end};
  });
  g.cell = cell;
  g.known = true;
  g.ascending = above >= 0;
  g.centre = {origin_.x + (static_cast<double>(cell[0]) + 0.5) / level.inv_h.x,
              origin_.y + (static_cast<double>(cell[1]) + 0.5) / level.inv_h.y,
              origin_.z + (static_cast<double>(cell[2]) + 0.5) / level.inv_h.z};
  g.count = count;
  if (g.slot.size() < count + kRoom) {
    for (auto* a : {&g.x, &g.y, &g.z, &g.r}) a->resize(2 * count + kRoom);
    g.slot.resize(2 * count + kRoom);
  }
  std::uint32_t at = 0;
  for (int b = 0; b < n; ++b) {
    if (at > 0) g.ascending = g.ascending && g.slot[at - 1] < runs[b].slot;
    for (std::uint32_t e = runs[b].begin; e < runs[b].end; e += kRoom)
      std::copy_n(&level.items[e], kRoom, &g.slot[at + e - runs[b].begin]);
    at += runs[b].end - runs[b].begin;
  }
  if (wide_) place_wide(g);
  else place(g);
}

// Where the gathered are, from the centre.
void SizeClassGrid::place(Gathered& g) const {
  for (std::uint32_t k = 0; k < g.count; ++k) {
    const Vec4& p = (*position_)[g.slot[k]];
    Vec3d d = p.xyz() - g.centre;
    if (periodicity_.any()) d = periodicity_.nearest(d);
    g.x[k] = static_cast<float>(d.x);
    g.y[k] = static_cast<float>(d.y);
    g.z[k] = static_cast<float>(d.z);
    g.r[k] = static_cast<float>(p.w);
  }
}

// Those of the gathered that are within reach, from `out` on, where there is room for all and eight more.
std::uint32_t* SizeClassGrid::select(const Gathered& g, const Sphere& s, std::uint32_t* out) const {
  const auto nearest = [&](int axis, float d) {
    const auto length = static_cast<float>(component(periodicity_.length, axis)), half = 0.5f * length;
    return !periodicity_.on[axis] ? d : d > half ? d - length : d < -half ? d + length : d;
  };
  for (std::uint32_t k = 0; k < g.count; ++k) {
    const float dx = nearest(0, g.x[k] - s.x), dy = nearest(1, g.y[k] - s.y), dz = nearest(2, g.z[k] - s.z);
    const float reach = g.r[k] + s.reach;
    *out = g.slot[k];
    out += dx * dx + dy * dy + dz * dz <= reach * reach && static_cast<std::int32_t>(g.slot[k]) > s.above;
  }
  return out;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::uint32_t* SizeClassGrid::select_wide(const Gathered& g, const Sphere& s,
                                                                  std::uint32_t* out) const {
  const __m256 x = _mm256_set1_ps(s.x), y = _mm256_set1_ps(s.y), z = _mm256_set1_ps(s.z),
               reach = _mm256_set1_ps(s.reach);
  const auto nearest = [&](int axis, __m256 d) __attribute__((target("avx2"))) {
    if (!periodicity_.on[axis]) return d;
    const auto length = static_cast<float>(component(periodicity_.length, axis));
    const __m256 l = _mm256_set1_ps(length), half = _mm256_set1_ps(0.5f * length),
                 minus = _mm256_set1_ps(-0.5f * length);
    const __m256 above = _mm256_and_ps(_mm256_cmp_ps(d, half, _CMP_GT_OQ), l);
    const __m256 below = _mm256_and_ps(_mm256_cmp_ps(d, minus, _CMP_LT_OQ), l);
    return _mm256_add_ps(_mm256_sub_ps(d, above), below);
  };
  const __m256i above = _mm256_set1_epi32(s.above);
  for (std::uint32_t k = 0; k < g.count; k += 8) {
    const __m256 dx = nearest(0, _mm256_sub_ps(_mm256_loadu_ps(&g.x[k]), x));
    const __m256 dy = nearest(1, _mm256_sub_ps(_mm256_loadu_ps(&g.y[k]), y));
    const __m256 dz = nearest(2, _mm256_sub_ps(_mm256_loadu_ps(&g.z[k]), z));
    const __m256 r = _mm256_add_ps(_mm256_loadu_ps(&g.r[k]), reach);
    const __m256 d2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
    const __m256i slots = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&g.slot[k]));
    const __m256 close = _mm256_and_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(r, r), _CMP_LE_OQ),
                                       _mm256_castsi256_ps(_mm256_cmpgt_epi32(slots, above)));
    auto hits = static_cast<unsigned>(_mm256_movemask_ps(close));
    if (g.count - k < 8) hits &= (1u << (g.count - k)) - 1;
    // whether a candidate is near is hard to foretell: those that are move to the front
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(slots, first_lanes(hits)));
    out += std::popcount(hits);
  }
  return out;
}

[[gnu::target("avx2")]] void SizeClassGrid::place_wide(Gathered& g) const {
  const __m256d centre = _mm256_set_pd(0, g.centre.z, g.centre.y, g.centre.x);
  const std::uint32_t last = g.count > 0 ? g.slot[g.count - 1] : 0;
  for (std::uint32_t k = g.count; k < g.count + 3; ++k) g.slot[k] = last;
  const auto from_centre = [&](std::uint32_t k) __attribute__((target("avx2"))) {
    return _mm256_sub_pd(row((*position_)[g.slot[k]]), centre);
  };
  const bool periodic = periodicity_.any();
  for (std::uint32_t k = 0; k < g.count; k += 4) {
    Columns d = transposed(from_centre(k), from_centre(k + 1), from_centre(k + 2), from_centre(k + 3));
    if (periodic) take_nearest_images(periodicity_, d);
    _mm_storeu_ps(&g.x[k], _mm256_cvtpd_ps(d.x));
    _mm_storeu_ps(&g.y[k], _mm256_cvtpd_ps(d.y));
    _mm_storeu_ps(&g.z[k], _mm256_cvtpd_ps(d.z));
    _mm_storeu_ps(&g.r[k], _mm256_cvtpd_ps(d.w));
  }
}
#else
void SizeClassGrid::place_wide(Gathered& g) const { place(g); }
std::uint32_t* SizeClassGrid::select_wide(const Gathered& g, const Sphere& s, std::uint32_t* out) const {
  return select(g, s, out);
}
#endif

std::size_t SizeClassGrid::bytes() const {
  std::size_t sum = class_of_.capacity() + 4 * bucket_of_.capacity();
  for (const Level& level : levels_) sum += 4 * (level.start.capacity() + level.items.capacity());
  return sum;
}

}  // namespace areia
