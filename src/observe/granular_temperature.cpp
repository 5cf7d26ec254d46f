// T = sum m |v - V|^2 / (3 sum m), V = sum m v / sum m, over the selected particles.
#include <limits>

#include "observe/selection.h"

namespace areia {

GranularTemperature granular_temperature(const Frame& frame, const Selection& selection) {
  const FrameParticles& p = frame.particles;
  GranularTemperature t;
  double mass = 0, fluctuation = 0;
  Vec3d momentum;
  for_each_selected(frame, selection, [&](std::size_t k) {
    ++t.count;
    mass += p.mass[k];
    momentum += p.mass[k] * p.v[k];
  });
  if (t.count == 0) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    t.mean_velocity = {kNone, kNone, kNone};
    t.temperature = kNone;
    return t;
  }
  t.mean_velocity = (1 / mass) * momentum;
  for_each_selected(frame, selection,
                    [&](std::size_t k) { fluctuation += p.mass[k] * norm2(p.v[k] - t.mean_velocity); });
  t.temperature = fluctuation / (3 * mass);
  return t;
}

}  // namespace areia
