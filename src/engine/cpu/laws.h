// The laws of all pairs of materials, as kernels: one for each combination of laws in use.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cpu/kernel.h"

namespace areia::cpu {

struct Laws {
  explicit Laws(const Scene& scene);

  std::size_t materials;
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<std::int32_t> kernel_of;          // per ordered material pair, or -1: no interaction
  std::vector<double> overlap_share;            // per ordered material pair; all 0 with lever = radius
  std::vector<const Interaction*> across_gaps;  // per ordered material pair: laws that act across a gap, or null
  bool any_gaps = false;
  bool counts = false;  // some law shares a limit among the contacts of a particle

  std::int32_t between(std::size_t material_i, std::size_t material_j) const {
    return kernel_of[material_i * materials + material_j];
  }
  // Largest gap that a law bridges between particles up to this radius.
  double reach(double largest_radius) const;
};

}  // namespace areia::cpu
