// Friction without memory, growing with the sliding of one step. 001 (59)-(62), spec section 8.3.
//
//   T = K_f |v_t| A_c dt;   f = -T v_t/|v_t| while T < mu_s N, else -mu_d N v_t/|v_t|
// A viscous coefficient K_f A_c dt that depends on the time step; a body at rest creeps. With the cap (default) the
// sticking force is at most what stops the sliding within the step, |v_t|/(dt (1/m* + l_i^2/j_i + l_j^2/j_j)); without
// it a large K_f overshoots. All its work is dissipated;
// it is that of the mean of the sliding velocities before and after the step.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct Rate {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"K_f", "N/m^3", 0, kUnbounded, kRequired, "tangential stress per length of sliding in a step"},
      {"mu", "", 0, 100, kRequired, "coefficient of friction, static and dynamic", "", "mu_static"},
      {"mu_static", "", 0, 100, kRequired, "static coefficient, in place of `mu`", "", "mu"},
      {"mu_dynamic", "", 0, 100, kRequired, "dynamic coefficient, at most the static one; default: the static one", "",
       "the static coefficient"},
      {"area", "", 0, 0, 0, "area of contact: pi r* delta, or that of the lens", "hertz|lens"},
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
    p.k = number(c, "K_f", 0);
    p.mu_s = number(c, "mu_static", number(c, "mu", 0));
    p.mu_d = number(c, "mu_dynamic", p.mu_s);
    p.lens = word(c, "area", "hertz") == "lens" ? 1 : 0;
    p.capped = word(c, "rate_cap", "on") == "off" ? 0 : 1;
    return p;
  }

  template <class T>
  static T energy(const Pair&, const Geometry<T>&, const Memory<T, 0, 0>&) {
    return T(0);
  }

  template <class T>
  static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T normal, Memory<T, 0, 0>& /*memory*/) {
    const T speed = sqrt_of(norm2(c.v_t));
    const T area = p.lens > 0 ? lens_area<T>(c) : hertz_area<T>(c);
    T coefficient = select(c.overlap > T(0), p.k * area * c.dt, T(0));
    if (p.capped > 0) {
      const T stop = c.dt * c.inv_slip();
      coefficient = select(stop > T(0), min_of(coefficient, 1 / max_of(stop, T(1e-300))), T(0));
    }
    const auto stick = coefficient * speed < p.mu_s * normal;
    const T slip = p.mu_d * normal / max_of(speed, T(1e-300));
    const T brake = select(stick, coefficient, slip);
    const Vec3<T> f = -(brake * c.v_t);
    // the force acts at v_t when the step begins and at (1 - brake dt inv_slip) v_t when it ends
    return {f, (1 - brake * c.dt * c.inv_slip()) * f, T(0)};
  }
};

}  // namespace areia
