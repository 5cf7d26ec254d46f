// Near pairs: of the neighbour lists those that may touch before pairs are picked again (cpu_lists.cpp). Only they are
// looked at on every step, so the lists may reach far and last long.
//
// Pairs that touch when they are picked come first, then those that do not, each in the order of the lists. So most
// blocks are full of contacts and most of the others have none, which costs a look at positions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "areia/error.h"
#include "engine/cpu/contact_block.h"
#include "engine/cpu/cpu_backend.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

namespace {

// With the lower id as i.
void take_over(const Picked& picked, const std::vector<std::uint32_t>& id, int stride, PairList& list) {
  const std::uint32_t count = picked.part[0].count + picked.part[1].count;
  list.make_room(count, stride);
  list.i.resize(count);
  list.j.resize(count);
  std::uint32_t *i = list.i.data(), *j = list.j.data();
  for (const Picked::Part& part : picked.part) {
    const std::uint32_t *const first = part.i.data(), *const second = part.j.data();
    for (std::uint32_t k = 0; k < part.count; ++k) {
      const std::uint32_t a = first[k], b = second[k], swap = id[a] < id[b] ? 0 : a ^ b;
      *i++ = a ^ swap;
      *j++ = b ^ swap;
    }
  }
  list.close(stride);
}

// The order of the neighbour lists.
std::uint64_t place_in_lists(const PairList& l, std::uint32_t k) {
  return std::uint64_t{std::min(l.i[k], l.j[k])} << 32 | std::max(l.i[k], l.j[k]);
}

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
  const auto lower = [&](std::uint32_t k) { return std::min(list.i[k], list.j[k]) - chunk.begin; };
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

// Of the walls that do not move: what may touch before the next picking. Of the others all.
void CpuBackend::pick_walls(Chunk& chunk) const {
  for (ContactList& list : chunk.lists) {
    list.near_walls.clear();
    for (std::uint32_t e = 0; e < list.walls.size(); ++e) {
      const WallEntry& w = list.walls[e];
      const Vec4& x = state_.position(w.i);
      const bool rests = walls_[w.wall].in_place && schedule_.wall_motion[w.wall].kind == Motion::Kind::fixed &&
                         !schedule_.servo[w.wall].on;
      double gap = kForever;
      if (rests && w.contact < 0)
        periodicity_.for_each_image(x.xyz(), skin_, [&](const Vec3d& image) {
          gap = std::min(gap, std::visit([&](const auto& shape) { return patch_distance(shape, w.patch, image); },
                                         scene_.walls[w.wall].shape) -
                                  x.w);
        });
      if (!rests || w.contact >= 0 || gap <= near_gap_ + law_reach_ + horizon() * (state_.limit[w.i] + norm(flow_)))
        list.near_walls.push_back(e);
    }
  }
}

void CpuBackend::pick_pairs() {
  ++pickings_;
  const std::size_t materials = scene_.materials.size();
  for_each_chunk([&](Chunk& chunk) {
    static thread_local std::vector<Picked> picked;
    static thread_local PairList spare[2];  // lists of one kind are of about the same length
    pick_walls(chunk);
    pick(chunk, *places_, state_, materials, near_gap_ + law_reach_, horizon(), picked);
    for (std::size_t p = 0; p < picked.size(); ++p) {
      const std::int32_t k = kernel_of_[p / 2];
      if (k < 0) continue;
      PairList& list = list_of(chunk, k, p / 2, p % 2);
      if (list.count == 0 && picked[p].part[0].count + picked[p].part[1].count == 0) continue;
      PairList& before = spare[p % 2];
      std::swap(before, list);
      take_over(picked[p], state_.id, kernels_[k]->history(), list);
      carry(before, kernels_[k]->history(), picked[p].part[0].count, list);
    }
  });
  places_.reset();
  address_letters();
}

// Touching pairs of the old lists keep their histories.
void CpuBackend::pick_pairs(const std::vector<std::uint32_t>& old_slot, const std::vector<Chunk>& old_chunks,
                            std::uint32_t old_chunk_size) {
  const std::size_t materials = scene_.materials.size();
  const std::size_t lists = 2 * materials * materials;
  std::vector<TouchingRows> rows(old_chunks.size() * lists);
  const auto old_list = [&](std::size_t chunk, std::size_t p) -> const PairList& {
    return list_of(old_chunks[chunk], kernel_of_[p / 2], p / 2, p % 2);
  };
  team_.for_each(static_cast<std::int64_t>(old_chunks.size()), [&](std::int64_t c, int) {
    for (std::size_t p = 0; p < lists; ++p)
      if (kernel_of_[p / 2] >= 0 && old_list(c, p).count > 0)
        rows[c * lists + p] = rows_of(old_list(c, p), old_chunks[c]);
  });

  struct Found {
    const PairList* list = nullptr;
    std::uint32_t at = 0;
  };
  // The contact of the particles that were in slots a and b, a < b.
  const auto find = [&](std::uint32_t a, std::uint32_t b, std::size_t pair) -> Found {
    const std::size_t c = a / old_chunk_size;
    if (c >= old_chunks.size()) return {};
    const Chunk& chunk = old_chunks[c];
    const std::size_t p = 2 * pair + (b >= chunk.end);
    const auto& [row, at] = rows[c * lists + p];
    if (row.empty() || a >= chunk.end) return {};
    const PairList& list = old_list(c, p);
    for (std::uint32_t k = row[a - chunk.begin]; k < row[a - chunk.begin + 1]; ++k)
      if (list.i[at[k]] == b || list.j[at[k]] == b) return {&list, at[k]};
    return {};
  };
  for_each_chunk([&](Chunk& chunk) {
    static thread_local std::vector<Picked> picked;
    pick_walls(chunk);
    pick(chunk, *places_, state_, materials, near_gap_ + law_reach_, horizon(), picked);
    for (std::size_t p = 0; p < lists; ++p) {
      const std::int32_t kernel = kernel_of_[p / 2];
      if (kernel < 0) continue;
      const int stride = kernels_[kernel]->history();
      PairList& list = list_of(chunk, kernel, p / 2, p % 2);
      take_over(picked[p], state_.id, stride, list);
      if (old_chunks.empty()) continue;
      for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t a = old_slot[list.i[k]], b = old_slot[list.j[k]];
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
  address_letters();
}

// Every pair gets two letters, and the particles are told where they lie: those of pairs across chunks one after the
// other, those within a chunk counted anew in each.
void CpuBackend::address_letters() {
  struct Shared {
    std::uint32_t slot, from_id;
    LetterPlace place;
    bool touching;
  };
  std::vector<std::vector<Shared>> from_others(chunks_.size());
  std::vector<const Chunk*> last_writer(chunks_.size(), nullptr);
  std::size_t shared = 0;
  for (Chunk& c : chunks_) {
    c.targets.clear();
    c.sources = 0;
  }
  const std::vector<std::uint32_t>& id = state_.id;
  for (Chunk& c : chunks_)
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.across) {
        pairs.first_letter = static_cast<LetterPlace>(shared) | kShared;
        for (std::uint32_t k = 0; k < pairs.count; ++k) {
          const std::uint32_t i = pairs.i[k], j = pairs.j[k];
          const bool j_is_here = j < c.end;
          const std::uint32_t there = j_is_here ? i : j, here = j_is_here ? j : i, target = there / chunk_size_;
          from_others[target].push_back(
              {there, id[here], pairs.first_letter + 2 * k + !j_is_here, pairs.touches(k)});
          if (last_writer[target] == &c) continue;
          last_writer[target] = &c;
          c.targets.push_back(target);
          ++chunks_[target].sources;
        }
        shared += 2 * whole_vectors<std::size_t>(pairs.count);  // vectors are written in whole
      }
  if (shared > kMostLetters)
    throw StoppedError(fmt::format("{} pairs of particles across chunks are near each other, of {} that the cpu engine "
                                   "can hold; spread the particles over more machines, or lower `numerics.skin`",
                                   shared / 2, kMostLetters / 2));
  if (letters_.capacity() < shared) {
    letters_ = LineVector<Letter>();
    letters_.reserve(shared + shared / 16);
  }
  letters_.resize(shared);
  shared_at_.resize(shared);
  for_each_chunk([&](Chunk& c) {
    c.letters = kFirstLetter;
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.own) {
        pairs.first_letter = c.letters;
        c.letters += 2 * whole_vectors(pairs.count);
      }
    c.inbox.make(c.begin, c.end - c.begin, c.letters, shared_at_, [&](auto&& deliver) {
      for (const Shared& s : from_others[&c - chunks_.data()]) deliver(s.slot, s.from_id, s.place, s.touching);
      for (const ContactList& list : c.lists) {
        for (const PairList& pairs : list.own)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const std::uint32_t i = pairs.i[k], j = pairs.j[k], place = pairs.first_letter + 2 * k;
            const bool touching = pairs.touches(k);
            deliver(i, id[j], place, touching);
            deliver(j, id[i], place + 1, touching);
          }
        for (const PairList& pairs : list.across)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const std::uint32_t i = pairs.i[k], j = pairs.j[k];
            const bool j_is_here = j < c.end;
            deliver(j_is_here ? j : i, id[j_is_here ? i : j], pairs.first_letter + 2 * k + j_is_here,
                    pairs.touches(k));
          }
      }
    });
  });
}

