// The times of the next events, one per particle, with the earliest on top: a heap of four children per node, so that
// a node's children share a cache line. Equal times are ordered by id, so the order does not depend on the heap's past.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace areia::events {

class EventQueue {
 public:
  // One entry for each of these times; ids are their indices.
  void build(const std::vector<double>& times) {
    heap_.resize(times.size());
    place_.resize(times.size());
    for (std::uint32_t i = 0; i < times.size(); ++i) heap_[i] = {times[i], i};
    std::sort(heap_.begin(), heap_.end(), before);  // a sorted array is a heap
    for (std::uint32_t k = 0; k < heap_.size(); ++k) place_[heap_[k].id] = k;
  }

  bool empty() const { return heap_.empty(); }
  double time() const { return heap_.front().time; }
  std::uint32_t id() const { return heap_.front().id; }

  void update(std::uint32_t id, double time) {
    const std::uint32_t at = place_[id];
    const Entry e{time, id};
    if (before(e, heap_[at])) rise(at, e);
    else sink(at, e);
  }
  std::size_t bytes() const { return heap_.capacity() * sizeof(Entry) + place_.capacity() * sizeof(std::uint32_t); }

 private:
  struct Entry {
    double time;
    std::uint32_t id;
  };
  static bool before(const Entry& a, const Entry& b) { return a.time < b.time || (a.time == b.time && a.id < b.id); }

  void put(std::size_t at, const Entry& e) {
    heap_[at] = e;
    place_[e.id] = static_cast<std::uint32_t>(at);
  }
  void rise(std::size_t at, const Entry& e) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!before(e, heap_[parent])) break;
      put(at, heap_[parent]);
      at = parent;
    }
    put(at, e);
  }
  void sink(std::size_t at, const Entry& e) {
    const std::size_t n = heap_.size();
    for (;;) {
      const std::size_t first = 4 * at + 1;
      if (first >= n) break;
      std::size_t least = first;
      const std::size_t last = std::min(first + 4, n);
      for (std::size_t k = first + 1; k < last; ++k)
        if (before(heap_[k], heap_[least])) least = k;
      if (!before(heap_[least], e)) break;
      put(at, heap_[least]);
      at = least;
    }
    put(at, e);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace areia::events
