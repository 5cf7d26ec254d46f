// A spring and a dashpot along one direction over a finite step: f = -(s + c v). Theory manual, section 13.3.
//
// An explicit scheme gives the force of an evaluation as a kick, and sees velocities that lie `lag` before the middle of
// that kick: half a step in leapfrog. Taken at its word the dashpot answers to a velocity that is too old, and for
// c r dt > 2 it turns from a brake into a motor (r: response of the velocity to an impulse, 1/m* along the normal). It
// belongs to the velocity u of the middle of the kick, which the force itself has changed:
//   f = -(s + c u),  u = v + lag r f      hence      f = -(s + c v)/(1 + lag c r)
// A contact by itself is thus right to second order. Beyond c r dt = 2 this would still throw the bodies back, so the
// divisor is at least c r dt: the step then ends at the velocity -s/c, with which a strong dashpot gives way to its
// spring.
//
// Bodies with many contacts. Let all dashpots k of a packing act at once, each with its c_k/divisor. Over a step they
// take energy away if no eigenvalue of the matrix c_k (B^T M^-1 B)_kl dt exceeds 2 (1 in velocity_verlet, whose velocities
// are predicted). Its row k holds c_k/m_i for each contact of i and c_k/m_j for each of j, so by Gershgorin's theorem
// none exceeds c_k r dt n, with n = (n_i/m_i + n_j/m_j)/(1/m_i + 1/m_j). Hence
//   divisor = max(1 + lag c r, n (dt - lag) c r),  n >= 2
// and n is `crowd`. Where dashpots are weak the first one holds, whatever n is.
#pragma once
#include "physics/contact.h"

namespace areia {

template <class T>
AREIA_PORTABLE T dashpot_divisor(const Contact<T>& c, const T& damper, const T& response, const T& crowd) {
  const T pace = damper * response;
  return max_of(1 + c.lag * pace, crowd * (c.kick - c.lag) * pace);
}

// From this damping ratio on a normal law asks for the number of contacts of its bodies: with twenty steps in a contact
// c r dt is then above 0.4, and a dozen contacts can overshoot. A tangential spring has more steps to itself, and its
// bodies turn as well.
inline constexpr double kCrowdedNormal = 1, kCrowdedTangential = 0.3;

// N of a normal law whose spring pushes with `spring` and whose dashpot has the coefficient `damper` at this overlap.
//
// A contact begins anywhere within a step. The dashpot takes away c times the way in contact, and by the middle of the
// first kick that is y = delta + kick/2 times the rate, whatever of the kick lies before the touching: not c v kick. With
// C(y) = integral of c from 0 to y the impulse is C(y), and as above the later half of the way is gone with the velocity
// after the kick:
//   N = (spring + C(y)/kick)/(1 + lag c(y) r)
// but no more than what stops the bodies. Without this the restitution scatters by c r dt/2 with the moment of touching.
// A law gives c(y) as damper() and C(y)/y as mean_damper(). `begins`: whether the dashpot begins at touching.
template <class Law, class T>
AREIA_PORTABLE [[gnu::always_inline]] inline T damped_normal(const typename Law::Pair& p, const Contact<T>& c,
                                                             const T& spring, const T& damper, bool begins = true) {
  const T response = c.inv_m_i + c.inv_m_j;
  T sum = spring + damper * c.overlap_rate;
  T divisor = dashpot_divisor<T>(c, damper, response, c.crowd);
  const auto fresh = c.overlap_rate * c.kick > c.overlap && c.overlap > T(0);
  if (begins && any_of(fresh)) [[unlikely]] {
    Geometry<T> later = c;
    later.overlap = c.overlap + 0.5 * c.kick * c.overlap_rate;
    later.contact_radius = sqrt_of(c.r_star * max_of(later.overlap, T(0)));
    const T there = Law::damper(p, later, c.m_star);
    const T way = Law::mean_damper(p, later, c.m_star) * later.overlap;
    const T slowed = 1 + c.lag * there * response;
    const T stop = c.crowd * (c.kick - c.lag) * response;
    const auto stops = way * stop > slowed * c.overlap_rate * c.kick;
    const T first = select(stops, spring + there * c.overlap_rate, spring + way / divisor_of(c.kick));
    sum = select(fresh, first, sum);
    divisor = select(fresh, select(stops, max_of(stop * there, slowed), slowed), divisor);
  }
  return sum / divisor;
}

// The force that a tangential spring and dashpot try, before its limit, and the power of the dashpot: see
// TangentialForce.
template <class T>
struct TangentialTrial {
  Vec3<T> force;
  T viscous_power, viscous_seen;
};

// `pull`: the spring pulls back with it; `braking`: all that grows with the present velocity, the dashpot included.
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline TangentialTrial<T> damped_tangential(const Contact<T>& c,
                                                                                  const Vec3<T>& pull, const T& damper,
                                                                                  const T& braking) {
  const T response = c.inv_slip();
  const T part = 1 / dashpot_divisor<T>(c, braking, response, c.crowd);
  const Vec3<T> force = -(part * (pull + damper * c.v_t));
  const Vec3<T> dashpot = force + pull, middle = c.v_t + (c.lag * response) * force;
  return {force, -dot(dashpot, middle), -dot(dashpot, c.v_t)};
}

}  // namespace areia
