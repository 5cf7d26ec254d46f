#include "scene/wall_hits.h"

#include <algorithm>
#include <tuple>

namespace areia {

namespace {

bool in_order(const WallHit& a, const WallHit& b) {
  return std::tie(a.wall, a.patch, a.point.x, a.point.y, a.point.z) <
         std::tie(b.wall, b.patch, b.point.x, b.point.y, b.point.z);
}

// Of hits of one depth in one direction, to rounding: a face counts rather than an edge, and an edge rather than a
// corner, since a corner just beside the foot is as far from the centre but not straight below it; then the order.
bool is_owner(const WallHit& a, const WallHit& b) {
  return std::tie(a.edges, a.wall, a.patch, a.image, a.point.x, a.point.y, a.point.z) <
         std::tie(b.edges, b.wall, b.patch, b.image, b.point.x, b.point.y, b.point.z);
}

bool deeper(const WallHit& a, const WallHit& b) {
  return a.distance != b.distance ? a.distance < b.distance : is_owner(a, b);
}

}  // namespace

void sort_out(std::vector<WallHit>& hits, double radius) {
  if (std::all_of(hits.begin(), hits.end(), [](const WallHit& h) { return h.dropped; })) {
    if (hits.empty()) return;
    std::swap(hits.front(), *std::min_element(hits.begin(), hits.end(), deeper));
    hits.resize(1);
    hits[0].dropped = false;
    return;
  }
  std::erase_if(hits, [](const WallHit& h) { return h.dropped; });
  constexpr double kOne = 1 - 0.5 * kOneDirection * kOneDirection;
  bool alone = true;
  for (std::size_t a = 0; a < hits.size() && alone; ++a)
    for (std::size_t b = a + 1; b < hits.size() && alone; ++b) alone = !(dot(hits[a].n, hits[b].n) > kOne);
  if (!alone) {
    // The deepest of what is left is a contact; what lies in its direction belongs to it.
    std::vector<WallHit>::iterator left = hits.begin();
    while (left != hits.end()) {
      std::iter_swap(left, std::min_element(left, hits.end(), deeper));
      const Vec3d n = left->n;
      const double equal = left->distance + kEqualDepth * radius;
      const auto end = std::partition(left + 1, hits.end(), [&](const WallHit& h) { return !(dot(h.n, n) > kOne); });
      for (auto h = end; h != hits.end(); ++h)
        if (h->distance <= equal && is_owner(*h, *left)) *left = *h;
      hits.erase(end, hits.end());
      ++left;
    }
  }
  if (!std::is_sorted(hits.begin(), hits.end(), in_order)) std::sort(hits.begin(), hits.end(), in_order);
}

}  // namespace areia
