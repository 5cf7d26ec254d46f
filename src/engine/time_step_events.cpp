// What `engine = "events"` chooses. There is no time step: `dt` is the grid of times at which outputs are written and
// stages end, and costs nothing, so it is fine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "engine/events/event_cells.h"
#include "engine/time_step.h"
#include "scene/wall_geometry.h"

namespace areia {

Choices choose_for_events(const Scene& scene) {
  const Case& settings = scene.settings;
  constexpr double kGrid = 1e6;  // instants in a run
  Choices c;
  c.notes = scene.notes;
  c.threads = 1;
  c.threads_reason = "collisions follow one another";
  double total = 0, largest = 0, fastest = 0;
  for (const Stage& s : settings.stages) total += s.duration;
  for (const double r : scene.particles.radius) largest = std::max(largest, r);
  for (const Vec3d& v : scene.particles.v) fastest = std::max(fastest, norm(v));
  c.closing_speed = 2 * fastest;
  const Output& output = settings.output;
  const double interval = output.frames > 0 ? output.frames : output.series > 0 ? output.series : total;
  c.dt = settings.numerics.dt;
  c.dt_reason = "given by the case: grid of outputs and ends of stages, collisions have their own times";
  if (c.dt == 0) {
    c.dt = interval / std::ceil(std::max(1.0, interval / total * kGrid));
    c.dt_reason = "grid of outputs and ends of stages; collisions have their own times";
  }
  c.skin = 2 * largest;
  c.skin_reason = "not used";
  c.cell = 2 * largest;
  c.cell_reason = "at least the largest diameter";
  c.bytes_estimate = 300.0 * static_cast<double>(scene.particles.size());
  const Domain& d = settings.domain;
  const double least = events::EventCells::kFewestPeriodic * 2 * largest * (1 + 1e-6);
  for (int a = 0; a < 3; ++a)
    if (d.periodic[a] && component(d.box.max - d.box.min, a) < least)
      throw InputError("domain.periodic", std::string(1, "xyz"[a]),
                       fmt::format("the box must be longer than {} largest diameters, {:.4g} m; it is {:.4g} m",
                                   events::EventCells::kFewestPeriodic, least, component(d.box.max - d.box.min, a)));
  return c;
}

}  // namespace areia
