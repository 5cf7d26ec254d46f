// Changes of the cpu backend's bodies between steps. They are numbered by slot.
#pragma once
#include "engine/cpu/cpu_lists.h"

namespace areia::cpu {

class CpuBodies final : public Bodies {
 public:
  CpuBodies(World& world, State& state, Forces& forces, Lists& lists)
      : world_(world), state_(state), forces_(forces), lists_(lists) {}
  std::size_t count() const override { return state_.size(); }
  View view(std::size_t k) const override {
    const Vec4& x = state_.position(k);
    return {state_.id[k], state_.group[k], state_.free(k), x.xyz(), x.w};
  }
  Energy stored_energy() const override { return forces_.stored_energy(); }
  void release(std::size_t k) override;
  void freeze(std::size_t k) override;
  void set_velocity(std::size_t k, const Vec3d& v) override {
    Vec4& velocity = state_.velocity(k);
    velocity = {v.x, v.y, v.z, velocity.w};
  }
  void keep_only(const std::vector<std::uint8_t>& stays) override;
  Energy take_out(const std::vector<std::size_t>& bodies) override;
  // They stand behind the others until the lists are made again, at once.
  Energy append(const std::vector<NewParticle>& particles, std::int64_t first_id) override;
  void evaluate_as_given() override { forces_.evaluate_as_given(); }
  void flush_bonds() override { forces_.bonds().flush(); }
  void book_second_halves(double times) override { forces_.contacts().book_second_halves(times); }
  void make_bonds(const std::vector<std::uint16_t>& sets) override;

 private:
  World& world_;
  State& state_;
  Forces& forces_;
  Lists& lists_;
};

}  // namespace areia::cpu
