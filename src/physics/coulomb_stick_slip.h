// coulomb_history.h with a dynamic coefficient below the static one. The force is that law's; what differs is what the
// ledger has to know. While a contact slips its spring is left at the static limit and the force is the dynamic one,
//
//   |k_t s| = mu_s N,   |f| = mu_d N,
//
// so that the force of the last evaluation follows from s only together with the part of it that acted: 1 after
// sticking, mu_d/mu_s after slipping. A contact with one coefficient needs no such number, and has none.
#pragma once
#include <string_view>

#include "physics/coulomb_history.h"

namespace areia {

struct CoulombStickSlip {
  static constexpr int kScalars = 1, kVectors = 1;  // the part of the spring's force that acted in the last kick; s
  static constexpr auto& kParameters = CoulombHistory::kParameters;
  static constexpr const LawInfo& kInfo = CoulombHistory::kInfo;
  static constexpr std::string_view kTypeName = "coulomb_stick_slip";

  struct Pair : CoulombHistory::Pair {
    double slipping = 1;  // mu_d/mu_s
  };

  static bool serves(const LawChoice& c) {
    if (c.law != kInfo.name || !is_given(c, kMuDynamic)) return false;
    const Friction mu = friction_of(c);
    return mu.mu_d != mu.mu_s;
  }

  static Pair prepare(const LawChoice& c, const MaterialPair& m) {
    Pair p;
    static_cast<CoulombHistory::Pair&>(p) = CoulombHistory::prepare(c, m);
    if (p.mu_s > 0) p.slipping = p.mu_d / p.mu_s;
    return p;
  }

  template <class T>
  AREIA_PORTABLE static T stiffness(const Pair& p, T contact_radius) {
    return CoulombHistory::stiffness(p, contact_radius);
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, const Memory<T, 1, 1>& memory) {
    return CoulombHistory::energy<T>(p, g, {{}, memory.vector});
  }

  static bool shares(const Pair& p) { return CoulombHistory::shares(p); }

  template <class T>
  AREIA_PORTABLE static TangentialForce<T> force(const Pair& p, const Contact<T>& c, T normal,
                                                 Memory<T, 1, 1>& memory) {
    auto [f, stick] = CoulombHistory::stick_or_slip<T>(p, c, normal, memory.vector[0]);
    f.power_before = memory.scalar[0] * f.power_before;
    memory.scalar[0] = last_kick(c, select(stick, T(1), T(p.slipping)), memory.scalar[0]);
    return f;
  }
};

}  // namespace areia
