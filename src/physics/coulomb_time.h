// Coulomb friction with a spring of constant stiffness over the time of contact. 004 (2.7)-(2.9), theory manual,
// section 8.
//
//   s = integral of v_t over the contact,  f = -(k s + c v_t) limited by mu N,  c = 2 beta sqrt(m* k)
// When it slips, s is set back to what the limit allows, as in coulomb_history.h. The source multiplies the present v_t
// by the whole time of contact instead (erratum E44); `velocity_times_age` does so, for comparison. That is a dashpot
// that grows with the age, and as such it is held back (dashpot.h).
#pragma once
#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct CoulombTime {
  static constexpr int kScalars = 1, kVectors = 1;  // age of the contact, s
  static constexpr ParameterInfo kParameters[] = {
      {"stiffness", "N/m", 0, kUnbounded, kRequired, "tangential spring k_s of the pair"},
      {"mu", "", 0, 100, kRequired, "coefficient of friction"},
      {"beta", "", 0, 100, 0, "damping ratio of the tangential spring"},
      {"elongation", "", 0, 0, 0, "how the spring is stretched: integral of the sliding, or 004 (2.7)",
       "integral|velocity_times_age"},
  };
  static constexpr LawInfo kInfo{"tangential", "coulomb_time",
                                 "Tangential spring of constant stiffness and dashpot with a Coulomb limit.",
                                 "004 (2.7)", kParameters};

  struct Pair {
    double k = 0, mu = 0, beta = 0, aged = 0;
  };

  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "stiffness")), number(c, row(kParameters, "mu")),
            number(c, row(kParameters, "beta")),
            chosen(c, word(kParameters, "elongation", "velocity_times_age")) ? 1.0 : 0.0};
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, T /*contact_radius*/) {
    return T(p.k);
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>&, const Memory<T, 1, 1>& memory) {
    return 0.5 * p.k * norm2(memory.vector[0]);
  }

  static bool shares(const Pair& p) { return p.beta > kCrowdedTangential || p.aged > 0; }

  template <class T>
  AREIA_PORTABLE static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T normal,
                                                 Memory<T, 1, 1>& memory) {
    const Vec3<T> s = memory.vector[0] - dot(memory.vector[0], c.n) * c.n;
    const T age = memory.scalar[0] + c.dt;
    Vec3<T> s_try = s + c.dt * c.v_t;
    if (p.aged > 0) s_try = (held_back_sliding<T>(c, p.k * age) / divisor_of(T(p.k))) * c.v_t;
    const T damper = held_back_sliding<T>(c, 2 * p.beta * sqrt_of(c.m_star * p.k));
    const Vec3<T> f_try = -(p.k * s_try + damper * c.v_t);
    const T size2 = norm2(f_try);
    const T limit = p.mu * normal;
    const auto stick = size2 <= limit * limit;
    const T inverse = 1 / sqrt_of(divisor_of(size2));
    memory.scalar[0] = age;
    memory.vector[0] = select(stick, s_try, (-(limit / divisor_of(T(p.k))) * inverse) * f_try);
    return {select(stick, f_try, (limit * inverse) * f_try), -(p.k * dot(s, c.v_t)), select(stick, damper, T(0))};
  }
};

}  // namespace areia
