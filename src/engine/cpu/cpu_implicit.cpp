//   v^(K+1) = v + h [(1-phi) a_n + phi a(x^K, v^K, w^K)],  x^(K+1) = x + h [(1-phi) v + phi v^(K+1)],  spin and turn
//   alike
// Every evaluation of an iterate starts from the committed contacts and histories. Once the sweeps agree, the forces of
// the accepted state are evaluated one more time: that evaluation renews histories and books energy, and its forces are
// the a_n of the next step. So a step that is given up has left nothing behind.
//
// Neighbour lists: each iterate is tested like a position of an explicit step. When one leaves what the lists cover,
// the try is broken off, the lists are made again at the committed positions, and the step begins anew; if they are
// from there already, the skin is doubled.
#include "engine/cpu/cpu_implicit.h"

#include <algorithm>

#include "scene/wall_geometry.h"

namespace areia::cpu {

Implicit::Implicit(World& world, State& state, Chunks& chunks, Forces& forces, Lists& lists, Bodies& bodies)
    : world_(world),
      state_(state),
      chunks_(chunks),
      forces_(forces),
      lists_(lists),
      bodies_(bodies),
      settings_(world.scene().settings.numerics.implicit),
      driver_(settings_, world.dt()) {}

void Implicit::advance(std::int64_t steps, bool record) {
  for (std::int64_t k = 0; k < steps; ++k) {
    driver_.advance(*this, world_.dt(), world_.time(), world_.next_time(), record && k + 1 == steps);
    world_.finish_step([&] { return forces_.kinetic_energy(); });
  }
}

bool Implicit::load(const SnapshotImplicit& kept) {
  forces_known_ = kept.forces_known;
  return driver_.load(kept.driver);
}

void Implicit::set_time(double t) {
  switch_gravity(world_, state_, t);
  world_.set_fields(t);
}

void Implicit::place_prescribed(double t) {
  cpu::place_prescribed(world_, state_, t, [&](std::size_t i, const Vec3d& x) {
    Chunk& chunk = chunks_.of(i);
    chunk.moved2 = std::max(chunk.moved2, norm2(world_.periodicity().nearest(x - state_.built_at[i])));
  });
}

// All forces on all particles in the state as it stands, and their accelerations.
void Implicit::evaluate(const Evaluation& how, std::vector<Vec3d>& a, std::vector<Vec3d>& b) {
  forces_.evaluate(how);
  chunks_.for_each([&](Chunk& c) {
    if (forces_.any_outer())
      for (std::uint32_t i = c.begin; i < c.end; ++i) forces_.evaluate_outer(i);
    store_rates(c, a, b);
  });
}

// Forces that only turn velocities included.
void Implicit::store_rates(const Chunk& chunk, std::vector<Vec3d>& a, std::vector<Vec3d>& b) const {
  const bool turns = world_.fields().turns();
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Pace<double> rate = forces_.rate(i);
    a[i] = turns ? rate.move + turning_acceleration(i) : rate.move;
    b[i] = rate.turn;
  }
}

Vec3d Implicit::turning_acceleration(std::size_t i) const {
  return state_.free(i) ? cross(state_.velocity(i).xyz(), forces_.turning(i, state_.spin[i].xyz())) : Vec3d{};
}

static void keep_pairs(const std::vector<PairList>& lists, std::vector<KeptPairs>& kept) {
  kept.resize(lists.size());
  for (std::size_t p = 0; p < lists.size(); ++p) {
    kept[p].touching = lists[p].touching;
    kept[p].history = lists[p].history;
  }
}

static void bring_back(const std::vector<KeptPairs>& kept, std::vector<PairList>& lists) {
  for (std::size_t p = 0; p < lists.size(); ++p) {
    lists[p].touching = kept[p].touching;
    lists[p].history = kept[p].history;
  }
}

