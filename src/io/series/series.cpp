#include "io/series/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"
#include "io/files/manifest.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

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

SeriesSet::SeriesSet(const fs::path& folder, std::vector<std::string> wall_names, Output output,
                     std::optional<double> resume_time, bool bonds, bool streams, Manifest* manifest,
                     const Domain& domain)
    : wall_names_(std::move(wall_names)),
      output_(std::move(output)),
      bonds_(bonds),
      streams_(streams),
      domain_(domain),
      energy_(new_series(folder, kEnergySeries, manifest), energy_columns(), resume_time),
      state_(new_series(folder, kStateSeries, manifest), state_columns(output_.solid_fraction, bonds, streams),
             resume_time) {
  const auto file = [&](std::string_view name) { return new_series(folder, name, manifest); };
  if (!wall_names_.empty()) walls_.emplace(file(kWallSeries), wall_columns(wall_names_), resume_time);
  if (!output_.track.empty()) particles_.emplace(file(kParticleSeries), track_columns(output_.track), resume_time);
  if (domain_.deforms()) cell_.emplace(file(kCellSeries), cell_columns(domain_), resume_time);
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
  if (cell_) cell_->append_if_later(cell_values(frame, domain_));
  if (breaks_)
    for (; breaks_written_ < frame.breaks.size(); ++breaks_written_)
      breaks_->append(break_values(frame.breaks[breaks_written_]), break_word(frame.breaks[breaks_written_].mode));
}

void SeriesSet::sync() {
  energy_.sync();
  state_.sync();
  if (walls_) walls_->sync();
  if (particles_) particles_->sync();
  if (cell_) cell_->sync();
  if (breaks_) breaks_->sync();
}

void SeriesSet::save(Archive& archive) const {
  energy_.save(archive);
  state_.save(archive);
  for (const auto* one : {&walls_, &particles_, &cell_, &breaks_})
    if (*one) (*one)->save(archive);
}

}  // namespace areia
