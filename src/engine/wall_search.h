// All contacts of a sphere with all surfaces of all walls where they are now, periodic images included
// (scene/wall_hits.h). Every engine asks here; it brings the patches that may be near, and a view of the walls:
//
//   kHasMeshes         whether candidates may be triangles
//   shape(w)           a variant of shapes (visit_shape)
//   state(w)           WallNow
//   periodicity
//   find_mesh_hits(candidate, there, reach, mesh), mesh_steepness(...)    with meshes: triangle_mesh.h
//
// The view of the host is WallView, over a scene (wall_contacts.h); that of an accelerator PlainWallView. Both go
// through the same operations, so that they find the same hits, to the bit.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "core/fixed_vector.h"
#include "engine/wall_now.h"
#include "scene/wall_geometry.h"
#include "scene/wall_hits.h"
#include "search/periodicity.h"

namespace areia {

// A patch that a centre may be near, or triangles of a mesh, seen from an image of the centre.
struct WallCandidate {
  std::uint16_t wall = 0;
  std::int16_t patch = 0;  // kMesh: triangles
  std::array<std::int16_t, 3> image{};
  std::uint32_t begin = 0, end = 0;  // of the triangles

  static constexpr std::int16_t kMesh = -1;
  // The images of a wall in order: itself first, then by the lengths they are away.
  AREIA_PORTABLE std::int64_t rank() const {
    if (!is_shifted()) return 0;
    const auto way = [](std::int64_t k) { return k < 0 ? -k : k; };
    std::int64_t r = way(image[0]) + way(image[1]) + way(image[2]);
    for (const std::int64_t k : image) r = r << 16 | (k + 32768);
    return r;
  }
  AREIA_PORTABLE bool is_shifted() const { return image[0] != 0 || image[1] != 0 || image[2] != 0; }
};

// Walls without meshes, in arrays of the caller, which may be those of an accelerator.
struct PlainWallView {
  static constexpr bool kHasMeshes = false;
  const PlainShape* shapes = nullptr;
  const WallNow* states = nullptr;
  Periodicity periodicity;

