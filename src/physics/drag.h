// Drag of a fluid on a sphere. Theory, section 4; 000 section 2.5 (Chow's table), 001 (73).
//
//   u = v - v_f, Re = 2 r rho_f |u| / eta_f
//   chow    f = -(1/2) rho_f C_D pi r^2 |u| u, evaluated as -6 pi eta_f r u for Re <= 1
//   schiller_naumann  the same with C_D = (24/Re)(1 + 0.15 Re^0.687) for Re < 1000 and 0.44 above, evaluated as
//           -6 pi eta_f r (1 + 0.15 Re^0.687) u below, which has its limit at rest (Schiller and Naumann 1933)
//   linear  f = -p_A u
//   stokes  f = -6 pi c_e r u
// The force acts on the sphere, against its velocity relative to the fluid. C_D jumps from 0.5 to 0.080 at Re = 3e5.
#pragma once
#include <cmath>
#include <numbers>

#include "areia/case.h"
#include "core/elementary.h"

namespace areia {

// Drag coefficient of a smooth sphere, Re > 0.
AREIA_PORTABLE inline double chow_drag_coefficient(double re) {
  if (re <= 1) return 24 / re;
  if (re <= 400) return 24 * power_of(re, -0.646);
  if (re <= 3e5) return 0.5;
  if (re <= 2e6) return 0.000366 * power_of(re, 0.4275);
  return 0.18;
}

// What Stokes' drag is multiplied with below Re = 1000, and C_D from there on; C_D goes from 0.4383 to 0.44 there.
inline constexpr double kNewtonFrom = 1000, kNewtonDrag = 0.44;
AREIA_PORTABLE inline double schiller_naumann_factor(double re) {
  return re > 0 ? 1 + 0.15 * power_of(re, 0.687) : 1.0;
}

// c of f = -c u at the relative speed |u|.
inline double drag_factor(const Fluid& fluid, double radius, double speed) {
  using std::numbers::pi;
  switch (fluid.drag) {
    case Fluid::Drag::none:
      return 0;
    case Fluid::Drag::chow: {
      const double re = 2 * radius * fluid.density * speed / fluid.viscosity;
      if (re <= 1) return 6 * pi * fluid.viscosity * radius;
      return 0.5 * fluid.density * chow_drag_coefficient(re) * pi * radius * radius * speed;
    }
    case Fluid::Drag::schiller_naumann: {
      const double re = 2 * radius * fluid.density * speed / fluid.viscosity;
      if (re < kNewtonFrom) return 6 * pi * fluid.viscosity * radius * schiller_naumann_factor(re);
      return 0.5 * fluid.density * kNewtonDrag * pi * radius * radius * speed;
    }
    case Fluid::Drag::linear:
      return fluid.coefficient;
    case Fluid::Drag::stokes:
      return 6 * pi * (fluid.coefficient > 0 ? fluid.coefficient : fluid.viscosity) * radius;
  }
  return 0;
}

inline Vec3d drag_force(const Fluid& fluid, double radius, const Vec3d& u) {
  return -drag_factor(fluid, radius, norm(u)) * u;
}

}  // namespace areia
