// Rolling resistance of constant torque. 000 (4.6), theory manual, section 9; the axis and the cap by erratum E26.
//
//   m_i = -mu_R r* N w_r/|w_r|,  |m_i| <= |w_r| j_red/(n dt),   w_r = rolling part of w_i - w_j
// The cap keeps the torques of a body from reversing its rolling within one step; at w_r = 0 there is none. The
// erratum has it without n, the number of contacts of the body that has more of them: right for one contact, but with
// several each would stop the rolling by itself, and together they reverse it (tests/physics/rolling_cap_test.cpp). A
// sphere on a level plane slows at (5/7) mu_R g. `axis = "full"` takes w_i - w_j whole, as the source does.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct RollingConstant {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"mu", "", 0, 100, kRequired, "coefficient of rolling resistance mu_R"},
      {"axis", "", 0, 0, 0, "against the rolling part of w_i - w_j, or against all of it (000)", "rolling|full"},
  };
  static constexpr LawInfo kInfo{"rolling", "constant", "Constant torque against rolling.", "000 (4.6)", kParameters};

  struct Pair {
    double mu = 0, full = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "mu")), chosen(c, word(kParameters, "axis", "full")) ? 1.0 : 0.0};
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair&, const Geometry<T>&, T /*stiffness*/, const Memory<T, 0, 0>&) {
    return T(0);
  }

  template <class T>
  AREIA_PORTABLE static Vec3<T> torque(const Pair& p, const Contact<T>& c, T normal, Memory<T, 0, 0>& /*memory*/) {
    const Vec3<T> w_r = p.full > 0 ? c.w_r + c.w_n * c.n : c.w_r;
    const T w = sqrt_of(norm2(w_r));
    const T full = p.mu * c.r_star * normal / divisor_of(w);
    return -(capped<T>(full, c.inv_j_red() * c.sharing * c.dt) * w_r);
  }
};

}  // namespace areia
