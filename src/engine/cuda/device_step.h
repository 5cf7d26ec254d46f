// One step on the device: contacts at walls, contacts of pairs, motion, by one team for each group of bodies.
//
// With `drift_kick` the drift of the next step follows at once, into the other set of places; so the places of this
// step are still there when it turns out that the next one cannot be taken here. Its turn and what crossing a periodic
// face books belong to the next step, and are done there.
#pragma once
#include "engine/cuda/device_state.h"
#include "engine/cuda/device_walls.h"
#include "motion/schemes.h"
#include "physics/touch.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

// What a body that has moved may find.
AREIA_PORTABLE inline std::uint32_t flags_of_place(const Rules& r, const Vec3d& x, const Vec3d& built, bool free) {
  std::uint32_t flags = 0;
  if (!(norm2(r.periodicity.nearest(x - built)) < r.most_moved2)) flags |= kStale;
  if (r.watches && free &&
      !(x.x >= r.domain.low.x && x.x <= r.domain.high.x && x.y >= r.domain.low.y && x.y <= r.domain.high.y &&
        x.z >= r.domain.low.z && x.z <= r.domain.high.z))
    flags |= kOutside;
  return flags;
}

// kOne: there is one material, whose laws come with the kernel.
template <class Set, bool kOne>
struct TakeStep {
  Rules r;
  StateView s;
  WallsView w;
  const WallNow* walls = nullptr;
  PlainLaws one;
  std::uint32_t step = 0;  // of the batch
  bool keeps_forces = false;
  using Laws = RunLaws<Set, true>;
  static constexpr int kNumbers = Laws::kHistory;

  // What a team has in common.
  struct Shared {
    GroupSums sums;
    std::uint32_t touching;  // pairs found so far to touch, of those that are looked at
    std::uint32_t chunk;     // chunks of these, and of bodies near walls, that have been taken up
    std::uint16_t found[kPairsAtOnce];
  };

  // False if there is nothing in the tally.
  AREIA_PORTABLE bool operator()(std::uint32_t group, const Team& team, Shared& shared, Tally& tally) const {
    if (const std::uint32_t flags = s.stop[step]; flags != 0) {  // this step is not to be taken, nor those after it
      if (group == 0 && team.thread == 0) raise_flag(&s.stop[step + 1], flags);
      return false;
    }
    const std::uint32_t first = group * kGroup, bodies = fewer_of(kGroup, s.count - first);
    const std::uint32_t first_entry = w.begin != nullptr ? w.begin[group] : 0;
    std::uint32_t entries = w.begin != nullptr ? w.begin[group + 1] - first_entry : 0;
    const MeetWalls<Set> meet_walls{r, s, w, walls, step, shared.sums};
    shared.sums.clear(team);
    std::uint32_t begin = s.pair_begin[group];
    const std::uint32_t end = s.pair_begin[group + 1];
    do {
      if (team.thread == 0) shared.touching = shared.chunk = 0;
      team.wait();
      // those that touch are known before the first is evaluated, so that all threads have one to evaluate
      const std::uint32_t pairs = fewer_of(kPairsAtOnce, end - begin);
      find_touching(begin, pairs, team, shared, tally);
      team.wait();
      // bodies near walls first: they take longest
      const std::uint32_t at_walls = chunks_of(entries);
      team.each_chunk(&shared.chunk, at_walls + chunks_of(shared.touching),
                      [&](std::uint32_t chunk, std::uint32_t place) {
                        if (chunk < at_walls) {
                          const std::uint32_t e = chunk * kChunk + place;
                          if (e < entries) meet_walls(first_entry + e, tally);
                        } else {
                          const std::uint32_t k = (chunk - at_walls) * kChunk + place;
                          if (k < shared.touching) meet(begin + shared.found[k], first, shared.sums, tally);
                        }
                      });
      team.wait();
      entries = 0;
      begin += pairs;
    } while (begin < end);
    team.each(bodies, [&](std::uint32_t k) {
      if (const std::uint32_t flags = move(first + k, shared.sums, tally); flags != 0)
        raise_flag(&s.stop[step + 1], flags);
    });
    return true;
  }

 private:
  // --- pairs ---

  AREIA_PORTABLE const PlainLaws& laws_of(std::size_t pair) const {
    if constexpr (kOne) return one;
    else return r.laws[pair];
  }

