// One impact of two bodies, step by step as an engine would take it: what a finite step makes of a restitution.
#pragma once
#include "areia/case.h"
#include "physics/interaction.h"

namespace areia {

struct ImpactPair1d {
  const Interaction& laws;
  Geometry<double> bodies;  // overlap not known
  double m_star;
  double speed;  // of closing
};

// The speed with which they part over that with which they came, 0 if they stay together. They begin so many steps, one
// at least, before a contact does.
double restitution_of(const ImpactPair1d& pair, Scheme scheme, double dt, double steps_before);

struct RestitutionAtStep {
  double limit;        // of small steps
  double least, most;  // over the moments of a step at which they may touch
  bool holds() const;  // within 2 % of the limit
};
RestitutionAtStep restitution_at_step(const ImpactPair1d& pair, Scheme scheme, double dt);

}  // namespace areia
