// The loop of one law over a block of contacts, in packs of lanes; compiled for each law and for the vectors that every
// machine has and wide ones.
#pragma once
#include "core/vector_width.h"
#include "engine/cpu/block_lanes.h"
#include "physics/laws.h"
#include "physics/touch.h"

namespace areia::cpu {

using B = ContactBlock;

template <int W, class Law, Slot slot, bool kLedger>
[[gnu::always_inline]] inline void run_law(const BlockCall& call, ContactBlock& block) {
  using T = Pack<W>;
  // All that the loop reads besides the block is in registers: stores cannot change it.
  const auto p = *static_cast<const typename Law::Pair*>(call.pair);
  double(*const history)[kBlock] = block.history;
  const double dt = call.dt;
  const Kick kick = call.kick;
  const bool shares = call.shares;
  const int scalar = call.scalar, vector = call.vector, lanes = call.lanes;
  for (int k = 0; k < lanes; k += W) {
    const BlockLanes<W> at{block, history, k};
    Contact<T> c;
    c.n = at.load3(B::kN);
    c.overlap = at.load(B::kOverlap);
    c.r_star = at.load(B::kRstar);
    c.contact_radius = at.load(B::kRadius);
    c.contact_radius_before = at.load(B::kRadiusBefore);
    c.overlap_before = at.load(B::kOverlapBefore);
    c.radius_i = at.load(B::kRi);
    c.radius_j = at.load(B::kRj);
    c.m_star = at.load(B::kMstar);
    c.inv_m_i = at.load(B::kMi);
    c.inv_m_j = at.load(B::kMj);
    c.inv_j_i = at.load(B::kJi);
    c.inv_j_j = at.load(B::kJj);
    c.lever_i = at.load(B::kLeverI);
    c.lever_j = at.load(B::kLeverJ);
    c.overlap_rate = at.load(B::kRate);
    if constexpr (slot != kNormal) {
      c.stiffness = at.load(B::kStiffness);
      c.damper = at.load(B::kDamper);
      c.normal = at.load(B::kNormalForce);
    }
    c.dt = dt;
    c.kicks = dt > 0;
    look_at_kick(c, kick);
    if (shares) look_at_crowd(c, at.load(B::kCi), at.load(B::kCj));
    const Body<T> i{at.load3(B::kDv), at.load3(B::kWi), c.radius_i, c.inv_m_i, c.inv_j_i, at.load(B::kCi)};
    const Body<T> j{{}, at.load3(B::kWj), c.radius_j, c.inv_m_j, c.inv_j_j, at.load(B::kCj)};
    if constexpr (slot == kAdhesion || slot == kTangential) look_at_sliding(c, i, j);
    if constexpr (slot == kRolling || slot == kTwisting) look_at_turning(c, i, j);

    SlotMemory<Law, slot, T> memory;
    at.template recall<Law, slot>(scalar, vector, memory);
    Outcome<T> out;
    if constexpr (slot == kNormal) {
      apply_normal<Law, kLedger>(p, c, memory, out);
      at.store(B::kStiffness, c.stiffness);
      at.store(B::kDamper, c.damper);
      at.store(B::kNormalForce, out.normal);
      at.store(B::kPressing, out.pressing);
      at.store3(B::kForce, out.force);
      if constexpr (kLedger) {
        at.store(B::kBooking, out.booking.elastic);
        at.store(B::kBooking + 1, out.booking.damping);
      }
    } else {
      // what the slot adds to force and torques, put to them at the end; x + -0 is x
      const T nothing = -0.0;
      out.force = out.torque_i = out.torque_j = {nothing, nothing, nothing};
      out.booking.rolling = nothing;
      out.pressing = at.load(B::kPressing);
      if constexpr (slot == kAdhesion || slot == kTangential) out.tangential = at.load3(B::kTangentialForce);
      if constexpr (slot == kAdhesion) {
        apply_adhesion<Law, kLedger>(p, c, at.load(B::kOverlapBefore), memory, out);
        if constexpr (Law::kShears) at.store3(B::kTangentialForce, out.tangential);
        at.store(B::kPressing, out.pressing);
        if constexpr (kLedger) at.store(B::kBooking + 5, out.booking.adhesion);
      }
      if constexpr (slot == kTangential) {
        apply_tangential<Law, kLedger>(p, c, memory, out);
        at.store3(B::kTangentialForce, out.tangential);
        if constexpr (kLedger) {
          at.store(B::kBooking + 2, out.booking.tangential);
          at.store(B::kBooking + 3, out.booking.tangential_damper);
        }
      }
      if constexpr (slot == kRolling || slot == kTwisting) {
        if constexpr (slot == kRolling) apply_rolling<Law, kLedger>(p, c, memory, out);
        else apply_twisting<Law, kLedger>(p, c, memory, out);
        if constexpr (kLedger) at.store(B::kBooking + 4, at.load(B::kBooking + 4) + out.booking.rolling);
      } else {
        at.store3(B::kForce, at.load3(B::kForce) + out.force);
      }
      at.store3(B::kTorqueI, at.load3(B::kTorqueI) + out.torque_i);
      at.store3(B::kTorqueJ, at.load3(B::kTorqueJ) + out.torque_j);
    }
    at.template remember<Law, slot>(scalar, vector, memory);
  }
}

template <class Law, Slot slot, bool kLedger>
[[gnu::flatten]] void run_law_plain(const BlockCall& call, ContactBlock& block) {
  run_law<2, Law, slot, kLedger>(call, block);
}

#if defined(__x86_64__)
template <class Law, Slot slot, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void run_law_avx2(const BlockCall& call, ContactBlock& block) {
  run_law<4, Law, slot, kLedger>(call, block);
}
#endif

// The loop for the widest vectors that this machine has. The results are the same bits.
template <Slot slot>
BlockStage stage_of(std::string_view name, bool ledger, bool wide) {
  BlockStage stage = nullptr;
  with_law(typename LawsOf<slot>::List{}, name, [&]<class Law>(Law) {
    stage = ledger ? run_law_plain<Law, slot, true> : run_law_plain<Law, slot, false>;
#if defined(__x86_64__)
    if (wide) stage = ledger ? run_law_avx2<Law, slot, true> : run_law_avx2<Law, slot, false>;
#else
    (void)wide;
#endif
  });
  return stage;
}

}  // namespace areia::cpu
