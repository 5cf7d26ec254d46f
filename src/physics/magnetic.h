// Turning of a velocity in a magnetic field: m dv/dt = q v x B. Theory, section 3, 000 (2.35).
//
// Boris' rotation: with t = (q/m) B dt/2, v' = v + v x t, v1 = v + v' x 2t/(1+t^2). It turns v by 2 atan(|t|) about -B
// and keeps |v| exactly: the field does no work. A positive charge turns clockwise seen against B.
#pragma once
#include "areia/vec3.h"

namespace areia {

// qb = (q/m) B.
AREIA_PORTABLE inline Vec3d turned_by_magnetic(const Vec3d& v, const Vec3d& qb, double dt) {
  const Vec3d t = (0.5 * dt) * qb;
  return v + cross(v + cross(v, t), (2 / (1 + norm2(t))) * t);
}

}  // namespace areia