void Implicit::keep(double t) {
  lists_.renew_at_random();
  const std::size_t n = state_.size();
  for (std::vector<Vec3d>* v : {&a_, &b_, &a_new_, &b_new_, &turn_}) v->resize(n);
  turning_.assign(n, Vec3d{});
  set_time(t);
  if (!forces_known_) {
    world_.place_walls(t);
    place_prescribed(t);
    evaluate({}, a_, b_);
    forces_known_ = true;
  }
  chunks_.for_each([&](Chunk& c) {
    store_rates(c, a_, b_);
    if (!world_.fields().turns()) return;
    for (std::uint32_t i = c.begin; i < c.end; ++i) turning_[i] = turning_acceleration(i);
  });
  outer_ = state_.outer;
  drag_ = state_.drag;
  distant_ = state_.distant;
  moving_ = state_.moving;
  spin_ = state_.spin;
  orientation_ = state_.orientation;
  pushed_ = state_.pushed;
  contacts_before_ = state_.contacts_before;
  kept_world_ = world_.now();
  kept_.resize(chunks_.all.size());
  part_.resize(chunks_.all.size());
  chunks_.for_each([&](Chunk& c) {
    KeptChunk& kept = kept_[chunks_.index(c)];
    kept.sums = c.sums;
    kept.moved2 = c.moved2;
    kept.lists.resize(c.lists.size());
    kept.walls.keep_contacts(c.walls);
    for (std::size_t l = 0; l < c.lists.size(); ++l) {
      keep_pairs(c.lists[l].own, kept.lists[l].own);
      keep_pairs(c.lists[l].across, kept.lists[l].across);
      kept.lists[l].pool = c.lists[l].pool;
    }
  });
}

// Contacts, histories and bookings as they were committed.
void Implicit::restore_contacts() {
  for (std::size_t i = 0; i < state_.size(); ++i) state_.torque(i).w = pushed_[i].second.w;
  state_.contacts_before = contacts_before_;
  chunks_.for_each([&](Chunk& c) {
    const KeptChunk& kept = kept_[chunks_.index(c)];
    c.sums = kept.sums;
    c.failed = ~0u;
    c.walls.keep_contacts(kept.walls);
    for (std::size_t l = 0; l < c.lists.size(); ++l) {
      bring_back(kept.lists[l].own, c.lists[l].own);
      bring_back(kept.lists[l].across, c.lists[l].across);
      c.lists[l].pool = kept.lists[l].pool;
    }
    forces_.contacts().clear_letters(c);
  });
}

void Implicit::restore() {
  restore_contacts();
  state_.moving = moving_;
  state_.spin = spin_;
  state_.orientation = orientation_;
  state_.pushed = pushed_;
  restore_outer();
  world_.now() = kept_world_;
  for (std::size_t k = 0; k < kept_.size(); ++k) chunks_.all[k].moved2 = kept_[k].moved2;
}

void Implicit::restore_outer() {
  state_.outer = outer_;
  state_.drag = drag_;
  state_.distant = distant_;
}

// The new iterate of one particle, its share of the errors, and whether the lists still cover it.
void Implicit::move_iterate(Chunk& chunk, std::uint32_t i, double h, Sweep& sum) {
  const double phi = settings_.phi;
  Vec4 &position = state_.position(i), &velocity = state_.velocity(i), &spin = state_.spin[i];
  if (velocity.w > 0) {
    const Vec3d x0 = moving_[i].first.xyz(), v0 = moving_[i].second.xyz(), w0 = spin_[i].xyz();
    const Vec3d v = v0 + h * ((1 - phi) * a_[i] + phi * a_new_[i]);
    const Vec3d w = w0 + h * ((1 - phi) * b_[i] + phi * b_new_[i]);
    const Vec3d mean_w = (1 - phi) * w0 + phi * w;
    const Vec3d x = x0 + h * ((1 - phi) * v0 + phi * v), turn = h * mean_w;
    const Vec3d image = world_.periodicity().wrapped(x);
    sum.x += {norm(world_.periodicity().nearest(image - position.xyz())), norm(x - x0), norm(x - origin_of_errors())};
    sum.a += {norm(turn - turn_[i]), norm(turn), 0};
    sum.v += {norm(v - velocity.xyz()), norm(v - v0), norm(v)};
    sum.w += {norm(w - spin.xyz()), norm(w - w0), norm(w)};
    position.set_xyz(image);
    velocity.set_xyz(v);
    spin.set_xyz(w);
    turn_[i] = turn;
    state_.orientation[i] = turned(orientation_[i], mean_w, h, world_.scene().settings.numerics.exact_rotation);
    if (!(norm2(x - x0) < position.w * position.w)) sum.wild = true;  // written so that a NaN fails too
  }
  chunk.moved2 = std::max(chunk.moved2, norm2(world_.periodicity().nearest(position.xyz() - state_.built_at[i])));
}

