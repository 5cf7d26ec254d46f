// The energy ledger: bookings of contacts and stored energies brought together. See the theory manual.
//
// Stored:  kinetic + rotational + potential + elastic_normal + elastic_tangential =: E
// Balance: E - E_0 = wall_work + switched - damping - sliding - rolling + numerical + residual
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
  double scheme = 0;        // of an implicit scheme by itself: kinetic energy gained beyond the trapezoid of the forces
  double wall_work = 0;     // of walls, prescribed particles, and fields across periodic faces
  double switched = 0;      // stored energy added when fields, walls or particles were switched or removed
  double switched_normal = 0, switched_tangential = 0;  // parts of it that were in contact springs
  double initial = 0;                                   // E at the start
  double initial_normal = 0, initial_tangential = 0;
  double most_kinetic = 0;  // largest kinetic energy seen

  LedgerSums& operator+=(const LedgerSums& b) {
    contact += b.contact;
    scheme += b.scheme;
    wall_work += b.wall_work;
    return *this;
  }
};

inline double stored(const Energy& e) {
  return e.kinetic + e.rotational + e.potential + e.elastic_normal + e.elastic_tangential;
}

// `now` holds the stored energies; the rest is filled in.
inline void balance(Energy& now, const LedgerSums& s) {
  const double normal_change = now.elastic_normal - s.initial_normal - s.switched_normal;
  const double tangential_change = now.elastic_tangential - s.initial_tangential - s.switched_tangential;
  now.numerical = normal_change - s.contact.elastic + s.scheme;
  now.damping = s.contact.damping + s.contact.tangential_damper;
  now.sliding = s.contact.tangential - s.contact.tangential_damper - tangential_change;
  now.rolling = s.contact.rolling;
  now.wall_work = s.wall_work;
  now.removed = -s.switched;
  now.initial = s.initial;
  now.turned_over = std::max(s.most_kinetic, now.kinetic + now.rotational) + now.damping + now.sliding + now.rolling +
                    std::fabs(now.wall_work);
  now.residual =
      stored(now) - s.initial - s.switched - s.wall_work + now.damping + now.sliding + now.rolling - now.numerical;
}

}  // namespace areia
