// Adhesion as a power of the strain. 000 (2.70), theory manual, section 10.
//
//   f_i = + k eps^beta n  while delta > 0 and eps >= eps_c,   eps = delta/S, S = r_i + r_j (wall: r_i)
// With Hertz contact there is a stable equilibrium only for beta < 3/2. With `latch` the adhesion, once begun, stays
// until the bodies separate. Stored: U = -k S (eps^(beta+1) - eps_c^(beta+1))/(beta+1) while it acts, zero at its
// beginning.
#pragma once
#include <cmath>

#include "physics/adhesion.h"

namespace areia {

struct AdhesionStrain {
  static constexpr int kScalars = 1, kVectors = 0;  // 1: has begun to act
  static constexpr bool kShears = false;
  static constexpr ParameterInfo kParameters[] = {
      {"k", "N", 0, kUnbounded, kRequired, "force k_ad at strain 1"},
      {"beta", "", 0, 10, 1, "exponent of the strain; with `hertz` an equilibrium needs beta < 3/2"},
      {"eps_c", "", 0, 1, 0, "strain from which it acts"},
      kLatch,
      kInFriction,
  };
  static constexpr LawInfo kInfo{"adhesion", "strain", "Attraction as a power of the strain of the contact.",
                                 "000 (2.70)", kParameters};

  struct Pair {
    double k = 0, beta = 1, eps_c = 0, latch = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "k")), number(c, row(kParameters, "beta")), number(c, row(kParameters, "eps_c")),
            latched(c), areia::in_friction(c)};
  }

  template <class T>
  AREIA_PORTABLE static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/,
                                               Memory<T, 1, 0>& memory) {
    const T strain = max_of(c.overlap, T(0)) / c.length();
    memory.scalar[0] = acts<T>(p.eps_c, p.latch, c, memory.scalar[0]);
    return {memory.scalar[0] * p.k * power_of(strain, p.beta), {T(0), T(0), T(0)}};
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 0>& memory) {
    const T strain = max_of(g.overlap, T(0)) / g.length();
    const T work = power_of(strain, p.beta + 1) - power_of(T(p.eps_c), p.beta + 1);
    return -(acts(p.eps_c, p.latch, g, memory.scalar[0]) * p.k * g.length() / (p.beta + 1) * work);
  }
  // Period of the attraction at full strain, for the time step: 2 pi sqrt(m*/(beta k eps^(beta-1)/S)). Theory,
  // section 13.
  static double stiffness(const Pair& p, const Geometry<double>& g, double overlap) {
    return overlap > 0 ? p.beta * p.k * std::pow(overlap / g.length(), p.beta - 1) / g.length() : 0;
  }
};

}  // namespace areia
