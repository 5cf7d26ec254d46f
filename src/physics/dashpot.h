// Dashpots over a finite step. Theory manual, section 13.3.
//
// An explicit scheme gives the force of an evaluation, f = -(s + c v) of a spring and a dashpot, as one kick. It sees
// the velocity v that lies `lag` before the middle of that kick: half a step in leapfrog. With the response r of the
// velocity to an impulse (1/m* along the normal) that velocity is older by lag r f, so that the contact behaves to
// first order as one with the spring (1 + q) s and the dashpot (1 + q) c, q = lag c r. The restitution of an impact
// follows from c/sqrt(k). It is as asked for if the dashpot acts with
//   c (1 - h + h^2/2),   h = q/2
// while the spring stays as it is: what rests on it must not sink. (For a linear spring of the frequency w in leapfrog
// the coefficient that gives the ratio asked for is c (1 - h + (w dt)^2/24 - O(h^2/5)). With twenty steps in a contact,
// and restitutions of 0.05 to 0.2, where it matters, the last two terms are h^2/2.)
//
// Strong dashpots. Let all dashpots k of a packing act at once. Over a step they take energy away if no eigenvalue of
// the matrix c_k (B^T M^-1 B)_kl dt exceeds 2 (1 in velocity_verlet, whose velocities are predicted); beyond that a
// brake turns into a motor. Row k of the matrix has c_k/m_i for each contact of i and c_k/m_j for each of j, so by
// Gershgorin's theorem no eigenvalue exceeds n c_k r dt, with n = (n_i/m_i + n_j/m_j)/(1/m_i + 1/m_j). Hence dashpots
// act with
//   min(c (1 - h + h^2/2), 1/(stop r)),   stop = n (dt - lag),   n >= 2
// For n = 2 this stops two bodies within the step and does not throw them back.
#pragma once
#include "physics/contact.h"

namespace areia {

// The coefficient with which a dashpot acts on what yields by `response` to an impulse; `most` is 1/(stop r).
template <class T>
AREIA_PORTABLE T held_back(const Contact<T>& c, const T& damper, const T& response, const T& most) {
  const T rest = 1 - (c.half_lag * response) * damper;  // 1 - h; and 1 - h + h^2/2 = (1 + rest^2)/2
  return min_of((0.5 * damper) * (1 + rest * rest), most);
}

// The same of a tangential dashpot. No restitution depends on it, so that it is only kept from overshooting. Sliding
// spheres yield by 1/m* + l_i^2/j_i + l_j^2/j_j with j >= (2/5) m l^2: by 3.5/m* at most.
template <class T>
AREIA_PORTABLE T held_back_sliding(const Contact<T>& c, const T& damper) {
  return min_of(damper, c.m_star * ((2.0 / 7) * c.most_pace));
}

// From this damping ratio on a law asks for the number of contacts of its bodies: with twenty steps in a contact c r dt
// is then above 0.4, and a dozen contacts can overshoot. Tangential dashpots turn the bodies as well.
inline constexpr double kCrowdedNormal = 1, kCrowdedTangential = 0.3;

// N of a normal law whose spring pushes with `spring` and whose dashpot has the coefficient `damper` at this overlap.
//
// A contact begins anywhere within a step. The dashpot takes away c times the way in contact, which by the middle of
// the first kick is y = delta + (kick/2) rate, whatever part of the kick lies before the touching: not c rate kick.
// With C(y), the integral of c from 0 to y, it pushes with C(y)/kick. Without this the restitution scatters by c r dt/2
// with the moment of touching. Since y is at most 3/2 of the way in one kick, a dashpot that is held back stops nothing
// that it should not. A law gives C(y)/y as mean_damper(). `begins`: whether the dashpot begins at touching.
template <class Law, class T>
AREIA_PORTABLE [[gnu::always_inline]] inline T damped_normal(const typename Law::Pair& p, const Contact<T>& c,
                                                             const T& spring, const T& damper, bool begins = true) {
  T coefficient = damper, closing = c.overlap_rate, pace = c.most_pace;
  if (begins && c.begins) {
    // positive in the first step
    const T way = c.kick * c.overlap_rate, gap = kTouching * c.length() - c.overlap_before;
    const T fresh = min_of(min_of(gap, way), c.overlap);
    if (any_of(fresh > T(0))) [[unlikely]] {
      Geometry<T> later = c;
      later.overlap = c.overlap + 0.5 * way;
      later.contact_radius = sqrt_of(c.r_star * max_of(later.overlap, T(0)));
      coefficient = select(fresh > T(0), Law::mean_damper(p, later, c.m_star), coefficient);
      closing = select(fresh > T(0), later.overlap / divisor_of(c.kick), closing);
      pace = select(fresh > T(0), (2.0 / 3) * pace, pace);
    }
  }
  return spring + held_back<T>(c, coefficient, c.inv_m_i + c.inv_m_j, c.m_star * pace) * closing;
}

}  // namespace areia