Vec3d Implicit::origin_of_errors() const {
  return world_.scene().settings.domain.bounded ? world_.scene().settings.domain.box.min : Vec3d{};
}

Sweep Implicit::predict(double t_end, double h) {
  set_time(t_end);
  world_.place_walls(t_end);
  const bool uniform = settings_.predictor == areia::Implicit::Predictor::uniform;
  chunks_.for_each([&](Chunk& c) {
    Sweep& sum = part_[chunks_.index(c)];
    sum = {};
    c.moved2 = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      turn_[i] = {};
      Vec4& position = state_.position(i);
      if (uniform && state_.free(i)) {
        const Vec3d step = h * state_.velocity(i).xyz(), w = state_.spin[i].xyz();
        position.set_xyz(world_.periodicity().wrapped(position.xyz() + step));
        turn_[i] = h * w;
        state_.orientation[i] = turned(state_.orientation[i], w, h, world_.scene().settings.numerics.exact_rotation);
        if (!(norm2(step) < position.w * position.w)) sum.wild = true;
      }
      c.moved2 = std::max(c.moved2, norm2(world_.periodicity().nearest(position.xyz() - state_.built_at[i])));
    }
  });
  place_prescribed(t_end);
  return sum_of_sweep();
}

Sweep Implicit::sum_of_sweep() const {
  Sweep sum;
  for (const Sweep& part : part_) sum += part;
  sum.lists = !sum.wild && lists_.are_stale();
  return sum;
}

Sweep Implicit::sweep(double h) {
  return settings_.sweep == areia::Implicit::Sweep::jacobi ? jacobi(h) : gauss_seidel(h);
}

Sweep Implicit::jacobi(double h) {
  restore_contacts();
  evaluate({.dt = h, .trial = true}, a_new_, b_new_);
  chunks_.for_each([&](Chunk& c) {
    Sweep& sum = part_[chunks_.index(c)];
    sum = {};
    c.moved2 = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) move_iterate(c, i, h, sum);
  });
  return sum_of_sweep();
}

// One particle after the other, in the order of ids, each with the forces of the iterate as it then stands. Everything
// is evaluated for each of them: meant for small systems.
Sweep Implicit::gauss_seidel(double h) {
  for (Sweep& part : part_) part = {};
  for (Chunk& c : chunks_.all) c.moved2 = 0;
  for (const std::uint32_t i : state_.slots_by_id()) {
    const std::uint32_t k = i / chunks_.chunk_size;
    if (state_.free(i)) {
      restore_contacts();
      evaluate({.dt = h, .trial = true}, a_new_, b_new_);
    }
    move_iterate(chunks_.all[k], i, h, part_[k]);
    if (part_[k].wild) break;
  }
  return sum_of_sweep();
}

// From the committed state to the iterate, across periodic faces.
Vec3d Implicit::way_of_step(std::size_t i) const {
  return world_.periodicity().nearest(state_.position(i).xyz() - moving_[i].first.xyz());
}

