// The energy ledger: bookings of contacts and stored energies brought together. See the theory manual.
//
// Stored:  kinetic + rotational + potential + elastic_normal + elastic_tangential + distant =: E
// Balance: E - E_0 = wall_work + field_work + switched - damping - sliding - rolling - drag + numerical + residual
// `elastic` is the work put into normal springs along the discrete path; numerical = its potential minus this work.
// Sliding is the rest of the tangential work after the damper and the stored spring energy.
#pragma once
#include <algorithm>
#include <cmath>

#include "areia/frame.h"
#include "physics/interaction.h"

namespace areia {

struct LedgerSums {
  Booking<double> contact;  // all contacts since t = 0
  double wall_work = 0;     // of walls, prescribed particles, and fields across periodic faces
  double field_work = 0;    // of fields other than uniform gravity, and of a gravity that turns
  double drag = 0;          // given to the fluid
  double distant_work = 0;  // of forces at a distance on all bodies, along the discrete path
  double switched = 0;      // stored energy added when fields, walls or particles were switched or removed
  double switched_normal = 0, switched_tangential = 0;  // parts of it that were in contact springs
  double initial = 0;                                   // E at the start
  double initial_normal = 0, initial_tangential = 0;
  double switched_distant = 0, initial_distant = 0;
  double most_kinetic = 0;  // largest kinetic energy seen

  LedgerSums& operator+=(const LedgerSums& b) {
    contact += b.contact;
    wall_work += b.wall_work;
    field_work += b.field_work;
    drag += b.drag;
    distant_work += b.distant_work;
    return *this;
  }
};

inline double stored(const Energy& e) {
  return e.kinetic + e.rotational + e.potential + e.elastic_normal + e.elastic_tangential + e.distant;
}

// `now` holds the stored energies; the rest is filled in.
inline void balance(Energy& now, const LedgerSums& s) {
  const double normal_change = now.elastic_normal - s.initial_normal - s.switched_normal;
  const double tangential_change = now.elastic_tangential - s.initial_tangential - s.switched_tangential;
  const double distant_change = now.distant - s.initial_distant - s.switched_distant;
  now.numerical = normal_change - s.contact.elastic + distant_change + s.distant_work;
  now.damping = s.contact.damping + s.contact.tangential_damper;
  now.sliding = s.contact.tangential - s.contact.tangential_damper - tangential_change;
  now.rolling = s.contact.rolling;
  now.wall_work = s.wall_work;
  now.field_work = s.field_work;
  now.drag = s.drag;
  now.removed = -s.switched;
  now.initial = s.initial;
  now.turned_over = std::max(s.most_kinetic, now.kinetic + now.rotational) + now.damping + now.sliding + now.rolling +
                    std::fabs(now.wall_work) + std::fabs(now.field_work) + std::fabs(now.drag);
  now.residual = stored(now) - s.initial - s.switched - s.wall_work - s.field_work + now.damping + now.sliding +
                 now.rolling + now.drag - now.numerical;
}

}  // namespace areia
