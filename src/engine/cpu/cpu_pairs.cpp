// Near pairs: of the neighbour lists those that may touch before pairs are picked again (cpu_lists.cpp). Only they are
// looked at on every step, so the lists may reach far and last long.
//
// Pairs that touch when they are picked come first, then those that do not, each in the order of the lists. So most
// blocks are full of contacts and most of the others have none, which costs a look at positions.
#include <algorithm>

#include "engine/cpu/cpu_lists.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

namespace {

void take_over(const Picked& picked, const std::vector<std::uint32_t>& id, int stride, PairList& list) {
  list.make_room(picked.part[0].count + picked.part[1].count, stride);
  for (const Picked::Part& part : picked.part) {
    list.i.insert(list.i.end(), part.low.begin(), part.low.begin() + part.count);
    list.j.insert(list.j.end(), part.high.begin(), part.high.begin() + part.count);
  }
  list.close(id, stride);
}

// The order of the neighbour lists.
std::uint64_t place_in_lists(const PairList& l, std::uint32_t k) { return std::uint64_t{l.low(k)} << 32 | l.high(k); }

// Both lists are two runs in the order of the neighbour lists, the second of the new one from `apart` on; every pair
// that touches is in one of them.
void carry(const PairList& before, int stride, std::uint32_t apart, PairList& list) {
  std::uint32_t first = 0, second = apart;
  std::uint64_t last = 0;
  before.for_each_touching([&](std::uint32_t k) {
    const std::uint64_t pair = place_in_lists(before, k);
    if (pair < last) {  // the second run of the old list
      first = 0;
      second = apart;
    }
    last = pair;
    while (first < apart && place_in_lists(list, first) < pair) ++first;
    std::uint32_t at = first;
    if (first == apart || place_in_lists(list, first) != pair) {
      while (place_in_lists(list, second) != pair) ++second;
      at = second;
    }
    const double* const from = before.lane(k, stride);
    double* const to = list.lane(at, stride);
    for (int h = 0; h < stride; ++h) to[h * kBlock] = from[h * kBlock];
    list.touching[at / kBlock] |= 1u << at % kBlock;
  });
}

// The touching pairs of a list by their lower slot: at[row[slot]] .. at[row[slot + 1]], counted from that of the chunk.
struct TouchingRows {
  std::vector<std::uint32_t> row, at;
};

TouchingRows rows_of(const PairList& list, const Chunk& chunk) {
  TouchingRows rows;
  rows.row.assign(chunk.end - chunk.begin + 1, 0);
  const auto lower = [&](std::uint32_t k) { return list.low(k) - chunk.begin; };
  list.for_each_touching([&](std::uint32_t k) { ++rows.row[lower(k) + 1]; });
  for (std::size_t a = 1; a < rows.row.size(); ++a) rows.row[a] += rows.row[a - 1];
  rows.at.resize(rows.row.back());
  std::vector<std::uint32_t> next(rows.row.begin(), rows.row.end() - 1);
  list.for_each_touching([&](std::uint32_t k) { rows.at[next[lower(k)]++] = k; });
  return rows;
}

}  // namespace

// The list of a chunk for pairs of materials a, b that follow laws together.
template <class AnyChunk>
static auto& list_of(AnyChunk& chunk, std::int32_t kernel, std::size_t pair, bool across) {
  auto& list = chunk.lists[kernel];
  return across ? list.across[pair] : list.own[pair];
}

void Lists::pick_walls() {
  for (Chunk& c : chunks_.all) pick_walls(c);
}

// Of the walls that do not move: what may touch before the next picking. Of the others all.
void Lists::pick_walls(Chunk& chunk) const {
  WallList& list = chunk.walls;
  list.near.clear();
  list.near_candidates.clear();
  for (std::uint32_t e = 0; e < list.entries.size(); ++e) {
    const WallEntry& entry = list.entries[e];
    const Vec4& x = state_.position(entry.i);
    const double most = x.w + near_gap() + horizon() * (state_.limit[entry.i] + norm(flow_));
    const auto begin = static_cast<std::uint32_t>(list.near_candidates.size());
    for (std::uint32_t k = entry.begin; k < entry.end; ++k) {
      const WallCandidate& c = list.candidates[k];
      const bool rests = world_.now().walls[c.wall].in_place &&
                         world_.schedule().wall_motion[c.wall].kind == Motion::Kind::fixed &&
                         !world_.schedule().servo[c.wall].on;
      bool near = !rests || c.patch == WallCandidate::kMesh;
      if (!near)
        periodicity_.for_each_image(x.xyz(), skin_, [&](const Vec3d& image) {
          near = near || std::visit(
                             [&](const auto& shape) {
                               return patch_distance(shape, c.patch, periodicity_.shifted(image, c.image));
                             },
                             scene_.walls[c.wall].shape) <= most;
        });
      if (near) list.near_candidates.push_back(c);
    }
    const auto end = static_cast<std::uint32_t>(list.near_candidates.size());
    if (end > begin || entry.record >= 0) list.near.push_back({e, begin, end});
  }
}

