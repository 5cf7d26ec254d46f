// Two stages with Coulomb's law on the impulses of each (docs/impact.md): what Glocker-Pfeiffer and C-S share.
#pragma once
#include "impact/coulomb.h"

namespace areia::impact {

// The interval of I_TE in expansion, shifted by the reversible part 2 I_TS = mu nu I_NE sign(I_TC) + e e_t I_TC. The
// law jumps at I_TC = 0, so what is zero up to rounding counts as zero.
struct ExpansionCone {
  double lo, hi, shift;
};
inline ExpansionCone expansion_cone(const Model& c, double INC, double ITC, double INE) {
  const double s = std::fabs(ITC) <= 1e-13 * INC ? 0.0 : sign(ITC), most = c.mu * INE;
  const double shift = s == 0 ? 0.0 : c.mu * c.nu * INE * s + c.e * c.et * ITC;
  // Never empty: |shift| <= 2 mu I_NE. The comparison keeps it so under rounding.
  return {s > 0 ? std::min(-most + shift, most) : -most, s < 0 ? std::max(most + shift, -most) : most, shift};
}

inline const char* stage_modes(int compression, int expansion) {
  static constexpr const char* kNames[3][3] = {{"sliding-1/sliding-1", "sliding-1/sticking", "sliding-1/sliding+1"},
                                               {"sticking/sliding-1", "sticking/sticking", "sticking/sliding+1"},
                                               {"sliding+1/sliding-1", "sliding+1/sticking", "sliding+1/sliding+1"}};
  return kNames[compression + 1][expansion + 1];
}

inline constexpr const char* kCompressionJam =
    "jam in compression: Delta = 0 fixes the slip, and the friction that opposes it grows faster than the normal "
    "impulse "
    "can stop the approach";

}  // namespace areia::impact
