// The energy ledger: bookings of contacts and stored energies brought together. See the theory manual.
//
// Stored:  kinetic + rotational + potential + elastic_normal + elastic_tangential + elastic_rolling + adhesive +
//          distant + bonds =: E
// Balance: E - E_0 = wall_work + field_work + switched - damping - sliding - rolling - adhesion - bond_damping - broken
//                    - drag + numerical + residual
// `elastic` is the work put into normal springs along the discrete path; numerical = its potential minus this work.
// Sliding is the rest of the tangential work after the damper and the stored spring energy; rolling and adhesion
// likewise.
//
// Bookings come from all contacts and particles on every step, in an order that follows from lists and threads. Each
// sum is therefore one that has no order (grid_sum.h), on a grid of energies that follows from the case.
#pragma once
#include <algorithm>
#include <cmath>

#include "areia/archive.h"
#include "areia/frame.h"
#include "core/grid_sum.h"
#include "engine/bond_work.h"
#include "physics/slots.h"

namespace areia {

struct LedgerSums {
  Booking<GridSum> contact;  // all contacts since t = 0
  GridSum scheme;  // of an implicit scheme by itself: kinetic energy gained beyond the trapezoid of the forces
  BondBookingOf<GridSum> bonds;  // all bonds since t = 0
  GridSum wall_work;             // of walls, prescribed particles, and fields across periodic faces
  GridSum field_work;            // of fields other than uniform gravity, and of a gravity that turns
  GridSum drag;                  // given to the fluid
  GridSum distant_work;          // of forces at a distance on all bodies, along the discrete path
  // from here on in the order of events
  double switched = 0;  // stored energy added when fields, walls or particles were switched or removed
  // parts of it that were in contact springs
  double switched_normal = 0, switched_tangential = 0, switched_rolling = 0, switched_adhesive = 0;
  double initial = 0;  // E at the start
  double initial_normal = 0, initial_tangential = 0, initial_rolling = 0, initial_adhesive = 0;
  double initial_bonds = 0, switched_bonds = 0;      // the same of bonds
  double switched_distant = 0, initial_distant = 0;  // and of forces at a distance
  double most_kinetic = 0;                           // largest kinetic energy seen

  LedgerSums() = default;
  explicit LedgerSums(const Grid& grid) {
    for_each_sum(*this, [&](GridSum& sum) { sum = GridSum(grid); });
  }
  // f(sum) for every sum without an order, always the same ones in turn.
  template <class Self, class F>
  static void for_each_sum(Self& s, F&& f) {
    f(s.contact.elastic), f(s.contact.damping), f(s.contact.tangential), f(s.contact.tangential_damper);
    f(s.contact.rolling), f(s.contact.adhesion), f(s.scheme);
    f(s.bonds.put_in), f(s.bonds.damping), f(s.bonds.wall_work), f(s.bonds.broken);
    f(s.wall_work), f(s.field_work), f(s.drag), f(s.distant_work);
  }
  // The other numbers.
  template <class Self, class F>
  static void for_each_number(Self& s, F&& f) {
    f(s.switched), f(s.switched_normal), f(s.switched_tangential), f(s.switched_rolling), f(s.switched_adhesive);
    f(s.initial), f(s.initial_normal), f(s.initial_tangential), f(s.initial_rolling), f(s.initial_adhesive);
    f(s.initial_bonds), f(s.switched_bonds), f(s.switched_distant), f(s.initial_distant), f(s.most_kinetic);
  }

  LedgerSums& operator+=(const LedgerSums& b) {
    std::vector<GridSum*> own;
    for_each_sum(*this, [&](GridSum& sum) { own.push_back(&sum); });
    auto next = own.begin();
    for_each_sum(b, [&](const GridSum& sum) { **next++ += sum; });
    return *this;
  }
};

// The grid for bookings of a case. A contact books the energy of an impact over some tens of steps and most contacts
// much less per step; the few amounts above a hundredth of it are added one by one. Bookings that are the same step
// after step are rounded alike, so the quantum counts as often as there are steps: 4e-16 of that hundredth is about the
// rounding of the velocities.
inline Grid booking_grid(double largest_mass, double speed, double gravity, double diameter) {
  return Grid(largest_mass * (speed * speed + gravity * diameter) / 128);
}

// Stored energies while they are summed up.
struct StoredSums {
  ExactSum kinetic, rotational, potential, elastic_normal, elastic_tangential, elastic_rolling, adhesive, distant,
      bonds;

