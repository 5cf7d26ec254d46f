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
    const Vec4& p = state_.position(i);
    if (periodicity_.any() || reaches_into(box, p.xyz(), p.w)) near.push_back(i);
  }
  std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });
  for (std::uint32_t i : near) add_images(s, periodicity_, box, state_.position(i).xyz(), state_.position(i).w);
  for (const WallState& w : walls_) {
    s.wall_pose.push_back(w.pose);
    s.wall_present.push_back(w.present);
  }
  return s;
}

void CpuBackend::insert(const std::vector<NewParticle>& particles) {
  const Energy before = stored_energy();
  for (const NewParticle& p : particles) {
    const auto id = static_cast<std::uint32_t>(mass_.size());
    mass_.push_back(p.mass);
    if (charge_.empty() && p.charge != 0) charge_.resize(id);
    if (p.charge != 0 || !charge_.empty()) charge_.push_back(p.charge);
    group_.push_back(p.group);
    set_.push_back(p.set);
    prescribed_.push_back(0);
    if (!placed_.empty()) placed_.emplace_back();
    const Vec3d x = periodicity_.wrapped(p.x);
    state_.moving.push_back({{x.x, x.y, x.z, p.radius}, {p.v.x, p.v.y, p.v.z, 1 / p.mass}});
    state_.spin.push_back({p.w.x, p.w.y, p.w.z, p.turns ? 1 / p.inertia : 0});
    state_.orientation.push_back({1, 0, 0, 0});
    state_.pushed.emplace_back();
    if (!state_.built_at.empty()) state_.built_at.push_back(x);
    if (rolls_) state_.contacts_before.push_back(0);
    state_.id.push_back(id);
    state_.material.push_back(p.material);
    Vec3d a = gravity_;  // free of contacts: the fields alone
    if (outer_on_) {
      state_.outer.emplace_back();
      state_.drag.emplace_back();
      state_.distant.emplace_back();
      const std::size_t slot = state_.size() - 1;
      evaluate_outer(slot);
      a += (1 / p.mass) * (state_.outer[slot] + state_.drag[slot]);
    }
    a = axes_.moving(a);
    if (scheme_ == Scheme::velocity_verlet) {
      state_.old_acceleration.push_back(a);
      state_.old_turning.emplace_back();
    }
    if (scheme_ == Scheme::trapezoid) state_.old_acceleration.emplace_back();
  }
  inserted_ += static_cast<std::int64_t>(particles.size());
  rebuild();
  book_switch(before);
}

}  // namespace areia::cpu
