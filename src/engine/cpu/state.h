// The particles of the cpu backend in slots: spatial order, renewed whenever the neighbour lists are made.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/vec4.h"
#include "engine/cpu/chunk.h"
#include "engine/world.h"
#include "scene/scene.h"
#include "search/size_class_grid.h"

namespace areia::cpu {

// Where a prescribed particle's motion starts from, and its 1/j once it is released.
struct Placed {
  Vec3d at;
  Quat turn{1, 0, 0, 0};
  double inv_j = 0;
};

// A particle's partner in a contact lies elsewhere in memory, so what is read and written of it together shares a cache
// line.
struct State {
  // per slot
  LineVector<Twin> moving;  // position and radius; velocity and 1/m (0: prescribed)
  LineVector<Vec4> spin;    // and 1/j (0: does not turn by torques)
  LineVector<Quat> orientation;
  LineVector<Twin> pushed;                  // of contacts and bonds: force; torque, and how many contacts there are
  std::vector<Vec3d> outer, drag, distant;  // other forces: fields, fluid, at a distance; or empty
  std::vector<Vec3d> old_acceleration, old_turning;  // velocity_verlet; trapezoid: v - a dt/2 moved it; or empty
  std::vector<Vec3d> built_at;                 // position when the lists were made, where that is needed; or empty
  std::vector<std::uint16_t> contacts_before;  // of the last evaluation, for laws that share limits; or empty
  std::vector<float> limit;                    // of a step before near pairs are picked again, m; see cpu_lists.cpp
  std::vector<std::uint32_t> id;
  std::vector<std::uint16_t> material, group, set;
  std::vector<double> mass;
  std::vector<double> charge;                // or empty: none has any
  std::vector<Placed> placed;                // or empty: none was ever prescribed
  std::vector<Vec3d> friction, bond_torque;  // trapezoid with a ledger: in the committed state; or empty
  bool any_prescribed = false;               // when the lists were made

  // A particle that was taken out while steps go on leaves its slot empty until lists are made: it keeps its velocity,
  // so that whatever bounds the way of particles still does, but is neither free nor near any other.
  static constexpr std::uint32_t kGone = ~0u;  // as id
  std::size_t gone = 0;                        // slots that are empty
  bool is_gone(std::size_t i) const { return id[i] == kGone; }
  void give_up(std::size_t i, const Vec3d& away) {
    position(i).set_xyz(position(i).xyz() + away);
    velocity(i).w = spin[i].w = 0;
    if (uses.old_acceleration) old_acceleration[i] = {};
    if (uses.old_turning) old_turning[i] = {};
    id[i] = kGone;
    ++gone;
  }

  // Where bodies are shared out among ranks (engine/ranks): copies of those that others move stand before and behind
  // the own ones. Pairs read them and push them in vain; nothing here moves or counts them. Else there are none.
  std::uint32_t copies_before = 0, copies_behind = 0;
  std::uint32_t own_begin() const { return copies_before; }
  std::uint32_t own_end() const { return static_cast<std::uint32_t>(size()) - copies_behind; }
  bool is_copy(std::size_t i) const { return i < own_begin() || i >= own_end(); }

  std::size_t size() const { return moving.size(); }  // slots
  Vec4& position(std::size_t i) { return moving[i].first; }
  Vec4& velocity(std::size_t i) { return moving[i].second; }
  Vec4& force(std::size_t i) { return pushed[i].first; }
  Vec4& torque(std::size_t i) { return pushed[i].second; }
  const Vec4& position(std::size_t i) const { return moving[i].first; }
  const Vec4& velocity(std::size_t i) const { return moving[i].second; }
  const Vec4& force(std::size_t i) const { return pushed[i].first; }
  const Vec4& torque(std::size_t i) const { return pushed[i].second; }
  std::uint16_t contacts(std::size_t i) const { return static_cast<std::uint16_t>(torque(i).w); }
  Push* sums() { return reinterpret_cast<Push*>(pushed.data()); }  // while contacts are evaluated
  Half<const Vec4> positions() const { return {&moving.data()->first}; }
  Half<const Vec4> velocities() const { return {&moving.data()->second}; }
  bool free(std::size_t i) const { return velocity(i).w > 0; }
  double charge_of(std::size_t i) const { return charge.empty() ? 0 : charge[i]; }

