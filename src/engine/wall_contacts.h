// The search for contacts at walls (wall_search.h) as engines of the host use it: over a scene, with meshes.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/wall_search.h"
#include "engine/world.h"
#include "scene/scene.h"
#include "search/wall_images.h"

namespace areia {

// Kept by the caller, so that a search allocates nothing from the second time on.
struct WallScratch {
  std::vector<WallHit> hits;  // result, by wall, patch and place
  std::vector<WallMemory> memories;
  std::vector<std::int32_t> of;
  MeshScratch mesh;
};

// The walls as they are now.
struct WallView {
  static constexpr bool kHasMeshes = true;
  const Scene& scene;
  const std::vector<WallState>& walls;
  const Periodicity& periodicity;
  const std::int32_t* triangles;  // that candidates name

  const WallShape& shape(std::size_t w) const { return scene.walls[w].shape; }
  const WallNow& state(std::size_t w) const { return walls[w]; }
  void find_mesh_hits(const WallCandidate& c, const Vec3d& there, double reach, MeshScratch& scratch) const {
    areia::find_mesh_hits(*scene.walls[c.wall].mesh, triangles + c.begin, triangles + c.end, there, reach, scratch);
  }
  double mesh_steepness(const WallCandidate& c, const Vec3d& there, double reach, const Vec3d& point, const Vec3d& n,
                        double tolerance) const {
    return areia::mesh_steepness(*scene.walls[c.wall].mesh, triangles + c.begin, triangles + c.end, there, reach, point,
                                 n, tolerance);
  }
};
extern template void sort_out_hits(const WallView&, const WallCandidate*, const Vec3d&, double, WallScratch&);

// Whether a contact of a grain may go on from one wall to the other: both have the same laws for it and the same
// constants, in one material or in two that differ in name alone, as those of walls that are given none.
bool are_alike(const Scene& scene, std::size_t grain, std::size_t from, std::size_t to);

inline auto goes_on_for(const Scene& scene, std::size_t grain) {
  return [&scene, grain](std::int32_t from, std::int32_t to) {
    return from == to || scene.walls[from].material == scene.walls[to].material || are_alike(scene, grain, from, to);
  };
}

}  // namespace areia
