// Adhesive elastic contact after Johnson, Kendall and Roberts. w: work of adhesion per area, a: radius of contact.
//
//   delta = a^2/r* - sqrt(2 pi w a/E*)
//   N     = 4 E* a^3/(3 r*) - sqrt(8 pi w E* a^3)      pull-off at N = -(3/2) pi w r*
// A contact begins when the bodies touch (delta = 0, already under tension) and lasts into the gap, down to
//   delta_c = -(3/4) (pi^2 w^2 r*/E*^2)^(1/3)
// where it lets go. With x = sqrt(a) the first line is x^4/r* - sqrt(2 pi w/E*) x - delta = 0. Its left side is convex
// for x > 0 and the stable branch is its largest root, so Newton's iteration from above falls steadily onto it; the
// number of iterations is fixed, so that every lane of a vector does the same. Energy, from touching on: U(a) - U(a_0),
// U = 8 E* a^5/(15 r*^2) - (4/3) sqrt(2 pi w E*) a^(7/2)/r* + pi w a^2 (the integral of N d(delta)); what is left of it
// when the contact lets go is dissipated. Damping as in Hertz's law, on k = 2 E* a. Friction is limited by mu (N + 3 pi
// w r*): by the load that would give the same area without adhesion, to the order of the pull-off force.
#pragma once
#include <cmath>
#include <numbers>

#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/hertz.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct Jkr {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"work", "J/m^2", kLeastPositive, kUnbounded, kRequired, "work of adhesion w per area"},
      {"xi", "", 0, 100, 0, "damping ratio, on the stiffness 2 E* a"},
  };
  static constexpr LawInfo kInfo{"normal",
                                 "jkr",
                                 "Adhesive elastic contact of soft bodies, with its tensile branch.",
                                 "JKR 1971",
                                 kParameters,
                                 "young",
                                 "adhesion",
                                 "it holds the adhesion of the contact already"};

  struct Pair {
    double e_star = 0, xi = 0, work = 0;
    double b = 0;      // sqrt(2 pi w/E*)
    double reach = 0;  // -delta_c/r*^(1/3)
    double start = 0;  // (2 b)^(1/3)
  };
  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    p.e_star = areia::e_star(m);
    p.xi = number(c, row(kParameters, "xi"));
    p.work = number(c, row(kParameters, "work"));
    const double a = std::numbers::pi * p.work / p.e_star;
    p.b = std::sqrt(2 * a);
    p.reach = 0.75 * cbrt_of(a * a);
    p.start = cbrt_of(2 * p.b);
    return p;
  }

  AREIA_PORTABLE static double form_range(const Pair&, double /*r_star*/) { return 0; }
  AREIA_PORTABLE static double hold_range(const Pair& p, double r_star) { return p.reach * cbrt_of(r_star); }

  // Radius of contact at an overlap, on the stable branch.
  template <class T>
  AREIA_PORTABLE static T radius_at(const Pair& p, T r_star, T overlap) {
    const T third = cbrt_of(r_star);
    const T delta = max_of(overlap, -(p.reach * third));
    // above the root: half of x^4/r* exceeds b x by the second part, the other half delta by the first
    T x = sqrt_of(sqrt_of(2 * r_star * max_of(delta, T(0)))) + p.start * third;
    for (int k = 0; k < 20; ++k) {
      const T x2 = x * x;
      const T slope = 4 * x2 * x / r_star - p.b;
      x = x - (x2 * x2 / r_star - p.b * x - delta) / divisor_of(slope);
    }
    return x * x;
  }
  template <class T>
  AREIA_PORTABLE static T elastic(const Pair& p, const Geometry<T>& g) {
    return force_of(p, g.r_star, radius_at(p, g.r_star, g.overlap));
  }
  template <class T>
  AREIA_PORTABLE static T force_of(const Pair& p, T r_star, T a) {
    const T a3 = a * a * a;
    return (4.0 / 3) * p.e_star * a3 / r_star - sqrt_of(8 * std::numbers::pi * p.work * p.e_star * a3);
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g) {
    auto potential = [&](const T& a) {
      const T a2 = a * a, bent = sqrt_of(2 * std::numbers::pi * p.work * p.e_star * a) * a2 * a;
      return (8.0 / 15) * p.e_star * a2 * a2 * a / (g.r_star * g.r_star) - (4.0 / 3) * bent / g.r_star +
             std::numbers::pi * p.work * a2;
    };
    return potential(radius_at(p, g.r_star, g.overlap)) - potential(radius_at(p, g.r_star, T(0)));
  }
  template <class T>
  AREIA_PORTABLE static T damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    return 2 * p.xi * sqrt_of(2 * m_star * p.e_star * radius_at(p, g.r_star, g.overlap));
  }
  // From touching on: between that of a constant and that of Hertz's law, by the radius at touching.
  template <class T>
  AREIA_PORTABLE static T mean_damper(const Pair& p, const Geometry<T>& g, const T& m_star) {
    Geometry<T> touching = g;
    touching.overlap = T(0);
    return 0.2 * damper(p, touching, m_star) + 0.8 * damper(p, g, m_star);
  }
  static bool shares(const Pair& p) { return p.xi > kCrowdedNormal; }

  template <class T>
  AREIA_PORTABLE static NormalForce<T> force(const Pair& p, const Contact<T>& c) {
    const T a = radius_at(p, c.r_star, c.overlap);
    const T stiffness = 2 * p.e_star * a;
    const T spring = force_of(p, c.r_star, a);
    const T dashpot = 2 * p.xi * sqrt_of(c.m_star * stiffness);
    const T sum = damped_normal<Jkr>(p, c, spring, dashpot);
    return {sum, spring, stiffness, max_of(sum + 3 * std::numbers::pi * p.work * c.r_star, T(0)), dashpot};
  }

  // The adhesion hardly changes the time of an impact: that of Hertz.
  static double largest_overlap(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    return Hertz::largest_overlap({.e_star = p.e_star}, g, m_star, v);
  }
  static double contact_time(const Pair& p, const Geometry<double>& g, double m_star, double v) {
    return Hertz::contact_time({.e_star = p.e_star}, g, m_star, v);
  }
};

}  // namespace areia
