// A liquid bridge of constant volume between two bodies.
//
// The bridge of volume V fills the gap around the contact out to the neck radius b. With the gap profile h + rho^2/(2
// r*) its volume is V = pi b^2 h + pi b^4/(4 r*), so b^2 = 2 r* (sqrt(h^2 + V/(pi r*)) - h), and the capillary pressure
// 2 gamma cos(theta)/(h + b^2/(2 r*)) over pi b^2 pulls with
//   F(h) = 4 pi r* gamma cos(theta) (1 - h/sqrt(h^2 + V/(pi r*)))      h = -delta in the gap, 0 in contact
// It forms when the bodies touch and breaks at h_c = (1 + theta/2) V^(1/3) (Lian, Thornton and Adams 1993). Stored,
// from touching on: U(h) = 4 pi r* gamma cos(theta) (h + sqrt(V/(pi r*)) - sqrt(h^2 + V/(pi r*))), -F(0) delta in
// contact; what is left of it when the bridge breaks is dissipated.
#pragma once
#include <numbers>

#include "core/rotation.h"
#include "physics/adhesion.h"

namespace areia {

struct AdhesionCapillary {
  static constexpr int kScalars = 0, kVectors = 0;
  static constexpr bool kShears = false;
  static constexpr ParameterInfo kParameters[] = {
      {"tension", "N/m", 0, kUnbounded, kRequired, "surface tension gamma of the liquid"},
      {"volume", "m^3", kLeastPositive, kUnbounded, kRequired, "volume V of each bridge"},
      {"angle", "rad", 0, std::numbers::pi / 2, 0, "contact angle theta"},
      kInFriction,
  };
  static constexpr LawInfo kInfo{"adhesion", "capillary",
                                 "A liquid bridge that forms on touching and breaks at a distance.",
                                 "derived; rupture by Lian et al. 1993", kParameters};

  struct Pair {
    double pull = 0, volume = 0, rupture = 0, in_friction = 0;  // pull: 4 pi gamma cos(theta)
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    const double angle = number(c, row(kParameters, "angle")), volume = number(c, row(kParameters, "volume"));
    return {4 * std::numbers::pi * number(c, row(kParameters, "tension")) * sin_cos(angle).cos, volume,
            (1 + 0.5 * angle) * cbrt_of(volume), areia::in_friction(c)};
  }
  AREIA_PORTABLE static double form_range(const Pair&, double /*r_star*/) { return 0; }
  AREIA_PORTABLE static double hold_range(const Pair& p, double /*r_star*/) { return p.rupture; }

  template <class T>
  AREIA_PORTABLE static AdhesionForce<T> force(const Pair& p, const Contact<T>& c, T /*normal*/,
                                               Memory<T, 0, 0>& /*memory*/) {
    const T h = max_of(-c.overlap, T(0));
    const T root = sqrt_of(h * h + p.volume / (std::numbers::pi * c.r_star));
    return {p.pull * c.r_star * (1 - h / root), {T(0), T(0), T(0)}};
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 0, 0>&) {
    const T h = max_of(-g.overlap, T(0)), f = p.pull * g.r_star;
    const T v = p.volume / (std::numbers::pi * g.r_star);
    return f * (h + sqrt_of(v) - sqrt_of(h * h + v)) - f * max_of(g.overlap, T(0));
  }
  static double stiffness(const Pair&, const Geometry<double>&, double) { return 0; }
};

}  // namespace areia
