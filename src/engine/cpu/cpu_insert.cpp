// Particles that come while the simulation runs. They take the next ids, stand behind the others until the lists are
// made again at once, and their energy is booked as brought in.
#include <algorithm>

#include "engine/cpu/cpu_backend.h"
#include "engine/images.h"

namespace areia::cpu {

Surroundings CpuBackend::surroundings(const Box& box) const {
  Surroundings s;
  std::vector<std::uint32_t> near;
  for (std::uint32_t i = 0; i < state_.size(); ++i) {
    const Vec4& p = state_.position[i];
    if (periodicity_.any() || reaches_into(box, p.xyz(), p.w)) near.push_back(i);
  }
  std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });
  for (std::uint32_t i : near)
    add_images(s, periodicity_, box, periodicity_.wrapped(state_.position[i].xyz()), state_.position[i].w);
  for (const WallState& w : walls_) {
    s.wall_pose.push_back(w.pose);
    s.wall_present.push_back(w.present);
  }
  return s;
}

void CpuBackend::insert(const std::vector<NewParticle>& particles) {
  wrap_periodic();
  const Energy before = stored_energy();
  const auto first_slot = static_cast<std::uint32_t>(state_.size());
  for (const NewParticle& p : particles) {
    const auto id = static_cast<std::uint32_t>(mass_.size());
    mass_.push_back(p.mass);
    inertia_.push_back(p.inertia);
    group_.push_back(p.group);
    set_.push_back(p.set);
    prescribed_.push_back(0);
    turns_.push_back(p.turns);
    placed_at_.push_back(p.x);
    placed_turn_.push_back({1, 0, 0, 0});
    state_.position.push_back({p.x.x, p.x.y, p.x.z, p.radius});
    state_.velocity.push_back({p.v.x, p.v.y, p.v.z, 1 / p.mass});
    state_.spin.push_back({p.w.x, p.w.y, p.w.z, p.turns ? 1 / p.inertia : 0});
    state_.orientation.push_back({1, 0, 0, 0});
    state_.force.emplace_back();
    state_.torque.emplace_back();
    state_.built_at.push_back(p.x);
    state_.contacts.push_back(0);
    state_.contacts_before.push_back(0);
    state_.id.push_back(id);
    state_.material.push_back(p.material);
    if (scheme_ == Scheme::velocity_verlet) {  // free of contacts: the fields alone
      state_.old_acceleration.push_back(
          flat_ ? Vec3d{free_axes_.x * gravity_.x, free_axes_.y * gravity_.y, free_axes_.z * gravity_.z} : gravity_);
      state_.old_turning.emplace_back();
    }
  }
  // The lists as they are cover the new slots with nothing in them; histories of the others are carried over by slot.
  for (std::uint32_t slot = first_slot; slot < state_.size(); ++slot) {
    if (slot % chunk_size_ == 0) {
      Chunk& c = chunks_.emplace_back();
      c.begin = c.end = slot;
      c.wall_sums.resize(walls_.size());
      c.lists.resize(kernels_.size());
      for (std::size_t l = 0; l < kernels_.size(); ++l) {
        c.lists[l].pool.reset(kernels_[l]->history());
        c.lists[l].row.assign(1, 0);
      }
    }
    Chunk& c = chunks_.back();
    c.end = slot + 1;
    for (ContactList& list : c.lists) list.row.push_back(list.row.back());
  }
  inserted_ += static_cast<std::int64_t>(particles.size());
  rebuild();
  book_switch(before);
}

}  // namespace areia::cpu
