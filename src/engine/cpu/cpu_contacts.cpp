#include "engine/cpu/cpu_contacts.h"

#include <algorithm>
#include <tuple>

#include "areia/error.h"
#include "engine/cpu/contact_block.h"
#include "physics/touch.h"

namespace areia::cpu {

Contacts::Contacts(World& world, State& state, Chunks& chunks, const Laws& laws, bool walls_feel_more)
    : world_(world), state_(state), chunks_(chunks), laws_(laws), walls_feel_more_(walls_feel_more) {
  servos_ = !world.scene().settings.loading.empty();
  for (const SceneWall& w : world.scene().walls) servos_ = servos_ || w.servo.on;
}

KernelContext Contacts::context(double dt, bool record) {
  const Scene& scene = world_.scene();
  return {state_,
          scene,
          world_.now().walls,
          world_.periodicity(),
          world_.cell().deforms() ? &world_.cell() : nullptr,
          letters_,
          world_.force_grid(),
          laws_.overlap_share,
          dt,
          scene.settings.numerics.max_overlap,
          record,
          record || servos_,
          state_.any_prescribed};
}

// An upper bound of the contacts of a chunk, those at edges and meshes left out: room for their records.
static std::size_t most_contacts(const Chunk& chunk) {
  std::size_t n = chunk.walls.near_candidates.size();
  for (const ContactList& list : chunk.lists) {
    for (const auto* lists : {&list.own, &list.across})
      for (const PairList& pairs : *lists) n += pairs.count;
  }
  return n;
}

void Contacts::run_kernels(const KernelContext& c, Chunk& chunk) {
  if (!walls_feel_more_) chunk.on_walls.clear();
  chunk.records.clear();
  if (c.record) chunk.records.reserve(most_contacts(chunk));
  else if (chunk.records.capacity() > 0) std::vector<ContactRecord>().swap(chunk.records);  // more than steps need
  chunk.large.clear();
  chunk.barely_before = chunk.barely;
  chunk.barely = false;
  if (c.cell) chunk.virial = CellSums(c.cell->grid());
  if (!cleared_) std::fill(state_.sums() + chunk.begin, state_.sums() + chunk.end, Push{});
  for (std::size_t k = 0; k < laws_.kernels.size(); ++k) laws_.kernels[k]->run_pairs(c, chunk, chunk.lists[k]);
  static thread_local WallMeetings walls;
  meet_walls(c, laws_, chunk, walls);
  for (std::size_t k = 0; k < laws_.kernels.size(); ++k) laws_.kernels[k]->run_walls(c, chunk, chunk.lists[k], walls);
}

void Contacts::collect_letters(Chunk& chunk) {
  constexpr std::size_t kAhead = 12;
  const auto add = [](Quanta& to, const Quanta& a) {
    to.x += a.x;
    to.y += a.y;
    to.z += a.z;
    to.w += a.w;
  };
  const std::size_t n = chunk.mail.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (k + kAhead < n) __builtin_prefetch(&letters_[chunk.mail[k + kAhead].letter]);
    const Push& letter = letters_[chunk.mail[k].letter];
    Push& sum = state_.sums()[chunk.mail[k].slot];
    add(sum.force, letter.force);
    add(sum.torque, letter.torque);
  }
}

// Those of the chunk's particles, from its own contacts and from those of others with them.
std::vector<LargeTerm> Contacts::large_terms(const Chunk& chunk) const {
  std::vector<LargeTerm> all;
  const auto take = [&](const Chunk& from) {
    for (const LargeTerm& term : from.large)
      if (term.slot >= chunk.begin && term.slot < chunk.end) all.push_back(term);
  };
  take(chunk);
  for (const std::uint32_t source : chunk.sources) take(chunks_.all[source]);
  return all;
}

bool Contacts::any_large(const Chunk& chunk) const {
  return !chunk.large.empty() || std::any_of(chunk.sources.begin(), chunk.sources.end(),
                                             [&](std::uint32_t source) { return !chunks_.all[source].large.empty(); });
}

void Contacts::settle(Chunk& chunk) {
  Twin* const places = state_.pushed.data() + chunk.begin;
  std::vector<LargeForce> with_large;
  if (any_large(chunk)) with_large = sums_with(large_terms(chunk), world_.force_grid(), places, chunk.begin);
  cpu::settle(world_.force_grid(), places, chunk.end - chunk.begin);
  put(with_large, places, chunk.begin);
}

void Contacts::sum_walls() {
  std::vector<WallState>& walls = world_.now().walls;
  on_walls_.clear(walls.size());
  for (const Chunk& chunk : chunks_.all)
    for (const OnWall& c : chunk.on_walls) on_walls_.add(c.wall, c.force, c.torque);
  for (std::size_t w = 0; w < walls.size(); ++w) walls[w].sum = on_walls_.value(w);
}

