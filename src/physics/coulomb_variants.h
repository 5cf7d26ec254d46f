// The tangential spring of coulomb_history.h with the variants of other codes, for comparisons with them. Theory
// manual, section 8.1. Whatever is not chosen is as in coulomb_history.h.
//
//   stiffness_factor   k_t = factor 8 G* a
//   dashpot            c_t = 2 xi sqrt(m* k_t), c_t = factor c_n with the coefficient c_n of the normal law's dashpot,
//                      or c_t = factor c_n sqrt(k_t/k_n), which for Hertz's law is the same damping ratio; always held
//                      back as in dashpot.h
//   history, rescale   what stays from one evaluation to the next while the radius of contact goes from a_old to a:
//                      s (elongation) or k_t s (force), times min(1, a/a_old) if rescaled. As a factor h of s:
//                        elongation 1,  force a_old/a;   rescaled: min(1, a/a_old) and min(a_old/a, 1)
//   cap                what Coulomb's limit holds. `sum`: spring and dashpot together, and the spring alone is left at
//                      the limit. `remainder`: the same, and spring and dashpot together are left at it. `spring`: the
//                      spring; the dashpot comes on top while it sticks, and does not act while it slips.
//   limit              mu P, P the pressing force (the clamped N, and what adhesion adds to it), or mu max(P, |N|),
//                      where N < 0 while the dashpot of the normal law pulls
//
// A spring whose force is kept, not rescaled, gains energy when it unloads: the same force on a softer spring.
#pragma once
#include <string_view>

#include "physics/coulomb_history.h"

namespace areia {

struct CoulombVariants {
  static constexpr int kScalars = 0, kVectors = 2;  // s; the last kick without the dashpot's part of it
  static constexpr ParameterInfo kParameters[] = {
      kMu,
      kMuStatic,
      kMuDynamic,
      row(CoulombHistory::kParameters, "xi"),
      kShearModulus,
      row(CoulombHistory::kParameters, "projection"),
      {"stiffness_factor", "", 0.001, 1000, 1, "variant: stiffness of the spring over Mindlin's 8 G* a"},
      {"dashpot", "", 0, 0, 0,
       "variant: coefficient from `xi`, equal to that of the normal law, or from its damping ratio",
       "own|normal|normal_ratio"},
      {"dashpot_factor", "", 0, 100, 1, "times the coefficient that comes from the normal law"},
      {"history", "", 0, 0, 0, "variant: what a contact keeps while its stiffness changes", "elongation|force"},
      {"rescale", "", 0, 0, 0, "variant: what it keeps falls in proportion to the radius of contact", "off|on"},
      {"cap", "", 0, 0, 0,
       "variant: the limit holds spring and dashpot, leaving the spring or what remains beside the dashpot; or the "
       "spring alone",
       "sum|remainder|spring"},
      {"limit", "", 0, 0, 0, "variant: Coulomb's limit by the clamped normal force, or by its magnitude",
       "pressing|magnitude"},
  };
  static constexpr LawInfo kInfo{
      "tangential", CoulombHistory::kInfo.name, CoulombHistory::kInfo.text, CoulombHistory::kInfo.source,
      kParameters,  CoulombHistory::kInfo.needs};
  static constexpr std::string_view kTypeName = "coulomb_variants";

  struct Pair {
    CoulombHistory::Pair plain;
    double stiffness = 0;  // k_t/a
    double damper = 0;     // c_t/sqrt(m* a) by xi
    double of_normal = 0, of_ratio = 0, keeps_force = 0, rescales = 0, spring_alone = 0, remainder = 0, magnitude = 0;
  };

