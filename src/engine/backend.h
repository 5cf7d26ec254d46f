// The seam between the loop and what computes: a backend holds the particles, advances them, and shows its state.
// Backends: cpu (fast, all cores), reference (serial, brute force), events (hard spheres), cuda (a GPU, with a cpu
// backend beside it), and ranks (several processes, each with a share of the bodies).
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"
#include "areia/simulation.h"
#include "core/rotation.h"
#include "engine/bookkeeping.h"
#include "engine/cell.h"
#include "engine/force_sum.h"
#include "scene/motion.h"
#include "scene/scene.h"

namespace areia {

class WearBook;

struct BackendSettings {
  double dt = 0, skin = 0;
  int threads = 1;             // at most
  bool threads_given = false;  // by the case, for each process
  double most_skin = 0;        // above `skin`: the backend may take a larger one where particles move fast
  Grid bookings;               // of the ledger
  ForceGrid forces;
  Bookkeeping bookkeeping = {};
};

struct BackendStatistics {
  std::int64_t rebuilds = 0;  // neighbour lists made
  std::int64_t pickings = 0;  // of near pairs from them
  std::int64_t pairs = 0;     // in the present lists
  std::int64_t near_pairs = 0;
  std::int64_t contacts = 0;  // touching, of the last evaluation
  std::size_t bytes = 0;      // held by the backend
  ImplicitStatistics implicit;
  Profile profile;
  EventStatistics events;
  DeviceUse device;
};

// A servo of a wall as it is from now on; see servo.h.
struct ServoPlan {
  bool on = false;
  bool loaded = false;  // by a loading, which moves it in place of the servo
  Vec3d axis{0, 0, 1};  // unit
  Course target;        // N, or Pa on
  double area = 1;      // m^2
  double max_speed = 0, gain = 0;
  double response = 1;  // b of servo.h
  double min_shift = -kForever, max_shift = kForever;
  double start = 0, stop = kForever;
};

// A loading as it is from now on; see loading.h.
struct LoadingPlan {
  struct Axis {
    int low = -1, high = -1;  // walls, or none
    double first = 0;         // m, their distance as placed, or the period of the domain
    Loading::Axis::By by = Loading::Axis::By::nothing;
    Course target;  // Pa or 1/s
  };
  std::string name;
  std::array<Axis, 3> axis;
  double max_speed = 0, gain = 0, response = 1;
  double start = 0, stop = kForever;
};

// Motions, fields and flows as they are from now on (walls and sets in the order of the scene).
struct Schedule {
  std::vector<Motion> wall_motion, set_motion;
  std::vector<Surface> surface;  // per wall
  std::vector<ServoPlan> servo;  // per wall
  std::vector<LoadingPlan> loading;
  std::vector<ForceField> fields;
  std::vector<Flow> flows;
  std::vector<CellPlan> cell;

