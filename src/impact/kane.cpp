// Kane, also Whittaker (docs/impact.md): Newton's coefficient and Coulomb's law on the total impulses. May create
// energy.
#include "impact/coulomb.h"

namespace areia::impact {

void kane(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  const double p = -(1 + c.e) * a.DNA;
  const double mu0 = c.mu0 == kNotGiven ? c.mu : c.mu0;
  // Static friction above the sliding one: both may be consistent, sticking is taken.
  CoulombPoint x = on_line(m.A, m.B, m.C, p, a.DTA, mu0);
  if (mu0 != c.mu && (!x.exists || x.slip != 0)) {
    x = on_line(m.A, m.B, m.C, p, a.DTA, c.mu);
    if (x.exists && x.slip == 0)
      return refuse(
          r, Status::no_solution,
          "the static coefficient is too small to stick and below the sliding one, which would stop the slip");
  }
  if (!x.exists)
    return refuse(
        r, Status::no_solution,
        "jam: Delta = 0 fixes the slip, and the friction that opposes it grows faster than the normal impulse "
        "can turn the approach round");
  r.I = {x.IN, x.IT, 0};
  r.mode = x.slip == 0 ? "sticking" : "sliding";
}

}  // namespace areia::impact
