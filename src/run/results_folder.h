// What a results folder holds: frames/, checkpoints/, *.pvd, *.csv, summary.json.
#pragma once
#include <filesystem>

namespace areia {

// The folder holds frames, checkpoints or series of a run. Ask before a new run is started in it.
bool holds_results(const std::filesystem::path& folder);

// Removes what a run writes (the collections first, so that none names a missing file), and nothing else.
void remove_results(const std::filesystem::path& folder);

}  // namespace areia
