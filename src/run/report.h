// One page of a run that needs nothing else: case, what the program chose, pictures, plots, ledger, warnings, hash.
#pragma once
#include <filesystem>
#include <string>

#include "render/render.h"

namespace areia {

// HTML with pictures and plots inside; nothing of it is loaded from elsewhere, and texts of the case and the log are no
// markup. `options`: how the first, the middle and the last frame are drawn. Throws FileError where the folder holds no
// run.
std::string run_report(const std::filesystem::path& results, const RenderOptions& options);

}  // namespace areia
