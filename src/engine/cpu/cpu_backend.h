// The fast backend: neighbour lists over size-class grids, chunks on all cores, sums without an order.
//
// Its parts, each with a subject of its own: State (state.h: particles in slots), Chunks (chunks.h: pieces of work),
// Laws (laws.h: kernels), Forces (cpu_forces.h) with Contacts, Bonds and DistanceForces, Lists (cpu_lists.h),
// ExplicitSteps (cpu_motion.h), Implicit (cpu_implicit.h), CpuBodies (cpu_bodies.h: changes between steps); and here
// what the engines' seam asks for.
#pragma once
#include <optional>

#include "engine/backend.h"
#include "engine/cpu/cpu_bodies.h"
#include "engine/cpu/cpu_implicit.h"

namespace areia::cpu {

// Of bodies that are those of the scene.
State::Uses columns_of(const Scene& scene, const Forces& forces, const Laws& laws);

class CpuBackend final : public Backend {
 public:
  CpuBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& schedule) override;
  void set_step_times(const StepTimes& times) override;
  void apply(const Change& change) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& frame, const FrameChoice& choice) const override;
  void book_wear(WearBook& book) const override;
  double kinetic_energy() const override { return forces_.kinetic_energy(); }
  double unrest(double limit) const override { return forces_.unrest(limit); }
  std::int64_t particle_count() const override { return static_cast<std::int64_t>(state_.size() - state_.gone); }
  std::int64_t free_count() const override;
  std::int64_t step() const override { return world_.now().count.step; }
  double time() const override { return world_.time(); }
  BackendStatistics statistics() const override;
  void measure_profile(bool on) override { explicit_.measure_profile(on); }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;

 private:
  World world_;
  State state_;
  Chunks chunks_;
  Laws laws_;
  Forces forces_;
  Lists lists_;
  CpuBodies bodies_;
  ExplicitSteps explicit_;
  std::optional<Implicit> implicit_;  // scheme = trapezoid only
};

}  // namespace areia::cpu
