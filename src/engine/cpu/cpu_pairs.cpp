// Near pairs: of the neighbour lists those that may touch before pairs are picked again (cpu_lists.cpp). Only they are
// looked at on every step, so the lists may reach far and last long.
//
// Pairs that touch when they are picked come first, then those that do not, each in the order of the lists. So most
// blocks are full of contacts and most of the others have none, which costs a look at positions. The order in which
// forces are added follows from the state when pairs were picked, which is part of a checkpoint.
#include <algorithm>
#include <bit>

#include "areia/error.h"
#include "engine/cpu/contact_block.h"
#include "engine/cpu/cpu_backend.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

namespace {

void take_over(const Picked& picked, int stride, PairList& list) {
  list.make_room(picked.part[0].count + picked.part[1].count, stride);
  for (const Picked::Part& part : picked.part) {
    list.i.insert(list.i.end(), part.i.begin(), part.i.begin() + part.count);
    list.j.insert(list.j.end(), part.j.begin(), part.j.begin() + part.count);
  }
  list.close(stride);
}

// Both lists are two runs in the order of the neighbour lists, the second of the new one from `apart` on; every pair
// that touches is in one of them.
void carry(const PairList& before, int stride, std::uint32_t apart, PairList& list) {
  const auto key = [](const PairList& l, std::uint32_t k) { return std::uint64_t{l.i[k]} << 32 | l.j[k]; };
  std::uint32_t first = 0, second = apart;
  std::uint64_t last = 0;
  before.for_each_touching([&](std::uint32_t k) {
    const std::uint64_t pair = key(before, k);
    if (pair < last) {  // the second run of the old list
      first = 0;
      second = apart;
    }
    last = pair;
    while (first < apart && key(list, first) < pair) ++first;
    std::uint32_t at = first;
    if (first == apart || key(list, first) != pair) {
      while (key(list, second) != pair) ++second;
      at = second;
    }
    const double* const from = before.lane(k, stride);
    double* const to = list.lane(at, stride);
    for (int h = 0; h < stride; ++h) to[h * kBlock] = from[h * kBlock];
    list.touching[at / kBlock] |= 1u << at % kBlock;
  });
}

// The touching pairs of a list by their i: at[row[i]] .. at[row[i + 1]].
struct TouchingRows {
  std::vector<std::uint32_t> row, at;
};

TouchingRows rows_of(const PairList& list, const Chunk& chunk) {
  TouchingRows rows;
  rows.row.assign(chunk.end - chunk.begin + 1, 0);
  list.for_each_touching([&](std::uint32_t k) { ++rows.row[list.i[k] - chunk.begin + 1]; });
  for (std::size_t a = 1; a < rows.row.size(); ++a) rows.row[a] += rows.row[a - 1];
  rows.at.resize(rows.row.back());
  std::vector<std::uint32_t> next(rows.row.begin(), rows.row.end() - 1);
  list.for_each_touching([&](std::uint32_t k) { rows.at[next[list.i[k] - chunk.begin]++] = k; });
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
      take_over(picked[p], kernels_[k]->history(), list);
      carry(before, kernels_[k]->history(), picked[p].part[0].count, list);
    }
  });
  places_.reset();
  address_letters();
}

// Touching pairs of the old lists keep their histories. If a pair changed sides (i became j), what points from i to j
// changes its sign: vectors such as the elongation do, scalars such as the overlap do not.
void CpuBackend::pick_pairs(const std::vector<std::uint32_t>& old_slot, const std::vector<Chunk>& old_chunks,
                            std::uint32_t old_chunk_size) {
  const std::size_t materials = scene_.materials.size();
  const std::size_t lists = 2 * materials * materials;
  std::vector<TouchingRows> rows(old_chunks.size() * lists);
  const auto old_list = [&](std::size_t chunk, std::size_t p) -> const PairList& {
    return list_of(old_chunks[chunk], kernel_of_[p / 2], p / 2, p % 2);
  };
  const auto n = static_cast<std::int64_t>(old_chunks.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads_) if (n > 1 && threads_ > 1)
  for (std::int64_t c = 0; c < n; ++c)
    for (std::size_t p = 0; p < lists; ++p)
      if (kernel_of_[p / 2] >= 0 && old_list(c, p).count > 0)
        rows[c * lists + p] = rows_of(old_list(c, p), old_chunks[c]);

  struct Found {
    const PairList* list = nullptr;
    std::uint32_t at = 0;
  };
  // The contact that slot a listed with slot b.
  const auto find = [&](std::uint32_t a, std::uint32_t b, std::size_t pair) -> Found {
    const std::size_t c = a / old_chunk_size;
    if (c >= old_chunks.size()) return {};
    const Chunk& chunk = old_chunks[c];
    const std::size_t p = 2 * pair + (b < chunk.begin || b >= chunk.end);
    const auto& [row, at] = rows[c * lists + p];
    if (row.empty() || a >= chunk.end) return {};
    const PairList& list = old_list(c, p);
    for (std::uint32_t k = row[a - chunk.begin]; k < row[a - chunk.begin + 1]; ++k)
      if (list.j[at[k]] == b) return {&list, at[k]};
    return {};
  };
  for_each_chunk([&](Chunk& chunk) {
    static thread_local std::vector<Picked> picked;
    pick_walls(chunk);
    pick(chunk, *places_, state_, materials, near_gap_ + law_reach_, horizon(), picked);
    for (std::size_t p = 0; p < lists; ++p) {
      const std::int32_t kernel = kernel_of_[p / 2];
      if (kernel < 0) continue;
      const int stride = kernels_[kernel]->history(), scalars = kernels_[kernel]->scalars();
      PairList& list = list_of(chunk, kernel, p / 2, p % 2);
      take_over(picked[p], stride, list);
      if (old_chunks.empty()) continue;
      const std::size_t turned = p / 2 % materials * materials + p / 2 / materials;
      for (std::uint32_t k = 0; k < list.count; ++k) {
        const std::uint32_t a = old_slot[list.i[k]], b = old_slot[list.j[k]];
        double sign = 1;
        Found found = find(a, b, p / 2);
        if (!found.list) {
          found = find(b, a, turned);
          sign = -1;
        }
        if (!found.list) continue;
        const double* const from = found.list->lane(found.at, stride);
        double* const to = list.lane(k, stride);
        for (int h = 0; h < stride; ++h) to[h * kBlock] = h < scalars ? from[h * kBlock] : sign * from[h * kBlock];
        list.touching[k / kBlock] |= 1u << k % kBlock;
      }
    }
  });
  places_.reset();
  address_letters();
}

