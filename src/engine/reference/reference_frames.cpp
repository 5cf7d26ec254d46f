// Showing the state of the reference backend: frames and energies.
#include "engine/frame_parts.h"
#include "engine/reference/reference_backend.h"
#include "engine/wall_outline.h"

namespace areia::reference {

void ReferenceBackend::fill(Frame& f) const {
  f.time = time();
  f.dt = dt_;
  f.step = step_;
  f.lost = lost_;
  f.removed = removed_;
  f.inserted = inserted_;
  fill_names(f, scene_);
  std::vector<std::int32_t> touching(p_.size(), 0);
  ContactsInOrder contacts(f);
  for (const auto& [key, record] : contacts_) {
    touching[key.i] += record.shown.overlap > 0;
    if (key.j >= 0) touching[key.j] += record.shown.overlap > 0;
    contacts.announce(record.shown.i);
  }
  contacts.open();
  for (const auto& [key, record] : contacts_) contacts.put(record.shown);
  contacts.close();
  FrameParticles& out = f.particles;
  out = {};
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!present_[i]) continue;
    out.id.push_back(static_cast<std::int64_t>(i));
    out.x.push_back(periodicity_.wrapped(p_.x[i]));
    out.v.push_back(p_.v[i]);
    out.w.push_back(p_.w[i]);
    out.q.push_back(p_.q[i]);
    Vec3d force = force_[i] + field_[i] + drag_[i] + distant_[i];
    if (!p_.prescribed[i]) force += p_.mass[i] * gravity_ + p_.mass[i] * cross(p_.v[i], magnetic_turn(i));
    out.force.push_back(force);
    out.torque.push_back(torque_[i]);
    out.radius.push_back(p_.radius[i]);
    out.mass.push_back(p_.mass[i]);
    out.charge.push_back(p_.charge[i]);
    out.material.push_back(p_.material[i]);
    out.group.push_back(p_.group[i]);
    out.coordination.push_back(touching[i]);
    out.prescribed.push_back(p_.prescribed[i]);
  }
  f.walls = outline_walls(
      scene_, [&](std::size_t w) { return poses_[w]; }, [&](std::size_t w) { return wall_present_[w] != 0; }, out);
  for (std::size_t w = 0; w < f.walls.size(); ++w) {
    f.walls[w].force = wall_force_[w];
    f.walls[w].torque = wall_torque_[w];
  }
  fill_bonds(f);
  f.energy = stored_energy();
  LedgerSums sums = sums_;
  sums.bonds += pending_work();
  balance(f.energy, sums);
}

double ReferenceBackend::kinetic_energy() const {
  const Energy e = stored_energy();
  return e.kinetic + e.rotational;
}

Energy ReferenceBackend::stored_energy() const {
  Energy e;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!present_[i] || p_.prescribed[i]) continue;
    e.kinetic += 0.5 * p_.mass[i] * norm2(p_.v[i]);
    if (p_.turns[i]) e.rotational += 0.5 * p_.inertia[i] * norm2(p_.w[i]);
    e.potential -= p_.mass[i] * dot(gravity_, p_.x[i]);
  }
  e.distant = distant_energy();
  for (const auto& entry : contacts_) {
    const Key& key = entry.first;
    const Record& record = entry.second;
    const std::size_t other = key.j >= 0 ? p_.material[key.j] : scene_.walls[key.wall].material;
    laws_of(p_.material[key.i], other)->store(record.bodies, record.history.data(), e);
  }
  for (const Bond& b : bonds_) e.bonds += bond_energy(set_of(b).stiffness, bond_now(b).stretch);
  return e;
}

}  // namespace areia::reference
