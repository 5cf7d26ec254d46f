// A case text looked at without running it: all that `areia check --skip-packings` finds, and the scene at its start.
#pragma once
#include <filesystem>
#include <string>

#include "studio/drawing.h"
#include "studio/message.h"

namespace areia::studio {

// The head has "check":
//   problems   [{"file", "line", "key", "value", "rule"}]; empty for a sound case, and only then come the others
//   warnings, notes   texts
//   choices    [{"what": "time step", "value": 1e-6, "unit": "s", "reason": ".."}, ..]
//   particles, walls, contacts, overlap, steps, time, memory
// and, with `scene`, what frame_message.h has of the scene, with `up`, `flat_axis`, and the outlines of regions in
// which particles will be: those of packings that have to be computed, and of streams. `within` (not ""): what the case
// names must lie in this folder.
Message check_message(const std::string& text, const std::string& name, const std::filesystem::path& within,
                      bool scene);

// The scene of a sound case as the page would draw it, PNG, for browsers without WebGL. Throws InputError where the
// case is not sound, or there is nothing to draw.
std::string check_picture(const std::string& text, const std::string& name, const std::filesystem::path& within,
                          const Look& look);

}  // namespace areia::studio
