// Case files of PyParticles (.ini): spheres with linear springs that do not rotate, planes, prescribed velocities.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"

namespace areia {

struct ImportedCase {
  Case settings;
  std::vector<std::string> warnings;  // what has no effect, or is told in another way here
};

// Throws InputError with file and line of every problem.
ImportedCase import_pyparticles(std::string_view text, const std::string& file);

bool is_pyparticles_file(const std::string& file);  // by its ending, .ini

}  // namespace areia
