// What a test for rest waits for: the kinetic energy that contacts can still take away.
//
// A grain that stands on one contact and spins about its normal like a top does not slide and does not roll there. Of
// all laws only one of twisting resists it, so without such a law it spins for ever, and moves nothing by it: no force
// on any other body changes. The same is true of a grain that flies. Such spin is no unrest. What counts of the spin w
// of a body with the moment of inertia j is, of all its contacts, the most that one of them resists:
//   j |w|^2/2               with a law of twisting, and at a bond,
//   j |w - (w.n) n|^2/2     with friction, rolling resistance or adhesion, n the normal,
//   0                       else, and without any contact.
// It is zero where w lies along the normals of all contacts, and else not; the largest of several numbers has no order.
#pragma once
#include <algorithm>

#include "physics/interaction.h"

namespace areia {

inline double spin_energy(const Vec3d& w, double inv_j) { return inv_j > 0 ? 0.5 / inv_j * norm2(w) : 0; }

// By a contact in the direction of `way`, not zero, of any length and sign.
inline double resisted_spin(const Interaction& laws, const Vec3d& way, const Vec3d& w, double inv_j) {
  if (laws.part(kTwisting)) return spin_energy(w, inv_j);
  if (!laws.part(kTangential) && !laws.part(kRolling) && !laws.part(kAdhesion)) return 0;
  const double length = norm(way);
  if (!(length > 0)) return spin_energy(w, inv_j);
  const Vec3d n = (1 / length) * way;
  return spin_energy(w - dot(w, n) * n, inv_j);
}

}  // namespace areia
