// X = sum m x / sum m and V = sum m v / sum m over the selected particles. The places are those of the frame: in a
// periodic box a group that lies across a face has its centre in the middle of nowhere.
#include <limits>

#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

CenterOfMass center_of_mass(const Frame& frame, const Selection& selection) {
  const FrameParticles& p = frame.particles;
  CenterOfMass c;
  for_each_selected(frame, selection, [&](std::size_t k) {
    ++c.count;
    c.mass += p.mass[k];
    c.position += p.mass[k] * p.x[k];
    c.velocity += p.mass[k] * p.v[k];
  });
  const double share = c.count > 0 ? 1 / c.mass : std::numeric_limits<double>::quiet_NaN();
  c.position *= share;
  c.velocity *= share;
  return c;
}

extern const MeasureInfo kCenterOfMass;
const MeasureInfo kCenterOfMass{Measure::Kind::center_of_mass, "center_of_mass", false, nullptr,
                                [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
                                  using C = CenterOfMass;
                                  Columns<C> columns{
                                      {"particles", [](const C& c) { return static_cast<double>(c.count); }},
                                      {"mass_kg", [](const C& c) { return c.mass; }},
                                      {"x_m", [](const C& c) { return c.position.x; }},
                                      {"y_m", [](const C& c) { return c.position.y; }},
                                      {"z_m", [](const C& c) { return c.position.z; }},
                                      {"vx_m/s", [](const C& c) { return c.velocity.x; }},
                                      {"vy_m/s", [](const C& c) { return c.velocity.y; }},
                                      {"vz_m/s", [](const C& c) { return c.velocity.z; }}};
                                  return std::make_unique<FrameGauge<C>>(columns, [m](const Frame& f) {
                                    return center_of_mass(f, {m.group, m.region});
                                  });
                                }};

}  // namespace areia
