// The scheme "trapezoid" of the reference backend: states that are tried, and the one that is kept. See
// motion/implicit_driver.h.
#pragma once
#include <vector>

#include "engine/reference/reference_forces.h"
#include "motion/implicit_driver.h"

namespace areia::reference {

class Implicit final : public ImplicitSystem {
 public:
  Implicit(World& world, State& state, Forces& forces, Bodies& bodies);

  // One step of dt, in as many as the control takes.
  void advance(bool record);
  void forget_forces() { forces_known_ = false; }  // bodies or fields have changed since they were evaluated
  bool forces_known() const { return forces_known_; }
  const ImplicitDriver& driver() const { return driver_; }
  bool load(const std::vector<double>& driver, bool forces_known);

 private:
  void keep(double t) override;
  void restore() override;
  Sweep predict(double t_end, double h) override;
  Sweep sweep(double h) override;
  void commit(double t_end, double h, bool record) override;
  void renew_lists() override {}

  void set_time(double t);
  Vec3d turning_acceleration(const Particle& p) const;
  void find_rates();
  void move(std::size_t i, double h, Sweep& sum);
  Vec3d way(std::size_t i) const;  // since the committed state
  void book_friction(double h);

  World& world_;
  State& state_;
  Forces& forces_;
  Bodies& bodies_;
  const areia::Implicit settings_;
  ImplicitDriver driver_;
  bool forces_known_ = false;
  State kept_;
  WorldState kept_world_;
  std::vector<Pace<double>> rate_, kept_rate_;  // of the iterate, of the committed state; with forces that turn
  std::vector<Vec3d> kept_turning_;
  std::vector<Vec3d> turn_;  // of the step
};

}  // namespace areia::reference
