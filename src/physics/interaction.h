// A normal, a tangential and a rolling law composed into one interaction, with the bookings of the energy ledger.
// Used by every engine. History of a contact, as an array of numbers:
//   [0] overlap of the last evaluation, [1] its normal force N, then the values of the tangential law, the rolling
//   torque of the last evaluation (where there is a rolling law) and the values of the rolling law.
// All but the first two are vectors of body i against j: they change their sign when i and j change places.
//
// Ledger. Over a step the discrete work of a force is the trapezoid (f_old + f_new)/2 . dx: summed over a run that is
// exactly what leapfrog-type schemes exchange with the kinetic energy. It is booked per part:
//   elastic    work put into the normal spring; what differs from its potential is the error of the finite step
//   damping    N - elastic: the dashpot, and the clamp
//   tangential work against friction: partly stored in the spring k s^2/2, the rest is sliding (or damper)
//   rolling    work against the rolling torque
#pragma once
#include <type_traits>

#include "physics/contact.h"
#include "physics/coulomb_history.h"
#include "physics/rolling_constant.h"

namespace areia {

inline constexpr int kLedgerHistory = 2;

template <class T>
struct Booking {
  T elastic{}, damping{}, tangential{}, tangential_damper{}, rolling{};

  Booking& operator+=(const Booking& b) {
    elastic += b.elastic;
    damping += b.damping;
    tangential += b.tangential;
    tangential_damper += b.tangential_damper;
    rolling += b.rolling;
    return *this;
  }
};

// One side of a contact. A wall has r -> infinity (inv_r = 0), inv_m = inv_j = 0 and its velocity at the contact.
template <class T>
struct Body {
  Vec3<T> v, w;
  T radius, inv_m, inv_j;
  T contacts;  // at the last evaluation; 0 at a wall
};

template <class T>
struct Touch {
  Vec3<T> n;
  T overlap, r_star;
  T lever_i, lever_j;
};

template <class T>
struct Outcome {
  Vec3<T> force;  // on i; j receives the opposite
  Vec3<T> torque_i, torque_j;
  T normal;
  Vec3<T> tangential;
  Booking<T> booking;
};

template <class Normal, class Tangential, class Rolling>
struct Interaction {
  using NormalLaw = Normal;
  using TangentialLaw = Tangential;
  using RollingLaw = Rolling;
  static constexpr bool kFriction = !std::is_same_v<Tangential, NoFriction>;
  static constexpr bool kRolls = !std::is_same_v<Rolling, NoRolling>;
  static constexpr int kTorqueBefore = kLedgerHistory + Tangential::kHistory;  // where it stands in the history
  static constexpr int kHistory = kTorqueBefore + (kRolls ? 3 : 0) + Rolling::kHistory;

  struct Pair {
    typename Normal::Pair normal;
    typename Tangential::Pair tangential;
    typename Rolling::Pair rolling;
  };

  static Pair prepare(const ContactPair& c, const MaterialPair& m) {
    return {Normal::prepare(c.normal, m), Tangential::prepare(c.tangential, m), Rolling::prepare(c.rolling, m)};
  }

  // The history of a contact that did not exist at the last evaluation. It comes from a gap, `overlap_before` < 0; a
  // state that is given with overlapping bodies passes the overlap itself, and its springs are taken as they stand.
  static void begin(const Pair& p, double r_star, double overlap_before, double* history) {
    const double positive = overlap_before > 0 ? overlap_before : 0;
    for (int h = 0; h < kHistory; ++h) history[h] = 0;
    history[0] = overlap_before;
    history[1] = Normal::elastic(p.normal, r_star, positive, std::sqrt(r_star * positive));
  }

