#include "run/simulation_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/start.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "run/packing_files.h"
#include "run/results_folder.h"

namespace areia {
namespace {

namespace fs = std::filesystem;

constexpr const char *kCase = "case.toml", *kStart = "start.";
template <class Entries>
void add(const Entries& from, Entries& to) {
  for (const auto& [name, value] : from) to[kStart + name] = value;
}
template <class Entries>
void take(Entries& from, Entries& to) {
  for (auto at = from.begin(); at != from.end();)
    if (at->first.starts_with(kStart)) {
      to[at->first.substr(std::string_view(kStart).size())] = std::move(at->second);
      at = from.erase(at);
    } else {
      ++at;
    }
}

// Gone when it is not needed any more.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "areia-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw FileError(fmt::format("{}: cannot make a folder there", name));
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void write_simulation(const fs::path& file, const Simulation& simulation) {
  Archive a = simulation.save();
  Case c = simulation.settings();
  if (c.start.state.held) {
    const Archive& start = c.start.state.held->archive;
    add(start.real, a.real);
    add(start.integer, a.integer);
    add(start.text, a.text);
    a.text[std::string(kStart) + "origin"] = c.start.state.held->origin;
    c.start.from = kStartFile;
    c.start.time = Start::kLast;
  }
  a.text[kCase] = to_toml(c);
  write_archive(file, std::move(a), simulation.time(), simulation.step());
}

SimulationFile read_simulation(const fs::path& file) {
  Archive a = read_checkpoint(file).archive;
  const auto text = a.text.find(kCase);
  if (text == a.text.end())
    throw FileError(fmt::format(
        "{}: is the checkpoint of a run, which does not hold its case; resume the folder of the run", file.string()));
  Archive start;
  take(a.real, start.real);
  take(a.integer, start.integer);
  take(a.text, start.text);
  std::optional<ScratchFolder> scratch;
  fs::path beside;
  if (!start.text.empty()) {  // reading a case takes the state that it starts from out of a file
    scratch.emplace();
    beside = scratch->path();
    write_archive(beside / kStartFile, std::move(start), 0, 0);
  }
  SimulationFile out;
  try {
    out.settings = parse_case(text->second, (beside / kCase).string());
  } catch (const InputError& e) {
    throw FileError(fmt::format("{}: its case cannot be read: {}", file.string(), e.what()));
  }
  out.archive = std::move(a);
  return out;
}

SimulationFile read_results(const fs::path& folder) {
  const fs::path file = folder / kCaseFile;
  std::error_code none;
  if (!fs::exists(file, none))
    throw FileError(fmt::format("{}: no {} there, nothing to resume", folder.string(), kCaseFile));
  SimulationFile out;
  out.settings = parse_case(read_file(file), file.string());
  use_kept_packings(folder, out.settings);
  out.archive = read_newest_checkpoint(folder).archive;
  return out;
}

}  // namespace areia
