#include "io/series/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"
#include "io/files/manifest.h"
#include "io/series/energy_columns.h"
#include "observe/solid_fraction.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNever = -std::numeric_limits<double>::infinity();
const std::string kSizePrefix = "series_bytes.";

std::string header_line(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& column : columns) {
    if (!line.empty()) line += ',';
    line += io::csv_field(column);
  }
  return line;
}

std::optional<double> time_of(std::string_view line) {
  double time = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), time);
  if (error != std::errc()) return {};
  return time;
}

// Cuts the file after the last line that is complete and not later than `resume_time`; the time of that line.
double cut_after(const fs::path& path, const std::string& header, double resume_time) {
  std::error_code error;
  if (!fs::exists(path, error)) return kNever;
  const std::string text = read_file(path);
  const std::size_t first_end = text.find('\n');
  if (first_end == std::string::npos) {
    write_file_atomically(path, "");
    return kNever;
  }
  if (text.compare(0, first_end, header) != 0)
    throw_file_error(path, "resume", fmt::format("its columns are not those of this case ({})", header));
  std::size_t keep = first_end + 1;
  double last = kNever;
  for (std::size_t end; (end = text.find('\n', keep)) != std::string::npos; keep = end + 1) {
    const std::optional<double> time = time_of(std::string_view(text).substr(keep, end - keep));
    if (!time) throw_file_error(path, "resume", fmt::format("no time in the line at byte {}", keep));
    if (*time > resume_time) break;
    last = *time;
  }
  if (keep < text.size()) write_file_atomically(path, std::string_view(text).substr(0, keep));
  return last;
}

fs::path prepared(const fs::path& path, const std::string& header, std::optional<double> resume_time, double& last) {
  last = kNever;
  std::error_code error;
  if (resume_time) last = cut_after(path, header, *resume_time);
  if (!resume_time || !fs::exists(path, error) || fs::file_size(path, error) == 0)
    write_file_atomically(path, header + "\n");
  return path;
}

void add_vector(std::vector<double>& values, const Vec3d& v) { values.insert(values.end(), {v.x, v.y, v.z}); }

void add_vector_columns(std::vector<std::string>& columns, const std::string& owner, const char* symbol,
                        const char* unit) {
  for (const char axis : {'x', 'y', 'z'}) columns.push_back(fmt::format("{}.{}{}_{}", owner, symbol, axis, unit));
}

}  // namespace

fs::path series_file(const fs::path& folder, std::string_view name) { return folder / fmt::format("{}.csv", name); }

static fs::path new_series(const fs::path& folder, std::string_view name, Manifest* manifest) {
  if (manifest) manifest->add(fmt::format("{}.csv", name));
  else make_folder(folder);
  return series_file(folder, name);
}

SeriesWriter::SeriesWriter(const fs::path& path, const std::vector<std::string>& columns,
                           std::optional<double> resume_time)
    : file_(prepared(path, header_line(columns), resume_time, last_time_)), width_(columns.size()) {}

std::string SeriesWriter::line_of(std::span<const double> values, std::string_view word) const {
  const std::size_t width = values.size() + (word.empty() ? 0 : 1);
  if (width != width_) throw Error(fmt::format("{} values for a series of {} columns", width, width_));
  std::string line;
  for (const double value : values) {
    if (!line.empty()) line += ',';
    if (std::isnan(value)) line += "nan";
    else if (value == std::floor(value) && std::abs(value) < 1e15)
      line += fmt::format("{:.0f}", value + 0.0);  // counts as integers; + 0.0 drops the sign of a zero
    else line += fmt::format("{}", value);
  }
  if (!word.empty()) line.append(",").append(word);
  return line;
}

void SeriesWriter::append(std::span<const double> values, std::string_view word) {
  file_.append(line_of(values, word));
  if (!values.empty()) last_time_ = values.front();
}

