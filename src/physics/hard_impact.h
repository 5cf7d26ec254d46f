// Collision of two hard spheres, or of one and a wall: three coefficients, with spin. Walton's law; 000 and 001 call
// engines that go from one such collision to the next the hard-sphere method.
//
// Signs as everywhere: n is the unit normal from i to j (or from i into the wall). With r the radii, the contact points
// move against each other with
//   g = v_i - v_j + (r_i w_i + r_j w_j) x n,   g_n = g . n > 0 while the bodies approach,   g_t = g - g_n n.
// The bodies are spheres, so an impulse P on i and -P on j at the contact changes g by
//   dg_n = P_n / m_n,  dg_t = P_t / m_t,   1/m_n = 1/m_i + 1/m_j,   1/m_t = 1/m_n + r_i^2/j_i + r_j^2/j_j,
// because the torques r_i n x P on i and r_j n x P on j turn the contact points by r^2/j P_t; normal and tangential
// motion do not mix. The law:
//   normal      g_n' = -e g_n                 so  P_n = -(1 + e) m_n g_n
//   tangential  g_t' = -e_t g_t               so  P_t = -(1 + e_t) m_t g_t,  if that is within the friction cone,
//               |P_t| = mu |P_n| against g_t  otherwise: the contact slides through.
// e in [0, 1]; e_t in [-1, 1]: -1 smooth, 0 the slip ends, 1 perfectly rough. A wall has 1/m = 1/j = r = 0 there.
//
// Energy: the work of P is P . (g + g')/2. The normal part loses m_n (1 - e^2) g_n^2 / 2. The tangential part loses
// |P_t| (|g_t| - |P_t|/(2 m_t)), and is not negative because |P_t| <= (1 + e_t) m_t |g_t| <= 2 m_t |g_t|.
#pragma once
#include "core/number.h"
#include "physics/law_info.h"

namespace areia {

struct ImpactPair {
  double e = 1, e_t = 0, mu = 0;
  AREIA_PORTABLE bool smooth() const { return mu == 0 || e_t == -1; }
};

struct ImpactBody {
  Vec3d v, w;
  double radius = 0, inv_m = 0, inv_j = 0;
};

struct Impact {
  Vec3d impulse;                                // on i; j receives the opposite
  Vec3d tangential;                             // its part in the tangent plane
  Vec3d dv_i, dv_j;                             // changes of the velocities
  double normal = 0;                            // |P_n|
  double lost_normal = 0, lost_tangential = 0;  // J, >= 0
};

struct Walton {
  static constexpr ParameterInfo kParameters[] = {
      {"restitution", "", 0, 1, kRequired, "e: normal velocity after over before"},
      {"tangential_restitution", "", -1, 1, 0,
       "e_t of a contact that does not slide through: -1 smooth, 0 the slip ends, 1 perfectly rough"},
      {"mu", "", 0, kUnbounded, 0,
       "coefficient of friction: the tangential impulse is at most mu times the normal one"},
  };
  static constexpr LawInfo kInfo{"impact", "walton",
                                 "Instantaneous collision of hard spheres with restitution, friction and tangential "
                                 "restitution, for `numerics.engine = \"events\"`.",
                                 "the hard-sphere method of 000 and 001", kParameters};

  using Pair = ImpactPair;
  static ImpactPair prepare(const LawChoice& c) {
    return {number(c, row(kParameters, "restitution")), number(c, row(kParameters, "tangential_restitution")),
            number(c, row(kParameters, "mu"))};
  }

  AREIA_PORTABLE static Impact collide(const ImpactPair& p, const Vec3d& n, const ImpactBody& i, const ImpactBody& j) {
    Impact out;
    const Vec3d dv = i.v - j.v;
    const double g_n = dot(dv, n), inv_m_n = i.inv_m + j.inv_m, m_n = 1 / inv_m_n;
    out.normal = (1 + p.e) * m_n * g_n;
    out.impulse = -out.normal * n;
    out.lost_normal = 0.5 * m_n * (1 - p.e * p.e) * g_n * g_n;
    // By shares that add up to 1, not by impulse over mass: what rounding does to m_n would be the same in every
    // collision of equal bodies, and energy would drift with their number.
    const double share = i.inv_m / inv_m_n;
    out.dv_i = (-share * (1 + p.e) * g_n) * n;
    out.dv_j = ((1 - share) * (1 + p.e) * g_n) * n;
    if (p.smooth()) return out;
    const Vec3d g = dv + cross(i.radius * i.w + j.radius * j.w, n);
    const Vec3d g_t = g - dot(g, n) * n;
    const double slip = norm(g_t);
    if (!(slip > 0)) return out;
    const double m_t = 1 / (inv_m_n + i.radius * i.radius * i.inv_j + j.radius * j.radius * j.inv_j);
    const double p_t = min_of((1 + p.e_t) * m_t * slip, p.mu * out.normal);
    out.tangential = (-p_t / slip) * g_t;
    out.impulse += out.tangential;
    out.dv_i += i.inv_m * out.tangential;
    out.dv_j -= j.inv_m * out.tangential;
    out.lost_tangential = p_t * (slip - 0.5 * p_t / m_t);
    return out;
  }
};

}  // namespace areia
