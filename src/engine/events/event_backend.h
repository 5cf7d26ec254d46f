// Hard spheres behind the seam of the engines: scenes in, frames and checkpoints out, stages in between. What happens
// between two collisions is in hard_spheres.h.
#pragma once
#include <memory>

#include "engine/backend.h"
#include "engine/events/hard_spheres.h"
#include "engine/world.h"

namespace areia::events {

class EventBackend final : public Backend {
 public:
  EventBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& s) override;
  void set_step_times(const StepTimes& times) override { world_.set_step_times(times); }
  void apply(const Change& c) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& f, const FrameChoice& choice) const override;
  void book_wear(WearBook& /*book*/) const override {}  // refused for hard spheres, which have no lasting contacts
  double kinetic_energy() const override;
  std::int64_t particle_count() const override;
  std::int64_t free_count() const override { return particle_count(); }
  std::int64_t step() const override { return world_.now().count.step; }
  double time() const override { return world_.time(); }
  BackendStatistics statistics() const override;
  void save(Archive& a) const override;
  void load(const Archive& a) override;

 private:
  Vec3d gravity_now(double t) const;
  void switch_gravity(double t);
  void set_planes();
  void check_inserted_wall(std::uint16_t w) const;
  Energy stored_energy(double t) const;

  World world_;
  int flat_;
  HardSpheres hard_;
  std::vector<double> charge_;
  std::vector<std::uint16_t> group_;
  bool started_ = false;
};

}  // namespace areia::events
