// Two phases. First every bond by itself: force, bookings, whether it breaks; each writes its own place, and sums over
// blocks of bonds have no order. Then every particle adds the forces of its bonds in the order in which these were
// made. Neither depends on the number of threads.
//
// The trials of an iterative scheme leave out settle: breakage is decided once, for the accepted state.
#include "engine/cpu/cpu_bonds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motion/schemes.h"
#include "packing/make_bonds.h"

namespace areia::cpu {

namespace {

constexpr std::size_t kBlockOfBonds = 256;
constexpr std::uint32_t kAbsent = ~0u;

std::uint64_t key(std::uint64_t i, std::uint64_t j) { return i < j ? i << 32 | j : j << 32 | i; }
std::uint64_t wall_key(std::uint64_t i, std::uint64_t wall) { return key(i, 0xffffffffu - wall); }

}  // namespace

Bonds::Bonds(World& world, State& state, Chunks& chunks)
    : world_(world), state_(state), chunks_(chunks), scheme_(world.scene().settings.numerics.scheme) {}

bool Bonds::are_apart(std::uint32_t i, std::uint32_t j) const {
  return std::binary_search(apart_.begin(), apart_.end(), key(i, j));
}

bool Bonds::is_apart_from_wall(std::uint32_t i, std::size_t wall) const {
  return std::binary_search(apart_.begin(), apart_.end(), wall_key(i, wall));
}

BondBody Bonds::body_of(std::uint32_t slot) const {
  BondBody b;
  b.x = state_.position(slot).xyz();
  b.q = state_.orientation[slot];
  b.v = b.v_move = state_.velocity(slot).xyz();
  b.w = b.w_move = state_.spin[slot].xyz();
  b.inv_m = state_.velocity(slot).w;
  b.inv_j = state_.spin[slot].w;
  if (scheme_ == Scheme::velocity_verlet) {  // the state holds predictions for the end of the step
    b.v_move -= (0.5 * world_.dt()) * state_.old_acceleration[slot];
    b.w_move -= (0.5 * world_.dt()) * state_.old_turning[slot];
  }
  return b;
}

BondBody Bonds::body_j(std::size_t k) const {
  const Bond& b = all_[k];
  return b.j < 0 ? bond_body(world_.now().walls[b.wall].pose) : body_of(slot_j_[k]);
}

BondNow Bonds::now(std::size_t k) const {
  const Bond& b = all_[k];
  return evaluate_bond(b, world_.scene().settings.bonds[b.set], world_.periodicity(), body_of(slot_i_[k]), body_j(k));
}

// ---- making and removing ----

void Bonds::start(const std::vector<std::uint16_t>& sets) {
  if (sets.empty()) return;
  BondableBodies bodies;
  for (const std::uint32_t s : state_.slots_by_id()) {
    bodies.id.push_back(state_.id[s]);
    bodies.x.push_back(state_.position(s).xyz());
    bodies.q.push_back(state_.orientation[s]);
    bodies.radius.push_back(state_.position(s).w);
    bodies.inv_m.push_back(state_.velocity(s).w);
    bodies.group.push_back(state_.group[s]);
  }
  for (const WallState& w : world_.now().walls) {
    bodies.wall.push_back(w.pose);
    bodies.wall_present.push_back(w.present);
  }
  const std::size_t before = all_.size();
  for (const std::uint16_t set : sets) {
    const std::vector<Bond> made = make_bonds(world_.scene(), set, bodies);
    all_.insert(all_.end(), made.begin(), made.end());
  }
  renew();
  now_.resize(all_.size());
  force_.resize(all_.size());
  for (std::size_t k = before; k < all_.size(); ++k) {
    now_[k] = now(k);
    force_[k] = now_[k].force.total();
    all_[k].last = kick_of(now_[k], all_[k].law, false);
  }
}

// Slots of the ends and the bonds of each slot. All ends are there: removed particles took their bonds with them.
void Bonds::renew() {
  if (all_.empty()) return;
  const std::vector<std::uint32_t> slots = state_.slots_by_id();
  const auto slot_of = [&](std::int64_t id) {
    return *std::lower_bound(slots.begin(), slots.end(), id,
                             [&](std::uint32_t slot, std::int64_t other) { return state_.id[slot] < other; });
  };
  const std::size_t n = all_.size();
  slot_i_.resize(n);
  slot_j_.resize(n);
  row_.assign(state_.size() + 1, 0);
  to_walls_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const Bond& b = all_[k];
    slot_i_[k] = slot_of(b.i);
    slot_j_[k] = b.j < 0 ? kAbsent : slot_of(b.j);
    ++row_[slot_i_[k] + 1];
    if (b.j >= 0) ++row_[slot_j_[k] + 1];
    else to_walls_.push_back(static_cast<std::uint32_t>(k));
  }
  std::partial_sum(row_.begin(), row_.end(), row_.begin());
  entry_.resize(row_.back());
  std::vector<std::uint32_t> next(row_.begin(), row_.end() - 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    entry_[next[slot_i_[k]]++] = 2 * k;
    if (all_[k].j >= 0) entry_[next[slot_j_[k]]++] = 2 * k + 1;
  }
}

