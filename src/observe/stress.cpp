// Average stress and fabric in a region (Love-Weber). A contact belongs to the region that holds its point.
//   contact stress = -(1/V) sum f (x) l, f force on i, l branch from the centre of i to that of j (to the wall):
//   compression positive, since f . l < 0 pushes apart. kinetic stress = (1/V) sum m (v-V) (x) (v-V).
//   fabric = mean of n (x) n.
// The branch is (r_i + r_j - overlap) n, (r_i - overlap) n at a wall: right also across a periodic boundary.
#include <limits>

#include "observe/measures.h"
#include "observe/selection.h"
#include "scene/region_measure.h"

namespace areia {

namespace {
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
}

StressTensor stress_tensor(const Frame& frame, const Region& region) {
  const FrameParticles& p = frame.particles;
  const double volume = volume_of(region);
  StressTensor s;
  for (const FrameContact& c : frame.contacts) {
    if (!contains(region, c.point)) continue;
    const std::int64_t i = index_of(p, c.i), j = c.j < 0 ? -1 : index_of(p, c.j);
    if (i < 0 || (c.j >= 0 && j < 0)) continue;
    ++s.contacts;
    const double length = p.radius[i] + (j >= 0 ? p.radius[j] : 0) - c.overlap;
    add_product(s.contact, -length / volume, c.force, c.n);
  }
  for (const FrameBond& b : frame.bonds) {
    const Vec3d middle = 0.5 * (b.at_i + b.at_j);
    const std::int64_t i = index_of(p, b.i), j = b.j < 0 ? -1 : index_of(p, b.j);
    if (!contains(region, middle) || i < 0 || (b.j >= 0 && j < 0)) continue;
    add_product(s.contact, -1 / volume, b.force, (j >= 0 ? p.x[j] : b.at_j) - p.x[i]);
  }
  const GranularTemperature flow = granular_temperature(frame, {"", region});
  for_each_selected(frame, {"", region}, [&](std::size_t k) {
    const Vec3d off = p.v[k] - flow.mean_velocity;
    add_product(s.kinetic, p.mass[k] / volume, off, off);
  });
  s.pressure = trace(s.contact) / 3;
  s.deviator = deviator(s.contact);
  return s;
}

FabricTensor fabric_tensor(const Frame& frame, const Region& region) {
  FabricTensor f;
  for (const FrameContact& c : frame.contacts) {
    if (!contains(region, c.point)) continue;
    ++f.contacts;
    add_product(f.fabric, 1, c.n, c.n);
  }
  const double count = static_cast<double>(f.contacts);
  f.fabric = scaled(f.fabric, f.contacts > 0 ? 1 / count : kNone);
  f.anisotropy = deviator(f.fabric);
  double partners = 0, particles = 0;
  for_each_selected(frame, {"", region}, [&](std::size_t k) {
    partners += frame.particles.coordination[k];
    particles += 1;
  });
  f.coordination = particles > 0 ? partners / particles : kNone;
  return f;
}

namespace {

void check_stress(Rules& r, const std::string& key, const Measure& m) {
  const Region::Kind kind = m.region.kind;
  const bool solid = kind == Region::Kind::box || kind == Region::Kind::sphere || kind == Region::Kind::cylinder;
  if (kind == Region::Kind::mesh) return;  // refused for all measures
  if (!solid || m.region.outside)
    r.add(key + ".region", "", "stress needs a box, sphere or cylinder: it divides by the volume");
  else if (volume_of(m.region) == 0 && r.settings().domain.dimension == 2)
    r.add(key + ".region", "", "stress divides by the volume: give the box a thickness");
}

}  // namespace

extern const MeasureInfo kStress, kFabric;
const MeasureInfo kStress{
    Measure::Kind::stress, "stress", true, check_stress, [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
      using S = StressTensor;
      Columns<S> columns{{"contacts", [](const S& s) { return static_cast<double>(s.contacts); }},
                         {"pressure_Pa", [](const S& s) { return s.pressure; }},
                         {"deviator_Pa", [](const S& s) { return s.deviator; }}};
      columns = columns + tensor_columns("contact_", "_Pa", &S::contact, false) +
                tensor_columns("kinetic_", "_Pa", &S::kinetic, true);
      return std::make_unique<FrameGauge<S>>(columns, [m](const Frame& f) { return stress_tensor(f, m.region); });
    }};

const MeasureInfo kFabric{
    Measure::Kind::fabric, "fabric", true, nullptr, [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
      using F = FabricTensor;
      Columns<F> columns{{"contacts", [](const F& f) { return static_cast<double>(f.contacts); }},
                         {"coordination", [](const F& f) { return f.coordination; }},
                         {"anisotropy", [](const F& f) { return f.anisotropy; }}};
      columns = columns + tensor_columns("fabric_", "", &F::fabric, true);
      return std::make_unique<FrameGauge<F>>(columns, [m](const Frame& f) { return fabric_tensor(f, m.region); });
    }};

}  // namespace areia
