// The particles and contacts on the device, as kernels see them. A step is two kernels: one thread for each listed pair
// evaluates its contact, if it is one, and leaves what it does to both bodies; then one thread for each body adds up
// what the pairs of its row have left, and moves the body. Sums have no order, so neither pairs nor rows need one.
//
// Bodies lie along a Morton curve, renewed with the neighbour lists. What other threads read in a step is not written
// in it: places, velocities and spins have two sets of arrays that change places after every step.
#pragma once
#include "areia/frame.h"
#include "core/vec4.h"
#include "engine/cuda/device_sums.h"
#include "motion/explicit_step.h"
#include "physics/plain_laws.h"
#include "search/periodicity.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// An entry of a row: twice the number of the pair, plus 1 in the row of its second body.
inline constexpr std::uint32_t kIsSecond = 1;
inline constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 31;
inline constexpr int kMostListed = 64;  // of one body: there is a bit for each

// Why steps end before all are taken; flags of the step that is not taken any more.
enum StopFlag : std::uint32_t {
  kStale = 1,    // lists do not reach far enough for its forces
  kOutside = 2,  // a body is outside the domain
  kFailed = 4,   // the step before has carried a body too far, or two overlap too deeply
  kTooMany = 8,  // walls have more contacts with a body than there is room for
};

// What is the same for all bodies and steps of a batch.
struct Rules {
  const PlainLaws* laws = nullptr;  // per ordered pair of materials
  const double* share = nullptr;    // part of the overlap that shortens the lever of i, likewise; or null
  int materials = 1;
  int history = 0;      // numbers that a contact has room for
  bool counts = false;  // some laws ask for the number of contacts of a body
  Periodicity periodicity;
  ForceGrid forces;
  Books books;
  Scheme scheme = Scheme::drift_kick;
  FreeAxes axes;
  bool exact_rotation = true;
  bool watches = false;  // bodies that leave the domain stop the batch
  Bounds domain;
  double max_overlap = 0;
  // of a batch
  double dt = 0;
  Kick kick;
  // of a step
  Vec3d gravity, gravity_before;  // of it, and of the step before it
  bool gravity_turns = false;     // then its change is work of the field
  double most_moved2 = 0;         // square of the way at which lists are stale
};

struct Motion3 {            // one of the two sets
  Vec4* x;                  // place and radius
  Vec4* v;                  // velocity and 1/m; 0: prescribed
  Vec4* w;                  // spin and 1/j; 0: does not turn by torques
  std::uint16_t* contacts;  // of the last evaluation
};

struct alignas(8) PairSlots {
  std::uint32_t first, second;  // slots; the first body has the lower id
};

// What a contact does to its bodies. Threads read and write 16 bytes at once, and what concerns one body lies side by
// side: the torque on the first, the force on the first, the torque on the second.
struct alignas(16) PairPush {
  struct alignas(16) Two {
    double a, b;
  };
  Two part[5];

  AREIA_PORTABLE void set(const Vec3d& force, const Vec3d& torque_first, const Vec3d& torque_second) {
    part[0] = {torque_first.x, torque_first.y};
    part[1] = {torque_first.z, force.x};
    part[2] = {force.y, force.z};
    part[3] = {torque_second.x, torque_second.y};
    part[4] = {torque_second.z, 0};
  }
  // f(force, torque) on one of the two.
  template <class F>
  AREIA_PORTABLE void on(bool second, F&& f) const {
    const Two across = part[1], force = part[2], torque = part[second ? 3 : 0];
    const double z = second ? part[4].a : across.a;
    const double sign = second ? -1 : 1;
    f(Vec3d{sign * across.b, sign * force.a, sign * force.b}, Vec3d{torque.a, torque.b, z});
  }
};

struct StateView {
  std::uint32_t count = 0;
  Motion3 now, next;
  Quat* q = nullptr;
  Vec3d* built = nullptr;         // places when lists were made
  std::uint32_t* rank = nullptr;  // by ascending id
  std::uint16_t* material = nullptr;
  // Pairs: those that touched when lists were made come first, both parts by their lower slots. Number h of the history
  // of pair p is history[h * stride + p]: threads that are side by side read what lies side by side.
  const PairSlots* pair = nullptr;
  std::uint8_t* touching = nullptr;  // at the last evaluation; 1 or 0
  double* history = nullptr;
  std::size_t stride = 0;
  PairPush* push = nullptr;  // of those that touch
  // Rows: entry k of body i is row[k * count + i].
  const std::uint32_t* row = nullptr;
  const std::uint8_t* listed = nullptr;  // entries
  // what walls do to the bodies near them, by entries of the wall list; -1: not near any
  std::int32_t* wall_entry = nullptr;
  KeptPush* wall_push = nullptr;
  // of the last evaluation, where it is asked for
  Vec3d* force = nullptr;
  Vec3d* torque = nullptr;
  // one word of flags for each step of a batch, and the lowest rank that failed
  std::uint32_t* stop = nullptr;
  std::uint32_t* failed = nullptr;

  AREIA_PORTABLE double& number(std::uint32_t p, int h) const { return history[h * stride + p]; }
};

AREIA_PORTABLE inline std::size_t pair_of(const Rules& r, const StateView& s, std::uint32_t i, std::uint32_t j) {
  return r.materials == 1 ? 0 : static_cast<std::size_t>(s.material[i]) * r.materials + s.material[j];
}

// True if the step is not to be taken; then neither are those after it.
AREIA_PORTABLE inline bool is_stopped(const StateView& s, std::uint32_t step, std::uint32_t i) {
  const std::uint32_t flags = s.stop[step];
  if (flags == 0) return false;
  if (i == 0) raise_flag(&s.stop[step + 1], flags);
  return true;
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
