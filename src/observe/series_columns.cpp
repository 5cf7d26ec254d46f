#include "observe/series_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary.h"
#include "observe/energy_columns.h"
#include "observe/solid_fraction.h"

namespace areia {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void add_vector(std::vector<double>& values, const Vec3d& v) { values.insert(values.end(), {v.x, v.y, v.z}); }

void add_vector_columns(std::vector<std::string>& columns, const std::string& owner, const char* symbol,
                        const char* unit) {
  for (const char axis : {'x', 'y', 'z'}) columns.push_back(fmt::format("{}.{}{}_{}", owner, symbol, axis, unit));
}

}  // namespace

std::vector<std::string> energy_columns() {
  std::vector<std::string> columns{"time_s"};
  for (const EnergyColumn& c : kEnergyColumns) columns.push_back(fmt::format("{}_J", c.name));
  return columns;
}

std::vector<double> energy_values(const Frame& frame) {
  std::vector<double> values{frame.time};
  for (const EnergyColumn& c : kEnergyColumns) values.push_back(frame.energy.*c.member);
  return values;
}

std::vector<std::string> wall_columns(const std::vector<std::string>& wall_names) {
  std::vector<std::string> columns{"time_s"};
  for (const std::string& name : wall_names) {
    add_vector_columns(columns, name, "force_", "N");
    add_vector_columns(columns, name, "torque_", "Nm");
    add_vector_columns(columns, name, "at_", "m");
  }
  return columns;
}

std::vector<double> wall_values(const Frame& frame, const std::vector<std::string>& wall_names) {
  std::vector<double> values{frame.time};
  for (const std::string& name : wall_names) {
    const auto wall =
        std::find_if(frame.walls.begin(), frame.walls.end(), [&](const FrameWall& w) { return w.name == name; });
    const bool present = wall != frame.walls.end() && wall->present;
    add_vector(values, present ? wall->force : Vec3d{kNone, kNone, kNone});
    add_vector(values, present ? wall->torque : Vec3d{kNone, kNone, kNone});
    add_vector(values, present ? wall->origin : Vec3d{kNone, kNone, kNone});
  }
  return values;
}

std::vector<std::string> track_columns(const std::vector<std::int64_t>& ids) {
  std::vector<std::string> columns{"time_s"};
  for (const std::int64_t id : ids) {
    const std::string owner = fmt::format("p{}", id);
    add_vector_columns(columns, owner, "", "m");
    add_vector_columns(columns, owner, "v", "m/s");
    add_vector_columns(columns, owner, "w", "rad/s");
  }
  return columns;
}

std::vector<double> track_values(const Frame& frame, const std::vector<std::int64_t>& ids) {
  const FrameParticles& p = frame.particles;
  std::vector<double> values{frame.time};
  for (const std::int64_t id : ids) {
    const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
    if (found == p.id.end() || *found != id) {
      values.insert(values.end(), 9, kNone);
      continue;
    }
    const auto k = static_cast<std::size_t>(found - p.id.begin());
    add_vector(values, p.x[k]);
    add_vector(values, p.v[k]);
    add_vector(values, p.w[k]);
  }
  return values;
}

std::vector<std::string> state_columns(const std::vector<SolidFractionRegion>& regions, bool bonds, bool streams) {
  std::vector<std::string> columns{"time_s", "particles", "contacts", "mean_coordination", "max_overlap_over_radius",
                                   "lost",   "removed"};
  if (streams) columns.emplace_back("inserted");
  for (const SolidFractionRegion& region : regions) columns.push_back(fmt::format("solid_fraction.{}", region.name));
  if (bonds) columns.insert(columns.end(), {"bonds", "broken"});
  return columns;
}

std::vector<double> state_values(const Frame& frame, const std::vector<SolidFractionRegion>& regions, bool bonds,
                                 bool streams) {
  const FrameParticles& p = frame.particles;
  std::int64_t free_count = 0, touching = 0;
  for (std::size_t k = 0; k < p.id.size(); ++k) {
    if (p.prescribed[k]) continue;
    ++free_count;
    touching += p.coordination[k];
  }
  const auto radius_of = [&](std::int64_t id) {
    const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
    const bool present = found != p.id.end() && *found == id;
    return present ? p.radius[static_cast<std::size_t>(found - p.id.begin())] : kForever;
  };
  double largest = 0;
  for (const FrameContact& contact : frame.contacts) {
    double radius = radius_of(contact.i);
    if (contact.j >= 0) radius = std::min(radius, radius_of(contact.j));
    largest = std::max(largest, contact.overlap / radius);
  }
  std::vector<double> values{frame.time,
                             static_cast<double>(p.id.size()),
                             static_cast<double>(frame.contacts.size()),
                             free_count > 0 ? static_cast<double>(touching) / static_cast<double>(free_count) : 0.0,
                             largest,
                             static_cast<double>(frame.lost),
                             static_cast<double>(frame.removed)};
  if (streams) values.push_back(static_cast<double>(frame.inserted));
  for (const SolidFractionRegion& region : regions) values.push_back(solid_fraction(p, region.region));
  if (bonds)
    values.insert(values.end(), {static_cast<double>(frame.bonds.size()), static_cast<double>(frame.breaks.size())});
  return values;
}

