#include "io/scripts/contact_model.h"

#include <algorithm>
#include <cmath>

namespace areia::io {
namespace {

using Elastic = ContactModel::Elastic;
using Damping = ContactModel::Damping;

// Tsuji, Tanaka and Ishida (1992) as LAMMPS fits them: alpha of c = alpha sqrt(m* k), k the secant 4/3 E* a of Hertz's
// law (force over overlap), from the restitution.
double tsuji_alpha(double e) {
  double sum = 0, power = 1;
  for (const double c : {1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218}) {
    sum += c * power;
    power *= e;
  }
  return std::max(0.0, sum);
}

bool is_linear(const ContactModel& m) { return m.elastic == Elastic::linear; }

double spring(const ContactModel& m, double r_star, double overlap) {
  return is_linear(m) ? m.stiffness * overlap : 4.0 / 3 * m.e_star * std::sqrt(r_star * overlap) * overlap;
}
double damper(const ContactModel& m, const MeetingBodies& b, double overlap) {
  switch (m.damping) {
    case Damping::velocity:
      return m.eta;
    case Damping::mass_velocity:
      return m.eta * b.m_star;
    default:
      return m.eta * b.m_star * std::sqrt(b.r_star * overlap);
  }
}

}  // namespace

std::optional<double> damping_ratio(const ContactModel& m, const MeetingBodies& b) {
  if (m.eta == 0) return 0;
  switch (m.damping) {
    case Damping::tsuji: {
      // c = alpha sqrt(m k): on the linear spring 2 beta = alpha; on 2 E* a, 3/2 of the secant, 2 xi sqrt(3/2) = alpha
      const double alpha = tsuji_alpha(m.eta);
      return is_linear(m) ? alpha / 2 : alpha / (2 * std::sqrt(1.5));
    }
    case Damping::restitution: {
      const double l = std::log(m.eta), z = -l / std::hypot(l, M_PI);
      return is_linear(m) ? z : std::sqrt(5.0 / 6) * z;
    }
    case Damping::velocity:
    case Damping::mass_velocity:
      if (is_linear(m)) return damper(m, b, 0) / (2 * std::sqrt(b.m_star * m.stiffness));
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// By Runge and Kutta's method, a two-thousandth of the undamped contact at a time. A contact that may pull ends where
// the bodies part, one that may not where its force would.
double restitution_of(const ContactModel& m, const MeetingBodies& b) {
  const double k = is_linear(m) ? m.stiffness : 4.0 / 3 * m.e_star * std::sqrt(b.r_star);
  const double contact = is_linear(m) ? M_PI * std::sqrt(b.m_star / k)
                                      : 2.943275 * std::pow(1.25 * b.m_star * b.speed * b.speed / k, 0.4) / b.speed;
  const double dt = contact / 2000;
  const auto acceleration = [&](double overlap, double rate) {
    const double x = std::max(overlap, 0.0);
    const double f = spring(m, b.r_star, x) + damper(m, b, x) * rate;
    return -(m.pulls ? f : std::max(f, 0.0)) / b.m_star;
  };
  double x = 0, v = b.speed;
  for (int n = 0; n < 200000; ++n) {
    const double k1 = acceleration(x, v), k2 = acceleration(x + 0.5 * dt * v, v + 0.5 * dt * k1);
    const double k3 = acceleration(x + 0.5 * dt * (v + 0.5 * dt * k1), v + 0.5 * dt * k2);
    const double k4 = acceleration(x + dt * (v + 0.5 * dt * k2), v + dt * k3);
    x += dt * (v + dt / 6 * (k1 + k2 + k3));
    v += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (x <= 0 || (!m.pulls && v < 0 && acceleration(x, v) == 0)) return std::clamp(-v / b.speed, 1e-6, 1.0);
  }
  return 1e-6;  // it creeps out
}

ContactModel mixed(const ContactModel& a, const ContactModel& b) {
  const auto mean = [](double x, double y) { return x * y > 0 ? std::sqrt(x * y) : 0; };
  ContactModel m = a;
  m.e_star = mean(a.e_star, b.e_star);
  m.stiffness = mean(a.stiffness, b.stiffness);
  m.surface_energy = mean(a.surface_energy, b.surface_energy);
  m.eta = mean(a.eta, b.eta);
  if (a.kt && b.kt) m.kt = mean(*a.kt, *b.kt);
  m.tangential_damper = mean(a.tangential_damper, b.tangential_damper);
  m.mu = mean(a.mu, b.mu);
  m.roll_stiffness = mean(a.roll_stiffness, b.roll_stiffness);
  m.roll_damper = mean(a.roll_damper, b.roll_damper);
  m.roll_mu = mean(a.roll_mu, b.roll_mu);
  return m;
}

}  // namespace areia::io
