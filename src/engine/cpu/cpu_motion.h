// What moves in the cpu backend: free particles by the explicit schemes (theory manual, section 13), prescribed ones by
// their sets.
#pragma once
#include <algorithm>

#include "engine/cpu/block_step.h"
#include "engine/cpu/cpu_lists.h"
#include "engine/cpu/others.h"
#include "motion/explicit_step.h"

namespace areia::cpu {

// Prescribed particles where they are at time t; note(slot, x) comes before each of them moves to x.
template <class Note>
void place_prescribed(World& world, State& state, double t, Note&& note) {
  const std::vector<Motion>& motion = world.schedule().set_motion;
  if (std::all_of(motion.begin(), motion.end(), [](const Motion& m) { return m.kind == Motion::Kind::fixed; })) return;
  world.place_sets(t);
  for (std::size_t i = state.own_begin(); i < state.own_end(); ++i) {
    if (state.free(i) || state.is_gone(i) || !world.moves(state.set[i])) continue;
    const World::Placed body = world.placed(state.set[i], state.placed[i].at, state.placed[i].turn);
    note(i, body.x);
    state.position(i).set_xyz(body.x);
    state.velocity(i).set_xyz(body.v);
    state.spin[i].set_xyz(body.w);
    state.orientation[i] = body.q;
  }
}

// Gravity of time t, with the change of the potential.
void switch_gravity(World& world, const State& state, double t, Others* others = nullptr);

// Of a cell that deforms (engine/cell.h).
Vec3d sum_kinetic(const World& world, const State& state, const Chunks& chunks);

// Slots of the own bodies that left the domain with their last step.
std::vector<std::size_t> those_outside(const World& world, const State& state, const Chunks& chunks);
// Stops the run if a particle is in trouble, and takes out those that left the domain; true if there were any.
bool check(World& world, const State& state, const Chunks& chunks, Bodies& bodies);

class ExplicitSteps {
 public:
  ExplicitSteps(World& world, State& state, Chunks& chunks, Forces& forces, Lists& lists, Bodies& bodies);

  void advance(std::int64_t steps, bool record);
  void measure_profile(bool on) { profiling_ = on; }
  void share_with(Others& others) { others_ = &others; }
  const Profile& profile() const { return profile_; }

 private:
  void place_prescribed(double t);
  void switch_gravity(double t);
  void deform(double t);
  double kinetic_energy() const;
  void weigh_next(double t);
  void begin_step(Chunk& chunk);
  void finish_step(Chunk& chunk);
  void step_plainly(Chunk& chunk, bool drift, const ForceGrid* quanta = nullptr);
  void take(const StepResult& result, Chunk& chunk) const;
  template <bool kOn>
  struct FieldsOf;
  template <bool kOuter>
  void open_step(Chunk& chunk);
  template <bool kOuter>
  void kick(Chunk& chunk);
  void drift(Chunk& chunk, std::uint32_t i, const Pace<double>& pace);
  const Periodicity* faces() const { return world_.periodicity().any() ? &world_.periodicity() : nullptr; }

  const Bounds* watched() const { return watch_domain_ ? &domain_ : nullptr; }

  World& world_;
  State& state_;
  Chunks& chunks_;
  Forces& forces_;
  Lists& lists_;
  Bodies& bodies_;
  Others* others_ = nullptr;  // null: all bodies are here
  Scheme scheme_;
  bool exact_rotation_, watch_domain_;
  Bounds domain_;         // where it is watched
  bool plain_;            // nothing but contacts and uniform gravity, in three dimensions: block_step.h
  bool weighs_ = false;   // the next drift books what a turning gravity does to the potential ...
  bool weighed_ = false;  // ... and the last one did
  Vec3d dg_;              // by which gravity turns
  BlockStep block_step_ = block_step();
  bool profiling_ = false;
  Profile profile_;
};

}  // namespace areia::cpu
