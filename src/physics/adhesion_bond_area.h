// Adhesion over the area of contact, with a viscous tangential part. 001 (71), (72), theory manual, section 10; sign by
// E34.
//
//   f_i = + K_nb eps^P A_c n - K_rb A_c dt v_t   while delta > 0 and eps >= eps_star
// The tangential part depends on the time step; with the cap it is at most what stops the sliding within the step (as
// in rate.h). Its work and nothing else is dissipated. The energy of the normal part is -K_nb eps^P A_c delta/(P + 2)
// from its beginning on, for the area pi r* delta.
#pragma once
#include <cmath>
#include <numbers>

#include "physics/adhesion.h"
#include "physics/contact_area.h"

namespace areia {

struct AdhesionBondArea {
  static constexpr int kScalars = 1, kVectors = 0;  // 1: has begun to act
  static constexpr bool kShears = true;
  static constexpr ParameterInfo kParameters[] = {
      {"K_nb", "Pa", 0, kUnbounded, kRequired, "attraction per area at strain 1"},
      {"K_rb", "N/m^3", 0, kUnbounded, 0, "tangential stress per length of sliding in a step"},
      {"P_p", "", 0, 10, 1, "exponent of the strain"},
      {"eps_star", "", 0, 1, 0, "strain from which it acts"},
      {"rate_cap", "", 0, 0, 0, "the tangential part does not reverse the sliding within a step", "on|off"},
      kLatch,
      kInFriction,
  };
  static constexpr LawInfo kInfo{"adhesion", "bond_area", "Attraction and viscous shear over the area of contact.",
                                 "001 (71)", kParameters};

  struct Pair {
    double k = 0, shear = 0, power = 1, eps_star = 0, capped = 1, latch = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "K_nb")),
            number(c, row(kParameters, "K_rb")),
            number(c, row(kParameters, "P_p")),
            number(c, row(kParameters, "eps_star")),
            chosen(c, word(kParameters, "rate_cap", "on")) ? 1.0 : 0.0,
            latched(c),
            areia::in_friction(c)};
  }

  static bool shares(const Pair& p) { return p.capped > 0 && p.shear > 0; }

  template <class T>
  AREIA_PORTABLE static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/,
                                               Memory<T, 1, 0>& memory) {
    const T on = acts<T>(p.eps_star, p.latch, c, memory.scalar[0]);
    memory.scalar[0] = on;
    const T strain = max_of(c.overlap, T(0)) / c.length();
    const T area = max_of(hertz_area<T>(c), T(0));
    T coefficient = p.shear * area * c.dt;
    if (p.capped > 0) coefficient = areia::capped<T>(coefficient, max_of(c.dt, c.stop) * c.inv_slip());
    return {on * p.k * power_of(strain, p.power) * area, -((on * coefficient) * c.v_t)};
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 0>& memory) {
    auto depth = [&](const T& overlap) {
      return p.k * power_of(overlap / g.length(), p.power) * std::numbers::pi * g.r_star * overlap * overlap /
             (p.power + 2);
    };
    const T work = depth(max_of(g.overlap, T(0))) - depth(p.eps_star * g.length());
    return -(acts(p.eps_star, p.latch, g, memory.scalar[0]) * work);
  }
  static double stiffness(const Pair& p, const Geometry<double>& g, double overlap) {
    if (!(overlap > 0)) return 0;
    return (p.power + 1) * p.k * std::pow(overlap / g.length(), p.power) * std::numbers::pi * g.r_star;
  }
};

}  // namespace areia