void SeriesWriter::append_if_later(std::span<const double> values) {
  if (!values.empty() && values.front() > last_time_) append(values);
}

void SeriesWriter::append_if_later(const std::vector<std::vector<double>>& lines) {
  if (lines.empty() || lines.front().empty() || !(lines.front().front() > last_time_)) return;
  std::string text;
  for (const std::vector<double>& values : lines) {
    if (!text.empty()) text += '\n';
    text += line_of(values, {});
  }
  file_.append(text);
  last_time_ = lines.front().front();
}

void SeriesWriter::save(Archive& archive) const {
  archive.integer[kSizePrefix + file_.path().filename().string()] = {file_.size()};
}

bool SeriesWriter::is_in(const Archive& archive) const {
  return archive.integer.contains(kSizePrefix + file_.path().filename().string());
}

std::vector<std::string> lost_series(const fs::path& folder, const Archive& archive) {
  std::vector<std::string> lost;
  for (const auto& [key, sizes] : archive.integer) {
    if (!key.starts_with(kSizePrefix) || sizes.size() != 1 || sizes[0] <= 0) continue;
    const auto size = static_cast<std::size_t>(sizes[0]);
    const fs::path path = folder / key.substr(kSizePrefix.size());
    std::error_code error;
    const std::string text = fs::exists(path, error) ? read_file(path) : std::string();
    if (text.size() < size)
      lost.push_back(fmt::format("{} has lost lines: {} bytes are there of the {} at the checkpoint", path.string(),
                                 text.size(), size));
    else if (text[size - 1] != '\n')
      lost.push_back(
          fmt::format("{} is not the file that the run wrote: no line ends at byte {}", path.string(), size));
  }
  return lost;
}

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

SeriesSet::SeriesSet(const fs::path& folder, std::vector<std::string> wall_names, Output output,
                     std::optional<double> resume_time, bool bonds, bool streams, Manifest* manifest)
    : wall_names_(std::move(wall_names)),
      output_(std::move(output)),
      bonds_(bonds),
      streams_(streams),
      energy_(new_series(folder, kEnergySeries, manifest), energy_columns(), resume_time),
      state_(new_series(folder, kStateSeries, manifest), state_columns(output_.solid_fraction, bonds, streams),
             resume_time) {
  const auto file = [&](std::string_view name) { return new_series(folder, name, manifest); };
  if (!wall_names_.empty()) walls_.emplace(file(kWallSeries), wall_columns(wall_names_), resume_time);
  if (!output_.track.empty()) particles_.emplace(file(kParticleSeries), track_columns(output_.track), resume_time);
  if (!bonds_) return;
  breaks_.emplace(file(kBreakSeries), break_columns(), resume_time);
  // breaks are written in their order: the lines that are kept are the first ones
  const std::string kept = read_file(series_file(folder, kBreakSeries));
  breaks_written_ = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), '\n')) - 1;
}

void SeriesSet::append(const Frame& frame) {
  energy_.append_if_later(energy_values(frame));
  state_.append_if_later(state_values(frame, output_.solid_fraction, bonds_, streams_));
  if (walls_) walls_->append_if_later(wall_values(frame, wall_names_));
  if (particles_) particles_->append_if_later(track_values(frame, output_.track));
  if (breaks_)
    for (; breaks_written_ < frame.breaks.size(); ++breaks_written_)
      breaks_->append(break_values(frame.breaks[breaks_written_]), break_word(frame.breaks[breaks_written_].mode));
}

void SeriesSet::sync() {
  energy_.sync();
  state_.sync();
  if (walls_) walls_->sync();
  if (particles_) particles_->sync();
  if (breaks_) breaks_->sync();
}

void SeriesSet::save(Archive& archive) const {
  energy_.save(archive);
  state_.save(archive);
  for (const auto* one : {&walls_, &particles_, &breaks_})
    if (*one) (*one)->save(archive);
}

}  // namespace areia
