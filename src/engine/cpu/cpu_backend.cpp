// The step of the cpu backend. Schemes by spec section 14.
#include "engine/cpu/cpu_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "areia/error.h"
#include "motion/schemes.h"
#include "physics/material_pair.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

CpuBackend::CpuBackend(const Scene& scene, const BackendSettings& settings)
    : scene_(scene),
      dt_(settings.dt),
      skin_(settings.skin),
      team_(settings.threads),
      scheme_(scene.settings.numerics.scheme),
      exact_rotation_(scene.settings.numerics.exact_rotation),
      axes_(scene.settings.domain),
      periodicity_{scene.settings.domain.periodic, scene.settings.domain.box.min,
                   scene.settings.domain.box.max - scene.settings.domain.box.min},
      outer_(scene),
      distance_(scene, periodicity_),
      least_skin_(settings.skin),
      most_skin_(std::max(settings.skin, settings.most_skin)),
      carried_(settings.bookings) {
  const Domain& domain = scene.settings.domain;
  watch_domain_ = domain.bounded && domain.rule != DomainRule::open;

  const SceneParticles& p = scene.particles;
  const std::size_t n = placed_count_ = p.size();
  mass_ = p.mass;
  if (std::any_of(p.charge.begin(), p.charge.end(), [](double q) { return q != 0; })) charge_ = p.charge;
  group_ = p.group;
  set_ = p.set;
  prescribed_ = p.prescribed;
  if (std::any_of(p.prescribed.begin(), p.prescribed.end(), [](auto yes) { return yes != 0; }))
    for (std::size_t i = 0; i < n; ++i) placed_.push_back({p.x[i], p.q[i], p.turns[i] ? 1 / p.inertia[i] : 0});
  state_.moving.resize(n);
  state_.spin.resize(n);
  state_.orientation.assign(p.q.begin(), p.q.end());
  state_.pushed.resize(n);
  state_.id.resize(n);
  state_.material = p.material;
  outer_on_ = outer_.any() || distance_.any();
  if (outer_on_) {
    state_.outer.resize(n);
    state_.drag.resize(n);
    state_.distant.resize(n);
  }
  if (scheme_ == Scheme::velocity_verlet) {
    state_.old_acceleration.resize(n);
    state_.old_turning.resize(n);
  }
  if (scheme_ == Scheme::trapezoid) prepare_implicit();
  if (implicit_ || distance_.any()) state_.built_at.resize(n);
  near_gap_ = implicit_ ? skin_ : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool free = !p.prescribed[i];
    const Vec3d x = periodicity_.wrapped(p.x[i]);
    state_.position(i) = {x.x, x.y, x.z, p.radius[i]};
    state_.velocity(i) = {p.v[i].x, p.v[i].y, p.v[i].z, free ? 1 / p.mass[i] : 0};
    state_.spin[i] = {p.w[i].x, p.w[i].y, p.w[i].z, free && p.turns[i] ? 1 / p.inertia[i] : 0};
    state_.id[i] = static_cast<std::uint32_t>(i);
  }

  for (const SceneWall& w : scene.walls) {
    walls_.push_back({pose_at(w.motion, 0), w.present, false, false, {}, {}, {}});
    walls_.back().look();
    has_servos_ = has_servos_ || w.servo.on;
    schedule_.servo.emplace_back();
    schedule_.wall_motion.push_back(w.motion);
  }
  walls_at_build_ = walls_;
  schedule_.set_motion = scene.set_motion;
  schedule_.fields = scene.settings.fields;
  schedule_.flows = scene.settings.fluid.flows;

  // One kernel for each combination of laws in use.
  const std::size_t materials = scene.materials.size();
  kernel_of_.assign(materials * materials, -1);
  overlap_share_.assign(materials * materials, 0);
  std::vector<const ContactPair*> kinds;
  for (std::size_t a = 0; a < materials; ++a)
    for (std::size_t b = 0; b < materials; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0) continue;
      const ContactPair& pair = scene.settings.contacts[k];
      auto at = std::find_if(kinds.begin(), kinds.end(), [&](const ContactPair* q) { return same_laws(*q, pair); });
      if (at == kinds.end()) at = kinds.insert(kinds.end(), &pair);
      kernel_of_[a * materials + b] = static_cast<std::int32_t>(at - kinds.begin());
      if (scene.settings.numerics.lever == Lever::deformed)
        overlap_share_[a * materials + b] = overlap_share_of_i({scene.materials[a], scene.materials[b]});
    }
  for (const ContactPair* pair : kinds)
    kernels_.push_back(make_kernel(scene, *pair, scene.settings.numerics.ledger, periodicity_.any()));
  for (const auto& kernel : kernels_) rolls_ = rolls_ || kernel->rolls();
  if (rolls_) state_.contacts_before.resize(n);
  plain_ = scheme_ == Scheme::drift_kick && exact_rotation_ && !outer_on_ && !axes_.flat && !watch_domain_;
}

