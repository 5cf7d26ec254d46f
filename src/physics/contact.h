// The kinematics that a contact law sees, and what it returns. No particles, walls, neighbours or memory here.
//
// Signs: n points from i to j (or from i into the wall). overlap > 0 in contact; overlap_rate > 0 while it grows.
// All forces and torques are those on i. f.n < 0 is repulsion. Spec section 1.
#pragma once
#include "areia/vec3.h"

namespace areia {

// select, min, max and sqrt for double; a batch type brings its own overloads, found by argument lookup.
inline double select(bool c, double a, double b) { return c ? a : b; }
inline double max_of(double a, double b) { return a > b ? a : b; }
inline double min_of(double a, double b) { return a < b ? a : b; }
inline double sqrt_of(double a) { return std::sqrt(a); }
inline bool any(bool c) { return c; }

template <class M, class T>
Vec3<T> select(const M& c, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(c, a.x, b.x), select(c, a.y, b.y), select(c, a.z, b.z)};
}

template <class T>
struct Contact {
  Vec3<T> n;         // unit normal, from i to j
  T overlap;         // delta > 0
  T overlap_rate;    // (v_i - v_j) . n
  T contact_radius;  // a = sqrt(r* delta) of Hertz, shared by the laws
  Vec3<T> v_t;       // tangential part of the relative velocity of the contact points, i minus j
  Vec3<T> w_r;       // rolling part of w_i - w_j
  T r_star, m_star;  // effective radius and mass; a wall counts as infinite in both
  T inv_j_red;       // 1/j_i + 1/j_j; 0 when neither may turn
  T sharing;         // larger number of contacts of the two bodies, at least 1; limits per body are shared by them
  T dt;              // interval of this evaluation; 0: forces of a given state, histories stay
};

// Normal force: N = total pushes i along -n. The elastic part derives from a potential; the rest is damping.
template <class T>
struct NormalForce {
  T total, elastic;
};

template <class T>
struct TangentialForce {
  Vec3<T> force;    // on i, in the tangent plane
  Vec3<T> spring;   // elongation s after this evaluation
  T viscous_power;  // W going into the tangential damper (sticking); the rest is spring or sliding
};

}  // namespace areia
