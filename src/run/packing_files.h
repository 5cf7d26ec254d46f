// Computed packings in a results folder: packing_SET.csv holds the particles of a set as they were at the start, in
// exact numbers. A resumed run takes them from there; another case may read them with `file`.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "areia/case.h"
#include "io/files/manifest.h"

namespace areia {

// NAME of the file of a set.
std::string packing_file(const ParticleSet& set);

// Writes these sets of a case, which lists their particles now. Files that are there already stay.
void keep_packings(Manifest& manifest, const std::vector<std::string>& sets, const Case& ready);
// Replaces packings of the case by the kept particles, where there are any. Throws FileError.
void use_kept_packings(const std::filesystem::path& folder, Case& c);

}  // namespace areia
