// One number of a series by its name: what the end of a stage may wait for.
//   energy.kinetic_J, state.particles, walls.lid.force_z_N, particles.p7.z_m, and SERIES.COLUMN of any measure
// Lines of series are written when the output asks for them; this one is asked by the simulation itself, so that what
// is written has no influence on it. A measure that adds up over time begins with the stage.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "areia/observe.h"
#include "scene/rules/rules.h"

namespace areia {

class WatchedValue {
 public:
  // A name that check_watched_values() has nothing to say about.
  WatchedValue(const Case& c, const std::string& name);
  double of(const Frame& frame);  // NaN: there is none now
  void save(Archive& archive) const;
  void load(const Archive& archive);

 private:
  std::function<std::vector<double>(const Frame&)> values_;
  std::size_t column_ = 0;
  std::shared_ptr<Observer> observer_;  // of a measure
};

// Rules for `value` and its bounds of all stages.
void check_watched_values(Rules& rules);

}  // namespace areia
