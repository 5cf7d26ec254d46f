// All contacts of a sphere with all surfaces of all walls where they are now, primitive or mesh, periodic images
// included (scene/wall_hits.h). Every engine asks here; it brings the patches that may be near.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/world.h"
#include "scene/scene.h"
#include "scene/wall_hits.h"
#include "search/wall_images.h"

namespace areia {

// A patch that a centre may be near, or triangles of a mesh, seen from an image of the centre.
struct WallCandidate {
  std::uint16_t wall = 0;
  std::int16_t patch = 0;  // kMesh: triangles
  std::array<std::int16_t, 3> image{};
  std::uint32_t begin = 0, end = 0;  // of the triangles

  static constexpr std::int16_t kMesh = -1;
  // The images of a wall in order: itself first, then by the lengths they are away.
  std::int64_t rank() const {
    if (!is_shifted()) return 0;
    const auto way = [](std::int64_t k) { return k < 0 ? -k : k; };
    std::int64_t r = way(image[0]) + way(image[1]) + way(image[2]);
    for (const std::int64_t k : image) r = r << 16 | (k + 32768);
    return r;
  }
  bool is_shifted() const { return image[0] != 0 || image[1] != 0 || image[2] != 0; }
};

// Kept by the caller, so that a search allocates nothing from the second time on.
struct WallScratch {
  std::vector<WallHit> hits;  // result, by wall, patch and place
  std::vector<WallMemory> memories;
  std::vector<std::int32_t> of;
  MeshScratch mesh;
};

// The walls as they are now.
struct WallView {
  const Scene& scene;
  const std::vector<WallState>& walls;
  const Periodicity& periodicity;
  const std::int32_t* triangles;  // that candidates name

  Vec3d centre(const WallCandidate& c, const Vec3d& x) const {
    return c.is_shifted() ? periodicity.shifted(x, c.image) : x;
  }
};

// Of several hits those that are contacts.
void sort_out_hits(const WallView& view, const WallCandidate* candidates, const Vec3d& x, double radius,
                   WallScratch& work);

// reach_of(wall): how far its laws act from the centre.
template <class Reach>
void find_wall_hits(const WallView& view, const WallCandidate* begin, const WallCandidate* end, const Vec3d& x,
                    double radius, Reach&& reach_of, WallScratch& work) {
  work.hits.clear();
  for (const WallCandidate* c = begin; c != end; ++c) {
    const WallState& wall = view.walls[c->wall];
    if (!wall.present) continue;
    const Vec3d centre = view.centre(*c, x), there = wall.to_body(centre);
    const double reach = reach_of(c->wall);
    const auto add = [&](const WallPoint& at, std::int32_t patch) {
      if (!at.found || !(at.distance < reach)) return false;
      const Vec3d n = wall.in_place ? at.n : rotate(wall.pose.q, at.n);
      work.hits.push_back({at.distance, reach, n, there + at.distance * at.n, centre + at.distance * n, c->wall, patch,
                           static_cast<std::int32_t>(c - begin), c->rank(), at.edges, false});
      return true;
    };
    if (c->patch == WallCandidate::kMesh) {
      find_mesh_hits(*view.scene.walls[c->wall].mesh, view.triangles + c->begin, view.triangles + c->end, there, reach,
                     work.mesh);
      for (const MeshHit& hit : work.mesh.hits) add({true, hit.distance, hit.n, hit.edges}, hit.patch);
      continue;
    }
    const auto look = [&](const auto& shape) {
      if (!add(closest_point(shape, c->patch, there), c->patch)) return;
      if constexpr (requires { far_point(shape, 0, there, reach); })
        add(far_point(shape, c->patch, there, reach), c->patch);
    };
    const WallShape& shape = view.scene.walls[c->wall].shape;
    if (const auto* box = std::get_if<BoxShape>(&shape)) look(*box);
    else std::visit(look, shape);
  }
  if (work.hits.size() > 1) sort_out_hits(view, begin, x, radius, work);
}

// From a centre to the point that a contact remembers, where the wall has taken it.
inline Vec3d way_to(const WallView& view, const WallMemory& m, const Vec3d& x) {
  const Vec3d point = view.walls[m.wall].pose.to_world(m.point);
  const Periodicity& p = view.periodicity;
  return p.any() ? p.nearest(p.wrapped(point) - x) : point - x;
}

// The overlap of a contact that is not found again, along the direction it had.
inline double overlap_left(const WallView& view, const WallMemory& m, const Vec3d& x, double radius) {
  return radius - dot(way_to(view, m, x), m.n);
}

// Whether a contact of a grain may go on from one wall to the other: both have the same laws for it and the same
// constants, in one material or in two that differ in name alone, as those of walls that are given none.
bool are_alike(const Scene& scene, std::size_t grain, std::size_t from, std::size_t to);

inline auto goes_on_for(const Scene& scene, std::size_t grain) {
  return [&scene, grain](std::int32_t from, std::int32_t to) {
    return from == to || scene.walls[from].material == scene.walls[to].material || are_alike(scene, grain, from, to);
  };
}

}  // namespace areia
