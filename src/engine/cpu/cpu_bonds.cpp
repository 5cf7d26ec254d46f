// Geometric bonds in the cpu backend. Spec section 11.
//
// Two phases. First every bond by itself: force, bookings, whether it breaks; each writes its own place, and sums over
// blocks of bonds have no order. Then every particle adds the forces of its bonds in the order in
// which these were made. Neither depends on the number of threads.
//
// The trials of an iterative scheme leave out settle_bonds: breakage is decided once, for the accepted state.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "areia/error.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/frame_parts.h"
#include "motion/schemes.h"
#include "packing/make_bonds.h"

namespace areia::cpu {

namespace {

constexpr std::size_t kBlockOfBonds = 256;
constexpr std::uint32_t kAbsent = ~0u;

}  // namespace

BondBody CpuBackend::bond_body_of(std::uint32_t slot) const {
  BondBody b;
  b.x = state_.position(slot).xyz();
  b.q = state_.orientation[slot];
  b.v = b.v_move = state_.velocity(slot).xyz();
  b.w = b.w_move = state_.spin[slot].xyz();
  b.inv_m = state_.velocity(slot).w;
  b.inv_j = state_.spin[slot].w;
  if (scheme_ == Scheme::velocity_verlet) {  // the state holds predictions for the end of the step
    b.v_move -= (0.5 * dt_) * state_.old_acceleration[slot];
    b.w_move -= (0.5 * dt_) * state_.old_turning[slot];
  }
  return b;
}

BondBody CpuBackend::bond_body_j(std::size_t k) const {
  const Bond& b = bonds_.all[k];
  return b.j < 0 ? bond_body(walls_[b.wall].pose) : bond_body_of(bonds_.slot_j[k]);
}

BondNow CpuBackend::bond_now(std::size_t k) const {
  const Bond& b = bonds_.all[k];
  return evaluate_bond(b, scene_.settings.bonds[b.set], periodicity_, bond_body_of(bonds_.slot_i[k]), bond_body_j(k));
}

// ---- making and removing ----

void CpuBackend::start_bonds(const std::vector<std::uint16_t>& sets) {
  if (sets.empty()) return;
  BondableBodies bodies;
  std::vector<std::uint32_t> slot(state_.size());
  std::iota(slot.begin(), slot.end(), 0);
  std::sort(slot.begin(), slot.end(), [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });
  for (const std::uint32_t s : slot) {
    bodies.id.push_back(state_.id[s]);
    bodies.x.push_back(state_.position(s).xyz());
    bodies.q.push_back(state_.orientation[s]);
    bodies.radius.push_back(state_.position(s).w);
    bodies.inv_m.push_back(state_.velocity(s).w);
    bodies.group.push_back(group_[state_.id[s]]);
  }
  for (const WallState& w : walls_) {
    bodies.wall.push_back(w.pose);
    bodies.wall_present.push_back(w.present);
  }
  const std::size_t before = bonds_.all.size();
  for (const std::uint16_t set : sets) {
    const std::vector<Bond> made = make_bonds(scene_, set, bodies);
    bonds_.all.insert(bonds_.all.end(), made.begin(), made.end());
  }
  renew_bonds();
  bonds_.now.resize(bonds_.all.size());
  for (std::size_t k = before; k < bonds_.all.size(); ++k) {
    bonds_.now[k] = bond_now(k);
    bonds_.all[k].last = kick_of(bonds_.now[k], scene_.settings.bonds[bonds_.all[k].set].stiffness, false);
  }
}

// Slots of the ends and the bonds of each slot. All ends are there: removed particles took their bonds with them.
void CpuBackend::renew_bonds() {
  std::vector<std::uint32_t> slot_of(mass_.size(), kAbsent);
  for (std::uint32_t i = 0; i < state_.size(); ++i) slot_of[state_.id[i]] = i;
  const std::size_t n = bonds_.all.size();
  bonds_.slot_i.resize(n);
  bonds_.slot_j.resize(n);
  bonds_.row.assign(state_.size() + 1, 0);
  bonds_.to_walls.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const Bond& b = bonds_.all[k];
    bonds_.slot_i[k] = slot_of[b.i];
    bonds_.slot_j[k] = b.j < 0 ? kAbsent : slot_of[b.j];
    ++bonds_.row[bonds_.slot_i[k] + 1];
    if (b.j >= 0) ++bonds_.row[bonds_.slot_j[k] + 1];
    else bonds_.to_walls.push_back(static_cast<std::uint32_t>(k));
  }
  std::partial_sum(bonds_.row.begin(), bonds_.row.end(), bonds_.row.begin());
  bonds_.entry.resize(bonds_.row.back());
  std::vector<std::uint32_t> next(bonds_.row.begin(), bonds_.row.end() - 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    bonds_.entry[next[bonds_.slot_i[k]]++] = 2 * k;
    if (bonds_.all[k].j >= 0) bonds_.entry[next[bonds_.slot_j[k]]++] = 2 * k + 1;
  }
}

