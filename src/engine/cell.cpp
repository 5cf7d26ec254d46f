#include "engine/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/error.h"
#include "scene/scene.h"

namespace areia {

// Two largest diameters must lie side by side, so that no pair touches across two faces, with room for a skin.
static constexpr double kLeastLengthOverRadius = 4.2;

Cell::Cell(const Scene& scene, const ForceGrid& forces)
    : deforms_(scene.settings.domain.deforms()), periodicity_(periodicity_of(scene.settings.domain)) {
  if (!deforms_) return;
  const Domain& d = scene.settings.domain;
  first_length_ = periodicity_.length;
  if (d.dimension == 2) {
    flat_axis_ = d.flat_axis;
    thickness_ = d.disk_thickness > 0 ? d.disk_thickness : component(first_length_, d.flat_axis);
  }
  double largest = 0;
  for (const double r : scene.particles.radius) largest = std::max(largest, r);
  least_length_ = kLeastLengthOverRadius * largest;
  grid_ = Grid(std::ldexp(forces.force.quantum, 51) * 2 * largest);
}

CellState Cell::first() const {
  CellState state;
  if (deforms_) state.length = periodicity_.length;
  return state;
}

void Cell::go_on_from(const CellState& state) {
  if (!deforms_) return;
  periodicity_.length = state.length;
  rate_ = state.rate;
}

double Cell::volume() const {
  double volume = 1;
  for (int a = 0; a < 3; ++a) volume *= a == flat_axis_ ? thickness_ : component(periodicity_.length, a);
  return volume;
}

void Cell::advance(const std::vector<CellPlan>& plans, CellState& state, double t, double dt) {
  const Vec3d push = state.virial + state.kinetic;
  const double volume = this->volume();
  Vec3d rate;
  for (int a = 0; a < 3; ++a) {
    const CellPlan* const leads = leading(plans, a, t);
    if (!leads) continue;
    if (!leads->holds_stress) {
      component(rate, a) = leads->target;
      continue;
    }
    const double wanted = leads->gain * (leads->target * volume - component(push, a)),
                 before = component(state.rate, a);
    component(rate, a) =
        before + leads->response * (std::min(std::max(wanted, -leads->max_rate), leads->max_rate) - before);
  }
  state.rate = rate_ = rate;
  step_ = -dt * rate;
  strain_ = 0;
  for (int a = 0; a < 3; ++a) {
    if (!periodicity_.on[a]) continue;
    const double e = component(step_, a);
    double& length = component(periodicity_.length, a);
    length += e * length;
    component(slow_, a) = 1 / (1 + e);
    strain_ = std::max(strain_, std::fabs(e));
    if (!(length >= least_length_))
      throw StoppedError(fmt::format(
          "the cell has become too short at t = {:.9g} s: {:.6g} m along {}, where two of the largest particles "
          "need {:.6g} m side by side; end its loading earlier, or begin with more particles",
          t, length, "xyz"[a], least_length_));
  }
  state.length = periodicity_.length;
}

CellEstimate estimate_cell(const Scene& scene, double contact_time) {
  const SceneParticles& p = scene.particles;
  double lightest = kForever, squares = 0, diameters = 0, mass = 0, volume = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double d = 2 * p.radius[i];
    lightest = std::min(lightest, p.mass[i]);
    squares += d * d;
    diameters += d;
    mass += p.mass[i];
    volume += std::numbers::pi / 6 * d * d * d;
  }
  if (!(contact_time > 0) || p.size() == 0) return {};
  const double frequency = std::numbers::pi / contact_time;
  return {squares * lightest * frequency * frequency, squares * 2 * lightest * frequency,
          diameters / static_cast<double>(p.size()) * std::sqrt(mass / volume)};
}

}  // namespace areia