KernelContext CpuBackend::context(double dt, bool record) {
  return {state_,
          scene_,
          walls_,
          periodicity_,
          chunks_,
          chunk_size_,
          letters_,
          shared_at_,
          overlap_share_,
          dt,
          scene_.settings.numerics.max_overlap,
          record,
          record || has_servos_,
          any_prescribed_};
}

// Only the potential changes, by -m dg . x of each particle. While gravity turns, that is work of the field.
void CpuBackend::switch_gravity(double t) {
  const Vec3d g = gravity_at(schedule_, t), dg = g - gravity_;
  if (g == gravity_) return;
  gravity_ = g;
  const bool turns = gravity_turns(schedule_, t);
  if (weighed_ && turns) {  // known from the drift
    weighed_ = false;
    return;
  }
  GridSum change(carried_.field_work.grid());
  for (std::size_t i = 0; i < state_.size(); ++i)
    if (state_.velocity(i).w > 0) change += potential_change(dg, state_.position(i).xyz(), state_.velocity(i).w);
  if (turns) carried_.field_work += change;
  else carried_.switched += change;
}

// Before particles drift to where they are when gravity is that of time t: what the change does to their potential is
// booked on the way.
void CpuBackend::weigh_next(double t) {
  weighs_ = weighed_ = plain_ && gravity_turns(schedule_, t) && scene_.settings.numerics.ledger;
  if (weighs_) dg_ = gravity_at(schedule_, t) - gravity_;
}

void CpuBackend::start() {
  gravity_ = gravity_at(schedule_, 0);  // fields that wait for a stage do not act yet
  start_bonds(bond_sets_of(scene_.settings, ""));
  if (!implicit_) {
    double fastest2 = 0;
    for (const Twin& t : state_.moving) fastest2 = std::max(fastest2, norm2(t.second.xyz()));
    reach_for(2 * dt_ * std::sqrt(fastest2));
    least_limit_ = 0.1 * dt_ * std::sqrt(fastest2);
  }
  rebuild();
  set_walls(0);
  move_prescribed(0);
  evaluate_forces(0, true);
  if (outer_on_) {
    for (std::size_t i = 0; i < state_.size(); ++i) evaluate_outer(i);
  }
  if (scheme_ == Scheme::velocity_verlet)
    for (std::size_t i = 0; i < state_.size(); ++i) {
      state_.old_acceleration[i] = acceleration(i);
      state_.old_turning[i] = turning(i);
    }
  check_health();
  const Energy e = stored_energy();
  book_start(carried_, e);
}

void CpuBackend::set_walls(double t) {
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    walls_[k].pose = pose_at(schedule_.wall_motion[k], t);
    if (has_servos_ && schedule_.servo[k].on) place(schedule_.servo[k], walls_[k].servo, walls_[k].pose);
    walls_[k].look();
  }
}

// Once per step, with the forces of the last evaluation.
void CpuBackend::move_servos(double t) {
  if (!has_servos_) return;
  for (std::size_t k = 0; k < walls_.size(); ++k)
    if (schedule_.servo[k].on && walls_[k].present)
      areia::advance(schedule_.servo[k], walls_[k].servo, walls_[k].force, t, dt_);
}

