// Rolling resistance by an elastic-plastic spring and dashpot: it knows rest. Theory, section 9.
//
//   m_k <- m_k - k_R w_r dt    on the present tangent plane, |m_k| <= mu_R r* N
//   m_i  = m_k - c_R w_r       below the limit, m_k at it
//   k_R  = 2.25 k (mu_R r*)^2 by default, k the tangent stiffness of the normal spring
//   c_R  = 2 eta sqrt(I_R k_R),  1/I_R = 1/(j_i + m_i r_i^2) + 1/(j_j + m_j r_j^2): rolling about the contact point;
//          held back as in dashpot.h, by the response 1/j_i + 1/j_j of bodies that turn without rolling
// Energy stored: |m_k|^2/(2 k_R).
#pragma once
#include "physics/contact.h"
#include "physics/dashpot.h"
#include "physics/law_info.h"
#include "physics/material_pair.h"

namespace areia {

struct RollingEpsd {
  static constexpr int kScalars = 0, kVectors = 1;  // m_k
  static constexpr ParameterInfo kParameters[] = {
      {"mu", "", 0, 100, kRequired, "coefficient of rolling resistance mu_R"},
      {"stiffness", "N m/rad", 0, kUnbounded, 0, "rolling spring k_R; 0: 2.25 k (mu_R r*)^2 of the normal spring k"},
      {"eta", "", 0, 100, 0.3, "damping ratio of the rolling spring"},
  };
  static constexpr LawInfo kInfo{"rolling", "epsd",
                                 "Rolling spring and dashpot with a limit; grains come to rest on it.",
                                 "theory manual, section 9", kParameters};

  struct Pair {
    double mu = 0, k = 0, eta = 0;
  };
  static Pair prepare(const LawChoice& c, const MaterialPair&) {
    return {number(c, row(kParameters, "mu")), number(c, row(kParameters, "stiffness")),
            number(c, row(kParameters, "eta"))};
  }

  template <class T>
  AREIA_PORTABLE static T spring(const Pair& p, T r_star, T stiffness) {
    const T arm = p.mu * r_star;
    return p.k > 0 ? T(p.k) : 2.25 * stiffness * arm * arm;
  }
  // For the choice of the step; `stiffness` is that of the normal spring.
  static double turning_stiffness(const Pair& p, const Geometry<double>& g, double stiffness) {
    return spring(p, g.r_star, stiffness);
  }
  template <class T>
  AREIA_PORTABLE static T energy(const Pair& p, const Geometry<T>& g, T stiffness, const Memory<T, 0, 1>& memory) {
    const T k = spring(p, g.r_star, stiffness);
    return select(k > T(0), 0.5 * norm2(memory.vector[0]) / divisor_of(k), T(0));
  }

  template <class T>
  AREIA_PORTABLE static Vec3<T> torque(const Pair& p, const Contact<T>& c, T normal, Memory<T, 0, 1>& memory) {
    const T k = spring(p, c.r_star, c.stiffness);
    const Vec3<T> kept = memory.vector[0] - dot(memory.vector[0], c.n) * c.n;
    const Vec3<T> m_try = kept - (k * c.dt) * c.w_r;
    const T limit = p.mu * c.r_star * normal;
    const T size2 = norm2(m_try);
    const auto rests = size2 < limit * limit;
    const T back = limit / sqrt_of(divisor_of(size2));
    memory.vector[0] = select(rests, m_try, back * m_try);
    // 1/(j + m r^2), 0 for a body that neither turns nor moves
    auto inverse = [](const T& inv_j, const T& inv_m, const T& r) {
      return inv_j * inv_m / divisor_of(inv_m + r * r * inv_j);
    };
    const T inv_i = inverse(c.inv_j_i, c.inv_m_i, c.radius_i) + inverse(c.inv_j_j, c.inv_m_j, c.radius_j);
    const T damper = select(inv_i > T(0), 2 * p.eta * sqrt_of(k / divisor_of(inv_i)), T(0));
    const T response = c.inv_j_red(), stop = max_of(c.sharing, T(2)) * (c.kick - c.lag);
    const T held = held_back<T>(c, damper, response, 1 / divisor_of(response * stop));
    return select(rests, m_try - held * c.w_r, memory.vector[0]);
  }
};

}  // namespace areia
