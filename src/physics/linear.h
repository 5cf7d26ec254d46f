// Linear spring and dashpot, with an attraction across a small gap. 004 (2.5), (2.6), theory manual, section 7; E43,
// E46.
//
//   N = k delta + c delta_dot,  c = 2 beta sqrt(m* k);  k from particle stiffnesses in series, k_i k_j/(k_i + k_j),
//   or the particle's own at a rigid wall. Contact time pi/(w0 sqrt(1-beta^2)), w0 = sqrt(k/m*).
// Pseudo-contact: in a gap d_b = -delta of at most `range` the bodies attract each other, N = -k_a d_b = k_a delta:
// zero at touching, largest at the range, nothing beyond. Its potential is k_a (delta^2 - range^2)/2, zero from the
// range on.
#pragma once
#include <cmath>
#include <numbers>
#include <string_view>

#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"
#include "physics/restitution.h"

namespace areia {

struct Linear {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"stiffness", "N/m", 0, kUnbounded, kRequired,
       "spring of the pair; default: the materials' stiffnesses in series", "", "materials"},
      {"beta", "", 0, 100, 0, "damping ratio; give this or `restitution`, not both", "", "restitution"},
      {"restitution", "", 1e-6, 1, kRequired, "coefficient of restitution of a binary impact; sets beta", "", "beta"},
      {"clamp", "", 0, 0, 0, "no tension: in contact the normal force never pulls", "on|off"},
      {"attraction", "N/m", 0, kUnbounded, 0, "pseudo-contact: stiffness k_a of the attraction across a gap"},
      {"range", "m", 0, kUnbounded, 0, "pseudo-contact: largest gap with attraction"},
      {"pseudo_damping", "", 0, 0, 0, "whether the dashpot acts in the gap, too", "off|on"},
  };
  static constexpr LawInfo kInfo{"normal", "linear",
                                 "Linear spring and dashpot, with an optional attraction across a small gap.",
                                 "004 (2.5), (2.6)", kParameters};

  struct Pair {
    double k = 0, beta = 0, clamped = 1;
    double attraction = 0, reach = 0, gap_damping = 0;
  };

  // Acts in gaps up to this; a contact begins there, without touching.
  AREIA_PORTABLE static double form_range(const Pair& p, double /*r_star*/) { return p.reach; }
  AREIA_PORTABLE static double hold_range(const Pair& p, double /*r_star*/) { return p.reach; }

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    const double ki = m.i.stiffness, kj = m.j.stiffness;
    const double series = m.j.rigid ? ki : m.i.rigid ? kj : ki * kj / (ki + kj);
    p.k = number_or(c, row(kParameters, "stiffness"), series);
    p.clamped = chosen(c, word(kParameters, "clamp", "on")) ? 1 : 0;
    const double e = number_or(c, row(kParameters, "restitution"), 0);
    p.beta =
        e > 0 ? (p.clamped > 0 ? ratio_with_clamp(e) : ratio_without_clamp(e)) : number(c, row(kParameters, "beta"));
    p.attraction = number(c, row(kParameters, "attraction"));
    p.reach = p.attraction > 0 ? number(c, row(kParameters, "range")) : 0;
    p.gap_damping = chosen(c, word(kParameters, "pseudo_damping", "on")) ? 1 : 0;
    return p;
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, const Geometry<T>& g) {
    return select(g.overlap > T(0), T(p.k), select(g.overlap > T(-p.reach), T(p.attraction), T(0)));
  }
  template <class T>
  AREIA_PORTABLE static T elastic(const Pair& p, const Geometry<T>& g) {
    return stiffness(p, g) * g.overlap;
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g) {
    return select(g.overlap > T(-p.reach),
                  0.5 * (stiffness(p, g) * g.overlap * g.overlap - p.attraction * p.reach * p.reach), T(0));
  }
  // The same at any overlap; in the gap it acts where the case says so.
  template <class T>
  AREIA_PORTABLE static T damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    const T touching = 2 * p.beta * sqrt_of(m_star * p.k);
    return select(g.overlap > T(0), touching, p.gap_damping * touching);
  }
  template <class T>
  AREIA_PORTABLE static T mean_damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return damper(p, g, m_star);
  }
  static bool shares(const Pair& p) { return p.beta > kCrowdedNormal; }

  template <class T>
  AREIA_PORTABLE static NormalForce<T> force(const Pair& p, const Contact<T>& c) {
    const T k = stiffness<T>(p, c);
    const T spring = k * c.overlap;
    const T sum = damped_normal<Linear>(p, c, spring, damper<T>(p, c, c.m_star), !(p.reach > 0 && p.gap_damping > 0));
    const T pressing = select(c.overlap > T(0), max_of(sum, T(0)), T(0));
    return {select(c.overlap > T(0), p.clamped > 0 ? pressing : sum, sum), spring, k, pressing,
            damper<T>(p, c, c.m_star)};
  }

  static double largest_overlap(const Pair& p, const Geometry<double>& /*g*/, double m_star, double v) {
    return v * std::sqrt(m_star / p.k);
  }
  static double contact_time(const Pair& p, const Geometry<double>& /*g*/, double m_star, double /*v*/) {
    return std::numbers::pi * std::sqrt(m_star / p.k);
  }
};

}  // namespace areia
