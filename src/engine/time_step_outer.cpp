#include "engine/time_step_outer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/rounding.h"
#include "engine/backend.h"
#include "engine/distance_plan.h"
#include "physics/drag.h"

namespace areia {
namespace {

using std::numbers::pi;

struct Extremes {  // of the free particles of some groups
  double mass = kForever, radius = kForever, charge = 0;
};

Extremes extremes(const SceneParticles& p, const std::vector<std::uint8_t>& group) {
  Extremes e;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!group[p.group[i]]) continue;
    e.radius = std::min(e.radius, p.radius[i]);
    e.charge = std::max(e.charge, std::fabs(p.charge[i]));
    if (!p.prescribed[i]) e.mass = std::min(e.mass, p.mass[i]);
  }
  return e;
}

void limit_by_distance(const Scene& scene, OuterLimit& out) {
  const std::vector<PlannedForce> plan = plan_forces(scene);
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const PlannedForce& f = plan[k];
    const std::string& name = scene.settings.forces[k].name;
    const Extremes a = extremes(scene.particles, f.in_a), b = extremes(scene.particles, f.in_b);
    const double critical = critical_distance(f.law);
    if (critical > 0 && f.law.cutoff > critical * (1 + 1e-9))
      out.warnings.push_back(
          fmt::format("forces.{}: the cut-off {} lies beyond {:.4g} m, where the energy stops being convex", name,
                      f.law.cutoff < kForever ? fmt::format("{:.4g} m", f.law.cutoff) : "(none)", critical));
    const auto consider = [&](double m_star, double touching, double factor) {
      const double d = std::max(touching, equilibrium_distance(f.law));
      const double stiffness = factor * std::fabs(distance_stiffness(f.law, d));
      if (!(m_star < kForever) || !(d < f.law.cutoff) || !(stiffness > 0)) return;
      const double period = 2 * pi * std::sqrt(m_star / stiffness), dt = rounded(period / 10);
      if (dt >= out.dt) return;
      out.dt = dt;
      out.reason = fmt::format("1/10 of the period of forces.{}, {:.4g} s at a distance of {:.4g} m", name, period, d);
    };
    if (a.mass < kForever || b.mass < kForever)
      consider(1 / (1 / a.mass + 1 / b.mass), a.radius + b.radius, f.law.charges ? a.charge * b.charge : 1);
    if (!f.walls.empty()) consider(a.mass, a.radius, 1);
  }
}

void limit_by_fields(const Scene& scene, double speed, OuterLimit& out) {
  const SceneParticles& p = scene.particles;
  const auto limit = [&](double dt, std::string reason) {
    dt = rounded(dt);
    if (dt >= out.dt) return;
    out.dt = dt;
    out.reason = std::move(reason);
  };
  double magnetic = 0, charge_over_mass = 0, slowest = kForever, spin_over_mass = 0;
  for (const ForceField& f : scene.settings.fields)
    if (f.kind == ForceField::Kind::magnetic) magnetic += norm(f.value);
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.prescribed[i]) continue;
    charge_over_mass = std::max(charge_over_mass, std::fabs(p.charge[i]) / p.mass[i]);
    // a ball that comes to roll at this speed spins with speed/radius
    const double spin = p.turns[i] ? std::max(norm(p.w[i]), speed / p.radius[i]) : norm(p.w[i]);
    spin_over_mass = std::max(spin_over_mass, spin / p.mass[i]);
    const double c = drag_factor(scene.settings.fluid, p.radius[i], speed);
    if (c > 0) slowest = std::min(slowest, p.mass[i] / c);
  }
  if (magnetic * charge_over_mass > 0) {
    const double period = 2 * pi / (magnetic * charge_over_mass);
    limit(period / 100, fmt::format("1/100 of a turn in the magnetic field, {:.4g} s", period));
  }
  const double turn_rate = std::fabs(scene.settings.fluid.magnus) * spin_over_mass;
  if (turn_rate > 0)
    limit(2 * pi / turn_rate / 100, fmt::format("1/100 of a turn by the Magnus force, {:.4g} s", 2 * pi / turn_rate));
  if (slowest < kForever)
    limit(slowest / 10, fmt::format("1/10 of the time in which drag slows a particle down, {:.4g} s", slowest));
}

