// A periodic cell that is deformed along its axes: theory manual, section 12.5.
//
// The cell carries its bodies along: with the strain rate r (shortening positive) a place x moves as
//   dx/dt = c - r (x - low),   dc/dt = F/m + r c          component by component,
// c being the velocity against this homogeneous motion, which is the velocity that bodies have everywhere in the
// program. Two bodies that are d apart (nearest images, from i to j) have the relative velocity c_i - c_j + r d,
// whichever face lies between them. A step of the cell alone maps x - low to (1 + e)(x - low) and c to c/(1 + e), with
// e = -r dt: a canonical map, like drift and kick, between which it stands.
//
// Normal stress along an axis, compression positive:
//   sigma = (virial + kinetic)/V,   virial = -sum f d over all contacts, f the force on i,   kinetic = sum m c^2.
//
// A stress is held by a servo, with the gain g per volume:
//   r0 = g V (sigma_0 - sigma), |r0| <= max_rate;   r <- r + b (r0 - r),   b = 1/(1 + g C)
// as a servo wall does (servo.h). All bodies move with the cell at once, so that there is no delay by waves: sigma V
// answers a step with K r dt, K = sum k d^2 over the contacts by affine motion, and with C r by dashpots. Estimates: k
// = m (pi/t_c)^2 of the shortest contact and critical dampers, one contact of stiffness k and length d for each
// particle (three contacts, of which an axis sees a third in isotropic compression); g = 0.3/(K dt).
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/grid_sum.h"
#include "engine/force_sum.h"
#include "search/periodicity.h"

namespace areia {

struct Scene;

// A load as it is from now on.
struct CellPlan {
  std::array<bool, 3> axes{};
  bool holds_stress = false;
  double target = 0;              // strain rate, 1/s; or stress, Pa
  double max_rate = 0, gain = 0;  // of a servo; 1/s, 1/(J s)
  double response = 1;            // b
  double start = 0, stop = 0;     // s
};

// The one that leads an axis in the step that ends at time t, or null.
inline const CellPlan* leading(const std::vector<CellPlan>& plans, int axis, double t) {
  const CellPlan* leads = nullptr;
  for (const CellPlan& p : plans)
    if (p.axes[axis] && t > p.start && t <= p.stop) leads = &p;
  return leads;
}

struct CellEstimate {
  double stiffness = 0, damping = 0;  // K and C, J and J s
  double inertial_time = 0;           // d sqrt(rho/p) of the mean particle at p = 1 Pa
};
CellEstimate estimate_cell(const Scene& scene, double contact_time);
inline double automatic_gain(const CellEstimate& cell, double dt) {
  return cell.stiffness > 0 ? 0.3 / (cell.stiffness * dt) : 0;
}
// Deformation is slow while the inertial number r d sqrt(rho/p) is small.
inline double automatic_rate(const CellEstimate& cell, double stress) {
  constexpr double kSlow = 1e-3;
  return cell.inertial_time > 0 ? kSlow * std::sqrt(std::fabs(stress)) / cell.inertial_time : 0;
}

// What of the cell changes from step to step. All zero in a case that does not deform it.
struct CellState {
  Vec3d length;           // m
  Vec3d rate;             // 1/s, of the last step
  Vec3d virial, kinetic;  // J; of the last evaluation, and of the velocities that it saw
};

// Sums over contacts and bodies, in any order.
struct CellSums {
  std::array<GridSum, 3> of;

  CellSums() = default;
  explicit CellSums(const Grid& grid) { of.fill(GridSum(grid)); }
  void add(const Vec3d& a) { of[0] += a.x, of[1] += a.y, of[2] += a.z; }
  CellSums& operator+=(const CellSums& b) {
    for (int a = 0; a < 3; ++a) of[a] += b.of[a];
    return *this;
  }
  Vec3d value() const { return {of[0].value(), of[1].value(), of[2].value()}; }
};

// Of a contact: f is the force on i, d leads from i to j.
inline Vec3d virial_of(const Vec3d& f, const Vec3d& d) { return {-f.x * d.x, -f.y * d.y, -f.z * d.z}; }
// Of a body.
inline Vec3d kinetic_of(double m, const Vec3d& c) { return {m * c.x * c.x, m * c.y * c.y, m * c.z * c.z}; }
// Kinetic energy that a velocity loses when it becomes another one.
inline double loss_of(double m, const Vec3d& before, const Vec3d& after) {
  return 0.5 * m * (norm2(before) - norm2(after));
}

class Cell {
 public:
  Cell(const Scene& scene, const ForceGrid& forces);

  bool deforms() const { return deforms_; }
  const Periodicity& periodicity() const { return periodicity_; }  // of now
  CellState first() const;                                         // before the first step
  void go_on_from(const CellState& state);                         // of a checkpoint

  // The rates of the step that ends at time t, and the cell at its end. Throws StoppedError when it gets too short for
  // its particles.
  void advance(const std::vector<CellPlan>& plans, CellState& state, double t, double dt);
  // What this step of the cell does to a place and to a velocity.
  Vec3d carried(const Vec3d& x) const {
    const Vec3d from = x - periodicity_.low;
    return periodicity_.wrapped(x + Vec3d{step_.x * from.x, step_.y * from.y, step_.z * from.z});
  }
  Vec3d slowed(const Vec3d& c) const { return {slow_.x * c.x, slow_.y * c.y, slow_.z * c.z}; }
  // By which the velocity of i against j is larger than the difference of theirs.
  Vec3d closing(const Vec3d& d) const { return {rate_.x * d.x, rate_.y * d.y, rate_.z * d.z}; }
  const Vec3d& rate() const { return rate_; }
  double strain() const { return strain_; }  // of the step, that of the axis with the largest

  // Work of the cell on the contacts in this step, between the virials before and after it.
  double work(const Vec3d& before, const Vec3d& after) const { return -0.5 * dot(step_, before + after); }
  const Grid& grid() const { return grid_; }  // of terms of the virial
  double volume() const;
  const Vec3d& first_length() const { return first_length_; }

 private:
  bool deforms_;
  Periodicity periodicity_;
  Vec3d first_length_;
  double thickness_ = 0;  // of a flat cell along flat_axis_
  int flat_axis_ = -1;
  double least_length_ = 0;
  Grid grid_;
  Vec3d rate_, step_, slow_{1, 1, 1};
  double strain_ = 0;
};

}  // namespace areia
