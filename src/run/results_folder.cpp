#include "run/results_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/prepare.h"
#include "io/checkpoints/checkpoint.h"
#include "io/frames/field_files.h"
#include "io/frames/vtk_frames.h"
#include "observe/measures.h"
#include "observe/series_names.h"
#include "run/heartbeat.h"
#include "run/packing_files.h"
#include "run/paraview_script.h"

namespace areia {

std::vector<std::string> folders_of_run(const Case& c) {
  std::vector<std::string> folders{"frames", "checkpoints"};
  if (std::any_of(c.output.measure.begin(), c.output.measure.end(),
                  [](const Measure& m) { return measure_info(m.kind).picture; }))
    folders.emplace_back(kFieldsFolder);
  return folders;
}

Manifest::Names names_of_run(const Case& c) {
  std::set<std::string> fixed{kCaseFile, kLogFile, kSummaryFile, kParaViewScript, kHeartbeatFile};
  for (const std::string_view name : kOwnSeries) fixed.insert(fmt::format("{}.csv", name));
  for (const Measure& m : c.output.measure) fixed.insert(fmt::format("{}.csv", m.name));
  if (!c.start.from.empty()) fixed.insert(kStartFile);
  for (const ParticleSet& set : c.particles)
    if (needs_preparation(set)) fixed.insert(packing_file(set));
  std::vector<std::pair<std::string, std::string>> pictures;  // measures and endings of their files
  for (const Measure& m : c.output.measure)
    if (const char* ending = measure_info(m.kind).picture) pictures.emplace_back(m.name, ending);
  return [fixed = std::move(fixed), pictures = std::move(pictures)](const std::string& name) {
    return fixed.contains(name) || is_frame_file(name) || is_checkpoint_file(name) ||
           std::any_of(pictures.begin(), pictures.end(),
                       [&](const auto& p) { return is_field_file(name, p.first, p.second); });
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
