// Spheres beside random walls, and all that an engine asks about them, whoever holds the walls: numbers in, numbers
// out. Walls are of every shape but meshes, several at once, in place or moved, with images across periodic faces. Many
// places are round numbers, so that edges meet, centres lie on surfaces, and zeros have either sign.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/random.h"
#include "engine/wall_candidates.h"
#include "engine/wall_search.h"

namespace areia::test {

struct WallSet {
  std::vector<PlainShape> shapes;
  std::vector<WallNow> states;
  Periodicity periodicity;

  PlainWallView view() const { return {shapes.data(), states.data(), periodicity}; }
};

// Where a sphere is before a step and after it.
struct WallStep {
  Vec3d before, now;
  double radius = 0;
};

class RandomWalls {
 public:
  explicit RandomWalls(std::uint64_t seed) : random_(mixed_seed({seed, 31})) {}

  WallSet some_walls() {
    WallSet walls;
    for (int axis = 0; axis < 3; ++axis) walls.periodicity.on[static_cast<std::size_t>(axis)] = chance(0.3);
    walls.periodicity.length = {1, 1, 1};
    const int count = 1 + pick(4);
    for (int w = 0; w < count; ++w) {
      walls.shapes.push_back(some_shape(pick(std::variant_size_v<PlainShape>)));
      walls.states.push_back(some_state());
    }
    return walls;
  }

  // Beside one of them, as a rule in touch with it.
  WallStep some_step(const WallSet& walls) {
    WallStep step;
    step.radius = chance(0.5) ? 0.125 : random_.uniform(0.05, 0.2);
    const auto w = static_cast<std::size_t>(pick(static_cast<int>(walls.shapes.size())));
    const Pose& pose = walls.states[w].pose;
    const Vec3d from = pose.to_body(place());
    const WallPoint at =
        visit_shape(walls.shapes[w], [&](const auto& s) { return closest_point(s, pick(patch_count(s)), from); });
    const double gap = step.radius * (chance(0.1) ? 0 : chance(0.2) ? 0.5 : random_.uniform(0, 1.1));
    const Vec3d x = at.found ? pose.to_world(from + (at.distance - gap) * at.n) : place();
    step.now = walls.periodicity.wrapped(x);
    step.before = step.now;
    if (chance(0.8)) step.before += random_.uniform(-0.1, 0.1) * step.radius * direction();
    step.before = walls.periodicity.wrapped(step.before);
    return step;
  }

 private:
  bool chance(double p) { return random_.uniform() < p; }
  int pick(int of) { return static_cast<int>(of * random_.uniform()); }
  double coordinate() {
    if (chance(0.2)) return chance(0.5) ? 0.0 : -0.0;
    if (chance(0.5)) return 0.125 * pick(9);
    return chance(0.2) ? 0.5 + 1e-10 * random_.uniform(-1, 1) : random_.uniform(-0.2, 1.2);
  }
  Vec3d place() {
    const double x = coordinate(), y = coordinate();
    return {x, y, coordinate()};
  }
  double length() { return chance(0.5) ? 0.125 * (1 + pick(4)) : random_.uniform(0.05, 0.5); }
  Vec3d direction() {
    Vec3d along;
    if (chance(0.5)) {
      component(along, pick(3)) = chance(0.5) ? 1 : -1;
      return along;
    }
    do along = random_.uniform({-1, -1, -1}, {1, 1, 1});
    while (norm(along) < 0.1);
    return unit(along);
  }

  PlainShape some_shape(int kind) {
    static_assert(std::variant_size_v<PlainShape> == 7, "one of each kind is made here");
    const Vec3d at = place(), along = direction();
    PlainShape shape = PlaneShape{at, along};
    switch (kind) {
      case 0: {
        BoxShape box{at, at + Vec3d{length(), length(), length()}, {}};
        if (chance(0.3)) box.max = at + Vec3d{length(), 2, 1};  // as long as the period, or longer
        for (bool& open : box.open) open = chance(0.2);
        shape = box;
        break;
      }
      case 1:
        shape = CylinderShape{at, at + length() * along, 0.5 * length(), chance(0.5), chance(0.5)};
        break;
      case 2: {
        const double wide = 0.5 * length();
        shape = ConeShape{at, at + length() * along, wide, chance(0.4) ? 0 : wide * random_.uniform(0.1, 1.5)};
        break;
      }
      case 3:
        shape = SphereShape{at, length()};
        break;
      case 4: {
        const double radius = length();
        shape = DiskShape{at, length() * along, radius, chance(0.5) ? 0 : 0.5 * radius};
        break;
      }
      case 5: {
        const Vec3d a = across(along);
        shape = RectangleShape{at, (chance(0.3) ? chance(0.5) ? 1 : 2 : length()) * a, length() * cross(along, a)};
        break;
      }
      default:
        break;
    }
    return shape;
  }

  WallNow some_state() {
    WallNow wall;
    wall.present = chance(0.95);
    if (chance(0.4)) {
      wall.pose.center = place();
      if (chance(0.8)) wall.pose.q = about_axis(unit(direction()), random_.uniform(-3, 3));
      if (chance(0.5)) wall.pose.shift = 0.1 * direction();
    }
    if (chance(0.3)) {
      wall.pose.v = direction();
      wall.pose.w = random_.uniform(-2, 2) * direction();
    }
    if (chance(0.3)) wall.surface = {true, direction(), random_.uniform(-2, 2) * direction(), place()};
    wall.look();
    return wall;
  }

