// What a case starts from: the state of another run, out of its results folder, a checkpoint or a frame.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia::io {

// Reads what `c.start` names, relative to `folder`, and gives the case the sets that come with it, in front of its own.
// Problems have keys and no places; with any, the case stays without a state. `excused` gets keys about which nothing
// else need be said.
std::vector<Problem> take_start(Case& c, const std::filesystem::path& folder, std::vector<std::string>& excused);

}  // namespace areia::io
