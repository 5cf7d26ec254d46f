// What every backend puts into a frame in the same way: the names of the scene, and the order of contacts and bonds.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "areia/frame.h"
#include "scene/scene.h"

namespace areia {

inline void fill_names(Frame& f, const Scene& scene) {
  f.groups = scene.groups;
  f.materials.clear();
  for (const Material& m : scene.materials) f.materials.push_back(m.name);
  f.bond_sets.clear();
  for (const BondSet& set : scene.settings.bonds) f.bond_sets.push_back(set.name);
}

// The contacts of a frame by i, then wall, j and patch; contacts of one patch of a mesh in the order they come. There
// may be many, so each is put into its place at once: all are announced first, by the row of i among the particles, and
// particles have few.
class ContactsInOrder {
 public:
  explicit ContactsInOrder(Frame& f) : contacts_(f.contacts) {}
  void announce(std::int64_t i) {
    if (end_.size() < static_cast<std::size_t>(i + 2)) end_.resize(i + 2, 0);
    ++end_[i + 1];
  }
  void open() {
    for (std::size_t k = 1; k < end_.size(); ++k) end_[k] += end_[k - 1];
    contacts_.clear();
    contacts_.resize(end_.empty() ? 0 : end_.back());
  }
  void put(std::int64_t row, const FrameContact& c) { contacts_[end_[row]++] = c; }
  void close() {
    std::uint32_t begin = 0;
    for (const std::uint32_t end : end_) {
      std::stable_sort(contacts_.begin() + begin, contacts_.begin() + end,
                       [](const FrameContact& a, const FrameContact& b) {
                         return std::tie(a.wall, a.j, a.patch) < std::tie(b.wall, b.j, b.patch);
                       });
      begin = end;
    }
  }

 private:
  std::vector<FrameContact>& contacts_;
  std::vector<std::uint32_t> end_;  // where the next contact of particle i goes
};

inline void sort_bonds(Frame& f) {
  std::stable_sort(f.bonds.begin(), f.bonds.end(), [](const FrameBond& a, const FrameBond& b) {
    return std::tie(a.i, a.j, a.wall) < std::tie(b.i, b.j, b.wall);
  });
}

}  // namespace areia
