// Bodies near walls on the device: for each what it may touch, and what its contacts there remember. Most bodies are
// near none; those that are have an entry of their own.
#pragma once
#include "engine/cuda/device_state.h"
#include "engine/wall_candidates.h"
#include "engine/wall_search.h"
#include "physics/touch.h"

namespace areia::cuda {
inline namespace AREIA_MACHINE {

inline constexpr std::size_t kMostHits = 32, kMostAtWalls = 8;  // of one body, before and after they are sorted out

struct WallsView {
  // of the case
  const PlainShape* shapes = nullptr;
  const std::uint16_t* material = nullptr;
  const std::uint8_t* turns = nullptr;      // whether it may
  const std::uint8_t* may_go_on = nullptr;  // per material of a body and two walls
  std::uint32_t walls = 0;
  // entries
  std::uint32_t* body = nullptr;
  std::uint32_t* candidates = nullptr;  // how many
  WallCandidate* candidate = nullptr;   // of entry e from e * room on
  std::uint32_t room = 0;
  std::uint32_t* contacts = nullptr;     // how many
  WallMemory* memory = nullptr;          // of entry e from e * kMostAtWalls on
  double* history = nullptr;             // `history` numbers for each of these
  const std::uint32_t* begin = nullptr;  // entries of group g: from begin[g] up to begin[g + 1]

  AREIA_PORTABLE double* history_of(std::size_t e, std::size_t k, int numbers) const {
    return history + (e * kMostAtWalls + k) * numbers;
  }
};

// What bodies may touch of the walls before lists are made again: counted first, then put down.
struct FindCandidates {
  Rules r;
  StateView s;
  WallsView w;
  const WallNow* now = nullptr;  // of the walls
  double skin = 0, law_reach = 0;
  // counting: per body how many, and at the end the largest number
  std::uint32_t* count = nullptr;
  std::uint32_t* most = nullptr;

  // f(candidate) for each.
  template <class F>
  AREIA_PORTABLE void for_each(std::uint32_t i, F&& f) const {
    const Vec4 x = s.now.x[i];
    const double reach = x.w + skin + law_reach;
    for (std::uint32_t wall = 0; wall < w.walls; ++wall) {
      if (!now[wall].present || !r.laws[pair_at_wall(i, wall)].present) continue;
      for_each_near_patch(
          r.periodicity, w.shapes[wall], now[wall], w.turns[wall] != 0, x.xyz(), skin, reach,
          [&](int patch, const ShiftRange::Shift& by) {
            f(WallCandidate{static_cast<std::uint16_t>(wall), static_cast<std::int16_t>(patch), by, 0, 0});
          });
    }
  }
  AREIA_PORTABLE std::size_t pair_at_wall(std::uint32_t i, std::uint32_t wall) const {
    return static_cast<std::size_t>(s.material[i]) * r.materials + w.material[wall];
  }

  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    std::uint32_t n = 0;
    if (s.now.v[i].w > 0) for_each(i, [&](const WallCandidate&) { ++n; });
    count[i] = n;
    most_of(most, n);
  }
};

// Bodies that get an entry: 1 or 0.
struct NeedsEntry {
  const std::uint32_t* count;  // of candidates
  const std::uint32_t* old_slot;
  const std::int32_t* old_entry;  // of old slots
  const std::uint32_t* old_contacts;
  std::uint32_t* needs;
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    const std::int32_t e = old_entry[old_slot[i]];
    needs[i] = count[i] > 0 || (e >= 0 && old_contacts[e] > 0);
  }
};

struct MakeEntries {
  FindCandidates find;
  const std::uint32_t *needs, *at;  // which entry
  const std::uint32_t* old_slot;
  const std::int32_t* old_entry;
  WallsView old;
  std::int32_t* entry;  // per body
  AREIA_PORTABLE void operator()(std::uint32_t i) const {
    entry[i] = needs[i] ? static_cast<std::int32_t>(at[i]) : -1;
    if (!needs[i]) return;
    const WallsView& w = find.w;
    const std::size_t e = at[i];
    w.body[e] = i;
    std::uint32_t n = 0;
    if (find.s.now.v[i].w > 0) find.for_each(i, [&](const WallCandidate& c) { w.candidate[e * w.room + n++] = c; });
    w.candidates[e] = n;
    const std::int32_t before = old_entry[old_slot[i]];
    const std::uint32_t known = before >= 0 ? old.contacts[before] : 0;
    w.contacts[e] = known;
    for (std::uint32_t k = 0; k < known; ++k) {
      w.memory[e * kMostAtWalls + k] = old.memory[before * kMostAtWalls + k];
      const double* const from = old.history_of(before, k, find.r.history);
      for (int h = 0; h < find.r.history; ++h) w.history_of(e, k, find.r.history)[h] = from[h];
    }
  }
};

