#include "engine/cpu/cpu_motion.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "motion/schemes.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

void switch_gravity(World& world, const State& state, double t, Others* others) {
  world.set_gravity(t, [&](const Vec3d& change, GridSum& sum) {
    for (std::size_t i = state.own_begin(); i < state.own_end(); ++i)
      if (state.free(i)) sum += potential_change(change, state.position(i).xyz(), state.velocity(i).w);
    if (others && !gravity_turns(world.schedule(), t)) others->join(sum);  // it is rounded at once
  });
}

std::vector<std::size_t> those_outside(const World& world, const State& state, const Chunks& chunks) {
  std::vector<std::size_t> slots;
  for (const Chunk& c : chunks.all)
    for (std::uint32_t i = c.begin; c.outside > 0 && i < c.own_end; ++i)
      if (state.free(i) && is_outside(world.scene().settings.domain, state.position(i).xyz())) slots.push_back(i);
  return slots;
}

bool check(World& world, const State& state, const Chunks& chunks, Bodies& bodies) {
  std::uint32_t failed = ~0u, outside = 0;
  for (const Chunk& c : chunks.all) {
    failed = std::min(failed, c.failed);
    outside += c.outside;
  }
  if (failed != ~0u) {
    std::size_t i = 0;
    while (state.id[i] != failed) ++i;
    world.stop_blown_up(failed, state.position(i).xyz(), state.position(i).w, state.velocity(i).xyz());
  }
  if (outside == 0) return false;
  return world.remove_lost(bodies, those_outside(world, state, chunks));
}

namespace {

// Adds the time since it was last asked to one of the parts of a profile.
class Stopwatch {
 public:
  explicit Stopwatch(bool on) : on_(on), last_(on ? Clock::now() : Clock::time_point{}) {}
  void book(double& part) {
    if (!on_) return;
    const auto now = Clock::now();
    part += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool on_;
  Clock::time_point last_;
};

}  // namespace

ExplicitSteps::ExplicitSteps(World& world, State& state, Chunks& chunks, Forces& forces, Lists& lists, Bodies& bodies)
    : world_(world), state_(state), chunks_(chunks), forces_(forces), lists_(lists), bodies_(bodies) {
  const Numerics& numerics = world.scene().settings.numerics;
  const Domain& domain = world.scene().settings.domain;
  scheme_ = numerics.scheme;
  exact_rotation_ = numerics.exact_rotation;
  watch_domain_ = domain.bounded && domain.rule != DomainRule::open;
  domain_ = watched_bounds(domain);
  plain_ = scheme_ == Scheme::drift_kick && exact_rotation_ && !forces.any_outer() && !world.axes().flat;
}

void ExplicitSteps::place_prescribed(double t) {
  cpu::place_prescribed(world_, state_, t, [&](std::size_t i, const Vec3d& x) {
    // the step that it drifted, and from there to its place
    const double way = norm(world_.dt() * state_.velocity(i).xyz() - lists_.flow()) +
                       norm(world_.periodicity().nearest(x - state_.position(i).xyz()));
    Chunk& chunk = chunks_.of(i);
    chunk.moved2 = std::max(chunk.moved2, way * way);
    chunk.hurried = chunk.hurried || way > state_.limit[i];
  });
}

Vec3d sum_kinetic(const World& world, const State& state, const Chunks& chunks) {
  std::vector<CellSums> parts(chunks.all.size(), CellSums(world.cell().grid()));
  chunks.team.for_each(static_cast<std::int64_t>(parts.size()), [&](std::int64_t k, int) {
    for (std::uint32_t i = chunks.all[k].begin; i < chunks.all[k].end; ++i)
      parts[k].add(kinetic_of(state.mass[i], state.velocity(i).xyz()));
  });
  CellSums sum(world.cell().grid());
  for (const CellSums& part : parts) sum += part;
  return sum.value();
}

// The cell moves, and all particles with it.
void ExplicitSteps::deform(double t) {
  world_.move_cell(t);
  const Cell& cell = world_.cell();
  chunks_.for_each([&](Chunk& chunk) {
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
      Vec4 &position = state_.position(i), &velocity = state_.velocity(i);
      position.set_xyz(cell.carried(position.xyz()));
      const Vec3d before = velocity.xyz(), after = cell.slowed(before);
      velocity.set_xyz(after);
      chunk.sums.wall_work -= loss_of(state_.mass[i], before, after);
    }
  });
  world_.now().cell.kinetic = sum_kinetic(world_, state_, chunks_);
}

