// Spheres near walls: for each particle what it may touch of them before lists are made again, and what its present
// contacts remember (engine/wall_contacts.h).
#pragma once
#include <cstdint>
#include <vector>

#include "engine/wall_contacts.h"

namespace areia::cpu {

struct WallRecord {
  WallMemory place;
  std::int32_t contact = -1;  // in the pool of histories of its laws
  std::int32_t next = -1;     // of the same particle
};

// A particle with what it may touch.
struct WallEntry {
  std::uint32_t i;
  std::uint32_t begin, end;  // in the candidates
  std::int32_t record = -1;  // first of its contacts, in the order of sort_out
};

struct WallList {
  std::vector<WallEntry> entries;         // by i, within the skin ...
  std::vector<WallCandidate> candidates;  // by wall, patch and image
  std::vector<std::int32_t> triangles;

  struct Near {
    std::uint32_t entry, begin, end;  // in `near_candidates`
  };
  std::vector<Near> near;  // ... and those of them that are looked at on every step
  std::vector<WallCandidate> near_candidates;

  std::vector<WallRecord> records;
  std::int32_t free = -1;  // chain of records not in use

  std::int32_t take() {
    if (free < 0) {
      records.emplace_back();
      return static_cast<std::int32_t>(records.size()) - 1;
    }
    const std::int32_t k = free;
    free = records[k].next;
    records[k] = {};
    return k;
  }
  void give_back(std::int32_t k) {
    records[k].next = free;
    free = k;
  }
  // Adds a record behind those of an entry.
  WallRecord& append(WallEntry& entry) {
    const std::int32_t k = take();
    std::int32_t* end = &entry.record;
    while (*end >= 0) end = &records[*end].next;
    *end = k;
    return records[k];
  }
  // The entry of a particle, or null.
  template <class Self>
  static auto find(Self& list, std::uint32_t i) -> decltype(list.entries.data()) {
    auto low = list.entries.data(), high = low + list.entries.size();
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      if (middle->i < i) low = middle + 1;
      else high = middle;
    }
    return low != list.entries.data() + list.entries.size() && low->i == i ? low : nullptr;
  }
  // Takes over the contacts of another list of the same candidates.
  void keep_contacts(const WallList& other) {
    entries = other.entries;
    records = other.records;
    free = other.free;
  }
  std::size_t bytes() const {
    return entries.capacity() * sizeof(WallEntry) +
           sizeof(WallCandidate) * (candidates.capacity() + near_candidates.capacity()) + 4 * triangles.capacity() +
           near.capacity() * sizeof(Near) + records.capacity() * sizeof(WallRecord);
  }
};

// A contact of a particle with a wall that acts now.
struct WallMeeting {
  std::uint32_t i;
  std::int32_t record;
  double overlap;
  Vec3d n, place;
  std::int32_t wall, patch;
  std::int32_t kernel;
};

// One that acts no longer.
struct WallOpening {
  std::uint32_t i;
  std::int32_t wall, contact, kernel;
  double overlap;
};

// What the walls of one chunk come to in one evaluation. Kept by the thread, so that a step allocates nothing.
struct WallMeetings {
  std::vector<WallMeeting> meetings;
  std::vector<WallOpening> openings;
  WallScratch scratch;
  std::vector<std::int32_t> records;
};

struct Laws;
struct KernelContext;
struct Chunk;

// Finds the contacts of a chunk with walls, joins them to those of the last evaluation and renews the records.
void meet_walls(const KernelContext& context, const Laws& laws, Chunk& chunk, WallMeetings& out);

}  // namespace areia::cpu