  Random random_;
};

// How many of each a search may come to, on a device.
inline constexpr std::size_t kMostCandidates = 160, kMostHits = 48, kMostContacts = 12;
using PlainScratch = PlainWallScratch<kMostHits, kMostContacts>;
using PlainCandidates = FixedVector<WallCandidate, kMostCandidates>;

// All that comes out, without what lies between members.
struct WallRow {
  static constexpr int kOfHit = 25;
  double of[(kOfHit + 1) * kMostContacts] = {};
  int hits = 0, candidates = 0, covered = 0, before = 0, size = 0;
  bool overflowed = false;

  AREIA_PORTABLE void put(double a) {
    if (size < static_cast<int>(sizeof(of) / sizeof(of[0]))) of[size++] = a;
    else overflowed = true;
  }
  AREIA_PORTABLE void put(const Vec3d& a) {
    put(a.x);
    put(a.y);
    put(a.z);
  }
  AREIA_PORTABLE void put(const WallHit& h) {
    for (const double a : {h.distance, h.reach, static_cast<double>(h.wall), static_cast<double>(h.patch),
                           static_cast<double>(h.candidate), static_cast<double>(h.edges)})
      put(a);
    put(static_cast<double>(h.image >> 32));
    put(static_cast<double>(h.image & 0xffffffff));
    put(h.n);
    put(h.point);
    put(h.place);
    put(static_cast<double>(h.dropped));
  }
};

inline bool is_same(const WallRow& a, const WallRow& b) {
  return std::memcmp(a.of, b.of, sizeof(a.of)) == 0 && a.hits == b.hits && a.candidates == b.candidates &&
         a.covered == b.covered && a.before == b.before && a.size == b.size && a.overflowed == b.overflowed;
}

// Contacts may go on from some walls to some others.
struct SomeMayGoOn {
  AREIA_PORTABLE bool operator()(std::int32_t from, std::int32_t to) const {
    return from == to || (from + to) % 3 != 0;
  }
};

// The patches near a centre as engines list them; every fourth wall as one that turns. `covered`: of how many others
// lie on one that is listed.
template <class View, class Candidates>
AREIA_PORTABLE void list_candidates(const View& view, std::size_t walls, const Vec3d& x, double reach,
                                    Candidates& candidates, int& covered) {
  candidates.clear();
  for (std::size_t w = 0; w < walls; ++w) {
    const WallNow& now = view.state(w);
    if (!now.present) continue;
    const auto list = [&](bool turns, auto&& put) {
      for_each_near_patch(view.periodicity, view.shape(w), now, turns, x, 0.1 * reach, reach, put);
    };
    list(w % 4 == 3, [&](int patch, const ShiftRange::Shift& by) {
      candidates.push_back({static_cast<std::uint16_t>(w), static_cast<std::int16_t>(patch), by, 0, 0});
    });
    list(true, [&](int, const ShiftRange::Shift&) { ++covered; });
  }
  covered -= static_cast<int>(candidates.size());
}

// One step of a sphere: its contacts before it become memories, which those after it continue.
template <class View, class Candidates, class Scratch>
AREIA_PORTABLE void meet_walls(const View& view, std::size_t walls, const WallStep& step, Candidates& candidates,
                               Scratch& work, WallRow& row) {
  const auto reach_of = [&](std::size_t w) { return step.radius * (w % 2 == 0 ? 1 : 1.1); };
  const auto find = [&](const Vec3d& x) {
    list_candidates(view, walls, x, 1.2 * step.radius, candidates, row.covered);
    find_wall_hits(view, candidates.data(), candidates.data() + candidates.size(), x, step.radius, reach_of, work);
    row.candidates += static_cast<int>(candidates.size());
  };
  find(step.before);
  work.memories.clear();
  for (const WallHit& hit : work.hits) work.memories.push_back(memory_of(hit));
  find(step.now);
  match_hits(work.hits, work.memories, SomeMayGoOn{}, work.of);
  row.before = static_cast<int>(work.memories.size());
  row.hits = static_cast<int>(work.hits.size());
  for (std::size_t h = 0; h < work.hits.size(); ++h) {
    const WallHit& hit = work.hits[h];
    row.put(hit);
    row.put(work.of[h]);
    row.put(view.state(static_cast<std::size_t>(hit.wall)).velocity_at(hit.place, hit.n));
    row.put(view.state(static_cast<std::size_t>(hit.wall)).spin());
  }
  for (const WallMemory& m : work.memories) row.put(overlap_left(view, m, step.now, step.radius));
}

// With the arrays of a device.
AREIA_PORTABLE inline void meet_plain_walls(const PlainWallView& view, std::size_t walls, const WallStep& step,
                                            WallRow& row) {
  PlainCandidates candidates;
  PlainScratch work;
  meet_walls(view, walls, step, candidates, work, row);
  row.overflowed = row.overflowed || candidates.overflowed || work.hits.overflowed || work.memories.overflowed;
}

}  // namespace areia::test