static std::vector<int> cell_axes(const Domain& domain) {
  if (domain.dimension == 3) return {0, 1, 2};
  return domain.flat_axis == 2 ? std::vector{0, 1} : domain.flat_axis == 1 ? std::vector{0, 2} : std::vector{1, 2};
}

std::vector<std::string> cell_columns(const Domain& domain) {
  std::vector<std::string> columns{"time_s"};
  const auto along = [&](const char* what, const char* unit) {
    for (const int a : cell_axes(domain)) columns.push_back(fmt::format("{}_{}{}", what, "xyz"[a], unit));
  };
  along("length", "_m");
  along("strain", "");
  columns.insert(columns.end(), {"volume_m3", "volumetric_strain"});
  along("stress", "_Pa");
  columns.insert(columns.end(),
                 {"pressure_Pa", "deviator_Pa", "stress_ratio", "kinetic_pressure_Pa", "solid_fraction", "void_ratio"});
  along("strain_rate", "_1/s");
  return columns;
}

std::vector<double> cell_values(const Frame& frame, const Domain& domain) {
  const FrameCell& cell = frame.cell;
  const std::vector<int> axes = cell_axes(domain);
  const auto n = static_cast<double>(axes.size());
  std::vector<double> values{frame.time};
  double volumetric = 0, pressure = 0, kinetic = 0, squares = 0, space = 1, solid = 0;
  for (const int a : axes) values.push_back(component(cell.length, a));
  for (const int a : axes) {
    const double strain = log_of(component(cell.first_length, a) / component(cell.length, a));
    values.push_back(strain);
    volumetric += strain;
    pressure += component(cell.stress(), a) / n;
    kinetic += component(cell.kinetic_stress, a) / n;
    space *= component(cell.length, a);
  }
  values.insert(values.end(), {cell.volume, volumetric});
  for (const int a : axes) {
    values.push_back(component(cell.stress(), a));
    const double off = component(cell.stress(), a) - pressure;
    squares += off * off;
  }
  // q = sqrt(3/2 s:s): |sigma_1 - sigma_3| of a triaxial test; in the plane |sigma_1 - sigma_2|
  const double deviator = std::sqrt((axes.size() == 3 ? 1.5 : 2.0) * squares);
  for (const double r : frame.particles.radius)
    solid += std::numbers::pi * r * r * (axes.size() == 3 ? 4.0 / 3 * r : 1.0);
  values.insert(values.end(), {pressure, deviator, pressure > 0 ? deviator / pressure : kNone, kinetic, solid / space,
                               space / solid - 1});
  for (const int a : axes) values.push_back(component(cell.strain_rate, a));
  return values;
}

std::vector<std::string> break_columns() {
  return {"time_s", "i", "j", "wall", "set", "x_m", "y_m", "z_m", "force_N", "normal_N", "shear_N", "mode"};
}

std::string_view break_word(BreakMode mode) {
  constexpr std::array<std::string_view, 3> kWords{"tension", "shear", "compression"};
  return kWords[static_cast<std::size_t>(mode)];
}

std::vector<double> break_values(const FrameBreak& b) {
  std::vector<double> values{b.time, static_cast<double>(b.i), static_cast<double>(b.j), static_cast<double>(b.wall),
                             static_cast<double>(b.set)};
  add_vector(values, b.point);
  values.insert(values.end(), {b.force, b.normal, b.shear});
  return values;
}

std::vector<std::string> implicit_columns() {
  return {"time_s",   "dt_s",    "sub_steps", "sweeps",     "all_sweeps", "most_sweeps",
          "rejected", "stalled", "error_x",   "error_turn", "error_v",    "error_w"};
}

std::vector<double> implicit_values(double time, const ImplicitStatistics& s) {
  auto real = [](std::int64_t k) { return static_cast<double>(k); };
  return {time,
          s.dt,
          real(s.sub_steps),
          real(s.sweeps),
          real(s.all_sweeps),
          real(s.most_sweeps),
          real(s.rejected),
          real(s.stalled),
          s.error_x,
          s.error_turn,
          s.error_v,
          s.error_w};
}

}  // namespace areia
