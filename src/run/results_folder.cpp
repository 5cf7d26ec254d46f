#include "run/results_folder.h"

#include <array>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "io/series/series.h"
#include "run/packing_files.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr std::array kCollections{"all.pvd", "particles.pvd", "contacts.pvd", "walls.pvd", "bonds.pvd"};

std::vector<fs::path> frame_files_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder / "frames", error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".vtp") found.push_back(at->path());
  return found;
}

// Series of measures: any name, but the first column is always the time.
std::vector<fs::path> series_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".csv") continue;
    std::string first(7, ' ');
    std::ifstream(at->path()).read(first.data(), 7);
    if (first == "time_s,") found.push_back(at->path());
  }
  return found;
}

}  // namespace

bool holds_results(const fs::path& folder) {
  std::error_code error;
  for (const std::string_view name : kOwnSeries)
    if (fs::exists(series_file(folder, name), error)) return true;
  return !frame_files_in(folder).empty() || !find_checkpoints(folder).empty();
}

void remove_results(const fs::path& folder) {
  for (const char* name : kCollections) remove_file(folder / name);
  for (const fs::path& path : find_checkpoints(folder)) remove_file(path);
  for (const fs::path& path : frame_files_in(folder)) remove_file(path);
  for (const std::string_view name : kOwnSeries) remove_file(series_file(folder, name));
  remove_packings(folder);
  for (const fs::path& path : series_in(folder)) remove_file(path);
  remove_file(folder / "summary.json");
}

}  // namespace areia