// Pairs that have no ordinary contact while they are bonded.
void Bonds::list_apart() {
  apart_.clear();
  relist_ = false;
  for (const Bond& b : all_)
    if (!world_.scene().settings.bonds[b.set].contact)
      apart_.push_back(b.j < 0 ? wall_key(b.i, b.wall) : key(b.i, b.j));
  std::sort(apart_.begin(), apart_.end());
  apart_.erase(std::unique(apart_.begin(), apart_.end()), apart_.end());
}

// Before particles go (order[new slot] = old slot) or after walls went: their bonds go with them.
void Bonds::drop(const std::vector<std::uint32_t>& order) {
  if (all_.empty()) return;
  std::vector<std::uint8_t> stays(state_.size(), 0), gone(all_.size(), 0);
  for (const std::uint32_t slot : order) stays[slot] = 1;
  bool any = false;
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const Bond& b = all_[k];
    gone[k] = !stays[slot_i_[k]] || (b.j < 0 ? !world_.now().walls[b.wall].present : !stays[slot_j_[k]]);
    if (!gone[k]) continue;
    any = true;
    if (world_.scene().settings.numerics.ledger) world_.now().ledger.bonds += pending_work(k);
  }
  if (any) erase(gone);
}

void Bonds::erase(const std::vector<std::uint8_t>& gone) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < all_.size(); ++k) {
    if (gone[k]) continue;
    all_[kept] = all_[k];
    now_[kept] = now_[k];
    force_[kept] = force_[k];
    ++kept;
  }
  all_.resize(kept);
  now_.resize(kept);
  force_.resize(kept);
  renew();
}

// ---- a step ----

void Bonds::evaluate(double dt, bool trial) {
  compute();
  if (!trial) settle(dt);
  add_forces();
}

// Forces of the present state. Nothing else changes.
void Bonds::compute() {
  chunks_.team.for_each_piece(static_cast<std::int64_t>(all_.size()), kBlockOfBonds,
                              [&](std::size_t begin, std::size_t end, int) {
                                for (std::size_t k = begin; k < end; ++k) now_[k] = now(k);
                              });
}

