#include "studio/run_list.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "areia/case_file.h"
#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"
#include "io/files/manifest.h"
#include "io/series/series.h"
#include "run/results_folder.h"
#include "studio/plain_file.h"
#include "studio/processes.h"

namespace areia::studio {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 6;                    // folders below ours that are looked into
constexpr std::uintmax_t kLongCase = 1 << 20;  // bytes; longer ones hold lists of particles

mode_t kind_of(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & S_IFMT : 0;
}

std::string last_line(std::string text) {
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));  // a torn line is none
  const std::size_t before = text.rfind('\n');
  return before == std::string::npos ? text : text.substr(before + 1);
}

// Lines of a log begin with date and time.
std::string without_date(const std::string& line) {
  constexpr std::size_t kDate = 20;
  return line.size() > kDate ? line.substr(kDate) : line;
}

// The first lines of a log name the case and count its particles.
void take_from_log(const fs::path& run, RunEntry& entry) {
  const std::string begin = part_of(run / kLogFile, 16384, false);
  for (std::size_t at = 0, end = 0; (end = begin.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = without_date(begin.substr(at, end - at));
    if (entry.title.empty() && line.starts_with("areia ") && line.find(": ") != std::string::npos)
      entry.title = line.substr(line.find(": ") + 2);
    constexpr std::string_view kCount = "particles: ";
    std::int64_t count = 0;
    if (line.starts_with(kCount) &&
        io::read_number(std::string_view(line).substr(kCount.size(), line.find(',') - kCount.size()), count))
      entry.particles = count;
  }
}

// The last whole line of the series that every run writes: time and count of particles come first.
void take_from_series(const fs::path& run, RunEntry& entry) {
  const std::string line = last_line(part_of(series_file(run, kStateSeries), 4096, true));
  std::vector<std::string_view> fields;
  io::split_at_commas(line, fields);
  double time = 0, count = 0;
  if (io::read_number(fields[0], time)) entry.time = time;
  if (fields.size() > 1 && io::read_number(fields[1], count)) entry.particles = static_cast<std::int64_t>(count);
}

template <class T>
void take(const nlohmann::json& object, const char* key, T& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  if constexpr (std::is_same_v<T, std::string>) {
    if (found->is_string()) value = *found;
  } else if (found->is_number()) {
    value = found->get<double>();
  }
}

bool is_of(const fs::path& folder, const std::string& kind) {
  const std::string head = fmt::format("areia manifest: {}\n", kind);
  return part_of(folder / Manifest::kFile, head.size(), false) == head;
}
bool is_run(const fs::path& folder) { return is_of(folder, "run"); }

// What the run itself says of how far it is.
void take_from_heartbeat(const fs::path& run, bool at_work, RunEntry& entry) {
  const nlohmann::json beat = read_heartbeat(run);
  take(beat, "at", entry.beat);
  if (!at_work) return;
  double time = 0, speed = -1, left = -1;
  take(beat, "time", time);
  entry.time = std::max(entry.time, time);
  take(beat, "particle_steps_per_s", speed);
  take(beat, "seconds_left", left);
  if (speed >= 0) entry.speed = speed;
  if (left >= 0) entry.left = left;
}

// How a run that is neither at work nor finished came to its end, by the last line of its log.
void tell_end(const fs::path& run, const std::string& line, RunEntry& entry) {
  if (line.ends_with("; checkpoint written")) entry.state = "paused";
  else if (line.starts_with("stopped: ")) entry.state = "stopped", entry.note = line.substr(9);
  else entry.state = "died", entry.note = last_words(run);
}

}  // namespace

std::string part_of(const fs::path& path, std::size_t most, bool end) {
  if (!is_plain_file(path)) return {};  // most often there is none
  try {
    return PlainFile(path).part(most, end);
  } catch (const FileError&) { return {}; }
}

bool is_plain_file(const fs::path& path) { return kind_of(path) == S_IFREG; }
bool is_plain_folder(const fs::path& path) { return kind_of(path) == S_IFDIR; }

bool is_results(const fs::path& folder) { return is_run(folder) || has_console(folder); }

void walk(const fs::path& folder, const std::function<bool(const fs::path&, const fs::path&)>& f) {
  std::vector<std::pair<fs::path, int>> waiting{{fs::path("."), 0}};
  while (!waiting.empty()) {
    const auto [path, depth] = std::move(waiting.back());
    waiting.pop_back();
    const fs::path place = path == "." ? folder : folder / path;
    if (!f(place, path) || depth == kDeepest) continue;
    std::error_code error;
    for (fs::directory_iterator inside(place, error), end; !error && inside != end; inside.increment(error)) {
      const fs::path name = inside->path().filename();
      if (name.string().starts_with('.') || !is_plain_folder(inside->path())) continue;
      waiting.emplace_back(path == "." ? name : path / name, depth + 1);
    }
  }
}

