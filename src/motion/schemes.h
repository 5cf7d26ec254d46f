// What the schemes of motion have in common, as far as backends ask.
#pragma once

#include "areia/case.h"
#include "physics/contact.h"

namespace areia {

// Forces at the beginning of the step; the others evaluate them at its end.
AREIA_PORTABLE inline bool forces_first(Scheme s) { return s == Scheme::kick_drift || s == Scheme::forward_euler; }

// An evaluation gives one whole kick; the others average the forces of two.
AREIA_PORTABLE inline bool kicks_once(Scheme s) { return s == Scheme::drift_kick || forces_first(s); }

// Forces see the velocity of the end of the step, while bodies moved at v - a dt/2.
AREIA_PORTABLE inline bool moves_at_mean(Scheme s) { return s == Scheme::velocity_verlet || s == Scheme::trapezoid; }

// What an evaluation of forces over dt does to velocities. velocity_verlet predicts the velocities that forces see; the
// implicit scheme sweeps until they are those of the end of the step.
AREIA_PORTABLE inline Kick kick_of(Scheme s, double dt) {
  if (s == Scheme::trapezoid) return {};
  return {dt, kicks_once(s) ? 0.5 * dt : 0};
}

}  // namespace areia
