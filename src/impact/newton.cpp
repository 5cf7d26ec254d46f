// Newton without friction (docs/impact.md): D_NE = -e D_NA, I_T = 0. dT = -(1 - e^2) D_NA^2 / (2A).
#include "impact/laws.h"

namespace areia::impact {

void newton(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  r.I = {-(1 + c.e) * a.DNA / m.A, 0, 0};
  r.mode = "frictionless";
}

}  // namespace areia::impact
