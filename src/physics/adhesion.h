// What the laws of adhesion have in common.
#pragma once
#include "physics/contact.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

inline constexpr ParameterInfo kInFriction{
    "friction",
    "",
    0,
    0,
    0,
    "normal force in the limit of friction: of the contact alone, or with the adhesion",
    "contact|with_adhesion"};
inline double in_friction(const LawChoice& c) { return chosen(c, word(kInFriction, "with_adhesion")) ? 1 : 0; }

inline constexpr ParameterInfo kLatch{"latch", "", 0, 0, 0, "once begun it acts until the bodies separate", "off|on"};
inline double latched(const LawChoice& c) { return chosen(c, word(kLatch, "on")) ? 1 : 0; }

// 1 while an adhesion acts that begins at a strain delta/S, else 0. `begun`: its value at the last evaluation, which a
// latch keeps until the bodies separate. At delta = 0 they have: the sources differ there (000: delta > 0, 001: delta
// >= 0), but a contact is one of positive overlap, and the area of 001 is zero at delta = 0. Theory, section 10.
template <class T>
AREIA_PORTABLE T acts(double strain, double latch, const Geometry<T>& g, const T& begun) {
  const T fresh = select(g.overlap >= strain * g.length(), T(1), T(0));
  return select(g.overlap > T(0), latch > 0 ? max_of(fresh, begun) : fresh, T(0));
}

}  // namespace areia
