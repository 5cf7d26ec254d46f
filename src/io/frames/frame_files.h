// One frame as VTK files (particles, contacts, walls, bonds) and back. Every number of a Frame is kept, in double
// precision, so that reading returns what was written.
#pragma once
#include <filesystem>

#include "areia/frame.h"

namespace areia {

// Points with one vertex cell each, in the order of ids. Point arrays: id, radius, velocity, speed, spin, orientation
// (w, x, y, z), force, torque, mass, material, group, coordination, prescribed. Field data: TimeValue, step, dt, title,
// stage, materials, groups, wall_names, lost, removed, energy.
void write_particles_vtp(const std::filesystem::path& path, const Frame& frame);

// One line per contact, from the centre of i to the centre of j, or to the contact point on a wall. Cell arrays: i, j,
// wall, patch, force (on i), normal, tangential, overlap, point, direction (unit, from i to j), elongation.
// A partner across a periodic boundary is drawn beside i, where it is felt.
void write_contacts_vtp(const std::filesystem::path& path, const Frame& frame);

// The polygons of all walls. Cell arrays: wall, force, torque (of the whole wall, on each of its polygons). Field data:
// wall_names and per wall wall_force, wall_torque, wall_origin, wall_velocity, so that a wall without polygons is kept.
void write_walls_vtp(const std::filesystem::path& path, const Frame& frame);

// One line per bond: centre of i, anchor of i, anchor of j, centre of j (at a wall the anchor again). Cell arrays: i,
// j, wall, set, force (on i) and its magnitude force_N. Field data: bond_sets, broken (how many broke so far).
void write_bonds_vtp(const std::filesystem::path& path, const Frame& frame);

// A frame with particles and all that belongs to the whole frame; no contacts, and walls with names only.
Frame read_particles_vtp(const std::filesystem::path& path);
void read_contacts_vtp(const std::filesystem::path& path, Frame& frame);
void read_bonds_vtp(const std::filesystem::path& path, Frame& frame);
void read_walls_vtp(const std::filesystem::path& path, Frame& frame);

// Time of a frame file, from its head alone.
double read_frame_time(const std::filesystem::path& path);

}  // namespace areia