// Pairs that have no ordinary contact while they are bonded.
void CpuBackend::list_bonds_apart() {
  bonds_.apart.clear();
  bonds_.relist = false;
  for (const Bond& b : bonds_.all)
    if (!scene_.settings.bonds[b.set].contact)
      bonds_.apart.push_back(b.j < 0 ? BondState::wall_key(b.i, b.wall) : BondState::key(b.i, b.j));
  std::sort(bonds_.apart.begin(), bonds_.apart.end());
  bonds_.apart.erase(std::unique(bonds_.apart.begin(), bonds_.apart.end()), bonds_.apart.end());
}

// Before particles go (order[new slot] = old slot) or after walls went: their bonds go with them.
void CpuBackend::drop_bonds(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint8_t> stays(state_.size(), 0), gone(bonds_.all.size(), 0);
  for (const std::uint32_t slot : order) stays[slot] = 1;
  bool any = false;
  for (std::size_t k = 0; k < bonds_.all.size(); ++k) {
    const Bond& b = bonds_.all[k];
    gone[k] = !stays[bonds_.slot_i[k]] || (b.j < 0 ? !walls_[b.wall].present : !stays[bonds_.slot_j[k]]);
    if (!gone[k]) continue;
    any = true;
    if (scene_.settings.numerics.ledger) carried_.bonds += pending_work(k);
  }
  if (any) erase_bonds(gone);
}

void CpuBackend::erase_bonds(const std::vector<std::uint8_t>& gone) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < bonds_.all.size(); ++k) {
    if (gone[k]) continue;
    bonds_.all[kept] = bonds_.all[k];
    bonds_.now[kept] = bonds_.now[k];
    ++kept;
  }
  bonds_.all.resize(kept);
  bonds_.now.resize(kept);
  renew_bonds();
}

// ---- a step ----

void CpuBackend::evaluate_bonds(double dt) {
  compute_bonds();
  if (!trying_) settle_bonds(dt);
  add_bond_forces();
}

// Forces of the present state. Nothing else changes.
void CpuBackend::compute_bonds() {
  team_.for_each_piece(static_cast<std::int64_t>(bonds_.all.size()), kBlockOfBonds,
                       [&](std::size_t begin, std::size_t end, int) {
                         for (std::size_t k = begin; k < end; ++k) bonds_.now[k] = bond_now(k);
                       });
}

// The work since the last evaluation, and breakage: a bond whose force exceeds its strength is deleted. For forces that
// compute_bonds has just found; dt = 0: a given state, no time has passed.
void CpuBackend::settle_bonds(double dt) {
  const auto n = bonds_.all.size();
  const auto blocks = static_cast<std::int64_t>((n + kBlockOfBonds - 1) / kBlockOfBonds);
  const bool ledger = scene_.settings.numerics.ledger;
  const bool by_path = scheme_ == Scheme::trapezoid;
  const bool acts = dt > 0 || !kicks_once(scheme_);
  std::vector<BondBookingOf<GridSum>>& sums = bonds_.sums;
  std::vector<std::uint8_t>&gone = bonds_.gone, &any = bonds_.any_gone;
  const GridSum none(carried_.wall_work.grid());
  sums.assign(blocks, {none, none, none, none});
  gone.assign(n, 0);
  any.assign(blocks, 0);
  team_.for_each(blocks, [&](std::int64_t block, int) {
    for (std::size_t k = block * kBlockOfBonds; k < std::min(n, (block + 1) * kBlockOfBonds); ++k) {
      Bond& b = bonds_.all[k];
      const BondNow& now = bonds_.now[k];
      const BondSet& set = scene_.settings.bonds[b.set];
      gone[k] = breaks(set, now.force);
      any[block] |= gone[k];
      if (ledger && (dt > 0 || gone[k]))
        sums[block] +=
            book_bond(b, now, periodicity_, bond_body_of(bonds_.slot_i[k]), bond_body_j(k), dt, gone[k], by_path);
      b.last = kick_of(now, set.stiffness, acts);
    }
  });
  for (const auto& sum : sums) carried_.bonds += sum;
  if (std::find(any.begin(), any.end(), 1) == any.end()) return;

  const double t = dt > 0 && !forces_first(scheme_) ? static_cast<double>(step_ + 1) * dt_ : time();
  for (std::size_t k = 0; k < n; ++k) {
    if (!gone[k]) continue;
    const Bond& b = bonds_.all[k];
    const BondNow& now = bonds_.now[k];
    const BondSet& set = scene_.settings.bonds[b.set];
    bonds_.breaks.push_back({t, b.i, b.j, b.wall, b.set, now.anchor_i + 0.5 * now.stretch,
                             norm(set.break_on_elastic ? now.force.elastic : now.force.total())});
    bonds_.relist = bonds_.relist || !set.contact;
  }
  erase_bonds(gone);
}