// Every pair across chunks gets a letter, one after the other in the order of the lists, and the chunk of its j is
// told.
void CpuBackend::address_letters() {
  std::uint32_t next = 0;
  for (Chunk& c : chunks_) {
    c.mail.clear();
    c.targets.clear();
    c.sources = 0;
  }
  std::vector<const Chunk*> last_writer(chunks_.size(), nullptr);
  for (Chunk& c : chunks_)
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.across) {
        pairs.first_letter = next;
        for (std::uint32_t k = 0; k < pairs.count; ++k) {
          const std::uint32_t target = pairs.j[k] / chunk_size_;
          chunks_[target].mail.push_back({pairs.j[k], next + k});
          if (last_writer[target] == &c) continue;
          last_writer[target] = &c;
          c.targets.push_back(target);
          ++chunks_[target].sources;
        }
        next += whole_vectors(pairs.count);  // blocks are written in whole
      }
  if (letters_.capacity() < next) {
    letters_ = LineVector<Letter>();
    letters_.reserve(next + next / 16);
  }
  letters_.resize(next);
  for_each_chunk([&](Chunk& c) { clear_letters(c); });
}

// The letters of blocks without contacts are not written, so they must be empty.
void CpuBackend::clear_letters(const Chunk& chunk) {
  for (const ContactList& list : chunk.lists)
    for (const PairList& pairs : list.across)
      std::fill_n(letters_.begin() + pairs.first_letter, whole_vectors(pairs.count), Letter{});
}

// The near pairs of a checkpoint, in place of those just picked. `pair` holds i, j and whether they touch.
void CpuBackend::restore_pairs(const std::vector<std::int64_t>& pair, const std::vector<double>& history) {
  const std::size_t materials = scene_.materials.size(), n = state_.size();
  const auto wrong = [] { throw FileError("checkpoint does not belong to this case"); };
  for (Chunk& c : chunks_)
    for (ContactList& list : c.lists)
      for (auto* lists : {&list.own, &list.across})
        for (PairList& pairs : *lists) {
          pairs.i.clear();
          pairs.j.clear();
        }
  const auto place = [&](std::size_t e) -> std::pair<PairList*, int> {
    const auto i = static_cast<std::size_t>(pair[e]), j = static_cast<std::size_t>(pair[e + 1]);
    if (i >= n || j >= n) wrong();
    const std::size_t p = state_.material[i] * materials + state_.material[j];
    if (kernel_of_[p] < 0) wrong();
    Chunk& chunk = chunks_[i / chunk_size_];
    return {&list_of(chunk, kernel_of_[p], p, j < chunk.begin || j >= chunk.end), kernel_of_[p]};
  };
  for (std::size_t e = 0; e + 2 < pair.size(); e += 3) {
    PairList& list = *place(e).first;
    list.i.push_back(static_cast<std::uint32_t>(pair[e]));
    list.j.push_back(static_cast<std::uint32_t>(pair[e + 1]));
  }
  for (Chunk& c : chunks_)
    for (std::size_t l = 0; l < kernels_.size(); ++l)
      for (auto* lists : {&c.lists[l].own, &c.lists[l].across})
        for (PairList& pairs : *lists) {
          pairs.close(kernels_[l]->history());
          pairs.count = 0;  // counts up once more below
        }
  std::size_t next = 0;
  for (std::size_t e = 0; e + 2 < pair.size(); e += 3) {
    const auto [list, kernel] = place(e);
    const std::uint32_t k = list->count++;
    if (pair[e + 2] == 0) continue;
    const int stride = kernels_[kernel]->history();
    if (next + stride > history.size()) wrong();
    for (int h = 0; h < stride; ++h) list->lane(k, stride)[h * kBlock] = history[next + h];
    next += stride;
    list->touching[k / kBlock] |= 1u << k % kBlock;
  }
  address_letters();
}

}  // namespace areia::cpu
