#include "engine/one_impact.h"

#include <algorithm>
#include <cmath>

#include "motion/explicit_step.h"
#include "motion/schemes.h"
#include "physics/touch.h"

namespace areia {

double restitution_of(const ImpactPair1d& pair, Scheme scheme, double dt, double steps_before) {
  constexpr double kLongest = 8;  // contact times, for those that hardly part or stay together
  const double inv_m = 1 / pair.m_star, r_star = pair.bodies.r_star, gap = pair.laws.form_range(r_star);
  const double contact_time = pair.laws.part(kNormal)->contact_time(pair.bodies, pair.m_star, pair.speed);
  Pace<double> velocity{{pair.speed, 0, 0}, {}}, old{};
  double overlap = -gap - steps_before * dt * pair.speed;
  double history[kMostHistory];
  bool exists = false, over = false;
  const auto drift = [&](const Pace<double>& pace) { overlap += dt * pace.move.x; };
  const auto steps = static_cast<std::int64_t>(
      std::ceil(steps_before + gap / (pair.speed * dt) + kLongest * std::max(1.0, contact_time / dt)));
  for (std::int64_t k = 0; k < steps && !over; ++k) {
    before_forces(scheme, dt, velocity, old, NoFields{}, drift);
    Vec3d force;
    if (overlap > -(exists ? pair.laws.hold_range(r_star) : gap) || overlap > 0) {
      const Vec3d v = moves_at_mean(scheme) ? velocity_of_last_move(velocity.move, old.move, dt) : velocity.move;
      if (!exists) pair.laws.begin(pair.bodies, overlap - dt * v.x, history);
      exists = true;
      // one moves, with the mass m*, the other does not
      const Touch<double> touch{{1, 0, 0}, overlap, r_star, pair.m_star, pair.bodies.radius_i, pair.bodies.radius_j};
      const Body<double> i{velocity.move, {}, pair.bodies.radius_i, inv_m, 0, 1},
          j{{}, {}, pair.bodies.radius_j, 0, 0, 1};
      force = pair.laws.evaluate(touch, i, j, dt, kick_of(scheme, dt), history).force;
    } else {
      over = exists;
    }
    after_forces(scheme, dt, velocity, Pace<double>{inv_m * force, {}}, old, NoFields{}, drift);
  }
  return std::max(0.0, -velocity.move.x / pair.speed);
}

bool RestitutionAtStep::holds() const { return least >= 0.98 * limit && most <= 1.02 * limit; }

RestitutionAtStep restitution_at_step(const ImpactPair1d& pair, Scheme scheme, double dt) {
  constexpr int kMoments = 32;
  constexpr double kSmallSteps = 4000, kResolved = 500;  // in a contact; then the scatter is below 1 %
  const double steps = pair.laws.part(kNormal)->contact_time(pair.bodies, pair.m_star, pair.speed) / dt;
  if (!(steps < kResolved)) return {1, 1, 1};
  RestitutionAtStep r{restitution_of(pair, scheme, dt * std::max(1.0, steps) / kSmallSteps, 1), kForever, 0};
  for (int k = 0; k < kMoments; ++k) {
    const double e = restitution_of(pair, scheme, dt, 1 + static_cast<double>(k) / kMoments);
    r.least = std::min(r.least, e);
    r.most = std::max(r.most, e);
  }
  return r;
}

}  // namespace areia
