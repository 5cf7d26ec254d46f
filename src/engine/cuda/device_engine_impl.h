// The engine around the kernels, for the device or the host, whichever it is compiled for: how it is made, and steps.
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/cuda/device_members.h"
#include "engine/cuda/device_renewal.h"
#include "engine/cuda/device_save.h"
#include "engine/turning_arm.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

inline EngineOnDevice::EngineOnDevice(const DeviceCase& c) : case_(c) {
  laws_.put(c.laws);
  share_.put(c.share);
  shapes_.put(c.shapes);
  wall_material_.put(c.wall_material);
  wall_turns_.put(c.wall_turns);
  may_go_on_.put(c.may_go_on);
  sums_.resize(kSumCopies * kBookingSums);
  large_.resize(kBookingSums * kExactWords);
  kinetic_.resize(2 * kExactWords);
  single_.resize(2);
  Rules& r = rules_;
  r.laws = laws_.data();
  r.share = c.share.empty() ? nullptr : share_.data();
  r.materials = c.materials;
  for (const PlainLaws& laws : c.laws)
    if (laws.present) r.history = std::max(r.history, laws.history);
  r.counts = c.counts;
  r.periodicity = periodicity_of(c.domain);
  r.forces = c.forces;
  r.books = {c.bookings, large_.data(), c.ledger};
  r.scheme = c.scheme;
  r.axes = FreeAxes(c.domain);
  r.exact_rotation = c.exact_rotation;
  r.watches = c.domain.bounded && c.domain.rule != DomainRule::open;
  r.domain = watched_bounds(c.domain);
  r.max_overlap = c.max_overlap;
  take_skin(c.skin);
  most_skin_ = c.most_skin;
  int number = 0;
  for_each_set(DeviceSets{}, [&]<class Set>(Set) {
    const bool all = std::all_of(c.laws.begin(), c.laws.end(),
                                 [](const PlainLaws& laws) { return !laws.present || is_set_of<Set>(laws); });
    if (all) set_ = number;
    ++number;
  });
}

inline std::string EngineOnDevice::name() const {
#if defined(__CUDACC__)
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "properties of the device");
  return properties.name;
#else
  return "the host in place of a device";
#endif
}

inline StateView EngineOnDevice::view() {
  StateView s;
  s.count = count_;
  const auto of = [&](Bodies& b) { return Motion3{b.x.data(), b.v.data(), b.w.data(), b.contacts.data()}; };
  s.now = of(now_);
  s.next = of(next_);
  s.q = q_.data();
  s.built = built_.data();
  s.rank = rank_.data();
  s.material = material_.data();
  s.pair = pairs_.slots.data();
  s.pair_begin = pairs_.begin.data();
  s.flags = pairs_.flags.data();
  s.history = pairs_.history.data();
  s.stride = pairs_.stride;
  s.force = force_.data();
  s.torque = torque_.data();
  s.stop = stop_.data();
  s.failed = single_.data();
  return s;
}

inline WallsView EngineOnDevice::view(Entries& e) {
  WallsView w;
  w.shapes = shapes_.data();
  w.material = wall_material_.data();
  w.turns = wall_turns_.data();
  w.may_go_on = may_go_on_.data();
  w.walls = static_cast<std::uint32_t>(case_.shapes.size());
  w.body = e.body.data();
  w.candidates = e.candidates.data();
  w.candidate = e.candidate.data();
  w.room = e.room;
  w.contacts = e.contacts.data();
  w.memory = e.memory.data();
  w.history = e.history.data();
  w.begin = e.count > 0 ? e.begin.data() : nullptr;
  return w;
}

// --- steps ---

// So many steps from this one on, no wall has moved further than half the skin since lists were made.
inline std::int64_t EngineOnDevice::steps_within_reach(const DeviceBatch& batch, std::int64_t from) const {
  const std::size_t walls = case_.shapes.size();
  const bool moving = batch.walls.size() > walls;
  for (std::int64_t k = from; k < (moving ? batch.steps : from + 1); ++k) {
    const WallNow* const now = batch.walls.data() + (moving ? k * walls : 0);
    for (std::size_t w = 0; w < walls; ++w) {
      if (!now[w].present) continue;
      const Pose &a = walls_at_build_[w].pose, &b = now[w].pose;
      double way = norm(b.shift - a.shift);
      if (!(a.q == b.q)) {
        const Quat turn = multiply(b.q, conjugate(a.q));
        const Vec3d centre = b.center + a.shift;
        Vec3d arm;
        for (int axis = 0; axis < 3; ++axis)
          component(arm, axis) = std::fmax(std::fabs(component(bounds_at_build_.low, axis) - component(centre, axis)),
                                           std::fabs(component(bounds_at_build_.high, axis) - component(centre, axis)));
        const double within = norm(arm) + 2 * (largest_ + skin_ + law_reach_);
        way += 2 * norm(Vec3d{turn[1], turn[2], turn[3]}) *
               turning_arm(rules_.periodicity, sphere_around(case_.shapes[w]), a, within,
                           [&](const Vec3d& x) { return norm(x - centre); });
      }
      if (!(way < 0.5 * skin_)) return k - from;
    }
  }
  return batch.steps - from;
}

