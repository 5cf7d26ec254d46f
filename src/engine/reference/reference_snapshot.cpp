// The state of the reference backend as a physical checkpoint, and back.
#include <fmt/format.h>

#include "areia/error.h"
#include "engine/reference/reference_backend.h"

namespace areia::reference {

namespace {

// Numbers that a contact remembers.
int numbers_of(const Key& key, const State& state, const Scene& scene, const Forces& forces) {
  return forces.history_of(state.find(key.i)->material,
                           key.j < 0 ? scene.walls[key.wall].material : state.find(key.j)->material);
}

}  // namespace

void keep(const State& state, const Scene& scene, const Forces& forces, Snapshot& s) {
  SnapshotParticles& to = s.particles;
  for (const Particle& p : state.particles) {
    to.id.push_back(p.id);
    to.x.push_back(p.x);
    to.v.push_back(p.velocity.move);
    to.w.push_back(p.velocity.turn);
    to.q.push_back(p.q);
    to.radius.push_back(p.radius);
    to.mass.push_back(p.mass);
    to.inv_j.push_back(p.own_inv_j);
    to.charge.push_back(p.charge);
    to.material.push_back(p.material);
    to.group.push_back(p.group);
    to.set.push_back(p.set);
    to.prescribed.push_back(p.prescribed);
    to.placed_x.push_back(p.prescribed ? p.placed_x : Vec3d{});
    to.placed_q.push_back(p.prescribed ? p.placed_q : Quat{1, 0, 0, 0});
    to.old_acceleration.push_back(p.old.move);
    to.old_turning.push_back(p.old.turn);
    to.force.push_back(p.force);
    to.torque.push_back(p.torque);
    to.field.push_back(p.field);
    to.drag.push_back(p.drag);
    to.distant.push_back(p.distant);
    to.contacts.push_back(p.contacts);
    to.friction.push_back(p.friction);
    to.bond_torque.push_back(p.bond_torque);
  }
  SnapshotContacts& c = s.contacts;
  for (const auto& [key, record] : state.contacts) {
    c.i.push_back(key.i);
    c.j.push_back(key.j);
    c.wall.push_back(key.wall);
    c.patch.push_back(key.patch);
    c.k.push_back(key.k);
    c.numbers.push_back(numbers_of(key, state, scene, forces));
    c.history.insert(c.history.end(), record.history.begin(), record.history.begin() + c.numbers.back());
    if (key.wall >= 0) c.place.push_back(record.place);
  }
  s.bonds = {state.bonds, state.bond_force, state.breaks};
}

void take_over(const Snapshot& s, const Scene& scene, const Forces& forces, State& state) {
  const SnapshotParticles& from = s.particles;
  const auto at = [](const auto& column, std::size_t k) {
    return column.empty() ? typename std::remove_cvref_t<decltype(column)>::value_type{} : column[k];
  };
  state = {};
  for (std::size_t k = 0; k < from.size(); ++k) {
    Particle p;
    p.id = from.id[k];
    p.x = from.x[k];
    p.velocity = {from.v[k], from.w[k]};
    p.q = from.q[k];
    p.radius = from.radius[k];
    p.mass = from.mass[k];
    p.own_inv_j = from.inv_j[k];
    p.charge = at(from.charge, k);
    p.material = from.material[k];
    p.group = from.group[k];
    p.set = from.set[k];
    p.prescribed = at(from.prescribed, k) != 0;
    p.placed_x = at(from.placed_x, k);
    p.placed_q = at(from.placed_q, k);
    p.old = {at(from.old_acceleration, k), at(from.old_turning, k)};
    p.force = from.force[k];
    p.torque = from.torque[k];
    p.field = at(from.field, k);
    p.drag = at(from.drag, k);
    p.distant = at(from.distant, k);
    p.contacts = from.contacts[k];
    p.friction = at(from.friction, k);
    p.bond_torque = at(from.bond_torque, k);
    state.particles.push_back(p);
  }
  const SnapshotContacts& c = s.contacts;
  auto number = c.history.begin();
  auto place = c.place.begin();
  for (std::size_t k = 0; k < c.size(); ++k) {
    const Key key{c.i[k], c.j[k], c.wall[k], c.patch[k], c.k[k]};
    if (numbers_of(key, state, scene, forces) != c.numbers[k])
      throw FileError(
          fmt::format("the checkpoint does not belong to this case: a contact of particle {} was made by "
                      "other laws",
                      c.i[k]));
    Record record;
    std::copy_n(number, c.numbers[k], record.history.begin());
    number += c.numbers[k];
    if (c.wall[k] >= 0) record.place = *place++;
    state.contacts[key] = record;
  }
  state.bonds = s.bonds.all;
  state.bond_force = s.bonds.force;
  state.breaks = s.bonds.breaks;
}

}  // namespace areia::reference