  StoredSums& operator+=(const StoredSums& b) {
    kinetic += b.kinetic;
    rotational += b.rotational;
    potential += b.potential;
    elastic_normal += b.elastic_normal;
    elastic_tangential += b.elastic_tangential;
    elastic_rolling += b.elastic_rolling;
    adhesive += b.adhesive;
    distant += b.distant;
    bonds += b.bonds;
    return *this;
  }
  Energy energy() const {
    Energy e;
    e.kinetic = kinetic.value();
    e.rotational = rotational.value();
    e.potential = potential.value();
    e.elastic_normal = elastic_normal.value();
    e.elastic_tangential = elastic_tangential.value();
    e.elastic_rolling = elastic_rolling.value();
    e.adhesive = adhesive.value();
    e.distant = distant.value();
    e.bonds = bonds.value();
    return e;
  }
};

inline double stored(const Energy& e) {
  return e.kinetic + e.rotational + e.potential + e.elastic_normal + e.elastic_tangential + e.elastic_rolling +
         e.adhesive + e.distant + e.bonds;
}

// The stored energy at the start.
inline void book_start(LedgerSums& s, const Energy& e) {
  s.initial = stored(e);
  s.initial_normal = e.elastic_normal;
  s.initial_tangential = e.elastic_tangential;
  s.initial_rolling = e.elastic_rolling;
  s.initial_adhesive = e.adhesive;
  s.initial_bonds = e.bonds;
  s.initial_distant = e.distant;
  s.most_kinetic = e.kinetic + e.rotational;
}

// Something was switched, removed or brought in between two states.
inline void book_change(LedgerSums& s, const Energy& before, const Energy& after) {
  s.switched += stored(after) - stored(before);
  s.switched_normal += after.elastic_normal - before.elastic_normal;
  s.switched_tangential += after.elastic_tangential - before.elastic_tangential;
  s.switched_rolling += after.elastic_rolling - before.elastic_rolling;
  s.switched_adhesive += after.adhesive - before.adhesive;
  s.switched_distant += after.distant - before.distant;
  s.switched_bonds += after.bonds - before.bonds;
}

// `now` holds the stored energies; the rest is filled in.
inline void balance(Energy& now, const LedgerSums& s) {
  const double normal_change = now.elastic_normal - s.initial_normal - s.switched_normal;
  const double tangential_change = now.elastic_tangential - s.initial_tangential - s.switched_tangential;
  const double rolling_change = now.elastic_rolling - s.initial_rolling - s.switched_rolling;
  const double adhesive_change = now.adhesive - s.initial_adhesive - s.switched_adhesive;
  const double bond_change = now.bonds - s.initial_bonds - s.switched_bonds + s.bonds.broken;
  const double distant_change = now.distant - s.initial_distant - s.switched_distant;
  now.numerical =
      normal_change - s.contact.elastic + bond_change - s.bonds.put_in + distant_change + s.distant_work + s.scheme;
  now.damping = s.contact.damping + s.contact.tangential_damper;
  now.sliding = s.contact.tangential - s.contact.tangential_damper - tangential_change;
  now.rolling = s.contact.rolling - rolling_change;
  now.adhesion = s.contact.adhesion - adhesive_change;
  now.bond_damping = s.bonds.damping;
  now.broken = s.bonds.broken;
  now.wall_work = s.wall_work + s.bonds.wall_work;
  now.field_work = s.field_work;
  now.drag = s.drag;
  now.removed = -s.switched;
  now.initial = s.initial;
  now.turned_over = std::max(s.most_kinetic, now.kinetic + now.rotational);
  for (const double e : {now.damping, now.sliding, now.rolling, now.adhesion, now.bond_damping, now.broken,
                         now.wall_work, now.field_work, now.drag})
    now.turned_over += std::fabs(e);
  now.residual = stored(now) - s.initial - s.switched - now.wall_work - now.field_work + now.damping + now.sliding +
                 now.rolling + now.adhesion + now.bond_damping + now.broken + now.drag - now.numerical;
}

// What has put energy in where it should have taken it out, in words, or null. Theory manual, section 16.2.
const char* negative_dissipation(const Energy& e);

// In and out of a checkpoint, exactly.
void save_ledger(Archive& archive, const LedgerSums& sums);
void load_ledger(const Archive& archive, LedgerSums& sums);

}  // namespace areia
