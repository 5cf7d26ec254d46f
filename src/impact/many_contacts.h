// Several contacts at the same instant: Poisson's two stages with Coulomb's law at each contact (docs/impact.md,
// Several contacts). Three coins, a bar that falls flat.
#pragma once
#include <string>
#include <vector>

#include "impact/collision.h"

namespace areia::impact {

inline constexpr std::size_t kMostContacts = 6;  // 6^n modes are enumerated per stage

// All contacts that are closed at the instant, also those that do not approach. `w`: prescribed part per contact, or
// empty. The law is gp1 (newton: without friction) at the model's e and mu; every other law is replaced by gp1 and
// `substituted` says so.
struct ManyImpact {
  Status status = Status::ok;
  const char* reason = "";
  const char* phase = "";
  bool substituted = false;
  std::vector<Impulse> I, IC, IE;  // per contact; th is always 0
  std::vector<Velocity> A, C, E;   // relative velocities per contact
  std::vector<std::string> modes;  // per contact: "open", or as gp1
  std::vector<double> qdotE;
  double dT = 0, dT_inertial = 0;
  bool energy_gain = false;

  bool ok() const { return status == Status::ok; }
};

// Throws InputError where rows and matrix do not fit, or for more than kMostContacts contacts.
ManyImpact solve_many(const MassMatrix& M, const std::vector<ContactRows>& contacts, std::span<const double> qdotA,
                      const std::vector<Velocity>& w, const Model& model);

}  // namespace areia::impact
