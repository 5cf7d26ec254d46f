#include "engine/wall_contacts.h"

namespace areia {

// Whether the distance falls from the hit along a patch that goes through it. Only patches that are themselves within
// reach count: they have hits.
static bool falls_along(const WallView& view, const WallCandidate& c, const WallHit& hit, const Vec3d& x, double reach,
                        double tolerance) {
  const WallState& wall = view.walls[c.wall];
  const Vec3d centre = view.centre(c, x);
  const Vec3d point = wall.to_body(centre + hit.distance * hit.n);
  const Vec3d n = wall.in_place ? hit.n : rotate(conjugate(wall.pose.q), hit.n);
  const SceneWall& scene_wall = view.scene.walls[c.wall];
  if (c.patch == WallCandidate::kMesh)
    return mesh_steepness(*scene_wall.mesh, view.triangles + c.begin, view.triangles + c.end, wall.to_body(centre),
                          reach, point, n, tolerance) > kSteep;
  const LocalSurface at =
      std::visit([&](const auto& shape) { return surface_at(shape, c.patch, point, tolerance); }, scene_wall.shape);
  return at.holds && steepness(at, n) > kSteep;
}

void sort_out_hits(const WallView& view, const WallCandidate* candidates, const Vec3d& x, double radius,
                   WallScratch& work) {
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

bool are_alike(const Scene& scene, std::size_t grain, std::size_t from, std::size_t to) {
  const std::size_t a = scene.walls[from].material, b = scene.walls[to].material;
  const Material &m = scene.materials[a], &n = scene.materials[b];
  if (m.density != n.density || m.young != n.young || m.poisson != n.poisson || m.stiffness != n.stiffness ||
      m.rigid != n.rigid)
    return false;
  const std::int32_t with_a = scene.contact_index(grain, a), with_b = scene.contact_index(grain, b);
  if (with_a < 0 || with_b < 0) return false;
  const ContactPair &p = scene.settings.contacts[with_a], &q = scene.settings.contacts[with_b];
  return p.normal == q.normal && p.tangential == q.tangential && p.rolling == q.rolling && p.twisting == q.twisting &&
         p.adhesion == q.adhesion;
}

}  // namespace areia
