#include "studio/routes.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "areia/case_file.h"
#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/series/series.h"
#include "io/series/series_table.h"
#include "render/render.h"
#include "run/results_folder.h"
#include "studio/message.h"
#include "studio/page.h"
#include "studio/plain_file.h"

namespace areia::studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kBinary = "application/octet-stream";
constexpr const char* kText = "text/plain; charset=utf-8";

json as_json(const RunEntry& e) {
  return {{"path", e.path},
          {"title", e.title},
          {"state", e.state},
          {"note", e.note},
          {"hash", e.hash},
          {"time", e.time},
          {"planned", e.planned ? json(*e.planned) : json()},
          {"particles", e.particles ? json(*e.particles) : json()},
          {"speed", e.speed ? json(*e.speed) : json()},
          {"left", e.left ? json(*e.left) : json()},
          {"beat", e.beat},
          {"changed", e.changed}};
}

// Names of series are those of files in the folder itself.
bool is_series_name(const std::string& name) {
  return !name.empty() && name.size() < 200 && name.find('/') == std::string::npos && !name.starts_with('.');
}

Answer file_as_text(const fs::path& path, const char* type) {
  if (!is_plain_file(path)) return refusal(404, "there is no such file");
  return {200, type, read_plain(path)};
}

}  // namespace

Answer Routes::answer(const Target& target) {
  try {
    return found(target);
  } catch (const FileError& e) { return refusal(422, e.what()); } catch (const InputError& e) {
    return refusal(422, e.what());
  } catch (const fs::filesystem_error& e) { return refusal(422, e.what()); }
}

Answer Routes::check(const Target& target) const {
  try {
    return control_.check(target);
  } catch (const FileError& e) { return refusal(503, e.what()); }
}

Answer Routes::found(const Target& target) {
  if (target.path == "/") {
    const Page page = studio_page();
    return {200, "text/html; charset=utf-8", std::string(page.html_gzipped), true};
  }
  if (target.path == "/editor.js")
    return {200, "text/javascript; charset=utf-8", std::string(studio_page().editor_gzipped), true};
  if (target.path == "/api/runs") return list();
  if (Control::knows(target.path)) return control_.answer(target);
  static const std::set<std::string> kOfRuns{"/api/run", "/api/series", "/api/case", "/api/log"};
  if (!kOfRuns.contains(target.path) && !is_read(target) && !is_drawn(target))
    return refusal(404, "there is no such address");
  const std::string path = value_of(target, "run");
  const std::optional<fs::path> folder = runs_.find(path);
  if (!folder) return refusal(404, "there is no such results folder");
  if (target.path == "/api/run") return run(path, *folder);
  if (target.path == "/api/series") return series(*folder, target);
  if (target.path == "/api/case") return file_as_text(*folder / kCaseFile, kText);
  if (target.path == "/api/log") return file_as_text(*folder / kLogFile, kText);
  return of_frame(*folder, target);
}

bool Routes::is_read(const Target& target) {
  return target.path == "/api/frame" || target.path == "/api/particle" || target.path == "/api/history";
}

Answer Routes::list() {
  control_.look_after_processes();
  json all = json::array();
  for (const RunEntry& e : runs_.all()) all.push_back(as_json(e));
  return as_answer({{"folder", runs_.folder().filename().string()},
                    {"runs", std::move(all)},
                    {"writes", !is_results(runs_.folder())}});
}

Answer Routes::run(const std::string& path, const fs::path& folder) {
  json answer = as_json(runs_.entry(path));
  json& times = answer["frames"] = json::array();
  for (const FrameEntry& e : frames(folder))
    times.push_back({{"index", e.index}, {"time", e.time}, {"contacts", e.has_contacts}, {"bonds", e.has_bonds}});
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".csv" && is_plain_file(file.path())) names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  answer["series"] = names;
  answer["case_file"] = control_.case_of(path);
  RenderOptions options;
  try {
    if (is_plain_file(folder / kCaseFile)) look_as_case_says(read_case((folder / kCaseFile).string()), options);
  } catch (const Error&) {}  // of another version, or edited: up is z then
  answer["up"] = {options.up.x, options.up.y, options.up.z};
  answer["flat_axis"] = options.flat_axis ? json(*options.flat_axis) : json();
  return as_answer(answer);
}

Answer Routes::series(const fs::path& folder, const Target& target) const {
  const std::string name = value_of(target, "name"), as = value_of(target, "as");
  if (!is_series_name(name)) return refusal(404, "there is no such series");
  const fs::path file = series_file(folder, name);
  if (as == "csv") return file_as_text(file, "text/csv; charset=utf-8");
  if (!as.empty() && as != "columns") return refusal(400, "series come as `columns` or as `csv`");
  if (!is_plain_file(file)) return refusal(404, "there is no such series");
  const SeriesTable table = through_handle(file, [](const fs::path& handle) { return read_series(handle); });
  Message message;
  message.head = {{"names", table.names}, {"arrays", json::object()}};
  for (std::size_t k = 0; k < table.columns.size(); ++k) message.add(std::to_string(k), 1, table.columns[k]);
  return {200, kBinary, message.bytes()};
}

}  // namespace areia::studio