// While gravity turns, the drift has booked the change of the potential already.
void ExplicitSteps::switch_gravity(double t) {
  if (!weighed_) return cpu::switch_gravity(world_, state_, t, others_);
  world_.set_gravity(t, [&](const Vec3d&, GridSum&) { weighed_ = false; });
}

// Before particles drift to where they are when gravity is that of time t: what the change does to their potential is
// booked on the way.
void ExplicitSteps::weigh_next(double t) {
  weighs_ = weighed_ = plain_ && gravity_turns(world_.schedule(), t) && world_.scene().settings.numerics.ledger;
  if (weighs_) dg_ = gravity_at(world_.schedule(), t) - world_.now().gravity;
}

[[gnu::always_inline]] inline void ExplicitSteps::drift(Chunk& chunk, std::uint32_t i, const Pace<double>& pace) {
  Vec4& position = state_.position(i);
  const Vec3d step = world_.dt() * pace.move;
  Vec3d x = position.xyz() + step;
  if (world_.periodicity().left_by(x)) [[unlikely]] {
    const Vec3d image = world_.periodicity().wrapped(x);
    if (state_.free(i)) chunk.sums.wall_work += work_of_face(state_.velocity(i).w, world_.now().gravity, image - x);
    x = image;
  }
  position.set_xyz(x);
  state_.orientation[i] = turned(state_.orientation[i], pace.turn, world_.dt(), exact_rotation_);
  const double own2 = norm2(step - lists_.flow()), limit = state_.limit[i];
  if (own2 > chunk.moved2) chunk.moved2 = own2;
  if (own2 > limit * limit) chunk.hurried = true;
  if (watch_domain_) [[unlikely]]
    chunk.outside += state_.free(i) && is_outside(world_.scene().settings.domain, x);
}

void ExplicitSteps::take(const StepResult& result, Chunk& chunk) const {
  chunk.moved2 = result.moved2;
  chunk.hurried = result.hurried;
  chunk.outside = result.outside;
}

// What a scheme does before the forces of a step are evaluated.
void ExplicitSteps::begin_step(Chunk& chunk) {
  chunk.moved2 = 0;
  chunk.hurried = false;
  chunk.outside = 0;
  if (plain_) {
    StepResult result;
    block_step_({world_.dt(), world_.now().gravity, false, true, nullptr, weighs_, dg_, lists_.flow(), chunk.begin,
                 chunk.own_end, &chunk.sums, faces(), watched()},
                state_, result);
    take(result, chunk);
    return;
  }
  if (forces_first(scheme_)) return;
  forces_.any_outer() ? open_step<true>(chunk) : open_step<false>(chunk);
}

// The forces that are neither contacts nor uniform gravity, for motion/explicit_step.h.
template <bool kOn>
struct ExplicitSteps::FieldsOf {
  static constexpr bool kAny = kOn;
  const ExplicitSteps& steps;
  Chunk& chunk;
  std::uint32_t i;
  bool turns() const { return steps.world_.fields().turns(); }
  Vec3d turn(const Vec3d& spin) const { return steps.forces_.turning(i, spin); }
  void book(const Vec3d& mean, double dt) const { steps.forces_.book_outer(chunk, i, mean, dt); }
};

template <bool kOuter>
void ExplicitSteps::open_step(Chunk& chunk) {
  const bool verlet = scheme_ == Scheme::velocity_verlet;
  for (std::uint32_t i = chunk.begin; i < chunk.own_end; ++i) {
    Pace<double> now{state_.velocity(i).xyz(), state_.spin[i].xyz()}, old;
    if (verlet) old = {state_.old_acceleration[i], state_.old_turning[i]};
    before_forces(scheme_, world_.dt(), now, old, FieldsOf<kOuter>{*this, chunk, i},
                  [&](const Pace<double>& pace) { drift(chunk, i, pace); });
    if (!verlet) continue;
    state_.velocity(i).set_xyz(now.move);
    state_.spin[i].set_xyz(now.turn);
  }
}

// What it does afterwards.
void ExplicitSteps::finish_step(Chunk& chunk) {
  if (forces_first(scheme_)) {
    chunk.moved2 = 0;
    chunk.hurried = false;
    chunk.outside = 0;
  }
  forces_.any_outer() ? kick<true>(chunk) : kick<false>(chunk);
}

