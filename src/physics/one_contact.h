// What a contact of one pair of bodies is to its laws, whoever holds them: an engine that asks them one after the other
// through pointers (interaction.h), or one whose loops have them compiled in (plain_laws.h). Both have their bits from
// here.
//
// History of a contact, as an array of numbers: the scalars of all laws, slot by slot (first the ledger's, then the
// law's own), then their vectors. history[0] is the overlap and history[1] the normal force of the last evaluation.
// Scalars stay and vectors change their sign when i and j change places.
#pragma once
#include "physics/slots.h"

namespace areia {

// The geometry of a contact of two spheres, or of one and a wall (radius_j = 0), before its overlap is known.
AREIA_PORTABLE inline Geometry<double> bodies(double radius_i, double radius_j) {
  return {0, 0, radius_j > 0 ? radius_i * radius_j / (radius_i + radius_j) : radius_i, radius_i, radius_j};
}

// The same at the last evaluation.
AREIA_PORTABLE inline void at_last(Geometry<double>& g, const double* history) {
  g.overlap = history[0];
  g.contact_radius = contact_radius_of(g.r_star, g.overlap);
}

// All that the laws look at before the first of them acts. `shares`: some of them share a limit among the contacts of a
// body.
[[gnu::always_inline]] AREIA_PORTABLE inline Contact<double> contact_of(const Touch<double>& touch,
                                                                        const Body<double>& i, const Body<double>& j,
                                                                        double dt, const Kick& kick, bool shares,
                                                                        double overlap_before) {
  Contact<double> c{};
  c.n = touch.n;
  c.overlap = touch.overlap;
  c.r_star = touch.r_star;
  c.radius_i = i.radius;
  c.radius_j = j.radius;
  c.contact_radius = contact_radius_of(c.r_star, c.overlap);
  c.overlap_before = overlap_before;
  c.contact_radius_before = contact_radius_of(c.r_star, overlap_before);
  c.m_star = touch.m_star;
  c.inv_m_i = i.inv_m;
  c.inv_m_j = j.inv_m;
  c.inv_j_i = i.inv_j;
  c.inv_j_j = j.inv_j;
  c.lever_i = touch.lever_i;
  c.lever_j = touch.lever_j;
  c.dt = dt;
  c.kicks = dt > 0;
  look_at_kick(c, kick);
  if (shares) look_at_crowd(c, i.contacts, j.contacts);
  c.overlap_rate = dot(i.v - j.v, c.n);
  look_at_sliding(c, i, j);
  look_at_turning(c, i, j);
  return c;
}

// What a law remembers, from its places in the history and back.
template <class Law, Slot slot>
[[gnu::always_inline]] AREIA_PORTABLE inline SlotMemory<Law, slot, double> recalled(const double* scalar,
                                                                                    const double* vector) {
  SlotMemory<Law, slot, double> memory;
  for (double& s : memory.scalar) s = *scalar++;
  for (double& s : memory.own.scalar) s = *scalar++;
  auto take = [&](Vec3d& a) {
    a = {vector[0], vector[1], vector[2]};
    vector += 3;
  };
  for (Vec3d& a : memory.vector) take(a);
  for (Vec3d& a : memory.own.vector) take(a);
  return memory;
}
template <class Law, Slot slot>
[[gnu::always_inline]] AREIA_PORTABLE inline void remember(const SlotMemory<Law, slot, double>& memory, double* scalar,
                                                           double* vector) {
  for (double s : memory.scalar) *scalar++ = s;
  for (double s : memory.own.scalar) *scalar++ = s;
  auto put = [&](const Vec3d& a) {
    *vector++ = a.x;
    *vector++ = a.y;
    *vector++ = a.z;
  };
  for (const Vec3d& a : memory.vector) put(a);
  for (const Vec3d& a : memory.own.vector) put(a);
}

// One law in its slot; slots act in their order.
template <class Law, Slot slot, bool kLedger>
[[gnu::always_inline]] AREIA_PORTABLE inline void act(const typename Law::Pair& p, Contact<double>& c,
                                                      double overlap_before, double* scalar, double* vector,
                                                      Outcome<double>& out) {
  SlotMemory<Law, slot, double> memory = recalled<Law, slot>(scalar, vector);
  if constexpr (slot == kNormal) apply_normal<Law, kLedger>(p, c, memory, out);
  if constexpr (slot == kAdhesion) apply_adhesion<Law, kLedger>(p, c, overlap_before, memory, out);
  if constexpr (slot == kTangential) apply_tangential<Law, kLedger>(p, c, memory, out);
  if constexpr (slot == kRolling) apply_rolling<Law, kLedger>(p, c, memory, out);
  if constexpr (slot == kTwisting) apply_twisting<Law, kLedger>(p, c, memory, out);
  remember<Law, slot>(memory, scalar, vector);
}

// Below, `normal` answers for the normal law: elastic(g), energy(g), form_range(r_star).

// The history, of so many numbers, of a contact that did not exist at the last evaluation.
template <class Normal>
[[gnu::always_inline]] AREIA_PORTABLE inline void begin_history(const Normal& normal, int size, Geometry<double> g,
                                                                double overlap_before, double* history) {
  for (int h = 0; h < size; ++h) history[h] = 0;
  history[0] = overlap_before;
  at_last(g, history);
  // a law that begins at touching does not act before, though its formula may reach into the gap
  const bool acted = overlap_before > 0 || normal.form_range(g.r_star) > 0;
  history[1] = acted ? normal.elastic(g) : 0;
}

// Half a step of what acted along the normal at the last evaluation, g, over a path; `pull` is the place of that of the
// adhesion in the history, or null.
template <class Normal>
[[gnu::always_inline]] AREIA_PORTABLE inline Booking<double> normal_half(const Normal& normal,
                                                                         const Geometry<double>& g, double path,
                                                                         const double* history, const double* pull) {
  const double elastic = normal.elastic(g);
  Booking<double> b;
  b.elastic = 0.5 * elastic * path;
  b.damping = 0.5 * (history[1] - elastic) * path;
  if (pull) b.adhesion = -(0.5 * *pull * path);
  return b;
}

// Of a contact that opened within this step, now at this overlap. `reaches`: some law acts across a gap.
template <class Normal>
[[gnu::always_inline]] AREIA_PORTABLE inline Booking<double> booking_of_opening(const Normal& normal, bool reaches,
                                                                                Geometry<double> g, double overlap,
                                                                                const double* history,
                                                                                const double* pull) {
  at_last(g, history);
  Booking<double> b = normal_half(normal, g, overlap - g.overlap, history, pull);
  // A spring that lets go while it is stretched (a normal law with a tensile branch) loses what it holds.
  if (g.overlap < 0 && reaches) {
    const double held = normal.energy(g);
    if (held > 0) {
      b.adhesion += held + b.elastic;
      b.elastic = -held;
    }
  }
  return b;
}

}  // namespace areia
