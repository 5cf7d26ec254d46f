// The reference backend from outside: how it begins and goes on, what changes between stages, what it shows.
#include "engine/reference/reference_backend.h"

#include <algorithm>

#include "areia/error.h"
#include "engine/fill_frame.h"
#include "engine/images.h"
#include "engine/reference/reference_motion.h"
#include "engine/unrest.h"
#include "engine/wear.h"
#include "motion/schemes.h"

namespace areia::reference {

ReferenceBackend::ReferenceBackend(const Scene& scene, const BackendSettings& settings)
    : world_(scene, settings.dt, settings.bookings, settings.forces),
      forces_(world_, state_),
      bodies_(world_, state_, forces_) {
  const SceneParticles& p = scene.particles;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Particle one;
    one.id = static_cast<std::int64_t>(i);
    one.x = world_.periodicity().wrapped(p.x[i]);
    one.velocity = {p.v[i], p.w[i]};
    one.q = one.placed_q = p.q[i];
    one.radius = p.radius[i];
    one.mass = p.mass[i];
    one.charge = p.charge[i];
    one.own_inv_j = p.turns[i] ? 1 / p.inertia[i] : 0;
    one.material = p.material[i];
    one.group = p.group[i];
    one.set = p.set[i];
    one.prescribed = p.prescribed[i] != 0;
    one.placed_x = p.x[i];
    state_.particles.push_back(one);
  }
  if (scene.settings.numerics.scheme == Scheme::trapezoid) implicit_.emplace(world_, state_, forces_, bodies_);
}

void ReferenceBackend::set_schedule(const Schedule& s) {
  world_.set_schedule(s);
  if (implicit_) implicit_->forget_forces();
}

void ReferenceBackend::set_step_times(const StepTimes& times) {
  forces_.flush_bonds();  // their last kick was one of the old length
  world_.set_step_times(times);
}

void ReferenceBackend::start() {
  world_.now().gravity = gravity_at(world_.schedule(), 0);  // fields that wait for a stage do not act yet
  forces_.start_bonds(bond_sets_of(world_.scene().settings, ""));
  world_.place_walls(0);
  place_prescribed(world_, state_, 0);
  forces_.evaluate({.record = true});
  if (world_.cell().deforms()) world_.now().cell.kinetic = sum_kinetic(world_, state_);
  if (world_.scene().settings.numerics.scheme == Scheme::velocity_verlet)
    for (Particle& p : state_.particles) p.old = forces_.rate(p);
  check(world_, state_, forces_.failed());
  book_start(world_.now().ledger, forces_.stored_energy());
}

void ReferenceBackend::advance(std::int64_t steps, bool record) {
  for (std::int64_t k = 0; k < steps; ++k) {
    const bool show = record && k + 1 == steps;
    if (!implicit_) {
      take_step(world_, state_, forces_, bodies_, show);
      continue;
    }
    implicit_->advance(show);
    world_.finish_step([&] { return kinetic_energy(); });
  }
}

void ReferenceBackend::apply(const Change& c) {
  if (implicit_) implicit_->forget_forces();
  world_.apply(c, bodies_);
}

Surroundings ReferenceBackend::surroundings(const Box& box) const {
  Surroundings s;
  for (const Particle& p : state_.particles) add_images(s, world_.periodicity(), box, p.x, p.radius);
  for (const WallState& w : world_.now().walls) {
    s.wall_pose.push_back(w.pose);
    s.wall_present.push_back(w.present);
  }
  return s;
}

double ReferenceBackend::kinetic_energy() const {
  const Energy e = forces_.stored_energy();
  return e.kinetic + e.rotational;
}