// finish_step and begin_step where nothing but contacts and gravity acts. With `quanta` the forces are not settled yet.
void ExplicitSteps::step_plainly(Chunk& chunk, bool drift, const ForceGrid* quanta) {
  StepResult result;
  result.failed = chunk.failed;
  block_step_({world_.dt(), world_.now().gravity, true, drift, quanta, weighs_, dg_, lists_.flow(), chunk.begin,
               chunk.own_end, &chunk.sums, faces(), watched()},
              state_, result);
  chunk.failed = result.failed;
  take(result, chunk);
}

// kOuter: with forces besides contacts and uniform gravity, whose work is booked.
template <bool kOuter>
void ExplicitSteps::kick(Chunk& chunk) {
  const bool verlet = scheme_ == Scheme::velocity_verlet;
  for (std::uint32_t i = chunk.begin; i < chunk.own_end; ++i) {
    Vec4 &velocity = state_.velocity(i), &spin = state_.spin[i];
    if constexpr (kOuter) forces_.evaluate_outer(i);
    Pace<double> now{velocity.xyz(), spin.xyz()}, old;
    if (verlet) old = {state_.old_acceleration[i], state_.old_turning[i]};
    after_forces(scheme_, world_.dt(), now, forces_.rate(i), old, FieldsOf<kOuter>{*this, chunk, i},
                 [&](const Pace<double>& pace) { drift(chunk, i, pace); });
    velocity.set_xyz(now.move);
    spin.set_xyz(now.turn);
    if (verlet) {
      state_.old_acceleration[i] = old.move;
      state_.old_turning[i] = old.turn;
    }
    if (!slow_enough(now.move, world_.dt(), state_.position(i).w)) chunk.failed = std::min(chunk.failed, state_.id[i]);
  }
}

void ExplicitSteps::advance(std::int64_t steps, bool record) {
  Stopwatch watch(profiling_);
  const bool first = forces_first(scheme_);
  Contacts& contacts = forces_.contacts();
  const double dt = world_.dt();
  world_.set_fields(world_.time());
  weigh_next(world_.next_time());
  if (!first && steps > 0) chunks_.for_each([&](Chunk& c) { begin_step(c); });
  for (std::int64_t k = 0; k < steps; ++k) {
    const bool last = k + 1 == steps, show = record && last;
    const double t = world_.time_of_forces();
    const bool pauses =
        scheme_ == Scheme::velocity_verlet && world_.asks_for_kinetic();  // before it predicts velocities
    switch_gravity(t);
    world_.move_servos(t);
    world_.set_fields(t);
    world_.place_walls(t);
    place_prescribed(t);
    if (world_.cell().deforms()) deform(t);
    if (!others_) check(world_, state_, chunks_, bodies_);
    watch.book(profile_.schedule);
    const std::int64_t lists = lists_.made();
    if (others_) others_->meet(plain_);
    else lists_.renew_stale();
    watch.book(lists_.made() > lists ? profile_.lists : profile_.near);
    if (!last) weigh_next(world_.time_after(2));
    if (plain_ && !contacts.servos() && forces_.bonds().empty()) {
      contacts.evaluate(contacts.context(dt, show), [&](Chunk& c) {
        const bool at_once = !last && !contacts.any_large(c);
        if (!at_once) contacts.settle(c);
        step_plainly(c, !last, at_once ? &world_.force_grid() : nullptr);
        if (!last) std::fill(state_.sums() + (at_once ? c.own_end : c.begin), state_.sums() + c.end, Push{});
      });
      if (!last) contacts.are_cleared();
      if (show) contacts.sum_walls();
      if (world_.cell().deforms()) contacts.sum_virial(true);
      watch.book(profile_.forces);
    } else {
      forces_.evaluate({.dt = dt, .record = show, .counted = plain_});
      if (others_ && contacts.servos()) others_->join_walls();
      watch.book(profile_.forces);
      // the next step's drift follows at once, while the particles are in cache
      chunks_.for_each([&](Chunk& c) {
        if (plain_) return step_plainly(c, !last);
        finish_step(c);
        if (!last && !first && !pauses) begin_step(c);
      });
      watch.book(profile_.motion);
    }
    world_.finish_step([&] { return kinetic_energy(); });
    if (pauses && !last) chunks_.for_each([&](Chunk& c) { begin_step(c); });
  }
  if (others_) others_->check();
  else check(world_, state_, chunks_, bodies_);
}

double ExplicitSteps::kinetic_energy() const { return others_ ? others_->kinetic_energy() : forces_.kinetic_energy(); }

}  // namespace areia::cpu