  // What it follows from besides the case: when stages began, and gravity that was set while it ran.
  std::vector<double> stage_start;
  std::optional<Vec3d> gravity;
};

inline bool is_uniform_gravity(const ForceField& f) {
  return f.kind == ForceField::Kind::gravity && f.region.kind == Region::Kind::all && !f.region.outside;
}

// The vector of a field at time t, turned since its start.
inline Vec3d value_at(const ForceField& f, double t) {
  return f.turn_rate == 0 ? f.value : rotate(about_axis(unit(f.turn_axis), f.turn_rate * (t - f.start)), f.value);
}

// The sum of the gravity entries that act everywhere at time t.
inline Vec3d gravity_at(const Schedule& schedule, double t) {
  Vec3d g;
  for (const ForceField& f : schedule.fields)
    if (is_uniform_gravity(f) && t >= f.start && t < f.stop) g += value_at(f, t);
  return g;
}

// True while one of them turns: then the potential changes at every step.
inline bool gravity_turns(const Schedule& schedule, double t) {
  for (const ForceField& f : schedule.fields)
    if (is_uniform_gravity(f) && f.turn_rate != 0 && t >= f.start && t < f.stop) return true;
  return false;
}

// The bond sets that are made when this stage begins; "": at the start.
inline std::vector<std::uint16_t> bond_sets_of(const Case& c, const std::string& stage) {
  std::vector<std::uint16_t> sets;
  for (std::size_t k = 0; k < c.bonds.size(); ++k)
    if (c.bonds[k].start_stage == stage) sets.push_back(static_cast<std::uint16_t>(k));
  return sets;
}

// A particle that comes while the simulation runs; its id is the next free one.
struct NewParticle {
  Vec3d x, v, w;
  double radius = 0, mass = 0, inertia = 0, charge = 0;
  std::uint16_t material = 0, group = 0, set = 0;
  bool turns = true;
};

// What changes between two steps: at the start of a stage, or when a stream brings particles.
struct Change {
  std::vector<std::uint16_t> remove_walls, insert_walls, remove_groups, release_groups, freeze_groups;
  std::vector<std::uint16_t> make_bonds;  // bond sets
  std::vector<std::int64_t> remove_ids;   // ascending
  struct Velocity {
    std::uint16_t group = 0;
    Vec3d v;
  };
  std::vector<Velocity> velocities;  // of the free bodies of a group
  bool touch = false;                // contacts exist from now on that did not before, as with walls that come
  // The ledger begins with this state, whose contacts were under way: nothing else changes. What the next evaluation
  // books of the kick before it is taken off.
  bool begins = false;
  std::vector<NewParticle> insert;  // if there are any, nothing else changes
};

// What new particles must not touch.
struct Surroundings {
  std::vector<Vec3d> x;  // particles that reach into the box, periodic images included
  std::vector<double> radius;
  std::vector<Pose> wall_pose;  // of all walls
  std::vector<std::uint8_t> wall_present;
};

// Steps of one length, from a step at which the time is known. The last of them ends at the time that was asked for, to
// the bit.
struct StepTimes {
  std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();
  double start = 0, end = kForever;  // s, at these steps
  double dt = 0;

  double time_at(std::int64_t step) const {
    return step == last ? end : start + static_cast<double>(step - first) * dt;
  }
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Neighbour lists, first contacts and forces of the scene as given, at step 0.
  virtual void start() = 0;
  // Takes `steps` time steps. With `record`, contacts and wall forces of the last one are kept for fill().
  // Throws StoppedError on a blow-up or a lost particle; the state is then not to be used.
  virtual void advance(std::int64_t steps, bool record) = 0;
  virtual void set_schedule(const Schedule& schedule) = 0;
  virtual void set_step_times(const StepTimes& times) = 0;  // of the steps from here on
  virtual void apply(const Change& change) = 0;

  virtual Surroundings surroundings(const Box& box) const = 0;

  // Particles, contacts, walls, energies, counts. Stage and title are the caller's.
  virtual void fill(Frame& frame, const FrameChoice& choice) const = 0;
  void fill_all(Frame& frame) const { fill(frame, FrameChoice{}); }
  // Enters the contacts with walls of the last step, which was recorded, in any order (wear.h).
  virtual void book_wear(WearBook& book) const = 0;
  virtual double kinetic_energy() const = 0;  // translation and rotation of free particles
  // The part of it that a test for rest waits for (unrest.h). Which side of `limit` it is on is right, no more is
  // asked.
  virtual double unrest(double /*limit*/) const { return kinetic_energy(); }
  virtual std::int64_t particle_count() const = 0;
  virtual std::int64_t free_count() const = 0;
  virtual std::int64_t step() const = 0;
  virtual double time() const = 0;
  virtual BackendStatistics statistics() const = 0;
  virtual void measure_profile(bool /*on*/) {}

  // The complete state; load() on a backend made from the same scene continues with the same bits.
  virtual void save(Archive& archive) const = 0;
  virtual void load(const Archive& archive) = 0;
};

std::unique_ptr<Backend> make_cpu_backend(const Scene& scene, const BackendSettings& settings);
std::unique_ptr<Backend> make_reference_backend(const Scene& scene, const BackendSettings& settings);
std::unique_ptr<Backend> make_cuda_backend(const Scene& scene, const BackendSettings& settings);
std::unique_ptr<Backend> make_event_backend(const Scene& scene, const BackendSettings& settings);
std::unique_ptr<Backend> make_rank_backend(const Scene& scene, const BackendSettings& settings);

}  // namespace areia
