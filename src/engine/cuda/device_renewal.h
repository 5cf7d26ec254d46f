// Lists of the engine on a device, made anew: bodies sorted, neighbours found, pairs numbered.
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/cuda/device_members.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// A grid over all bodies, or over most of them if they are far apart.
inline PlaceInCells EngineOnDevice::cells_around() {
  bounds_at_build_ = bounds_of(now_.x.data(), count_);
  const double size = 1.0001 * (2 * largest_ + skin_ + law_reach_);
  PlaceInCells cells{};
  double spans[3];
  for (int a = 0; a < 3; ++a) {
    const bool wraps = rules_.periodicity.on[a];
    const double low = wraps ? component(rules_.periodicity.low, a) : component(bounds_at_build_.low, a);
    const double span = wraps ? component(rules_.periodicity.length, a) : component(bounds_at_build_.high, a) - low;
    component(cells.low, a) = low;
    cells.wraps[a] = wraps;
    spans[a] = span;
  }
  // No more than some cells per body: along a periodic axis there are fewer and wider ones, along others they are cut
  // off, and what lies beyond is in the last one.
  const double most_cells = 8.0 * count_ + 4096, most_along = 2097151;
  double n[3];
  for (int a = 0; a < 3; ++a)
    n[a] = std::fmin(std::fmax(std::floor(spans[a] / size) + (cells.wraps[a] ? 0 : 1), 1.0), most_along);
  while (n[0] * n[1] * n[2] > most_cells) {
    const int longest = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
    n[longest] = std::fmax(std::floor(0.5 * n[longest]), 1.0);
  }
  for (int a = 0; a < 3; ++a) {
    cells.count[a] = static_cast<std::int32_t>(n[a]);
    component(cells.inverse, a) = cells.wraps[a] ? n[a] / component(rules_.periodicity.length, a) : 1 / size;
  }
  return cells;
}

template <class T>
void EngineOnDevice::permute(Array<T>& column) {
  T* const to = work<T>(count_);
  launch(count_, Gather<T>{column.data(), to, order_.data()});
  on_device(column.data(), to, count_ * sizeof(T));
}
// With another array of the same size, whose content is lost.
template <class T>
void EngineOnDevice::permute(Array<T>& column, Array<T>& other) {
  launch(count_, Gather<T>{column.data(), other.data(), order_.data()});
  column.swap(other);
}

inline void EngineOnDevice::sort_bodies(const PlaceInCells& cells) {
  for (auto* one : {&order_, &slot_, &counts_, &needs_, &at_, &others_at_}) one->resize(count_);
  keys_.resize(count_);
  int bits = 1;  // of the number of a cell along an axis
  while (std::max({cells.count[0], cells.count[1], cells.count[2]}) >> bits != 0) ++bits;
  // unsorted keys lie in the memory for a while, unsorted numbers where slots will be
  const std::size_t besides = memory_of_sorting<std::uint64_t, std::uint32_t>(count_, 3 * bits);
  std::byte* const memory = work<std::byte>(besides + count_ * sizeof(std::uint64_t));
  auto* const keys = reinterpret_cast<std::uint64_t*>(memory + besides);
  launch(count_, SortKeys{cells, now_.x.data(), keys, slot_.data()});
  sort_by_key(keys, keys_.data(), slot_.data(), order_.data(), count_, 3 * bits, memory, besides);
  launch(count_, Invert{order_.data(), slot_.data()});
  if (rules_.periodicity.any()) {
    permute(now_.x);
    permute(next_.x);  // where the drift began
  } else {
    permute(now_.x, next_.x);
  }
  permute(now_.v, next_.v);
  permute(now_.w, next_.w);
  permute(now_.contacts, next_.contacts);
  permute(q_);
  permute(force_);
  permute(torque_);
  permute(rank_);
  permute(material_);
  const std::size_t all = static_cast<std::size_t>(cells.count[0]) * cells.count[1] * cells.count[2];
  cell_begin_.resize(all);
  cell_end_.resize(all);
  cell_begin_.clear();
  cell_end_.clear();
  launch(count_, FindCells{cells, keys_.data(), now_.x.data(), count_, cell_begin_.data(), cell_end_.data()});
}

// As far as bodies have gone per step with the last lists, they will with the next ones.
inline void EngineOnDevice::choose_skin() {
  if (steps_of_lists_ > 0) {
    const double before = skin_, steps = static_cast<double>(steps_of_lists_);
    take_skin(std::clamp(before * kStepsPerList / steps, case_.skin, most_skin_));
    likely_steps_ = static_cast<std::int64_t>(steps * skin_ / before);
  }
  steps_of_lists_ = 0;
}
inline void EngineOnDevice::take_skin(double skin) {
  skin_ = skin;
  rules_.most_moved2 = 0.25 * skin * skin;
}

