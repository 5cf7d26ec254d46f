// The reference backend from outside: how it begins, and what changes between stages.
#include <algorithm>

#include "areia/error.h"
#include "engine/images.h"
#include "engine/inserted_wall.h"
#include "engine/reference/reference_backend.h"

namespace areia::reference {

ReferenceBackend::ReferenceBackend(const Scene& scene, const BackendSettings& settings)
    : scene_(scene),
      scheme_(scene.settings.numerics.scheme),
      p_(scene.particles),
      dt_(settings.dt),
      outer_(scene),
      plan_(plan_forces(scene)),
      sums_(settings.bookings) {
  const Domain& d = scene.settings.domain;
  periodicity_ = {d.periodic, d.box.min, d.box.max - d.box.min};
  present_.assign(p_.size(), 1);
  force_.resize(p_.size());
  partners_.resize(p_.size());
  torque_.resize(p_.size());
  field_.resize(p_.size());
  drag_.resize(p_.size());
  distant_.resize(p_.size());
  a_.resize(p_.size());
  b_.resize(p_.size());
  for (const SceneWall& w : scene.walls) wall_present_.push_back(w.present);
  servo_.resize(scene.walls.size());
  wall_force_.resize(scene.walls.size());
  wall_torque_.resize(scene.walls.size());
  poses_.resize(scene.walls.size());
  placed_x_ = p_.x;
  placed_q_ = p_.q;
  if (scheme_ == Scheme::trapezoid) implicit_.emplace(scene.settings.numerics.implicit, dt_);
  for (std::size_t a = 0; a < scene.materials.size(); ++a)
    for (std::size_t b = 0; b < scene.materials.size(); ++b)
      if (const std::int32_t k = scene.contact_index(a, b); k >= 0)
        laws_.emplace(std::pair(a, b),
                      Interaction(scene.settings.contacts[k], {scene.materials[a], scene.materials[b]}));
}

void ReferenceBackend::set_schedule(const Schedule& s) {
  schedule_ = s;
  outer_.set(schedule_, time());
  forces_known_ = false;
}

void ReferenceBackend::start() {
  gravity_ = gravity_at(schedule_, 0);
  place_bodies(0);
  start_bonds(bond_sets_of(scene_.settings, ""));
  evaluate(0);
  evaluate_outer(0);
  for (std::size_t i = 0; i < p_.size(); ++i) {
    a_[i] = acceleration(i);
    b_[i] = turning(i);
  }
  const Energy e = stored_energy();
  book_start(sums_, e);
}

void ReferenceBackend::apply(const Change& c) {
  forces_known_ = false;
  flush_bonds();
  const Energy before = stored_energy();
  for (const NewParticle& n : c.insert) insert(n);
  auto contains = [](const auto& v, std::uint16_t k) { return std::find(v.begin(), v.end(), k) != v.end(); };
  for (std::uint16_t w : c.remove_walls) wall_present_[w] = 0;
  for (std::uint16_t w : c.insert_walls) insert_wall(w);
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!present_[i]) continue;
    if (contains(c.release_groups, p_.group[i])) p_.prescribed[i] = 0;
    if (contains(c.freeze_groups, p_.group[i])) {
      p_.prescribed[i] = 1;
      p_.v[i] = p_.w[i] = {};
      placed_x_[i] = p_.x[i];
      placed_q_[i] = p_.q[i];
    }
    if (contains(c.remove_groups, p_.group[i])) {
      present_[i] = 0;
      ++removed_;
    }
  }
  drop_bonds();
  std::erase_if(contacts_, [&](const auto& entry) {
    const Key& k = entry.first;
    return !present_[k.i] || (k.j >= 0 && !present_[k.j]) || (k.wall >= 0 && !wall_present_[k.wall]);
  });
  start_bonds(c.make_bonds);
  if (!c.insert_walls.empty()) evaluate(0);  // contacts with it exist from now on
  book_change(sums_, before, stored_energy());
}

void ReferenceBackend::insert(const NewParticle& n) {
  p_.x.push_back(n.x);
  p_.v.push_back(n.v);
  p_.w.push_back(n.w);
  p_.q.push_back({1, 0, 0, 0});
  p_.radius.push_back(n.radius);
  p_.mass.push_back(n.mass);
  p_.inertia.push_back(n.inertia);
  p_.charge.push_back(n.charge);
  p_.material.push_back(n.material);
  p_.group.push_back(n.group);
  p_.set.push_back(n.set);
  p_.prescribed.push_back(0);
  p_.turns.push_back(n.turns);
  present_.push_back(1);
  force_.emplace_back();
  torque_.emplace_back();
  partners_.push_back(0);
  placed_x_.push_back(n.x);
  placed_q_.push_back({1, 0, 0, 0});
  const OuterForce f = outer_.at(periodicity_.wrapped(n.x), n.v, n.w, n.radius, n.mass, n.charge, gravity_);
  field_.push_back(f.field);
  drag_.push_back(f.drag);
  distant_.emplace_back();
  a_.push_back(acceleration(p_.size() - 1));
  b_.emplace_back();
  ++inserted_;
}

void ReferenceBackend::insert_wall(std::uint16_t w) {
  wall_present_[w] = 1;
  for (std::size_t i = 0; i < p_.size(); ++i)
    if (present_[i] && !p_.prescribed[i])
      check_inserted(scene_, w, poses_[w], static_cast<std::int64_t>(i), p_.x[i], p_.radius[i], time());
}

Surroundings ReferenceBackend::surroundings(const Box& box) const {
  Surroundings s;
  for (std::size_t i = 0; i < p_.size(); ++i)
    if (present_[i]) add_images(s, periodicity_, box, periodicity_.wrapped(p_.x[i]), p_.radius[i]);
  s.wall_pose = poses_;
  s.wall_present = wall_present_;
  return s;
}

std::int64_t ReferenceBackend::particle_count() const { return std::count(present_.begin(), present_.end(), 1); }

std::int64_t ReferenceBackend::free_count() const {
  std::int64_t n = 0;
  for (std::size_t i = 0; i < p_.size(); ++i) n += present_[i] && !p_.prescribed[i];
  return n;
}

BackendStatistics ReferenceBackend::statistics() const {
  BackendStatistics s;
  s.contacts = static_cast<std::int64_t>(contacts_.size());
  if (implicit_) s.implicit = implicit_->statistics();
  return s;
}

void ReferenceBackend::save(Archive&) const { throw FileError("the reference engine writes no checkpoints"); }

void ReferenceBackend::load(const Archive&) { throw FileError("the reference engine reads no checkpoints"); }

}  // namespace areia::reference

namespace areia {
std::unique_ptr<Backend> make_reference_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<reference::ReferenceBackend>(scene, settings);
}
}  // namespace areia
