// Two bodies that come near each other: whether they touch, how, since when, and until when. Every engine asks here,
// so that all see the same contacts with the same bits.
//
// Distances are compared as squares. d points from the centre of i to that of j; n = d/|d|. A wall is met at its
// closest point, in the direction n from the centre. Theory manual, section 6.1.
#pragma once
#include "physics/interaction.h"

namespace areia {

// Nearer than the sum of the radii; the condition under which contacts begin and last that act by overlap alone.
AREIA_PORTABLE inline bool touches(double distance2, double radius_i, double radius_j) {
  const double reach = radius_i + radius_j;
  return distance2 < reach * reach;
}
// With a gap of at most this width between them.
AREIA_PORTABLE inline bool touches_across(double gap, double distance2, double radius_i, double radius_j) {
  const double reach = radius_i + radius_j + gap;
  return distance2 < reach * reach;
}

// Some laws act across a gap. Contacts that exist reach further than new ones begin.
inline bool acts_across(const Interaction& laws, double distance2, double radius_i, double radius_j, bool exists) {
  const double r_star = radius_i * radius_j / (radius_i + radius_j);
  return touches_across(exists ? laws.hold_range(r_star) : laws.form_range(r_star), distance2, radius_i, radius_j);
}
inline bool acts_on_wall(const Interaction& laws, double overlap, double radius, bool exists) {
  return overlap > 0 || overlap > -(exists ? laws.hold_range(radius) : laws.form_range(radius));
}

// Overlapping by more than `most` of the smaller radius: no law is meant for that, and the run ends.
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline auto is_deep(const T& overlap, const T& radius_i, const T& radius_j,
                                                          const T& most) {
  return overlap > most * min_of(radius_i, radius_j);
}
AREIA_PORTABLE inline bool is_deep_in_wall(double overlap, double radius, double most) {
  return overlap > most * radius;
}

// Normal, overlap, effective radius and mass of two spheres whose centres are d apart, with their radii for levers. One
// division gives n = d/|d|, r* = r_i r_j/(r_i + r_j) and m* = 1/(1/m_i + 1/m_j), and does not wait for the root.
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline Touch<T> touch_of(const Vec3<T>& d, const T& ri, const T& rj,
                                                               const T& inv_m_i, const T& inv_m_j) {
  // what is added is lost in any distance; coincident centres have no direction, and the overlap check stops the run:
  // max_overlap is below 2
  const T distance2 = norm2(d) + T(kLeastDivisor), distance = sqrt_of(distance2);
  const T reach = ri + rj, inv_m = inv_m_i + inv_m_j, product = reach * inv_m, inverse = 1 / (distance2 * product);
  const T both = distance2 * inverse;
  return {(distance * (product * inverse)) * d, reach - distance, ri * rj * inv_m * both, reach * both, ri, rj};
}

// A sphere at a wall, which has an infinite radius and mass: r* = r_i, m* = m_i.
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline Touch<T> touch_of_wall(const Vec3<T>& n, const T& overlap, const T& radius,
                                                                    const T& inv_m) {
  return {n, overlap, radius, 1 / inv_m, radius, T(0)};
}

// The overlap shortens both levers (lever = "deformed").
template <class T>
AREIA_PORTABLE [[gnu::always_inline]] inline void shorten_levers(Touch<T>& t, double share_i, double share_j) {
  t.lever_i -= share_i * t.overlap;
  t.lever_j -= share_j * t.overlap;
}

// The velocity with which a body moved to where it is: a contact that is new now was open one step back along it.
// velocity_verlet and the implicit scheme hold velocities of the end of the step; they moved at v - a dt/2.
AREIA_PORTABLE inline Vec3d velocity_of_last_move(const Vec3d& v, const Vec3d& acceleration, double dt) {
  return v - (0.5 * dt) * acceleration;
}

// Of two spheres d apart, from the squares and roots that tell whether they touch.
AREIA_PORTABLE inline double overlap_now(const Vec3d& d, double radius_i, double radius_j) {
  return radius_i + radius_j - norm(d);
}

// The overlap one step of dt earlier, when i moved at v against j.
AREIA_PORTABLE inline double overlap_before(const Vec3d& d, double radius_i, double radius_j, const Vec3d& v,
                                            double dt) {
  const double distance = norm(d);
  const Vec3d n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
  return radius_i + radius_j - distance - dt * dot(v, n);
}
AREIA_PORTABLE inline double overlap_before_at_wall(const Vec3d& n, double overlap, const Vec3d& v, double dt) {
  return overlap - dt * dot(v, n);
}

}  // namespace areia
