// Viscous rolling resistance. Theory, section 9.
//
//   m_i = -c_R w_r, at most mu_R r* N where a limit is asked for
// and never more than what stops the rolling within a step (the cap of rolling_constant.h).
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct RollingViscous {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"c", "N m s", 0, kUnbounded, kRequired, "torque per rate of rolling c_R"},
      {"limit", "", 0, 0, 0, "whether the torque is limited by mu_R r* N", "none|coulomb"},
      {"mu", "", 0, 100, 0, "coefficient mu_R of the limit"},
  };
  static constexpr LawInfo kInfo{"rolling", "viscous", "Torque in proportion to the rate of rolling.",
                                 "theory manual, section 9", kParameters};

  struct Pair {
    double c = 0, mu = 0, limited = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "c")), number(c, row(kParameters, "mu")),
            chosen(c, word(kParameters, "limit", "coulomb")) ? 1.0 : 0.0};
  }

  template <class T>
  AREIA_PORTABLE static T energy(const Pair&, const Geometry<T>&, T /*stiffness*/, const Memory<T, 0, 0>&) {
    return T(0);
  }
  template <class T>
  AREIA_PORTABLE static Vec3<T> torque(const Pair& p, const Contact<T>& c, T normal, Memory<T, 0, 0>& /*memory*/) {
    const T w = sqrt_of(norm2(c.w_r));
    const T limit = p.mu * c.r_star * normal / divisor_of(w);
    const T wanted = p.limited > 0 ? min_of(T(p.c), limit) : T(p.c);
    return -(capped<T>(wanted, c.inv_j_red() * c.sharing * c.dt) * c.w_r);
  }
};

}  // namespace areia
