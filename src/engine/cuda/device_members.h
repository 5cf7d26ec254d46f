// The engine around the kernels, for the device or the host, whichever it is compiled for: what it holds. What it does
// is in device_engine_impl.h, device_save.h and device_renewal.h.
#pragma once
#include <algorithm>
#include <cstddef>

#include "engine/cuda/device_engine.h"
#include "engine/cuda/device_lists.h"
#include "engine/cuda/device_step.h"
#include "engine/cuda/device_walls.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// Sets of laws that have a kernel of their own; all others are run law by law.
// clang-format off
using DeviceSets = LawSets<
  LawSet<Hertz,  NoLaw, CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Hertz,  NoLaw, CoulombHistory, RollingConstant, NoLaw>,
  LawSet<Linear, NoLaw, CoulombHistory, NoLaw,           NoLaw>>;
// clang-format on

// Lists are to last so many steps, if the skin that this takes is not too wide: the wider, the more pairs are looked at
// in every step, and the narrower, the more often lists are made.
inline constexpr double kStepsPerList = 20;

// Grows by somewhat more than is asked for.
template <class T>
void resize_with_margin(Array<T>& array, std::size_t n) {
  if (array.bytes() < n * sizeof(T)) array.resize(n + n / 16);
  array.resize(n);
}

class EngineOnDevice final : public DeviceEngine {
 public:
  explicit EngineOnDevice(const DeviceCase& c);

  std::string name() const override;
  void load(const SnapshotParticles& particles, const SnapshotContacts& contacts,
            const std::vector<WallNow>& walls) override;
  DeviceResult advance(const DeviceBatch& batch) override;
  DeviceKinetic kinetic_energy() override;
  void save(SnapshotParticles& particles, SnapshotContacts& contacts, bool kept) override;
  void keep() override;
  DeviceStatistics statistics() const override;

 private:
  struct Bodies {  // one of the two sets of what others read
    Array<Vec4> x, v, w;
    Array<std::uint16_t> contacts;
  };
  struct Pairs {
    Array<PairSlots> slots;
    Array<std::uint8_t> flags;
    Array<double> history;
    Array<std::uint32_t> begin;  // of groups
    std::uint32_t count = 0;
    std::size_t stride = 0;  // of histories
  };
  struct Entries {
    Array<std::uint32_t> body, candidates, contacts, begin;
    Array<WallCandidate> candidate;
    Array<WallMemory> memory;
    Array<double> history;
    std::uint32_t room = 0, count = 0;
  };

  // All that a checkpoint reads.
  struct Kept {
    Array<Vec4> x, v, w;
    Array<Quat> q;
    Array<Vec3d> force, torque;
    Array<std::uint16_t> contacts;
    Array<std::uint32_t> rank;
    Pairs pairs;
    Array<std::int32_t> wall_entry;
    Array<std::uint32_t> at_walls;
    Array<WallMemory> wall_memory;
    Array<double> wall_history;
  };
  // f(what is now, what is kept) for each array of it.
  template <class Self, class F>
  static void for_each_kept(Self& s, F&& f) {
    f(s.now_.x, s.kept_.x), f(s.now_.v, s.kept_.v), f(s.now_.w, s.kept_.w), f(s.now_.contacts, s.kept_.contacts);
    f(s.q_, s.kept_.q), f(s.force_, s.kept_.force), f(s.torque_, s.kept_.torque), f(s.rank_, s.kept_.rank);
    f(s.pairs_.slots, s.kept_.pairs.slots), f(s.pairs_.flags, s.kept_.pairs.flags);
    f(s.pairs_.history, s.kept_.pairs.history);
    f(s.wall_entry_, s.kept_.wall_entry), f(s.entries_.contacts, s.kept_.at_walls);
    f(s.entries_.memory, s.kept_.wall_memory), f(s.entries_.history, s.kept_.wall_history);
  }

  StateView view();
  WallsView view(Entries& entries);
  std::uint32_t groups() const { return (count_ + kGroup - 1) / kGroup; }
  PlaceInCells cells_around();
  void sort_bodies(const PlaceInCells& cells);
  template <class T>
  void permute(Array<T>& column);
  template <class T>
  void permute(Array<T>& column, Array<T>& other);
  void choose_skin();
  void take_skin(double skin);
  void renew_lists(const std::vector<WallNow>& walls);
  NearView find_neighbours(const PlaceInCells& cells);
  void renew_pairs(const NearView& near);
  void carry_histories(std::uint32_t touching);
  template <class T>
  T* work(std::size_t n);
  void renew_walls(const std::vector<WallNow>& walls);
  std::int64_t steps_within_reach(const DeviceBatch& batch, std::int64_t from) const;
  void take_step(const DeviceBatch& batch, std::int64_t step);
  std::vector<GridSum> booked();

  const DeviceCase case_;
  Rules rules_;
  int set_ = -1;  // number in DeviceSets; -1: none of them
  double law_reach_ = 0, largest_ = 0;

  std::uint32_t count_ = 0;
  std::vector<std::int64_t> ids_;  // by rank
  Array<PlainLaws> laws_;
  Array<double> share_;
  Array<PlainShape> shapes_;
  Array<std::uint16_t> wall_material_;
  Array<std::uint8_t> wall_turns_, may_go_on_;
  Array<WallNow> walls_now_;

  Bodies now_, next_;
  Array<Quat> q_;
  Array<Vec3d> built_, force_, torque_;
  Array<std::uint32_t> rank_;
  Array<std::uint16_t> material_;
  Pairs pairs_;
  Array<PairSlots> old_slots_;
  Array<std::uint8_t> old_flags_;
  std::uint32_t room_ = 12;  // entries of a row
  Entries entries_, old_entries_;
  Array<std::int32_t> wall_entry_, old_wall_entry_;
  Array<std::uint32_t> order_, slot_, cell_begin_, cell_end_, counts_, needs_, at_, others_at_, origin_;
  Array<std::uint64_t> keys_;
  // What is needed for a while, between old lists and new ones.
  Array<std::byte> work_;

  Array<std::uint32_t> stop_, single_;  // flags of steps; what is one number
  Array<WideSum> sums_;
  Array<std::int64_t> large_, kinetic_;
  double skin_ = 0, most_skin_ = 0;
  std::int64_t steps_of_lists_ = 0;  // that have been taken with them
  std::int64_t likely_steps_ = 100;  // that can be
  bool stale_ = false;               // lists do not reach far enough for the next step, as the last one has found
  std::vector<WallNow> walls_at_build_;
  Bounds bounds_at_build_{};
  Kept kept_;
  std::int64_t rebuilds_ = 0;
};

// So much of the memory for a while; what was there before is lost. Numbers of pairs vary a little from lists to lists.
template <class T>
T* EngineOnDevice::work(std::size_t n) {
  resize_with_margin(work_, n * sizeof(T));
  return reinterpret_cast<T*>(work_.data());
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
