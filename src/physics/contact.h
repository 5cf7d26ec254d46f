// What a contact law sees, and what it returns. No particles, walls, neighbours or memory here.
//
// Signs: n points from i to j (or from i into the wall). overlap > 0 in contact; overlap_rate > 0 while it grows.
// All forces and torques are those on i. f.n < 0 is repulsion. Spec section 1.
#pragma once
#include <array>

#include "areia/vec3.h"
#include "core/rounding.h"

namespace areia {

// select, min, max and sqrt for double; another number type brings its own overloads, found by argument lookup.
inline double select(bool c, double a, double b) { return c ? a : b; }
inline double max_of(double a, double b) { return a > b ? a : b; }
inline double min_of(double a, double b) { return a < b ? a : b; }
inline double sqrt_of(double a) { return std::sqrt(a); }
inline bool any(bool c) { return c; }
// x^e for x >= 0, with the same bits on every machine; the powers that the sources use need no library.
inline double pow_of(double x, double e) {
  if (e == 1) return x;
  if (e == 2) return x * x;
  if (e == 1.5) return x * std::sqrt(x);
  return rounded(std::pow(x, e));
}

inline double cbrt_of(double x) { return rounded(std::cbrt(x)); }

template <class M, class T>
Vec3<T> select(const M& c, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(c, a.x, b.x), select(c, a.y, b.y), select(c, a.z, b.z)};
}

template <class T>
struct Geometry {
  T overlap;             // delta; negative in a gap that a law bridges
  T contact_radius;      // a = sqrt(r* delta) of Hertz, 0 in a gap
  T r_star;              // effective radius; a wall counts as infinite
  T radius_i, radius_j;  // radius_j = 0 at a wall

  T length() const { return radius_i + radius_j; }  // S: strain is delta/S. Spec section 6
};

// Contact area. Spec section 6: pi r* delta (half of what the spheres cut out of each other), or that of the lens,
// pi (r_i^2 - L^2) with L = (d - (r_j^2 - r_i^2)/d)/2 from centre i to the plane of the lens; at a wall L = r - delta.
template <class T>
T hertz_area(const Geometry<T>& g) {
  return 3.14159265358979323846 * g.r_star * g.overlap;
}
template <class T>
T lens_area(const Geometry<T>& g) {
  const T d = g.radius_i + g.radius_j - g.overlap;
  const T pair = 0.5 * (d - (g.radius_j * g.radius_j - g.radius_i * g.radius_i) / d);
  const T l = select(g.radius_j > T(0), pair, g.radius_i - g.overlap);
  return 3.14159265358979323846 * (g.radius_i * g.radius_i - l * l);
}

template <class T>
struct Contact : Geometry<T> {
  Vec3<T> n;                // unit normal, from i to j
  T overlap_rate;           // (v_i - v_j) . n
  T contact_radius_before;  // at the last evaluation; known only when energy is booked
  T m_star;                 // effective mass; a wall counts as infinite
  T inv_m_i, inv_m_j, inv_j_i, inv_j_j;
  T lever_i, lever_j;  // from the centres to the contact point
  Vec3<T> v_t;         // tangential part of the relative velocity of the contact points, i minus j
  Vec3<T> w_r;         // rolling part of w_i - w_j
  T w_n;               // twisting part, (w_i - w_j) . n
  T stiffness;         // dN/d(delta) of the normal law's spring
  T sharing;           // larger number of contacts of the two bodies, at least 1; limits per body are shared by them
  T dt;                // interval of this evaluation; 0: forces of a given state, histories stay

  T inv_j_red() const { return inv_j_i + inv_j_j; }  // 0 when neither may turn
  // Response of the sliding velocity to a tangential impulse: 1/m* + l_i^2/j_i + l_j^2/j_j.
  T inv_slip() const { return 1 / m_star + lever_i * lever_i * inv_j_i + lever_j * lever_j * inv_j_j; }
};

// Normal force: N = total pushes i along -n. The elastic part derives from a potential; the rest is damping.
template <class T>
struct NormalForce {
  T total, elastic;
  T stiffness;  // dN/d(delta) of the spring
  T pressing;   // what friction and rolling resistance are limited by, >= 0
};

template <class T>
struct AdhesionForce {
  T pull;              // >= 0, attraction along +n
  Vec3<T> tangential;  // on i, in the tangent plane
};

template <class T>
struct TangentialForce {
  Vec3<T> force;  // on i, in the tangent plane
  Vec3<T>
      before;  // elastic part at the last evaluation, on the present tangent plane; `force` where there is no spring
  T viscous_power;  // W going into the tangential damper (sticking); the rest is spring or sliding
};

// What a law remembers of a contact. Vectors are those of body i against j: they change their sign when i and j change
// places. Scalars do not.
template <class T, int kScalars, int kVectors>
struct Memory {
  std::array<T, kScalars> scalar;
  std::array<Vec3<T>, kVectors> vector;
};

}  // namespace areia
