#include "engine/cpu/cpu_bodies.h"

namespace areia::cpu {

void CpuBodies::release(std::size_t k) {
  state_.velocity(k).w = 1 / state_.mass[k];
  state_.spin[k].w = state_.placed[k].inv_j;
}

void CpuBodies::freeze(std::size_t k) {
  if (!state_.uses.placed) state_.use(&State::Uses::placed);
  const bool free = state_.velocity(k).w > 0;
  const World::Origin origin = world_.origin_of(state_.set[k], state_.position(k).xyz(), state_.orientation[k]);
  state_.placed[k] = {origin.x, origin.q, free ? state_.spin[k].w : state_.placed[k].inv_j};
  state_.velocity(k) = {};
  state_.spin[k] = {};
}

// New lists drop contacts with walls that are gone, and pairs that neither of which is free.
void CpuBodies::keep_only(const std::vector<std::uint8_t>& stays) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < stays.size(); ++i)
    if (stays[i] && !state_.is_gone(i)) order.push_back(i);
  lists_.relist(order);
}

// Explicit steps go on with the lists as they are; the next ones are made without the slots that are empty.
Energy CpuBodies::take_out(const std::vector<std::size_t>& bodies) {
  StoredSums sum;
  for (const std::size_t k : bodies) {
    forces_.add_energy(k, sum);
    forces_.contacts().end_all_of(static_cast<std::uint32_t>(k), sum);
  }
  for (const std::size_t k : bodies) lists_.give_up(k);
  if (world_.scene().settings.numerics.scheme == Scheme::trapezoid) lists_.close_up();
  return sum.energy();
}

Energy CpuBodies::append(const std::vector<NewParticle>& particles, std::int64_t first_id) {
  StoredSums sum;
  for (const NewParticle& p : particles) {
    const std::size_t i = state_.size();
    state_.resize(i + 1);
    const Vec3d x = world_.periodicity().wrapped(p.x);
    state_.moving[i] = {{x.x, x.y, x.z, p.radius}, {p.v.x, p.v.y, p.v.z, 1 / p.mass}};
    state_.spin[i] = {p.w.x, p.w.y, p.w.z, p.turns ? 1 / p.inertia : 0};
    state_.orientation[i] = {1, 0, 0, 0};
    state_.id[i] = static_cast<std::uint32_t>(first_id++);
    state_.material[i] = p.material;
    state_.group[i] = p.group;
    state_.set[i] = p.set;
    state_.mass[i] = p.mass;
    if (p.charge != 0 && !state_.uses.charge) state_.use(&State::Uses::charge);
    if (state_.uses.charge) state_.charge[i] = p.charge;
    if (forces_.any_outer()) forces_.evaluate_outer(i);
    if (state_.uses.old_turning) state_.old_acceleration[i] = forces_.rate(i).move;  // the fields alone
    forces_.add_energy(i, sum);
  }
  lists_.rebuild();
  return sum.energy();
}

// Bonded pairs may have no contact from now on.
void CpuBodies::make_bonds(const std::vector<std::uint16_t>& sets) {
  forces_.bonds().start(sets);
  keep_only(std::vector<std::uint8_t>(state_.size(), 1));
}

}  // namespace areia::cpu