void Contacts::sum_virial(bool moved) {
  CellSums sum(world_.cell().grid());
  for (const Chunk& chunk : chunks_.all) sum += chunk.virial;
  world_.take_virial(sum.value(), moved);
}

void Contacts::add_energy(const Chunk& chunk, StoredSums& energy) const {
  const KernelContext c = const_cast<Contacts*>(this)->context(0, false);  // kernels only read it here
  for (std::size_t l = 0; l < laws_.kernels.size(); ++l) laws_.kernels[l]->stored(c, chunk, chunk.lists[l], energy);
}

// With the velocity of the move that follows the last kick.
Body<double> Contacts::body_of(std::uint32_t i) const {
  const Vec4 &velocity = state_.velocity(i), &spin = state_.spin[i];
  Body<double> b{velocity.xyz(), spin.xyz(), state_.position(i).w, velocity.w, spin.w, 1};
  if (state_.uses.old_turning) {
    const double half = 0.5 * world_.dt();
    b.v += half * state_.old_acceleration[i];
    b.w += half * state_.old_turning[i];
  }
  return b;
}

Booking<double> Contacts::second_half(std::size_t materials, std::uint32_t i, std::uint32_t j,
                                      const double* history) const {
  const Body<double> b = body_of(j);
  Body<double> a = body_of(i);
  const Vec3d d = world_.periodicity().nearest(state_.position(j).xyz() - state_.position(i).xyz());
  if (world_.cell().deforms()) a.v += world_.cell().closing(d);
  Touch<double> touch = touch_of(d, a.radius, b.radius, a.inv_m, b.inv_m);
  if (const double share = laws_.overlap_share[materials]; share > 0) shorten_levers(touch, share, 1 - share);
  return laws_.kernels[laws_.kernel_of[materials]]->laws_of(materials).second_half(touch, a, b, world_.dt(), history);
}

Booking<double> Contacts::second_half(std::size_t materials, std::uint32_t i, const WallMemory& at,
                                      const double* history) const {
  const Body<double> a = body_of(i);
  if (a.inv_m == 0) return {};
  const WallState& now = world_.now().walls[at.wall];
  const Body<double> wall{now.velocity_at(now.pose.to_world(at.point), at.n), now.spin(), 0, 0, 0, 0};
  Touch<double> touch = touch_of_wall(at.n, history[0], a.radius, a.inv_m);
  if (const double share = laws_.overlap_share[materials]; share > 0) shorten_levers(touch, share, 0);
  return laws_.kernels[laws_.kernel_of[materials]]->laws_of(materials).second_half(touch, a, wall, world_.dt(),
                                                                                   history);
}

void Contacts::book_second_halves(double times) const {
  Booking<GridSum>& sum = world_.now().ledger.contact;
  double history[kMostHistory];
  for (const Chunk& chunk : chunks_.all) {
    for (std::size_t l = 0; l < laws_.kernels.size(); ++l) {
      const int numbers = laws_.kernels[l]->history();
      for (const auto* lists : {&chunk.lists[l].own, &chunk.lists[l].across})
        for (std::size_t materials = 0; materials < lists->size(); ++materials) {
          const PairList& pairs = (*lists)[materials];
          pairs.for_each_touching([&](std::uint32_t k) {
            for (int h = 0; h < numbers; ++h) history[h] = pairs.lane(k, numbers)[h * kBlock];
            sum += times * second_half(materials, pairs.i[k], pairs.j[k], history);
          });
        }
    }
    for (const WallEntry& entry : chunk.walls.entries)
      for (std::int32_t k = entry.record; k >= 0; k = chunk.walls.records[k].next) {
        const WallRecord& record = chunk.walls.records[k];
        const std::size_t materials =
            state_.material[entry.i] * laws_.materials + world_.scene().walls[record.place.wall].material;
        sum += times * second_half(materials, entry.i, record.place,
                                   chunk.lists[laws_.kernel_of[materials]].pool.at(record.contact));
      }
  }
}

void Contacts::end_pairs_of(std::uint32_t slot, Chunk& chunk, std::vector<PairList> ContactList::*kind,
                            StoredSums& energy) {
  double history[kMostHistory];
  for (std::size_t l = 0; l < laws_.kernels.size(); ++l) {
    const int numbers = laws_.kernels[l]->history();
    std::vector<PairList>& lists = chunk.lists[l].*kind;
    for (std::size_t materials = 0; materials < lists.size(); ++materials) {
      PairList& pairs = lists[materials];
      pairs.for_each_of(slot, [&](std::uint32_t k) {
        if (!pairs.touches(k)) return;
        if (!chunk.of_copies) {
          for (int h = 0; h < numbers; ++h) history[h] = pairs.lane(k, numbers)[h * kBlock];
          laws_.kernels[l]->laws_of(materials).store(
              bodies(state_.position(pairs.i[k]).w, state_.position(pairs.j[k]).w), history, energy);
          if (world_.leaves_halves())
            world_.now().ledger.contact += second_half(materials, pairs.i[k], pairs.j[k], history);
        }
        pairs.touching[k / kBlock] &= ~(1u << k % kBlock);
        if (kind == &ContactList::across) letters_[pairs.first_letter + k] = {};  // as of all that do not touch
      });
    }
  }
}

