// Penalty contact: pressure as a power of the strain, over the area of contact. 001 (45)-(50), theory manual,
// section 7.
//
//   N = K eps^P A_c + c A_c delta_dot,   eps = delta/(r_i + r_j), at a wall delta/r_i
// A_c = pi r* delta, or that of the lens (contact_area.h). In place of c A_c the damping of Hertz's law may be taken,
// with the tangent stiffness of this spring: 2 xi sqrt(m* k), k = (P + 1) N_spring/delta (exact for the area pi r*
// delta). Its energy with that area is N_spring delta/(P + 2); with the lens it is integrated numerically (Gauss, 8
// points). The contact time is that of a spring delta^(P+1): t_c = 2 sqrt(pi) G(1 + 1/q)/G(1/2 + 1/q) delta_max/v, q =
// P + 2, and delta_max^q = q m* v^2/(2 C), C = pi r* K/S^P.
#pragma once
#include <cmath>
#include <numbers>

#include "physics/contact_area.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct Penalty {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"K", "Pa", 0, kUnbounded, kRequired, "pressure K_p at strain 1"},
      {"P", "", 0, 10, 1, "exponent P_p of the strain"},
      {"c", "Pa s/m", 0, kUnbounded, 0, "damping c_d per area"},
      {"xi", "", 0, 100, 0, "damping ratio of the form of Hertz's law, in place of `c`"},
      kArea,
      {"clamp", "", 0, 0, 0, "no tension: the normal force never pulls", "on|off"},
  };
  static constexpr LawInfo kInfo{"normal", "penalty", "Pressure as a power of the strain, over the area of contact.",
                                 "001 (45)", kParameters};

  struct Pair {
    double k = 0, power = 0, c = 0, xi = 0, lens = 0, clamped = 1;
  };

  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "K")),
            number(c, row(kParameters, "P")),
            number(c, row(kParameters, "c")),
            number(c, row(kParameters, "xi")),
            lens_chosen(c),
            chosen(c, word(kParameters, "clamp", "on")) ? 1.0 : 0.0};
  }

  template <class T>
  AREIA_PORTABLE static T elastic(const Pair& p, const Geometry<T>& g) {
    const T strain = max_of(g.overlap, T(0)) / g.length();
    return select(g.overlap > T(0), p.k * power_of(strain, p.power) * area_of(p.lens, g), T(0));
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g) {
    if (!(p.lens > 0)) return elastic(p, g) * g.overlap / (p.power + 2);
    constexpr double at[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
    constexpr double weight[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};
    T sum = 0;
    for (int k = 0; k < 8; ++k) {
      Geometry<T> part = g;
      part.overlap = g.overlap * (0.5 + 0.5 * (k % 2 == 0 ? -at[k / 2] : at[k / 2]));
      sum += weight[k / 2] * elastic(p, part);
    }
    return select(g.overlap > T(0), 0.5 * sum * g.overlap, T(0));
  }
  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, const Geometry<T>& g) {
    return (p.power + 1) * elastic(p, g) / divisor_of(g.overlap);
  }
  // The part with c grows as delta, that with xi as delta^(P/2).
  template <class T>
  AREIA_PORTABLE static T damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return damper_of(p, g, m_star, 1, 1);
  }
  template <class T>
  AREIA_PORTABLE static T mean_damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return damper_of(p, g, m_star, 0.5, 2 / (2 + p.power));
  }
  template <class T>
  AREIA_PORTABLE static T damper_of(const Pair& p, const Geometry<T>& g, const T& m_star, double of_c, double of_xi) {
    const T sum = of_c * p.c * area_of(p.lens, g) + of_xi * 2 * p.xi * sqrt_of(m_star * stiffness(p, g));
    return select(g.overlap > T(0), sum, T(0));
  }
  static bool shares(const Pair& p) { return p.c > 0 || p.xi > kCrowdedNormal; }

  template <class T>
  AREIA_PORTABLE static NormalForce<T> force(const Pair& p, const Contact<T>& c) {
    const T spring = elastic<T>(p, c), stiffness = Penalty::stiffness<T>(p, c);
    const T dashpot = damper<T>(p, c, c.m_star);
    const T sum = damped_normal<Penalty>(p, c, spring, dashpot);
    const T pressing = max_of(sum, T(0));
    return {p.clamped > 0 ? pressing : sum, spring, stiffness, pressing, dashpot};
  }

  static double largest_overlap(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    const double q = p.power + 2, c = std::numbers::pi * g.r_star * p.k / std::pow(g.length(), p.power);
    return std::pow(q * m_star * v * v / (2 * c), 1 / q);
  }
  static double contact_time(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    const double q = p.power + 2;
    const double shape = 2 * std::sqrt(std::numbers::pi) * std::tgamma(1 + 1 / q) / std::tgamma(0.5 + 1 / q);
    return shape * largest_overlap(p, g, m_star, v) / v;
  }
};

}  // namespace areia