void CpuBackend::add_bond_forces() {
  if (bonds_.empty()) return;
  for_each_chunk([&](Chunk& chunk) {
    for (std::uint32_t i = chunk.begin; i < chunk.end; ++i)
      for (std::uint32_t e = bonds_.row[i]; e < bonds_.row[i + 1]; ++e) {
        const BondForce& f = bonds_.now[bonds_.entry[e] / 2].force;
        const bool is_j = bonds_.entry[e] % 2;
        if (is_j) state_.force(i) -= f.total();
        else state_.force(i) += f.total();
        state_.torque(i) += is_j ? f.torque_j() : f.torque_i();
      }
  });
  for (const std::uint32_t k : bonds_.to_walls) {
    const BondForce& f = bonds_.now[k].force;
    chunks_.front().on_walls.push_back({static_cast<std::uint32_t>(bonds_.all[k].wall), -f.total(), f.torque_j()});
  }
}

// ---- energy ----

// The second half of the last kick, which the next evaluation would book.
BondBooking CpuBackend::pending_work(std::size_t k) const {
  const Bond& b = bonds_.all[k];
  BondBody i = bond_body_of(bonds_.slot_i[k]), j = bond_body_j(k);
  for (BondBody* body : {&i, &j}) {
    body->v_move = body->v;
    body->w_move = body->w;
  }
  const auto path = [&](const BondBody& body, const Vec3d& arm) { return dt_ * (body.v + cross(body.w, arm)); };
  return half_kick(b.last.force, i, j, path(i, b.last.force.arm_i), path(j, b.last.force.arm_j), dt_, false);
}

// Schemes that kick once per step show velocities after the whole kick: the ledger of that instant holds all of it.
void CpuBackend::book_pending_work(LedgerSums& sums) const {
  if (!scene_.settings.numerics.ledger || !kicks_once(scheme_)) return;
  for (std::size_t k = 0; k < bonds_.all.size(); ++k) sums.bonds += pending_work(k);
}

// Books that half now, before bodies change from free to prescribed or back.
void CpuBackend::flush_bonds() {
  book_pending_work(carried_);
  if (!kicks_once(scheme_)) return;
  for (Bond& b : bonds_.all) b.last.force = {};
}

void CpuBackend::add_energy_of_bonds(ExactSum& sum) const {
  for (std::size_t k = 0; k < bonds_.all.size(); ++k)
    sum += bond_energy(scene_.settings.bonds[bonds_.all[k].set].stiffness, bond_now(k).stretch);
}

// ---- frames and checkpoints ----

void CpuBackend::fill_bonds(Frame& frame) const {
  frame.bonds.clear();
  for (std::size_t k = 0; k < bonds_.all.size(); ++k) {
    const Bond& b = bonds_.all[k];
    const BondNow now = bond_now(k);
    frame.bonds.push_back(
        {b.i, b.j, b.wall, b.set, now.anchor_i, now.anchor_i + now.stretch, bonds_.now[k].force.total()});
  }
  sort_bonds(frame);
  frame.breaks = bonds_.breaks;
}

