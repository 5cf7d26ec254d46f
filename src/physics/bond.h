// A geometric bond (GBPM): a spring and a damper between two anchors that are fixed in the bodies. 003 5.2, theory,
// section 11. Forces and torques are those on i; j receives -f.
//
//   P_i = x_i + Q_i a_i,  P_j = x_j + Q_j a_j,  M = (P_i + P_j)/2
//   f_i = k (P_j - P_i) - c (u_i - u_j),  u_i = v_i + w_i x (M - x_i)
//   m_i = (M - x_i) x f_i,  m_j = (M - x_j) x f_j
//
// `midpoint` (default) takes M for both bodies and conserves angular momentum; `anchors` takes P_i and P_j as the
// source does, and only its spring conserves it. The spring pulls along P_j - P_i, so its torque is the same either
// way.
//
// Errata. E30: the source prints the force on j and on i in turn and the damper with phi and 2 phi; here it is the
// force on i with c = 2 phi. E31: the arm is P - centre, not centre - P, else the torque is reversed. E32: the source
// gives no critical phi; an anchor on the line of centres of two spheres has w_n = sqrt(k/m*) along it and, for solid
// spheres, w_t = sqrt(3.5 k/m*) across it, so c_n = 2 sqrt(k m*). One anchor is a ball joint: it resists neither
// bending nor twist.
#pragma once
#include <cmath>
#include <numbers>

#include "areia/vec3.h"

namespace areia {

// One end of a bond: where its anchor is from the centre of the body, and how the body moves.
struct BondEnd {
  Vec3d arm;   // Q a
  Vec3d v, w;  // of the body
};

struct BondForce {
  Vec3d elastic, viscous;  // on i
  Vec3d arm_i, arm_j;      // from the centres to where the forces act
  AREIA_PORTABLE Vec3d total() const { return elastic + viscous; }
  AREIA_PORTABLE Vec3d torque_i() const { return cross(arm_i, total()); }
  AREIA_PORTABLE Vec3d torque_j() const { return -cross(arm_j, total()); }
};

// `stretch` = P_j - P_i.
AREIA_PORTABLE inline BondForce bond_force(double k, double c, bool midpoint, const Vec3d& stretch, const BondEnd& i,
                                           const BondEnd& j) {
  BondForce f;
  f.arm_i = midpoint ? i.arm + 0.5 * stretch : i.arm;
  f.arm_j = midpoint ? j.arm - 0.5 * stretch : j.arm;
  f.elastic = k * stretch;
  f.viscous = -c * (i.v + cross(i.w, f.arm_i) - j.v - cross(j.w, f.arm_j));
  return f;
}

AREIA_PORTABLE inline double bond_energy(double k, const Vec3d& stretch) { return 0.5 * k * norm2(stretch); }

// Damper of one of n anchors with which the joint of n springs is critically damped along the line of centres: n c =
// 2 sqrt(n k m*). Two bodies of infinite mass have no oscillation to damp.
inline double critical_damper(double k, double inv_m_star, int anchors) {
  return inv_m_star > 0 ? 2 * std::sqrt(k / (inv_m_star * anchors)) : 0;
}

// Shortest period of two bodies joined by n anchors; theory manual, section 13.
inline double bond_period(double k, double inv_m_star, int anchors) {
  return 2 * std::numbers::pi / std::sqrt(3.5 * anchors * k * inv_m_star);
}

// Largest stable step of drift_kick for x'' = -w2 x - d x': the root of w2 dt^2 + 2 d dt = 4.
inline double stable_step(double w2, double d) { return (std::sqrt(d * d + 4 * w2) - d) / w2; }

}  // namespace areia
