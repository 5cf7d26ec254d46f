// Magnus force: f = M w x u on a sphere that turns with w and moves with u relative to the fluid. Theory, section 4;
// 000 section 2.6. It is normal to u, so that in a fluid at rest it does no work: as u x (-M w) it turns u about w, and
// the schemes turn it as they do in a magnetic field (magnetic.h).
#pragma once
#include "areia/vec3.h"

namespace areia {

AREIA_PORTABLE inline Vec3d magnus_force(double m, const Vec3d& w, const Vec3d& u) { return m * cross(w, u); }

}  // namespace areia
