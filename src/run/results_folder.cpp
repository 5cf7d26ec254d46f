#include "run/results_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/prepare.h"
#include "io/checkpoints/checkpoint.h"
#include "io/frames/vtk_frames.h"
#include "observe/series_names.h"
#include "run/packing_files.h"
#include "run/paraview_script.h"

namespace areia {

const std::vector<std::string>& folders_of_run() {
  static const std::vector<std::string> folders{"frames", "checkpoints"};
  return folders;
}

Manifest::Names names_of_run(const Case& c) {
  std::set<std::string> fixed{kCaseFile, kLogFile, kSummaryFile, kParaViewScript};
  for (const std::string_view name : kOwnSeries) fixed.insert(fmt::format("{}.csv", name));
  for (const Measure& m : c.output.measure) fixed.insert(fmt::format("{}.csv", m.name));
  for (const ParticleSet& set : c.particles)
    if (needs_preparation(set)) fixed.insert(packing_file(set));
  return [fixed = std::move(fixed)](const std::string& name) {
    return fixed.contains(name) || is_frame_file(name) || is_checkpoint_file(name);
  };
}

void remove_results(Manifest& manifest) {
  std::set<std::string> all = manifest.names();
  all.erase(kCaseFile);
  std::vector<std::string> names(all.begin(), all.end());
  const auto rank = [](const std::string& name) {
    return is_checkpoint_file(name) ? 0 : name.ends_with(".pvd") ? 1 : 2;
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  manifest.remove(names);
}

}  // namespace areia
