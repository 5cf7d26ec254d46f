#include "impact/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>

#include "areia/error.h"

namespace areia::impact {

namespace odeint = boost::numeric::odeint;

double time_scale(const System& s, const State& start) {
  if (s.gravity() > 0) return std::sqrt(s.length() / s.gravity());
  double fastest = 0;
  for (std::size_t k = 0; k < s.contacts().size(); ++k) {
    const Rows r = s.rows(k, start.q);
    fastest = std::max({fastest, std::fabs(r.DN(start.v)), std::fabs(r.DT(start.v))});
  }
  return fastest > 0 ? s.length() / fastest : 1;
}

State ClosedFlight::at(double u) const {
  State s = start;
  s.t += u;
  add(s.q, 1, displacement(u));
  add(s.v, u, a);
  return s;
}

Vector ClosedFlight::displacement(double u) const {
  Vector d(start.q.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = u * (start.v[i] + 0.5 * u * a[i]);
  return d;
}

constexpr int kMostSteps = 100000;  // a second or less; what needs more turns a million times before it meets anything

std::optional<double> first_contact(const System& system, const ClosedFlight& flight, std::size_t contact, double gap0,
                                    double u_end, double scale) {
  const double K = system.gap_fall(contact, flight.start.v);
  const auto gap = [&](double u) {
    return gap0 + system.gap_change(contact, flight.start.t, flight.start.q, u, flight.displacement(u));
  };
  const auto slope = [&](double u) {
    const State s = flight.at(u);
    return system.rows(contact, s.q).DN(s.v);
  };
  // A contact that leaves with no speed (it just lost its pressure) is found apart a little later.
  double u = 0;
  double f = gap0, df = slope(0);
  if (f <= 0 && df <= 1e-12 * system.length() / scale) {
    double ahead = 1e-3 * scale;
    for (int tries = 0; tries < 20 && !(gap(ahead) > 0); ++tries) ahead *= 0.5;
    u = ahead;
    if (u >= u_end) return std::nullopt;
    f = gap(u);
    df = slope(u);
    if (!(f > 0)) return std::nullopt;
  }
  const double negligible = 1e-16 * std::max({scale, std::fabs(flight.start.t), 1.0});
  for (int iteration = 0; iteration < kMostSteps; ++iteration) {
    const double root = std::sqrt(df * df + 2 * K * std::max(f, 0.0));
    double h = 0;
    if (df < 0) h = 2 * std::max(f, 0.0) / (root - df);
    else if (K > 0) h = (df + root) / K;
    else return std::nullopt;  // convex and not falling
    if (h <= negligible || u + h == u) {
      if (df < -1e-9 * system.length() / scale || iteration == 0) return u < u_end ? std::optional(u) : std::nullopt;
      // f = f' = 0: the gap touches zero and grows again (grazing), unless it goes on falling.
      const double ahead = u + 1e-6 * scale;
      if (gap(ahead) <= 0) return u;
      u = ahead;
    } else {
      u += h;
    }
    if (!(u < u_end)) return std::nullopt;
    f = gap(u);
    df = slope(u);
    if (f <= 0 && df < 0) return u;
  }
  throw StoppedError(fmt::format(
      "the motion from t = {:.9g} on turns too fast: contacts are excluded up to t = {:.9g} after {} steps, "
      "each as long as none can be missed",
      flight.start.t, flight.start.t + u, kMostSteps));
}

IntegratedMotion::IntegratedMotion(State start, Acceleration acceleration, double scale)
    : start_(std::move(start)), acceleration_(std::move(acceleration)), scale_(scale) {
  Vector x(2 * start_.q.size(), 0.0);
  std::copy(start_.v.begin(), start_.v.end(), x.begin() + static_cast<std::ptrdiff_t>(start_.q.size()));
  steps_.push_back({0, std::move(x)});
}

// x = (dq, v), x' = (v, a)
Vector IntegratedMotion::rate(double u, const Vector& x) const {
  const std::size_t n = start_.q.size();
  Vector q = start_.q;
  for (std::size_t i = 0; i < n; ++i) q[i] += x[i];
  Vector v(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
  const Vector a = acceleration_(start_.t + u, q, v);
  v.insert(v.end(), a.begin(), a.end());
  return v;
}

Instant IntegratedMotion::instant(double u) const {
  auto after = std::upper_bound(steps_.begin(), steps_.end(), u, [](double t, const Step& s) { return t < s.u; });
  const Step& from = *std::prev(after);
  Vector x = from.x;
  if (u > from.u) {
    odeint::runge_kutta_dopri5<Vector> stepper;
    stepper.do_step([this](const Vector& y, Vector& dy, double t) { dy = rate(t, y); }, x, from.u, u - from.u);
  }
  const auto n = static_cast<std::ptrdiff_t>(start_.q.size());
  return {u, Vector(x.begin(), x.begin() + n), Vector(x.begin() + n, x.end())};
}

State IntegratedMotion::at(double u) const {
  Instant i = instant(u);
  State s{start_.t + u, start_.q, std::move(i.v)};
  add(s.q, 1, i.dq);
  return s;
}

// Between a (positive) and b (not positive), by bracketing to the last digit.
double IntegratedMotion::zero(const Watch& w, double a, double b) const {
  const auto f = [&](double u) { return w.value(instant(u)); };
  const double fa = f(a), fb = f(b);
  if (!(fa > 0)) return a;
  if (fb >= 0) return b;
  std::uintmax_t most = 100;
  const auto [low, high] = boost::math::tools::toms748_solve(
      f, a, b, fa, fb, [](double x, double y) { return std::fabs(y - x) <= 2e-16 * std::max(std::fabs(x), 1e-300); },
      most);
  return std::fabs(f(low)) < std::fabs(f(high)) ? low : high;
}

std::optional<Found> IntegratedMotion::advance(double u_end, const std::vector<Watch>& watches) {
  constexpr int kParts = 4;
  auto stepper = odeint::make_dense_output(1e-14, 1e-13, 0.25 * scale_, odeint::runge_kutta_dopri5<Vector>());
  const auto system = [this](const Vector& y, Vector& dy, double t) { dy = rate(t, y); };
  stepper.initialize(steps_.back().x, steps_.back().u, std::min(1e-3 * scale_, u_end));
  const auto n = static_cast<std::ptrdiff_t>(start_.q.size());
  const auto dense = [&](double u) {
    Vector x(steps_.back().x.size());
    stepper.calc_state(u, x);
    return Instant{u, Vector(x.begin(), x.begin() + n), Vector(x.begin() + n, x.end())};
  };
  bool first = true;
  while (steps_.back().u < u_end) {
    const auto [ua, ub] = stepper.do_step(system);
    const double last = std::min(ub, u_end);
    std::vector<Instant> at;
    for (int p = 0; p <= kParts; ++p) at.push_back(dense(ua + (last - ua) * p / kParts));
    std::optional<Found> found;
    for (std::size_t k = 0; k < watches.size(); ++k) {
      const Watch& w = watches[k];
      for (std::size_t p = 1; p < at.size(); ++p) {
        double a = at[p - 1].u, b = at[p].u;
        if (w.value(at[p]) > 0) {
          // Falling at a, rising at b: the least value may lie below zero in between.
          if (!w.slope || !(w.slope(at[p - 1]) < 0) || !(w.slope(at[p]) > 0)) continue;
          double x = a, y = b;
          for (int i = 0; i < 60 && y - x > 1e-15 * scale_; ++i) {
            const double middle = 0.5 * (x + y);
            (w.slope(dense(middle)) < 0 ? x : y) = middle;
          }
          if (w.value(dense(y)) > 0) continue;
          b = y;
        }
        if (first && p == 1 && !(w.value(at[0]) > 0)) {
          // It leaves zero at the start: the first zero lies behind a point where it is positive.
          a = b;
          for (int halvings = 0; halvings < 60 && !(w.value(instant(a)) > 0); ++halvings) a *= 0.5;
          if (!(w.value(instant(a)) > 0)) a = 0;
        }
        const double u = a == 0 && !(w.value(at[0]) > 0) ? 0.0 : zero(w, a, b);
        if (!found || u < found->u) found = Found{u, k};
        break;
      }
    }
    first = false;
    if (found) return found;
    steps_.push_back({ub, stepper.current_state()});
    if (ub > u_end) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace areia::impact
