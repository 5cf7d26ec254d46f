// Rules of numerics.implicit.
#include "scene/rules/rules.h"

namespace areia {

void check_implicit(Rules& r) {
  const Numerics& n = r.settings().numerics;
  const Implicit& i = n.implicit;
  const std::string at = "numerics.implicit";
  if (n.scheme != Scheme::trapezoid) {
    if (!(i == Implicit{})) r.add(at, "", "has a meaning only with `scheme = \"trapezoid\"`");
    return;
  }
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
