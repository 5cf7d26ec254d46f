// The state of the engine on a device: from a snapshot, kept there, and back.
#pragma once
#include <algorithm>
#include <numeric>

#include "engine/cuda/device_members.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

inline void EngineOnDevice::load(const SnapshotParticles& p, const SnapshotContacts& c,
                                 const std::vector<WallNow>& walls) {
  count_ = static_cast<std::uint32_t>(p.size());
  ids_ = p.id;
  std::vector<Vec4> x(count_), v(count_), w(count_);
  std::vector<std::uint32_t> rank(count_);
  largest_ = law_reach_ = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const bool free = p.prescribed.empty() || p.prescribed[i] == 0;
    x[i] = {p.x[i].x, p.x[i].y, p.x[i].z, p.radius[i]};
    v[i] = {p.v[i].x, p.v[i].y, p.v[i].z, free ? 1 / p.mass[i] : 0};
    w[i] = {p.w[i].x, p.w[i].y, p.w[i].z, free ? p.inv_j[i] : 0};
    rank[i] = i;
    largest_ = std::max(largest_, p.radius[i]);
  }
  for (const PlainLaws& laws : case_.laws)
    if (laws.present) law_reach_ = std::max(law_reach_, RunLaws<AnyLaws, true>::hold_range(laws, largest_));
  now_.x.put(x);
  now_.v.put(v);
  now_.w.put(w);
  now_.contacts.put(p.contacts);
  for (auto* one : {&next_.x, &next_.v, &next_.w}) one->resize(count_);
  next_.contacts.resize(count_);
  on_device(next_.x.data(), now_.x.data(), count_ * sizeof(Vec4));
  q_.put(p.q);
  force_.put(p.force);
  torque_.put(p.torque);
  built_.resize(count_);
  rank_.put(rank);
  material_.put(p.material);

  // contacts as lists that hold nothing else
  const auto rank_of = [&](std::int64_t id) {
    return static_cast<std::uint32_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  };
  std::vector<std::uint8_t> at_walls(count_, 0);
  std::size_t pairs = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (c.j[k] >= 0) ++pairs;
    else if (++at_walls[rank_of(c.i[k])] > kMostAtWalls)
      throw DeviceFault("particle " + std::to_string(c.i[k]) +
                        " touches walls at more points than a device has room for");
  }
  const std::size_t numbers = rules_.history;
  std::vector<PairSlots> slots;
  std::vector<double> history(pairs * numbers);
  std::vector<std::int32_t> entry(count_, -1);
  Entries& e = entries_;
  e.count = 0;
  std::vector<std::uint32_t> body, contacts;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (at_walls[i] > 0) {
      entry[i] = static_cast<std::int32_t>(e.count++);
      body.push_back(i);
      contacts.push_back(0);
    }
  std::vector<WallMemory> memory(e.count * kMostAtWalls);
  std::vector<double> wall_history(e.count * kMostAtWalls * numbers);
  auto place = c.place.begin();
  const double* from = c.history.data();
  for (std::size_t k = 0; k < c.size(); from += c.numbers[k], ++k) {
    const std::uint32_t i = rank_of(c.i[k]);
    if (c.j[k] < 0) {
      const std::size_t at = static_cast<std::size_t>(entry[i]) * kMostAtWalls + contacts[entry[i]]++;
      memory[at] = *place++;
      std::copy_n(from, c.numbers[k], wall_history.data() + at * numbers);
      continue;
    }
    const std::uint32_t j = rank_of(c.j[k]);
    const auto p = static_cast<std::uint32_t>(slots.size());
    slots.push_back({i, j});
    for (int h = 0; h < c.numbers[k]; ++h) history[h * pairs + p] = from[h];
  }
  pairs_.slots.put(slots);
  pairs_.flags.put(std::vector<std::uint8_t>(pairs, kTouches));
  pairs_.history.put(history);
  pairs_.count = static_cast<std::uint32_t>(pairs);
  pairs_.stride = pairs;
  e.body.put(body);
  e.contacts.put(contacts);
  e.memory.put(memory);
  e.history.put(wall_history);
  wall_entry_.put(entry);
  steps_of_lists_ = 0;
  renew_lists(walls);
}

