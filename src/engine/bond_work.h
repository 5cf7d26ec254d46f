// One bond at an instant, and its work for the energy ledger. Used by every engine.
#pragma once
#include "areia/case.h"
#include "areia/frame.h"
#include "scene/bond.h"
#include "search/size_class_grid.h"

namespace areia {

struct BondNow {  // a bond at an instant
  BondForce force;
  Vec3d stretch;             // P_j - P_i
  Vec3d anchor_i, anchor_j;  // j's in its own image
  Vec3d axis;                // where the bond has one
};

inline BondEnd end_i(const Bond& b, const BondBody& i) { return {rotate(i.q, b.a_i), i.v, i.w}; }
inline BondEnd end_j(const Bond& b, const BondBody& j) { return {rotate(j.q, b.a_j), j.v, j.w}; }

// The line of centres, in the image in which the anchors meet; at a wall the direction towards it when the bond was
// made, turned with the wall.
inline BondAxis axis_of(const Bond& b, const BondBody& j, const Vec3d& arm_i, const Vec3d& stretch,
                        const Vec3d& arm_j) {
  if (b.j < 0) return {rotate(j.q, b.axis), 0};
  const Vec3d d = arm_i + stretch - arm_j;
  const double length = norm(d);
  if (!(length > 0)) return {};
  return {(1 / length) * d, 1 / length};
}

// A wall's point may be any number of box lengths away.
inline Vec3d stretch_of(const Bond& b, const Periodicity& periodicity, const Vec3d& anchor_i, const Vec3d& anchor_j) {
  return periodicity.nearest((b.j < 0 ? periodicity.wrapped(anchor_j) : anchor_j) - anchor_i);
}

inline BondNow evaluate_bond(const Bond& b, const BondSet& set, const Periodicity& periodicity, const BondBody& i,
                             const BondBody& j) {
  BondNow now;
  const BondEnd at_i = end_i(b, i), at_j = end_j(b, j);
  now.anchor_i = i.x + at_i.arm;
  now.anchor_j = j.x + at_j.arm;
  now.stretch = stretch_of(b, periodicity, now.anchor_i, now.anchor_j);
  BondAxis axis;
  if (b.has_axis()) axis = axis_of(b, j, at_i.arm, now.stretch, at_j.arm);
  now.axis = axis.n;
  now.force = bond_force(b.law, set.point == BondSet::Point::midpoint, axis, now.stretch, at_i, at_j);
  return now;
}

// The force that the strength is held against.
inline Vec3d breaking_force(const BondSet& set, const BondForce& f) {
  return set.break_on_elastic ? f.elastic : f.total();
}

inline bool breaks(const Bond& b, const BondSet& set, const BondNow& now) {
  return breaks(b.strength, breaking_force(set, now.force), now.axis);
}

// What is told of a bond that breaks at time t.
inline FrameBreak break_of(const Bond& b, const BondSet& set, const BondNow& now, const BondBody& i, const BondBody& j,
                           double t) {
  const Vec3d force = breaking_force(set, now.force);
  const BondLoad load = load_of(force, axis_of(b, j, end_i(b, i).arm, now.stretch, end_j(b, j).arm).n);
  return {t,           b.i,
          b.j,         b.wall,
          b.set,       now.anchor_i + 0.5 * now.stretch,
          norm(force), load.normal,
          load.shear,  mode_of(b.strength, load)};
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
// evaluation later. A body that is not moved by forces goes its own way, `path`, between two evaluations. The couple
// works by the turning of the bodies.
inline BondBooking half_kick(const BondForce& f, const BondBody& i, const BondBody& j, const Vec3d& path_i,
                             const Vec3d& path_j, double dt, bool by_path) {
  const auto way = [&](const BondBody& body, const Vec3d& arm, const Vec3d& path) {
    return body.inv_m > 0 && !by_path ? dt * (body.v_move + cross(body.w_move, arm)) : path;
  };
  const Vec3d way_i = way(i, f.arm_i, path_i), way_j = way(j, f.arm_j, path_j), total = f.total();
  BondBooking b;
  b.put_in = -0.5 * (dot(f.elastic, way_i - way_j) + dt * dot(f.couple, i.w_move - j.w_move));
  b.damping = -0.5 * dot(f.viscous, way_i - way_j);
  if (!(i.inv_m > 0)) b.wall_work -= 0.5 * (dot(total, way_i) + dt * dot(f.couple, i.w_move));
  else if (!(i.inv_j > 0)) b.wall_work -= 0.5 * dt * dot(f.torque_i(), i.w_move);
  if (!(j.inv_m > 0)) b.wall_work += 0.5 * (dot(total, way_j) + dt * dot(f.couple, j.w_move));
  else if (!(j.inv_j > 0)) b.wall_work -= 0.5 * dt * dot(f.torque_j(), j.w_move);
  return b;
}

// Bookings of one step, from the last evaluation to this one. A bond that breaks now exerts no force now: only the
// second half of its last kick is left, and what is in its spring is lost. The anchors' paths are known; the point
// where a force acts, half the stretch of its instant away, moves by the turning of the body beside them.
inline BondBooking book_bond(const Bond& b, const BondSet& set, const BondNow& now, const Periodicity& periodicity,
                             const BondBody& i, const BondBody& j, double dt, bool broken, bool by_path) {
  const Vec3d path_i = periodicity.nearest(now.anchor_i - b.last.anchor_i);
  const Vec3d path_j = b.j < 0 ? now.anchor_j - b.last.anchor_j : periodicity.nearest(now.anchor_j - b.last.anchor_j);
  const double half = set.point == BondSet::Point::midpoint ? 0.5 * dt : 0;
  const auto half_of = [&](const BondForce& f, const Vec3d& stretch) {
    return half_kick(f, i, j, path_i + half * cross(i.w_move, stretch), path_j - half * cross(j.w_move, stretch), dt,
                     by_path);
  };
  BondBooking sum = half_of(b.last.force, stretch_of(b, periodicity, b.last.anchor_i, b.last.anchor_j));
  if (broken) sum.broken = b.last.energy + sum.put_in;
  else sum += half_of(now.force, now.stretch);
  return sum;
}

// The torque of the forces if they acted at the anchors: what is booked along their paths.
inline Vec3d anchor_torque_i(const BondNow& now, const Vec3d& x) { return cross(now.anchor_i - x, now.force.total()); }
inline Vec3d anchor_torque_j(const BondNow& now, const Vec3d& x) { return -cross(now.anchor_j - x, now.force.total()); }

// What the ledger remembers of this evaluation. Without a kick (forces of a given state) no force has acted.
inline BondKick kick_of(const BondNow& now, const BondLaw& law, bool acts) {
  return {acts ? now.force : BondForce{}, now.anchor_i, now.anchor_j, bond_energy(law, now.axis, now.stretch)};
}

}  // namespace areia
