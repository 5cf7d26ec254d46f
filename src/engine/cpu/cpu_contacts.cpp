#include "engine/cpu/cpu_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "areia/error.h"
#include "engine/cpu/contact_block.h"

namespace areia::cpu {

Contacts::Contacts(World& world, State& state, Chunks& chunks, const Laws& laws, bool walls_feel_more)
    : world_(world), state_(state), chunks_(chunks), laws_(laws), walls_feel_more_(walls_feel_more) {
  for (const SceneWall& w : world.scene().walls) servos_ = servos_ || w.servo.on;
}

KernelContext Contacts::context(double dt, bool record) {
  const Scene& scene = world_.scene();
  return {state_,
          scene,
          world_.now().walls,
          world_.periodicity(),
          chunks_.all,
          chunks_.chunk_size,
          letters_,
          shared_at_,
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
  static thread_local WallMeetings walls;
  meet_walls(c, laws_, chunk, walls);
  for (std::size_t k = 0; k < laws_.kernels.size(); ++k) laws_.kernels[k]->run(c, chunk, chunk.lists[k], walls);
}

// The sum of all contacts of each particle, in the order of inbox.h.
void Contacts::open_letters(Chunk& chunk) {
  chunk.inbox.sum(chunk.work->letters.data(), letters_.data(), state_.pushed.data() + chunk.begin);
  std::vector<WallLetter>& walls = chunk.work->walls;
  const auto before = [](const WallLetter& a, const WallLetter& b) { return a.i != b.i ? a.i < b.i : a.wall < b.wall; };
  // contacts with one wall are in the order of its patches; those of several laws follow each other
  if (!std::is_sorted(walls.begin(), walls.end(), before)) std::stable_sort(walls.begin(), walls.end(), before);
  for (const WallLetter& w : walls) {
    state_.force(w.i) += w.letter.force;
    state_.torque(w.i) += w.letter.torque;
  }
  walls.clear();
}

void Contacts::sum_walls() {
  std::vector<WallState>& walls = world_.now().walls;
  on_walls_.clear(walls.size());
  for (const Chunk& chunk : chunks_.all)
    for (const OnWall& c : chunk.on_walls) on_walls_.add(c.wall, c.force, c.torque);
  for (std::size_t w = 0; w < walls.size(); ++w) walls[w].sum = on_walls_.value(w);
}

void Contacts::add_energy(const Chunk& chunk, StoredSums& energy) const {
  const KernelContext c = const_cast<Contacts*>(this)->context(0, false);  // kernels only read it here
  for (std::size_t l = 0; l < laws_.kernels.size(); ++l) laws_.kernels[l]->stored(c, chunk, chunk.lists[l], energy);
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

// Letters of pairs across chunks lie one after the other, those within a chunk are counted anew in each.
void Contacts::address_letters() {
  struct Shared {
    std::uint32_t slot, from_id;
    LetterPlace place;
    bool touching;
  };
  std::vector<std::vector<Shared>> from_others(chunks_.all.size());
  std::vector<const Chunk*> last_writer(chunks_.all.size(), nullptr);
  std::size_t shared = 0;
  for (Chunk& c : chunks_.all) {
    c.targets.clear();
    c.sources = 0;
  }
  if (waiting_count_ != chunks_.all.size() || !waiting_) {
    waiting_count_ = chunks_.all.size();
    waiting_ = std::make_unique<std::atomic<std::uint32_t>[]>(waiting_count_);
  }
  const std::vector<std::uint32_t>& id = state_.id;
  for (Chunk& c : chunks_.all)
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.across) {
        pairs.first_letter = static_cast<LetterPlace>(shared) | kShared;
        for (std::uint32_t k = 0; k < pairs.count; ++k) {
          const std::uint32_t i = pairs.i[k], j = pairs.j[k];
          const bool j_is_here = j < c.end;
          const std::uint32_t there = j_is_here ? i : j, here = j_is_here ? j : i, target = there / chunks_.chunk_size;
          from_others[target].push_back({there, id[here], pairs.first_letter + 2 * k + !j_is_here, pairs.touches(k)});
          if (last_writer[target] == &c) continue;
          last_writer[target] = &c;
          c.targets.push_back(target);
          ++chunks_.all[target].sources;
        }
        shared += 2 * whole_vectors<std::size_t>(pairs.count);  // vectors are written in whole
      }
  if (shared > kMostLetters)
    throw StoppedError(
        fmt::format("{} pairs of particles across chunks are near each other, of {} that the cpu engine "
                    "can hold; spread the particles over more machines, or lower `numerics.skin`",
                    shared / 2, kMostLetters / 2));
  if (letters_.capacity() < shared) {
    letters_ = LineVector<Letter>();
    letters_.reserve(shared + shared / 16);
  }
  letters_.resize(shared);
  shared_at_.resize(shared);
  chunks_.for_each([&](Chunk& c) {
    c.letters = kFirstLetter;
    for (ContactList& list : c.lists)
      for (PairList& pairs : list.own) {
        pairs.first_letter = c.letters;
        c.letters += 2 * whole_vectors(pairs.count);
      }
    c.inbox.make(c.begin, c.end - c.begin, c.letters, shared_at_, [&](auto&& deliver) {
      for (const Shared& s : from_others[&c - chunks_.all.data()]) deliver(s.slot, s.from_id, s.place, s.touching);
      for (const ContactList& list : c.lists) {
        for (const PairList& pairs : list.own)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const std::uint32_t i = pairs.i[k], j = pairs.j[k], place = pairs.first_letter + 2 * k;
            const bool touching = pairs.touches(k);
            deliver(i, id[j], place, touching);
            deliver(j, id[i], place + 1, touching);
          }
        for (const PairList& pairs : list.across)
          for (std::uint32_t k = 0; k < pairs.count; ++k) {
            const std::uint32_t i = pairs.i[k], j = pairs.j[k];
            const bool j_is_here = j < c.end;
            deliver(j_is_here ? j : i, id[j_is_here ? i : j], pairs.first_letter + 2 * k + j_is_here, pairs.touches(k));
          }
      }
    });
  });
}

}  // namespace areia::cpu
