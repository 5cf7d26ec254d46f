// Adhesion over the area of contact, with a viscous tangential part. 001 (71), (72), spec section 10; sign by E34.
//
//   f_i = + K_nb eps^P A_c n - K_rb A_c dt v_t   while delta >= 0 and eps >= eps_star
// The tangential part depends on the time step; with the cap it is at most what stops the sliding within the step (as
// in rate.h). Its work and nothing else is dissipated. The energy of the normal part is -K_nb eps^P A_c delta/(P + 2)
// from its beginning on, for the area pi r* delta.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct AdhesionBondArea {
  static constexpr int kScalars = 1, kVectors = 0;  // 1: has begun to act
  static constexpr ParameterInfo kParameters[] = {
      {"K_nb", "Pa", 0, kUnbounded, kRequired, "attraction per area at strain 1"},
      {"K_rb", "N/m^3", 0, kUnbounded, 0, "tangential stress per length of sliding in a step"},
      {"P_p", "", 0, 10, 1, "exponent of the strain"},
      {"eps_star", "", 0, 1, 0, "strain from which it acts"},
      {"rate_cap", "", 0, 0, 0, "the tangential part does not reverse the sliding within a step", "on|off"},
      {"latch", "", 0, 0, 0, "once begun it acts until the bodies separate", "off|on"},
      {"friction", "", 0, 0, 0, "normal force in the limit of friction: of the contact alone, or with the adhesion",
       "contact|with_adhesion"},
  };
  static constexpr LawInfo kInfo{"adhesion", "bond_area", "Attraction and viscous shear over the area of contact.",
                                 "001 (71)", kParameters};

  struct Pair {
    double k = 0, shear = 0, power = 1, eps_star = 0, capped = 1, latch = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, "K_nb", 0),
            number(c, "K_rb", 0),
            number(c, "P_p", 1),
            number(c, "eps_star", 0),
            word(c, "rate_cap", "on") == "off" ? 0.0 : 1.0,
            word(c, "latch", "off") == "on" ? 1.0 : 0.0,
            word(c, "friction", "contact") == "with_adhesion" ? 1.0 : 0.0};
  }

  template <class T>
  static T acts(const Pair& p, const Geometry<T>& g, T begun) {
    const auto now = g.overlap >= p.eps_star * g.length();
    const T fresh = select(now, T(1), T(0));
    const T held = p.latch > 0 ? max_of(fresh, begun) : fresh;
    return select(g.overlap >= T(0), held, T(0));
  }
  template <class T>
  static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/, Memory<T, 1, 0>& memory) {
    const T on = acts<T>(p, c, memory.scalar[0]);
    memory.scalar[0] = on;
    const T strain = max_of(c.overlap, T(0)) / c.length();
    const T area = max_of(hertz_area<T>(c), T(0));
    T coefficient = p.shear * area * c.dt;
    if (p.capped > 0) {
      const T stop = c.dt * c.inv_slip();
      coefficient = select(stop > T(0), min_of(coefficient, 1 / max_of(stop, T(1e-300))), T(0));
    }
    return {on * p.k * pow_of(strain, p.power) * area, -((on * coefficient) * c.v_t)};
  }
  template <class T>
  static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 0>& memory) {
    const double pi = 3.14159265358979323846;
    auto depth = [&](const T& overlap) {
      return p.k * pow_of(overlap / g.length(), p.power) * pi * g.r_star * overlap * overlap / (p.power + 2);
    };
    const T work = depth(max_of(g.overlap, T(0))) - depth(p.eps_star * g.length());
    return -(acts(p, g, memory.scalar[0]) * work);
  }
  static double stiffness(const Pair& p, const Geometry<double>& g, double overlap) {
    if (!(overlap > 0)) return 0;
    return (p.power + 1) * p.k * std::pow(overlap / g.length(), p.power) * 3.14159265358979323846 * g.r_star;
  }
};

}  // namespace areia
