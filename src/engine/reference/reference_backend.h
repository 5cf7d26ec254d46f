// The slow truth: serial, every pair tested on every step, particles in the order of their ids, contacts in a map. No
// lists, no grid, no chunks. It runs the same laws, adds up in the same order and ends with the same bits as the fast
// backends, which are tested against it.
//
// Its parts: State (reference_state.h), Forces (reference_forces.h), the explicit step (reference_motion.h), the
// implicit one (reference_implicit.h), and here what the engines' seam asks for.
#pragma once
#include <optional>

#include "engine/backend.h"
#include "engine/reference/reference_forces.h"
#include "engine/reference/reference_implicit.h"
#include "engine/snapshot.h"

namespace areia::reference {

// Changes of the bodies between steps.
class ReferenceBodies final : public Bodies {
 public:
  ReferenceBodies(World& world, State& state, Forces& forces) : world_(world), state_(state), forces_(forces) {}
  std::size_t count() const override { return state_.particles.size(); }
  View view(std::size_t k) const override;
  Energy stored_energy() const override { return forces_.stored_energy(); }
  void release(std::size_t k) override { state_.particles[k].prescribed = false; }
  void freeze(std::size_t k) override;
  void set_velocity(std::size_t k, const Vec3d& v) override { state_.particles[k].velocity.move = v; }
  void keep_only(const std::vector<std::uint8_t>& stays) override;
  Energy take_out(const std::vector<std::size_t>& bodies) override;
  Energy append(const std::vector<NewParticle>& particles, std::int64_t first_id) override;
  void evaluate_as_given() override { forces_.evaluate({.record = true}); }
  void book_second_halves(double times) override {
    for (const auto& [key, record] : state_.contacts) forces_.book_second_half(key, record, times);
  }
  void flush_bonds() override { forces_.flush_bonds(); }
  void make_bonds(const std::vector<std::uint16_t>& sets) override;

 private:
  World& world_;
  State& state_;
  Forces& forces_;
};

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& s) override;
  void set_step_times(const StepTimes& times) override;
  void apply(const Change& c) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& f, const FrameChoice& choice) const override;
  void book_wear(WearBook& book) const override;
  double kinetic_energy() const override;
  double unrest(double limit) const override;
  std::int64_t particle_count() const override;
  std::int64_t free_count() const override;
  std::int64_t step() const override { return world_.now().count.step; }
  double time() const override { return world_.time(); }
  BackendStatistics statistics() const override;
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;

 private:
  World world_;
  State state_;
  Forces forces_;
  ReferenceBodies bodies_;
  std::optional<Implicit> implicit_;  // scheme = trapezoid only
};

// The state as a physical checkpoint, and back. Throws FileError where contacts do not fit the laws of the case.
void keep(const State& state, const Scene& scene, const Forces& forces, Snapshot& snapshot);
void take_over(const Snapshot& snapshot, const Scene& scene, const Forces& forces, State& state);

}  // namespace areia::reference
