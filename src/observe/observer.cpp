// A measure of a case as columns and lines.
#include "areia/observe.h"

namespace areia {

namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

void add_tensor_columns(std::vector<std::string>& columns, const std::string& symbol, const std::string& unit,
                        bool symmetric) {
  for (int a = 0; a < 3; ++a)
    for (int b = symmetric ? a : 0; b < 3; ++b) columns.push_back(symbol + kAxes[a] + kAxes[b] + unit);
}

void add_tensor(std::vector<double>& values, const Tensor& t, bool symmetric) {
  for (int a = 0; a < 3; ++a) {
    const double row[] = {t[a].x, t[a].y, t[a].z};
    for (int b = symmetric ? a : 0; b < 3; ++b) values.push_back(row[b]);
  }
}

}  // namespace

Observer::Observer(const Measure& measure)
    : measure_(measure), flow_(measure.group, measure.point, measure.axis, measure.radius) {}

std::vector<std::string> Observer::columns() const {
  std::vector<std::string> c{"time_s"};
  const auto add = [&](std::initializer_list<const char*> names) { c.insert(c.end(), names.begin(), names.end()); };
  switch (measure_.kind) {
    case Measure::Kind::repose_angle:
      add({"angle_deg", "slope", "slope_a+", "slope_a-", "slope_b+", "slope_b-", "height_m"});
      break;
    case Measure::Kind::deposit:
      add({"particles", "distance_mean_m", "distance_std_m", "share_in_target", "thickness_mean_m", "thickness_std_m"});
      break;
    case Measure::Kind::granular_temperature:
      add({"particles", "temperature_m2/s2", "mean_vx_m/s", "mean_vy_m/s", "mean_vz_m/s"});
      break;
    case Measure::Kind::mixing:
      add({"particles", "cells", "share", "variance", "index"});
      break;
    case Measure::Kind::stress:
      add({"contacts", "pressure_Pa", "deviator_Pa"});
      add_tensor_columns(c, "contact_", "_Pa", false);
      add_tensor_columns(c, "kinetic_", "_Pa", true);
      break;
    case Measure::Kind::fabric:
      add({"contacts", "coordination", "anisotropy"});
      add_tensor_columns(c, "fabric_", "", true);
      break;
    case Measure::Kind::mass_flow:
      add({"mass_kg", "number", "rate_kg/s", "total_mass_kg", "total_number"});
      break;
  }
  return c;
}

std::vector<double> Observer::values(const Frame& frame) {
  const Measure& m = measure_;
  const Selection selection{m.group, m.region};
  std::vector<double> v{frame.time};
  const auto add = [&](std::initializer_list<double> numbers) { v.insert(v.end(), numbers.begin(), numbers.end()); };
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  switch (m.kind) {
    case Measure::Kind::repose_angle: {
      const ReposeAngle r = repose_angle(frame, selection, m.point, m.axis);
      add({r.degrees, r.slope, r.slopes[0], r.slopes[1], r.slopes[2], r.slopes[3], r.height});
      break;
    }
    case Measure::Kind::deposit: {
      const DepositStatistics d = deposit_statistics(frame, selection, m.point, m.axis, m.radius);
      add({count(d.count), d.distance_mean, d.distance_std, d.share, d.thickness_mean, d.thickness_std});
      break;
    }
    case Measure::Kind::granular_temperature: {
      const GranularTemperature t = granular_temperature(frame, selection);
      add({count(t.count), t.temperature, t.mean_velocity.x, t.mean_velocity.y, t.mean_velocity.z});
      break;
    }
    case Measure::Kind::mixing: {
      const MixingIndex x = mixing_index(frame, selection, m.other_group, m.cell);
      add({count(x.count), count(x.cells), x.share, x.variance, x.index});
      break;
    }
    case Measure::Kind::stress: {
      const StressTensor s = stress_tensor(frame, m.region);
      add({count(s.contacts), s.pressure, s.deviator});
      add_tensor(v, s.contact, false);
      add_tensor(v, s.kinetic, true);
      break;
    }
    case Measure::Kind::fabric: {
      const FabricTensor f = fabric_tensor(frame, m.region);
      add({count(f.contacts), f.coordination, f.anisotropy});
      add_tensor(v, f.fabric, true);
      break;
    }
    case Measure::Kind::mass_flow:
      flow_.look(frame);
      add({flow_.mass(), count(flow_.number()), flow_.rate(), flow_.total_mass(), count(flow_.total_number())});
      break;
  }
  return v;
}

void Observer::save(Archive& archive) const {
  if (measure_.kind == Measure::Kind::mass_flow) flow_.save(archive, "output.measure." + measure_.name);
}

void Observer::load(const Archive& archive) {
  if (measure_.kind == Measure::Kind::mass_flow) flow_.load(archive, "output.measure." + measure_.name);
}

}  // namespace areia
