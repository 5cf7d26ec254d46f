// T = sum m |v - V|^2 / (3 sum m), V = sum m v / sum m, over the selected particles.
#include <limits>

#include "observe/measures.h"
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

extern const MeasureInfo kGranularTemperature;
const MeasureInfo kGranularTemperature{Measure::Kind::granular_temperature, "granular_temperature", false, nullptr,
                                       [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
                                         using T = GranularTemperature;
                                         Columns<T> columns{
                                             {"particles", [](const T& t) { return static_cast<double>(t.count); }},
                                             {"temperature_m2/s2", [](const T& t) { return t.temperature; }},
                                             {"mean_vx_m/s", [](const T& t) { return t.mean_velocity.x; }},
                                             {"mean_vy_m/s", [](const T& t) { return t.mean_velocity.y; }},
                                             {"mean_vz_m/s", [](const T& t) { return t.mean_velocity.z; }}};
                                         return std::make_unique<FrameGauge<T>>(columns, [m](const Frame& f) {
                                           return granular_temperature(f, {m.group, m.region});
                                         });
                                       }};

}  // namespace areia
