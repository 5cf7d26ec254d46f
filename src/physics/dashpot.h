// Dashpots over a finite step. Theory manual, section 13.3.
//
// An explicit scheme gives the force of an evaluation, f = -(s + c v) of a spring and a dashpot, as one kick. It sees
// the velocity v that lies `lag` before the middle of that kick: half a step in leapfrog. With the response r of the
// velocity to an impulse (1/m* along the normal) that velocity is older by lag r f, so that the contact behaves to
// first order as one with the spring (1 + q) s and the dashpot (1 + q) c, q = lag c r. The restitution of an impact
// follows from c/sqrt(k). It is as asked for if the dashpot acts with c/sqrt(1 + q), or to the same order with
//   c/(1 + q/2)
// while the spring stays as it is: what rests on it must not sink.
//
// Strong dashpots. Let all dashpots k of a packing act at once. Over a step they take energy away if no eigenvalue of
// the matrix c_k (B^T M^-1 B)_kl dt exceeds 2 (1 in velocity_verlet, whose velocities are predicted); beyond that a
// brake turns into a motor. Row k of the matrix has c_k/m_i for each contact of i and c_k/m_j for each of j, so by
// Gershgorin's theorem no eigenvalue exceeds n c_k r dt, with n = (n_i/m_i + n_j/m_j)/(1/m_i + 1/m_j). Hence dashpots
// act with
//   c/divisor,   divisor = max(1 + lag c r/2, n (dt - lag) c r),   n >= 2
// and n (dt - lag) is `stop`. For n = 2 this stops two bodies within the step and does not throw them back.
#pragma once
#include "physics/contact.h"

namespace areia {

template <class T>
AREIA_PORTABLE T dashpot_divisor(const Contact<T>& c, const T& damper, const T& response, const T& stop) {
  const T pace = damper * response;
  return max_of(1 + c.half_lag * pace, stop * pace);
}

// From this damping ratio on a law asks for the number of contacts of its bodies: with twenty steps in a contact c r dt
// is then above 0.4, and a dozen contacts can overshoot. Tangential dashpots turn the bodies as well.
inline constexpr double kCrowdedNormal = 1, kCrowdedTangential = 0.3;

inline constexpr double kTouching = -1e-14;

// N of a normal law whose spring pushes with `spring` and whose dashpot has the coefficient `damper` at this overlap.
//
// A contact begins anywhere within a step. The dashpot takes away c times the way in contact, which by the middle of
// the first kick is y = delta + (kick/2) rate, whatever part of the kick lies before the touching: not c rate kick.
// With C(y), the integral of c from 0 to y, it pushes with C(y)/kick over the divisor of c(y), but no more than what
// stops the bodies. Without this the restitution scatters by c r dt/2 with the moment of touching. A law gives c(y) as
// damper() and C(y)/y as mean_damper(). `begins`: whether the dashpot begins at touching.
template <class Law, class T>
AREIA_PORTABLE [[gnu::always_inline]] inline T damped_normal(const typename Law::Pair& p, const Contact<T>& c,
                                                             const T& spring, const T& damper, bool begins = true) {
  const T response = c.inv_m_i + c.inv_m_j;
  T push = damper * c.overlap_rate;
  T divisor = dashpot_divisor<T>(c, damper, response, c.stop);
  if (begins && c.begins) {
    // beyond the rounding of a distance: two that touch to the last bit have touched before
    const auto fresh = c.overlap_before < kTouching * c.length() && c.overlap > T(0) && c.overlap_rate * c.kick > T(0);
    if (any_of(fresh)) [[unlikely]] {
      Geometry<T> later = c;
      later.overlap = c.overlap + 0.5 * c.kick * c.overlap_rate;
      later.contact_radius = sqrt_of(c.r_star * max_of(later.overlap, T(0)));
      const T there = Law::damper(p, later, c.m_star);
      const T first = Law::mean_damper(p, later, c.m_star) * later.overlap / divisor_of(c.kick);
      const T held = 1 + c.half_lag * there * response;
      // first/held, at most rate/(stop r)
      const T stop = c.stop * response;
      const auto stops = first * stop > held * c.overlap_rate;
      push = select(fresh, select(stops, c.overlap_rate, first), push);
      divisor = select(fresh, select(stops, stop, held), divisor);
    }
  }
  return spring + push / divisor;
}

// The force that a tangential spring and dashpot try, before its limit, and the power of the dashpot: see
// TangentialForce.
template <class T>
struct TangentialTrial {
  Vec3<T> force;
  T viscous_power, viscous_seen;
};

// `pull`: the spring pulls back with it.
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline TangentialTrial<T> damped_tangential(const Contact<T>& c,
                                                                                  const Vec3<T>& pull,
                                                                                  const T& damper) {
  const T response = c.inv_slip();
  const T held = damper / dashpot_divisor<T>(c, damper, response, c.stop), seen = held * norm2(c.v_t);
  const Vec3<T> force = -(pull + held * c.v_t);
  return {force, seen + held * (c.lag * response) * dot(force, c.v_t), seen};
}

}  // namespace areia
