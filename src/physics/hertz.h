// Hertz contact with damping. 000 (2.55)-(2.60), theory manual, section 7; signs of the damping by erratum E6.
//
//   N  = (4/3) E* sqrt(r*) delta^(3/2) + d* delta_dot
//   k* = 2 E* sqrt(r* delta) = 2 E* a            tangent stiffness, a = contact radius
//   d* = 2 xi sqrt(m* k*)
// so that the elastic part is (2/3) k* delta and its energy (2/5) of elastic * delta = (8/15) E* sqrt(r*) delta^(5/2).
// xi fixes the restitution independently of speed, size and stiffness (restitution.h, z = sqrt(6/5) xi).
#pragma once
#include <cmath>
#include <limits>
#include <string_view>

#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"
#include "physics/restitution.h"

namespace areia {

struct Hertz {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"xi", "", 0, 100, 0, "damping ratio; give this or `restitution`, not both", "", "restitution"},
      {"restitution", "", 1e-6, 1, kRequired, "coefficient of restitution of a binary impact; sets xi", "", "xi"},
      {"xi_from_e", "", 0, 0, 0, "how xi follows from `restitution`", "exact_clamp|exact_noclamp|source"},
      {"clamp", "", 0, 0, 0, "no tension: the normal force never pulls", "on|off"},
      {"wall", "", 0, 0, 0, "effective moduli at a rigid wall: the limit of the pair formula, or 000 (2.93)",
       "rigid|source93"},
  };
  static constexpr LawInfo kInfo{"normal",     "hertz",     "Hertzian spring with damping of constant restitution.",
                                 "000 (2.55)", kParameters, "young"};

  struct Pair {
    double e_star = 0, xi = 0;
    double least = 0;   // of N: 0, or none where it may pull
    double damper = 0;  // d*/sqrt(m* a)
  };

  static double xi_from_restitution(double e, const LawChoice& c) {
    if (chosen(c, word(kParameters, "xi_from_e", "source")))
      return ratio_without_clamp(e);  // 000 (2.68), for a linear spring: erratum E7
    const bool clamp = chosen(c, word(kParameters, "xi_from_e", "exact_clamp"));
    return std::sqrt(5.0 / 6) * (clamp ? ratio_with_clamp(e) : ratio_without_clamp(e));
  }
  static double xi_from_restitution(double e, const char* how) {
    return xi_from_restitution(e, LawChoice{kInfo.name, {}, {{"xi_from_e", how}}});
  }

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    p.e_star = areia::e_star(m, chosen(c, word(kParameters, "wall", "source93")));
    p.least = chosen(c, word(kParameters, "clamp", "on")) ? 0 : -std::numeric_limits<double>::infinity();
    const double e = number_or(c, row(kParameters, "restitution"), 0);
    p.xi = e > 0 ? xi_from_restitution(e, c) : number(c, row(kParameters, "xi"));
    p.damper = 2 * p.xi * std::sqrt(2 * p.e_star);
    return p;
  }

  template <class T>
  AREIA_PORTABLE static T elastic(const Pair& p, const Geometry<T>& g) {
    return (4.0 / 3) * p.e_star * g.contact_radius * g.overlap;
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g) {
    return 0.4 * elastic(p, g) * g.overlap;
  }
  // d*, and its mean from touching on: it grows as delta^(1/4).
  template <class T>
  AREIA_PORTABLE static T damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return p.damper * sqrt_of(m_star * g.contact_radius);
  }
  template <class T>
  AREIA_PORTABLE static T mean_damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return 0.8 * damper(p, g, m_star);
  }
  static bool shares(const Pair& p) { return p.xi > kCrowdedNormal; }

  template <class T>
  AREIA_PORTABLE static NormalForce<T> force(const Pair& p, const Contact<T>& c) {
    const T stiffness = 2 * p.e_star * c.contact_radius;
    const T spring = elastic<T>(p, c);
    const T dashpot = damper<T>(p, c, c.m_star);
    const T sum = damped_normal<Hertz>(p, c, spring, dashpot);
    return {max_of(sum, T(p.least)), spring, stiffness, max_of(sum, T(0)), dashpot};
  }

  // Time of contact of an undamped impact at closing speed v, for the choice of the time step:
  // t_c = 2.943275 delta_max/v, delta_max = (15 m* v^2 / (16 E* sqrt(r*)))^(2/5).
  static double largest_overlap(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    return std::pow(15 * m_star * v * v / (16 * p.e_star * std::sqrt(g.r_star)), 0.4);
  }
  static double contact_time(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    return 2.943275 * largest_overlap(p, g, m_star, v) / v;
  }
};

}  // namespace areia
