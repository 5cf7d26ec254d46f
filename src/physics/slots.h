// How the laws of a contact act one after the other: normal, adhesion, tangential, rolling, twisting, each on the
// kinematics and on what came before, with the bookings of the energy ledger. Every engine runs these functions.
//
// Ledger. Over a step the discrete work of a force is the trapezoid (f_old + f_new)/2 . dx: summed over a run that is
// exactly what leapfrog-type schemes exchange with the kinetic energy. It is booked per part:
//   elastic    work put into the normal spring; what differs from its potential is the error of the finite step
//   damping    N - elastic: the dashpot, and the clamp
//   adhesion   work against the pull: partly stored, the rest is lost when adhesive contacts open
//   tangential work against friction: partly stored in the spring, the rest is sliding (or damper)
//   rolling    work against the rolling and twisting torques: partly stored, the rest is rolling resistance
#pragma once
#include "physics/contact.h"

namespace areia {

enum Slot { kNormal, kAdhesion, kTangential, kRolling, kTwisting, kSlots };

template <class T>
struct Booking {
  T elastic{}, damping{}, tangential{}, tangential_damper{}, rolling{}, adhesion{};  // in the order of the columns

  template <class U>
  AREIA_PORTABLE Booking& operator+=(const Booking<U>& b) {
    elastic += b.elastic;
    damping += b.damping;
    tangential += b.tangential;
    tangential_damper += b.tangential_damper;
    rolling += b.rolling;
    adhesion += b.adhesion;
    return *this;
  }
};

AREIA_PORTABLE inline Booking<double> operator*(double times, const Booking<double>& b) {
  return {times * b.elastic,           times * b.damping, times * b.tangential,
          times * b.tangential_damper, times * b.rolling, times * b.adhesion};
}

// One side of a contact. A wall has r -> infinity (radius = 0 stands for it), inv_m = inv_j = 0 and its velocity at the
// contact.
template <class T>
struct Body {
  Vec3<T> v, w;
  T radius, inv_m, inv_j;
  T contacts;  // at the last evaluation; 0 at a wall
};

template <class T>
struct Touch {
  Vec3<T> n;
  T overlap, r_star, m_star;
  T lever_i, lever_j;
};

template <class T>
struct Outcome {
  Vec3<T> force;  // on i; j receives the opposite
  Vec3<T> torque_i, torque_j;
  T normal;            // N of the normal law
  T pressing;          // >= 0: what friction and rolling resistance are limited by
  Vec3<T> tangential;  // friction, and the shear of an adhesion
  Booking<T> booking;
};

// Numbers that the ledger keeps besides a law's own memory: the overlap and N of the last evaluation, its pull, its
// torques.
struct SlotExtras {
  int scalars, vectors;
};
inline constexpr SlotExtras kExtras[kSlots] = {{2, 0}, {1, 0}, {0, 0}, {0, 1}, {1, 0}};

template <class Law, Slot slot, class T>
struct SlotMemory {
  static constexpr int kScalars = kExtras[slot].scalars + Law::kScalars;
  static constexpr int kVectors = kExtras[slot].vectors + Law::kVectors;
  std::array<T, kExtras[slot].scalars> scalar;        // of the ledger
  std::array<Vec3<T>, kExtras[slot].vectors> vector;  // of the ledger
  Memory<T, Law::kScalars, Law::kVectors> own;
};

template <class T>
AREIA_PORTABLE Geometry<T> with_overlap(const Geometry<T>& g, T overlap, T contact_radius) {
  Geometry<T> other = g;
  other.overlap = overlap;
  other.contact_radius = contact_radius;
  return other;
}

template <class T>
AREIA_PORTABLE T contact_radius_of(T r_star, T overlap) {
  return sqrt_of(r_star * max_of(overlap, T(0)));
}

template <class Law, bool kLedger, class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void apply_normal(const typename Law::Pair& p, Contact<T>& c,
                                                               SlotMemory<Law, kNormal, T>& memory, Outcome<T>& out) {
  const NormalForce<T> normal = Law::force(p, c);
  c.stiffness = normal.stiffness;
  c.damper = normal.damper;
  c.normal = normal.total;
  out.normal = normal.total;
  out.pressing = normal.pressing;
  out.force = -(normal.total * c.n);
  if constexpr (kLedger) {
    const T overlap_before = memory.scalar[0];
    const T elastic_before = Law::elastic(p, with_overlap<T>(c, overlap_before, c.contact_radius_before));
    const T half_path = 0.5 * (c.overlap - overlap_before);
    out.booking.elastic = (elastic_before + normal.elastic) * half_path;
    out.booking.damping = ((memory.scalar[1] - elastic_before) + (normal.total - normal.elastic)) * half_path;
  }
  memory.scalar[0] = c.overlap;
  memory.scalar[1] = last_kick(c, normal.total, memory.scalar[1]);
}

// `overlap_before` is that of the last evaluation, which apply_normal has replaced in its memory by now.
template <class Law, bool kLedger, class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void apply_adhesion(const typename Law::Pair& p, Contact<T>& c,
                                                                 T overlap_before,
                                                                 SlotMemory<Law, kAdhesion, T>& memory,
                                                                 Outcome<T>& out) {
  const AdhesionForce<T> f = Law::force(p, c, out.pressing, memory.own);
  if constexpr (kLedger) out.booking.adhesion = -(0.5 * (memory.scalar[0] + f.pull) * (c.overlap - overlap_before));
  memory.scalar[0] = f.pull;
  if constexpr (Law::kShears) {
    if constexpr (kLedger) out.booking.adhesion -= dot(f.tangential, c.v_t) * c.dt;
    out.tangential += f.tangential;
    out.force += f.pull * c.n + f.tangential;
    const Vec3<T> turn = cross(c.n, f.tangential);
    out.torque_i += c.lever_i * turn;
    out.torque_j += c.lever_j * turn;
  } else {
    out.force += f.pull * c.n;
  }
  out.pressing += p.in_friction * f.pull;
}

// Power that a tangential dashpot of coefficient `damper` takes; `seen` is c v^2 at the velocity that it sees.
//
// It is c v.u, u = v_n + (lag/dt) (v_n+1 - v_n) in the middle of the kick, and v_n+1 is not known yet. But
//   2 v_n.(v_n - v_n+1) = (v_n^2 - v_n+1^2) + |v_n+1 - v_n|^2,
// so that with late = lag/(2 dt) a contact loses, over all of its kicks,
//   sum c v_n^2 dt - late c v_0^2 dt - late sum c |v_n+1 - v_n|^2 dt.
// The second term is that of a first kick; where a sliding contact begins to stick it is left out. In the third, which
// is small unless the dashpot is strong, the velocity changes by what the dashpot itself does, dt c r v.
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline T sliding_dissipation(const Contact<T>& c, const T& damper,
                                                                   const T& seen) {
  const T change = c.kick * (damper * c.inv_slip());
  T part = 1 - c.late * (change * change);
  if (c.begins) part -= select(c.overlap_before < kTouching * c.length(), c.late, T(0));
  return part * seen;
}

template <class Law, bool kLedger, class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void apply_tangential(const typename Law::Pair& p, Contact<T>& c,
                                                                   SlotMemory<Law, kTangential, T>& memory,
                                                                   Outcome<T>& out) {
  const TangentialForce<T> t = Law::force(p, c, out.pressing, memory.own);
  if constexpr (kLedger) {
    const T power = dot(t.force, c.v_t), seen = t.damper * norm2(c.v_t);
    const T viscous = sliding_dissipation(c, t.damper, seen);
    out.booking.tangential = (viscous - 0.5 * (t.power_before + power + seen)) * c.dt;
    out.booking.tangential_damper = viscous * c.dt;
  }
  out.tangential += t.force;
  out.force += t.force;
  const Vec3<T> turn = cross(c.n, t.force);
  out.torque_i += c.lever_i * turn;
  out.torque_j += c.lever_j * turn;
}

template <class Law, bool kLedger, class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void apply_rolling(const typename Law::Pair& p, Contact<T>& c,
                                                                SlotMemory<Law, kRolling, T>& memory, Outcome<T>& out) {
  const Vec3<T> m = Law::torque(p, c, out.pressing, memory.own);
  if constexpr (kLedger) out.booking.rolling += -0.5 * dot(memory.vector[0] + m, c.w_r + c.w_n * c.n) * c.dt;
  memory.vector[0] = last_kick(c, m, memory.vector[0]);
  out.torque_i += m;
  out.torque_j -= m;
}

template <class Law, bool kLedger, class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void apply_twisting(const typename Law::Pair& p, Contact<T>& c,
                                                                 SlotMemory<Law, kTwisting, T>& memory,
                                                                 Outcome<T>& out) {
  const T m = Law::torque(p, c, out.pressing, memory.own);
  if constexpr (kLedger) out.booking.rolling += -0.5 * (memory.scalar[0] + m) * c.w_n * c.dt;
  memory.scalar[0] = last_kick(c, m, memory.scalar[0]);
  out.torque_i += m * c.n;
  out.torque_j -= m * c.n;
}

// What dashpots see of the step. A law that asks for it (Interaction::shares) shares the stopping of a body among its
// contacts; a wall has no inverse mass and counts for nothing.
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void look_at_kick(Contact<T>& c, const Kick& kick) {
  c.kick = T(kick.length);
  c.lag = T(kick.lag);
  c.half_lag = T(0.5 * kick.lag);
  c.late = T(kick.length > 0 ? 0.5 * kick.lag / kick.length : 0);
  c.stop = T(2 * (kick.length - kick.lag));
  c.most_pace = T(1 / (2 * (kick.length - kick.lag)));
}
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void look_at_crowd(Contact<T>& c, const T& contacts_i,
                                                                const T& contacts_j) {
  const T crowd = c.m_star * (contacts_i * c.inv_m_i + contacts_j * c.inv_m_j);
  c.stop = max_of(crowd, T(2)) * (c.kick - c.lag);
  c.most_pace = 1 / c.stop;
}

// Relative motion that the laws after the normal one look at.
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void look_at_sliding(Contact<T>& c, const Body<T>& i, const Body<T>& j) {
  // v_rel of the contact points: v + w x (l n), and for j the arm -l_j n. What comes from turning lies in the tangent
  // plane.
  c.v_t = ((i.v - j.v) - c.overlap_rate * c.n) + cross(c.lever_i * i.w + c.lever_j * j.w, c.n);
}
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline void look_at_turning(Contact<T>& c, const Body<T>& i, const Body<T>& j) {
  const Vec3<T> w = i.w - j.w;
  c.w_n = dot(w, c.n);
  c.w_r = w - c.w_n * c.n;
  c.sharing = max_of(max_of(i.contacts, j.contacts), T(1));
}

}  // namespace areia
