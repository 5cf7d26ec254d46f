// One law in its slot, on random contacts of grains of 5 to 10 mm and walls, over a generic number type: numbers in,
// numbers out. Contacts differ in regime: overlaps and gaps, sticking and slipping, loading and unloading, bodies that
// cannot turn.
#pragma once
#include <cstring>

#include "core/random.h"
#include "physics/laws.h"

namespace areia::test {

template <class T>
struct LawInput {
  Contact<T> c;
  Body<T> i, j;
  T history[10], pressing;
};

template <class T>
struct LawOutput {
  static constexpr int kMost = 40;
  T of[kMost] = {};
  int size = 0;

  AREIA_PORTABLE void put(const T& a) { of[size++] = a; }
  AREIA_PORTABLE void put(const Vec3<T>& a) {
    put(a.x);
    put(a.y);
    put(a.z);
  }
};

template <class Law, Slot slot, class T>
AREIA_PORTABLE void evaluate(const typename Law::Pair& p, const LawInput<T>& in, LawOutput<T>& row) {
  Contact<T> c = in.c;
  look_at_sliding(c, in.i, in.j);
  look_at_turning(c, in.i, in.j);
  SlotMemory<Law, slot, T> memory;
  const T* scalar = in.history;
  const T* vector = in.history + 4;
  for (T& s : memory.scalar) s = *scalar++;
  for (T& s : memory.own.scalar) s = *scalar++;
  for (Vec3<T>& a : memory.vector) a = {vector[0], vector[1], vector[2]};
  for (Vec3<T>& a : memory.own.vector) a = {vector[3], vector[4], vector[5]};
  Outcome<T> out{};
  out.pressing = in.pressing;
  if constexpr (slot == kNormal) {
    apply_normal<Law, true>(p, c, memory, out);
    row.put(Law::template energy<T>(p, c));
  } else if constexpr (slot == kAdhesion) {
    apply_adhesion<Law, true>(p, c, in.history[9], memory, out);
    row.put(Law::template energy<T>(p, c, memory.own));
  } else if constexpr (slot == kTangential) {
    apply_tangential<Law, true>(p, c, memory, out);
    row.put(Law::template energy<T>(p, c, memory.own));
  } else if constexpr (slot == kRolling) {
    apply_rolling<Law, true>(p, c, memory, out);
    row.put(Law::template energy<T>(p, c, c.stiffness, memory.own));
  } else {
    apply_twisting<Law, true>(p, c, memory, out);
    row.put(Law::template energy<T>(p, c, memory.own));
  }
  for (const T& s : memory.scalar) row.put(s);
  for (const T& s : memory.own.scalar) row.put(s);
  for (const Vec3<T>& a : memory.vector) row.put(a);
  for (const Vec3<T>& a : memory.own.vector) row.put(a);
  row.put(out.force);
  row.put(out.torque_i);
  row.put(out.torque_j);
  row.put(out.tangential);
  row.put(out.normal);
  row.put(out.pressing);
  row.put(out.booking.elastic);
  row.put(out.booking.damping);
  row.put(out.booking.tangential);
  row.put(out.booking.tangential_damper);
  row.put(out.booking.rolling);
  row.put(out.booking.adhesion);
}

inline LawInput<double> some_input(Random& random) {
  const auto vector = [&](double size) { return random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size}); };
  const auto one_in = [&](int n) { return random.uniform() * n < 1; };
  LawInput<double> in{};
  const bool wall = one_in(5);
  const double slow = one_in(2) ? 1e-3 : 1;
  in.i = {slow * vector(1),
          slow * vector(20),
          random.uniform(0.005, 0.01),
          random.uniform(10, 100),
          one_in(8) ? 0 : random.uniform(0, 1e6),
          3};
  in.j = {slow * vector(1),
          slow * vector(20),
          wall ? 0 : random.uniform(0.005, 0.01),
          wall ? 0 : random.uniform(10, 100),
          wall || one_in(8) ? 0 : random.uniform(0, 1e6),
          5};
  Contact<double>& c = in.c;
  c.n = unit(vector(1));
  c.overlap = one_in(10) ? 0 : random.uniform(-2e-4, 5e-4);
  c.radius_i = in.i.radius;
  c.radius_j = in.j.radius;
  c.r_star = wall ? c.radius_i : c.radius_i * c.radius_j / (c.radius_i + c.radius_j);
  c.m_star = 1 / (in.i.inv_m + in.j.inv_m);
  c.contact_radius = contact_radius_of(c.r_star, c.overlap);
  c.inv_m_i = in.i.inv_m;
  c.inv_m_j = in.j.inv_m;
  c.inv_j_i = in.i.inv_j;
  c.inv_j_j = in.j.inv_j;
  c.lever_i = c.radius_i;
  c.lever_j = c.radius_j;
  c.dt = 1e-5;
  look_at_kick(c, {1e-5, 5e-6});
  c.stiffness = random.uniform(0, 1e5);
  c.damper = random.uniform(0, 5);
  c.overlap_rate = dot(in.i.v - in.j.v, c.n);
  in.pressing = one_in(10) ? 0 : random.uniform(0, 10);
  c.normal = one_in(4) ? -random.uniform(0, 10) : in.pressing;
  for (double& h : in.history) h = one_in(10) ? 0 : random.uniform(-1e-5, 1e-4);
  c.contact_radius_before = contact_radius_of(c.r_star, in.history[0]);
  return in;
}

}  // namespace areia::test
