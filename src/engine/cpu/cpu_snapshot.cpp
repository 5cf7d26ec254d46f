#include "engine/cpu/cpu_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "areia/error.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

namespace {

[[noreturn]] void refuse(std::int64_t id) {
  throw FileError(
      fmt::format("the checkpoint does not belong to this case: a contact of particle {} was made by other laws", id));
}

// Slots by id, for ids that are there.
class Slots {
 public:
  explicit Slots(const State& state) : state_(state), by_id_(state.slots_by_id()) {}
  std::uint32_t operator[](std::int64_t id) const {
    return *std::lower_bound(by_id_.begin(), by_id_.end(), id,
                             [&](std::uint32_t slot, std::int64_t other) { return state_.id[slot] < other; });
  }

 private:
  const State& state_;
  std::vector<std::uint32_t> by_id_;
};

// A contact where it lies; its numbers follow each other at this distance.
struct Found {
  std::int64_t i, j;
  std::int32_t wall, patch, k;
  const double* history;
  int numbers, distance;
  const WallMemory* place;  // at a wall

  auto key() const { return std::tie(i, j, wall, patch, k); }
};

template <class F>
void for_each_contact(const State& state, const Scene& scene, const Chunks& chunks, const Laws& laws, bool of_copies,
                      F&& f) {
  for (const Chunk& c : chunks.all)
    for (std::size_t l = 0; l < (c.of_copies && !of_copies ? 0 : c.lists.size()); ++l) {
      const int numbers = laws.kernels[l]->history();
      const ContactList& list = c.lists[l];
      for (const auto* lists : {&list.own, &list.across})
        for (const PairList& pairs : *lists)
          pairs.for_each_touching([&](std::uint32_t k) {
            f(Found{state.id[pairs.i[k]], state.id[pairs.j[k]], -1, 0, 0, pairs.lane(k, numbers), numbers, kBlock,
                    nullptr});
          });
    }
  for (const Chunk& c : chunks.all)
    for (const WallEntry& e : c.walls.entries) {
      std::int32_t wall = -1, patch = -1, k = 0;
      for (std::int32_t r = e.record; r >= 0; r = c.walls.records[r].next) {
        const WallRecord& record = c.walls.records[r];
        k = record.place.wall == wall && record.place.patch == patch ? k + 1 : 0;
        wall = record.place.wall;
        patch = record.place.patch;
        const std::int32_t l = laws.between(state.material[e.i], scene.walls[wall].material);
        f(Found{state.id[e.i], -1, wall, patch, k, c.lists[l].pool.at(record.contact), laws.kernels[l]->history(), 1,
                &record.place});
      }
    }
}

}  // namespace

void keep_particles(const State& state, SnapshotParticles& to) {
  const auto put = [&](const auto& column, std::size_t i, auto& out) {
    if (!column.empty()) out.push_back(column[i]);
  };
  for (const std::uint32_t i : state.slots_by_id()) {
    const bool free = state.free(i);
    to.id.push_back(state.id[i]);
    to.x.push_back(state.position(i).xyz());
    to.v.push_back(state.velocity(i).xyz());
    to.w.push_back(state.spin[i].xyz());
    to.q.push_back(state.orientation[i]);
    to.radius.push_back(state.position(i).w);
    to.mass.push_back(state.mass[i]);
    to.inv_j.push_back(free ? state.spin[i].w : state.placed[i].inv_j);
    put(state.charge, i, to.charge);
    to.material.push_back(state.material[i]);
    to.group.push_back(state.group[i]);
    to.set.push_back(state.set[i]);
    to.prescribed.push_back(!free);
    to.placed_x.push_back(free ? Vec3d{} : state.placed[i].at);
    to.placed_q.push_back(free ? Quat{1, 0, 0, 0} : state.placed[i].turn);
    put(state.old_acceleration, i, to.old_acceleration);
    put(state.old_turning, i, to.old_turning);
    to.force.push_back(state.force(i).xyz());
    to.torque.push_back(state.torque(i).xyz());
    put(state.outer, i, to.field);
    put(state.drag, i, to.drag);
    put(state.distant, i, to.distant);
    to.contacts.push_back(state.contacts(i));
    put(state.friction, i, to.friction);
    put(state.bond_torque, i, to.bond_torque);
  }
}

void keep_contacts(const State& state, const Scene& scene, const Chunks& chunks, const Laws& laws, SnapshotContacts& to,
                   bool of_copies) {
  std::vector<Found> all;
  for_each_contact(state, scene, chunks, laws, of_copies, [&](const Found& c) { all.push_back(c); });
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.key() < b.key(); });
  for (const Found& c : all) {
    to.i.push_back(c.i);
    to.j.push_back(c.j);
    to.wall.push_back(c.wall);
    to.patch.push_back(c.patch);
    to.k.push_back(c.k);
    to.numbers.push_back(c.numbers);
    for (int h = 0; h < c.numbers; ++h) to.history.push_back(c.history[h * c.distance]);
    if (c.place) to.place.push_back(*c.place);
  }
}

