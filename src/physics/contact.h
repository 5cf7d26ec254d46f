// What a contact law sees, and what it returns. No particles, walls, neighbours or memory here.
//
// Signs: n points from i to j (or from i into the wall). overlap > 0 in contact; overlap_rate > 0 while it grows.
// All forces and torques are those on i. f.n < 0 is repulsion. Theory, section 1.
#pragma once
#include <array>

#include "core/elementary.h"
#include "core/number.h"

namespace areia {

// In place of a divisor that is zero, so that one formula serves every lane: what stands above it is zero then, too, or
// the quotient is not used.
inline constexpr double kLeastDivisor = 1e-300;
template <class T>
AREIA_PORTABLE T divisor_of(const T& a) {
  return max_of(a, T(kLeastDivisor));
}

// The kick that the forces of an evaluation give, as dashpots see it (dashpot.h). Zero where they act as they stand: in
// a given state, and in an implicit scheme.
struct Kick {
  double length = 0;  // s
  double lag = 0;     // by which the velocities of the evaluation lie before the middle of the kick
};

template <class T>
struct Geometry {
  T overlap;             // delta; negative in a gap that a law bridges
  T contact_radius;      // a = sqrt(r* delta) of Hertz, 0 in a gap
  T r_star;              // effective radius; a wall counts as infinite
  T radius_i, radius_j;  // radius_j = 0 at a wall

  // S: strain is delta/S. Theory, section 6.
  AREIA_PORTABLE T length() const { return radius_i + radius_j; }
};

template <class T>
struct Contact : Geometry<T> {
  Vec3<T> n;                // unit normal, from i to j
  T overlap_rate;           // (v_i - v_j) . n
  T overlap_before;         // at the last evaluation; of a contact that is new, the gap one step back, below 0
  T contact_radius_before;  // at the last evaluation; known only when energy is booked
  T m_star;                 // effective mass; a wall counts as infinite
  T inv_m_i, inv_m_j, inv_j_i, inv_j_j;
  T lever_i, lever_j;  // from the centres to the contact point
  Vec3<T> v_t;         // tangential part of the relative velocity of the contact points, i minus j
  Vec3<T> w_r;         // rolling part of w_i - w_j
  T w_n;               // twisting part, (w_i - w_j) . n
  T stiffness;         // dN/d(delta) of the normal law's spring
  T damper;            // coefficient of its dashpot at this overlap, not held back
  T normal;            // N of the normal law
  T sharing;           // larger number of contacts of the two bodies, at least 1; limits per body are shared by them
  T dt;                // interval of this evaluation; 0: forces of a given state, histories stay
  T kick, lag;         // of the struct Kick
  T half_lag, late;    // lag/2, and lag/(2 kick)
  T stop, most_pace;   // n (kick - lag) of dashpot.h, and its inverse
  bool begins = true;  // this contact, or another lane's, may be new
  bool kicks = true;   // dt > 0

  AREIA_PORTABLE T inv_j_red() const { return inv_j_i + inv_j_j; }  // 0 when neither may turn
  // Response of the sliding velocity to a tangential impulse: 1/m* + l_i^2/j_i + l_j^2/j_j.
  AREIA_PORTABLE T inv_slip() const {
    return inv_m_i + inv_m_j + lever_i * lever_i * inv_j_i + lever_j * lever_j * inv_j_j;
  }
};

// What the ledger keeps of a force: that of the last kick. In a given state no time passes and nothing is kicked.
template <class T, class Force>
[[gnu::always_inline]] AREIA_PORTABLE inline Force last_kick(const Contact<T>& c, const Force& now, const Force& kept) {
  return c.kicks ? now : kept;
}

// A coefficient of braking, force = -coefficient velocity, that does not reverse the motion within the step. `stop` is
// the part of the velocity that the coefficient 1 takes away in a step: dt times the response of the velocity to an
// impulse. It is zero where nothing can move or no time passes, and there nothing brakes.
template <class T>
AREIA_PORTABLE T capped(const T& coefficient, const T& stop) {
  return select(stop > T(0), min_of(coefficient, 1 / divisor_of(stop)), T(0));
}

// Normal force: N = total pushes i along -n. The elastic part derives from a potential; the rest is damping.
template <class T>
struct NormalForce {
  T total, elastic;
  T stiffness;  // dN/d(delta) of the spring
  T pressing;   // what friction and rolling resistance are limited by, >= 0
  T damper;     // coefficient of the dashpot at this overlap
};

template <class T>
struct AdhesionForce {
  T pull;              // >= 0, attraction along +n
  Vec3<T> tangential;  // on i, in the tangent plane; read only of a law that has one (kShears)
};

template <class T>
struct TangentialForce {
  Vec3<T> force;  // on i, in the tangent plane
  // Power at v_t of the elastic part at the last evaluation, on the present tangent plane; that of `force` where there
  // is no spring.
  T power_before;
  T damper;  // coefficient of the dashpot while it sticks; all else is spring or sliding
};

// Of the length of a contact: two that touch to the last bit have not been in contact before.
inline constexpr double kTouching = 1e-14;

// What a law remembers of a contact. Vectors are those of body i against j: they change their sign when i and j change
// places. Scalars do not.
template <class T, int kScalars, int kVectors>
struct Memory {
  std::array<T, kScalars> scalar;
  std::array<Vec3<T>, kVectors> vector;
};

}  // namespace areia