// The contacts of a checkpoint, onto pairs that were just picked: ids of both, and what they remember.
void CpuBackend::restore_pairs(const std::vector<std::int64_t>& pair, const std::vector<double>& history) {
  const auto wrong = [] { throw FileError("checkpoint does not belong to this case"); };
  const std::size_t materials = scene_.materials.size();
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> contact;  // where its history begins
  std::unordered_map<std::int64_t, std::uint32_t> slot;
  for (std::uint32_t i = 0; i < state_.size(); ++i) slot[state_.id[i]] = i;
  std::size_t next = 0;
  for (std::size_t e = 0; e + 1 < pair.size(); e += 2) {
    const auto i = slot.find(pair[e]), j = slot.find(pair[e + 1]);
    if (i == slot.end() || j == slot.end()) wrong();
    const std::int32_t kernel = kernel_of_[state_.material[i->second] * materials + state_.material[j->second]];
    if (kernel < 0) wrong();
    contact[{pair[e], pair[e + 1]}] = next;
    next += kernels_[kernel]->history();
  }
  if (next != history.size()) wrong();
  std::size_t found = 0;
  for (Chunk& c : chunks_)
    for (std::size_t l = 0; l < kernels_.size(); ++l)
      for (auto* lists : {&c.lists[l].own, &c.lists[l].across})
        for (PairList& pairs : *lists)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const auto at = contact.find({state_.id[pairs.i[k]], state_.id[pairs.j[k]]});
            if (at == contact.end()) continue;
            const int stride = kernels_[l]->history();
            for (int h = 0; h < stride; ++h) pairs.lane(k, stride)[h * kBlock] = history[at->second + h];
            pairs.touching[k / kBlock] |= 1u << k % kBlock;
            ++found;
          }
  if (found != contact.size()) wrong();
  address_letters();
}

}  // namespace areia::cpu
