#include "engine/wall_contacts.h"

namespace areia {

template void sort_out_hits(const WallView&, const WallCandidate*, const Vec3d&, double, WallScratch&);

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