  AREIA_PORTABLE const PlainShape& shape(std::size_t w) const { return shapes[w]; }
  AREIA_PORTABLE const WallNow& state(std::size_t w) const { return states[w]; }
};

// What a search writes to, on an accelerator. Room for hits is taken before they are sorted out: at an inner corner of
// a box by each of its three faces, at a cylinder by the far side of its rim, too. Where hits.overflowed, those that
// are left are not the result. Of memories, which the caller puts there, memories.overflowed tells the same; `of` has a
// place for every hit.
template <std::size_t most_hits, std::size_t most_memories = most_hits>
struct PlainWallScratch {
  FixedVector<WallHit, most_hits> hits;  // result, by wall, patch and place
  FixedVector<WallMemory, most_memories> memories;
  FixedVector<std::int32_t, most_hits> of;
};

template <class View>
AREIA_PORTABLE Vec3d seen_from(const View& view, const WallCandidate& c, const Vec3d& x) {
  return c.is_shifted() ? view.periodicity.shifted(x, c.image) : x;
}

// Whether the distance falls from the hit along a patch that goes through it. Only patches that are themselves within
// reach count: they have hits.
template <class View>
AREIA_PORTABLE bool falls_along(const View& view, const WallCandidate& c, const WallHit& hit, const Vec3d& x,
                                double reach, double tolerance) {
  const WallNow& wall = view.state(c.wall);
  const Vec3d centre = seen_from(view, c, x);
  const Vec3d point = wall.to_body(centre + hit.distance * hit.n);
  const Vec3d n = wall.in_place ? hit.n : rotate(conjugate(wall.pose.q), hit.n);
  if constexpr (View::kHasMeshes)
    if (c.patch == WallCandidate::kMesh)
      return view.mesh_steepness(c, wall.to_body(centre), reach, point, n, tolerance) > kSteep;
  const LocalSurface at =
      visit_shape(view.shape(c.wall), [&](const auto& shape) { return surface_at(shape, c.patch, point, tolerance); });
  return at.holds && steepness(at, n) > kSteep;
}

// Of several hits those that are contacts.
template <class View, class Scratch>
AREIA_PORTABLE void sort_out_hits(const View& view, const WallCandidate* candidates, const Vec3d& x, double radius,
                                  Scratch& work) {
  for (WallHit& hit : work.hits) {
    if (hit.edges == 0) continue;
    std::int32_t looked_at = -1;  // hits of one candidate follow each other
    for (const WallHit& other : work.hits) {
      if (hit.dropped) break;
      if (other.candidate == looked_at) continue;
      looked_at = other.candidate;
      const WallCandidate& c = candidates[other.candidate];
      // within a mesh that has been decided
      if (c.patch == WallCandidate::kMesh && other.candidate == hit.candidate) continue;
      hit.dropped = falls_along(view, c, hit, x, other.reach, kOnSurface * radius);
    }
  }
  sort_out(work.hits, radius);
}

// Asked here and not where it is needed: in a generic lambda nvcc 13.0 leaves out, for the device, what follows an
// `if constexpr` whose requires-expression does not hold.
template <class Shape>
concept HasFarPoint = requires(const Shape& s, const Vec3d& x) {
  far_point(s, 0, x, 1.0);
};

// reach_of(wall): how far its laws act from the centre.
struct WallView;
template <class View = WallView, class Reach, class Scratch>
AREIA_PORTABLE void find_wall_hits(const View& view, const WallCandidate* begin, const WallCandidate* end,
                                   const Vec3d& x, double radius, Reach&& reach_of, Scratch& work) {
  work.hits.clear();
  for (const WallCandidate* c = begin; c != end; ++c) {
    const WallNow& wall = view.state(c->wall);
    if (!wall.present) continue;
    const Vec3d centre = seen_from(view, *c, x), there = wall.to_body(centre);
    const double reach = reach_of(c->wall);
    const auto add = [&](const WallPoint& at, std::int32_t patch) {
      if (!at.found || !(at.distance < reach)) return false;
      const Vec3d n = wall.in_place ? at.n : rotate(wall.pose.q, at.n);
      work.hits.push_back({at.distance, reach, n, there + at.distance * at.n, centre + at.distance * n, c->wall, patch,
                           static_cast<std::int32_t>(c - begin), c->rank(), at.edges, false});
      return true;
    };
    if constexpr (View::kHasMeshes)
      if (c->patch == WallCandidate::kMesh) {
        view.find_mesh_hits(*c, there, reach, work.mesh);
        for (const auto& hit : work.mesh.hits) add({true, hit.distance, hit.n, hit.edges}, hit.patch);
        continue;
      }
    const auto look = [&](const auto& shape) {
      if (!add(closest_point(shape, c->patch, there), c->patch)) return;
      if constexpr (HasFarPoint<std::remove_cvref_t<decltype(shape)>>)
        add(far_point(shape, c->patch, there, reach), c->patch);
    };
    const auto& shape = view.shape(c->wall);
    if (const auto* box = std::get_if<BoxShape>(&shape)) look(*box);
    else visit_shape(shape, look);
  }
  if (work.hits.size() > 1) sort_out_hits(view, begin, x, radius, work);
}

// From a centre to the point that a contact remembers, where the wall has taken it.
template <class View>
AREIA_PORTABLE Vec3d way_to(const View& view, const WallMemory& m, const Vec3d& x) {
  const Vec3d point = view.state(m.wall).pose.to_world(m.point);
  const Periodicity& p = view.periodicity;
  return p.any() ? p.nearest(p.wrapped(point) - x) : point - x;
}

// The overlap of a contact that is not found again, along the direction it had.
template <class View>
AREIA_PORTABLE double overlap_left(const View& view, const WallMemory& m, const Vec3d& x, double radius) {
  return radius - dot(way_to(view, m, x), m.n);
}

}  // namespace areia
