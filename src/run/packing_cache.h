// Packings kept between runs, so that `check` and `run` of a case, and runs of cases that share a packing, compute it
// once. An entry is a file named by the hash of all that the packing depends on, the program itself included: what is
// read is what this program would compute, bit by bit. An entry that is damaged counts as missing, and so does a folder
// that cannot be written to: the cache saves time and is never needed.
#pragma once
#include <filesystem>
#include <optional>

#include "engine/prepare.h"

namespace areia {

// AREIA_CACHE names the folder, or is `off`; else `areia` in XDG_CACHE_HOME, or in .cache of the home folder.
std::optional<std::filesystem::path> cache_folder();

// The packings in a folder. When they take more than `most_bytes`, those that were not used for longest go.
PackingMemory packing_cache(const std::filesystem::path& folder, std::uintmax_t most_bytes = std::uintmax_t{2} << 30);

}  // namespace areia
