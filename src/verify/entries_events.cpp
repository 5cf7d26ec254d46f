// Hard spheres against kinetic theory: conservation over a million collisions, Enskog's collision rate, Haff's law.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/entry.h"

namespace areia::verify {

namespace {

using std::numbers::pi;

// n spheres of diameter 1 and mass 1 at solid fraction phi in a periodic cube, each velocity component normal with
// standard deviation 1.
std::string gas(int n, double phi, double restitution, double duration) {
  const double length = std::cbrt(n * pi / 6 / phi);
  return fmt::format(R"(
[materials.ball]
[contacts.ball-ball]
impact = {{ restitution = {1} }}
[particles.gas]
material = "ball"
radius = 0.5
mass = 1
velocity_std = 1
fill = {{ region = {{ box = [[0, 0, 0], [{0}, {0}, {0}]] }}, count = {2} }}
[domain]
box = [[0, 0, 0], [{0}, {0}, {0}]]
periodic = ["x", "y", "z"]
[[stages]]
duration = {3}
[numerics]
engine = "events"
)",
                     length, restitution, n, duration);
}

// Enskog: collisions of one particle per time, 4 sqrt(pi) n sigma^2 g sqrt(T/m), with the contact value g of Carnahan
// and Starling.
double collision_rate(double phi, double temperature) {
  const double g = (1 - phi / 2) / std::pow(1 - phi, 3), density = 6 * phi / pi;
  return 4 * std::sqrt(pi) * density * g * std::sqrt(temperature);
}

struct Sums {
  Vec3d momentum;
  double kinetic = 0, size = 0, temperature = 0;
};
Sums sums_of(const Frame& f) {
  Sums s;
  for (std::size_t i = 0; i < f.particles.v.size(); ++i) {
    s.momentum += f.particles.mass[i] * f.particles.v[i];
    s.size += f.particles.mass[i] * norm(f.particles.v[i]);
    s.kinetic += 0.5 * f.particles.mass[i] * norm2(f.particles.v[i]);
  }
  s.temperature = 2 * s.kinetic / (3 * static_cast<double>(f.particles.v.size()));
  return s;
}

void elastic(Sheet& s) {
  constexpr int kN = 1000;
  constexpr double kPhi = 0.2, kCollisions = 1e6;
  Simulation gas_now = s.small(gas(kN, kPhi, 1, 1000));
  const Sums before = sums_of(gas_now.frame());
  while (static_cast<double>(gas_now.statistics().events.collisions) < kCollisions) gas_now.advance(1000, false);
  const Frame f = gas_now.frame();
  const Sums after = sums_of(f);
  s.near("relative change of the energy over 1e6 collisions", 0, after.kinetic / before.kinetic - 1, 1e-12);
  s.near("change of the momentum over the sum of its amounts", 0, norm(after.momentum - before.momentum) / before.size,
         1e-12);
  s.near("residual of the ledger over the energy turned over", 0, f.energy.residual / f.energy.turned_over, 1e-12);
  const double rate = 2 * static_cast<double>(gas_now.statistics().events.collisions) / (kN * f.time);
  s.near_relative("collisions of a particle per time, in sigma and sqrt(T/m)", collision_rate(kPhi, before.temperature),
                  rate, 0.01, "Enskog with g(sigma) of Carnahan and Starling; counting leaves 0.1 %");
  s.remark(fmt::format("{} spheres at solid fraction {}.", kN, kPhi));
}

// T(t) = T0/(1 + t/tau)^2. Per collision (1 - e^2) T is lost on average, so dT/dt = -(1 - e^2) nu T/3, and nu goes with
// sqrt(T): 1/tau = (1 - e^2) nu_0/6. The velocities are not quite normal: the fourth cumulant a2 changes the loss by
// 1 + 3 a2/16 (van Noije and Ernst).
void haff(Sheet& s) {
  constexpr int kN = 5000, kSamples = 60;
  constexpr double kPhi = 0.02, kEnd = 9;  // in units of tau: T falls to a hundredth
  Curve theory{"1 + t/tau", {0, kEnd}, {1, 1 + kEnd}};
  std::vector<Curve> curves{theory};
  for (const double e : {0.95, 0.9, 0.8}) {
    Simulation first = s.small(gas(kN, kPhi, e, 1));
    const double start = sums_of(first.frame()).temperature;
    const double a2 = 16 * (1 - e) * (1 - 2 * e * e) / (81 - 17 * e + 30 * e * e * (1 - e));
    const double tau = 6 / ((1 - e * e) * collision_rate(kPhi, start) * (1 + 3 * a2 / 16));
    Simulation now = s.small(gas(kN, kPhi, e, kEnd * tau));
    Curve c{fmt::format("e = {}", e), {}, {}, Curve::Look::points};
    double xy = 0, xx = 0, log_xy = 0, log_x = 0, log_y = 0, log_xx = 0, late = 0;
    for (int k = 0; k < kSamples; ++k) {
      now.advance(1000000 / kSamples, true);
      const double t = now.time() / tau, temperature = 2 * now.kinetic_energy() / (3.0 * kN);
      const double y = std::sqrt(start / temperature);
      c.x.push_back(t);
      c.y.push_back(y);
      xy += t * (y - 1);
      xx += t * t;
      const double lx = std::log(1 + t), ly = std::log(temperature / start);
      log_x += lx;
      log_y += ly;
      log_xy += lx * ly;
      log_xx += lx * lx;
      late += 1;
    }
    const double slope = (late * log_xy - log_x * log_y) / (late * log_xx - log_x * log_x);
    s.near(fmt::format("e = {}: fitted 1/tau over that of kinetic theory", e), 1, xy / xx, 0.03,
           "least squares of sqrt(T0/T) = 1 + t/tau up to 9 tau");
    s.near(fmt::format("e = {}: slope of ln T over ln(1 + t/tau)", e), -2, slope, 0.04);
    s.remark(fmt::format("e = {}: {} collisions, T/T0 = {:.4g} at the end.", e, now.statistics().events.collisions,
                         2 * now.kinetic_energy() / (3.0 * kN) / start));
    curves.push_back(c);
  }
  s.remark(fmt::format("{} smooth spheres at solid fraction {}, seed 1; the cube is too small for clusters to grow.",
                       kN, kPhi));
  s.plot({"Cooling of an inelastic gas", "t/tau", "sqrt(T0/T)", curves});
}

}  // namespace

std::vector<Entry> event_entries() {
  return {
      {"events-elastic",
       "Hard spheres: a million elastic collisions",
       "collision rate of Enskog 1922; docs/hard-spheres.md",
       {},
       true,
       elastic},
      {"events-haff", "Hard spheres: Haff's law of cooling", "Haff 1983; van Noije and Ernst 1998", {}, true, haff}};
}

}  // namespace areia::verify
