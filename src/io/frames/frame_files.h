// One frame as VTK files (particles, contacts, walls, bonds) and back. Which arrays there are, and in what precision,
// is chosen by the case ([output]); with all of them, in double precision, reading returns what was written.
//
// Single precision rounds a number by at most 2^-24 = 6e-8 of itself. For a velocity or a force that is far below what
// it means. A position is another matter: its error goes with the distance from the origin, and what it is read against
// is the radius. A centre at distance L along each axis is moved by sqrt(3) 2^-24 L at most. Contacts have overlaps of
// 1e-3 radii and more, and the overlap stands in the contacts' own array; the eye sees 1e-2. So positions are floats
// while no centre of the frame is moved by more than 1e-4 of its radius, which holds up to 970 radii from the origin
// along an axis, and doubles beyond.
#pragma once
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

// The arrays that a case may choose.
const std::vector<std::string>& particle_array_names();
const std::vector<std::string>& contact_array_names();

// The arrays that a frame has of its particles, id and radius among them, as numbers: component c of particle k.
struct ParticleColumn {
  std::string name;
  int components = 1;
  std::function<double(std::size_t k, int c)> value;
};
std::vector<ParticleColumn> particle_columns(const FrameParticles& particles);  // which must outlive them

// Points with one vertex cell each, in the order of ids. Point arrays: id, radius, and what was chosen of velocity,
// speed, spin, orientation (w, x, y, z), force, torque, mass, charge (where there is any), material, group,
// coordination, prescribed. Field data: TimeValue, step, dt, title, stage, materials, groups, wall_names, lost,
// removed, energy, and of a cell that deforms `cell`.
void write_particles_vtp(const std::filesystem::path& path, const Frame& frame, const Output& what);

// One line per contact, from the centre of i to the centre of j, or to the contact point on a wall. Cell arrays: i, j,
// wall, and what was chosen of patch, force (on i), normal, tangential, overlap, point, direction (unit, from i to j),
// elongation. A partner across a periodic boundary is drawn beside i, where it is felt.
void write_contacts_vtp(const std::filesystem::path& path, const Frame& frame, const Output& what);

// The polygons of all walls. Cell arrays: wall, force, torque (of the whole wall, on each of its polygons). Field data:
// wall_names and per wall wall_force, wall_torque, wall_origin, wall_velocity, so that a wall without polygons is kept.
void write_walls_vtp(const std::filesystem::path& path, const Frame& frame, const Output& what);

// One line per bond: centre of i, anchor of i, anchor of j, centre of j (at a wall the anchor again). Cell arrays: i,
// j, wall, set, force (on i) and its magnitude force_N. Field data: bond_sets, broken (how many broke so far).
void write_bonds_vtp(const std::filesystem::path& path, const Frame& frame, const Output& what);

// A frame with particles and all that belongs to the whole frame; no contacts, and walls with names only. An array that
// the file does not have stays empty.
Frame read_particles_vtp(const std::filesystem::path& path);
// The same with these arrays alone, beside id and radius; in a large frame each costs milliseconds. `there` gets what
// the file has, without values.
Frame read_particles_vtp(const std::filesystem::path& path, const std::set<std::string>& only,
                         std::vector<ParticleColumn>& there);
// Into a frame that has its particles. Where direction or point was not written, it is taken from the line.
void read_contacts_vtp(const std::filesystem::path& path, Frame& frame);
void read_bonds_vtp(const std::filesystem::path& path, Frame& frame);
void read_walls_vtp(const std::filesystem::path& path, Frame& frame);

// Time of a frame file, from its head alone.
double read_frame_time(const std::filesystem::path& path);

}  // namespace areia
