// The generalized trapezoid in the cpu backend (theory manual, section 13.1): states that are tried, and the one that
// is kept. See motion/implicit_driver.h. All arrays keep their capacity, so that sweeps allocate nothing from the
// second step on.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/cpu/cpu_motion.h"
#include "motion/implicit_driver.h"

namespace areia::cpu {

struct KeptPairs {
  std::vector<std::uint32_t> touching;
  LineVector<double> history;
};

struct KeptList {
  std::vector<KeptPairs> own, across;
  ContactPool pool;
};

struct KeptChunk {
  std::vector<KeptList> lists;
  WallList walls;  // without candidates
  LedgerSums sums;
  double moved2 = 0;
};

class Implicit final : public ImplicitSystem {
 public:
  Implicit(World& world, State& state, Chunks& chunks, Forces& forces, Lists& lists, Bodies& bodies);

  void advance(std::int64_t steps, bool record);
  void forget_forces() { forces_known_ = false; }  // bodies or fields have changed since they were evaluated
  const ImplicitDriver& driver() const { return driver_; }
  SnapshotImplicit kept() const { return {driver_.saved(), forces_known_}; }
  bool load(const SnapshotImplicit& kept);

 private:
  void keep(double t) override;
  void restore() override;
  Sweep predict(double t_end, double h) override;
  Sweep sweep(double h) override;
  void commit(double t_end, double h, bool record) override;
  void renew_lists() override { lists_.renew_for_further(); }

  void set_time(double t);
  void place_prescribed(double t);
  void evaluate(const Evaluation& how, std::vector<Vec3d>& a, std::vector<Vec3d>& b);
  void store_rates(const Chunk& chunk, std::vector<Vec3d>& a, std::vector<Vec3d>& b) const;
  Vec3d turning_acceleration(std::size_t i) const;
  void restore_contacts();
  void restore_outer();
  Sweep jacobi(double h);
  Sweep gauss_seidel(double h);
  Sweep sum_of_sweep() const;
  void move_iterate(Chunk& chunk, std::uint32_t i, double h, Sweep& sum);
  Vec3d origin_of_errors() const;
  Vec3d way_of_step(std::size_t i) const;
  void sum_friction();
  void book_scheme(Chunk& chunk, double h);

  World& world_;
  State& state_;
  Chunks& chunks_;
  Forces& forces_;
  Lists& lists_;
  Bodies& bodies_;
  const areia::Implicit settings_;
  ImplicitDriver driver_;
  bool forces_known_ = false;  // state.pushed is that of the committed state

  // the committed state, by slot
  LineVector<Twin> moving_, pushed_;
  LineVector<Vec4> spin_;
  LineVector<Quat> orientation_;
  std::vector<Vec3d> outer_, drag_, distant_;
  std::vector<std::uint16_t> contacts_before_;
  std::vector<KeptChunk> kept_;
  WorldState kept_world_;

  std::vector<Vec3d> friction_, bond_torque_;  // of the accepted state; see State
  std::vector<Vec3d> a_, b_;                   // accelerations of the committed state
  std::vector<Vec3d> turning_;                 // part of a
  std::vector<Vec3d> a_new_, b_new_;           // of the iterate
  std::vector<Vec3d> turn_;                    // of the iterate since the committed state, alpha_D
  std::vector<Sweep> part_;                    // by chunk
};

}  // namespace areia::cpu