  template <bool kLedger, class T>
  static Outcome<T> evaluate(const Pair& p, const Touch<T>& touch, const Body<T>& i, const Body<T>& j, T dt,
                             T* history) {
    Contact<T> c;
    c.n = touch.n;
    c.overlap = touch.overlap;
    c.r_star = touch.r_star;
    c.contact_radius = sqrt_of(touch.r_star * touch.overlap);
    c.m_star = 1 / (i.inv_m + j.inv_m);
    c.inv_j_red = i.inv_j + j.inv_j;
    c.dt = dt;
    const Vec3<T> v = i.v - j.v;
    c.overlap_rate = dot(v, c.n);

    const NormalForce<T> normal = Normal::force(p.normal, c);
    Outcome<T> out;
    out.normal = normal.total;
    out.force = -(normal.total * c.n);

    T radius_before{};
    if constexpr (kLedger) {
      const T positive = max_of(history[0], T(0));
      radius_before = sqrt_of(c.r_star * positive);
      const T elastic_before = Normal::elastic(p.normal, c.r_star, positive, radius_before);
      const T path = c.overlap - history[0];
      out.booking.elastic = 0.5 * (elastic_before + normal.elastic) * path;
      out.booking.damping = 0.5 * ((history[1] - elastic_before) + (normal.total - normal.elastic)) * path;
    }
    history[0] = c.overlap;
    history[1] = normal.total;

    if constexpr (kFriction) {
      // v_rel of the contact points: v + w x (l n), and for j the arm -l_j n.
      const Vec3<T> slide = v + cross(touch.lever_i * i.w + touch.lever_j * j.w, c.n);
      c.v_t = slide - dot(slide, c.n) * c.n;
      T* spring = history + kLedgerHistory;
      const Vec3<T> s{spring[0], spring[1], spring[2]};
      const Vec3<T> s_tangent = Tangential::on_tangent_plane(p.tangential, s, c.n);
      const TangentialForce<T> t = Tangential::force(p.tangential, c, max_of(normal.total, T(0)), s_tangent);
      spring[0] = t.spring.x;
      spring[1] = t.spring.y;
      spring[2] = t.spring.z;
      if constexpr (kLedger) {
        const Vec3<T> force_before = -(Tangential::stiffness(p.tangential, radius_before) * s_tangent);
        // force_before lacks the damper of the last evaluation; the present one stands in for it.
        out.booking.tangential = 0.5 * (t.viscous_power - dot(force_before + t.force, c.v_t)) * dt;
        out.booking.tangential_damper = t.viscous_power * dt;
      }
      out.tangential = {t.force.x, t.force.y, t.force.z};
      out.force += t.force;
      const Vec3<T> turn = cross(c.n, t.force);
      out.torque_i = touch.lever_i * turn;
      out.torque_j = touch.lever_j * turn;
    }
    if constexpr (kRolls) {
      const Vec3<T> w = i.w - j.w;
      c.w_r = w - dot(w, c.n) * c.n;
      c.sharing = max_of(max_of(i.contacts, j.contacts), T(1));
      T* before = history + kTorqueBefore;
      const Vec3<T> m = Rolling::torque(p.rolling, c, max_of(normal.total, T(0)), before + 3);
      if constexpr (kLedger) {
        const Vec3<T> m_before{before[0], before[1], before[2]};
        out.booking.rolling = -0.5 * dot(m_before + m, c.w_r) * dt;
      }
      before[0] = m.x;
      before[1] = m.y;
      before[2] = m.z;
      out.torque_i += m;
      out.torque_j -= m;
    }
    return out;
  }

  // The contact opened within this step: the forces of the last evaluation act over half of it (trapezoid).
  static Booking<double> open(const Pair& p, double r_star, double overlap, const double* history) {
    const double before = history[0] > 0 ? history[0] : 0;
    const double elastic = Normal::elastic(p.normal, r_star, before, std::sqrt(r_star * before));
    Booking<double> b;
    b.elastic = 0.5 * elastic * (overlap - before);
    b.damping = 0.5 * (history[1] - elastic) * (overlap - before);
    return b;
  }

  // Energy stored in the springs of a contact.
  static double normal_energy(const Pair& p, double r_star, const double* history) {
    const double overlap = history[0] > 0 ? history[0] : 0;
    return Normal::energy(p.normal, r_star, overlap, std::sqrt(r_star * overlap));
  }
  static double tangential_energy(const Pair& p, double r_star, const double* history) {
    if constexpr (kFriction) {
      const Vec3d s{history[2], history[3], history[4]};
      const double overlap = history[0] > 0 ? history[0] : 0;
      return 0.5 * Tangential::stiffness(p.tangential, std::sqrt(r_star * overlap)) * norm2(s);
    }
    return 0;
  }
};

}  // namespace areia
