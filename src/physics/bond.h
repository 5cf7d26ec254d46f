// A geometric bond (GBPM): a spring and a damper between two anchors that are fixed in the bodies. 003 5.2, theory,
// section 11. Forces and torques are those on i; j receives -f.
//
//   P_i = x_i + Q_i a_i,  P_j = x_j + Q_j a_j,  s = P_j - P_i,  M = (P_i + P_j)/2
//   f_i = k s - c (u_i - u_j),  u_i = v_i + w_i x (M - x_i)
//   m_i = (M - x_i) x f_i,  m_j = (M - x_j) x f_j
//
// `midpoint` (default) takes M for both bodies and conserves angular momentum; `anchors` takes P_i and P_j as the
// source does, and only its spring conserves it. The spring pulls along s, so its torque is the same either way.
//
// Cement is softer across the bond's axis n, the line of centres, than along it: k_t in place of k. The spring has the
// energy
//
//   E = k_t s^2/2 + (k - k_t) (s . n)^2/2,  n = d/|d|,  d = x_j - x_i
//
// and its forces are the derivatives of that, those of n among them: with h = (k - k_t) (s . n) and s_t = s - (s . n) n
//
//   dE = (k_t s + h n) . ds + h s . dn,   dn = (dd - (n . dd) n)/|d|
//
// so i receives f = k_t s + h n at P_i and g = h s_t/|d| at its centre. Moved to M that is the force f + g and the
// couple -s x f/2 - (M - x_i) x g, s x f = h s x n, and j receives the opposite of both: s x f = -d x g. Leaving g and
// the couple out would not be noticed in one swing, but the bond would pump energy where s . n and s_t swing in step.
// The axis of a bond to a wall is fixed in the wall, so that g = 0 and the couple turns the wall.
//
// Errata. E30: the source prints the force on j and on i in turn and the damper with phi and 2 phi; here it is the
// force on i with c = 2 phi. E31: the arm is P - centre, not centre - P, else the torque is reversed. E32: the source
// gives no critical phi; an anchor on the line of centres of two spheres has w_n = sqrt(k/m*) along it and, for solid
// spheres, w_t = sqrt(3.5 k/m*) across it, so c_n = 2 sqrt(k m*). One anchor is a ball joint: it resists neither
// bending nor twist.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/vec3.h"

namespace areia {

// One anchor, along the bond's axis and across it.
struct BondLaw {
  double k = 0, k_across = 0;  // N/m
  double c = 0, c_across = 0;  // N s/m

  AREIA_PORTABLE bool same_in_all_directions() const { return k == k_across && c == c_across; }
};

// Unit vector from i to j, and 1/|d|; 0 at a wall, whose axis does not turn with the line of centres.
struct BondAxis {
  Vec3d n;
  double inv_length = 0;
};

// One end of a bond: where its anchor is from the centre of the body, and how the body moves.
struct BondEnd {
  Vec3d arm;   // Q a
  Vec3d v, w;  // of the body
};

struct BondForce {
  Vec3d elastic, viscous;  // on i
  Vec3d arm_i, arm_j;      // from the centres to where the forces act
  Vec3d couple;            // on i beside the forces' own torque; j receives the opposite
  AREIA_PORTABLE Vec3d total() const { return elastic + viscous; }
  AREIA_PORTABLE Vec3d torque_i() const { return cross(arm_i, total()) + couple; }
  AREIA_PORTABLE Vec3d torque_j() const { return -cross(arm_j, total()) - couple; }
};

// `stretch` = P_j - P_i. The axis is asked for where the law has one.
AREIA_PORTABLE inline BondForce bond_force(const BondLaw& law, bool midpoint, const BondAxis& axis,
                                           const Vec3d& stretch, const BondEnd& i, const BondEnd& j) {
  BondForce f;
  f.arm_i = midpoint ? i.arm + 0.5 * stretch : i.arm;
  f.arm_j = midpoint ? j.arm - 0.5 * stretch : j.arm;
  f.elastic = law.k_across * stretch;
  const Vec3d u = i.v + cross(i.w, f.arm_i) - j.v - cross(j.w, f.arm_j);
  f.viscous = -law.c_across * u;
  if (law.k != law.k_across) {
    const double along = dot(stretch, axis.n), h = (law.k - law.k_across) * along;
    const Vec3d turning = (h * axis.inv_length) * (stretch - along * axis.n);  // g
    f.elastic += h * axis.n + turning;
    f.couple = (-0.5 * h) * cross(stretch, axis.n) - cross(f.arm_i, turning);
  }
  if (law.c != law.c_across) f.viscous -= ((law.c - law.c_across) * dot(u, axis.n)) * axis.n;
  return f;
}

AREIA_PORTABLE inline double bond_energy(const BondLaw& law, const Vec3d& axis, const Vec3d& stretch) {
  const double along = dot(stretch, axis);
  const double energy = 0.5 * law.k_across * norm2(stretch);
  return law.k == law.k_across ? energy : energy + 0.5 * (law.k - law.k_across) * along * along;
}

// Damper of one of n anchors with which the joint of n springs is critically damped along the line of centres: n c =
// 2 sqrt(n k m*). Two bodies of infinite mass have no oscillation to damp.
inline double critical_damper(double k, double inv_m_star, int anchors) {
  return inv_m_star > 0 ? 2 * std::sqrt(k / (inv_m_star * anchors)) : 0;
}

// The same across it, where two solid spheres swing with 3.5 k/m*: n 3.5 c = 2 sqrt(3.5 n k m*).
inline double critical_damper_across(double k, double inv_m_star, int anchors) {
  return critical_damper(k, inv_m_star, anchors) / std::sqrt(3.5);
}

// What the fastest motion of two spheres that are joined by anchors feels of one of them, over m*: 1 along the line of
// centres, 3.5 across it; a ring as wide as the spheres bends with 1.25 and twists with 2.5 (theory, section 11).
inline double fastest_of(double along, double across) { return std::max(1.25 * along, 3.5 * across); }

// Shortest period of two bodies joined by n anchors; theory manual, section 13.
inline double bond_period(const BondLaw& law, double inv_m_star, int anchors) {
  return 2 * std::numbers::pi / std::sqrt(fastest_of(law.k, law.k_across) * anchors * inv_m_star);
}

// Largest stable step of drift_kick for x'' = -w2 x - d x': the root of w2 dt^2 + 2 d dt = 4.
inline double stable_step(double w2, double d) { return (std::sqrt(d * d + 4 * w2) - d) / w2; }

}  // namespace areia
