// One explicit step of one body, scheme by scheme: what it does before the forces of the step are evaluated, and what
// afterwards. Every engine moves its bodies with these functions. The number type is a double, or several side by side
// (core/pack.h): lane by lane the same operations, hence the same bits.
//
//   drift_kick       x += v dt                  | forces |  v += a dt
//   kick_drift                                  | forces |  v += a dt, then x += v dt
//   forward_euler                               | forces |  x += v dt, then v += a dt
//   velocity_verlet  x += v dt + a dt^2/2       | forces |  v += (a_new - a) dt/2
//                    v += a dt, a prediction    |        |
// and spins alike. Theory manual, section 13; the prediction of velocity_verlet is that of 004. Magnetic fields and the
// Magnus force turn the velocity in the middle of the kick (Boris), in velocity_verlet half before and half after the
// step.
#pragma once
#include <type_traits>

#include "areia/case.h"
#include "core/rotation.h"
#include "physics/contact.h"
#include "physics/magnetic.h"
#include "search/periodicity.h"

namespace areia {

// A vector of the motion and one of the turning: velocity and spin, or their rates.
template <class T>
struct Pace {
  Vec3<T> move, turn;
};

// In two dimensions nothing moves along the flat axis and nothing turns about another one.
struct FreeAxes {
  bool flat = false;
  Vec3d move{1, 1, 1}, turn{1, 1, 1};  // 0 where motion is inhibited

  FreeAxes() = default;
  explicit FreeAxes(const Domain& d) : flat(d.dimension == 2) {
    if (!flat) return;
    turn = {d.flat_axis == 0 ? 1.0 : 0.0, d.flat_axis == 1 ? 1.0 : 0.0, d.flat_axis == 2 ? 1.0 : 0.0};
    move -= turn;
  }
  AREIA_PORTABLE Vec3d moving(const Vec3d& a) const {
    return flat ? Vec3d{move.x * a.x, move.y * a.y, move.z * a.z} : a;
  }
  AREIA_PORTABLE Vec3d turning(const Vec3d& b) const {
    return flat ? Vec3d{turn.x * b.x, turn.y * b.y, turn.z * b.z} : b;
  }
};

// F/m + g; what is prescribed, 1/m = 0, does not fall.
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline Vec3<T> acceleration_of(const T& inv_m, const Vec3<T>& force,
                                                                     const Vec3<T>& gravity) {
  const Vec3<T> a = inv_m * force;
  return select(inv_m > T(0), a + gravity, a);
}

// Forces besides contacts, bonds and uniform gravity, as the step sees them: nothing of the kind. Others have
//   turns()            whether any of them only turns velocities, at any time
//   turn(spin)         t of dv/dt = v x t where the body is: (q/m) B, and that of the Magnus force
//   book(mean, dt)     the work of all of them over dt, at this mean velocity
struct NoFields {
  static constexpr bool kAny = false;
};

// drift(velocity and spin) moves the body to where it is when the forces are evaluated; `old` are the rates of the last
// evaluation (velocity_verlet).
template <class T, class Fields, class Drift>
[[gnu::always_inline]] AREIA_PORTABLE inline void before_forces(Scheme scheme, const T& dt, Pace<T>& velocity,
                                                                const Pace<T>& old, Fields&& fields, Drift&& drift) {
  if (scheme == Scheme::drift_kick) drift(velocity);
  if (scheme != Scheme::velocity_verlet) return;
  if constexpr (std::remove_cvref_t<Fields>::kAny) {
    if (fields.turns()) velocity.move = turned_by_magnetic(velocity.move, fields.turn(velocity.turn), 0.5 * dt);
    fields.book(velocity.move + (0.25 * dt) * old.move, 0.5 * dt);
  }
  drift(Pace<T>{velocity.move + (0.5 * dt) * old.move, velocity.turn + (0.5 * dt) * old.turn});
  velocity.move += dt * old.move;
  velocity.turn += dt * old.turn;
}

// `rate` are the accelerations of the forces just evaluated; velocity_verlet keeps them in `old`.
template <class T, class Fields, class Drift>
[[gnu::always_inline]] AREIA_PORTABLE inline void after_forces(Scheme scheme, const T& dt, Pace<T>& velocity,
                                                               const Pace<T>& rate, Pace<T>& old, Fields&& fields,
                                                               Drift&& drift) {
  constexpr bool kFields = std::remove_cvref_t<Fields>::kAny;
  Vec3<T>& v = velocity.move;
  if (scheme == Scheme::velocity_verlet) {
    const Vec3<T> half = v - (0.5 * dt) * old.move;
    v += (0.5 * dt) * (rate.move - old.move);
    velocity.turn += (0.5 * dt) * (rate.turn - old.turn);
    old = rate;
    if constexpr (kFields) {
      fields.book(0.5 * (half + v), 0.5 * dt);
      if (fields.turns()) v = turned_by_magnetic(v, fields.turn(velocity.turn), 0.5 * dt);
    }
    return;
  }
  const Pace<T> before = velocity;
  if constexpr (kFields) {
    if (fields.turns()) {
      const Vec3<T> half = v + (0.5 * dt) * rate.move,
                    turned = turned_by_magnetic(half, fields.turn(velocity.turn), dt);
      v = turned + (0.5 * dt) * rate.move;
      fields.book(0.25 * (before.move + half + turned + v), dt);
    } else {
      v += dt * rate.move;
      fields.book(0.5 * (before.move + v), dt);
    }
  } else {
    v += dt * rate.move;
  }
  velocity.turn += dt * rate.turn;
  if (scheme == Scheme::kick_drift) drift(velocity);
  if (scheme == Scheme::forward_euler) drift(before);
}

// A step may not carry a centre further than the radius. Written so that a NaN is too fast, too.
template <class T>
AREIA_PORTABLE auto slow_enough(const Vec3<T>& v, const T& dt, const T& radius) {
  return norm2(v) * dt * dt < radius * radius;
}

// Of the potential -m g . x, when g changes by this at x, or x by this in g. `inv_m` > 0.
template <class T>
[[gnu::always_inline]] AREIA_PORTABLE inline T potential_change(const Vec3<T>& g, const Vec3<T>& x, const T& inv_m) {
  return -dot(g, x) / inv_m;
}

// Coming in at the opposite face, a body changes its potential in uniform gravity by -m g . (image - x), while its
// motion goes on as if nothing had happened: this is what the work of the face takes out. `inv_m` > 0.
AREIA_PORTABLE inline double work_of_face(double inv_m, const Vec3d& gravity, const Vec3d& jump) {
  return potential_change(gravity, jump, inv_m);
}

}  // namespace areia
