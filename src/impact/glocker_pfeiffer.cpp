// Glocker-Pfeiffer (docs/impact.md): Poisson's coefficient, Coulomb's law in each stage, in the second case with a
// tangential impulse that is partly given back. No gain of energy.
#include "impact/stages.h"

namespace areia::impact {

void glocker_pfeiffer(const LocalMass& m, const Pre& a, const Model& model, Impact& r) {
  Model c = model;
  if (c.law == Law::gp1) c.et = c.nu = 0;
  const CoulombPoint x = on_line(m.A, m.B, m.C, -a.DNA, a.DTA, c.mu);
  if (!x.exists) return refuse(r, Status::no_solution, kCompressionJam, "compression");
  r.stages = true;
  r.IC = {x.IN, x.IT, 0};
  const Velocity change = m.change(r.IC);
  r.C = {0, x.slip == 0 ? 0.0 : a.DTA + change.T, a.DthA + change.th};

  const double INE = c.e * x.IN;
  const ExpansionCone cone = expansion_cone(c, x.IN, x.IT, INE);
  int slip = 0;
  r.IE = {INE, within((m.B * INE - r.C.T) / m.C, cone.lo, cone.hi, slip), 0};
  r.ITS2 = cone.shift;
  r.I = r.IC + r.IE;
  r.mode = stage_modes(x.slip, slip);
}

}  // namespace areia::impact