inline void EngineOnDevice::renew_lists(const std::vector<WallNow>& walls) {
  ++rebuilds_;
  choose_skin();
  stale_ = false;
  walls_at_build_ = walls;
  if (count_ == 0) {
    pairs_.count = entries_.count = 0;
    bounds_at_build_ = {};
    return;
  }
  const PlaceInCells cells = cells_around();
  sort_bodies(cells);
  renew_pairs(find_neighbours(cells));
  renew_walls(walls);
}

// They lie in the memory for a while.
inline NearView EngineOnDevice::find_neighbours(const PlaceInCells& cells) {
  const StateView s = view();
  for (;;) {
    const NearView near{work<std::uint32_t>(static_cast<std::size_t>(room_) * count_), counts_.data(), needs_.data(),
                        count_, room_};
    single_.put({~0u, 0});
    counts_.clear();
    launch(pairs_.count, ListTouching{s, slot_.data(), near});
    launch(count_, ListOthers{rules_, s, cells, cell_begin_.data(), cell_end_.data(), skin_ + law_reach_, near,
                              single_.data() + 1});
    const std::uint32_t most = single_.get(1);
    if (most > kMostListed && skin_ > case_.skin) {  // as narrow as can be, from now on
      most_skin_ = case_.skin;
      take_skin(case_.skin);
      continue;
    }
    if (most > kMostListed)
      throw DeviceFault("particle " + std::to_string(ids_[single_.get(0)]) + " has more than " +
                        std::to_string(kMostListed) + " others around it, for which a device has no room");
    if (most <= room_) return near;
    room_ = std::min<std::uint32_t>((most + 3) / 4 * 4, kMostListed);
  }
}

inline void EngineOnDevice::renew_pairs(const NearView& near) {
  const std::uint32_t touching = scan(counts_.data(), at_.data(), count_),
                      others = scan(needs_.data(), others_at_.data(), count_), old_count = pairs_.count;
  if (static_cast<std::uint64_t>(touching) + others >= kMostPairs) throw DeviceFault("too many pairs for a device");
  StateView old = view();
  pairs_.slots.swap(old_slots_);
  pairs_.flags.swap(old_flags_);
  pairs_.count = touching + others;
  resize_with_margin(pairs_.slots, pairs_.count);
  resize_with_margin(pairs_.flags, pairs_.count);
  resize_with_margin(origin_, touching);
  pairs_.begin.resize(groups() + 1);
  const PairNumbers numbers{near, at_.data(), others_at_.data(), touching, others};
  launch(count_, MakePairs{numbers, rank_.data(), pairs_.slots.data(), pairs_.flags.data(), pairs_.begin.data()});
  launch(old_count, FindOrigins{numbers, old, slot_.data(), origin_.data()});
  carry_histories(touching);
}

// By way of the memory for a while, so that histories, the most of what contacts take, are there once.
inline void EngineOnDevice::carry_histories(std::uint32_t touching) {
  const int numbers = rules_.history;
  double* const between = work<double>(static_cast<std::size_t>(touching) * numbers);
  launch(touching, GatherHistories{pairs_.history.data(), between, pairs_.stride, touching, origin_.data(), numbers});
  pairs_.stride = (static_cast<std::size_t>(pairs_.count) + 31) / 32 * 32;  // rows of it begin with a cache line
  resize_with_margin(pairs_.history, pairs_.stride * numbers);
  launch(count_, SpreadHistories{between, pairs_.history.data(), pairs_.stride, touching, pairs_.begin.data(),
                                 at_.data(), count_, numbers});
}

inline void EngineOnDevice::renew_walls(const std::vector<WallNow>& walls) {
  if (walls.empty()) {
    wall_entry_.resize(count_);
    entries_.count = 0;
    return;
  }
  std::swap(entries_, old_entries_);
  wall_entry_.swap(old_wall_entry_);
  wall_entry_.resize(count_);
  Array<WallNow> now;
  now.put(walls);
  single_.clear();
  FindCandidates find{rules_, view(),     view(entries_), now.data(),
                      skin_,  law_reach_, counts_.data(), single_.data() + 1};
  launch(count_, find);
  launch(count_, NeedsEntry{counts_.data(), order_.data(), old_wall_entry_.data(), old_entries_.contacts.data(),
                            needs_.data()});
  Entries& e = entries_;
  e.room = single_.get(1);
  e.count = scan(needs_.data(), at_.data(), count_);
  e.body.resize(e.count);
  e.candidates.resize(e.count);
  e.contacts.resize(e.count);
  e.candidate.resize(static_cast<std::size_t>(e.count) * e.room);
  e.memory.resize(e.count * kMostAtWalls);
  e.history.resize(e.count * kMostAtWalls * rules_.history);
  e.begin.resize(groups() + 1);
  launch(groups() + 1, FindGroups{at_.data(), count_, e.count, e.begin.data()});
  find.w = view(e);
  launch(count_, MakeEntries{find, needs_.data(), at_.data(), order_.data(), old_wall_entry_.data(), view(old_entries_),
                             wall_entry_.data()});
  wait_for_device();
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
