// Stress, strain and volume of a sample between the walls of a loading: theory manual, section 12.6.
//   stress = mean outward force on the two walls over the area between the others; strain = ln(L_0/L) since the walls
//   were placed, and of the volume the sum of the three. Compression is positive.
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary.h"
#include "observe/measures.h"
#include "scene/loaded_box.h"

namespace areia {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct LoadedSample {
  std::array<double, 3> length{}, strain{}, stress{};
  double volume = 0, volume_strain = 0, solid_fraction = 0;
  double mean() const { return (stress[0] + stress[1] + stress[2]) / 3; }
  double deviator() const {  // sqrt(3 J_2): of a triaxial test the difference of the two stresses
    const double a = stress[0] - stress[1], b = stress[1] - stress[2], c = stress[2] - stress[0];
    return std::sqrt(0.5 * (a * a + b * b + c * c));
  }
};

LoadedSample sample_of(const Frame& f, const std::array<BoxSide, 3>& sides) {
  LoadedSample s;
  for (int a = 0; a < 3; ++a) {
    const BoxSide& side = sides[static_cast<std::size_t>(a)];
    double& length = s.length[static_cast<std::size_t>(a)];
    length = side.first;
    if (side.low >= 0)
      length += component(f.walls[static_cast<std::size_t>(side.high)].origin, a) -
                component(f.walls[static_cast<std::size_t>(side.low)].origin, a);
    s.strain[static_cast<std::size_t>(a)] = log_of(side.first / length);
  }
  s.volume = s.length[0] * s.length[1] * s.length[2];
  s.volume_strain = s.strain[0] + s.strain[1] + s.strain[2];
  for (std::size_t a = 0; a < 3; ++a) {
    const BoxSide& side = sides[a];
    s.stress[a] = side.low < 0
                      ? kNone
                      : 0.5 *
                            (component(f.walls[static_cast<std::size_t>(side.high)].force, static_cast<int>(a)) -
                             component(f.walls[static_cast<std::size_t>(side.low)].force, static_cast<int>(a))) /
                            (s.length[(a + 1) % 3] * s.length[(a + 2) % 3]);
  }
  double solid = 0;
  for (const double r : f.particles.radius) solid += 4.0 / 3 * std::numbers::pi * r * r * r;
  s.solid_fraction = solid / s.volume;
  return s;
}

const Loading* find(const Case& c, const std::string& name) {
  for (const Loading& l : c.loading)
    if (l.name == name) return &l;
  return nullptr;
}

void check(Rules& r, const std::string& key, const Measure& m) {
  const Case& c = r.settings();
  if (m.loading.empty()) return r.add(key + ".loading", "", "is missing: the name of a loading");
  r.known(key + ".loading", m.loading, Rules::names(c.loading), "loading");
  const Loading* l = find(c, m.loading);
  if (!l) return;
  const std::array<BoxSide, 3> sides = sides_of(c, *l);
  for (std::size_t a = 0; a < 3; ++a)
    if (sides[a].first == 0 && l->axis[a].low.empty())
      r.add(key + ".loading", fmt::format("\"{}\"", m.loading),
            fmt::format("has neither walls nor a periodic domain along {}: there is no volume", "xyz"[a]));
}

}  // namespace

extern const MeasureInfo kLoading;
const MeasureInfo kLoading{
    Measure::Kind::loading, "loading", true, check, [](const Measure& m, const Case& c) -> std::unique_ptr<Gauge> {
      using S = LoadedSample;
      Columns<S> columns;
      const auto add = [&](const char* symbol, const char* unit, std::array<double, 3> S::*values) {
        for (std::size_t a = 0; a < 3; ++a)
          columns.push_back({std::string(symbol) + "xyz"[a] + unit, [=](const S& s) { return (s.*values)[a]; }});
      };
      add("stress_", "_Pa", &S::stress);
      add("strain_", "", &S::strain);
      add("length_", "_m", &S::length);
      columns.push_back({"mean_Pa", [](const S& s) { return s.mean(); }});
      columns.push_back({"deviator_Pa", [](const S& s) { return s.deviator(); }});
      columns.push_back({"volume_m3", [](const S& s) { return s.volume; }});
      columns.push_back({"volume_strain", [](const S& s) { return s.volume_strain; }});
      columns.push_back({"solid_fraction", [](const S& s) { return s.solid_fraction; }});
      const Loading* loading = find(c, m.loading);
      const std::array<BoxSide, 3> sides = loading ? sides_of(c, *loading) : std::array<BoxSide, 3>{};
      return std::make_unique<FrameGauge<S>>(columns, [sides](const Frame& f) { return sample_of(f, sides); });
    }};

}  // namespace areia
