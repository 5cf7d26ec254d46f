// Rules of numerics.implicit.
#include "scene/rules.h"

namespace areia {

void check_implicit(Rules& r) {
  const Numerics& n = r.settings().numerics;
  const Implicit& i = n.implicit;
  const std::string at = "numerics.implicit";
  if (n.scheme != Scheme::trapezoid) {
    if (!(i == Implicit{})) r.add(at, "", "has a meaning only with `scheme = \"trapezoid\"`");
    return;
  }
  r.rule(i.phi >= 0 && i.phi <= 1, at + ".phi", i.phi, "must be in [0, 1]");
  if (i.max_sweeps < 1) r.add(at + ".max_sweeps", std::to_string(i.max_sweeps), "must be positive");
  if (i.desired_sweeps < 1) r.add(at + ".desired_sweeps", std::to_string(i.desired_sweeps), "must be positive");
  r.positive(at + ".tol_x", i.tol_x);
  r.positive(at + ".tol_a", i.tol_a);
  r.positive(at + ".tol_v", i.tol_v);
  r.positive(at + ".tol_w", i.tol_w);
  r.positive(at + ".tol_abs", i.tol_abs);
  r.positive(at + ".max_error", i.max_error);
  r.not_negative(at + ".dt_min", i.dt_min);
  if (i.adapt == Implicit::Adapt::none) {
    if (i.dt_min > 0)
      r.add(at + ".dt_min", fmt::format("{}", i.dt_min), "needs `adapt`: without it the step is constant");
  } else {
    if (n.dt > 0)
      r.rule(!(i.dt_min > n.dt), at + ".dt_min", i.dt_min, "must not exceed `numerics.dt`, the largest step");
    if (i.adapt == Implicit::Adapt::campello && i.desired_sweeps > i.max_sweeps)
      r.add(at + ".desired_sweeps", std::to_string(i.desired_sweeps), "must not exceed `max_sweeps`");
  }
}

}  // namespace areia
