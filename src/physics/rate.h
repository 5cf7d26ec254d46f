// Friction without memory, growing with the sliding of one step. 001 (59)-(62), theory manual, section 8.
//
//   T = K_f |v_t| A_c dt;   f = -T v_t/|v_t| while T < mu_s N, else -mu_d N v_t/|v_t|
// A viscous coefficient K_f A_c dt that depends on the time step; a body at rest creeps. With the cap (default) the
// sticking force is at most what stops the sliding within the step, |v_t|/(dt (1/m* + l_i^2/j_i + l_j^2/j_j)), shared
// by the contacts of bodies that have more than two (dashpot.h); without it a large K_f overshoots. All its work is
// dissipated; it is that of the mean of the sliding velocities before and after the step.
#pragma once
#include "physics/contact_area.h"
#include "physics/friction.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct Rate {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"K_f", "N/m^3", 0, kUnbounded, kRequired, "tangential stress per length of sliding in a step"},
      kMu,
      kMuStatic,
      kMuDynamic,
      kArea,
      {"rate_cap", "", 0, 0, 0, "sticking does not reverse the sliding within a step", "on|off"},
  };
  static constexpr LawInfo kInfo{"tangential", "rate",
                                 "Friction in proportion to the sliding of a step, with a Coulomb limit; no memory.",
                                 "001 (59)", kParameters};

  struct Pair {
    double k = 0, mu_s = 0, mu_d = 0, lens = 0, capped = 1;
  };

  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    Pair p;
    const Friction mu = friction_of(c);
    p.k = number(c, row(kParameters, "K_f"));
    p.mu_s = mu.mu_s;
    p.mu_d = mu.mu_d;
    p.lens = lens_chosen(c);
    p.capped = chosen(c, word(kParameters, "rate_cap", "on")) ? 1 : 0;
    return p;
  }

  static bool shares(const Pair& p) { return p.capped > 0; }

  template <class T>
  AREIA_PORTABLE static T energy(const Pair&, const Geometry<T>&, const Memory<T, 0, 0>&) {
    return T(0);
  }

  template <class T>
  AREIA_PORTABLE static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T normal,
                                                 Memory<T, 0, 0>& /*memory*/) {
    const T speed = sqrt_of(norm2(c.v_t));
    T coefficient = select(c.overlap > T(0), p.k * area_of<T>(p.lens, c) * c.dt, T(0));
    if (p.capped > 0) coefficient = areia::capped<T>(coefficient, max_of(c.dt, c.stop) * c.inv_slip());
    const auto stick = coefficient * speed < p.mu_s * normal;
    const T slip = p.mu_d * normal / divisor_of(speed);
    const T brake = select(stick, coefficient, slip);
    const Vec3<T> f = -(brake * c.v_t);
    // the force acts at v_t when the step begins and at (1 - brake dt inv_slip) v_t when it ends
    return {f, (1 - brake * c.dt * c.inv_slip()) * dot(f, c.v_t), T(0)};
  }
};

}  // namespace areia