  // Whether a case asks for any of them.
  static bool serves(const LawChoice& c) {
    return c.law == kInfo.name &&
           (number(c, row(kParameters, "stiffness_factor")) != 1 || !chosen(c, word(kParameters, "dashpot", "own")) ||
            !chosen(c, word(kParameters, "history", "elongation")) || !chosen(c, word(kParameters, "rescale", "off")) ||
            !chosen(c, word(kParameters, "cap", "sum")) || !chosen(c, word(kParameters, "limit", "pressing")));
  }

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    const auto is = [&](const Word& w) { return chosen(c, w) ? 1.0 : 0.0; };
    p.plain = CoulombHistory::prepare(c, m);
    p.stiffness = number(c, row(kParameters, "stiffness_factor")) * 8 * p.plain.g_star;
    p.damper = 2 * p.plain.xi * std::sqrt(p.stiffness);
    const double factor = number(c, row(kParameters, "dashpot_factor"));
    p.of_normal = factor * is(word(kParameters, "dashpot", "normal"));
    p.of_ratio = factor * is(word(kParameters, "dashpot", "normal_ratio"));
    p.keeps_force = is(word(kParameters, "history", "force"));
    p.rescales = is(word(kParameters, "rescale", "on"));
    p.spring_alone = is(word(kParameters, "cap", "spring"));
    p.remainder = is(word(kParameters, "cap", "remainder"));
    p.magnitude = is(word(kParameters, "limit", "magnitude"));
    return p;
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, T contact_radius) {
    return p.stiffness * contact_radius;
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 0, 2>& memory) {
    return 0.5 * stiffness(p, g.contact_radius) * norm2(memory.vector[0]);
  }

  // The damping ratio of the normal law is not known here.
  static bool shares(const Pair& p) { return CoulombHistory::shares(p.plain) || p.of_normal > 0 || p.of_ratio > 0; }

  template <class T>
  AREIA_PORTABLE static T damper(const Pair& p, const Contact<T>& c, const T& k) {
    if (p.of_normal > 0) return p.of_normal * c.damper;
    if (p.of_ratio > 0)
      return p.of_ratio * c.damper * sqrt_of(select(c.stiffness > T(0), k / divisor_of(c.stiffness), T(0)));
    return p.damper * sqrt_of(c.m_star * c.contact_radius);
  }

  // The factor h of what is kept. Where there is no contact area there is no force to keep.
  template <class T>
  AREIA_PORTABLE static T kept(const Pair& p, const Contact<T>& c) {
    const T a = c.contact_radius, a_old = c.contact_radius_before;
    T h = 1;
    if (p.keeps_force > 0) h = select(a > T(0), a_old / divisor_of(a), T(0));
    if (p.rescales > 0) h = h * min_of(a / divisor_of(a_old), T(1));
    return h;
  }

  template <class T>
  AREIA_PORTABLE static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T pressing,
                                                 Memory<T, 0, 2>& memory) {
    const T k = stiffness(p, c.contact_radius);
    const Vec3<T> s_try = kept(p, c) * CoulombHistory::on_tangent_plane(p.plain, memory.vector[0], c.n) + c.dt * c.v_t;
    const T brake = held_back_sliding<T>(c, damper(p, c, k));
    const Vec3<T> spring = (-k) * s_try, dashpot = (-brake) * c.v_t;
    Vec3<T> judged = spring;
    if (!(p.spring_alone > 0)) judged += dashpot;
    T load = pressing;
    if (p.magnitude > 0) load = select(c.overlap > T(0), max_of(pressing, -c.normal), pressing);

    const T limit = p.plain.mu_s * load, size2 = norm2(judged);
    const auto stick = size2 <= limit * limit;
    const T inverse = 1 / sqrt_of(divisor_of(size2));
    Vec3<T> left = (limit * inverse) * judged;  // to the spring, when it slips
    if (p.remainder > 0) left -= dashpot;
    const T softness = select(k > T(0), 1 / divisor_of(k), T(0));
    memory.vector[0] = select(stick, s_try, (-softness) * left);

    const Vec3<T> f = select(stick, spring + dashpot, (p.plain.mu_d * load * inverse) * judged);
    const T acting = select(stick, brake, T(0));
    const Vec3<T> before = memory.vector[1];
    memory.vector[1] = last_kick<T, Vec3<T>>(c, f + acting * c.v_t, before);
    return {f, dot(before, c.v_t), acting};
  }
};

}  // namespace areia