inline void EngineOnDevice::keep() {
  for_each_kept(*this, [](auto& now, auto& kept) {
    kept.resize(now.size());
    if (now.size() > 0) on_device(kept.data(), now.data(), now.size() * sizeof(*now.data()));
  });
  kept_.pairs.count = pairs_.count;
  kept_.pairs.stride = pairs_.stride;
}

inline void EngineOnDevice::save(SnapshotParticles& p, SnapshotContacts& c, bool kept) {
  const auto change_places = [&] {
    for_each_kept(*this, [](auto& now, auto& then) { now.swap(then); });
    std::swap(pairs_.count, kept_.pairs.count);
    std::swap(pairs_.stride, kept_.pairs.stride);
  };
  if (kept) change_places();
  const std::vector<std::uint32_t> rank = rank_.get();
  const auto vectors = [&](const Array<Vec4>& column, std::vector<Vec3d>& to) {
    const std::vector<Vec4> from = column.get();
    to.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) to[rank[i]] = from[i].xyz();
  };
  const auto plain = [&](const auto& column, auto& to) {
    const auto from = column.get();
    to.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) to[rank[i]] = from[i];
  };
  vectors(now_.x, p.x);
  vectors(now_.v, p.v);
  vectors(now_.w, p.w);
  plain(q_, p.q);
  plain(force_, p.force);
  plain(torque_, p.torque);
  plain(now_.contacts, p.contacts);

  c = {};
  const std::vector<PairSlots> pairs = pairs_.slots.get();
  const std::vector<std::uint8_t> flags = pairs_.flags.get();
  const std::vector<double> history = pairs_.history.get();
  const std::vector<std::int32_t> entry = wall_entry_.get();
  const std::vector<std::uint32_t> contacts = entries_.contacts.get();
  const std::vector<WallMemory> memory = entries_.memory.get();
  const std::vector<double> wall_history = entries_.history.get();
  const std::size_t numbers = rules_.history;
  std::vector<std::uint32_t> slot(count_);
  for (std::uint32_t i = 0; i < count_; ++i) slot[rank[i]] = i;
  // pairs that touch by the ids of both
  std::vector<std::size_t> begin(count_ + 1, 0);
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (flags[k] == kTouches) ++begin[rank[pairs[k].first] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> others(begin.back());  // rank of the second, number
  std::vector<std::size_t> end = begin;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (flags[k] == kTouches)
      others[end[rank[pairs[k].first]]++] = {rank[pairs[k].second], static_cast<std::uint32_t>(k)};
  std::vector<double> one_history(numbers);
  const auto put = [&](std::int64_t j, std::int32_t wall, std::int32_t patch, std::int32_t k, const double* from,
                       const PlainLaws& laws, std::uint32_t of) {
    c.i.push_back(ids_[of]);
    c.j.push_back(j);
    c.wall.push_back(wall);
    c.patch.push_back(patch);
    c.k.push_back(k);
    c.numbers.push_back(laws.history);
    c.history.insert(c.history.end(), from, from + laws.history);
  };
  for (std::uint32_t of = 0; of < count_; ++of) {
    const std::uint32_t i = slot[of];
    const std::size_t row = static_cast<std::size_t>(p.material[of]) * case_.materials;
    if (const std::int32_t e = entry[i]; e >= 0) {  // contacts at walls come first: their j is -1
      std::int32_t wall = -1, patch = -1, k = 0;
      for (std::uint32_t m = 0; m < contacts[e]; ++m) {
        const std::size_t at = static_cast<std::size_t>(e) * kMostAtWalls + m;
        k = memory[at].wall == wall && memory[at].patch == patch ? k + 1 : 0;
        wall = memory[at].wall;
        patch = memory[at].patch;
        put(-1, wall, patch, k, wall_history.data() + at * numbers, case_.laws[row + case_.wall_material[wall]], of);
        c.place.push_back(memory[at]);
      }
    }
    const auto first = others.begin() + static_cast<std::ptrdiff_t>(begin[of]),
               last = others.begin() + static_cast<std::ptrdiff_t>(begin[of + 1]);
    std::sort(first, last);
    for (auto at = first; at != last; ++at) {
      const auto& [other, k] = *at;
      for (std::size_t h = 0; h < numbers; ++h) one_history[h] = history[h * pairs_.stride + k];
      put(ids_[other], -1, 0, 0, one_history.data(), case_.laws[row + p.material[other]], of);
    }
  }
  if (kept) change_places();
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
