// The contacts that a frame shows, in an archive: a physical checkpoint keeps what contacts remember, not the forces
// that they had.
#pragma once
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"

namespace areia {

void keep_shown(const std::vector<FrameContact>& contacts, Archive& archive);

// None if there are none in the archive. Throws FileError where they do not fit a state of so many ids and walls.
std::vector<FrameContact> read_shown(const Archive& archive, std::int64_t ids, std::size_t walls);

}  // namespace areia
