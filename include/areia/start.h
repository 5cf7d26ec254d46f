// The state of a run from which another case starts: what a checkpoint says of particles, contacts, bonds and walls,
// with the names that its numbers stand for. `read_start` (areia/case_file.h) makes one of a results folder, a
// checkpoint or a frame.
#pragma once
#include <string>
#include <vector>

#include "areia/archive.h"

namespace areia {

struct StartState {
  Archive archive;
  std::string origin;              // where it comes from, in words
  std::vector<std::string> notes;  // what is to be known about it
};

}  // namespace areia