// All contacts of an entry with walls.
template <class Set>
struct MeetWalls {
  const Rules& r;
  const StateView& s;
  const WallsView& w;
  const WallNow* now = nullptr;
  std::uint32_t step = 0;  // of the batch
  GroupSums& sums;
  using Laws = RunLaws<Set, true>;

  // Nearly all have one contact at most, and had one at most, which is told from one hit. That stays in registers.
  AREIA_SELDOM void operator()(std::uint32_t e, Tally tally) const {
    const std::uint32_t i = w.body[e];
    const Vec4 x = s.now.x[i];
    PlainWallScratch<1> work;
    find(e, i, x, work);
    const std::uint32_t before = w.contacts[e];
    if (work.hits.overflowed || before > 1) return meet_several(e, tally);
    if (work.hits.empty() && before == 0) return;
    WallHit& hit = work.hits[0];
    WallMemory& memory = w.memory[e * kMostAtWalls];
    double* const history = w.history_of(e, 0, r.history);
    bool known = false;
    if (before == 1) {
      known = !work.hits.empty() && nearness(hit, memory) > kSameContact && may_go_on(i, memory.wall, hit.wall);
      if (known) take_side(hit, memory);
      else open(i, x.w, memory, overlap_left(view(), memory, x.xyz(), x.w), history, tally);
    }
    bool touches = false;
    if (!work.hits.empty()) {
      touches = Laws::acts_on_wall(laws_at(i, hit.wall), x.w - hit.distance, x.w, known);
      if (touches) {
        double numbers[Laws::kHistory];
        const int count = laws_at(i, hit.wall).history;
        if (known)
          for (int n = 0; n < Laws::kHistory; ++n)
            if (n < count) numbers[n] = history[n];
        evaluate(i, x, hit, known, numbers, tally);
        for (int n = 0; n < Laws::kHistory; ++n)
          if (n < count) history[n] = numbers[n];
        memory = memory_of(hit);
      } else if (known) {
        open(i, x.w, memory, x.w - hit.distance, history, tally);
      }
    }
    w.contacts[e] = touches ? 1 : 0;
  }

 private:
  AREIA_PORTABLE PlainWallView view() const { return {w.shapes, now, r.periodicity}; }
  AREIA_PORTABLE const PlainLaws& laws_at(std::uint32_t i, std::size_t wall) const {
    return r.laws[static_cast<std::size_t>(s.material[i]) * r.materials + w.material[wall]];
  }
  AREIA_PORTABLE bool may_go_on(std::uint32_t i, std::int32_t from, std::int32_t to) const {
    return w.may_go_on[(static_cast<std::size_t>(s.material[i]) * w.walls + from) * w.walls + to] != 0;
  }

  template <class Scratch>
  AREIA_PORTABLE void find(std::uint32_t e, std::uint32_t i, const Vec4& x, Scratch& work) const {
    const WallCandidate* const candidates = w.candidate + static_cast<std::size_t>(e) * w.room;
    find_wall_hits(
        view(), candidates, candidates + w.candidates[e], x.xyz(), x.w,
        [&](std::size_t wall) {
          const PlainLaws& laws = laws_at(i, wall);
          return x.w + max_of(Laws::form_range(laws, x.w), Laws::hold_range(laws, x.w));
        },
        work);
  }

  // A contact that has ended.
  AREIA_PORTABLE void open(std::uint32_t i, double radius, const WallMemory& memory, double overlap,
                           const double* history, Tally& tally) const {
    r.books.book_contact(tally, Laws::open(laws_at(i, memory.wall), bodies(radius, 0), overlap, history));
  }

