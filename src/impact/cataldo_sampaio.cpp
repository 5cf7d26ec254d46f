// C-S, Cataldo and Sampaio (docs/impact.md): Poisson's coefficient, Coulomb's law in each stage with the reversible
// shift, and a moment coefficient in each stage. Without moment impulse it is Glocker-Pfeiffer's second case.
#include "impact/moment.h"
#include "impact/stages.h"

namespace areia::impact {

namespace {

struct Expansion {
  Impulse I;
  Velocity E;
  double shift = 0;
  int slip = 0;
};

Expansion expand(const LocalMass& m, const Model& c, const Impulse& IC, const Velocity& C, double phi, double INE) {
  const Reduced q = reduce(m, C, phi);
  const ExpansionCone cone = expansion_cone(c, IC.N, IC.T, INE);
  Expansion x;
  x.shift = cone.shift;
  // The moment impulse may take all tangential compliance; then friction cannot change the slip and takes its side.
  const double stick = q.B * INE - q.dT;
  const double IT = q.C > kZero * m.C ? within(stick / q.C, cone.lo, cone.hi, x.slip)
                    : stick > 0       ? (x.slip = -1, cone.hi)
                    : stick < 0       ? (x.slip = +1, cone.lo)
                                      : std::clamp(0.0, cone.lo, cone.hi);
  x.I = {INE, IT, moment_impulse(m, C, phi, INE, IT)};
  x.E = C + m.change(x.I);
  return x;
}

}  // namespace

void cataldo_sampaio(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  const double phiC = moment_compliance(c.emC, c.moment_law, m.F);
  const double phiE = moment_compliance(c.emE, c.moment_law, m.F);
  if (std::isinf(phiC) || std::isinf(phiE))
    return refuse(r, Status::singular, "the moment law `source` has no solution at e_m = -1/2",
                  std::isinf(phiC) ? "compression" : "expansion");
  for (const double phi : {phiC, phiE}) {
    const Reduced q = reduce(m, a.velocity(), phi);
    const char* phase = phi == phiC ? "compression" : "expansion";
    if (q.A <= kZero * m.A)
      return refuse(r, Status::singular,
                    "the moment impulse leaves no normal compliance: A' = A - phi D^2 is not positive", phase);
    // phi F > 1, which only the literal moment laws reach: friction would act with its sign reversed.
    if (q.C < -kZero * m.C || q.A * q.C - q.B * q.B < -kZero * m.A * m.C)
      return refuse(r, Status::singular, "with this moment law the reduced local mass matrix is indefinite", phase);
  }

  const Reduced q = reduce(m, a.velocity(), phiC);
  const double p = -q.dN;
  if (p <= 0)
    return refuse(r, Status::moment_infeasible, "the moment impulse alone would stop the approach", "compression");
  const CoulombPoint x = on_line(q.A, q.B, q.C, p, q.dT, c.mu);
  if (!x.exists) return refuse(r, Status::no_solution, kCompressionJam, "compression");
  r.IC = {x.IN, x.IT, moment_impulse(m, a.velocity(), phiC, x.IN, x.IT)};
  const Velocity change = m.change(r.IC);
  r.C = {0, x.slip == 0 && q.C > kZero * m.C ? 0.0 : a.DTA + change.T, a.DthA + change.th};

  Expansion y = expand(m, c, r.IC, r.C, phiE, c.e * x.IN);
  const double least = -1e-12 * std::fabs(a.DNA);
  if (y.E.N < least) {
    // The moment impulse turned the bodies into each other again: more normal impulse until they part. D_NE is a
    // continuous piecewise linear function of I_NE, so a bracket and bisection to the last bit find it.
    double lo = y.I.N, hi = std::max(y.I.N, 1e-3 * x.IN);
    for (int i = 0; i < 200 && (y = expand(m, c, r.IC, r.C, phiE, hi)).E.N < 0; ++i) {
      lo = hi;
      hi *= 2;
    }
    if (!(y.E.N >= 0)) return refuse(r, Status::no_solution, "no normal impulse parts the bodies", "expansion");
    for (double mid = lo + (hi - lo) / 2; lo < mid && mid < hi; mid = lo + (hi - lo) / 2)
      (expand(m, c, r.IC, r.C, phiE, mid).E.N < 0 ? lo : hi) = mid;
    y = expand(m, c, r.IC, r.C, phiE, hi);
    r.extra_normal = true;
  }
  r.stages = true;
  r.IE = y.I;
  r.ITS2 = y.shift;
  r.I = r.IC + r.IE;
  r.mode = stage_modes(x.slip, y.slip);
}

}  // namespace areia::impact
