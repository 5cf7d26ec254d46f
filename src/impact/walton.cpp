// Walton (docs/impact.md): D_NE = -e D_NA and D_TE = -e_t D_TA, unless friction cannot give that much. The
// three-coefficient law of hard spheres, written for any local mass matrix; may create energy where B is not 0.
#include "impact/coulomb.h"

namespace areia::impact {

void walton(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  if (m.rank_one())
    return refuse(r, Status::singular,
                  "Delta = 0: the tangential velocity follows from the normal one, it has no "
                  "restitution of its own");
  const CoulombPoint x = on_line(m.A, m.B, m.C, -(1 + c.e) * a.DNA, (1 + c.et) * a.DTA, c.mu);
  r.I = {x.IN, x.IT, 0};
  r.mode = x.slip == 0 ? "rebound" : "sliding";
}

}  // namespace areia::impact
