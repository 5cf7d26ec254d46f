// All laws of a pair in one loop, for the sets of laws in most use: what lies between them stays in registers. Lane by
// lane these are the operations of the laws one after the other (block_stages.h), so the bits are the same.
#pragma once
#include <array>

#include "core/pack.h"
#include "engine/cpu/block_stages.h"

namespace areia::cpu {

struct FusedCall {
  const void* pair[kSlots];
  std::array<int, kSlots> scalar, vector;
  double dt, share;
  int lanes;
  const double* next_history;  // of the next block, asked for on the way
  bool wall;                   // normal and overlap are given, and j is a wall: r* = r_i, m* = m_i
  std::uint32_t felt = ~0u;    // one bit per lane; vectors with none are left out
};
using FusedStage = void (*)(const FusedCall&, ContactBlock&);

// From the distance vectors to forces, torques and sums of bookings; what only records show is left out. Null: there is
// no such loop for these laws or on this machine.
FusedStage fused_stage(const std::string& normal, const std::string& tangential, const std::string& rolling,
                       bool ledger, VectorWidth width);

struct NoLaw {  // in a slot without a law
  struct Pair {};
};

// The numbers of W lanes from lane k on.
template <int W>
struct BlockLanes {
  using T = Pack<W>;
  ContactBlock& block;
  double (*history)[kBlock];
  int k;

  T load(int c) const { return T::load(&block.of[c][k]); }
  Vec3<T> load3(int c) const { return {load(c), load(c + 1), load(c + 2)}; }
  void store(int c, const T& a) const { a.store(&block.of[c][k]); }
  void store3(int c, const Vec3<T>& a) const {
    store(c, a.x);
    store(c + 1, a.y);
    store(c + 2, a.z);
  }
  T kept(int h) const { return T::load(&history[h][k]); }
  void keep(int h, const T& a) const { a.store(&history[h][k]); }

