// A chunk: a fixed number of consecutive particles, the unit of parallel work.
//
// Sums over contacts must come in the same order whatever the number of threads. So the particles are cut into chunks
// whose number depends on the particle count alone; a chunk adds the forces of its own pairs in list order, and hands
// the reaction on a particle of another chunk over through that particle's inbox, which the owner adds afterwards in
// the order fixed when the lists were made.
#pragma once
#include <cstdint>
#include <vector>

#include "areia/vec3.h"
#include "engine/cpu/mesh_contacts.h"
#include "engine/ledger.h"

namespace areia::cpu {

// Histories of touching contacts. A contact's place in the pool has no influence on results.
class ContactPool {
 public:
  void reset(int stride) {
    stride_ = stride;
    data_.clear();
    free_.clear();
  }
  std::int32_t take() {
    if (!free_.empty()) {
      const std::int32_t k = free_.back();
      free_.pop_back();
      return k;
    }
    const auto k = static_cast<std::int32_t>(data_.size() / stride_);
    data_.resize(data_.size() + stride_, 0.0);
    return k;
  }
  void give_back(std::int32_t k) { free_.push_back(k); }
  double* at(std::int32_t k) { return data_.data() + static_cast<std::size_t>(k) * stride_; }
  const double* at(std::int32_t k) const { return data_.data() + static_cast<std::size_t>(k) * stride_; }
  std::int64_t touching() const {
    return stride_ > 0 ? static_cast<std::int64_t>(data_.size() / stride_ - free_.size()) : 0;
  }
  std::size_t bytes() const { return 8 * data_.capacity() + 4 * free_.capacity(); }

 private:
  int stride_ = 0;
  std::vector<double> data_;
  std::vector<std::int32_t> free_;
};

struct WallEntry {
  std::uint32_t i;
  std::uint16_t wall;
  std::uint16_t patch;
  std::int32_t contact;  // in the pool, or -1
};

// The pairs and wall candidates of one chunk that follow one interaction.
struct ContactList {
  std::vector<std::uint32_t> row;  // row[i - begin] .. row[i - begin + 1]: the entries of i
  std::vector<std::uint32_t> j;
  std::vector<std::int32_t> contact;  // in the pool, or -1 while not touching
  std::vector<std::uint32_t> inbox;   // for the entries with j outside the chunk, in their order
  std::vector<WallEntry> walls;
  MeshList meshes;
  ContactPool pool;
};

struct ContactRecord {       // what a frame shows of a contact
  std::uint32_t i, j;        // slots; j unused at a wall
  std::int32_t wall, patch;  // -1: a pair
  Vec3d n, force, spring;
  double overlap, normal, tangential;
};

struct WallSum {
  Vec3d force, torque;  // on the wall; torque about its pose's centre
};

struct Chunk {
  std::uint32_t begin = 0, end = 0;
  std::vector<ContactList> lists;  // one per interaction
  LedgerSums sums;
  std::vector<WallSum> wall_sums;      // one per wall, of the last evaluation
  std::vector<ContactRecord> records;  // of the last evaluation, if asked for
  double moved2 = 0;                   // largest squared displacement since the lists were made
  std::uint32_t failed = ~0u;          // id of the lowest particle in trouble
  std::uint32_t outside = 0;           // centres that left the domain in the last move
};

struct Letter {  // the reaction on a particle of another chunk
  Vec3d force, torque;
};

}  // namespace areia::cpu
