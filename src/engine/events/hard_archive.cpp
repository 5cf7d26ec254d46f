// Checkpoints of hard spheres: states, entries of the queue and sums as they are, so that what follows has the same
// bits.
#include "areia/error.h"
#include "engine/events/hard_spheres.h"

namespace areia::events {

namespace {

const std::vector<double>& reals(const Archive& a, const std::string& name, std::size_t size) {
  const auto at = a.real.find(name);
  if (at == a.real.end() || at->second.size() != size) throw FileError("checkpoint does not belong to this case");
  return at->second;
}
const std::vector<std::int64_t>& integers(const Archive& a, const std::string& name, std::size_t size) {
  const auto at = a.integer.find(name);
  if (at == a.integer.end() || at->second.size() != size) throw FileError("checkpoint does not belong to this case");
  return at->second;
}

constexpr std::size_t kReals = 19, kIntegers = 10, kWall = 12, kSums = 6, kCounts = 6;

}  // namespace

void HardSpheres::save(Archive& a) const {
  std::vector<double>& real = a.real["events.particles"];
  std::vector<std::int64_t>& integer = a.integer["events.particles"];
  real.clear();
  integer.clear();
  for (std::size_t i = 0; i < flight.size(); ++i) {
    const Flight& f = flight[i];
    const Ball& b = ball[i];
    const Turning& q = turning[i];
    const Next& n = next_[i];
    real.insert(real.end(), {f.x.x, f.x.y, f.x.z, f.v.x, f.v.y, f.v.z, f.t, b.w.x, b.w.y, b.w.z, q.q[0], q.q[1], q.q[2],
                             q.q[3], q.t, b.last, b.since, n.collision, n.crossing});
    const CellNumber& c = cells_.at(static_cast<std::uint32_t>(i));
    integer.insert(integer.end(),
                   {present[i], c[0], c[1], c[2], n.partner, n.partner_count, n.count, n.face, b.burst, b.material});
  }
  std::vector<double>& walls = a.real["events.wall_push"];
  walls.clear();
  for (std::size_t w = 0; w < pushing_.size(); ++w)
    for (const WallPush* p : {&pushing_[w], &pushed_[w]})
      walls.insert(walls.end(), {p->impulse.x, p->impulse.y, p->impulse.z, p->moment.x, p->moment.y, p->moment.z});
  a.real["events.sums"] = {lost_normal_, lost_tangential_, across_periods_, gravity.x, gravity.y, gravity.z};
  a.integer["events.counts"] = {statistics_.collisions, statistics_.wall_collisions, statistics_.elastic,
                                statistics_.crossings,  statistics_.predictions,     window_};
}

void HardSpheres::load(const Archive& a) {
  const std::size_t count = flight.size();
  const double* real = reals(a, "events.particles", kReals * count).data();
  const std::int64_t* integer = integers(a, "events.particles", kIntegers * count).data();
  for (std::size_t i = 0; i < count; ++i) present[i] = integer[kIntegers * i] != 0;
  plan_cells();
  next_.assign(count, {});
  std::vector<double> times(count, kNever);
  for (std::uint32_t i = 0; i < count; ++i, real += kReals, integer += kIntegers) {
    flight[i].x = {real[0], real[1], real[2]};
    flight[i].v = {real[3], real[4], real[5]};
    flight[i].t = real[6];
    ball[i].w = {real[7], real[8], real[9]};
    turning[i] = {{real[10], real[11], real[12], real[13]}, real[14]};
    ball[i].last = real[15];
    ball[i].since = real[16];
    ball[i].burst = static_cast<std::int32_t>(integer[8]);
    Next& n = next_[i];
    n.collision = real[17];
    n.crossing = real[18];
    n.partner = static_cast<std::int32_t>(integer[4]);
    n.partner_count = static_cast<std::uint32_t>(integer[5]);
    n.count = static_cast<std::uint32_t>(integer[6]);
    n.face = static_cast<std::int32_t>(integer[7]);
    if (!present[i]) continue;
    cells_.add(i, {static_cast<std::int32_t>(integer[1]), static_cast<std::int32_t>(integer[2]),
                   static_cast<std::int32_t>(integer[3])});
    times[i] = n.when();
  }
  queue_.build(times);
  const std::vector<double>& walls = reals(a, "events.wall_push", kWall * pushing_.size());
  for (std::size_t w = 0; w < pushing_.size(); ++w)
    for (const bool complete : {false, true}) {
      const double* p = walls.data() + kWall * w + (complete ? kWall / 2 : 0);
      (complete ? pushed_ : pushing_)[w] = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
    }
  const std::vector<double>& sums = reals(a, "events.sums", kSums);
  lost_normal_ = sums[0];
  lost_tangential_ = sums[1];
  across_periods_ = sums[2];
  gravity = {sums[3], sums[4], sums[5]};
  const std::vector<std::int64_t>& counts = integers(a, "events.counts", kCounts);
  statistics_ = {true, counts[0], counts[1], counts[2], counts[3], counts[4]};
  window_ = counts[5];
}

}  // namespace areia::events
