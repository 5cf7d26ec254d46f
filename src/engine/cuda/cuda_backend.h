// The cuda engine: steps are taken by a device, everything else by a cpu engine beside it. The state goes from one to
// the other as a physical checkpoint, so what a stage changes, what a stream brings, what a frame shows and what a
// device does not do (a wall that a servo moves, a grain that leaves) is done by the code that is there already, with
// the same bits; a run that asks for it at every step gains nothing here.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cuda/device_engine.h"
#include "engine/snapshot.h"
#include "engine/world.h"

namespace areia::cuda {

// What a case has that a device does not do, in words; empty: it can be run.
std::vector<std::string> what_a_device_lacks(const Case& c);

DeviceCase device_case(const Scene& scene, const BackendSettings& settings);

using MakeDevice = std::function<std::unique_ptr<DeviceEngine>(const DeviceCase&)>;

class CudaBackend final : public Backend {
 public:
  CudaBackend(const Scene& scene, const BackendSettings& settings, const MakeDevice& make);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& schedule) override;
  void set_step_times(const StepTimes& times) override;
  void apply(const Change& change) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& frame, const FrameChoice& choice) const override;
  void book_wear(WearBook& book) const override;
  double kinetic_energy() const override;
  double unrest(double limit) const override;
  std::int64_t particle_count() const override;
  std::int64_t free_count() const override;
  std::int64_t step() const override { return on_device_ ? world_.now().count.step : cpu_->step(); }
  double time() const override { return on_device_ ? world_.time() : cpu_->time(); }
  BackendStatistics statistics() const override;
  void measure_profile(bool on) override { cpu_->measure_profile(on); }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;

 private:
  void to_device();
  void to_host() const;
  void bring_snapshot(bool kept) const;
  bool leads_walls() const;
  double time_of_forces(std::int64_t step) const;
  std::int64_t steps_for_device(std::int64_t most) const;
  std::int64_t run_on_device(std::int64_t steps);

  const Scene& scene_;
  std::unique_ptr<DeviceEngine> device_;
  std::unique_ptr<Backend> cpu_;
  // While the state is on the device: what surrounds the particles, and what of them does not change.
  mutable bool on_device_ = false;
  mutable World world_;
  mutable Snapshot snapshot_;
  // The device holds the state before the last step too, with this around it: contacts are shown by taking that step
  // once more, if they are asked for.
  mutable bool kept_ = false;
  WorldState world_kept_;
  mutable DeviceUse use_;
};

}  // namespace areia::cuda
