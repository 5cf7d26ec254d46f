#include "run/packing_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "areia/error.h"
#include "engine/prepare.h"
#include "io/files/atomic_file.h"
#include "io/particles/particle_csv.h"

namespace areia {
namespace fs = std::filesystem;

std::string packing_file(const ParticleSet& set) { return fmt::format("packing_{}.csv", set.name); }

void keep_packings(Manifest& manifest, const std::vector<std::string>& sets, const Case& ready) {
  for (const ParticleSet& set : ready.particles) {
    const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source);
    const fs::path file = manifest.folder() / packing_file(set);
    if (!list || std::find(sets.begin(), sets.end(), set.name) == sets.end() || fs::exists(file)) continue;
    manifest.add(packing_file(set));
    write_file_atomically(file, io::write_particle_csv(*list));
  }
}

void use_kept_packings(const fs::path& folder, Case& c) {
  for (ParticleSet& set : c.particles) {
    const fs::path file = folder / packing_file(set);
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

}  // namespace areia
