// Adhesion of stiff, small bodies after Derjaguin, Muller and Toporov: a constant pull while they touch.
//
//   f_i = + 2 pi w r* n   while delta > 0,   w: work of adhesion per area (twice the surface energy of equal bodies)
// With Hertz contact the sum is tensile at small overlaps; pulled apart, the bodies part at delta = 0 with the force
// 2 pi w r*. Stored: U = -2 pi w r* delta.
#pragma once
#include <numbers>

#include "physics/adhesion.h"

namespace areia {

struct AdhesionDmt {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr bool kShears = false;
  static constexpr ParameterInfo kParameters[] = {
      {"work", "J/m^2", 0, kUnbounded, kRequired, "work of adhesion w per area"},
      kInFriction,
  };
  static constexpr LawInfo kInfo{"adhesion", "dmt", "Constant pull of touching bodies (Derjaguin, Muller, Toporov).",
                                 "DMT 1975", kParameters};

  struct Pair {
    double work = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "work")), areia::in_friction(c)};
  }
  template <class T>
  AREIA_PORTABLE static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/,
                                               Memory<T, 0, 0>& /*memory*/) {
    const T pull = 2 * std::numbers::pi * p.work * c.r_star;
    return {select(c.overlap > T(0), pull, T(0)), {T(0), T(0), T(0)}};
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 0, 0>&) {
    return -(2 * std::numbers::pi * p.work * g.r_star * max_of(g.overlap, T(0)));
  }
  static double stiffness(const Pair&, const Geometry<double>&, double) { return 0; }
};

}  // namespace areia
