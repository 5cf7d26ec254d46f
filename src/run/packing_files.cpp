#include "run/packing_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "areia/error.h"
#include "engine/prepare.h"
#include "io/files/atomic_file.h"
#include "io/particles/particle_csv.h"

namespace areia {
namespace fs = std::filesystem;

static fs::path packing_file(const fs::path& folder, const ParticleSet& set) {
  return folder / fmt::format("packing_{}.csv", set.name);
}

void keep_packings(const fs::path& folder, const std::vector<std::string>& sets, const Case& ready) {
  for (const ParticleSet& set : ready.particles) {
    const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source);
    const fs::path file = packing_file(folder, set);
    if (list && std::find(sets.begin(), sets.end(), set.name) != sets.end() && !fs::exists(file))
      write_file_atomically(file, io::write_particle_csv(*list));
  }
}

void use_kept_packings(const fs::path& folder, Case& c) {
  for (ParticleSet& set : c.particles) {
    const fs::path file = packing_file(folder, set);
    if (!needs_preparation(set) || !fs::exists(file)) continue;
    std::vector<ListedParticle> list;
    std::vector<Problem> problems;
    io::parse_particle_csv(read_file(file), file.string(), 1, list, problems);
    if (!problems.empty() || list.empty())
      throw FileError(
          fmt::format("{}: does not hold the particles of an earlier run{}", file.string(),
                      problems.empty() ? "" : fmt::format(" (line {}: {})", problems[0].line, problems[0].rule)));
    set.source = std::move(list);
    allow_packed_overlaps(c);
  }
}

void remove_packings(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("packing_") && name.ends_with(".csv")) found.push_back(at->path());
  }
  for (const fs::path& file : found) remove_file(file);
}

}  // namespace areia