  template <class Law, Slot slot>
  void recall(int scalar, int vector, SlotMemory<Law, slot, T>& memory) const {
    for (T& s : memory.scalar) s = kept(scalar++);
    for (T& s : memory.own.scalar) s = kept(scalar++);
    auto take = [&](Vec3<T>& a) {
      a = {kept(vector), kept(vector + 1), kept(vector + 2)};
      vector += 3;
    };
    for (Vec3<T>& a : memory.vector) take(a);
    for (Vec3<T>& a : memory.own.vector) take(a);
  }
  template <class Law, Slot slot>
  void remember(int scalar, int vector, const SlotMemory<Law, slot, T>& memory) const {
    for (const T& s : memory.scalar) keep(scalar++, s);
    for (const T& s : memory.own.scalar) keep(scalar++, s);
    auto put = [&](const Vec3<T>& a) {
      keep(vector, a.x);
      keep(vector + 1, a.y);
      keep(vector + 2, a.z);
      vector += 3;
    };
    for (const Vec3<T>& a : memory.vector) put(a);
    for (const Vec3<T>& a : memory.own.vector) put(a);
  }
};

// How many numbers a law's slot keeps of a contact.
template <class Law, Slot slot>
constexpr int numbers() {
  if constexpr (std::is_same_v<Law, NoLaw>) return 0;
  else return SlotMemory<Law, slot, double>::kScalars + 3 * SlotMemory<Law, slot, double>::kVectors;
}

template <class Whole>
[[gnu::always_inline]] inline bool any_bit(const Whole& bits) {
  unsigned long long all = 0;
  for (unsigned k = 0; k < sizeof(Whole) / 8; ++k) all |= bits[k];
  return all != 0;
}

// Amounts that the grid does not take: out of the sums again, and into the ledger by themselves. `amount` has `width`
// lanes of each booking.
void book_large(ContactBlock& block, const double* amount, int bookings, int width, int lane);

template <int W, class Normal, class Tangential, class Rolling, bool kLedger>
[[gnu::always_inline]] inline void run_fused(const FusedCall& call, ContactBlock& block) {
  using T = Pack<W>;
  constexpr bool kRolls = !std::is_same_v<Rolling, NoLaw>;
  constexpr int kHistory =
      numbers<Normal, kNormal>() + numbers<Tangential, kTangential>() + numbers<Rolling, kRolling>();
  const auto normal = *static_cast<const typename Normal::Pair*>(call.pair[kNormal]);
  const auto tangential = *static_cast<const typename Tangential::Pair*>(call.pair[kTangential]);
  typename Rolling::Pair rolling{};
  if constexpr (kRolls) rolling = *static_cast<const typename Rolling::Pair*>(call.pair[kRolling]);
  const std::array<int, kSlots> scalar = call.scalar, vector = call.vector;
  double(*const history)[kBlock] = block.history;
  constexpr int kBooked = kRolls ? 5 : 4;
  const T magic = block.grid.magic;
  using Whole = typename T::Whole;
  const Whole base = Whole{} + block.grid.base, zero = Whole{} + std::uint64_t{Grid::kZero}, fits = Whole{} + Grid::kFits;
  for (int k = 0; k < call.lanes; k += W) {
    const BlockLanes<W> at{block, history, k};
    if (k % kLanes == 0)
      for (int h = 0; h < kHistory; ++h) __builtin_prefetch(call.next_history + h * kBlock + k, 1);
    if ((call.felt >> k & ((1u << W) - 1)) == 0) continue;
    Contact<T> c;
    c.radius_i = at.load(B::kRi);
    c.radius_j = at.load(B::kRj);
    c.inv_m_i = at.load(B::kMi);
    c.inv_m_j = at.load(B::kMj);
    Touch<T> touch;
    if (call.wall) touch = {at.load3(B::kN), at.load(B::kOverlap), c.radius_i, 1 / c.inv_m_i, c.radius_i, T(0)};
    else touch = touch_of(at.load3(B::kD), c.radius_i, c.radius_j, c.inv_m_i, c.inv_m_j);
    if (call.share > 0) [[unlikely]]
      shorten_levers(touch, call.share, call.wall ? 0 : 1 - call.share);
    c.n = touch.n;
    c.overlap = touch.overlap;
    c.r_star = touch.r_star;
    c.lever_i = touch.lever_i;
    c.lever_j = touch.lever_j;
    c.m_star = touch.m_star;
    c.inv_j_i = at.load(B::kJi);
    c.inv_j_j = at.load(B::kJj);
    c.contact_radius = contact_radius_of(c.r_star, c.overlap);
    c.contact_radius_before = contact_radius_of(c.r_star, at.kept(0));
    c.dt = call.dt;
    Body<T> i{at.load3(B::kDv), at.load3(B::kWi), c.radius_i, c.inv_m_i, c.inv_j_i, T(0)};
    Body<T> j{{}, at.load3(B::kWj), c.radius_j, c.inv_m_j, c.inv_j_j, T(0)};
    c.overlap_rate = dot(i.v, c.n);

    Outcome<T> out{};
    const T nothing = -0.0;  // x + -0 is x, which 0 + x is not for x = -0
    out.torque_i = out.torque_j = {nothing, nothing, nothing};
    SlotMemory<Normal, kNormal, T> memory_n;
    at.template recall<Normal, kNormal>(scalar[kNormal], vector[kNormal], memory_n);
    apply_normal<Normal, kLedger>(normal, c, memory_n, out);
    at.template remember<Normal, kNormal>(scalar[kNormal], vector[kNormal], memory_n);

    look_at_sliding(c, i, j);
    SlotMemory<Tangential, kTangential, T> memory_t;
    at.template recall<Tangential, kTangential>(scalar[kTangential], vector[kTangential], memory_t);
    apply_tangential<Tangential, kLedger>(tangential, c, memory_t, out);
    at.template remember<Tangential, kTangential>(scalar[kTangential], vector[kTangential], memory_t);

    if constexpr (kRolls) {
      i.contacts = at.load(B::kCi);
      j.contacts = at.load(B::kCj);
      look_at_turning(c, i, j);
      SlotMemory<Rolling, kRolling, T> memory_r;
      at.template recall<Rolling, kRolling>(scalar[kRolling], vector[kRolling], memory_r);
      apply_rolling<Rolling, kLedger>(rolling, c, memory_r, out);
      at.template remember<Rolling, kRolling>(scalar[kRolling], vector[kRolling], memory_r);
    }
    at.store3(B::kForce, out.force);
    at.store3(B::kTorqueI, out.torque_i);
    at.store3(B::kTorqueJ, out.torque_j);
    if constexpr (kLedger) {
      const auto touches = at.load(B::kTouch) > T(0);
      const T amount[] = {select(touches, out.booking.elastic, T(0)), select(touches, out.booking.damping, T(0)),
                          select(touches, out.booking.tangential, T(0)),
                          select(touches, out.booking.tangential_damper, T(0)),
                          kRolls ? select(touches, out.booking.rolling, T(0)) : T(0)};
      Whole large{};  // bits above kFits in any of them
      for (int b = 0; b < kBooked; ++b) {
        const Whole raised = (amount[b] + magic).bits() - base;
        large |= raised;
        *reinterpret_cast<Whole*>(&block.sums[b][k % kLanes]) += raised - zero;
      }
      if (any_bit(large & ~fits)) [[unlikely]] {
        alignas(64) double amounts[kBooked * W];
        for (int b = 0; b < kBooked; ++b) amount[b].store(amounts + b * W);
        book_large(block, amounts, kBooked, W, k % kLanes);
      }
    }
  }
}

}  // namespace areia::cpu
