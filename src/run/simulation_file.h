// A simulation in one file: its state as in a checkpoint, and the case that it belongs to, so that it goes on without
// any other file. Beside the entries of a checkpoint it has
//   /text/case.toml       the case with every default, and packings as lists of particles
//   /.../start.NAME       the entries of the state that the case started from, if it did
#pragma once
#include <filesystem>

#include "areia/simulation.h"

namespace areia {

// Complete on disk when it returns. The lists of the case must be there (Simulation::drop_lists). Throws FileError.
void write_simulation(const std::filesystem::path& file, const Simulation& simulation);

struct SimulationFile {
  Case settings;
  Archive archive;  // for Simulation::load
};
SimulationFile read_simulation(const std::filesystem::path& file);  // throws FileError
// The case of a results folder, its packings as they were made, and the newest checkpoint.
SimulationFile read_results(const std::filesystem::path& folder);

}  // namespace areia
