// What a run writes into its results folder.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"
#include "io/files/manifest.h"

namespace areia {

inline constexpr const char *kCaseFile = "case.toml", *kLogFile = "log.txt", *kSummaryFile = "summary.json",
                            *kStartFile = "start.h5";

// The names below the folder that a run of the case may write, and the folders within in which it does.
Manifest::Names names_of_run(const Case& c);
std::vector<std::string> folders_of_run(const Case& c);

// Removes all that the manifest names but the case, which is replaced in one go. Checkpoints go first: should the
// process be killed on the way, what is left is the run before its first checkpoint. Then the collections, so that none
// names a missing file.
void remove_results(Manifest& manifest);

}  // namespace areia
