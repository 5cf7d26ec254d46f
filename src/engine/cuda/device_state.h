// The particles and contacts on the device, as kernels see them. A step is one kernel: a team of threads for each group
// of bodies evaluates all contacts of these, adds up what they do to them in the memory that it shares, and moves the
// bodies. So a pair whose bodies are in two groups is evaluated by both, each of which keeps a history of it; they are
// equal, to the bit. Sums have no order, so neither pairs nor bodies need one.
//
// Bodies lie along a Morton curve, renewed with the neighbour lists. What others read in a step is not written in it:
// places, velocities and spins have two sets of arrays that change places after every step.
#pragma once
#include "areia/frame.h"
#include "core/vec4.h"
#include "engine/cuda/device_sums.h"
#include "motion/explicit_step.h"
#include "physics/plain_laws.h"
#include "search/periodicity.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

inline constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 31;
inline constexpr int kMostListed = 64;  // of one body

// What is known of a pair besides its bodies.
enum PairFlag : std::uint8_t {
  kTouches = 1,  // at the last evaluation
  kCopy = 2,     // that of the group of its upper body; the ledger and checkpoints go by the other one
};

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

struct StateView {
  std::uint32_t count = 0;
  Motion3 now, next;
  Quat* q = nullptr;
  Vec3d* built = nullptr;         // places when lists were made
  std::uint32_t* rank = nullptr;  // by ascending id
  std::uint16_t* material = nullptr;
  // Pairs of group g: from pair_begin[g] up to pair_begin[g + 1]; those that touched when lists were made come first,
  // both parts by the body that lists them. Number h of the history of pair p is history[h * stride + p]: threads that
  // are side by side read what lies side by side.
  const PairSlots* pair = nullptr;
  const std::uint32_t* pair_begin = nullptr;
  std::uint8_t* flags = nullptr;
  double* history = nullptr;
  std::size_t stride = 0;
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

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