void Implicit::commit(double, double h, bool record) {
  const double phi = settings_.phi;
  const Domain& domain = world_.scene().settings.domain;
  const bool watch_domain = domain.bounded && domain.rule != DomainRule::open;
  restore_contacts();
  chunks_.for_each([&](Chunk& c) {
    c.outside = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      state_.old_acceleration[i] = (2 * (1 - phi) / h) * (state_.velocity(i).xyz() - moving_[i].second.xyz());
      const Vec3d ends = state_.position(i).xyz() - moving_[i].first.xyz(), way = way_of_step(i);
      if (!(ends == way) && state_.free(i))
        c.sums.wall_work += work_of_face(state_.velocity(i).w, world_.now().gravity, ends - way);
      if (watch_domain) c.outside += state_.free(i) && is_outside(domain, state_.position(i).xyz());
    }
  });
  const bool ledger = world_.scene().settings.numerics.ledger;
  // the trapezoid of forces from outside and at a distance: half with those of the beginning, half with those of the
  // end
  const auto book_half = [&] {
    if (!ledger || !forces_.any_outer()) return;
    chunks_.for_each([&](Chunk& c) {
      for (std::uint32_t i = c.begin; i < c.end; ++i) {
        const bool free = state_.free(i);
        const Vec3d mean = free ? (1 / h) * way_of_step(i) : 0.5 * (state_.velocity(i).xyz() + moving_[i].second.xyz());
        forces_.book_outer(c, i, mean, 0.5 * h);
      }
    });
  };
  if (forces_.any_outer()) restore_outer();
  book_half();
  evaluate({.dt = h, .record = record || ledger}, a_new_, b_new_);
  book_half();
  if (ledger) {
    sum_friction();
    chunks_.for_each([&](Chunk& c) {
      book_scheme(c, h);
      if (!record) c.records.clear();
    });
    state_.friction.swap(friction_);
    state_.bond_torque.swap(bond_torque_);
  }
  if (check(world_, state_, chunks_, bodies_)) forget_forces();
}

// Tangential contact forces and torques of bonds of the accepted state. Bonds come in the order they were made.
void Implicit::sum_friction() {
  friction_.assign(state_.size(), Vec3d{});
  bond_torque_.assign(state_.size(), Vec3d{});
  forces_.bonds().for_each_end([&](std::uint32_t slot, const BondNow& now, bool is_j) {
    const Vec3d x = state_.position(slot).xyz();
    bond_torque_[slot] += is_j ? anchor_torque_j(now, x) : anchor_torque_i(now, x);
  });
  for (const ContactRecord* k : forces_.contacts().records_in_order()) {
    const Vec3d f = k->force - dot(k->force, k->n) * k->n;
    friction_[k->i] += f;
    if (k->wall < 0) friction_[k->j] -= f;
  }
}

// Over a step contacts and bonds book the trapezoid of their forces: along the path, but friction and rolling at the
// velocity of the end. What the scheme gives the particles beyond that is its own doing.
void Implicit::book_scheme(Chunk& chunk, double h) {
  GridSum& gained = chunk.sums.scheme;
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const double inv_m = state_.velocity(i).w, inv_j = state_.spin[i].w;
    if (!(inv_m > 0)) continue;
    const Vec3d v0 = moving_[i].second.xyz(), v1 = state_.velocity(i).xyz();
    const Vec3d dx = way_of_step(i);
    Vec3d a = a_[i] + a_new_[i];
    if (world_.fields().turns()) a -= turning_[i] + turning_acceleration(i);  // does no work
    gained += (0.5 / inv_m) * (dot(v1 - v0, v1 + v0) - dot(a, dx));
    gained -= 0.5 * dot(state_.friction[i] + friction_[i], h * v1 - dx);
    if (!(inv_j > 0)) continue;
    const Vec3d w0 = spin_[i].xyz(), w1 = state_.spin[i].xyz();
    gained += (0.5 / inv_j) * (dot(w1 - w0, w1 + w0) - h * dot(b_[i] + b_new_[i], w1));
    gained += 0.5 * dot(state_.bond_torque[i] + bond_torque_[i], h * w1 - turn_[i]);
  }
}

}  // namespace areia::cpu