namespace {

constexpr std::size_t kNumbersOfBond = 26;

void put(std::vector<double>& out, const Vec3d& v) { out.insert(out.end(), {v.x, v.y, v.z}); }

}  // namespace

void CpuBackend::save_bonds(Archive& a) const {
  std::vector<std::int64_t>&ends = a.integer["bonds"], &broken = a.integer["bond_breaks"];
  std::vector<double>&values = a.real["bond_values"], &break_values = a.real["bond_break_values"];
  for (const Bond& b : bonds_.all) {
    ends.insert(ends.end(), {b.i, b.j, b.wall, b.set});
    const BondForce& f = b.last.force;
    for (const Vec3d& v : {b.a_i, b.a_j, f.elastic, f.viscous, f.arm_i, f.arm_j, b.last.anchor_i, b.last.anchor_j})
      put(values, v);
    values.insert(values.end(), {b.damper, b.last.energy});
  }
  for (const FrameBreak& b : bonds_.breaks) {
    broken.insert(broken.end(), {b.i, b.j, b.wall, b.set});
    break_values.push_back(b.time);
    put(break_values, b.point);
    break_values.push_back(b.force);
  }
  a.integer["bond_apart"].assign(bonds_.apart.begin(), bonds_.apart.end());
  a.integer["bond_relist"] = {bonds_.relist};
}

// Before the lists are made again: they leave out the pairs they left out before.
void CpuBackend::load_bonds(const Archive& a) {
  const auto integers = [&](const char* name) -> const std::vector<std::int64_t>& {
    const auto at = a.integer.find(name);
    if (at == a.integer.end()) throw FileError(std::string("checkpoint lacks the array '") + name + "'");
    return at->second;
  };
  const auto reals = [&](const char* name) -> const std::vector<double>& {
    const auto at = a.real.find(name);
    if (at == a.real.end()) throw FileError(std::string("checkpoint lacks the array '") + name + "'");
    return at->second;
  };
  const std::vector<std::int64_t>&ends = integers("bonds"), &broken = integers("bond_breaks");
  const std::vector<double>&values = reals("bond_values"), &break_values = reals("bond_break_values");
  const std::size_t n = ends.size() / 4, breaks = broken.size() / 4;
  if (values.size() != n * kNumbersOfBond || break_values.size() != breaks * 5 || integers("bond_relist").size() != 1)
    throw FileError("checkpoint does not belong to this case");
  const std::set<std::int64_t> present(state_.id.begin(), state_.id.end());
  bonds_ = {};
  bonds_.all.resize(n);
  bonds_.now.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    Bond& b = bonds_.all[k];
    b.i = ends[4 * k];
    b.j = ends[4 * k + 1];
    b.wall = static_cast<std::int32_t>(ends[4 * k + 2]);
    b.set = static_cast<std::int32_t>(ends[4 * k + 3]);
    if (static_cast<std::size_t>(b.set) >= scene_.settings.bonds.size() || !present.contains(b.i) ||
        (b.j < 0 ? static_cast<std::size_t>(b.wall) >= walls_.size() : !present.contains(b.j)))
      throw FileError("checkpoint does not belong to this case");
    const double* v = &values[k * kNumbersOfBond];
    const auto next = [&] {
      const Vec3d u{v[0], v[1], v[2]};
      v += 3;
      return u;
    };
    BondForce& f = b.last.force;
    for (Vec3d* u : {&b.a_i, &b.a_j, &f.elastic, &f.viscous, &f.arm_i, &f.arm_j, &b.last.anchor_i, &b.last.anchor_j})
      *u = next();
    b.damper = v[0];
    b.last.energy = v[1];
  }
  for (std::size_t k = 0; k < breaks; ++k) {
    const double* v = &break_values[5 * k];
    bonds_.breaks.push_back({v[0],
                             broken[4 * k],
                             broken[4 * k + 1],
                             static_cast<std::int32_t>(broken[4 * k + 2]),
                             static_cast<std::int32_t>(broken[4 * k + 3]),
                             {v[1], v[2], v[3]},
                             v[4]});
  }
  const std::vector<std::int64_t>& apart = integers("bond_apart");
  bonds_.apart.assign(apart.begin(), apart.end());
  bonds_.relist = integers("bond_relist")[0] != 0;
}

}  // namespace areia::cpu
