// Bonds of the reference backend: made, evaluated, broken, booked, dropped with their bodies.
#include <algorithm>

#include "engine/frame_parts.h"
#include "engine/reference/reference_backend.h"

namespace areia::reference {

void ReferenceBackend::start_bonds(const std::vector<std::uint16_t>& sets) {
  BondableBodies bodies;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!present_[i]) continue;
    bodies.id.push_back(static_cast<std::int64_t>(i));
    bodies.x.push_back(p_.x[i]);
    bodies.q.push_back(p_.q[i]);
    bodies.radius.push_back(p_.radius[i]);
    bodies.inv_m.push_back(inv_m(i));
    bodies.group.push_back(p_.group[i]);
  }
  bodies.wall = poses_;
  bodies.wall_present = wall_present_;
  for (const std::uint16_t set : sets)
    for (Bond b : make_bonds(scene_, set, bodies)) {
      b.last = kick_of(bond_now(b), set_of(b).stiffness, false);
      bonds_.push_back(b);
      bond_force_.emplace_back();
    }
  // bonded pairs of such sets have no contact from now on
  std::erase_if(contacts_, [&](const auto& entry) { return is_apart(entry.first.i, entry.first.j, entry.first.wall); });
}

bool ReferenceBackend::is_apart(std::size_t i, std::int64_t j, std::int32_t wall) const {
  return std::any_of(bonds_.begin(), bonds_.end(), [&](const Bond& b) {
    return !set_of(b).contact && b.i == static_cast<std::int64_t>(i) && b.j == j && b.wall == wall;
  });
}

BondBody ReferenceBackend::body_of(std::int64_t id) const {
  BondBody b{periodicity_.wrapped(p_.x[id]), p_.q[id], p_.v[id], p_.w[id], p_.v[id], p_.w[id], inv_m(id), inv_j(id)};
  if (scheme_ == Scheme::velocity_verlet) {
    b.v_move -= (0.5 * dt_) * a_[id];
    b.w_move -= (0.5 * dt_) * b_[id];
  }
  return b;
}

BondBody ReferenceBackend::body_j(const Bond& b) const { return b.j < 0 ? bond_body(poses_[b.wall]) : body_of(b.j); }

BondNow ReferenceBackend::bond_now(const Bond& b) const {
  return evaluate_bond(b, set_of(b), periodicity_, body_of(b.i), body_j(b));
}

void ReferenceBackend::evaluate_bonds(double dt) {
  std::vector<Bond> kept;
  bond_force_.clear();
  for (Bond& b : bonds_) {
    const BondNow now = bond_now(b);
    const bool broken = !trial_ && breaks(set_of(b), now.force);
    if (dt > 0 || broken)
      sums_.bonds += book_bond(b, now, periodicity_, body_of(b.i), body_j(b), dt, broken, implicit_.has_value());
    if (broken) {
      const double t = dt > 0 && !forces_first(scheme_) ? static_cast<double>(step_ + 1) * dt_ : time();
      breaks_.push_back({t, b.i, b.j, b.wall, b.set, now.anchor_i + 0.5 * now.stretch,
                         norm(set_of(b).break_on_elastic ? now.force.elastic : now.force.total())});
      continue;
    }
    if (!trial_) b.last = kick_of(now, set_of(b).stiffness, dt > 0 || !kicks_once(scheme_));
    force_[b.i] += now.force.total();
    torque_[b.i] += now.force.torque_i();
    if (b.j >= 0) {
      force_[b.j] -= now.force.total();
      torque_[b.j] += now.force.torque_j();
    } else {
      wall_force_[b.wall] -= now.force.total();
      wall_torque_[b.wall] += now.force.torque_j();
    }
    kept.push_back(b);
    bond_force_.push_back(now.force.total());
  }
  bonds_ = std::move(kept);
}

// The second half of the last kick: booked at the next evaluation, or before that for a frame or a change of bodies.
BondBooking ReferenceBackend::pending_work(const Bond& b) const {
  BondBody i = body_of(b.i), j = body_j(b);
  i.v_move = i.v;
  i.w_move = i.w;
  j.v_move = j.v;
  j.w_move = j.w;
  const BondForce& f = b.last.force;
  return half_kick(f, i, j, dt_ * (i.v + cross(i.w, f.arm_i)), dt_ * (j.v + cross(j.w, f.arm_j)), dt_, false);
}

BondBooking ReferenceBackend::pending_work() const {
  BondBooking sum;
  if (kicks_once(scheme_))
    for (const Bond& b : bonds_) sum += pending_work(b);
  return sum;
}

void ReferenceBackend::flush_bonds() {
  sums_.bonds += pending_work();
  if (kicks_once(scheme_))
    for (Bond& b : bonds_) b.last.force = {};
}

void ReferenceBackend::drop_bonds() {
  std::vector<Bond> kept;
  for (const Bond& b : bonds_) {
    if (present_[b.i] && (b.j >= 0 ? present_[b.j] : wall_present_[b.wall])) kept.push_back(b);
    else sums_.bonds += pending_work(b);
  }
  if (kept.size() == bonds_.size()) return;
  bonds_ = std::move(kept);
  bond_force_.assign(bonds_.size(), Vec3d{});
}

void ReferenceBackend::fill_bonds(Frame& f) const {
  f.bonds.clear();
  for (std::size_t k = 0; k < bonds_.size(); ++k) {
    const Bond& b = bonds_[k];
    const BondNow now = bond_now(b);
    f.bonds.push_back({b.i, b.j, b.wall, b.set, now.anchor_i, now.anchor_i + now.stretch, bond_force_[k]});
  }
  sort_bonds(f);
  f.breaks = breaks_;
}

}  // namespace areia::reference
