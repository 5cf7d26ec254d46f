// What the cpu engine shows of its bodies, contacts and bonds; of a share what is its own (engine/fill_frame.h).
#pragma once
#include "engine/cpu/cpu_forces.h"
#include "engine/fill_frame.h"

namespace areia::cpu {

struct Shown {
  const State& state;
  const Chunks& chunks;
  const Forces& forces;
  std::vector<std::uint32_t> slots = state.own_slots_by_id();

  std::size_t particle_count() const { return slots.size(); }
  ShownParticle particle(std::size_t k) const {
    const std::uint32_t i = slots[k];
    return {state.id[i],          state.position(i).xyz(), state.velocity(i).xyz(), state.spin[i].xyz(),
            state.orientation[i], state.force(i).xyz(),    state.torque(i).xyz(),   forces.outer_force(i),
            state.position(i).w,  state.mass[i],           state.charge_of(i),      state.material[i],
            state.group[i],       !state.free(i)};
  }
  template <class F>
  void for_each_contact(F&& f) const {
    for (const Chunk& c : chunks.all)
      for (const ContactRecord& r : c.records) {
        if (c.of_copies) break;
        FrameContact contact;
        contact.i = state.id[r.i];
        contact.j = r.wall < 0 ? static_cast<std::int64_t>(state.id[r.j]) : -1;
        contact.wall = r.wall;
        contact.patch = r.patch;
        contact.n = r.n;
        contact.overlap = r.overlap;
        contact.force = r.force;
        contact.normal = r.normal;
        contact.tangential = r.tangential;
        contact.elongation = r.spring;
        f(contact);
      }
  }
  template <class F>
  void for_each_bond(F&& f) const {
    const Bonds& bonds = forces.bonds();
    for (std::size_t k = 0; k < bonds.all().size(); ++k) {
      const Bond& b = bonds.all()[k];
      const BondNow now = bonds.now(k);
      f(FrameBond{b.i, b.j, b.wall, b.set, now.anchor_i, now.anchor_i + now.stretch, bonds.force()[k]});
    }
  }
  const std::vector<FrameBreak>& breaks() const { return forces.bonds().breaks(); }
  Energy stored_energy() const { return forces.stored_energy(); }
  void book_pending_work(LedgerSums& sums) const {
    for (const Chunk& c : chunks.all)
      if (!c.of_copies) sums += c.sums;
    forces.bonds().book_pending_work(sums);
  }
};

}  // namespace areia::cpu
