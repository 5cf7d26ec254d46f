// The times of the next events, one per particle, with the earliest on top: a heap of four children per node, so that
// a node's children share a cache line. Equal times are ordered by id, so the order does not depend on the heap's past.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace areia::events {

class EventQueue {
 public:
  // One entry for each of these times; ids are their indices.
  void build(const std::vector<double>& times) {
    heap_.resize(times.size());
    place_.resize(times.size());
    for (std::uint32_t i = 0; i < times.size(); ++i) heap_[i] = entry(times[i], i);
    std::sort(heap_.begin(), heap_.end());  // a sorted array is a heap
    for (std::uint32_t k = 0; k < heap_.size(); ++k) place_[id_of(heap_[k])] = k;
  }

  bool empty() const { return heap_.empty(); }
  double time() const { return std::bit_cast<double>(static_cast<std::uint64_t>(heap_.front() >> 64)); }
  std::uint32_t id() const { return id_of(heap_.front()); }

  void update(std::uint32_t id, double time) {
    const std::uint32_t at = place_[id];
    const Entry e = entry(time, id);
    if (e < heap_[at]) rise(at, e);
    else sink(at, e);
  }
  std::size_t bytes() const { return heap_.capacity() * sizeof(Entry) + place_.capacity() * sizeof(std::uint32_t); }

 private:
  // Time and id in one number: the bits of a double that is not negative are in the order of its values, and one
  // comparison without a branch orders by (time, id).
  __extension__ using Entry = unsigned __int128;
  static Entry entry(double time, std::uint32_t id) {
    return static_cast<Entry>(std::bit_cast<std::uint64_t>(time)) << 64 | id;
  }
  static std::uint32_t id_of(Entry e) { return static_cast<std::uint32_t>(e); }

  void put(std::size_t at, Entry e) {
    heap_[at] = e;
    place_[id_of(e)] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at, Entry e) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (e >= heap_[parent]) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, e);
  }
  void sink(std::size_t at, Entry e) {
    const std::size_t n = heap_.size();
    for (;;) {
      const std::size_t first = 4 * at + 1;
      if (first >= n) break;
      std::size_t least = first;
      if (first + 4 <= n) {
        const std::size_t a = heap_[first + 1] < heap_[first] ? first + 1 : first;
        const std::size_t b = heap_[first + 3] < heap_[first + 2] ? first + 3 : first + 2;
        least = heap_[b] < heap_[a] ? b : a;
      } else {
        for (std::size_t k = first + 1; k < n; ++k)
          if (heap_[k] < heap_[least]) least = k;
      }
      if (heap_[least] >= e) break;
      put(at, heap_[least]);
      at = least;
    }
    put(at, e);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace areia::events
