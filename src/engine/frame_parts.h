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

// By i, then wall, j and patch. Particles have few contacts, so these are counted out by i first, and every contact
// moves once.
inline void sort_contacts(Frame& f) {
  std::int64_t most = -1;
  for (const FrameContact& c : f.contacts) most = std::max(most, c.i);
  std::vector<std::uint32_t> first(static_cast<std::size_t>(most + 2), 0), order(f.contacts.size());
  for (const FrameContact& c : f.contacts) ++first[c.i + 1];
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  std::vector<std::uint32_t> next = first;
  for (std::uint32_t k = 0; k < order.size(); ++k) order[next[f.contacts[k].i]++] = k;
  std::vector<FrameContact> sorted;
  sorted.reserve(f.contacts.size());
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    std::sort(order.begin() + first[i], order.begin() + first[i + 1], [&](std::uint32_t p, std::uint32_t q) {
      const FrameContact &a = f.contacts[p], &b = f.contacts[q];
      return std::tie(a.wall, a.j, a.patch, p) < std::tie(b.wall, b.j, b.patch, q);
    });
    for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) sorted.push_back(f.contacts[order[k]]);
  }
  f.contacts.swap(sorted);
}

inline void sort_bonds(Frame& f) {
  std::stable_sort(f.bonds.begin(), f.bonds.end(), [](const FrameBond& a, const FrameBond& b) {
    return std::tie(a.i, a.j, a.wall) < std::tie(b.i, b.j, b.wall);
  });
}

}  // namespace areia
