#include "engine/ranks/wire.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace areia::ranks {

namespace {

template <class Contacts, class F>
void for_each_column(Contacts& c, F&& f) {
  f(c.i), f(c.j), f(c.wall), f(c.patch), f(c.k), f(c.numbers), f(c.history), f(c.place);
}

}  // namespace

void put_bodies(const std::vector<Body>& bodies, bool old_acceleration, bool old_turning, SnapshotParticles& to) {
  for (const Body& b : bodies) {
    to.id.push_back(b.id);
    to.x.push_back(b.x);
    to.v.push_back(b.v);
    to.w.push_back(b.w);
    to.q.push_back(b.q);
    to.radius.push_back(b.radius);
    to.mass.push_back(b.mass);
    to.inv_j.push_back(b.inv_j);
    to.charge.push_back(b.charge);
    to.material.push_back(b.material);
    to.group.push_back(b.group);
    to.set.push_back(b.set);
    to.prescribed.push_back(b.prescribed);
    to.placed_x.push_back(b.placed_x);
    to.placed_q.push_back(b.placed_q);
    if (old_acceleration) to.old_acceleration.push_back(b.old_acceleration);
    if (old_turning) to.old_turning.push_back(b.old_turning);
    to.force.push_back(b.force);
    to.torque.push_back(b.torque);
    to.field.push_back(b.field);
    to.drag.push_back(b.drag);
    to.contacts.push_back(b.contacts);
  }
}

std::vector<Body> bodies_of(const SnapshotParticles& from) {
  std::vector<Body> all(from.size());
  const auto get = [](const auto& column, std::size_t k, auto& to) {
    if (!column.empty()) to = column[k];
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    Body& b = all[k];
    b.id = from.id[k];
    b.x = from.x[k];
    b.v = from.v[k];
    b.w = from.w[k];
    b.q = from.q[k];
    b.radius = from.radius[k];
    b.mass = from.mass[k];
    b.inv_j = from.inv_j[k];
    get(from.charge, k, b.charge);
    b.material = from.material[k];
    b.group = from.group[k];
    b.set = from.set[k];
    get(from.prescribed, k, b.prescribed);
    get(from.placed_x, k, b.placed_x);
    get(from.placed_q, k, b.placed_q);
    get(from.old_acceleration, k, b.old_acceleration);
    get(from.old_turning, k, b.old_turning);
    b.force = from.force[k];
    b.torque = from.torque[k];
    get(from.field, k, b.field);
    get(from.drag, k, b.drag);
    b.contacts = b.contacts_before = from.contacts[k];
  }
  return all;
}

void put_contacts(Writer& to, const SnapshotContacts& contacts) {
  for_each_column(contacts, [&](const auto& column) { to.put(column); });
}

void add_contacts(Reader& from, SnapshotContacts& contacts) {
  for_each_column(contacts, [&](auto& column) {
    std::remove_reference_t<decltype(column)> more;
    from.get(more);
    column.insert(column.end(), more.begin(), more.end());
  });
}

void add_contact(const SnapshotContacts& from, std::size_t k, const ContactPlaces& at, SnapshotContacts& to) {
  to.i.push_back(from.i[k]);
  to.j.push_back(from.j[k]);
  to.wall.push_back(from.wall[k]);
  to.patch.push_back(from.patch[k]);
  to.k.push_back(from.k[k]);
  to.numbers.push_back(from.numbers[k]);
  const auto first = from.history.begin() + static_cast<std::ptrdiff_t>(at.history);
  to.history.insert(to.history.end(), first, first + from.numbers[k]);
  if (from.j[k] < 0) to.place.push_back(from.place[at.place]);
}

SnapshotContacts in_order(const SnapshotContacts& c) {
  std::vector<ContactPlaces> at(c.size());
  ContactPlaces next;
  for (std::size_t k = 0; k < c.size(); ++k) {
    at[k] = next;
    next.history += static_cast<std::size_t>(c.numbers[k]);
    next.place += c.j[k] < 0;
  }
  std::vector<std::size_t> order(c.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t k) { return std::tie(c.i[k], c.j[k], c.wall[k], c.patch[k], c.k[k]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  SnapshotContacts sorted;
  for (std::size_t n = 0; n < order.size(); ++n)
    if (n == 0 || key(order[n - 1]) < key(order[n])) add_contact(c, order[n], at[order[n]], sorted);
  return sorted;
}

void put_ledger(Writer& to, const LedgerSums& sums) {
  LedgerSums::for_each_number(sums, [&](double a) { to.put(a); });
  LedgerSums::for_each_sum(sums, [&](const GridSum& sum) { to.put(sum.parts()); });
}

void get_ledger(Reader& from, LedgerSums& sums) {
  LedgerSums::for_each_number(sums, [&](double& a) { from.get(a); });
  LedgerSums::for_each_sum(sums, [&](GridSum& sum) {
    std::vector<double> parts;
    from.get(parts);
    sum = GridSum(sum.grid(), std::move(parts));
  });
}

}  // namespace areia::ranks