  // With what happens when a contact begins or ends. A thread looks at some pairs at a time, so that their places are
  // on the way together.
  AREIA_PORTABLE void find_touching(std::uint32_t begin_at, std::uint32_t pairs, const Team& team, Shared& shared,
                                    Tally& tally) const {
    constexpr std::uint32_t kTogether = 4;
    for (std::uint32_t k = team.thread; k < pairs; k += kTogether * team.threads) {
      PairSlots bodies[kTogether];
      Vec4 x[kTogether], y[kTogether];
      bool before[kTogether], now[kTogether];
      const auto number = [&](std::uint32_t a) { return fewer_of(k + a * team.threads, pairs - 1); };
      AREIA_UNROLL
      for (std::uint32_t a = 0; a < kTogether; ++a) {
        bodies[a] = s.pair[begin_at + number(a)];
        before[a] = (s.flags[begin_at + number(a)] & kTouches) != 0;
      }
      AREIA_UNROLL
      for (std::uint32_t a = 0; a < kTogether; ++a) {
        x[a] = s.now.x[bodies[a].first];
        y[a] = s.now.x[bodies[a].second];
      }
      AREIA_UNROLL
      for (std::uint32_t a = 0; a < kTogether; ++a) {
        const Vec3d d = r.periodicity.nearest(y[a].xyz() - x[a].xyz());
        now[a] = touch_now(bodies[a].first, bodies[a].second, norm2(d), x[a].w, y[a].w, before[a]);
      }
      AREIA_UNROLL
      for (std::uint32_t a = 0; a < kTogether; ++a) {
        const std::uint32_t at = k + a * team.threads;
        if (at >= pairs) break;
        if (now[a] && !before[a]) begin(begin_at + at);
        if (before[a] && !now[a]) open(begin_at + at, tally);
        if (now[a]) shared.found[next_number(&shared.touching)] = static_cast<std::uint16_t>(at);
      }
    }
  }

  AREIA_PORTABLE bool touch_now(std::uint32_t first, std::uint32_t second, double distance2, double radius_first,
                                double radius_second, bool before) const {
    if (touches(distance2, radius_first, radius_second)) return true;
    if constexpr (LawsIn<Set>::kMayReach)
      if (const PlainLaws& laws = laws_of(pair_of(r, s, first, second)); laws.reaches)
        return Laws::acts_across(laws, distance2, radius_first, radius_second, before);
    return false;
  }

  AREIA_PORTABLE void meet(std::uint32_t p, std::uint32_t first_of_group, GroupSums& sums, Tally& tally) const {
    const auto [first, second] = s.pair[p];
    const bool is_copy = (s.flags[p] & kCopy) != 0;
    const Vec4 x = s.now.x[first], y = s.now.x[second];
    const Body<double> a = body(x.w, first), b = body(y.w, second);
    double h[kNumbers];
    recall(p, h);
    const Vec3d d = r.periodicity.nearest(y.xyz() - x.xyz());
    Touch<double> touch = touch_of(d, a.radius, b.radius, a.inv_m, b.inv_m);
    if (is_deep(touch.overlap, a.radius, b.radius, r.max_overlap)) fail(first);
    const std::size_t pair = pair_of(r, s, first, second);
    if (r.share != nullptr)
      if (const double share = r.share[pair]; share > 0) shorten_levers(touch, share, 1 - share);
    const Outcome<double> out = Laws::evaluate(laws_of(pair), touch, a, b, r.dt, r.kick, h);
    remember(p, h);
    sums.add(r.forces, first - first_of_group, second - first_of_group, out.force, out.torque_i, out.torque_j);
    if (is_copy) return;
    r.books.book_contact(tally, out.booking);
    // a prescribed body puts in the power of what acts on its partner
    if (a.inv_m == 0) r.books.book_drive(tally, -((dot(out.force, a.v) + dot(out.torque_i, a.w)) * r.dt));
    if (b.inv_m == 0) r.books.book_drive(tally, (dot(out.force, b.v) - dot(out.torque_j, b.w)) * r.dt);
  }

  // A pair that has parted.
  AREIA_SELDOM void open(std::uint32_t p, Tally tally) const {
    const auto [first, second] = s.pair[p];
    const Vec4 x = s.now.x[first], y = s.now.x[second];
    const Vec3d d = r.periodicity.nearest(y.xyz() - x.xyz());
    double h[kNumbers];
    recall(p, h);
    if ((s.flags[p] & kCopy) == 0)
      r.books.book_contact(
          tally, Laws::open(laws_of(pair_of(r, s, first, second)), bodies(x.w, y.w), overlap_now(d, x.w, y.w), h));
    s.flags[p] = static_cast<std::uint8_t>(s.flags[p] & ~kTouches);
  }

  // The history of a pair that touches for the first time; laid down where it is recalled from.
  AREIA_SELDOM void begin(std::uint32_t p) const {
    const auto [first, second] = s.pair[p];
    const Vec4 x = s.now.x[first], y = s.now.x[second];
    const Vec3d v = s.now.v[first].xyz() - s.now.v[second].xyz();
    const Vec3d d = r.periodicity.nearest(y.xyz() - x.xyz());
    double h[kNumbers];
    Laws::begin(laws_of(pair_of(r, s, first, second)), bodies(x.w, y.w), overlap_before(d, x.w, y.w, v, r.dt), h);
    remember(p, h);
    s.flags[p] = static_cast<std::uint8_t>(s.flags[p] | kTouches);
  }

