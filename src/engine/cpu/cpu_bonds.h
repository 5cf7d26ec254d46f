// Geometric bonds in the cpu backend (theory manual, section 11). They go by particle ids; slots are looked up when the
// lists are made.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/bond_work.h"
#include "engine/cpu/chunks.h"
#include "engine/cpu/state.h"
#include "engine/snapshot.h"

namespace areia::cpu {

class Bonds {
 public:
  Bonds(World& world, State& state, Chunks& chunks);

  bool empty() const { return all_.empty(); }
  const std::vector<Bond>& all() const { return all_; }
  const std::vector<Vec3d>& force() const { return force_; }  // on i, of the last evaluation
  const std::vector<FrameBreak>& breaks() const { return breaks_; }
  BondNow now(std::size_t bond) const;  // in the present state
  // f(slot, bond, is j) for both ends of each bond, as they were evaluated last; the end at a wall is left out.
  template <class F>
  void for_each_end(F&& f) const {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      f(slot_i_[k], now_[k], false);
      if (all_[k].j >= 0) f(slot_j_[k], now_[k], true);
    }
  }

  void start(const std::vector<std::uint16_t>& sets);
  // With new lists: before particles go, slots given anew, pairs that are left out.
  void drop(const std::vector<std::uint32_t>& order);
  void renew();
  void list_apart();
  bool any_apart() const { return !apart_.empty(); }
  bool are_apart(std::uint32_t i, std::uint32_t j) const;  // of the present lists; ids
  bool is_apart_from_wall(std::uint32_t i, std::size_t wall) const;
  bool relist() const { return relist_; }  // a pair that the lists leave out may touch again

  void evaluate(double dt, bool trial);
  void flush();
  void book_pending_work(LedgerSums& sums) const;
  void add_energy(ExactSum& sum) const;

  void keep(SnapshotBonds& to) const;
  void take_over(const SnapshotBonds& from);

 private:
  void erase(const std::vector<std::uint8_t>& gone);
  void compute();
  void settle(double dt);
  void add_forces();
  BondBody body_of(std::uint32_t slot) const;
  BondBody body_j(std::size_t bond) const;
  BondBooking pending_work(std::size_t bond) const;

  World& world_;
  State& state_;
  Chunks& chunks_;
  Scheme scheme_;
  std::vector<Bond> all_;     // in the order they were made
  std::vector<BondNow> now_;  // of the last evaluation
  std::vector<Vec3d> force_;
  std::vector<std::uint32_t> slot_i_, slot_j_;  // of the ends; slot_j unused at a wall
  std::vector<std::uint32_t> row_, entry_;  // entries of slot i: row[i] .. row[i + 1]; each 2 * bond, + 1 where i is j
  std::vector<std::uint32_t> to_walls_;     // bonds to walls, in their order
  std::vector<std::uint64_t> apart_;        // pairs that the present lists leave out, sorted
  std::vector<FrameBreak> breaks_;
  std::vector<BondBookingOf<GridSum>> sums_;   // of a step, per block of bonds
  std::vector<std::uint8_t> gone_, any_gone_;  // broken in this step: per bond, per block
  bool relist_ = false;
};

}  // namespace areia::cpu