RunList::RunList(const fs::path& folder) {
  std::error_code error;
  folder_ = fs::canonical(folder, error);
  if (error || !fs::is_directory(folder_)) throw FileError(fmt::format("{}: no such folder", folder.string()));
}

namespace {

// A folder by its path below ours; nothing where the path leads out or goes through a link.
std::optional<fs::path> place_below(const fs::path& folder, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos || path.size() > 4096) return {};
  fs::path place = folder;
  if (path != ".")
    for (const fs::path& part : fs::path(path)) {
      if (part.empty() || part.is_absolute() || part == "." || part == "..") return {};
      if (!is_plain_folder(place /= part)) return {};
    }
  return place;
}

// Paths of the folders that are `wanted`; what lies within them is not looked at.
std::vector<std::string> those_below(const fs::path& folder, const std::function<bool(const fs::path&)>& wanted) {
  std::vector<std::string> found;
  walk(folder, [&](const fs::path& place, const fs::path& path) {
    if (!wanted(place)) return true;
    found.push_back(path.string());
    return false;
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::optional<fs::path> find_folder_of(const fs::path& folder, const std::string& path, const std::string& kind) {
  std::optional<fs::path> place = place_below(folder, path);
  return place && is_of(*place, kind) ? place : std::nullopt;
}

std::vector<std::string> folders_of(const fs::path& folder, const std::string& kind) {
  return those_below(folder, [&](const fs::path& place) { return is_of(place, kind); });
}

std::optional<fs::path> RunList::find(const std::string& path) const {
  std::optional<fs::path> place = place_below(folder_, path);
  return place && is_results(*place) ? place : std::nullopt;
}

std::optional<double> RunList::planned_time(const fs::path& run) {
  const fs::path file = run / kCaseFile;
  std::error_code error;
  if (!is_plain_file(file) || fs::file_size(file, error) > kLongCase) return {};
  const fs::file_time_type changed = fs::last_write_time(file, error);
  const auto known = planned_.find(file.string());
  if (known != planned_.end() && known->second.first == changed) return known->second.second;
  std::optional<double> planned;
  try {
    double sum = 0;
    for (const Stage& stage : read_case(file.string()).stages) sum += stage.duration;
    planned = sum;
  } catch (const Error&) {}  // of another version, or edited
  planned_[file.string()] = {changed, planned};
  return planned;
}

RunEntry RunList::entry(const std::string& path) {
  const fs::path run = path == "." ? folder_ : folder_ / path;
  RunEntry entry;
  entry.path = path;
  if (!is_run(run)) {
    entry.state = console_is_open(run) ? "starting" : "died";
    entry.note = last_words(run);
    entry.changed = entry.beat = console_time(run);
    return entry;
  }
  nlohmann::json summary;
  if (is_plain_file(run / kSummaryFile))
    summary = nlohmann::json::parse(read_plain(run / kSummaryFile), nullptr, false);
  const std::string line = without_date(last_line(part_of(run / kLogFile, 8192, true)));
  // a process that has let go of the manifest still lives for a moment, in which it cannot be resumed
  const bool at_work = Manifest::is_at_work(run) || console_is_open(run);
  // a run that was extended after its end and then died has a summary, too
  const bool ended = line == "finished" || line.ends_with("nothing is left to do");
  if (summary.is_object()) {
    take(summary, "title", entry.title);
    take(summary, "time", entry.time);
    if (const auto count = summary.find("particles"); count != summary.end() && count->is_number_integer())
      entry.particles = count->get<std::int64_t>();
  }
  if (!at_work && ended && summary.is_object() && summary.value("ending", nlohmann::json()) == "finished") {
    entry.state = "finished";
    take(summary, "state_hash", entry.hash);
  } else {
    take_from_log(run, entry);
    take_from_series(run, entry);
    take_from_heartbeat(run, at_work, entry);
    entry.planned = planned_time(run);
    if (at_work) entry.state = "running";
    else tell_end(run, line, entry);
  }
  struct stat status {};
  if (::lstat((run / kLogFile).c_str(), &status) == 0) entry.changed = static_cast<double>(status.st_mtime);
  return entry;
}

std::vector<RunEntry> RunList::all() {
  std::vector<RunEntry> found;
  for (const std::string& path : those_below(folder_, is_results)) found.push_back(entry(path));
  return found;
}

}  // namespace areia::studio