void take_over_particles(const SnapshotParticles& from, State& state) {
  State::Uses uses = state.uses;
  uses.charge = !from.charge.empty();
  uses.placed = !from.prescribed.empty();
  state = {};
  state.uses = uses;
  state.resize(from.size());
  const auto get = [](const auto& column, std::size_t k, auto& to) {
    if (!to.empty() && !column.empty()) to[k] = column[k];
  };
  for (std::size_t k = 0; k < from.size(); ++k) {
    const bool free = from.prescribed.empty() || from.prescribed[k] == 0;
    const Vec3d &x = from.x[k], &v = from.v[k], &w = from.w[k], &force = from.force[k], &torque = from.torque[k];
    state.id[k] = static_cast<std::uint32_t>(from.id[k]);
    state.moving[k] = {{x.x, x.y, x.z, from.radius[k]}, {v.x, v.y, v.z, free ? 1 / from.mass[k] : 0}};
    state.spin[k] = {w.x, w.y, w.z, free ? from.inv_j[k] : 0};
    state.orientation[k] = from.q[k];
    state.mass[k] = from.mass[k];
    state.material[k] = from.material[k];
    state.group[k] = from.group[k];
    state.set[k] = from.set[k];
    if (!free) state.placed[k] = {from.placed_x[k], from.placed_q[k], from.inv_j[k]};
    get(from.charge, k, state.charge);
    get(from.old_acceleration, k, state.old_acceleration);
    get(from.old_turning, k, state.old_turning);
    state.pushed[k] = {{force.x, force.y, force.z, 0},
                       {torque.x, torque.y, torque.z, static_cast<double>(from.contacts[k])}};
    get(from.field, k, state.outer);
    get(from.drag, k, state.drag);
    get(from.distant, k, state.distant);
    get(from.friction, k, state.friction);
    get(from.bond_torque, k, state.bond_torque);
  }
}

double widest_gap(const SnapshotContacts& c, const State& state, const World& world) {
  const Slots slots(state);
  double widest = 0;
  auto place = c.place.begin();
  for (std::size_t k = 0; k < c.size(); ++k) {
    const Vec4& x = state.position(slots[c.i[k]]);
    if (c.j[k] >= 0) {
      const Vec4& y = state.position(slots[c.j[k]]);
      widest = std::max(widest, norm(world.periodicity().nearest(y.xyz() - x.xyz())) - x.w - y.w);
      continue;
    }
    const WallView view{world.scene(), world.now().walls, world.periodicity(), nullptr};
    widest = std::max(widest, norm(way_to(view, *place++, x.xyz())) - x.w);
  }
  return widest;
}

void take_over_contacts(const SnapshotContacts& c, const State& state, const Scene& scene, Chunks& chunks,
                        const Laws& laws) {
  const Slots slots(state);
  std::vector<std::size_t> history(c.size() + 1, 0);  // where its numbers begin
  std::vector<std::pair<std::size_t, std::size_t>> of(
      state.size());  // contacts with the slot as i, those at walls first
  std::size_t pairs_left = 0;
  auto place = c.place.begin();
  for (std::size_t e = 0; e < c.size(); ++e) {
    history[e + 1] = history[e] + c.numbers[e];
    const std::uint32_t i = slots[c.i[e]];
    if (e == 0 || c.i[e] != c.i[e - 1]) of[i].first = e;
    of[i].second = e + 1;
    const std::size_t other = c.j[e] < 0 ? scene.walls[c.wall[e]].material : state.material[slots[c.j[e]]];
    const std::int32_t laws_of = laws.between(state.material[i], other);
    if (laws_of < 0 || laws.kernels[laws_of]->history() != c.numbers[e]) refuse(c.i[e]);
    if (c.j[e] >= 0) {
      ++pairs_left;
      continue;
    }
    Chunk& chunk = chunks.of(i);
    WallEntry* const entry = WallList::find(chunk.walls, i);
    if (!entry) refuse(c.i[e]);
    ContactPool& pool = chunk.lists[laws_of].pool;
    WallRecord& record = chunk.walls.append(*entry);
    record.place = *place++;
    record.contact = pool.take();
    std::copy_n(c.history.data() + history[e], c.numbers[e], pool.at(record.contact));
  }
  for (Chunk& chunk : chunks.all)
    for (ContactList& list : chunk.lists)
      for (auto* lists : {&list.own, &list.across})
        for (PairList& pairs : *lists)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const auto [first, last] = of[pairs.i[k]];
            const auto at = std::find(c.j.begin() + static_cast<std::ptrdiff_t>(first),
                                      c.j.begin() + static_cast<std::ptrdiff_t>(last), state.id[pairs.j[k]]);
            const auto e = static_cast<std::size_t>(at - c.j.begin());
            if (e == last) continue;
            double* const lane = pairs.lane(k, c.numbers[e]);
            for (int h = 0; h < c.numbers[e]; ++h) lane[h * kBlock] = c.history[history[e] + h];
            pairs.touching[k / kBlock] |= 1u << k % kBlock;
            --pairs_left;
          }
  if (pairs_left == 0) return;
  throw FileError("the checkpoint does not belong to this case: particles touch that are far from each other");
}

}  // namespace areia::cpu