  // A contact at this hit: what it does. Its history goes on in place if it was there before.
  AREIA_PORTABLE void evaluate(std::uint32_t i, const Vec4& x, const WallHit& hit, bool known,
                               double (&numbers)[Laws::kHistory], Tally& tally) const {
    const Vec4 v = s.now.v[i], spin = s.now.w[i];
    const PlainLaws& laws = laws_at(i, hit.wall);
    const Body<double> body{v.xyz(), spin.xyz(), x.w,
                            v.w,     spin.w,     r.counts ? static_cast<double>(s.now.contacts[i]) : 0};
    const Body<double> wall{now[hit.wall].velocity_at(hit.place, hit.n), now[hit.wall].spin(), 0, 0, 0, 0};
    const double overlap = x.w - hit.distance;
    if (!known)
      Laws::begin(laws, bodies(x.w, 0), overlap_before_at_wall(hit.n, overlap, body.v - wall.v, r.dt), numbers);
    if (is_deep_in_wall(overlap, x.w, r.max_overlap)) {
      least_of(s.failed, s.rank[i]);
      raise_flag(&s.stop[step + 1], kFailed);
    }
    Touch<double> touch = touch_of_wall(hit.n, overlap, x.w, v.w);
    if (r.share != nullptr)
      if (const double share = r.share[static_cast<std::size_t>(s.material[i]) * r.materials + w.material[hit.wall]];
          share > 0)
        shorten_levers(touch, share, 0);
    const Outcome<double> out = Laws::evaluate(laws, touch, body, wall, r.dt, r.kick, numbers);
    sums.add(r.forces, i % kGroup, kGroup, out.force, out.torque_i, {});
    r.books.book_contact(tally, out.booking);
    r.books.book_drive(tally, (dot(out.force, wall.v) - dot(out.torque_j, wall.w)) * r.dt);
  }

  AREIA_SELDOM void meet_several(std::uint32_t e, Tally tally) const {
    const std::uint32_t i = w.body[e], before = w.contacts[e];
    const Vec4 x = s.now.x[i];
    PlainWallScratch<kMostHits, kMostAtWalls> work;
    find(e, i, x, work);
    for (std::uint32_t m = 0; m < before; ++m) work.memories.push_back(w.memory[e * kMostAtWalls + m]);
    match_hits(
        work.hits, work.memories, [&](std::int32_t from, std::int32_t to) { return may_go_on(i, from, to); }, work.of);
    if (work.hits.overflowed) return give_up(i);
    std::uint32_t goes_on = 0;  // one bit for each contact of the last evaluation
    // contacts are put down anew, in the order of hits
    std::uint32_t count = 0;
    double kept[kMostAtWalls][Laws::kHistory];
    for (std::size_t h = 0; h < work.hits.size(); ++h) {
      const WallHit& hit = work.hits[h];
      const std::int32_t known = work.of[h];
      if (known >= 0) goes_on |= 1u << known;
      const PlainLaws& laws = laws_at(i, hit.wall);
      if (!Laws::acts_on_wall(laws, x.w - hit.distance, x.w, known >= 0)) {
        if (known >= 0)
          open(i, x.w, work.memories[known], x.w - hit.distance, w.history_of(e, known, r.history), tally);
        continue;
      }
      if (count == kMostAtWalls) return give_up(i);
      if (known >= 0)
        for (int n = 0; n < laws.history; ++n) kept[count][n] = w.history_of(e, known, r.history)[n];
      evaluate(i, x, hit, known >= 0, kept[count], tally);
      w.memory[e * kMostAtWalls + count++] = memory_of(hit);
    }
    for (std::uint32_t m = 0; m < before; ++m)
      if (!(goes_on >> m & 1))
        open(i, x.w, work.memories[m], overlap_left(view(), work.memories[m], x.xyz(), x.w),
             w.history_of(e, m, r.history), tally);
    for (std::uint32_t k = 0; k < count; ++k) {
      const int numbers = laws_at(i, w.memory[e * kMostAtWalls + k].wall).history;
      for (int n = 0; n < numbers; ++n) w.history_of(e, k, r.history)[n] = kept[k][n];
    }
    w.contacts[e] = count;
  }

  AREIA_PORTABLE void give_up(std::uint32_t i) const {
    least_of(s.failed, s.rank[i]);
    raise_flag(&s.stop[step + 1], kTooMany);
  }
};

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda
