#include "engine/cpu/laws.h"

#include <algorithm>

#include "physics/material_pair.h"

namespace areia::cpu {

Laws::Laws(const Scene& scene) : materials(scene.materials.size()) {
  kernel_of.assign(materials * materials, -1);
  overlap_share.assign(materials * materials, 0);
  std::vector<const ContactPair*> kinds;
  for (std::size_t a = 0; a < materials; ++a)
    for (std::size_t b = 0; b < materials; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0) continue;
      const ContactPair& pair = scene.settings.contacts[k];
      auto at = std::find_if(kinds.begin(), kinds.end(), [&](const ContactPair* q) { return same_laws(*q, pair); });
      if (at == kinds.end()) at = kinds.insert(kinds.end(), &pair);
      kernel_of[a * materials + b] = static_cast<std::int32_t>(at - kinds.begin());
      if (scene.settings.numerics.lever == Lever::deformed)
        overlap_share[a * materials + b] = overlap_share_of_i({scene.materials[a], scene.materials[b]});
    }
  const auto& periodic = scene.settings.domain.periodic;
  for (const ContactPair* pair : kinds)
    kernels.push_back(make_kernel(scene, *pair, scene.settings.numerics.ledger,
                                  std::any_of(periodic.begin(), periodic.end(), [](bool on) { return on; })));
  across_gaps.assign(materials * materials, nullptr);
  for (std::size_t pair = 0; pair < kernel_of.size(); ++pair)
    if (kernel_of[pair] >= 0) across_gaps[pair] = kernels[kernel_of[pair]]->across_gap(pair);
  for (const Interaction* laws : across_gaps) any_gaps = any_gaps || laws;
  for (const auto& kernel : kernels) counts = counts || kernel->counts();
}

double Laws::reach(double largest_radius) const {
  double most = 0;
  for (const auto& kernel : kernels) most = std::max(most, kernel->reach(largest_radius));
  return most;
}

}  // namespace areia::cpu