  AREIA_SELDOM void fail(std::uint32_t first) const {
    least_of(s.failed, s.rank[first]);
    raise_flag(&s.stop[step + 1], kFailed);
  }

  AREIA_PORTABLE void recall(std::uint32_t p, double (&h)[kNumbers]) const {
    for (int n = 0; n < kNumbers; ++n)
      if (!std::is_same_v<Set, AnyLaws> || n < r.history) h[n] = s.number(p, n);
  }
  AREIA_PORTABLE void remember(std::uint32_t p, const double (&h)[kNumbers]) const {
    for (int n = 0; n < kNumbers; ++n)
      if (!std::is_same_v<Set, AnyLaws> || n < r.history) s.number(p, n) = h[n];
  }
  AREIA_PORTABLE Body<double> body(double radius, std::uint32_t i) const {
    const Vec4 v = s.now.v[i], w = s.now.w[i];
    return {v.xyz(), w.xyz(), radius, v.w, w.w, r.counts ? static_cast<double>(s.now.contacts[i]) : 0.0};
  }

  // --- bodies ---

  AREIA_PORTABLE std::uint32_t move(std::uint32_t i, const GroupSums& sums, Tally& tally) const {
    const Vec4 x = s.now.x[i], v = s.now.v[i], w = s.now.w[i];
    const Vec3d force = sums.force(r.forces, i % kGroup), torque = sums.torque(r.forces, i % kGroup);
    if (keeps_forces) {
      s.force[i] = force;
      s.torque[i] = torque;
    }
    const Quat q = s.q[i];
    if (r.gravity_turns && v.w > 0)
      r.books.book(tally, kFieldWork, potential_change(r.gravity - r.gravity_before, x.xyz(), v.w));
    if (r.scheme == Scheme::drift_kick) {  // the drift that led here
      s.q[i] = turned(q, w.xyz(), r.dt, r.exact_rotation);
      if (r.periodicity.any() && v.w > 0) {
        const Vec3d from = s.next.x[i].xyz() + r.dt * v.xyz();
        if (!(from == x.xyz())) r.books.book(tally, kWallWork, work_of_face(v.w, r.gravity_before, x.xyz() - from));
      }
    }
    const Pace<double> rate{r.axes.moving(acceleration_of(v.w, force, r.gravity)), r.axes.turning(w.w * torque)};
    Pace<double> now{v.xyz(), w.xyz()}, none;
    Vec3d place = x.xyz();
    after_forces(r.scheme, r.dt, now, rate, none, NoFields{}, [&](const Pace<double>& pace) {
      const Vec3d there = place + r.dt * pace.move;
      place = r.periodicity.wrapped(there);
      if (v.w > 0 && !(place == there)) r.books.book(tally, kWallWork, work_of_face(v.w, r.gravity, place - there));
      s.q[i] = turned(q, pace.turn, r.dt, r.exact_rotation);
    });
    std::uint32_t flags = 0;
    if (!slow_enough(now.move, r.dt, x.w)) {
      flags |= kFailed;
      least_of(s.failed, s.rank[i]);
    }
    if (r.scheme == Scheme::drift_kick) place = r.periodicity.wrapped(place + r.dt * now.move);
    s.next.x[i] = {place.x, place.y, place.z, x.w};
    s.next.v[i] = {now.move.x, now.move.y, now.move.z, v.w};
    s.next.w[i] = {now.turn.x, now.turn.y, now.turn.z, w.w};
    s.next.contacts[i] = static_cast<std::uint16_t>(sums.contacts[i % kGroup]);
    return flags | flags_of_place(r, place, s.built[i], v.w > 0);
  }
};

// The drift before the first step of a batch.
struct BeginDrift {
  Rules r;
  StateView s;
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    const Vec4 x = s.now.x[i], v = s.now.v[i];
    const Vec3d place = r.periodicity.wrapped(x.xyz() + r.dt * v.xyz());
    s.next.x[i] = {place.x, place.y, place.z, x.w};
    if (const std::uint32_t flags = flags_of_place(r, place, s.built[i], v.w > 0); flags != 0)
      raise_flag(&s.stop[0], flags);
  }
};

// Kinetic energy, exactly: of motion, then of turning.
struct SumKinetic {
  const Vec4 *v, *w;
  AREIA_PORTABLE void operator()(std::uint32_t i, std::int64_t* digits) const {
    const Vec4 move = v[i], turn = w[i];
    if (move.w > 0) add_exactly(digits, 0.5 / move.w * norm2(move.xyz()));
    if (turn.w > 0) add_exactly(digits + kExactWords, 0.5 / turn.w * norm2(turn.xyz()));
  }
};

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
