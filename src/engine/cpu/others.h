// What the steps of an engine that holds a share of the bodies ask of the ranks that hold the others (engine/ranks).
// All ranks ask the same, in the same order.
#pragma once
#include "core/grid_sum.h"

namespace areia::cpu {

class Others {
 public:
  virtual ~Others() = default;
  // After a move, before the forces: copies are where their bodies are, who is in trouble stops the run on all ranks,
  // and lists are made anew where any rank needs it. `counted`: contacts_before is that of the last evaluation.
  virtual void meet(bool counted) = 0;
  virtual void check() = 0;             // who is in trouble after the last step
  virtual void join_walls() = 0;        // forces on walls of the last evaluation, where walls follow them
  virtual void join(GridSum& sum) = 0;  // from that of this share to that of all
  virtual double kinetic_energy() = 0;  // of all
};

}  // namespace areia::cpu
