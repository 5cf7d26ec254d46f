// Contacts of the cpu backend: every chunk runs its pairs and walls through the laws, and what they do is summed up
// (pushes.h).
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "engine/cpu/chunks.h"
#include "engine/cpu/laws.h"
#include "engine/cpu/state.h"

namespace areia::cpu {

class Contacts {
 public:
  // walls_feel_more: forces at a distance have put theirs into on_walls before an evaluation.
  Contacts(World& world, State& state, Chunks& chunks, const Laws& laws, bool walls_feel_more);

  // After pairs were picked: every pair across chunks gets a letter, and the chunk that it goes to is told.
  void address_letters();
  void clear_letters(const Chunk& chunk);  // of its pairs; those that do not touch must be empty

  bool servos() const { return servos_; }  // walls follow forces: these are asked for on every step
  KernelContext context(double dt, bool record);
  // Contacts of all chunks; as soon as nobody writes to a chunk any more, its letters are added and `then(chunk)`
  // follows: it settles the forces, or a step does that on its way (block_step.h).
  //
  // Every pair is listed by the one of the lower slot, so a chunk is read by itself and by chunks before it alone: when
  // those that write to it are through, it may go on while the others are still at work. Nobody waits: whoever finishes
  // the last of them goes on with it.
  template <class F>
  void evaluate(const KernelContext& c, F&& then) {
    std::vector<Chunk>& all = chunks_.all;
    const auto n = static_cast<std::int64_t>(all.size());
    for (std::int64_t k = 0; k < n; ++k)
      waiting_[k].store(1 + static_cast<std::uint32_t>(all[k].sources.size()), std::memory_order_relaxed);
    chunks_.team.for_each(n, [&](std::int64_t k, int) {
      Chunk& chunk = all[k];
      run_kernels(c, chunk);
      const auto one_less = [&](std::size_t other) {
        if (waiting_[other].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        collect_letters(all[other]);
        then(all[other]);
      };
      one_less(k);
      for (const std::uint32_t target : chunk.targets) one_less(target);
    });
    cleared_ = false;
  }
  void settle(Chunk& chunk);  // its forces, from quanta
  bool any_large(const Chunk& chunk) const;
  void are_cleared() { cleared_ = true; }                 // whoever took the forces left zeros for the next evaluation
  void sum_walls();                                       // the forces on walls of the last evaluation, into the world
  const WallSums& on_walls() const { return on_walls_; }  // so summed up, unrounded
  void sum_virial(bool moved);                            // likewise, of a cell that deforms

  void add_energy(const Chunk& chunk, StoredSums& energy) const;
  // And adds what was stored in them; the second half of their last kick is booked.
  void end_all_of(std::uint32_t slot, StoredSums& energy);
  void book_second_halves(double times) const;  // world.h
  // f(slot, laws, way) for both particles of a pair, and for one at a wall; the way is along the normal.
  template <class F>
  void for_each_touching(F&& f) const {
    for (const Chunk& chunk : chunks_.all) {
      for (std::size_t l = 0; l < laws_.kernels.size(); ++l)
        for (const auto* lists : {&chunk.lists[l].own, &chunk.lists[l].across})
          for (std::size_t materials = 0; materials < lists->size(); ++materials) {
            const PairList& pairs = (*lists)[materials];
            pairs.for_each_touching([&](std::uint32_t k) {
              const std::uint32_t i = pairs.i[k], j = pairs.j[k];
              const Vec3d way = world_.periodicity().nearest(state_.position(j).xyz() - state_.position(i).xyz());
              f(i, laws_.kernels[l]->laws_of(materials), way);
              f(j, laws_.kernels[l]->laws_of(materials), way);
            });
          }
      for (const WallEntry& entry : chunk.walls.entries)
        for (std::int32_t k = entry.record; k >= 0; k = chunk.walls.records[k].next) {
          const WallMemory& place = chunk.walls.records[k].place;
          const std::size_t materials =
              state_.material[entry.i] * laws_.materials + world_.scene().walls[place.wall].material;
          f(entry.i, laws_.kernels[laws_.kernel_of[materials]]->laws_of(materials), place.n);
        }
    }
  }
  // By id of i, then id of j, and walls last; several at one patch of a mesh in the order in which they were found.
  std::vector<const ContactRecord*> records_in_order() const;
  std::size_t bytes() const { return letters_.capacity() * sizeof(Push); }

 private:
  Body<double> body_of(std::uint32_t i) const;
  Booking<double> second_half(std::size_t materials, std::uint32_t i, std::uint32_t j, const double* history) const;
  Booking<double> second_half(std::size_t materials, std::uint32_t i, const WallMemory& at,
                              const double* history) const;
  void end_pairs_of(std::uint32_t slot, Chunk& chunk, std::vector<PairList> ContactList::*kind, StoredSums& energy);
  void run_kernels(const KernelContext& c, Chunk& chunk);
  void collect_letters(Chunk& chunk);
  std::vector<LargeTerm> large_terms(const Chunk& chunk) const;

  World& world_;
  State& state_;
  Chunks& chunks_;
  const Laws& laws_;
  bool walls_feel_more_, servos_ = false;
  bool cleared_ = false;
  LineVector<Push> letters_;                               // across chunks
  std::unique_ptr<std::atomic<std::uint32_t>[]> waiting_;  // per chunk, within a step: whom it has to wait for
  std::size_t waiting_count_ = 0;
  WallSums on_walls_;
};

}  // namespace areia::cpu
