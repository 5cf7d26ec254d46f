// Something that is due at whole multiples of an interval: at the step that is nearest.
#pragma once
#include <cmath>

#include "areia/case.h"

namespace areia {

class Rhythm {
 public:
  Rhythm(double interval, double dt, double time) : interval_(interval), dt_(dt), next_(after(time)) {}

  // The step that reaches this time is the nearest one.
  double target() const { return next_ - (0.5 - 2 * kTie) * dt_; }
  bool is_due(double time) {
    if (time < next_ - (0.5 - kTie) * dt_) return false;
    next_ = after(time);
    return true;
  }

 private:
  static constexpr double kTie = 1e-6;  // of a step; halfway between two steps the later one is taken

  double after(double time) const {
    if (interval_ <= 0) return kForever;
    return interval_ * (std::floor((time + (0.5 - kTie) * dt_) / interval_) + 1);
  }
  double interval_, dt_, next_;
};

}  // namespace areia
