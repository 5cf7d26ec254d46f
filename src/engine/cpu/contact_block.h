// Touching pairs in blocks, one array per quantity: the law runs over a block as a plain loop, which the compiler turns
// into vector instructions. Lane by lane these are the IEEE operations of the scalar code, so the bits do not depend on
// the width of the machine's vectors.
#pragma once
#include <cstdint>

#include "engine/cpu/state.h"
#include "physics/interaction.h"

namespace areia::cpu {

inline constexpr int kBlock = 32;
inline constexpr int kLanes = 8;  // a block is filled up to a multiple of the widest vector

template <class T, int kCount>
struct Columns {
  alignas(64) T of[kCount][kBlock];

  void set(int lane, int first, const Vec3d& a) {
    of[first][lane] = a.x;
    of[first + 1][lane] = a.y;
    of[first + 2][lane] = a.z;
  }
  Vec3d vector(int lane, int first) const { return {of[first][lane], of[first + 1][lane], of[first + 2][lane]}; }
};

template <class Law>
struct ContactBlock {
  // columns of `in`
  static constexpr int kD = 0, kVi = 3, kVj = 6, kWi = 9, kWj = 12, kRi = 15, kRj = 16, kMi = 17, kMj = 18, kJi = 19,
                       kJj = 20, kCi = 21, kCj = 22, kIn = 23;
  // columns of `out`
  static constexpr int kForce = 0, kTorqueI = 3, kTorqueJ = 6, kN = 9, kTangential = 12, kNormal = 15, kOverlap = 16,
                       kLeverI = 17, kLeverJ = 18, kBooking = 19, kOut = 24;
  int count = 0;
  std::uint32_t i[kBlock], j[kBlock], letter[kBlock];  // letter: kOwn when j is of the same chunk
  std::int32_t contact[kBlock];
  Columns<double, kIn> in;
  Columns<double, kOut> out;
  Columns<double, Law::kHistory> history;

  static constexpr std::uint32_t kOwn = ~0u;

  Booking<double> booking(int k) const {
    return {out.of[kBooking][k], out.of[kBooking + 1][k], out.of[kBooking + 2][k], out.of[kBooking + 3][k],
            out.of[kBooking + 4][k]};
  }

  // At the next free place; `count` stays.
  void put(std::uint32_t particle_i, std::uint32_t particle_j, std::uint32_t to_letter, std::int32_t place,
           const Vec3d& d) {
    const int k = count;
    i[k] = particle_i;
    j[k] = particle_j;
    letter[k] = to_letter;
    contact[k] = place;
    in.set(k, kD, d);
  }

  // Motion and history of the contacts put.
  void gather(const State& s, const ContactPool& pool) {
    const Vec4 *const position = s.position.data(), *const velocity = s.velocity.data(), *const spin = s.spin.data();
    const int n = count;
    for (int k = 0; k < n; ++k) {
      const std::uint32_t a = i[k], b = j[k];
      in.of[kRi][k] = position[a].w;
      in.of[kRj][k] = position[b].w;
      in.set(k, kVi, velocity[a].xyz());
      in.of[kMi][k] = velocity[a].w;
      in.set(k, kVj, velocity[b].xyz());
      in.of[kMj][k] = velocity[b].w;
      in.set(k, kWi, spin[a].xyz());
      in.of[kJi][k] = spin[a].w;
      in.set(k, kWj, spin[b].xyz());
      in.of[kJj][k] = spin[b].w;
      if constexpr (Law::kRolls) {
        in.of[kCi][k] = s.contacts_before[a];
        in.of[kCj][k] = s.contacts_before[b];
      }
      const double* kept = pool.at(contact[k]);
      for (int h = 0; h < Law::kHistory; ++h) history.of[h][k] = kept[h];
    }
  }

