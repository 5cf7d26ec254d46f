// What every backend puts into a frame in the same way: the names of the scene, and the order of contacts and bonds.
#pragma once

#include <algorithm>
#include <tuple>

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

inline void sort_contacts(Frame& f) {
  std::stable_sort(f.contacts.begin(), f.contacts.end(), [](const FrameContact& a, const FrameContact& b) {
    return std::tie(a.i, a.wall, a.j, a.patch) < std::tie(b.i, b.wall, b.j, b.patch);
  });
}

inline void sort_bonds(Frame& f) {
  std::stable_sort(f.bonds.begin(), f.bonds.end(), [](const FrameBond& a, const FrameBond& b) {
    return std::tie(a.i, a.j, a.wall) < std::tie(b.i, b.j, b.wall);
  });
}

}  // namespace areia
