// The step of particles under contacts and uniform gravity alone, in the scheme drift_kick: the kick, and the drift of
// the next step at once, four or eight particles side by side. What other forces, schemes and flat cases need is in
// cpu_backend.cpp, particle by particle; both move bodies with motion/explicit_step.h.
#pragma once
#include "core/vector_width.h"
#include "engine/cpu/state.h"
#include "scene/bounds.h"

namespace areia::cpu {

struct StepCall {
  double dt;
  Vec3d gravity;
  bool kick;                // by the forces and torques there are
  bool drift;               // and go on with the next step's drift
  const ForceGrid* quanta;  // the forces are not settled yet (pushes.h), and their places are left empty; or null
  bool weigh;               // and book the change of the potential when gravity changes by
  Vec3d dg;                 // this after the drift, as it does while it turns
  Vec3d flow;               // steps are counted from this one
  std::uint32_t begin, end;
  LedgerSums* sums;
  const Periodicity* periodicity;  // null: the box has no periodic faces
  const Bounds* watched;           // null: it does not matter whether particles leave the domain
};

struct StepResult {
  double moved2 = 0;           // largest square of a drift, counted from the flow
  bool hurried = false;        // some drift was beyond its limit
  std::uint32_t failed = ~0u;  // lowest id of a particle that would move further than its radius
  std::uint32_t outside = 0;   // free particles that are not within the watched bounds
};

using BlockStep = void (*)(const StepCall& call, State& state, StepResult& result);

// The results are the same bits for any width that the machine has.
BlockStep block_step(VectorWidth width = widest_vectors());

}  // namespace areia::cpu
