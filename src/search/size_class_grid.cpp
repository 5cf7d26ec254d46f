#include "search/size_class_grid.h"

#include <algorithm>
#include <cmath>

namespace areia {

void SizeClassGrid::build(const std::vector<Vec4>& position, double skin, const Periodicity& periodicity) {
  position_ = &position;
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
}

std::size_t SizeClassGrid::bytes() const {
  std::size_t sum = class_of_.capacity() + 4 * bucket_of_.capacity();
  for (const Level& level : levels_) sum += 4 * (level.start.capacity() + level.items.capacity());
  return sum;
}

}  // namespace areia
