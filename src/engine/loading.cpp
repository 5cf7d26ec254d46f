#include "engine/loading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"

namespace areia {
namespace {

using By = Loading::Axis::By;

constexpr double kLearningSteps = 200, kNear = 0.2;  // of the drift

bool runs(const LoadingPlan& plan, double t) { return t > plan.start && t <= plan.stop; }

// Whether a later one drives this axis now.
bool is_taken_over(const std::vector<LoadingPlan>& plans, std::size_t plan, const LoadingPlan::Axis& axis, double t) {
  for (std::size_t k = plan + 1; k < plans.size(); ++k)
    for (const LoadingPlan::Axis& other : plans[k].axis)
      if (runs(plans[k], t) && other.by != By::nothing && other.low == axis.low) return true;
  return false;
}

// Outward speed of the walls across axis a in the step that ends at time t; `length` is that of all axes.
double speed_of(const LoadingPlan& plan, std::size_t a, const std::array<double, 3>& length,
                std::vector<WallState>& walls, double t) {
  const LoadingPlan::Axis& axis = plan.axis[a];
  WallState& low = walls[static_cast<std::size_t>(axis.low)];  // it remembers for both
  const WallState& high = walls[static_cast<std::size_t>(axis.high)];
  const double target = value_at(axis.target, t - plan.start);
  if (axis.by == By::strain_rate) return -0.5 * target * length[a];
  const int along = static_cast<int>(a);
  const double force = 0.5 * (component(high.sum.force, along) - component(low.sum.force, along));
  const double load = target * (length[(a + 1) % 3] * length[(a + 2) % 3]);
  const double answer = plan.gain * (force - load);
  const auto limited = [&](double u) { return std::min(std::max(u, -plan.max_speed), plan.max_speed); };
  double& drift = low.servo.drift;
  if (std::fabs(force - load) < kNear * load) drift = limited(drift + answer / kLearningSteps);
  return low.servo.speed + plan.response * (limited(answer + drift) - low.servo.speed);
}

}  // namespace

double length_of(const LoadingPlan::Axis& axis, const std::vector<WallState>& walls) {
  if (axis.low < 0) return axis.first;
  return axis.first + (walls[static_cast<std::size_t>(axis.low)].servo.shift +
                       walls[static_cast<std::size_t>(axis.high)].servo.shift);
}

void advance_loadings(const std::vector<LoadingPlan>& plans, std::vector<WallState>& walls, double t, double dt) {
  struct Move {
    int low, high;
    double speed;
  };
  static thread_local std::vector<Move> moves;  // so that a step allocates nothing
  moves.clear();
  for (std::size_t p = 0; p < plans.size(); ++p) {
    if (!runs(plans[p], t)) continue;
    const LoadingPlan& plan = plans[p];
    const std::array<double, 3> length{length_of(plan.axis[0], walls), length_of(plan.axis[1], walls),
                                       length_of(plan.axis[2], walls)};
    for (std::size_t a = 0; a < 3; ++a) {
      const LoadingPlan::Axis& axis = plan.axis[a];
      if (axis.by == By::nothing || is_taken_over(plans, p, axis, t)) continue;
      if (!walls[static_cast<std::size_t>(axis.low)].present || !walls[static_cast<std::size_t>(axis.high)].present)
        continue;
      const double speed = speed_of(plan, a, length, walls, t);
      if (!(length[a] + 2 * speed * dt > 0))
        throw StoppedError(fmt::format(
            "loading.{}: the walls across {} meet at t = {:.9g} s; there is nothing between them that could "
            "bear the load, or the strain rate is too large",
            plan.name, "xyz"[a], t));
      moves.push_back({axis.low, axis.high, speed});
    }
  }
  for (const LoadingPlan& plan : plans)
    for (const LoadingPlan::Axis& axis : plan.axis)
      for (const int w : {axis.low, axis.high})
        if (w >= 0) walls[static_cast<std::size_t>(w)].servo.speed = 0;
  for (const Move& m : moves)
    for (const int w : {m.low, m.high}) {
      ServoState& s = walls[static_cast<std::size_t>(w)].servo;
      const double next = s.shift + m.speed * dt;
      s.speed = (next - s.shift) / dt;
      s.shift = next;
    }
}

}  // namespace areia