double ReferenceBackend::unrest(double) const {
  std::vector<double> turn(state_.particles.size(), 0);
  const auto resist = [&](const Particle& p, double energy) {
    double& most = turn[&p - state_.particles.data()];
    most = std::max(most, energy);
  };
  for (const auto& [key, record] : state_.contacts) {
    const Particle &i = *state_.find(key.i), *j = key.j < 0 ? nullptr : state_.find(key.j);
    const Interaction& laws = *forces_.laws_of(i.material, j ? j->material : world_.scene().walls[key.wall].material);
    const Vec3d way = j ? world_.periodicity().nearest(j->x - i.x) : record.place.n;
    resist(i, resisted_spin(laws, way, i.velocity.turn, i.inv_j()));
    if (j) resist(*j, resisted_spin(laws, way, j->velocity.turn, j->inv_j()));
  }
  for (const Bond& b : state_.bonds)
    for (const std::int64_t end : {b.i, b.j})
      if (const Particle* p = end < 0 ? nullptr : state_.find(end))
        resist(*p, spin_energy(p->velocity.turn, p->inv_j()));
  ExactSum sum;
  for (const double energy : turn) sum += energy;
  return forces_.stored_energy().kinetic + sum.value();
}

std::int64_t ReferenceBackend::particle_count() const { return static_cast<std::int64_t>(state_.particles.size()); }

std::int64_t ReferenceBackend::free_count() const {
  return std::count_if(state_.particles.begin(), state_.particles.end(),
                       [](const Particle& p) { return !p.prescribed; });
}

BackendStatistics ReferenceBackend::statistics() const {
  BackendStatistics s;
  s.contacts = static_cast<std::int64_t>(state_.contacts.size());
  if (implicit_) s.implicit = implicit_->driver().statistics();
  return s;
}

// ---- frames ----

namespace {

struct Shown {
  const State& state;
  const Forces& forces;

  std::size_t particle_count() const { return state.particles.size(); }
  ShownParticle particle(std::size_t k) const {
    const Particle& p = state.particles[k];
    Vec3d outer = p.field + p.drag + p.distant;
    if (!p.prescribed) outer += (1 / p.inv_m()) * cross(p.velocity.move, forces.turning(p, p.velocity.turn));
    return {p.id,  p.x,      p.velocity.move, p.velocity.turn, p.q,        p.force, p.torque,
            outer, p.radius, p.mass,          p.charge,        p.material, p.group, p.prescribed};
  }
  template <class F>
  void for_each_contact(F&& f) const {
    for (const FrameContact& c : forces.shown()) f(c);
  }
  template <class F>
  void for_each_bond(F&& f) const {
    for (std::size_t k = 0; k < state.bonds.size(); ++k) {
      const Bond& b = state.bonds[k];
      const BondNow now = forces.bond_now(b);
      f({b.i, b.j, b.wall, b.set, now.anchor_i, now.anchor_i + now.stretch, state.bond_force[k]});
    }
  }
  const std::vector<FrameBreak>& breaks() const { return state.breaks; }
  Energy stored_energy() const { return forces.stored_energy(); }
  void book_pending_work(LedgerSums& sums) const { forces.book_pending_work(sums); }
};

}  // namespace

void ReferenceBackend::fill(Frame& f, const FrameChoice& choice) const {
  fill_frame(f, choice, world_, Shown{state_, forces_});
}

void ReferenceBackend::book_wear(WearBook& book) const {
  const WorldState& now = world_.now();
  const double back = kicks_once(world_.scene().settings.numerics.scheme) ? 0.5 * world_.dt() : 0;
  const Shown shown{state_, forces_};
  for (const FrameContact& c : forces_.shown()) {
    if (c.wall < 0) continue;
    const auto found = std::lower_bound(state_.particles.begin(), state_.particles.end(), c.i,
                                        [](const Particle& p, std::int64_t id) { return p.id < id; });
    const Particle& p = *found;
    const ShownParticle s = shown.particle(static_cast<std::size_t>(found - state_.particles.begin()));
    const Vec3d a = acceleration_of(p.inv_m(), s.pushed + s.outer, now.gravity), b = p.inv_j() * s.torque;
    book.enter({p.id, p.x, p.velocity.move - back * world_.axes().moving(a),
                p.velocity.turn - back * world_.axes().turning(b), p.radius},
               c.wall, c.patch, c.n, c.overlap, c.force, now.walls[static_cast<std::size_t>(c.wall)]);
  }
}

