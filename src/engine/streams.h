// Streams: particles that come while the simulation runs. Theory manual, section 15.
//
// A stream inserts at whole multiples of a number of steps. By then its rate has asked for rate * (time since its
// start) particles (or for that mass); those that were not drawn before are drawn now, so that fractions carry over and
// the rate is exact in the long run. The n-th particle of a stream has a radius that follows from (seed, set, n), and
// the places of an insertion follow from (seed, set, number of the insertion): a checkpoint holds counters alone. What
// finds no place waits for the next insertion.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/backend.h"

namespace areia {

class Streams {
 public:
  Streams() = default;
  Streams(const Scene& scene, double dt);

  bool any() const { return !streams_.empty(); }
  // Steps from here to the next one at which a stream may insert.
  std::int64_t steps_left(std::int64_t step) const;
  // What comes at this step, once. `when` holds the interval of each set with stages resolved.
  std::vector<NewParticle> take(std::int64_t step, const std::vector<Interval>& when, const Scene& scene,
                                const Backend& backend);
  // Whether more particles are to come later than time t.
  bool running(double t, const std::vector<Interval>& when) const;
  std::int64_t waiting() const;  // particles that found no place so far

  void save(Archive& archive) const;
  void load(const Archive& archive);

 private:
  struct One {
    std::size_t set = 0;
    std::int64_t steps = 1;             // between insertions
    std::int64_t count = 0;             // in all; 0: without end
    std::int64_t drawn = 0, last = -1;  // particles asked for, step of the last insertion
    double drawn_mass = 0;
    std::vector<std::int64_t> waiting;  // numbers of particles that were drawn and have no place yet
    NewParticle like;                   // what all of them share
  };
  void draw(One& s, const Interval& when, const Scene& scene, double t);
  std::vector<One> streams_;
};

// One particle of a set, as the set and the list entry say.
NewParticle new_particle(const Scene& scene, const std::string& set, const ListedParticle& l);

// The particles of the scene and, for the choice of time step and skin, the extremes of those that streams will bring.
struct Expected {
  SceneParticles particles;
  std::size_t count = 0;  // at the end, at most
};
Expected expected_particles(const Scene& scene);

}  // namespace areia
