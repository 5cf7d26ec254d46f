// A frame: the whole visible state at one instant, in the order of particle ids. Plain data, written by io/,
// drawn by render, read by observers and by users of the library.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "areia/vec3.h"

namespace areia {

using Quat = std::array<double, 4>;  // (w, x, y, z), unit

struct FrameParticles {              // all arrays have the same length
  std::vector<std::int64_t> id;      // ascending, never reused
  std::vector<Vec3d> x, v, w;        // m, m/s, rad/s
  std::vector<Quat> q;               // orientation
  std::vector<Vec3d> force, torque;  // of the last evaluation: contacts and fields
  std::vector<double> radius, mass, charge;
  std::vector<std::int32_t> material, group;  // indices into the frame's name tables
  std::vector<std::int32_t> coordination;     // touching partners, walls included
  std::vector<std::uint8_t> prescribed;
};

struct FrameContact {
  std::int64_t i = 0;      // particle id
  std::int64_t j = -1;     // particle id (i < j), or -1 for a wall
  std::int32_t wall = -1;  // index into the frame's walls, or -1
  std::int32_t patch = 0;  // face of the wall
  Vec3d point;             // contact point
  Vec3d n;                 // unit, from i to j or into the wall
  double overlap = 0;
  Vec3d force;            // on i
  double normal = 0;      // N >= 0 pushes apart
  double tangential = 0;  // |f_t|
  Vec3d elongation;       // tangential spring
};

struct FrameBond {
  std::int64_t i = 0;   // particle id
  std::int64_t j = -1;  // particle id, or -1 for a wall
  std::int32_t wall = -1;
  std::int32_t set = 0;  // index into the frame's bond sets
  Vec3d at_i, at_j;      // anchors
  Vec3d force;           // on i
};

enum class BreakMode { tension, shear, compression };  // what came closest to, or furthest beyond, its strength

struct FrameBreak {  // a bond that broke since the start
  double time = 0;
  std::int64_t i = 0, j = -1;
  std::int32_t wall = -1, set = 0;
  Vec3d point;
  double force = 0;              // N, at which it broke
  double normal = 0, shear = 0;  // N, its parts along the line of centres (a pull is positive) and across it
  BreakMode mode = BreakMode::tension;
};

struct FrameWall {
  std::string name;
  Vec3d force, torque;  // of the particles on the wall; torque about `origin`
  Vec3d origin;
  Vec3d velocity;               // of the wall's origin
  Quat turn{1, 0, 0, 0};        // since the start, about `origin`
  bool present = true;          // false once a stage has removed it
  std::vector<Vec3d> vertices;  // present outline as polygons, for pictures
  std::vector<std::vector<std::int32_t>> polygons;
};

// What particles have done to a wall since the start; see the theory manual, "Wear". One entry for each triangle of a
// mesh, one for each patch of another shape.
struct FrameWear {
  std::int32_t wall = 0;        // index into the frame's walls
  std::vector<double> sliding;  // J, friction on what slips
  std::vector<double> loaded;   // J, normal force times slip: Archard's product
  std::vector<double> impact;   // J, normal force times approach
};

// The periodic cell of a case that loads it. Stresses and strains are those of compression and shortening; velocities
// of particles are those against the homogeneous motion of the cell.
struct FrameCell {
  bool deforms = false;
  Vec3d low, length, first_length;       // m
  double volume = 0;                     // m^3; of a 2-D case its area times the thickness
  Vec3d strain_rate;                     // 1/s, of the last step
  Vec3d contact_stress, kinetic_stress;  // Pa, normal stresses of the last evaluation

  Vec3d stress() const { return contact_stress + kinetic_stress; }
};

// J; see the theory manual, "Energy ledger".
struct Energy {
  // stored in particles
  double kinetic = 0, rotational = 0;
  double potential = 0;  // in uniform gravity that acts everywhere
  // stored between them
  double elastic_normal = 0, elastic_tangential = 0, elastic_rolling = 0;  // springs of contacts, twisting with rolling
  double adhesive = 0;                                                     // adhesion of contacts, negative when bound
  double distant = 0;                                                      // forces at a distance
  double bonds = 0;                                                        // springs of bonds
  // dissipated since t = 0, >= 0 up to round-off
  double damping = 0, sliding = 0, rolling = 0;
  double adhesion = 0;      // by adhesive contacts that opened, and viscous adhesion
  double bond_damping = 0;  // dampers of bonds
  double broken = 0;        // springs of bonds that broke
  double drag = 0;          // given to the fluid
  // put in since t = 0
  double wall_work = 0;    // done by walls and prescribed particles on the grains
  double field_work = 0;   // of all fields but uniform gravity
  double removed = 0;      // energy taken away with removed or lost particles and walls, negative for inserted ones
  double numerical = 0;    // created by the finite time step in elastic contacts and springs
  double initial = 0;      // stored energy at t = 0
  double turned_over = 0;  // scale for the residual: largest stored energy exchanged so far
  double residual = 0;     // what the bookings above do not explain
};

// Which parts of a frame are wanted: what is not asked for costs nothing and stays empty. Ids, names, counts and the
// cell are always there; contacts bring x, radius and coordination with them, walls x and radius.
struct FrameChoice {
  bool x = true, v = true, w = true, q = true, force = true, torque = true, radius = true, mass = true, charge = true,
       material = true, group = true, coordination = true, prescribed = true;
  bool contacts = true, walls = true;
  bool bonds = true;  // and those that broke
  bool energy = true;

  // Nothing but what is always there.
  static FrameChoice none() {
    return {false, false, false, false, false, false, false, false, false,
            false, false, false, false, false, false, false, false};
  }
};

struct Frame {
  std::string title, stage;
  double time = 0, dt = 0;
  std::int64_t step = 0;
  std::vector<std::string> materials, groups;
  FrameParticles particles;
  std::vector<FrameContact> contacts;  // by (i, j), then (i, wall, patch)
  std::vector<FrameWall> walls;
  std::vector<std::string> bond_sets;
  std::vector<FrameBond> bonds;    // by (i, j, wall), then in the order they were made
  std::vector<FrameBreak> breaks;  // in the order of time
  std::vector<FrameWear> wear;     // of the walls that a measure asks for
  FrameCell cell;
  Energy energy;
  bool gravity_set = false;   // while it ran, in place of what the case says
  Vec3d gravity;              // m/s^2, then
  std::int64_t lost = 0;      // left the domain
  std::int64_t removed = 0;   // taken out by a stage or a call
  std::int64_t inserted = 0;  // brought in by streams or a call
};

}  // namespace areia