// ---- changes between steps ----

Bodies::View ReferenceBodies::view(std::size_t k) const {
  const Particle& p = state_.particles[k];
  return {p.id, p.group, !p.prescribed, p.x, p.radius};
}

void ReferenceBodies::freeze(std::size_t k) {
  Particle& p = state_.particles[k];
  p.prescribed = true;
  p.velocity = {};
  const World::Origin origin = world_.origin_of(p.set, p.x, p.q);
  p.placed_x = origin.x;
  p.placed_q = origin.q;
}

void ReferenceBodies::keep_only(const std::vector<std::uint8_t>& stays) {
  forces_.drop_bonds(stays);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < stays.size(); ++k)
    if (stays[k]) state_.particles[kept++] = state_.particles[k];
  state_.particles.resize(kept);
  std::erase_if(state_.contacts, [&](const auto& entry) {
    const Key& key = entry.first;
    const Particle *i = state_.find(key.i), *j = key.j < 0 ? nullptr : state_.find(key.j);
    if (!i || (key.j >= 0 && !j) || (key.j < 0 && !world_.now().walls[key.wall].present)) return true;
    return i->prescribed && (!j || j->prescribed);
  });
  forces_.forget_shown();
}

Energy ReferenceBodies::take_out(const std::vector<std::size_t>& bodies) {
  std::vector<std::uint8_t> stays(state_.particles.size(), 1);
  for (const std::size_t k : bodies) stays[k] = 0;
  StoredSums sum;
  for (const std::size_t k : bodies) forces_.add_energy(state_.particles[k], sum);
  for (const auto& [key, record] : state_.contacts) {
    const auto goes = [&](std::int64_t id) { return id >= 0 && !stays[state_.find(id) - state_.particles.data()]; };
    if (!goes(key.i) && !goes(key.j)) continue;
    forces_.add_energy(key, record, sum);
    if (world_.leaves_halves()) forces_.book_second_half(key, record, 1);
  }
  keep_only(stays);
  return sum.energy();
}

void ReferenceBodies::make_bonds(const std::vector<std::uint16_t>& sets) {
  forces_.start_bonds(sets);
  forces_.forget_shown();
}

Energy ReferenceBodies::append(const std::vector<NewParticle>& particles, std::int64_t first_id) {
  StoredSums sum;
  for (const NewParticle& n : particles) {
    Particle p;
    p.id = first_id++;
    p.x = world_.periodicity().wrapped(n.x);
    p.velocity = {n.v, n.w};
    p.radius = n.radius;
    p.mass = n.mass;
    p.charge = n.charge;
    p.own_inv_j = n.turns ? 1 / n.inertia : 0;
    p.material = n.material;
    p.group = n.group;
    p.set = n.set;
    forces_.set_outer(p);
    if (world_.scene().settings.numerics.scheme == Scheme::velocity_verlet) p.old.move = forces_.rate(p).move;
    forces_.add_energy(p, sum);
    state_.particles.push_back(p);
  }
  forces_.forget_shown();
  return sum.energy();
}

// ---- checkpoints ----

void ReferenceBackend::save(Archive& archive) const {
  Snapshot s;
  keep(state_, world_.scene(), forces_, s);
  s.world = world_.now();
  if (implicit_) s.implicit = {implicit_->driver().saved(), implicit_->forces_known()};
  write(std::move(s), archive);
}

void ReferenceBackend::load(const Archive& archive) {
  const Snapshot s = read_snapshot(archive, world_.scene());
  take_over(s, world_.scene(), forces_, state_);
  world_.go_on_from(s.world);
  if (implicit_ && !implicit_->load(s.implicit.driver, s.implicit.forces_known))
    throw FileError("the checkpoint does not belong to this case: its implicit steps have another size");
  world_.set_fields(time());
  forces_.forget_shown();
}

}  // namespace areia::reference

namespace areia {
std::unique_ptr<Backend> make_reference_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<reference::ReferenceBackend>(scene, settings);
}
}  // namespace areia
