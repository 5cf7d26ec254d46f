// How many of the selected particles there are, and their mass.
#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

ParticleCount particle_count(const Frame& frame, const Selection& selection) {
  ParticleCount c;
  for_each_selected(frame, selection, [&](std::size_t k) {
    ++c.count;
    c.mass += frame.particles.mass[k];
  });
  return c;
}

extern const MeasureInfo kCount;
const MeasureInfo kCount{Measure::Kind::count, "count", false, nullptr,
                         [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
                           using C = ParticleCount;
                           Columns<C> columns{{"particles", [](const C& c) { return static_cast<double>(c.count); }},
                                              {"mass_kg", [](const C& c) { return c.mass; }}};
                           return std::make_unique<FrameGauge<C>>(columns, [m](const Frame& f) {
                             return particle_count(f, {m.group, m.region});
                           });
                         }};

}  // namespace areia
