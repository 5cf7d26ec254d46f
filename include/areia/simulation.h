// A simulation in memory: a case, its particles, and time. The command line adds results folders on top of it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "areia/archive.h"
#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

// What the program chose by itself, and why.
struct Choices {
  double dt = 0, skin = 0, cell = 0;
  int threads = 1;
  std::string dt_reason, skin_reason, cell_reason, threads_reason;
  double contact_time = 0;   // of the shortest contact, s; 0 without contacts
  double closing_speed = 0;  // estimate it was computed with, m/s
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // of the generators
  double bytes_estimate = 0;       // memory of the particles and their contacts
};

// Of the scheme "trapezoid", since the start.
struct ImplicitStatistics {
  bool on = false;
  double dt = 0;                // size of the next step, s
  std::int64_t sub_steps = 0;   // accepted
  std::int64_t sweeps = 0;      // of the accepted steps
  std::int64_t all_sweeps = 0;  // those of rejected steps included
  std::int64_t most_sweeps = 0;
  std::int64_t rejected = 0;
  std::int64_t stalled = 0;                                      // accepted without convergence
  double error_x = 0, error_turn = 0, error_v = 0, error_w = 0;  // of the last step
};

// Where the time of the steps went, s. Measured only when asked for.
struct Profile {
  double lists = 0;     // neighbour lists made
  double near = 0;      // near pairs picked from them
  double forces = 0;    // contacts, bonds, forces at a distance
  double motion = 0;    // sums of forces, velocities, positions
  double schedule = 0;  // walls, fields, checks
  double sum() const { return lists + near + forces + motion + schedule; }
  Profile& operator+=(const Profile& b) {
    lists += b.lists;
    near += b.near;
    forces += b.forces;
    motion += b.motion;
    schedule += b.schedule;
    return *this;
  }
};

// Of engine = events, since the start.
struct EventStatistics {
  bool on = false;
  std::int64_t collisions = 0;       // between particles
  std::int64_t wall_collisions = 0;  // with walls
  std::int64_t elastic = 0;          // of all these, so many were elastic by `contact_time`
  std::int64_t crossings = 0;        // of cell faces
  std::int64_t predictions = 0;      // complete searches for the next collision of a particle
};

// What the cuda engine did on its device; it leaves other steps to the cpu.
struct DeviceUse {
  std::string name;            // of the device; empty: another engine
  std::int64_t steps = 0;      // taken there
  double seconds = 0;          // that they took
  std::int64_t handovers = 0;  // of the state, to the device and back
  double handover_seconds = 0;
  std::size_t bytes = 0;  // held there
};

struct Statistics {
  std::int64_t rebuilds = 0;                             // neighbour lists made
  std::int64_t pickings = 0;                             // near pairs picked from them
  std::int64_t pairs = 0, near_pairs = 0, contacts = 0;  // in the lists, looked at on every step, touching
  std::size_t bytes = 0;
  ImplicitStatistics implicit;
  std::int64_t waiting = 0;  // particles of streams that found no place so far
  Profile profile;
  EventStatistics events;
  DeviceUse device;
};

// How a stage of the case went.
struct StageRecord {
  // Still going on; after its duration; at rest; its value passed the bound; after the longest time that it had for
  // that.
  enum class Ending { none, time, rest, value, limit };
  std::string name;
  double begin = 0, end = 0;  // s; the end of the one that goes on is now
  std::int64_t first_step = 0, last_step = 0;
  Ending ending = Ending::none;
};
std::string_view word_of(StageRecord::Ending ending);  // "", "time", "rest", "value", "limit"

// cuda: steps are taken by a GPU, where there is one; the same bits.
enum class Engine { cpu, reference, cuda };
std::string_view word_of(Engine engine);  // "cpu", "reference", "cuda"
Engine engine_of(std::string_view word);  // the other way round; throws InputError
struct Bookkeeping;

class Simulation {
 public:
  // Places the particles and evaluates the first forces. Throws InputError.
  explicit Simulation(Case c, Engine engine = Engine::cpu);
  // With other books than usual, which tests ask for: the result is the same.
  Simulation(Case c, Engine engine, const Bookkeeping& bookkeeping);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  // Takes up to `steps` time steps through the stages of the case, fewer at the end of the last one; returns how
  // many. With `show_contacts` frames taken afterwards hold the contacts and wall forces of the last step; they always
  // do once the simulation is finished. Throws StoppedError.
  std::int64_t advance(std::int64_t steps, bool show_contacts = true);
  // The same, but not beyond the end of the present stage, or of the next where it is over already. Frames taken there
  // show contacts.
  std::int64_t advance_stage(std::int64_t steps, bool show_contacts = true);
  bool finished() const;
  bool stage_over() const;  // the next step begins another stage, or there is none

  // --- changes while it runs: part of the state from then on, of what is saved, and of the hash ---

  // Adds particles to a set now, with the next ids, whether they touch others or not; a radius or mass of 0 is that of
  // the set. Throws InputError for an unknown set, a particle without radius, or one that may touch others in a case
  // that began without that.
  void insert(const std::string& set, const std::vector<ListedParticle>& particles);

  // Takes these out. Throws InputError for an id that is not there.
  void remove(std::vector<std::int64_t> ids);
  // Gives every free particle of a group this velocity; spins stay. Throws InputError.
  void set_velocity(const std::string& group, const Vec3d& velocity);
  // Uniform gravity from now on, in place of all that the case says of it. The time step stays as it was chosen. Throws
  // InputError.
  void set_gravity(const Vec3d& gravity);

  // A wall moves from where it is at this velocity, and turns at this spin (rad/s) about an axis through a point in
  // space, which the velocity carries along; in place of all motion that the case gives it. Zero stops it. Throws
  // InputError for an unknown wall and one that follows a force.
  void set_wall_velocity(const std::string& wall, const Vec3d& velocity, const Vec3d& spin = {},
                         const Vec3d& point = {});

  Frame frame() const;  // the whole visible state
  Frame frame(const FrameChoice& choice) const;
  const Case& settings() const;
  // Frees the particles that settings() lists: all of them are in the state. A list of many takes much memory.
  void drop_lists();
  const Choices& choices() const;
  Statistics statistics() const;
  void measure_profile(bool on);  // from now on
  double time() const;
  double dt() const;  // the chosen step; those before the end of a stage may be shorter
  // Steps to the first instant at or after this time, as far as the end of the stage; at least one.
  std::int64_t steps_to(double time) const;
  std::int64_t step() const;
  std::int64_t particle_count() const;
  double kinetic_energy() const;
  const std::string& stage() const;         // name of the present stage
  std::vector<StageRecord> stages() const;  // those that have begun
  double planned_time() const;              // end of the last stage if every stage takes its longest time, s

  // Complete state; a Simulation of the same case continues from it with the same bits. With `shown_contacts` frames
  // taken from it before the next step show the contacts that they show now; they are half of the archive or more.
  Archive save(bool shown_contacts = true) const;
  void load(const Archive& archive);

 private:
  struct Parts;
  std::int64_t advance(std::int64_t steps, bool show_contacts, bool within_stage);
  std::unique_ptr<Parts> parts_;
};

// 128-bit hash over particles (positions, velocities, orientations, spins), contact histories, walls, bonds and time,
// in the order of ids, as 32 hexadecimal digits.
std::string state_hash(const Frame& frame);

}  // namespace areia