// Prescribed particles follow their set's motion exactly, from where they were placed.
void CpuBackend::move_prescribed(double t) {
  if (std::all_of(schedule_.set_motion.begin(), schedule_.set_motion.end(),
                  [](const Motion& m) { return m.kind == Motion::Kind::fixed; }))
    return;
  std::vector<Pose> pose;
  for (const Motion& m : schedule_.set_motion) pose.push_back(pose_at(m, t));
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const std::uint32_t id = state_.id[i];
    if (!prescribed_[id] || schedule_.set_motion[set_[id]].kind == Motion::Kind::fixed) continue;
    const Pose& p = pose[set_[id]];
    const Vec3d place = p.to_world(placed_[id].at), x = periodicity_.wrapped(place);
    Chunk& chunk = chunks_[i / chunk_size_];
    if (implicit_) {
      chunk.moved2 = std::max(chunk.moved2, norm2(periodicity_.nearest(x - state_.built_at[i])));
    } else {  // the step that it drifted, and from there to its place
      const double way =
          norm(dt_ * state_.velocity(i).xyz() - flow_) + norm(periodicity_.nearest(x - state_.position(i).xyz()));
      chunk.moved2 = std::max(chunk.moved2, way * way);
      chunk.hurried = chunk.hurried || way > state_.limit[i];
    }
    state_.position(i).set_xyz(x);
    state_.velocity(i).set_xyz(p.velocity_at(place));
    state_.spin[i].set_xyz(p.w);
    state_.orientation[i] = multiply(p.q, placed_[id].turn);
  }
}

void CpuBackend::evaluate_forces(double dt, bool record) {
  const KernelContext c = context(dt, record);
  if (rolls_ && !counted_)  // before particles count anew: those in other chunks are looked at
    for_each_chunk([&](Chunk& chunk) {
      for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
        state_.contacts_before[i] = static_cast<std::uint16_t>(state_.force(i).w);
    });
  if (distance_.any()) {
    for_each_chunk([&](Chunk& chunk) { distance_.gather(state_, chunk.begin, chunk.end); });
    for_each_chunk([&](Chunk& chunk) {
      chunk.on_walls.clear();
      distance_.run(c, chunk);
    });
  }
  evaluate_contacts(c, [](Chunk&) {});
  counted_ = false;
  if (!bonds_.empty()) evaluate_bonds(dt);
  if (record || has_servos_) sum_walls();
}

void CpuBackend::sum_walls() {
  std::vector<std::array<ExactSum, 6>> sum(walls_.size());
  for (const Chunk& chunk : chunks_)
    for (const OnWall& c : chunk.on_walls) {
      auto& [fx, fy, fz, tx, ty, tz] = sum[c.wall];
      fx += c.force.x, fy += c.force.y, fz += c.force.z;
      tx += c.torque.x, ty += c.torque.y, tz += c.torque.z;
    }
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    walls_[w].force = {sum[w][0].value(), sum[w][1].value(), sum[w][2].value()};
    walls_[w].torque = {sum[w][3].value(), sum[w][4].value(), sum[w][5].value()};
  }
}

// An upper bound of the contacts of a chunk, those with meshes left out: room for their records.
static std::size_t most_contacts(const Chunk& chunk) {
  std::size_t n = 0;
  for (const ContactList& list : chunk.lists) {
    n += list.near_walls.size();
    for (const auto* lists : {&list.own, &list.across})
      for (const PairList& pairs : *lists) n += pairs.count;
  }
  return n;
}

void CpuBackend::run_kernels(const KernelContext& c, Chunk& chunk) {
  if (!distance_.any()) chunk.on_walls.clear();
  chunk.records.clear();
  if (c.record) chunk.records.reserve(most_contacts(chunk));
  else if (chunk.records.capacity() > 0) std::vector<ContactRecord>().swap(chunk.records);  // more than steps need
  for (std::size_t k = 0; k < kernels_.size(); ++k) kernels_[k]->run(c, chunk, chunk.lists[k]);
}

