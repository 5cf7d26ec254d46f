// The generalized trapezoid, as far as it is the same for every engine: sweeps until they agree, acceptance, rejection,
// the step size. Theory manual, section 13.1. What a sweep does is the engine's business.
#pragma once
#include <vector>

#include "areia/case.h"
#include "areia/simulation.h"
#include "motion/step_control.h"
#include "motion/sweep_error.h"

namespace areia {

// An engine as the driver sees it. Time steps are tried: keep() remembers the committed state, restore() comes back to
// it with the same bits, commit() makes the present iterate the state.
class ImplicitSystem {
 public:
  virtual ~ImplicitSystem() = default;
  virtual void keep(double t) = 0;
  virtual void restore() = 0;
  // Bodies as they are at the end of the step and the first iterate. Only `wild` and `lists` of the answer count.
  virtual Sweep predict(double t_end, double h) = 0;
  virtual Sweep sweep(double h) = 0;
  virtual void commit(double t_end, double h, bool record) = 0;
  virtual void renew_lists() = 0;  // of the committed state, so that an iterate may go further
};

class ImplicitDriver {
 public:
  ImplicitDriver(const Implicit& settings, double dt);

  // From t = start to end = start + dt, in as many steps as the control takes. This dt may be shorter than the longest.
  // Throws StoppedError, in the committed state, when a step is given up.
  void advance(ImplicitSystem& system, double dt, double start, double end, bool record);

  const ImplicitStatistics& statistics() const { return counts_; }
  std::vector<double> saved() const;  // all that the next step depends on, and the counts
  bool load(const std::vector<double>& kept);

 private:
  struct Attempt {
    bool accepted = false, lists = false, wild = false;
    int sweeps = 0, best = 0;  // best: the sweep with the smallest errors, 0 when there is none
    SweepErrors first, last;
  };
  Attempt attempt(ImplicitSystem& system, double t_end, double h) const;
  double factor(const Attempt& a) const;
  void stall(ImplicitSystem& system, const Attempt& a, double t_end, double h);

  Implicit settings_;
  double dt_max_, dt_min_;
  ImplicitStatistics counts_;
};

}  // namespace areia
