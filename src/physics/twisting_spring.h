// Twisting resistance of a circular contact that sticks and slips as its tangential springs do.
//
// Every element of the contact disc of radius a carries the shear stiffness k_t/(pi a^2) and the pressure N/(pi a^2):
//   k_T = integral of k_t/(pi a^2) rho^2 dA = k_t a^2/2,    k_t = 8 G* a (Mindlin)
//   limit = integral of mu N/(pi a^2) rho dA = (2/3) mu a N
//   theta <- theta + w_n dt;  m_i = -(k_T theta + c_T w_n) n,  at most the limit;  theta is set back when it slips
//   c_T = 2 xi sqrt(j* k_T),  1/j* = 1/j_i + 1/j_j, held back as in dashpot.h
// The angle does not change its sign when i and j change places: w_i - w_j and n both do.
#pragma once
#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct TwistingSpring {
  static constexpr int kScalars = 1, kVectors = 0;  // theta
  static constexpr ParameterInfo kParameters[] = {
      {"mu", "", 0, 100, kRequired, "coefficient of friction; the limit is (2/3) mu a N, a the radius of contact"},
      {"xi", "", 0, 100, 0, "damping ratio of the twisting spring"},
      kShearModulus,
  };
  static constexpr LawInfo kInfo{
      "twisting",  "spring", "Twisting spring, dashpot and slider of a circular contact.", "derived from 000 (2.83)",
      kParameters, "young"};

  struct Pair {
    double g_star = 0, mu = 0, xi = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    return {areia::g_star(m, c), number(c, row(kParameters, "mu")), number(c, row(kParameters, "xi"))};
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, T a) {
    return 4 * p.g_star * a * a * a;
  }
  static double turning_stiffness(const Pair& p, const Geometry<double>& g, double /*stiffness*/) {
    return stiffness(p, g.contact_radius);
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 0>& memory) {
    return 0.5 * stiffness(p, g.contact_radius) * memory.scalar[0] * memory.scalar[0];
  }
  template <class T>
  AREIA_PORTABLE static T torque(const Pair& p, const Contact<T>& c, T normal, Memory<T, 1, 0>& memory) {
    const T k = stiffness(p, c.contact_radius);
    const T inv_j = c.inv_j_red();
    const T damper = select(inv_j > T(0), 2 * p.xi * sqrt_of(k / divisor_of(inv_j)), T(0));
    const T theta = memory.scalar[0] + c.w_n * c.dt;
    const T stop = max_of(c.sharing, T(2)) * (c.kick - c.lag);
    const T held = held_back<T>(c, damper, inv_j, 1 / divisor_of(inv_j * stop));
    const T m_try = -(k * theta + held * c.w_n);
    const T size = select(m_try < T(0), -m_try, m_try);
    const T limit = (2.0 / 3) * p.mu * c.contact_radius * normal;
    const auto stick = size <= limit;
    const T slip = limit * m_try / divisor_of(size);
    memory.scalar[0] = select(stick, theta, -(slip / divisor_of(k)));
    return select(stick, m_try, slip);
  }
};

}  // namespace areia
