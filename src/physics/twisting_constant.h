// Twisting resistance of constant torque: the like of rolling_constant.h about the normal.
//
//   m_i = -mu_T r* N sign(w_n) n,   w_n = (w_i - w_j) . n,   |m_i| <= |w_n| j_red/(n dt)
// n in the cap is the number of contacts of the body that has more of them; it keeps the torques from reversing the
// twist within one step.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct TwistingConstant {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"mu", "", 0, 100, kRequired, "coefficient of twisting resistance mu_T; the limit is mu_T r* N"},
  };
  static constexpr LawInfo kInfo{"twisting", "constant", "Constant torque against twisting about the normal.",
                                 "as 000 (4.6), about n", kParameters};

  struct Pair {
    double mu = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) { return {number(c, row(kParameters, "mu"))}; }

  template <class T>
  AREIA_PORTABLE static T energy(const Pair&, const Geometry<T>&, const Memory<T, 0, 0>&) {
    return T(0);
  }
  // Torque on i along n.
  template <class T>
  AREIA_PORTABLE static T torque(const Pair& p, const Contact<T>& c, T normal, Memory<T, 0, 0>& /*memory*/) {
    const T w = select(c.w_n < T(0), -c.w_n, c.w_n);
    const T full = p.mu * c.r_star * normal / divisor_of(w);
    return -(capped<T>(full, c.inv_j_red() * c.sharing * c.dt) * c.w_n);
  }
};

}  // namespace areia
