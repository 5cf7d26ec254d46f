// Frames as files of LAMMPS: a data file of atom_style sphere, and a dump in text form.
#pragma once
#include <functional>
#include <string_view>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

// The box that a file of LAMMPS must name, and which of its directions are periodic.
struct LammpsBox {
  Box box;
  std::array<bool, 3> periodic{};
};

// That of the case where it has one, else around all particles of the frame, with a radius to spare.
LammpsBox lammps_box(const Frame& frame, const Domain& domain);

// Takes the text piece by piece.
using TextSink = std::function<void(std::string_view)>;

// Ids count from 1 in LAMMPS: ours plus one. Types are the materials of the frame. Throws InputError where the frame
// lacks masses or velocities.
void write_lammps_data(const Frame& frame, const LammpsBox& box, const TextSink& sink);
void write_lammps_dump(const Frame& frame, const LammpsBox& box, const TextSink& sink);

}  // namespace areia
