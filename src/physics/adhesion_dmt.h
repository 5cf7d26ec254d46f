// Adhesion of stiff, small bodies after Derjaguin, Muller and Toporov: a constant pull while they touch.
//
//   f_i = + 2 pi w r* n   while delta > 0,   w: work of adhesion per area (twice the surface energy of equal bodies)
// With Hertz contact the sum is tensile at small overlaps; pulled apart, the bodies part at delta = 0 with the force
// 2 pi w r*. Stored: U = -2 pi w r* delta.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct AdhesionDmt {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr ParameterInfo kParameters[] = {
      {"work", "J/m^2", 0, kUnbounded, kRequired, "work of adhesion w per area"},
      {"friction", "", 0, 0, 0, "normal force in the limit of friction: of the contact alone, or with the adhesion",
       "contact|with_adhesion"},
  };
  static constexpr LawInfo kInfo{"adhesion", "dmt", "Constant pull of touching bodies (Derjaguin, Muller, Toporov).",
                                 "DMT 1975", kParameters};

  struct Pair {
    double work = 0, in_friction = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, "work", 0), word(c, "friction", "contact") == "with_adhesion" ? 1.0 : 0.0};
  }
  template <class T>
  static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/, Memory<T, 0, 0>& /*memory*/) {
    const T pull = 2 * 3.14159265358979323846 * p.work * c.r_star;
    return {select(c.overlap > T(0), pull, T(0)), {T(0), T(0), T(0)}};
  }
  template <class T>
  static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 0, 0>&) {
    return -(2 * 3.14159265358979323846 * p.work * g.r_star * max_of(g.overlap, T(0)));
  }
  static double stiffness(const Pair&, const Geometry<double>&, double) { return 0; }
};

}  // namespace areia