// Charged grains and those under forces at a distance fly freely through places where the force changes.
void limit_by_travel(const Scene& scene, double speed, OuterLimit& out) {
  const SceneParticles& p = scene.particles;
  bool moved = !scene.settings.forces.empty();
  for (const ForceField& f : scene.settings.fields) moved = moved || f.kind != ForceField::Kind::gravity;
  double smallest = kForever;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!p.prescribed[i]) smallest = std::min(smallest, p.radius[i]);
  if (!moved || !(smallest < kForever)) return;
  const double dt = rounded(0.1 * smallest / speed);
  if (dt >= out.dt) return;
  out.dt = dt;
  out.reason =
      fmt::format("1/10 of the time in which a particle crosses its radius, {:.4g} m at {:.3g} m/s", smallest, speed);
}

// What a pair gains by a force at a distance: m* v^2/2 = U(from) - U(to). It is pulled from the far end of the scene to
// touching, or driven from touching to there; charges may do either.
double distance_speed2(const Scene& scene, double size) {
  double most = 0;
  const std::vector<PlannedForce> plan = plan_forces(scene);
  for (const PlannedForce& f : plan) {
    const Extremes a = extremes(scene.particles, f.in_a), b = extremes(scene.particles, f.in_b);
    const auto consider = [&](double m_star, double touching, double factor) {
      const double far = std::min(std::max(size, touching), f.law.cutoff);
      const double near = std::max(touching, equilibrium_distance(f.law));
      if (!(m_star < kForever) || !(near < far)) return;
      const double gain = factor * std::fabs(distance_energy(f.law, far) - distance_energy(f.law, near));
      most = std::max(most, 2 * gain / m_star);
    };
    if (a.mass < kForever || b.mass < kForever)
      consider(1 / (1 / a.mass + 1 / b.mass), a.radius + b.radius, f.law.charges ? a.charge * b.charge : 1);
    if (!f.walls.empty()) consider(a.mass, a.radius, 1);
  }
  return most;
}

}  // namespace

OuterLimit outer_limit(const Scene& scene, double speed) {
  OuterLimit out;
  limit_by_distance(scene, out);
  limit_by_fields(scene, speed, out);
  limit_by_travel(scene, speed, out);
  return out;
}

double field_speed(const Scene& scene, double start_speed) {
  const SceneParticles& p = scene.particles;
  double electric = 0, gravity = 0, charge_over_mass = 0;
  for (const ForceField& f : scene.settings.fields) {
    if (f.kind == ForceField::Kind::electric) electric += norm(f.value);
    if (f.kind == ForceField::Kind::gravity && !is_uniform_gravity(f)) gravity += norm(f.value);
  }
  if (p.size() == 0 || (electric + gravity == 0 && scene.settings.forces.empty())) return start_speed;
  Vec3d low = p.x[0], high = p.x[0];
  for (std::size_t i = 0; i < p.size(); ++i) {
    low = {std::min(low.x, p.x[i].x), std::min(low.y, p.x[i].y), std::min(low.z, p.x[i].z)};
    high = {std::max(high.x, p.x[i].x), std::max(high.y, p.x[i].y), std::max(high.z, p.x[i].z)};
    if (!p.prescribed[i]) charge_over_mass = std::max(charge_over_mass, std::fabs(p.charge[i]) / p.mass[i]);
  }
  double way = norm(high - low);
  for (const SceneWall& w : scene.walls)
    if (const auto* plane = std::get_if<PlaneShape>(&w.shape))
      way = std::max(way, 0.5 * norm(high - low) + std::fabs(dot(0.5 * (low + high) - plane->point, plane->normal)));
  return std::sqrt(start_speed * start_speed + 2 * (electric * charge_over_mass + gravity) * way +
                   distance_speed2(scene, norm(high - low)));
}

}  // namespace areia
