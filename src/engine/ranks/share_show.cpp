// What all ranks have, brought together on rank 0: checkpoints, frames, counts.
#include <algorithm>
#include <numeric>

#include "engine/cpu/cpu_shown.h"
#include "engine/cpu/cpu_snapshot.h"
#include "engine/ranks/share.h"

namespace areia::ranks {

namespace {

// Bodies, contacts and energies of all ranks, for fill_frame().
struct AllShown {
  std::vector<ShownParticle> particles;  // by id
  std::vector<FrameContact> contacts;
  StoredSums stored;
  LedgerSums booked;  // that are not in the ledger of rank 0

  std::size_t particle_count() const { return particles.size(); }
  const ShownParticle& particle(std::size_t k) const { return particles[k]; }
  template <class F>
  void for_each_contact(F&& f) const {
    for (const FrameContact& c : contacts) f(c);
  }
  template <class F>
  void for_each_bond(F&&) const {}
  std::vector<FrameBreak> breaks() const { return {}; }
  Energy stored_energy() const { return stored.energy(); }
  void book_pending_work(LedgerSums& sums) const { sums += booked; }
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

void Share::gather_state(Snapshot& to) {
  if (std::exchange(shown_, false)) join_walls();
  Writer w;
  std::vector<Body> own;
  for (const std::uint32_t i : state_.own_slots_by_id()) own.push_back(body_in(i));
  w.put(own);
  SnapshotContacts contacts;
  cpu::keep_contacts(state_, world_.scene(), chunks_, laws_, contacts);
  put_contacts(w, contacts);
  put_ledger(w, forces_.booked());
  const std::vector<Message> all = gather(link_, w.message());
  if (link_.rank() > 0) return;

  to = {};
  to.world = world_.now();
  std::vector<Body> bodies;
  contacts = {};
  for (std::size_t r = 0; r < all.size(); ++r) {
    Reader reader(all[r]);
    std::vector<Body> more;
    reader.get(more);
    append(bodies, more);
    add_contacts(reader, contacts);
    LedgerSums sums(to.world.ledger.wall_work.grid());
    get_ledger(reader, sums);
    if (r == 0) to.world.ledger = sums;
    else to.world.ledger += sums;
  }
  to.contacts = in_order(contacts);
  std::sort(bodies.begin(), bodies.end(), [](const Body& a, const Body& b) { return a.id < b.id; });
  put_bodies(bodies, state_.uses.old_acceleration, state_.uses.old_turning, to.particles);
}

void Share::gather_frame(Frame& frame, const FrameChoice& choice) {
  if (std::exchange(shown_, false)) join_walls();
  const cpu::Shown shown{state_, chunks_, forces_};
  Writer w;
  std::vector<ShownParticle> own;
  for (std::size_t k = 0; k < shown.particle_count(); ++k) own.push_back(shown.particle(k));
  w.put(own);
  std::vector<FrameContact> contacts;
  shown.for_each_contact([&](const FrameContact& c) { contacts.push_back(c); });
  w.put(contacts);
  w.put(forces_.stored());
  LedgerSums booked(world_.now().ledger.wall_work.grid());
  if (link_.rank() == 0) shown.book_pending_work(booked);
  else booked = forces_.booked();
  put_ledger(w, booked);
  const std::vector<Message> all = gather(link_, w.message());
  if (link_.rank() > 0) return;

  AllShown shown_by_all;
  shown_by_all.booked = LedgerSums(world_.now().ledger.wall_work.grid());
  for (const Message& message : all) {
    Reader reader(message);
    reader.get(own);
    append(shown_by_all.particles, own);
    reader.get(contacts);
    append(shown_by_all.contacts, contacts);
    shown_by_all.stored += reader.get<StoredSums>();
    LedgerSums sums(shown_by_all.booked.wall_work.grid());
    get_ledger(reader, sums);
    shown_by_all.booked += sums;
  }
  std::sort(shown_by_all.particles.begin(), shown_by_all.particles.end(),
            [](const ShownParticle& a, const ShownParticle& b) { return a.id < b.id; });
  fill_frame(frame, choice, world_, shown_by_all);
}

double Share::unrest(double limit) {
  const cpu::Forces::MotionSums all = motion();
  Writer told;
  told.put(std::uint64_t{all.spin_decides(limit)});
  Message decides = told.message();
  broadcast(link_, decides);  // rank 0 knows
  if (Reader(decides).get<std::uint64_t>() == 0) return all.total();
  return all.move.value() + sum_of_all(forces_.resisted_spin()).value();
}

BackendStatistics Share::gather_statistics() {
  struct Counts {
    std::int64_t pairs = 0, near_pairs = 0, contacts = 0, bytes = 0;
    Counts& operator+=(const Counts& b) {
      pairs += b.pairs, near_pairs += b.near_pairs, contacts += b.contacts, bytes += b.bytes;
      return *this;
    }
  } own;
  own.bytes = static_cast<std::int64_t>(state_.bytes() + forces_.contacts().bytes());
  for (const cpu::Chunk& c : chunks_.all) {
    for (const cpu::ContactList& l : c.lists) {
      own.bytes += static_cast<std::int64_t>(l.pool.bytes());
      if (!c.of_copies) own.contacts += l.pool.touching();
      for (const auto* lists : {&l.own, &l.across})
        for (const cpu::PairList& pairs : *lists) {
          own.bytes += static_cast<std::int64_t>(sizeof pairs + pairs.bytes());
          if (c.of_copies) continue;
          own.contacts += pairs.contacts();
          own.near_pairs += pairs.count;
        }
    }
    if (!c.of_copies) own.pairs += c.row.back();
    own.bytes += static_cast<std::int64_t>(4 * (c.row.capacity() + c.near.capacity()) + c.walls.bytes());
  }
  const Counts all = sum_of_all(own);
  BackendStatistics s;
  s.rebuilds = lists_.made();
  s.pickings = lists_.pickings();
  s.pairs = all.pairs;
  s.near_pairs = all.near_pairs;
  s.contacts = all.contacts;
  s.bytes = static_cast<std::size_t>(all.bytes);
  s.profile = explicit_.profile();
  return s;
}

}  // namespace areia::ranks
