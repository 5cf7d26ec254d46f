#include "engine/cpu/cpu_forces.h"

#include <algorithm>

#include "engine/unrest.h"

namespace areia::cpu {

Forces::Forces(World& world, State& state, Chunks& chunks, const Laws& laws)
    : world_(world),
      state_(state),
      chunks_(chunks),
      laws_(laws),
      distance_(world.scene(), world.periodicity()),
      contacts_(world, state, chunks, laws, distance_.any()),
      bonds_(world, state, chunks),
      any_outer_(world.fields().any() || distance_.any()) {}

void Forces::evaluate(const Evaluation& how) {
  const KernelContext c = contacts_.context(how.dt, how.record);
  if (laws_.counts && !how.counted)  // before particles count anew: those in other chunks are looked at
    chunks_.for_each([&](Chunk& chunk) {
      for (std::uint32_t i = chunk.begin; i < chunk.own_end; ++i) state_.contacts_before[i] = state_.contacts(i);
    });
  if (distance_.any()) {
    chunks_.for_each([&](Chunk& chunk) { distance_.gather(state_, chunk.begin, chunk.end); });
    chunks_.for_each([&](Chunk& chunk) {
      chunk.on_walls.clear();
      distance_.run(c, chunk);
    });
  }
  contacts_.evaluate(c, [&](Chunk& chunk) { contacts_.settle(chunk); });
  if (world_.cell().deforms()) contacts_.sum_virial(how.dt > 0);
  if (!bonds_.empty()) bonds_.evaluate(how.dt, how.trial);
  if (how.record || contacts_.servos()) contacts_.sum_walls();
}

void Forces::evaluate_as_given() {
  evaluate({.record = true});
  if (!any_outer_) return;
  for (std::size_t i = 0; i < state_.size(); ++i) evaluate_outer(i);
}

StoredSums Forces::stored() const {
  StoredSums sum = chunks_.sum<StoredSums>([&](const Chunk& chunk, StoredSums& e) {
    if (chunk.of_copies) return;
    for (std::uint32_t i = chunk.begin; i < chunk.own_end; ++i) add_energy(i, e);
    contacts_.add_energy(chunk, e);
    if (distance_.any()) distance_.energy(state_, world_.now().walls, chunk, e.distant);
  });
  bonds_.add_energy(sum.bonds);
  return sum;
}

Forces::MotionSums Forces::motion() const {
  return chunks_.sum<MotionSums>([&](const Chunk& chunk, MotionSums& sum) {
    for (std::uint32_t i = chunk.begin; i < chunk.own_end; ++i) {
      if (state_.free(i)) sum.move += 0.5 / state_.velocity(i).w * norm2(state_.velocity(i).xyz());
      if (state_.spin[i].w > 0) sum.turn += 0.5 / state_.spin[i].w * norm2(state_.spin[i].xyz());
    }
  });
}

// Contacts are looked at only where they decide: all spin counts, or none does.
double Forces::unrest(double limit) const {
  const MotionSums all = motion();
  if (!all.spin_decides(limit)) return all.total();
  return all.move.value() + resisted_spin().value();
}

ExactSum Forces::resisted_spin() const {
  std::vector<double> turn(state_.size(), 0);
  const auto resist = [&](std::uint32_t i, double energy) { turn[i] = std::max(turn[i], energy); };
  contacts_.for_each_touching([&](std::uint32_t i, const Interaction& laws, const Vec3d& way) {
    resist(i, areia::resisted_spin(laws, way, state_.spin[i].xyz(), state_.spin[i].w));
  });
  bonds_.for_each_end(
      [&](std::uint32_t i, const BondNow&, bool) { resist(i, spin_energy(state_.spin[i].xyz(), state_.spin[i].w)); });
  ExactSum sum;
  for (std::uint32_t i = state_.own_begin(); i < state_.own_end(); ++i) sum += turn[i];
  return sum;
}

LedgerSums Forces::booked() const {
  LedgerSums sums = world_.now().ledger;
  for (const Chunk& c : chunks_.all)
    if (!c.of_copies) sums += c.sums;
  return sums;
}

}  // namespace areia::cpu
