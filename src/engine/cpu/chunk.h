// A chunk: a number of consecutive particles, the unit of parallel work. Neither its size nor who works on it enters a
// result: sums of forces have no order (pushes.h).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "areia/vec3.h"
#include "core/aligned.h"
#include "core/vec4.h"
#include "engine/cpu/pushes.h"
#include "engine/cpu/wall_list.h"
#include "engine/ledger.h"

namespace areia::cpu {

inline constexpr int kBlock = 32;  // pairs that run through the laws together

// Pairs of two materials near enough to touch soon, in blocks: first those that touched when they were picked, then the
// others, each run ordered by the lower slot, then the higher one. i is the particle with the lower id. Histories stay
// beside their pair: number h of lane k in block b is history[(b * stride + h) * kBlock + k]. Lanes behind the last
// pair repeat it and never touch.
struct PairList {
  std::uint32_t count = 0;
  std::uint32_t first_letter = 0;       // of a list across chunks: pair k writes letter first_letter + k
  std::vector<std::uint32_t> i, j;      // slots; whole blocks
  std::vector<std::uint32_t> touching;  // per block, one bit per lane
  LineVector<double> history;

  std::uint32_t blocks() const { return (count + kBlock - 1) / kBlock; }
  std::uint32_t low(std::uint32_t k) const { return std::min(i[k], j[k]); }
  std::uint32_t high(std::uint32_t k) const { return std::max(i[k], j[k]); }
  bool touches(std::uint32_t k) const { return touching[k / kBlock] >> (k % kBlock) & 1; }
  double* lane(std::uint32_t k, int stride) {
    return history.data() + static_cast<std::size_t>(k / kBlock) * stride * kBlock + k % kBlock;
  }
  const double* lane(std::uint32_t k, int stride) const { return const_cast<PairList*>(this)->lane(k, stride); }
  std::int64_t contacts() const {
    std::int64_t n = 0;
    for (const std::uint32_t t : touching) n += std::popcount(t);
    return n;
  }
  template <class F>
  void for_each_touching(F&& use) const {
    for (std::uint32_t b = 0; b < touching.size(); ++b)
      for (std::uint32_t bits = touching[b]; bits != 0; bits &= bits - 1) use(b * kBlock + std::countr_zero(bits));
  }
  // f(k) for each pair of this particle.
  template <class F>
  void for_each_of(std::uint32_t slot, F&& f) const {
    for (std::uint32_t first = 0; first < count; first += kBlock) {
      const std::uint32_t *const a = &i[first], *const b = &j[first];
      std::uint32_t any = 0;
      for (int k = 0; k < kBlock; ++k) any |= static_cast<std::uint32_t>(a[k] == slot || b[k] == slot);
      for (std::uint32_t k = first; any != 0 && k < std::min(count, first + kBlock); ++k)
        if (i[k] == slot || j[k] == slot) f(k);
    }
  }
  // Empty, with room for so many pairs and little more.
  void make_room(std::size_t pairs, int stride) {
    const std::size_t whole = (pairs + kBlock - 1) / kBlock * kBlock, some = whole / 32;
    if (i.capacity() < whole || i.capacity() > whole + 4 * some + 8 * kBlock) {
      *this = {};
      i.reserve(whole + some);
      j.reserve(whole + some);
      touching.reserve((whole + some) / kBlock + 1);
      history.reserve((whole + some) * stride);
    }
    i.clear();
    j.clear();
  }
  // Sets the length to that of i and j, which hold the pairs in any orientation, and puts lower ids first; nothing
  // touches.
  void close(const std::vector<std::uint32_t>& id, int stride) {
    count = static_cast<std::uint32_t>(i.size());
    const std::size_t whole = static_cast<std::size_t>(blocks()) * kBlock;
    if (count > 0) {
      i.resize(whole, i.back());
      j.resize(whole, j.back());
    }
    for (std::size_t k = 0; k < whole; ++k) {
      const std::uint32_t a = i[k], b = j[k], swap = id[b] < id[a] ? a ^ b : 0;
      i[k] = a ^ swap;
      j[k] = b ^ swap;
    }
    touching.assign(blocks(), 0);
    history.resize(whole * stride);  // what does not touch has none
  }
  std::size_t bytes() const { return 4 * (i.capacity() + j.capacity() + touching.capacity()) + 8 * history.capacity(); }
};

// Histories of wall contacts. A contact's place in the pool has no influence on results.
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

// The near pairs of one chunk that follow one set of laws, and the histories of such wall contacts.
struct ContactList {
  std::vector<PairList> own, across;  // per ordered pair of materials: both in this chunk, one in a later one
  ContactPool pool;                   // of wall contacts
};

struct ContactRecord {       // what a frame shows of a contact
  std::uint32_t i, j;        // slots; j unused at a wall
  std::int32_t wall, patch;  // -1: a pair
  Vec3d n, force, spring;
  double overlap, normal, tangential;
};

struct OnWall {  // what a contact does to a wall
  std::uint32_t wall;
  Vec3d force, torque;  // torque about its pose's centre
};

struct Mail {  // where a letter goes
  std::uint32_t slot, letter;
};

inline constexpr std::uint32_t kBehindRows = 8;  // slots without a meaning, so that vectors may be read from any row

struct Chunk {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t own_end = 0;             // those from begin to here are moved; behind them are copies (state.h)
  bool of_copies = false;                // it has copies alone, of ranks that keep the books of its pairs
  std::vector<std::uint32_t> row, near;  // row[i - begin] .. row[i - begin + 1]: slots within the skin of i, ascending
  std::vector<ContactList> lists;        // one per set of laws
  WallList walls;
  std::vector<Mail> mail;              // letters of pairs across chunks to particles of this one
  std::vector<std::uint32_t> targets;  // chunks that it writes letters to; all behind it ...
  std::vector<std::uint32_t> sources;  // ... and those that write to this one
  std::vector<LargeTerm> large;        // of its contacts in the last evaluation, of any slots
  LedgerSums sums;
  CellSums virial;                     // of the last evaluation, in a cell that deforms
  std::vector<OnWall> on_walls;        // of the last evaluation, if asked for
  std::vector<ContactRecord> records;  // of the last evaluation, if asked for
  double moved2 = 0;     // largest square of a step of the last move; implicit: of the way since the lists were made
  bool hurried = false;  // some step of the last move was beyond its limit
  std::uint32_t failed = ~0u;  // id of the lowest particle in trouble
  // Some pair touches to the last bit only (kTouching), or that was not looked for: in this evaluation, in the last
  // one.
  bool barely = true, barely_before = true;
  std::uint32_t outside = 0;  // centres that left the domain in the last move
};

}  // namespace areia::cpu
