// Spheres near mesh walls: for each particle and wall the triangles within reach when the lists were made, and what its
// present contacts remember. Contacts of one patch are told apart by their places (scene/triangle_mesh.h).
#pragma once
#include <cstdint>
#include <vector>

#include "scene/scene.h"
#include "scene/shapes/shape.h"

namespace areia::cpu {

struct MeshRecord {
  MeshMemory place;
  std::int32_t contact = -1;  // in the pool of histories
  std::int32_t next = -1;     // of the same particle and wall
};

struct MeshEntry {
  std::uint32_t i;
  std::uint16_t wall;
  std::uint32_t begin, end;  // in `candidates`
  std::int32_t record = -1;  // first of its records
};

struct MeshList {
  std::vector<MeshEntry> entries;  // by i, then wall
  std::vector<std::int32_t> candidates;
  std::vector<MeshRecord> records;
  std::int32_t free = -1;  // chain of records not in use

  std::int32_t take() {
    if (free < 0) {
      records.emplace_back();
      return static_cast<std::int32_t>(records.size()) - 1;
    }
    const std::int32_t k = free;
    free = records[k].next;
    return k;
  }
  void give_back(std::int32_t k) {
    records[k].next = free;
    free = k;
  }
  // Adds a record behind those of an entry.
  MeshRecord& append(MeshEntry& entry) {
    const std::int32_t k = take();
    std::int32_t* end = &entry.record;
    while (*end >= 0) end = &records[*end].next;
    *end = k;
    records[k] = {};
    return records[k];
  }
  // Takes over the contacts of another list of the same candidates.
  void keep(const MeshList& other) {
    entries = other.entries;
    records = other.records;
    free = other.free;
  }
  std::size_t bytes() const {
    return entries.capacity() * sizeof(MeshEntry) + 4 * candidates.capacity() + records.capacity() * sizeof(MeshRecord);
  }
};

// Kept by the thread, so that a step allocates nothing.
struct MeshWork {
  MeshScratch scratch;
  std::vector<MeshMemory> places;
  std::vector<std::int32_t> records, of;
};

// One entry at the present place x of the centre, in the frame of the mesh. meet(patch, point, contact) runs a contact
// and sets or clears its place in the pool; open(overlap, contact) closes one that is gone.
template <class Meet, class Open>
void run_mesh_entry(const TriangleMesh& mesh, MeshList& list, MeshEntry& entry, const Vec3d& x, double radius,
                    double reach, MeshWork& work, Meet&& meet, Open&& open) {
  const std::int32_t* const candidates = list.candidates.data();
  find_mesh_hits(mesh, candidates + entry.begin, candidates + entry.end, x, reach, work.scratch);
  std::vector<MeshHit>& hits = work.scratch.hits;
  if (hits.empty() && entry.record < 0) return;
  work.places.clear();
  work.records.clear();
  for (std::int32_t k = entry.record; k >= 0; k = list.records[k].next) {
    work.places.push_back(list.records[k].place);
    work.records.push_back(k);
  }
  match_hits(hits, work.places, work.places.size(), work.of);
  // Records that go on in the order of the hits; the chain is made anew.
  entry.record = -1;
  for (std::size_t h = hits.size(); h-- > 0;) {
    const std::int32_t known = work.of[h];
    const std::int32_t k = known >= 0 ? work.records[known] : list.take();
    if (known < 0) list.records[k].contact = -1;
    else work.records[known] = -1;
    list.records[k].place = {hits[h].patch, hits[h].point, hits[h].n};
    list.records[k].next = entry.record;
    entry.record = k;
  }
  for (std::size_t m = 0; m < work.records.size(); ++m) {
    const std::int32_t k = work.records[m];
    if (k < 0) continue;
    // along the direction it had, it has opened by this
    const double overlap = radius - dot(work.places[m].point - x, work.places[m].n);
    if (list.records[k].contact >= 0) open(overlap, list.records[k].contact);
    list.give_back(k);
  }
  std::int32_t* link = &entry.record;
  for (const MeshHit& hit : hits) {
    const std::int32_t k = *link;
    meet(hit.patch, WallPoint{true, hit.distance, hit.n}, list.records[k].contact);
    if (list.records[k].contact >= 0) {
      link = &list.records[k].next;
    } else {  // within reach, but not acting
      *link = list.records[k].next;
      list.give_back(k);
    }
  }
}

}  // namespace areia::cpu
