// Fremond (docs/impact.md): viscous impulses I_N = -K_N (D_NA + D_NE), I_T = -K_T (D_TA + D_TE) within Coulomb's cone,
// and a reaction that forbids penetration. No gain of energy: dT = -(a_N I_N^2 + a_T I_T^2)/2 with a = 1/K.
#include "impact/coulomb.h"

namespace areia::impact {

namespace {

// a_T infinite: no tangential impulse at all.
CoulombPoint on_viscous_line(double A, double B, double C, double p, double d, double mu) {
  return std::isinf(C) ? CoulombPoint{p / A, 0, 0, true} : on_line(A, B, C, p, d, mu);
}

}  // namespace

void fremond(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  const double aN = c.KN > 0 ? 1 / c.KN : m.A * (1 - c.e) / (1 + c.e);
  const double aT = c.KT != kNotGiven ? 1 / c.KT : c.et == -1 ? kInfinite : m.C * (1 - c.et) / (1 + c.et);
  // Twice the mean velocity is D_A + D_E = 2 D_A + (change), so the law is Coulomb's on a line with larger compliances.
  CoulombPoint x = on_viscous_line(m.A + aN, m.B, m.C + aT, -2 * a.DNA, 2 * a.DTA, c.mu);
  bool reaction = false;
  if (x.exists && a.DNA + m.A * x.IN - m.B * x.IT < -kZero * std::fabs(a.DNA)) {
    x = on_viscous_line(m.A, m.B, m.C + aT, -a.DNA, 2 * a.DTA, c.mu);
    reaction = true;
  }
  if (!x.exists)
    return refuse(r, Status::no_solution,
                  "jam: the mean slip is fixed, and the friction that opposes it grows faster than "
                  "the normal impulse can turn the approach round");
  r.I = {x.IN, x.IT, 0};
  r.reaction = reaction ? x.IN + a.DNA / aN : 0.0;
  r.mode = x.slip == 0 ? (reaction ? "viscous+reaction" : "viscous") : (reaction ? "sliding+reaction" : "sliding");
}

}  // namespace areia::impact
