// Linear spring and dashpot. 004 (2.5), spec section 7.2; signs by errata E43, E46.
//
//   N = k delta + c delta_dot,  c = 2 beta sqrt(m* k);  k from particle stiffnesses in series, k_i k_j/(k_i + k_j),
//   or the particle's own at a rigid wall. Contact time pi/(w0 sqrt(1-beta^2)), w0 = sqrt(k/m*).
#pragma once
#include <cmath>
#include <numbers>
#include <string_view>

#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"
#include "physics/restitution.h"

namespace areia {

struct Linear {
  static constexpr ParameterInfo kParameters[] = {
      {"stiffness", "N/m", 0, kUnbounded, kRequired,
       "spring of the pair; default: the materials' stiffnesses in series", "", "materials"},
      {"beta", "", 0, 100, 0, "damping ratio; give this or `restitution`, not both", "", "restitution"},
      {"restitution", "", 1e-6, 1, kRequired, "coefficient of restitution of a binary impact; sets beta", "", "beta"},
      {"clamp", "", 0, 0, 0, "no tension: the normal force never pulls", "on|off"},
  };
  static constexpr LawInfo kInfo{"normal", "linear", "Linear spring and dashpot.", "004 (2.5)", kParameters};

  struct Pair {
    double k = 0, beta = 0, clamped = 1;
  };

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    const double ki = m.i.stiffness, kj = m.j.stiffness;
    const double series = m.j.rigid ? ki : m.i.rigid ? kj : ki * kj / (ki + kj);
    p.k = number(c, "stiffness", series);
    p.clamped = word(c, "clamp", "on") == "off" ? 0 : 1;
    const double e = number(c, "restitution", 0);
    p.beta = e > 0 ? (p.clamped > 0 ? ratio_with_clamp(e) : ratio_without_clamp(e)) : number(c, "beta", 0);
    return p;
  }

  template <class T>
  static T elastic(const Pair& p, T /*r_star*/, T overlap, T /*contact_radius*/) {
    return p.k * overlap;
  }
  template <class T>
  static T energy(const Pair& p, T /*r_star*/, T overlap, T /*contact_radius*/) {
    return 0.5 * p.k * overlap * overlap;
  }
  template <class T>
  static NormalForce<T> force(const Pair& p, const Contact<T>& c) {
    const T spring = p.k * c.overlap;
    const T sum = spring + 2 * p.beta * sqrt_of(c.m_star * p.k) * c.overlap_rate;
    return {p.clamped > 0 ? max_of(sum, T(0)) : sum, spring};
  }

  static double largest_overlap(const Pair& p, double /*r_star*/, double m_star, double v) {
    return v * std::sqrt(m_star / p.k);
  }
  static double contact_time(const Pair& p, double /*r_star*/, double m_star, double /*v*/) {
    return std::numbers::pi * std::sqrt(m_star / p.k);
  }
};

}  // namespace areia
