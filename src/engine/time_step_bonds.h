// Limits of the time step from bonds. Theory manual, section 11.
#pragma once
#include <string>

#include "areia/case.h"
#include "scene/scene.h"

namespace areia {

struct BondLimit {
  double period = kForever;    // shortest of a bonded pair
  double stable = kForever;    // largest stable step of a particle with all its bonds
  double undamped = kForever;  // the same if these had no dampers
  std::string period_set, stable_set;

  // Both rules: 1/10 of the period, 1/2 of the stable step.
  double dt() const;
  std::string reason() const;           // which of the two, in words
  std::string cost_of_dampers() const;  // "; ..." where they shorten the stable step by a tenth or more, else ""
};

BondLimit bond_limit(const Scene& scene);

}  // namespace areia