// Every pair is listed by the one of the lower slot, so a chunk is read by itself and by chunks before it alone: when
// those that write to it are through, it may go on while the others are still at work. Nobody waits: whoever finishes
// the last of them goes on with it.
template <class F>
void CpuBackend::evaluate_contacts(const KernelContext& c, F&& then) {
  const auto n = static_cast<std::int64_t>(chunks_.size());
  for (std::int64_t k = 0; k < n; ++k) waiting_[k].store(1 + chunks_[k].sources, std::memory_order_relaxed);
  spare_work_.resize(team_.size());
  team_.for_each(n, [&](std::int64_t k, int member) {
    auto& spare = spare_work_[member];
    Chunk& chunk = chunks_[k];
    if (spare.empty()) spare.push_back(std::make_unique<ChunkWork>());
    chunk.work = std::move(spare.back());
    spare.pop_back();
    if (chunk.work->letters.size() < chunk.letters) chunk.work->letters.resize(chunk.letters);
    run_kernels(c, chunk);
    const auto one_less = [&](std::size_t other) {
      if (waiting_[other].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      open_letters(chunks_[other]);
      spare.push_back(std::move(chunks_[other].work));
      then(chunks_[other]);
    };
    one_less(k);
    for (const std::uint32_t target : chunk.targets) one_less(target);
  });
}

// The sum of all contacts of each particle, in the order of inbox.h.
void CpuBackend::open_letters(Chunk& chunk) {
  chunk.inbox.sum(chunk.work->letters.data(), letters_.data(), state_.pushed.data() + chunk.begin);
  std::vector<WallLetter>& walls = chunk.work->walls;
  const auto before = [](const WallLetter& a, const WallLetter& b) { return a.i != b.i ? a.i < b.i : a.wall < b.wall; };
  // contacts with one wall are in the order of its patches; those of several laws follow each other
  if (!std::is_sorted(walls.begin(), walls.end(), before)) std::stable_sort(walls.begin(), walls.end(), before);
  for (const WallLetter& w : walls) {
    state_.force(w.i) += w.letter.force;
    state_.torque(w.i) += w.letter.torque;
  }
  walls.clear();
}

[[gnu::always_inline]] inline void CpuBackend::drift(Chunk& chunk, std::uint32_t i, const Pace<double>& pace) {
  Vec4& position = state_.position(i);
  const Vec3d step = dt_ * pace.move;
  Vec3d x = position.xyz() + step;
  if (periodicity_.left_by(x)) [[unlikely]] {
    const Vec3d image = periodicity_.wrapped(x);
    if (state_.velocity(i).w > 0) chunk.sums.wall_work += work_of_face(state_.velocity(i).w, gravity_, image - x);
    x = image;
  }
  position.set_xyz(x);
  state_.orientation[i] = turned(state_.orientation[i], pace.turn, dt_, exact_rotation_);
  const double own2 = norm2(step - flow_), limit = state_.limit[i];
  if (own2 > chunk.moved2) chunk.moved2 = own2;
  if (own2 > limit * limit) chunk.hurried = true;
  if (watch_domain_) [[unlikely]]
    chunk.outside += state_.velocity(i).w > 0 && is_outside(scene_.settings.domain, x);
}

void CpuBackend::take(const StepResult& result, Chunk& chunk) const {
  chunk.moved2 = result.moved2;
  chunk.hurried = result.hurried;
}

// What a scheme does before the forces of a step are evaluated.
void CpuBackend::begin_step(Chunk& chunk) {
  chunk.moved2 = 0;
  chunk.hurried = false;
  chunk.outside = 0;
  if (plain_) {
    StepResult result;
    block_step_({dt_, gravity_, false, true, weighs_, dg_, flow_, chunk.begin, chunk.end, &chunk.sums, faces()}, state_,
                result);
    take(result, chunk);
    return;
  }
  if (forces_first(scheme_)) return;
  outer_on_ ? open_step<true>(chunk) : open_step<false>(chunk);
}

// The forces that are neither contacts nor uniform gravity, for motion/explicit_step.h.
template <bool kOn>
struct CpuBackend::FieldsOf {
  static constexpr bool kAny = kOn;
  CpuBackend& backend;
  Chunk& chunk;
  std::uint32_t i;
  bool turns() const { return backend.outer_.magnetic(); }
  Vec3d turn() const { return backend.magnetic_turn(i); }
  void book(const Vec3d& mean, double dt) const { backend.book_outer(chunk, i, mean, dt); }
};

template <bool kOuter>
void CpuBackend::open_step(Chunk& chunk) {
  const bool verlet = scheme_ == Scheme::velocity_verlet;
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    Pace<double> now{state_.velocity(i).xyz(), state_.spin[i].xyz()}, old;
    if (verlet) old = {state_.old_acceleration[i], state_.old_turning[i]};
    before_forces(scheme_, dt_, now, old, FieldsOf<kOuter>{*this, chunk, i},
                  [&](const Pace<double>& pace) { drift(chunk, i, pace); });
    if (!verlet) continue;
    state_.velocity(i).set_xyz(now.move);
    state_.spin[i].set_xyz(now.turn);
  }
}