  // Lanes without a contact repeat the first one.
  int fill_up() {
    const int full = (count + kLanes - 1) / kLanes * kLanes;
    for (int k = count; k < full; ++k) {
      for (auto& column : in.of) column[k] = column[0];
      for (auto& column : history.of) column[k] = column[0];
    }
    return full;
  }
};

// Kinematics, law and bookings of `lanes` contacts. share: the part of the overlap that shortens the lever of i.
template <class Law, bool kLedger>
inline void evaluate_block(const typename Law::Pair& pair, double dt, double share, int lanes,
                           ContactBlock<Law>& block) {
  using B = ContactBlock<Law>;
  const typename Law::Pair p = pair;  // in registers: stores below cannot change it
  const double share_j = share > 0 ? 1 - share : 0.0;
  const auto& in = block.in.of;
  auto& out = block.out.of;
  auto& kept = block.history.of;
  lanes &= ~(kLanes - 1);
#if !defined(__clang__)  // clang has no such hint and leaves this loop scalar
#pragma GCC ivdep
#endif
  for (int k = 0; k < lanes; ++k) {
    auto vector = [&](int c) { return Vec3d{in[c][k], in[c + 1][k], in[c + 2][k]}; };
    const Body<double> i{vector(B::kVi), vector(B::kWi), in[B::kRi][k],
                         in[B::kMi][k],  in[B::kJi][k],  Law::kRolls ? in[B::kCi][k] : 0};
    const Body<double> j{vector(B::kVj), vector(B::kWj), in[B::kRj][k],
                         in[B::kMj][k],  in[B::kJj][k],  Law::kRolls ? in[B::kCj][k] : 0};
    const Vec3d d = vector(B::kD);
    const double distance = sqrt_of(norm2(d)), reach = i.radius + j.radius, inverse = 1 / distance;
    Touch<double> t;
    // coincident centres have no direction: a fixed one (and the overlap check stops the run)
    t.n = select(distance > 0, inverse * d, Vec3d{1, 0, 0});
    t.overlap = reach - distance;
    t.r_star = i.radius * j.radius / reach;
    t.lever_i = i.radius - share * t.overlap;
    t.lever_j = j.radius - share_j * t.overlap;
    double history[Law::kHistory];
    for (int h = 0; h < Law::kHistory; ++h) history[h] = kept[h][k];
    const Outcome<double> o = Law::template evaluate<kLedger>(p, t, i, j, dt, history);
    for (int h = 0; h < Law::kHistory; ++h) kept[h][k] = history[h];
    auto put = [&](int c, const Vec3d& a) {
      out[c][k] = a.x;
      out[c + 1][k] = a.y;
      out[c + 2][k] = a.z;
    };
    put(B::kForce, o.force);
    put(B::kTorqueI, o.torque_i);
    put(B::kTorqueJ, o.torque_j);
    put(B::kN, t.n);
    put(B::kTangential, o.tangential);
    out[B::kNormal][k] = o.normal;
    out[B::kOverlap][k] = t.overlap;
    out[B::kLeverI][k] = t.lever_i;
    out[B::kLeverJ][k] = t.lever_j;
    if constexpr (kLedger) {
      out[B::kBooking][k] = o.booking.elastic;
      out[B::kBooking + 1][k] = o.booking.damping;
      out[B::kBooking + 2][k] = o.booking.tangential;
      out[B::kBooking + 3][k] = o.booking.tangential_damper;
      out[B::kBooking + 4][k] = o.booking.rolling;
    }
  }
}

template <class Law>
using EvaluateBlock = void (*)(const typename Law::Pair&, double dt, double share, int lanes, ContactBlock<Law>&);

#if defined(__x86_64__)
template <class Law, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void evaluate_block_avx2(const typename Law::Pair& pair, double dt, double share,
                                                               int lanes, ContactBlock<Law>& block) {
  evaluate_block<Law, kLedger>(pair, dt, share, lanes, block);
}
#endif

// The same loop compiled for wider vectors, where this machine has them. The results are the same bits.
template <class Law, bool kLedger>
EvaluateBlock<Law> evaluate_for_this_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return evaluate_block_avx2<Law, kLedger>;
#endif
  return evaluate_block<Law, kLedger>;
}

}  // namespace areia::cpu
