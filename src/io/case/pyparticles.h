// Case files of PyParticles (.ini): spheres with linear springs that do not rotate, planes, prescribed velocities.
#pragma once
#include <string>
#include <string_view>

#include "io/case/imported_case.h"

namespace areia {

// Throws InputError with file and line of every problem.
ImportedCase import_pyparticles(std::string_view text, const std::string& file);

bool is_pyparticles_file(const std::string& file);  // by its ending, .ini

}  // namespace areia