inline Vec3d CpuBackend::acceleration(std::size_t i) const {
  const Vec3d force = state_.force(i).xyz();
  return axes_.moving(
      acceleration_of(state_.velocity(i).w,
                      outer_on_ ? force + (state_.outer[i] + state_.drag[i] + state_.distant[i]) : force, gravity_));
}

inline Vec3d CpuBackend::turning(std::size_t i) const {
  return axes_.turning(state_.spin[i].w * state_.torque(i).xyz());
}

void CpuBackend::store_accelerations(const Chunk& chunk, std::vector<Vec3d>& a, std::vector<Vec3d>& b) const {
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    a[i] = acceleration(i);
    b[i] = turning(i);
  }
}

// What it does afterwards.
void CpuBackend::finish_step(Chunk& chunk) {
  if (forces_first(scheme_)) {
    chunk.moved2 = 0;
    chunk.hurried = false;
    chunk.outside = 0;
  }
  outer_on_ ? kick<true>(chunk) : kick<false>(chunk);
}

// finish_step and begin_step where nothing but contacts and gravity acts.
void CpuBackend::step_plainly(Chunk& chunk, bool drift) {
  StepResult result;
  result.failed = chunk.failed;
  block_step_({dt_, gravity_, true, drift, weighs_, dg_, flow_, chunk.begin, chunk.end, &chunk.sums, faces()}, state_,
              result);
  chunk.failed = result.failed;
  take(result, chunk);
  chunk.outside = 0;
}

// kOuter: with forces besides contacts and uniform gravity, whose work is booked.
template <bool kOuter>
void CpuBackend::kick(Chunk& chunk) {
  const bool verlet = scheme_ == Scheme::velocity_verlet;
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    Vec4 &velocity = state_.velocity(i), &spin = state_.spin[i];
    if constexpr (kOuter) evaluate_outer(i);
    Pace<double> now{velocity.xyz(), spin.xyz()}, old;
    if (verlet) old = {state_.old_acceleration[i], state_.old_turning[i]};
    after_forces(scheme_, dt_, now, {acceleration(i), turning(i)}, old, FieldsOf<kOuter>{*this, chunk, i},
                 [&](const Pace<double>& pace) { drift(chunk, i, pace); });
    velocity.set_xyz(now.move);
    spin.set_xyz(now.turn);
    if (verlet) {
      state_.old_acceleration[i] = old.move;
      state_.old_turning[i] = old.turn;
    }
    if (!slow_enough(now.move, dt_, state_.position(i).w)) chunk.failed = std::min(chunk.failed, state_.id[i]);
  }
}