  // Columns that not every case has. Where one is not in use, it is empty.
  struct Uses {
    bool outer = false, old_acceleration = false, old_turning = false, built_at = false, contacts_before = false;
    bool charge = false, placed = false, committed = false;
  };
  Uses uses;
  void use(bool Uses::*columns) {
    uses.*columns = true;
    resize(size());
  }

  // f(column, in use) for every column but the limits, which are given anew with the near pairs.
  template <class Self, class F>
  static void for_each_column(Self& s, F&& f) {
    f(s.moving, true), f(s.spin, true), f(s.orientation, true), f(s.pushed, true);
    f(s.id, true), f(s.material, true), f(s.group, true), f(s.set, true), f(s.mass, true);
    f(s.outer, s.uses.outer), f(s.drag, s.uses.outer), f(s.distant, s.uses.outer);
    f(s.old_acceleration, s.uses.old_acceleration), f(s.old_turning, s.uses.old_turning);
    f(s.built_at, s.uses.built_at), f(s.contacts_before, s.uses.contacts_before);
    f(s.charge, s.uses.charge), f(s.placed, s.uses.placed);
    f(s.friction, s.uses.committed), f(s.bond_torque, s.uses.committed);
  }
  void resize(std::size_t n) {
    for_each_column(*this, [&](auto& column, bool in_use) {
      if (in_use) column.resize(n);
    });
  }
  // order[new slot] = old slot; who is not named goes. Empty slots must not be.
  void permute(const std::vector<std::uint32_t>& order) {
    gone = 0;
    for_each_column(*this, [&](auto& column, bool in_use) {
      if (!in_use) return;
      std::remove_reference_t<decltype(column)> next(order.size());
      for (std::size_t k = 0; k < order.size(); ++k) next[k] = column[order[k]];
      column.swap(next);
    });
  }
  std::vector<Vec4> places() const {  // with radii
    std::vector<Vec4> all(size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = position(i);
    return all;
  }
  // By a table of all ids while many of them are there: sorting takes several times as long.
  std::vector<std::uint32_t> slots_by_id() const {
    const std::size_t ids = id.empty() ? 0 : std::size_t{1} + *std::max_element(id.begin(), id.end());
    if (ids <= 4 * size()) {
      constexpr std::uint32_t kNone = 0xFFFFFFFF;
      std::vector<std::uint32_t> slot_of(ids, kNone);
      for (std::uint32_t i = 0; i < size(); ++i)
        if (!is_gone(i)) slot_of[id[i]] = i;
      std::erase(slot_of, kNone);
      return slot_of;
    }
    std::vector<std::uint32_t> slots(size());
    std::iota(slots.begin(), slots.end(), 0);
    if (gone > 0) std::erase_if(slots, [&](std::uint32_t i) { return is_gone(i); });
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
    return slots;
  }
  std::vector<std::uint32_t> own_slots_by_id() const {
    std::vector<std::uint32_t> slots = slots_by_id();
    if (copies_before + copies_behind > 0) std::erase_if(slots, [&](std::uint32_t i) { return is_copy(i); });
    return slots;
  }
  std::size_t bytes() const {
    std::size_t sum = sizeof(float) * limit.capacity();
    for_each_column(*this, [&](const auto& column, bool) { sum += column.capacity() * sizeof(column[0]); });
    return sum;
  }
};

// What a contact kernel reads and writes besides its chunk.
struct KernelContext {
  State& state;
  const Scene& scene;
  const std::vector<WallState>& walls;
  const Periodicity& periodicity;
  const Cell* cell;                          // null: it does not deform
  LineVector<Push>& letters;                 // across chunks
  const ForceGrid& grid;                     // of sums of forces
  const std::vector<double>& overlap_share;  // per ordered material pair; all 0 with lever = radius
  double dt;                                 // 0: forces of a given state
  double max_overlap;
  bool record;
  bool feel_walls;  // forces on walls are asked for
  bool prescribed;  // some particles are
};

}  // namespace areia::cpu
