// What ranks tell each other, as words of eight bytes: plain data as it lies in memory, vectors with their length
// before them. All ranks are the same program, on machines of one kind.
#pragma once
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "areia/error.h"
#include "engine/ledger.h"
#include "engine/ranks/link.h"
#include "engine/snapshot.h"

namespace areia::ranks {

class Writer {
 public:
  template <class T>
  void put(const T& one) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&one, sizeof one);
  }
  template <class T>
  void put(const std::vector<T>& all) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(static_cast<std::uint64_t>(all.size()));
    raw(all.data(), all.size() * sizeof(T));
  }
  void put(const std::string& text) { put(std::vector<char>(text.begin(), text.end())); }
  const Message& message() const { return words_; }
  void clear() { words_.clear(); }

 private:
  void raw(const void* from, std::size_t bytes) {
    const std::size_t begin = words_.size();
    words_.resize(begin + (bytes + 7) / 8);
    if (bytes > 0) std::memcpy(words_.data() + begin, from, bytes);
  }
  Message words_;
};

class Reader {
 public:
  explicit Reader(const Message& message) : words_(message) {}

  template <class T>
  void get(T& one) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&one, sizeof one);
  }
  template <class T>
  void get(std::vector<T>& all) {
    all.resize(get<std::uint64_t>());
    raw(all.data(), all.size() * sizeof(T));
  }
  template <class T>
  T get() {
    T one{};
    get(one);
    return one;
  }
  std::string text() {
    std::vector<char> letters;
    get(letters);
    return {letters.begin(), letters.end()};
  }
  bool at_end() const { return next_ == words_.size(); }

 private:
  void raw(void* to, std::size_t bytes) {
    const std::size_t words = (bytes + 7) / 8;
    if (words > words_.size() - next_) throw StoppedError("a message between ranks is shorter than it should be");
    if (bytes > 0) std::memcpy(to, words_.data() + next_, bytes);
    next_ += words;
  }
  const Message& words_;
  std::size_t next_ = 0;
};

// Everything that goes with a body from one rank to another, and from there into a checkpoint.
struct Body {
  std::int64_t id = 0;
  Vec3d x, v, w;
  Quat q{1, 0, 0, 0};
  double radius = 0, mass = 0, charge = 0;
  double inv_j = 0;  // once it is free
  Vec3d placed_x;    // of a prescribed one
  Quat placed_q{1, 0, 0, 0};
  Vec3d old_acceleration, old_turning;
  Vec3d force, torque, field, drag;
  std::uint16_t material = 0, group = 0, set = 0, contacts = 0, contacts_before = 0;
  std::uint8_t prescribed = 0;
};

// By ascending id. Accelerations are written where the scheme keeps them.
void put_bodies(const std::vector<Body>& bodies, bool old_acceleration, bool old_turning, SnapshotParticles& to);
std::vector<Body> bodies_of(const SnapshotParticles& from);

void put_contacts(Writer& to, const SnapshotContacts& contacts);
void add_contacts(Reader& from, SnapshotContacts& contacts);  // behind those that are there
// The contact with this number, its history and its place, behind those of `to`.
struct ContactPlaces {  // where they begin in the columns that have another length
  std::size_t history = 0, place = 0;
};
void add_contact(const SnapshotContacts& from, std::size_t k, const ContactPlaces& at, SnapshotContacts& to);
// In their order, and of those that are the same one only.
SnapshotContacts in_order(const SnapshotContacts& contacts);

void put_ledger(Writer& to, const LedgerSums& sums);
void get_ledger(Reader& from, LedgerSums& sums);  // of the same grid

}  // namespace areia::ranks