void CpuBackend::check_health() {
  std::uint32_t failed = ~0u;
  std::uint32_t outside = 0;
  for (const Chunk& c : chunks_) {
    failed = std::min(failed, c.failed);
    outside += c.outside;
  }
  if (failed != ~0u) {
    std::size_t i = 0;
    while (state_.id[i] != failed) ++i;
    const Vec4& x = state_.position(i);
    const Vec3d v = state_.velocity(i).xyz();
    throw StoppedError(fmt::format(
        "blow-up at t = {:.9g} s (step {}): particle {} at ({:.6g}, {:.6g}, {:.6g}) with radius {:.6g} m and speed "
        "{:.6g} m/s overlaps a partner by more than {:g} of the smaller radius or moved further than its radius in one "
        "step of {:.3g} s; try a smaller dt, stiffer contacts, or look at the walls near it",
        time(), step_, failed, x.x, x.y, x.z, x.w, norm(v), scene_.settings.numerics.max_overlap, dt_));
  }
  if (outside > 0) remove_lost();
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

void CpuBackend::advance(std::int64_t steps, bool record) {
  Stopwatch watch(profiling_);
  if (implicit_) return advance_implicit(steps, record);
  const bool first = forces_first(scheme_);
  set_outer(time());
  weigh_next(static_cast<double>(step_ + 1) * dt_);
  if (!first && steps > 0) for_each_chunk([&](Chunk& c) { begin_step(c); });
  counted_ = plain_ && steps > 0;
  for (std::int64_t k = 0; k < steps; ++k) {
    const bool last = k + 1 == steps;
    const double t = first ? time() : static_cast<double>(step_ + 1) * dt_;  // of the evaluation
    switch_gravity(t);
    move_servos(t);
    set_outer(t);
    set_walls(t);
    move_prescribed(t);
    check_health();
    watch.book(profile_.schedule);
    const std::int64_t lists = rebuilds_;
    renew_stale_lists();
    watch.book(rebuilds_ > lists ? profile_.lists : profile_.near);
    if (!last) weigh_next(static_cast<double>(step_ + 2) * dt_);
    if (plain_ && !has_servos_ && bonds_.empty()) {
      const bool show = record && last;
      evaluate_contacts(context(dt_, show), [&](Chunk& c) { step_plainly(c, !last); });
      if (show) sum_walls();
      watch.book(profile_.forces);
    } else {
      evaluate_forces(dt_, record && last);
      watch.book(profile_.forces);
      // the next step's drift follows at once, while the particles are in cache
      for_each_chunk([&](Chunk& c) {
        if (plain_) return step_plainly(c, !last);
        finish_step(c);
        if (!last && !first) begin_step(c);
      });
      watch.book(profile_.motion);
    }
    counted_ = plain_ && !last;
    ++step_;
    if (step_ % 100 == 0) carried_.most_kinetic = std::max(carried_.most_kinetic, kinetic_energy());
  }
  check_health();
}

std::int64_t CpuBackend::free_count() const {
  return std::count_if(state_.moving.begin(), state_.moving.end(), [](const Twin& t) { return t.second.w > 0; });
}

double CpuBackend::kinetic_energy() const {
  std::vector<ExactSum> part(team_.size());
  team_.for_each(static_cast<std::int64_t>(chunks_.size()), [&](std::int64_t k, int member) {
    ExactSum& sum = part[member];
    for (std::uint32_t i = chunks_[k].begin; i < chunks_[k].end; ++i) {
      if (state_.velocity(i).w > 0) sum += 0.5 / state_.velocity(i).w * norm2(state_.velocity(i).xyz());
      if (state_.spin[i].w > 0) sum += 0.5 / state_.spin[i].w * norm2(state_.spin[i].xyz());
    }
  });
  for (std::size_t k = 1; k < part.size(); ++k) part[0] += part[k];
  return part[0].value();
}

}  // namespace areia::cpu

namespace areia {
std::unique_ptr<Backend> make_cpu_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<cpu::CpuBackend>(scene, settings);
}
}  // namespace areia
