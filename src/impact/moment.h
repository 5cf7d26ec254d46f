// The moment impulse I_th (docs/impact.md): a closure I_th = phi (-D_thA - D I_N + E I_T), eliminated from (L).
#pragma once
#include <cmath>

#include "impact/collision.h"

namespace areia::impact {

// phi of a moment law; negative infinity where the law is singular. Without an inertia (F = 0) there is no moment
// impulse.
inline double moment_compliance(double em, MomentLaw law, double F) {
  if (F <= 0 || em == -1) return 0;
  switch (law) {
    case MomentLaw::resisting: {
      if (em == 0) return 1 / F;
      const double k = std::fabs((1 + em) / em);
      return k / ((1 + k) * F);
    }
    case MomentLaw::source: {
      const double d = 1 + 2 * em;
      return std::fabs(d) <= kZero ? -INFINITY : (1 + em) / (d * F);
    }
    case MomentLaw::brach:
      return (1 + em) / F;
  }
  return 0;
}

// What is left in the directions N and T.
struct Reduced {
  double A, B, C, dN, dT;
};
inline Reduced reduce(const LocalMass& m, const Velocity& v, double phi) {
  return {m.A - phi * m.D * m.D, m.B - phi * m.D * m.E, m.C - phi * m.E * m.E, v.N - phi * m.D * v.th,
          v.T + phi * m.E * v.th};
}

inline double moment_impulse(const LocalMass& m, const Velocity& v, double phi, double IN, double IT) {
  return phi == 0 ? 0.0 : phi * (-v.th - m.D * IN + m.E * IT);
}

}  // namespace areia::impact
