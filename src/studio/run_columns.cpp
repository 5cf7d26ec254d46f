#include "studio/run_columns.h"

#include <fmt/format.h>

#include <optional>

#include "areia/error.h"
#include "io/case/toml_text.h"
#include "io/files/atomic_file.h"
#include "run/results_folder.h"
#include "studio/plain_file.h"

namespace areia::studio {

namespace fs = std::filesystem;
using nlohmann::json;
using Values = std::map<std::string, json>;

namespace {

constexpr std::uintmax_t kLongCase = 256 << 10;  // bytes; longer ones hold lists of particles
constexpr std::size_t kLongText = 100;

// Elements of arrays of tables by their name, where they have one, else by their number.
void flatten(const toml::node& node, const std::string& path, Values& values) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) flatten(value, below(std::string(key.str())), values);
  } else if (const toml::array* array = node.as_array()) {
    int number = 0;
    for (const toml::node& value : *array) {
      ++number;
      if (!value.is_table()) continue;
      const std::optional<std::string> name = (*value.as_table())["name"].value<std::string>();
      flatten(value, below(name.value_or(std::to_string(number))), values);
    }
  } else if (const auto number = node.value<double>(); number && (node.is_floating_point() || node.is_integer())) {
    values[path] = *number;
  } else if (const auto truth = node.as_boolean()) {
    values[path] = truth->get();
  } else if (const auto text = node.as_string(); text && text->get().size() <= kLongText) {
    values[path] = text->get();
  }
}

// Numbers of the summary, those of the energies with it.
void add_results(const fs::path& run, json& values) {
  if (!is_plain_file(run / kSummaryFile)) return;
  const json summary = json::parse(read_plain(run / kSummaryFile), nullptr, false);
  if (!summary.is_object()) return;
  for (const auto& [key, value] : summary.items())
    if (value.is_number()) values[key] = value;
  const auto energy = summary.find("energy");
  if (energy == summary.end() || !energy->is_object()) return;
  for (const auto& [key, value] : energy->items())
    if (value.is_number()) values["energy." + key] = value;
}

}  // namespace

const Values& RunColumns::keys_of(const fs::path& run) {
  const fs::path file = run / kCaseFile;
  Known& known = known_[run.string()];
  std::error_code error;
  if (!is_plain_file(file) || fs::file_size(file, error) > kLongCase) {
    known = {};
    return known.values;
  }
  const fs::file_time_type changed = fs::last_write_time(file, error);
  if (known.changed == changed) return known.values;
  known = {changed, {}};
  try {
    flatten(io::parse_toml(read_plain(file), kCaseFile), "", known.values);
  } catch (const Error&) {}  // edited
  return known.values;
}

json RunColumns::of(RunList& runs) {
  json all = json::object();
  struct Seen {
    std::size_t count = 0;  // of cases
    bool differs = false;
    const json* first = nullptr;
  };
  std::map<std::string, Seen> seen;  // by key
  std::map<std::string, const Values*> cases;
  for (const RunEntry& e : runs.all()) {
    const fs::path run = e.path == "." ? runs.folder() : runs.folder() / e.path;
    const Values& values = *(cases[e.path] = &keys_of(run));
    for (const auto& [key, value] : values) {
      Seen& s = seen[key];
      if (s.count++ == 0) s.first = &value;
      else if (*s.first != value) s.differs = true;
    }
    add_results(run, all[e.path] = json::object());
  }
  for (const auto& [path, values] : cases)
    for (const auto& [key, value] : *values)
      if (const Seen& s = seen[key]; s.differs || s.count < cases.size()) all[path][key] = value;
  return all;
}

}  // namespace areia::studio
