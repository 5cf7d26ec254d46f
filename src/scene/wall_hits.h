// Which points of walls are contacts of a sphere, and which contact of the last step each of them continues. Theory
// manual, section 12.1; the same for every engine, for every shape and for meshes.
//
// A hit is a stationary point of the distance from the centre to one patch: the foot on a face, or a point of an edge,
// a rim, a corner. It is a contact
//   1. if it is stationary on all walls together: a point of an edge is none where another patch goes through it along
//      which the distance falls (the edge of a box behind its face, the seam of two plates in one plane);
//   2. once: hits in one direction are one contact, the deepest of them.
// A contact of the last step goes on in the hit whose direction is nearest to its own, on whatever patch or wall.
//
// Hits and memories stand in any array that grows and shrinks as std::vector does, on an accelerator in a FixedVector.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "areia/vec3.h"

namespace areia {

// Lengths in units of the radius. A surface that passes a point at kOnSurface is taken to hold it: files of meshes have
// six digits. Along a slope g such a surface comes nearer than the point by g^2/2 at most, so it is sure to be nearer
// where g > sqrt(2 kOnSurface) = 0.0141; points less steep than kSteep are less than kOneDirection (rad) from the foot
// on it, and one contact with that.
inline constexpr double kOnSurface = 1e-4;
inline constexpr double kSteep = 0.015;
inline constexpr double kOneDirection = 0.02;
inline constexpr double kEqualDepth = 1e-12;  // of the radius: rounding
inline constexpr double kSameContact = 0.9;   // cosine; a contact turns by less than this from step to step

struct WallHit {
  double distance = 0;  // from the centre; negative behind a plane
  double reach = 0;     // how far the laws of this wall act from the centre
  Vec3d n;              // unit, from the centre to the wall, in space
  Vec3d point;          // in the frame of the wall
  Vec3d place;          // in space, where the wall is: beyond a periodic face, if it is met there
  std::int32_t wall = 0, patch = 0;
  std::int32_t candidate = 0;  // where it comes from; of no meaning for the result
  std::int64_t image = 0;      // of images of a wall that lie on each other the lowest counts; 0: the wall itself
  int edges = 0;               // that it lies on: 0 a face, 1 an edge or rim, 2 a corner
  bool dropped = false;
};

// What a contact remembers of its place.
struct WallMemory {
  std::int32_t wall = 0, patch = 0;
  Vec3d point;  // in the frame of the wall
  Vec3d n;      // in space
};
AREIA_PORTABLE inline WallMemory memory_of(const WallHit& h) { return {h.wall, h.patch, h.point, h.n}; }

namespace hits {

AREIA_PORTABLE inline bool is_before(const Vec3d& a, const Vec3d& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// One point may be met from two images.
AREIA_PORTABLE inline bool in_order(const WallHit& a, const WallHit& b) {
  if (a.wall != b.wall) return a.wall < b.wall;
  if (a.patch != b.patch) return a.patch < b.patch;
  return a.point == b.point ? a.image < b.image : is_before(a.point, b.point);
}

// Of hits of one depth in one direction, to rounding: a face counts rather than an edge, and an edge rather than a
// corner, since a corner just beside the foot is as far from the centre but not straight below it; then the order.
AREIA_PORTABLE inline bool is_owner(const WallHit& a, const WallHit& b) {
  if (a.edges != b.edges) return a.edges < b.edges;
  if (a.wall != b.wall) return a.wall < b.wall;
  if (a.patch != b.patch) return a.patch < b.patch;
  return a.image != b.image ? a.image < b.image : is_before(a.point, b.point);
}

struct IsDeeper {
  AREIA_PORTABLE bool operator()(const WallHit& a, const WallHit& b) const {
    return a.distance != b.distance ? a.distance < b.distance : is_owner(a, b);
  }
};
struct IsDropped {
  AREIA_PORTABLE bool operator()(const WallHit& h) const { return h.dropped; }
};

// By insertion: hits are few, nearly always in order already, and this needs no recursion.
template <class Hits>
AREIA_PORTABLE void put_in_order(Hits& hits) {
  for (std::size_t k = 1; k < hits.size(); ++k) {
    if (!in_order(hits[k], hits[k - 1])) continue;
    const WallHit hit = hits[k];
    std::size_t to = k;
    for (; to > 0 && in_order(hit, hits[to - 1]); --to) hits[to] = hits[to - 1];
    hits[to] = hit;
  }
}

}  // namespace hits

// Removes those that are dropped, makes one of those in one direction, and orders the rest by wall, patch and place.
// The result does not depend on the order of the hits. Should all be dropped, which rounding may do, the deepest stays.
template <class Hits>
AREIA_PORTABLE void sort_out(Hits& hits, double radius) {
  if (std::all_of(hits.begin(), hits.end(), hits::IsDropped{})) {
    if (hits.empty()) return;
    hits[0] = *std::min_element(hits.begin(), hits.end(), hits::IsDeeper{});
    hits.resize(1);
    hits[0].dropped = false;
    return;
  }
  hits.erase(std::remove_if(hits.begin(), hits.end(), hits::IsDropped{}), hits.end());
  constexpr double kOne = 1 - 0.5 * kOneDirection * kOneDirection;
  bool alone = true;
  for (std::size_t a = 0; a < hits.size() && alone; ++a)
    for (std::size_t b = a + 1; b < hits.size() && alone; ++b) alone = !(dot(hits[a].n, hits[b].n) > kOne);
  if (!alone) {
    // The deepest of what is left is a contact; what lies in its direction belongs to it.
    auto left = hits.begin();
    while (left != hits.end()) {
      std::iter_swap(left, std::min_element(left, hits.end(), hits::IsDeeper{}));
      const Vec3d n = left->n;
      const double equal = left->distance + kEqualDepth * radius;
      const auto end = std::partition(left + 1, hits.end(), [&](const WallHit& h) { return !(dot(h.n, n) > kOne); });
      for (auto h = end; h != hits.end(); ++h)
        if (h->distance <= equal && hits::is_owner(*h, *left)) *left = *h;
      hits.erase(end, hits.end());
      ++left;
    }
  }
  hits::put_in_order(hits);
}
extern template void sort_out(std::vector<WallHit>&, double);

// How near the direction of a hit is to that of a contact of the last step, as a cosine.
AREIA_PORTABLE inline double nearness(const WallHit& hit, const WallMemory& m) {
  const bool no_side = hit.distance == 0 && m.wall == hit.wall;
  return no_side ? 1 : dot(m.n, hit.n);
}
// A centre on the surface stays on the side where it was: such a hit takes its direction from the memory.
AREIA_PORTABLE inline void take_side(WallHit& hit, const WallMemory& m) {
  if (hit.distance == 0) hit.n = hit.edges > 0 ? m.n : dot(m.n, hit.n) < 0 ? -hit.n : hit.n;
}

// of[h]: the remembered contact that hit h continues, or -1; each is used once. Pairs are joined from the nearest
// directions on; of equal ones the first hit and the first memory count, and both are in the order of sort_out.
// may_go_on(from, to) tells whether a contact with one wall may become one with another.
template <class Hits, class MayGoOn, class Of, class Memories = std::vector<WallMemory>>
AREIA_PORTABLE void match_hits(Hits& hits, const Memories& memories, MayGoOn&& may_go_on, Of& of) {
  of.assign(hits.size(), -1);
  const std::size_t most = hits.size() < memories.size() ? hits.size() : memories.size();
  for (std::size_t round = 0; round < most; ++round) {
    std::size_t best_hit = hits.size(), best_memory = 0;
    double best = kSameContact;
    for (std::size_t h = 0; h < hits.size(); ++h) {
      if (of[h] >= 0) continue;
      for (std::size_t m = 0; m < memories.size(); ++m) {
        const double cosine = nearness(hits[h], memories[m]);
        if (!(cosine > best) || !may_go_on(memories[m].wall, hits[h].wall)) continue;
        bool used = false;
        for (const std::int32_t k : of) used = used || k == static_cast<std::int32_t>(m);
        if (used) continue;
        best = cosine;
        best_hit = h;
        best_memory = m;
      }
    }
    if (best_hit == hits.size()) break;
    of[best_hit] = static_cast<std::int32_t>(best_memory);
    take_side(hits[best_hit], memories[best_memory]);
  }
}

}  // namespace areia
