// Adhesion as a power of the strain. 000 (2.70), spec section 10.
//
//   f_i = + k eps^beta n  while delta > 0 and eps >= eps_c,   eps = delta/S, S = r_i + r_j (wall: r_i)
// With Hertz contact there is a stable equilibrium only for beta < 3/2. With `latch` the adhesion, once begun, stays
// until the bodies separate. Stored: U = -k S (eps^(beta+1) - eps_c^(beta+1))/(beta+1) while it acts, zero at its
// beginning.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct AdhesionStrain {
  static constexpr int kScalars = 1, kVectors = 0;  // 1: has begun to act
  static constexpr ParameterInfo kParameters[] = {
      {"k", "N", 0, kUnbounded, kRequired, "force k_ad at strain 1"},
      {"beta", "", 0, 10, 1, "exponent of the strain; with `hertz` an equilibrium needs beta < 3/2"},
      {"eps_c", "", 0, 1, 0, "strain from which it acts"},
      {"latch", "", 0, 0, 0, "once begun it acts until the bodies separate", "off|on"},
      {"friction", "", 0, 0, 0, "normal force in the limit of friction: of the contact alone, or with the adhesion",
       "contact|with_adhesion"},
  };
  static constexpr LawInfo kInfo{"adhesion", "strain", "Attraction as a power of the strain of the contact.",
                                 "000 (2.70)", kParameters};

  struct Pair {
    double k = 0, beta = 1, eps_c = 0, latch = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, "k", 0), number(c, "beta", 1), number(c, "eps_c", 0), word(c, "latch", "off") == "on" ? 1.0 : 0.0,
            word(c, "friction", "contact") == "with_adhesion" ? 1.0 : 0.0};
  }

  template <class T>
  static T acts(const Pair& p, const Geometry<T>& g, T begun) {
    const auto now = g.overlap >= p.eps_c * g.length();
    const T fresh = select(now, T(1), T(0));
    const T held = p.latch > 0 ? max_of(fresh, begun) : fresh;
    return select(g.overlap > T(0), held, T(0));
  }
  template <class T>
  static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/, Memory<T, 1, 0>& memory) {
    const T strain = max_of(c.overlap, T(0)) / c.length();
    memory.scalar[0] = acts<T>(p, c, memory.scalar[0]);
    return {memory.scalar[0] * p.k * pow_of(strain, p.beta), {T(0), T(0), T(0)}};
  }
  template <class T>
  static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 0>& memory) {
    const T strain = max_of(g.overlap, T(0)) / g.length();
    const T work = pow_of(strain, p.beta + 1) - pow_of(T(p.eps_c), p.beta + 1);
    return -(acts(p, g, memory.scalar[0]) * p.k * g.length() / (p.beta + 1) * work);
  }
  // Period of the attraction at full strain, for the time step: 2 pi sqrt(m*/(beta k eps^(beta-1)/S)). Spec section 15.
  static double stiffness(const Pair& p, const Geometry<double>& g, double overlap) {
    return overlap > 0 ? p.beta * p.k * std::pow(overlap / g.length(), p.beta - 1) / g.length() : 0;
  }
};

}  // namespace areia
