#include "engine/cpu/wall_list.h"

#include <algorithm>

#include "engine/cpu/laws.h"
#include "physics/touch.h"

namespace areia::cpu {

void meet_walls(const KernelContext& context, const Laws& laws, Chunk& chunk, WallMeetings& out) {
  out.meetings.clear();
  out.openings.clear();
  WallList& list = chunk.walls;
  if (list.near.empty()) return;
  const State& s = context.state;
  const WallView view{context.scene, context.walls, context.periodicity, list.triangles.data()};
  WallScratch& work = out.scratch;
  for (const WallList::Near& near : list.near) {
    WallEntry& entry = list.entries[near.entry];
    const std::uint32_t i = entry.i;
    const Vec3d x = s.position(i).xyz();
    const double radius = s.position(i).w;
    const std::size_t row = s.material[i] * laws.materials;
    const auto pair_of = [&](std::size_t w) { return row + context.scene.walls[w].material; };
    const WallCandidate* const candidates = list.near_candidates.data();
    find_wall_hits(
        view, candidates + near.begin, candidates + near.end, x, radius,
        [&](std::size_t w) {
          const Interaction* far = laws.any_gaps ? laws.across_gaps[pair_of(w)] : nullptr;
          return far ? radius + std::max(far->form_range(radius), far->hold_range(radius)) : radius;
        },
        work);
    if (work.hits.empty() && entry.record < 0) continue;
    // Most particles at walls: one contact that goes on.
    if (work.hits.size() == 1 && entry.record >= 0 && !laws.any_gaps) {
      const WallHit& hit = work.hits[0];
      WallRecord& record = list.records[entry.record];
      if (record.next < 0 && record.place.wall == hit.wall && hit.distance != 0 &&
          dot(record.place.n, hit.n) > kSameContact) {
        record.place = memory_of(hit);
        const std::int32_t kernel = laws.kernel_of[pair_of(hit.wall)];
        __builtin_prefetch(chunk.lists[kernel].pool.at(record.contact), 1);
        out.meetings.push_back({i, entry.record, radius - hit.distance, hit.n, hit.place, hit.wall, hit.patch, kernel});
        continue;
      }
    }

    work.memories.clear();
    out.records.clear();
    for (std::int32_t k = entry.record; k >= 0; k = list.records[k].next) {
      work.memories.push_back(list.records[k].place);
      out.records.push_back(k);
    }
    match_hits(work.hits, work.memories, goes_on_for(context.scene, s.material[i]), work.of);
    const auto open = [&](std::int32_t record, double overlap) {
      const std::int32_t wall = list.records[record].place.wall;
      out.openings.push_back({i, wall, list.records[record].contact, laws.kernel_of[pair_of(wall)], overlap});
      list.give_back(record);
    };
    // The chain is made anew, in the order of the hits.
    entry.record = -1;
    std::int32_t last = -1;
    for (std::size_t h = 0; h < work.hits.size(); ++h) {
      const WallHit& hit = work.hits[h];
      const bool known = work.of[h] >= 0;
      std::int32_t k = known ? out.records[work.of[h]] : -1;
      if (known) out.records[work.of[h]] = -1;
      const std::size_t pair = pair_of(hit.wall);
      const double overlap = radius - hit.distance;
      if (laws.across_gaps[pair] && !acts_on_wall(*laws.across_gaps[pair], overlap, radius, known)) {
        if (known) open(k, overlap);
        continue;
      }
      if (!known) k = list.take();
      list.records[k].place = memory_of(hit);
      list.records[k].next = -1;
      (last < 0 ? entry.record : list.records[last].next) = k;
      last = k;
      out.meetings.push_back({i, k, overlap, hit.n, hit.place, hit.wall, hit.patch, laws.kernel_of[pair]});
    }
    for (std::size_t m = 0; m < out.records.size(); ++m)
      if (out.records[m] >= 0) open(out.records[m], overlap_left(view, work.memories[m], x, radius));
  }
}

}  // namespace areia::cpu
