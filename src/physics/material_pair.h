// Effective quantities of two materials. Theory, section 6.
//
//   1/E* = (1-nu_i^2)/E_i + (1-nu_j^2)/E_j
//   1/G* = (2-nu_i)/G_i + (2-nu_j)/G_j   (mindlin)     1/G* = 1/G_i + 1/G_j   (source, 000 (2.86))
// A rigid partner has no compliance of its own: its term is left out. `source93` (000 (2.93)) takes E* = E_i and
// G* = G_i at a rigid wall (erratum E11).
#pragma once
#include "areia/case.h"
#include "physics/law_info.h"

namespace areia {

struct MaterialPair {
  const Material& i;
  const Material& j;
};

inline double shear_modulus(const Material& m) { return m.young / (2 * (1 + m.poisson)); }

inline double normal_compliance(const Material& m) { return m.rigid ? 0 : (1 - m.poisson * m.poisson) / m.young; }

inline double e_star(const MaterialPair& p, bool source93 = false) {
  if (source93 && p.j.rigid) return p.i.young;
  if (source93 && p.i.rigid) return p.j.young;
  return 1 / (normal_compliance(p.i) + normal_compliance(p.j));
}

inline double g_star(const MaterialPair& p, bool mindlin) {
  auto compliance = [&](const Material& m) { return m.rigid ? 0 : (mindlin ? 2 - m.poisson : 1.0) / shear_modulus(m); };
  return 1 / (compliance(p.i) + compliance(p.j));
}

// For laws that let the case choose.
inline constexpr ParameterInfo kShearModulus{
    "shear_modulus", "", 0, 0, 0, "effective shear modulus: Mindlin's, or 000 (2.86)", "mindlin|source"};
inline double g_star(const MaterialPair& p, const LawChoice& c) {
  return g_star(p, chosen(c, word(kShearModulus, "mindlin")));
}

// Share of the overlap that body i takes: E* (1-nu_i^2)/E_i. The softer body takes more; the shares sum to 1.
// Theory, section 6, erratum E8. Pairs without moduli (linear law) share equally, a rigid partner takes nothing.
inline double overlap_share_of_i(const MaterialPair& p) {
  if (p.i.rigid) return 0;
  if (p.j.rigid) return 1;
  if (p.i.young <= 0 || p.j.young <= 0) return 0.5;
  return e_star(p) * normal_compliance(p.i);
}

}  // namespace areia