void Contacts::end_all_of(std::uint32_t slot, StoredSums& energy) {
  Chunk& home = chunks_.of(slot);
  end_pairs_of(slot, home, &ContactList::own, energy);
  end_pairs_of(slot, home, &ContactList::across, energy);
  for (const std::uint32_t source : home.sources) end_pairs_of(slot, chunks_.all[source], &ContactList::across, energy);
  for (Chunk& c : chunks_.all) c.records.clear();
  WallList& walls = home.walls;
  WallEntry* const entry = WallList::find(walls, slot);
  if (!entry) return;
  for (std::int32_t k = entry->record; k >= 0;) {
    const WallRecord record = walls.records[k];
    const std::size_t materials =
        state_.material[slot] * laws_.materials + world_.scene().walls[record.place.wall].material;
    const std::int32_t l = laws_.kernel_of[materials];
    ContactPool& pool = home.lists[l].pool;
    laws_.kernels[l]->laws_of(materials).store(bodies(state_.position(slot).w, 0), pool.at(record.contact), energy);
    if (world_.leaves_halves())
      world_.now().ledger.contact += second_half(materials, slot, record.place, pool.at(record.contact));
    pool.give_back(record.contact);
    walls.give_back(k);
    k = record.next;
  }
  entry->record = -1;
  entry->end = entry->begin;
  const auto at = static_cast<std::uint32_t>(entry - walls.entries.data());
  std::erase_if(walls.near, [&](const WallList::Near& near) { return near.entry == at; });
}

std::vector<const ContactRecord*> Contacts::records_in_order() const {
  std::vector<const ContactRecord*> all;
  for (const Chunk& c : chunks_.all)
    for (const ContactRecord& k : c.records) all.push_back(&k);
  const auto key = [&](const ContactRecord* k) {
    const std::int64_t j = k->wall < 0 ? static_cast<std::int64_t>(state_.id[k->j]) : -1;
    return std::tuple(state_.id[k->i], k->wall >= 0, j, k->wall, k->patch);
  };
  std::stable_sort(all.begin(), all.end(), [&](auto* a, auto* b) { return key(a) < key(b); });
  return all;
}

// They lie one after the other in the order of the lists.
void Contacts::address_letters() {
  std::vector<Chunk>& all = chunks_.all;
  std::vector<const Chunk*> last_writer(all.size(), nullptr);
  for (Chunk& c : all) {
    c.mail.clear();
    c.targets.clear();
    c.sources.clear();
  }
  if (waiting_count_ != all.size() || !waiting_) {
    waiting_count_ = all.size();
    waiting_ = std::make_unique<std::atomic<std::uint32_t>[]>(waiting_count_);
  }
  std::size_t next = 0;
  for (Chunk& c : all)
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.across) {
        if (next + pairs.count > ~0u - kBlock)
          throw StoppedError(
              "more pairs of particles are near each other than the cpu engine can hold; spread the particles over "
              "more "
              "machines, or lower `numerics.skin`");
        pairs.first_letter = static_cast<std::uint32_t>(next);
        for (std::uint32_t k = 0; k < pairs.count; ++k) {
          const std::uint32_t there = pairs.high(k);
          const auto target = static_cast<std::uint32_t>(chunks_.number_of(there));
          all[target].mail.push_back({there, pairs.first_letter + k});
          if (last_writer[target] == &c) continue;
          last_writer[target] = &c;
          c.targets.push_back(target);
          all[target].sources.push_back(static_cast<std::uint32_t>(chunks_.index(c)));
        }
        next += whole_vectors<std::size_t>(pairs.count);  // vectors are written in whole
      }
  if (letters_.capacity() < next) {
    letters_ = LineVector<Push>();
    letters_.reserve(next + next / 16);
  }
  letters_.resize(next);
  chunks_.for_each([&](Chunk& c) { clear_letters(c); });
}

void Contacts::clear_letters(const Chunk& chunk) {
  for (const ContactList& list : chunk.lists)
    for (const PairList& pairs : list.across)
      std::fill_n(letters_.begin() + pairs.first_letter, whole_vectors(pairs.count), Push{});
}

}  // namespace areia::cpu
