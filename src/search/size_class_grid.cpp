#include "search/size_class_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace areia {

void SizeClassGrid::build(const std::vector<Vec4>& position, double skin, const Periodicity& periodicity) {
  position_ = &position;
  periodicity_ = periodicity;
#if defined(__x86_64__)
  wide_ = __builtin_cpu_supports("avx2");
#endif
  const std::size_t n = position.size();
  levels_.clear();
  if (n == 0) return;

  Vec3d low = position[0].xyz(), high = low;
  double r_max = 0;
  for (const Vec4& p : position) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    r_max = std::max(r_max, p.w);
  }
  origin_ = {periodicity.on[0] ? periodicity.low.x : low.x, periodicity.on[1] ? periodicity.low.y : low.y,
             periodicity.on[2] ? periodicity.low.z : low.z};

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
    // Cells over the whole extent, at most a few per particle; beyond that the torus folds space together.
    std::array<double, 3> cells{};
    for (int a = 0; a < 3; ++a) {
      const double extent = periodicity.on[a] ? along(periodicity.length, a) : along(high, a) - along(low, a);
      // periodic: a whole number of cells, none smaller than h
      cells[a] = periodicity.on[a] ? std::max(1.0, std::floor(extent / level.h)) : std::floor(extent / level.h) + 1;
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
      const double per_metre = periodicity.on[a] ? kept[a] / along(periodicity.length, a) : 1 / level.h;
      (a == 0 ? level.inv_h.x : a == 1 ? level.inv_h.y : level.inv_h.z) = per_metre;
      level.torus[a] = periodicity.on[a] || kept[a] < cells[a];
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
  // A coordinate is off by half a unit in the last place, 2^-25 of the extent; two of them in each of three directions.
  const double extent = std::max({high.x - origin_.x, high.y - origin_.y, high.z - origin_.z, 4 * r_max});
  margin_ = static_cast<float>(1e-6 * extent);
  for (Level& level : levels_) {
    if (level.items.empty()) continue;
    const std::size_t room = level.items.size() + 8;
    for (auto* a : {&level.x, &level.y, &level.z, &level.r}) a->assign(room, 0);
    for (std::size_t s = 0; s < level.items.size(); ++s) {
      const Vec4& p = position[level.items[s]];
      level.x[s] = static_cast<float>(p.x - origin_.x);
      level.y[s] = static_cast<float>(p.y - origin_.y);
      level.z[s] = static_cast<float>(p.z - origin_.z);
      level.r[s] = static_cast<float>(p.w);
    }
    level.items.resize(room, 0);
  }
}

void SizeClassGrid::collect_near(std::uint32_t i, double gap, std::vector<std::uint32_t>& out) const {
  const Vec4& p = (*position_)[i];
  Sphere s{static_cast<float>(p.x - origin_.x), static_cast<float>(p.y - origin_.y),
           static_cast<float>(p.z - origin_.z), static_cast<float>(p.w + gap) * (1 + 1e-6f) + margin_, kAnySlot};
  for_each_run(i, [&](const Level& level, bool own, std::uint32_t begin, std::uint32_t end) {
    s.above = own ? i : kAnySlot;
    if (wide_) near_in_run_wide(level, begin, end, s, out);
    else near_in_run(level, begin, end, s, out);
  });
}

void SizeClassGrid::near_in_run(const Level& level, std::uint32_t begin, std::uint32_t end, const Sphere& s,
                                std::vector<std::uint32_t>& out) const {
  const auto nearest = [&](int axis, float d) {
    const auto length = static_cast<float>(along(periodicity_.length, axis)), half = 0.5f * length;
    return !periodicity_.on[axis] ? d : d > half ? d - length : d < -half ? d + length : d;
  };
  for (std::uint32_t k = begin; k < end; ++k) {
    const float dx = nearest(0, level.x[k] - s.x), dy = nearest(1, level.y[k] - s.y), dz = nearest(2, level.z[k] - s.z);
    const float reach = level.r[k] + s.reach;
    if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
    if (s.above == kAnySlot || level.items[k] > s.above) out.push_back(level.items[k]);
  }
}

#if defined(__x86_64__)
namespace {
// For every set of eight lanes those that are in it, first.
struct FirstTable {
  std::uint8_t of[256][8];
};
constexpr FirstTable first_table() {
  FirstTable t{};
  for (int set = 0; set < 256; ++set) {
    int n = 0;
    for (int lane = 0; lane < 8; ++lane)
      if (set >> lane & 1) t.of[set][n++] = static_cast<std::uint8_t>(lane);
  }
  return t;
}
constexpr FirstTable kFirst = first_table();
}  // namespace

[[gnu::target("avx2")]] void SizeClassGrid::near_in_run_wide(const Level& level, std::uint32_t begin, std::uint32_t end,
                                                             const Sphere& s, std::vector<std::uint32_t>& out) const {
  const __m256 x = _mm256_set1_ps(s.x), y = _mm256_set1_ps(s.y), z = _mm256_set1_ps(s.z),
               reach = _mm256_set1_ps(s.reach);
  const auto nearest = [&](int axis, __m256 d) __attribute__((target("avx2"))) {
    if (!periodicity_.on[axis]) return d;
    const auto length = static_cast<float>(along(periodicity_.length, axis));
    const __m256 l = _mm256_set1_ps(length), half = _mm256_set1_ps(0.5f * length),
                 minus = _mm256_set1_ps(-0.5f * length);
    const __m256 above = _mm256_and_ps(_mm256_cmp_ps(d, half, _CMP_GT_OQ), l);
    const __m256 below = _mm256_and_ps(_mm256_cmp_ps(d, minus, _CMP_LT_OQ), l);
    return _mm256_add_ps(_mm256_sub_ps(d, above), below);
  };
  const bool all = s.above == kAnySlot;
  const __m256i above = _mm256_set1_epi32(static_cast<int>(s.above));
  for (std::uint32_t k = begin; k < end; k += 8) {
    const __m256 dx = nearest(0, _mm256_sub_ps(_mm256_loadu_ps(&level.x[k]), x));
    const __m256 dy = nearest(1, _mm256_sub_ps(_mm256_loadu_ps(&level.y[k]), y));
    const __m256 dz = nearest(2, _mm256_sub_ps(_mm256_loadu_ps(&level.z[k]), z));
    const __m256 r = _mm256_add_ps(_mm256_loadu_ps(&level.r[k]), reach);
    const __m256 d2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
    const __m256i items = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&level.items[k]));
    auto hits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(r, r), _CMP_LE_OQ)));
    if (!all) hits &= static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(items, above))));
    if (end - k < 8) hits &= (1u << (end - k)) - 1;
    if (hits == 0) continue;
    // whether a candidate is near is hard to foretell: those that are move to the front
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kFirst.of[hits])));
    alignas(32) std::uint32_t found[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(found), _mm256_permutevar8x32_epi32(items, order));
    out.insert(out.end(), found, found + std::popcount(hits));
  }
}
#else
void SizeClassGrid::near_in_run_wide(const Level& level, std::uint32_t begin, std::uint32_t end, const Sphere& s,
                                     std::vector<std::uint32_t>& out) const {
  near_in_run(level, begin, end, s, out);
}
#endif

std::size_t SizeClassGrid::bytes() const {
  std::size_t sum = class_of_.capacity() + 4 * bucket_of_.capacity();
  for (const Level& level : levels_) sum += 4 * (level.start.capacity() + 5 * level.items.capacity());
  return sum;
}

}  // namespace areia
