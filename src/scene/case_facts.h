// What several rooms ask about a case as a whole.
#pragma once
#include <algorithm>
#include <variant>

#include "areia/case.h"

namespace areia {

// Whether particles come while it runs.
inline bool has_streams(const Case& c) {
  return std::any_of(c.particles.begin(), c.particles.end(),
                     [](const ParticleSet& s) { return std::holds_alternative<Stream>(s.source); });
}

// s, of all stages together, as far as they say how long they last; 10 s if none does. What is known of a formula of
// time is what samples over this time show.
inline double known_duration(const Case& c) {
  double sum = 0;
  for (const Stage& s : c.stages) sum += s.duration;
  return sum > 0 ? sum : 10;
}

// Whether any stage sets other values of keys.
inline bool any_settings(const Case& c) {
  return std::any_of(c.stages.begin(), c.stages.end(), [](const Stage& s) { return !s.set.empty(); });
}

// Whether the surface turns about another axis than this one, along which the domain repeats itself: its speed differs
// from one period to the next.
inline bool turns_across(const Surface& s, const Domain& d, int axis) {
  const Vec3d along{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
  return s.rate != 0 && d.periodic[static_cast<std::size_t>(axis)] && norm(cross(s.axis, along)) > 1e-12 * norm(s.axis);
}

}  // namespace areia