void Lists::pick_pairs() {
  ++pickings_;
  const std::size_t materials = laws_.materials;
  chunks_.for_each([&](Chunk& chunk) {
    static thread_local std::vector<Picked> picked;
    static thread_local PairList spare[2];  // lists of one kind are of about the same length
    pick_walls(chunk);
    pick(chunk, *places_, state_, materials, near_gap(), horizon(), picked);
    for (std::size_t p = 0; p < picked.size(); ++p) {
      const std::int32_t k = laws_.kernel_of[p / 2];
      if (k < 0) continue;
      PairList& list = list_of(chunk, k, p / 2, p % 2);
      if (list.count == 0 && picked[p].part[0].count + picked[p].part[1].count == 0) continue;
      PairList& before = spare[p % 2];
      std::swap(before, list);
      take_over(picked[p], state_.id, laws_.kernels[k]->history(), list);
      carry(before, laws_.kernels[k]->history(), picked[p].part[0].count, list);
    }
  });
  places_.reset();
  forces_.contacts().address_letters();
}

// Touching pairs of the old lists keep their histories.
void Lists::pick_pairs(const OldLists& old) {
  const std::size_t materials = laws_.materials;
  const std::size_t lists = 2 * materials * materials;
  std::vector<TouchingRows> rows(old.chunks.size() * lists);
  const auto old_list = [&](std::size_t chunk, std::size_t p) -> const PairList& {
    return list_of(old.chunks[chunk], laws_.kernel_of[p / 2], p / 2, p % 2);
  };
  chunks_.team.for_each(static_cast<std::int64_t>(old.chunks.size()), [&](std::int64_t c, int) {
    for (std::size_t p = 0; p < lists; ++p)
      if (laws_.kernel_of[p / 2] >= 0 && old_list(c, p).count > 0)
        rows[c * lists + p] = rows_of(old_list(c, p), old.chunks[c]);
  });

  struct Found {
    const PairList* list = nullptr;
    std::uint32_t at = 0;
  };
  // The contact of the particles that were in slots a and b, a < b.
  const auto find = [&](std::uint32_t a, std::uint32_t b, std::size_t pair) -> Found {
    const std::size_t c = a / old.chunk_size;
    if (c >= old.chunks.size()) return {};
    const Chunk& chunk = old.chunks[c];
    const std::size_t p = 2 * pair + (b >= chunk.end);
    const auto& [row, at] = rows[c * lists + p];
    if (row.empty() || a >= chunk.end) return {};
    const PairList& list = old_list(c, p);
    for (std::uint32_t k = row[a - chunk.begin]; k < row[a - chunk.begin + 1]; ++k)
      if (list.high(at[k]) == b) return {&list, at[k]};
    return {};
  };
  chunks_.for_each([&](Chunk& chunk) {
    static thread_local std::vector<Picked> picked;
    pick_walls(chunk);
    pick(chunk, *places_, state_, materials, near_gap(), horizon(), picked);
    for (std::size_t p = 0; p < lists; ++p) {
      const std::int32_t kernel = laws_.kernel_of[p / 2];
      if (kernel < 0) continue;
      const int stride = laws_.kernels[kernel]->history();
      PairList& list = list_of(chunk, kernel, p / 2, p % 2);
      take_over(picked[p], state_.id, stride, list);
      if (old.chunks.empty()) continue;
      for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t a = old.slot[list.i[k]], b = old.slot[list.j[k]];
        const Found found = find(std::min(a, b), std::max(a, b), p / 2);
        if (!found.list) continue;
        const double* const from = found.list->lane(found.at, stride);
        double* const to = list.lane(k, stride);
        for (int h = 0; h < stride; ++h) to[h * kBlock] = from[h * kBlock];
        list.touching[k / kBlock] |= 1u << k % kBlock;
      }
    }
  });
  places_.reset();
  forces_.contacts().address_letters();
}

}  // namespace areia::cpu