inline void EngineOnDevice::take_step(const DeviceBatch& batch, std::int64_t number_of_step) {
  const auto step = static_cast<std::uint32_t>(number_of_step);
  const bool keeps_forces = number_of_step + 1 == batch.steps;
  const std::size_t walls = case_.shapes.size(), walls_at = batch.walls.size() > walls ? step * walls : 0;
  rules_.gravity = batch.gravity[step];
  rules_.gravity_before = step > 0 ? batch.gravity[step - 1] : batch.gravity_before;
  rules_.gravity_turns = batch.turns[step];
  const auto take = [&]<class Set, bool kOne>(Set, std::bool_constant<kOne>) {
    launch_groups<kBookingSums>(groups(),
                                TakeStep<Set, kOne>{rules_, view(), view(entries_), walls_now_.data() + walls_at,
                                                    case_.laws[0], step, keeps_forces},
                                sums_.data());
  };
  int number = 0;
  for_each_set(DeviceSets{}, [&]<class Set>(Set set) {
    if (number++ != set_) return;
    if (case_.materials == 1) take(set, std::true_type());
    else take(set, std::false_type());
  });
  if (set_ < 0) take(AnyLaws(), std::false_type());
}

inline DeviceResult EngineOnDevice::advance(const DeviceBatch& batch) {
  DeviceResult result;
  rules_.dt = batch.dt;
  rules_.kick = kick_of(rules_.scheme, batch.dt);
  const bool drifts_before = rules_.scheme == Scheme::drift_kick;
  const std::size_t walls = case_.shapes.size();
  const bool moving = batch.walls.size() > walls;
  walls_now_.put(batch.walls);
  const auto walls_of = [&](std::int64_t step) {
    const auto at = batch.walls.begin() + (moving ? step * static_cast<std::ptrdiff_t>(walls) : 0);
    return std::vector<WallNow>(at, at + static_cast<std::ptrdiff_t>(walls));
  };
  sums_.clear();
  large_.clear();
  stop_.resize(batch.steps + 1);
  stop_.clear();
  single_.clear(0xff);
  if (drifts_before) {
    launch(count_, BeginDrift{rules_, view()});
    now_.x.swap(next_.x);
  }
  std::uint32_t flags = stop_.get(0) | (stale_ ? std::uint32_t{kStale} : 0);
  while (!(flags & ~kStale)) {
    std::int64_t within = flags == 0 ? steps_within_reach(batch, result.taken) : 0;
    if (within == 0) {
      renew_lists(walls_of(result.taken));
      stop_.clear();
      single_.clear(0xff);
      flags = 0;
      if (steps_within_reach(batch, result.taken) == 0)
        throw DeviceFault("a wall moves further in a step than neighbour lists reach");
      continue;
    }
    // not many more than the lists will do for: those behind the end of it are launched in vain
    within = std::min(within, std::max(likely_steps_ + likely_steps_ / 8 - steps_of_lists_, std::int64_t{4}));
    for (std::int64_t k = 0; k < within; ++k) {
      take_step(batch, result.taken + k);
      std::swap(now_, next_);
    }
    const std::vector<std::uint32_t> stops = stop_.get();
    std::int64_t done = 0;
    while (done < within && stops[result.taken + done] == 0) ++done;
    if ((within - done) % 2 != 0) std::swap(now_, next_);  // steps that were not taken
    result.taken += done;
    steps_of_lists_ += done;
    flags = stops[result.taken];
    if (result.taken == batch.steps) break;
  }
  if (drifts_before) now_.x.swap(next_.x);  // the drift of a step that is not taken here
  stale_ = (flags & kStale) != 0;
  if (flags & kTooMany)
    throw DeviceFault("particle " + std::to_string(ids_[single_.get(0)]) +
                      " touches walls at more points than a device has room for");
  if (flags & kFailed) result.failed = ids_[single_.get(0)];
  result.booked = booked();
  return result;
}

inline std::vector<GridSum> EngineOnDevice::booked() {
  const std::vector<WideSum> sums = sums_.get();
  const std::vector<std::int64_t> large = large_.get();
  std::vector<GridSum> all;
  for (int k = 0; k < kBookingSums; ++k) {
    ExactSum exact;
    exact.add_digits(large.data() + k * kExactWords);
    if (large[k * kExactWords + ExactSum::kDigits] != 0) exact.add(std::numeric_limits<double>::quiet_NaN());
    GridSum sum(case_.bookings, exact.parts());
    for (unsigned copy = 0; copy < kSumCopies; ++copy) sum.add_quanta(value_of(sums[copy * kBookingSums + k]));
    all.push_back(std::move(sum));
  }
  return all;
}

inline DeviceKinetic EngineOnDevice::kinetic_energy() {
  kinetic_.clear();
  launch_shared<2 * kExactWords>(count_, SumKinetic{now_.v.data(), now_.w.data()}, kinetic_.data());
  const std::vector<std::int64_t> digits = kinetic_.get();
  const auto value = [&](const std::int64_t* from) {
    ExactSum sum;
    sum.add_digits(from);
    if (from[ExactSum::kDigits] != 0) sum.add(std::numeric_limits<double>::quiet_NaN());
    return sum.value();
  };
  return {value(digits.data()), value(digits.data() + kExactWords)};
}

inline DeviceStatistics EngineOnDevice::statistics() const {
  DeviceStatistics s;
  s.rebuilds = rebuilds_;
  s.pairs = pairs_.count;
  const auto add = [&](const auto&... arrays) { ((s.bytes += arrays.bytes()), ...); };
  for_each_kept(*this, [&](const auto&, const auto& kept) { add(kept); });
  for (const Bodies* b : {&now_, &next_}) add(b->x, b->v, b->w, b->contacts);
  add(pairs_.slots, pairs_.flags, pairs_.history, pairs_.begin, old_slots_, old_flags_, others_at_, origin_, work_);
  for (const Entries* e : {&entries_, &old_entries_})
    add(e->body, e->candidates, e->contacts, e->begin, e->candidate, e->memory, e->history);
  add(q_, built_, force_, torque_, rank_, material_, wall_entry_, old_wall_entry_, order_, slot_, cell_begin_,
      cell_end_, counts_, needs_, at_, keys_, walls_now_);
  return s;
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
