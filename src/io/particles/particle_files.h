// Particles from the files of other programs: LAMMPS data and dumps, LIGGGHTS dumps, VTK; and from comma separated
// values. The kind of file is told by its content.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia::io {

// Appends the particles of `text`, in the order of ids where the file has any. Of a dump the last time step is taken,
// or the one named. Problems carry the file and the line.
void parse_particle_file(std::string_view text, const std::string& file, std::optional<std::int64_t> step,
                         std::vector<ListedParticle>& particles, std::vector<Problem>& problems);

// A LAMMPS data file of atom_style sphere, or granular as LIGGGHTS calls it, in its own units; atoms in the order of
// ids.
struct LammpsData {
  struct Atom {
    std::int64_t id = 0, type = 1;
    ListedParticle particle;
    double density = 0;
  };
  std::vector<Atom> atoms;
  std::int64_t types = 1;
  std::optional<Box> box;
};
LammpsData parse_lammps_data(std::string_view text, const std::string& file, std::vector<Problem>& problems);

// Named columns of numbers, on their way to particles.
struct ParticleColumn {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

// Whether a column of this name and width says anything about particles; others need not be kept.
bool serves_particles(std::string_view name, int components);

// Finds positions, velocities, spins, radii, masses and charges among the columns by the names that programs give them.
void particles_from_columns(const std::vector<ParticleColumn>& columns, std::size_t count, const std::string& file,
                            std::vector<ListedParticle>& particles, std::vector<Problem>& problems);

// VTK: legacy ASCII (PolyData, unstructured grids), XML (.vtp, .vtu) in any of its encodings.
void parse_vtk_legacy(std::string_view text, const std::string& file, std::vector<ListedParticle>& particles,
                      std::vector<Problem>& problems);
void parse_vtk_xml(std::string_view text, const std::string& file, std::vector<ListedParticle>& particles,
                   std::vector<Problem>& problems);

}  // namespace areia::io