// The work since the last evaluation, and breakage: a bond whose force exceeds its strength is deleted. For forces that
// compute has just found; dt = 0: a given state, no time has passed.
void Bonds::settle(double dt) {
  const auto n = all_.size();
  const auto blocks = static_cast<std::int64_t>((n + kBlockOfBonds - 1) / kBlockOfBonds);
  const bool ledger = world_.scene().settings.numerics.ledger;
  const bool by_path = scheme_ == Scheme::trapezoid;
  const bool acts = dt > 0 || !kicks_once(scheme_);
  std::vector<BondBookingOf<GridSum>>& sums = sums_;
  std::vector<std::uint8_t>&gone = gone_, &any = any_gone_;
  const GridSum none(world_.now().ledger.wall_work.grid());
  sums.assign(blocks, {none, none, none, none});
  gone.assign(n, 0);
  any.assign(blocks, 0);
  chunks_.team.for_each(blocks, [&](std::int64_t block, int) {
    for (std::size_t k = block * kBlockOfBonds; k < std::min(n, (block + 1) * kBlockOfBonds); ++k) {
      Bond& b = all_[k];
      const BondNow& now = now_[k];
      const BondSet& set = world_.scene().settings.bonds[b.set];
      gone[k] = areia::breaks(b, set, now);
      any[block] |= gone[k];
      if (ledger && (dt > 0 || gone[k]))
        sums[block] +=
            book_bond(b, set, now, world_.periodicity(), body_of(slot_i_[k]), body_j(k), dt, gone[k], by_path);
      b.last = kick_of(now, b.law, acts);
    }
  });
  for (const auto& sum : sums) world_.now().ledger.bonds += sum;
  if (std::find(any.begin(), any.end(), 1) == any.end()) return;

  const double t = dt > 0 && !forces_first(scheme_) ? world_.next_time() : world_.time();
  for (std::size_t k = 0; k < n; ++k) {
    if (!gone[k]) continue;
    const Bond& b = all_[k];
    const BondSet& set = world_.scene().settings.bonds[b.set];
    breaks_.push_back(break_of(b, set, now_[k], body_of(slot_i_[k]), body_j(k), t));
    relist_ = relist_ || !set.contact;
  }
  erase(gone);
}

void Bonds::add_forces() {
  if (all_.empty()) return;
  for (std::size_t k = 0; k < all_.size(); ++k) force_[k] = now_[k].force.total();
  chunks_.for_each([&](Chunk& chunk) {
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
      for (std::uint32_t e = row_[i]; e < row_[i + 1]; ++e) {
        const BondForce& f = now_[entry_[e] / 2].force;
        const bool is_j = entry_[e] % 2;
        if (is_j) state_.force(i) -= f.total();
        else state_.force(i) += f.total();
        state_.torque(i) += is_j ? f.torque_j() : f.torque_i();
      }
  });
  for (const std::uint32_t k : to_walls_) {
    const BondForce& f = now_[k].force;
    chunks_.all.front().on_walls.push_back({static_cast<std::uint32_t>(all_[k].wall), -f.total(), f.torque_j()});
  }
}

// ---- energy ----

// The second half of the last kick, which the next evaluation would book.
BondBooking Bonds::pending_work(std::size_t k) const {
  const Bond& b = all_[k];
  BondBody i = body_of(slot_i_[k]), j = body_j(k);
  for (BondBody* body : {&i, &j}) {
    body->v_move = body->v;
    body->w_move = body->w;
  }
  const auto path = [&](const BondBody& body, const Vec3d& arm) { return world_.dt() * (body.v + cross(body.w, arm)); };
  return half_kick(b.last.force, i, j, path(i, b.last.force.arm_i), path(j, b.last.force.arm_j), world_.dt(), false);
}

// Schemes that kick once per step show velocities after the whole kick: the ledger of that instant holds all of it.
void Bonds::book_pending_work(LedgerSums& sums) const {
  if (!world_.scene().settings.numerics.ledger || !kicks_once(scheme_)) return;
  for (std::size_t k = 0; k < all_.size(); ++k) sums.bonds += pending_work(k);
}

// Books that half now, before bodies change from free to prescribed or back.
void Bonds::flush() {
  book_pending_work(world_.now().ledger);
  if (!kicks_once(scheme_)) return;
  for (Bond& b : all_) b.last.force = {};
}

void Bonds::add_energy(ExactSum& sum) const {
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const BondNow present = now(k);
    sum += bond_energy(all_[k].law, present.axis, present.stretch);
  }
}

// ---- frames and checkpoints ----

void Bonds::keep(SnapshotBonds& to) const { to = {all_, force_, breaks_}; }

void Bonds::take_over(const SnapshotBonds& from) {
  all_ = from.all;
  force_ = from.force;
  breaks_ = from.breaks;
  now_.assign(all_.size(), {});
  renew();
}

}  // namespace areia::cpu
