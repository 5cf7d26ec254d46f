// One bond at an instant, and its work for the energy ledger. Used by every engine.
#pragma once
#include "areia/case.h"
#include "scene/bond.h"
#include "search/size_class_grid.h"

namespace areia {

struct BondNow {  // a bond at an instant
  BondForce force;
  Vec3d stretch;             // P_j - P_i
  Vec3d anchor_i, anchor_j;  // j's in its own image
};

inline BondNow evaluate_bond(const Bond& b, const BondSet& set, const Periodicity& periodicity, const BondBody& i,
                             const BondBody& j) {
  BondNow now;
  const BondEnd end_i{rotate(i.q, b.a_i), i.v, i.w}, end_j{rotate(j.q, b.a_j), j.v, j.w};
  now.anchor_i = i.x + end_i.arm;
  now.anchor_j = j.x + end_j.arm;
  // a wall's point may be any number of box lengths away
  now.stretch = periodicity.nearest((b.j < 0 ? periodicity.wrapped(now.anchor_j) : now.anchor_j) - now.anchor_i);
  now.force = bond_force(set.stiffness, b.damper, set.point == BondSet::Point::midpoint, now.stretch, end_i, end_j);
  return now;
}

inline bool breaks(const BondSet& set, const BondForce& f) {
  const Vec3d force = set.break_on_elastic ? f.elastic : f.total();
  return norm2(force) > set.strength * set.strength;
}

// Work of a bond for the ledger.
template <class T>
struct BondBookingOf {
  T put_in{};     // into the spring along the discrete path
  T damping{};    // taken by the damper
  T wall_work{};  // of walls, prescribed particles, and of what keeps a particle from turning
  T broken{};     // energy of springs that broke

  template <class U>
  BondBookingOf& operator+=(const BondBookingOf<U>& b) {
    put_in += b.put_in;
    damping += b.damping;
    wall_work += b.wall_work;
    broken += b.broken;
    return *this;
  }
};
using BondBooking = BondBookingOf<double>;

// Work of the force `f` over half a step. A kick f dt changes the kinetic energy by f . (u_before + u_after)/2 dt with
// the arms of its own instant; the half with u_before is booked when f is evaluated, the half with u_after one
// evaluation later. A body that is not moved by forces goes its own way, `path`, between two evaluations.
inline BondBooking half_kick(const BondForce& f, const BondBody& i, const BondBody& j, const Vec3d& path_i,
                             const Vec3d& path_j, double dt, bool by_path) {
  const auto way = [&](const BondBody& body, const Vec3d& arm, const Vec3d& path) {
    return body.inv_m > 0 && !by_path ? dt * (body.v_move + cross(body.w_move, arm)) : path;
  };
  const Vec3d way_i = way(i, f.arm_i, path_i), way_j = way(j, f.arm_j, path_j), total = f.total();
  BondBooking b;
  b.put_in = -0.5 * dot(f.elastic, way_i - way_j);
  b.damping = -0.5 * dot(f.viscous, way_i - way_j);
  if (!(i.inv_m > 0)) b.wall_work -= 0.5 * dot(total, way_i);
  else if (!(i.inv_j > 0)) b.wall_work -= 0.5 * dt * dot(cross(f.arm_i, total), i.w_move);
  if (!(j.inv_m > 0)) b.wall_work += 0.5 * dot(total, way_j);
  else if (!(j.inv_j > 0)) b.wall_work += 0.5 * dt * dot(cross(f.arm_j, total), j.w_move);
  return b;
}

// Bookings of one step, from the last evaluation to this one. A bond that breaks now exerts no force now: only the
// second half of its last kick is left, and what is in its spring is lost.
inline BondBooking book_bond(const Bond& b, const BondNow& now, const Periodicity& periodicity, const BondBody& i,
                             const BondBody& j, double dt, bool broken, bool by_path) {
  const Vec3d path_i = periodicity.nearest(now.anchor_i - b.last.anchor_i);
  const Vec3d path_j = b.j < 0 ? now.anchor_j - b.last.anchor_j : periodicity.nearest(now.anchor_j - b.last.anchor_j);
  BondBooking sum = half_kick(b.last.force, i, j, path_i, path_j, dt, by_path);
  if (broken) sum.broken = b.last.energy + sum.put_in;
  else sum += half_kick(now.force, i, j, path_i, path_j, dt, by_path);
  return sum;
}

// What the ledger remembers of this evaluation. Without a kick (forces of a given state) no force has acted.
inline BondKick kick_of(const BondNow& now, double stiffness, bool acts) {
  return {acts ? now.force : BondForce{}, now.anchor_i, now.anchor_j, bond_energy(stiffness, now.stretch)};
}

}  // namespace areia
