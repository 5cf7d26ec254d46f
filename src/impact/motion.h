// Motion between impulses, from a start state on: in closed form where the accelerations are constant, otherwise
// integrated (Dormand-Prince 5(4) of Boost.odeint with dense output). Time u is counted from the start.
#pragma once
#include <functional>
#include <limits>
#include <optional>

#include "impact/system.h"

namespace areia::impact {

// sqrt(L/g), or the time in which the start speed covers the length; 1 where there is neither.
double time_scale(const System&, const State&);

// --- closed form: q + v u + a u^2/2 ----------------------------------------------------------------------------------
struct ClosedFlight {
  State start;
  Vector a;
  State at(double u) const;
  Vector displacement(double u) const;
};

// First zero of the gap of a contact after the start, before u_end. `gap0` is the gap at the start, imposed as 0 for a
// contact that just acted. Steps that cannot pass a root (docs/impact-lab.md): with gap'' >= -K there is none before
//   h = (f' + sqrt(f'^2 + 2 K f))/K.
// Throws StoppedError where these steps, short for a body that turns fast, do not come to an end.
std::optional<double> first_contact(const System&, const ClosedFlight&, std::size_t contact, double gap0, double u_end,
                                    double scale);

// --- integrated ------------------------------------------------------------------------------------------------------
// Integrated are the displacements dq from the start and the velocities: what bounces lower than the rounding of q is
// still seen.
struct Instant {
  double u = 0;
  Vector dq, v;
};

// A quantity that must stay positive; its first zero ends the motion. `slope` is its rate where it is known: a dip
// between two positive values is then seen too.
struct Watch {
  std::function<double(const Instant&)> value, slope;
};

struct Found {
  double u = 0;
  std::size_t watch = 0;
};

class IntegratedMotion {
 public:
  using Acceleration = std::function<Vector(double t, const Vector& q, const Vector& v)>;
  IntegratedMotion(State start, Acceleration acceleration, double scale);

  // Goes on to u_end, or to the first zero of a watch.
  std::optional<Found> advance(double u_end, const std::vector<Watch>& watches);
  // Within what was covered: a Runge-Kutta step from the last point of the integration, as exact as the integration.
  State at(double u) const;

 private:
  Instant instant(double u) const;
  Vector rate(double u, const Vector& x) const;
  double zero(const Watch& w, double a, double b) const;

  State start_;
  Acceleration acceleration_;
  double scale_;
  struct Step {
    double u;
    Vector x;
  };
  std::vector<Step> steps_;
};

}  // namespace areia::impact
