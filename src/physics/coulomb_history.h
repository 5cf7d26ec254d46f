// Coulomb friction with a tangential spring that remembers. 000 section 2.10, theory manual, section 8; E9 and E10.
// Two coefficients are in coulomb_stick_slip.h, variants of other codes in coulomb_variants.h.
//
//   s     <- s - (s.n) n                      on the present tangent plane (or turned, keeping |s|)
//   s_try  = s + v_t dt
//   f_try  = -(k_t s_try + c_t v_t),   k_t = 8 G* a,  a = sqrt(r* delta),  c_t = 2 xi sqrt(m* k_t), held back as in
//                                      dashpot.h
//   |f_try| <= mu_s N : stick: f = f_try,  s = s_try
//   otherwise         : slip:  t = f_try/|f_try|,  f = mu_d N t,  s = -(mu_s N/k_t) t
#pragma once
#include <string_view>

#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/friction.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct CoulombHistory {
  static constexpr int kScalars = 0, kVectors = 1;  // s
  static constexpr ParameterInfo kParameters[] = {
      kMu,
      kMuStatic,
      kMuDynamic,
      {"xi", "", 0, 100, 0, "damping ratio of the tangential spring"},
      kShearModulus,
      {"projection", "", 0, 0, 0, "the spring on a turning contact plane: projected, or turned with |s| kept",
       "project|rotate"},
  };
  static constexpr LawInfo kInfo{
      "tangential",       "coulomb_history", "Tangential spring and dashpot with a Coulomb limit and memory.",
      "000 section 2.10", kParameters,       "young"};

  struct Pair {
    double g_star = 0, mu_s = 0, mu_d = 0, rotate = 0, xi = 0;
    double damper = 0;  // c_t/sqrt(m* a) = 2 xi sqrt(8 G*)
  };

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    const Friction mu = friction_of(c);
    p.mu_s = mu.mu_s;
    p.mu_d = mu.mu_d;
    p.g_star = areia::g_star(m, c);
    p.xi = number(c, row(kParameters, "xi"));
    p.damper = 2 * p.xi * std::sqrt(8 * p.g_star);
    p.rotate = chosen(c, word(kParameters, "projection", "rotate")) ? 1 : 0;
    return p;
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, T contact_radius) {
    return 8 * p.g_star * contact_radius;
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 0, 1>& memory) {
    return 0.5 * stiffness(p, g.contact_radius) * norm2(memory.vector[0]);
  }

  static bool shares(const Pair& p) { return p.xi > kCrowdedTangential; }

  // The committed elongation, brought to the present tangent plane.
  template <class T>
  AREIA_PORTABLE static Vec3<T> on_tangent_plane(const Pair& p, const Vec3<T>& s, const Vec3<T>& n) {
    Vec3<T> t = s - dot(s, n) * n;
    if (p.rotate > 0) {
      const T flat = norm2(t);
      t *= select(flat > T(0), sqrt_of(norm2(s) / divisor_of(flat)), T(1));
    }
    return t;
  }

  template <class T>
  AREIA_PORTABLE static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T normal,
                                                 Memory<T, 0, 1>& memory) {
    return stick_or_slip(p, c, normal, memory.vector[0]).force;
  }

  template <class T>
  struct StickOrSlip {
    TangentialForce<T> force;
    decltype(T() <= T()) stick;
  };
  // Renews the elongation s.
  template <class T>
  [[gnu::always_inline]] AREIA_PORTABLE static StickOrSlip<T> stick_or_slip(const Pair& p, const Contact<T>& c,
                                                                            const T& normal, Vec3<T>& s) {
    const Vec3<T> s_tangent = on_tangent_plane(p, s, c.n);
    const T k = stiffness(p, c.contact_radius);
    const Vec3<T> s_try = s_tangent + c.dt * c.v_t;
    const T damper = held_back_sliding<T>(c, p.damper * sqrt_of(c.m_star * c.contact_radius));
    const Vec3<T> f_try = (-k) * s_try - damper * c.v_t;
    const T size2 = norm2(f_try);
    const T limit = p.mu_s * normal;
    const auto stick = size2 <= limit * limit;
    // 1/(k_t |f_try|); the division does not wait for the root
    const T inverse = sqrt_of(size2) * (1 / divisor_of(k * size2));
    const T kept = select(stick, T(1), p.mu_d * normal * (k * inverse));
    const T back = -(limit * inverse);
    s = select(stick, s_try, back * f_try);
    const T power_before = -(stiffness(p, c.contact_radius_before) * dot(s_tangent, c.v_t));
    return {{kept * f_try, power_before, select(stick, damper, T(0))}, stick};
  }
};

}  // namespace areia
