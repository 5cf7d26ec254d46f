#include "io/checkpoints/description.h"

#include <algorithm>
#include <array>

namespace areia {

namespace {

constexpr std::string_view kVector = "x, y, z";

constexpr std::array kDescriptions{
    // particles, by ascending id
    ArrayDescription{"particles/id", "1", "", "id, never used twice"},
    ArrayDescription{"particles/x", "m", kVector, "centre"},
    ArrayDescription{"particles/v", "m/s", kVector, "velocity"},
    ArrayDescription{"particles/w", "rad/s", kVector, "angular velocity"},
    ArrayDescription{"particles/q", "1", "w, x, y, z", "orientation, a unit quaternion"},
    ArrayDescription{"particles/radius", "m", "", "radius"},
    ArrayDescription{"particles/mass", "kg", "", "mass"},
    ArrayDescription{"particles/inv_j", "1/(kg m^2)", "", "inverse moment of inertia; 0: it does not turn"},
    ArrayDescription{"particles/charge", "C", "", "electric charge; empty: none has any"},
    ArrayDescription{"particles/material", "1", "", "material, a line of /text/names/materials from 0"},
    ArrayDescription{"particles/group", "1", "", "group, a line of /text/names/groups from 0"},
    ArrayDescription{"particles/set", "1", "", "set, a line of /text/names/sets from 0"},
    ArrayDescription{"particles/prescribed", "1", "", "1: moved by its set's motion alone; empty: none is"},
    ArrayDescription{"particles/placed_x", "m", kVector, "where the motion of a prescribed one starts from"},
    ArrayDescription{"particles/placed_q", "1", "w, x, y, z", "how it was turned there"},
    ArrayDescription{"particles/old_acceleration", "m/s^2", kVector, "acceleration of the last step, where kept"},
    ArrayDescription{"particles/old_turning", "rad/s^2", kVector, "angular acceleration of the last step, where kept"},
    ArrayDescription{"particles/force", "N", kVector, "force of contacts and bonds at the last evaluation"},
    ArrayDescription{"particles/torque", "N m", kVector, "torque of contacts and bonds at the last evaluation"},
    ArrayDescription{"particles/field", "N", kVector, "force of fields that are no uniform gravity; empty: none"},
    ArrayDescription{"particles/drag", "N", kVector, "force of the fluid; empty: none"},
    ArrayDescription{"particles/distant", "N", kVector, "forces at a distance; empty: none"},
    ArrayDescription{"particles/contacts", "1", "", "number of contacts at the last evaluation"},
    ArrayDescription{"particles/friction", "N", kVector, "friction in the committed state of an implicit scheme"},
    ArrayDescription{"particles/bond_torque", "N m", kVector, "torque of bonds in that state"},
    // contacts, by (i, j) or (i, wall, patch, k)
    ArrayDescription{"contacts/i", "1", "", "id of a particle"},
    ArrayDescription{"contacts/j", "1", "", "id of its partner, above i; -1: a wall"},
    ArrayDescription{"contacts/wall", "1", "", "wall, a line of /text/names/walls from 0; -1: a particle"},
    ArrayDescription{"contacts/patch", "1", "", "face of the wall, or smooth patch of a mesh"},
    ArrayDescription{"contacts/k", "1", "", "tells contacts with one patch apart"},
    ArrayDescription{"contacts/numbers", "1", "", "how many numbers of contacts/history are its own"},
    ArrayDescription{
        "contacts/history", "", "",
        "what laws remember, contact after contact, in SI units: first of the normal, adhesion, tangential, "
        "rolling and twisting law all scalars, then all vectors; the first is the overlap in m"},
    ArrayDescription{"contacts/place", "", "point_x, point_y, point_z, n_x, n_y, n_z",
                     "of contacts with walls: point in the frame of the wall in m, direction into the wall"},
    ArrayDescription{"shown_contacts/who", "1", "i, j, wall, patch", "contacts of the last frame: who touches whom"},
    ArrayDescription{"shown_contacts/what", "",
                     "point_x, point_y, point_z, n_x, n_y, n_z, force_x, force_y, force_z, elongation_x, elongation_y, "
                     "elongation_z, overlap, normal, tangential",
                     "contacts of the last frame: m, 1, N (on i), m, m, N, N"},
    // bonds, in the order they were made
    ArrayDescription{"bonds/ends", "1", "i, j, wall, set",
                     "what a bond joins (-1: none), and its set, a line of /text/names/bonds from 0"},
    ArrayDescription{"bonds/numbers", "", "",
                     "anchors, springs, dampers, strengths and forces of each bond, in SI units"},
    ArrayDescription{"bonds/broken_ends", "1", "i, j, wall, set", "bonds that broke"},
    ArrayDescription{"bonds/breaks", "", "time, point_x, point_y, point_z, force, normal, shear",
                     "when (s), where (m) and by what force (N) they broke"},
    ArrayDescription{"bonds/modes", "1", "", "how they broke: 0 tension, 1 shear, 2 compression"},
    // walls, in the order of /text/names/walls
    ArrayDescription{"walls/numbers", "",
                     "q_w, q_x, q_y, q_z, center_x, center_y, center_z, shift_x, shift_y, shift_z, v_x, v_y, v_z, w_x, "
                     "w_y, w_z, force_x, force_y, force_z, torque_x, torque_y, torque_z, servo_shift, servo_speed",
                     "turn about the centre, centre and shift (m), velocity (m/s), spin (rad/s), force (N) and torque "
                     "(N m) of the particles, shift (m) and speed (m/s) of the servo"},
    ArrayDescription{"walls/present", "1", "", "1: the wall is there"},
    ArrayDescription{"wall_there", "1", "", "1: the wall is there by its stages and times"},
    // the run
    ArrayDescription{"gravity", "m/s^2", kVector, "uniform gravity of the moment"},
    ArrayDescription{"set_gravity", "m/s^2", kVector, "uniform gravity that was set while it ran"},
    ArrayDescription{
        "set_walls", "", "",
        "walls whose velocity was set while it ran: their numbers; q_w, q_x, q_y, q_z, center_x .., shift_x .. "
        "as they were then, velocity_x .. (m/s), spin_x .. (rad/s), point_x .. (m), since (s)"},
    ArrayDescription{"counters", "1", "step, lost, removed, inserted, ids",
                     "steps taken; particles lost, removed, inserted; ids given out"},
    ArrayDescription{"ledger", "J", "", "the energy ledger: exact sums, in the order of engine/ledger.h"},
    ArrayDescription{"ledger_parts", "1", "", "how many numbers of `ledger` each of its last sums has"},
    ArrayDescription{"implicit/driver", "", "", "control of an implicit scheme; empty with explicit ones"},
    ArrayDescription{"implicit/forces_known", "1", "", "1: the forces are those of the committed state"},
    ArrayDescription{"stage", "1", "stage, first_step, quiet_tests, over, done", "the present stage, from 0"},
    ArrayDescription{"leg", "", "", "steps of the present length: first, last and end as numbers of steps; times in s"},
    ArrayDescription{"stage_start", "s", "", "when the stages began"},
    ArrayDescription{"stage_end", "s", "", "when they ended"},
    ArrayDescription{"stage_record", "1", "first_step, last_step, ending",
                     "stages: 0 goes on, ended by 1 time, 2 rest, 3 value, 4 limit"},
    ArrayDescription{"liveliest", "J", "", "most kinetic energy per particle that a test for rest has found"},
    ArrayDescription{"choices", "s", "", "the time step"},
    ArrayDescription{"streams", "1", "", "counters of streams, and the particles that wait"},
    ArrayDescription{"stream_mass", "kg", "", "mass that each stream has brought"},
    ArrayDescription{"wall_s", "s", "", "wall time so far"},
    ArrayDescription{"pickings", "1", "", "how often near pairs were picked"},
    ArrayDescription{"wear.", "J", "", "wear of a wall, by patch or triangle"},
    ArrayDescription{"series_bytes.", "byte", "", "length of a series when the checkpoint was written"},
    ArrayDescription{"output.measure.", "", "", "what a measure keeps from one look to the next"},
    ArrayDescription{"stages[", "", "", "what the measure that a stage waits for keeps"},
    ArrayDescription{"events.", "", "", "state of hard spheres, in the order of engine/events/hard_archive.cpp"},
    ArrayDescription{"of_a_frame", "1", "", "the state was read from a frame: contacts remember nothing"},
    // of a simulation in one file (run/simulation_file.h)
    ArrayDescription{"start.", "", "", "the state that the case started from"},
    ArrayDescription{"case.toml", "", "", "the complete case, packings as lists of particles"},
    // texts
    ArrayDescription{"case", "", "",
                     "the resolved case up to the present stage, as TOML; lists of particles and triangles by digests"},
    ArrayDescription{"names/materials", "", "", "materials, one to a line"},
    ArrayDescription{"names/groups", "", "", "groups of particles, one to a line"},
    ArrayDescription{"names/sets", "", "", "sets of particles, one to a line"},
    ArrayDescription{"names/walls", "", "", "walls, one to a line"},
    ArrayDescription{"names/wall_shapes", "", "", "digests of the shapes of the walls, one to a line"},
    ArrayDescription{"names/bonds", "", "", "sets of bonds, one to a line"},
    ArrayDescription{"names/laws", "", "",
                     "pairs of materials and their laws: normal, adhesion, tangential, rolling, twisting"},
    ArrayDescription{"state_hash", "", "", "state hash of the finished run"},
    ArrayDescription{"origin", "", "", "where the state comes from"},
};

constexpr ArrayDescription kUnknown{};

bool is_prefix(std::string_view name) { return name.ends_with('.') || name.ends_with('['); }

}  // namespace

std::size_t ArrayDescription::column_count() const {
  return columns.empty() ? 1 : 1 + static_cast<std::size_t>(std::count(columns.begin(), columns.end(), ','));
}

const ArrayDescription& description_of(std::string_view name) {
  for (const ArrayDescription& d : kDescriptions)
    if (d.name == name || (is_prefix(d.name) && name.starts_with(d.name))) return d;
  return kUnknown;
}

}  // namespace areia
