// The loop of one law over a block of contacts, compiled for each law and for plain and wide vectors.
#pragma once
#include "core/vector_width.h"
#include "engine/cpu/contact_block.h"
#include "physics/laws.h"
#include "physics/touch.h"

namespace areia::cpu {

#if defined(__clang__)  // clang has no such hint and leaves these loops scalar
#define AREIA_LANES_ARE_INDEPENDENT
#else
#define AREIA_LANES_ARE_INDEPENDENT _Pragma("GCC ivdep")
#endif

using B = ContactBlock;

template <class Law, Slot slot, bool kLedger>
[[gnu::always_inline]] inline void run_law(const BlockCall& call, ContactBlock& block) {
  const typename Law::Pair p =
      *static_cast<const typename Law::Pair*>(call.pair);  // in registers: stores cannot change it
  auto& of = block.of;
  double(*const kept)[kBlock] = block.history;
  const double dt = call.dt;
  const int scalar = call.scalar, vector = call.vector, lanes = call.lanes & ~(kLanes - 1);
  AREIA_LANES_ARE_INDEPENDENT
  for (int k = 0; k < lanes; ++k) {
    auto load = [&](int c) { return Vec3d{of[c][k], of[c + 1][k], of[c + 2][k]}; };
    auto store = [&](int c, const Vec3d& a) {
      of[c][k] = a.x;
      of[c + 1][k] = a.y;
      of[c + 2][k] = a.z;
    };
    Contact<double> c;
    c.n = load(B::kN);
    c.overlap = of[B::kOverlap][k];
    c.r_star = of[B::kRstar][k];
    c.contact_radius = of[B::kRadius][k];
    c.contact_radius_before = of[B::kRadiusBefore][k];
    c.radius_i = of[B::kRi][k];
    c.radius_j = of[B::kRj][k];
    c.m_star = of[B::kMstar][k];
    c.inv_m_i = of[B::kMi][k];
    c.inv_m_j = of[B::kMj][k];
    c.inv_j_i = of[B::kJi][k];
    c.inv_j_j = of[B::kJj][k];
    c.lever_i = of[B::kLeverI][k];
    c.lever_j = of[B::kLeverJ][k];
    c.overlap_rate = of[B::kRate][k];
    c.stiffness = slot == kNormal ? 0 : of[B::kStiffness][k];
    c.dt = dt;
    const Body<double> i{load(B::kDv), load(B::kWi), c.radius_i, c.inv_m_i, c.inv_j_i, of[B::kCi][k]};
    const Body<double> j{{}, load(B::kWj), c.radius_j, c.inv_m_j, c.inv_j_j, of[B::kCj][k]};
    if constexpr (slot == kAdhesion || slot == kTangential) look_at_sliding(c, i, j);
    if constexpr (slot == kRolling || slot == kTwisting) look_at_turning(c, i, j);

    using State = SlotMemory<Law, slot, double>;
    State memory;
    int at = scalar;
    for (double& s : memory.scalar) s = kept[at++][k];
    for (double& s : memory.own.scalar) s = kept[at++][k];
    at = vector;
    auto take = [&](Vec3d& a) {
      a = {kept[at][k], kept[at + 1][k], kept[at + 2][k]};
      at += 3;
    };
    for (Vec3d& a : memory.vector) take(a);
    for (Vec3d& a : memory.own.vector) take(a);

    Outcome<double> out;
    if constexpr (slot == kNormal) {
      apply_normal<Law, kLedger>(p, c, memory, out);
      of[B::kStiffness][k] = c.stiffness;
      of[B::kNormalForce][k] = out.normal;
      of[B::kPressing][k] = out.pressing;
      store(B::kForce, out.force);
      if constexpr (kLedger) {
        of[B::kBooking][k] = out.booking.elastic;
        of[B::kBooking + 1][k] = out.booking.damping;
      }
    } else {
      out.pressing = of[B::kPressing][k];
      out.torque_i = load(B::kTorqueI);
      out.torque_j = load(B::kTorqueJ);
      if constexpr (slot == kAdhesion) {
        out.force = load(B::kForce);
        apply_adhesion<Law, kLedger>(p, c, of[B::kOverlapBefore][k], memory, out);
        store(B::kForce, out.force);
        of[B::kPressing][k] = out.pressing;
        if constexpr (kLedger) of[B::kBooking + 5][k] = out.booking.adhesion;
      }
      if constexpr (slot == kTangential) {
        out.force = load(B::kForce);
        apply_tangential<Law, kLedger>(p, c, memory, out);
        store(B::kForce, out.force);
        store(B::kTangentialForce, out.tangential);
        if constexpr (kLedger) {
          of[B::kBooking + 2][k] = out.booking.tangential;
          of[B::kBooking + 3][k] = out.booking.tangential_damper;
        }
      }
      if constexpr (slot == kRolling || slot == kTwisting) {
        out.booking.rolling = of[B::kBooking + 4][k];
        if constexpr (slot == kRolling) apply_rolling<Law, kLedger>(p, c, memory, out);
        else apply_twisting<Law, kLedger>(p, c, memory, out);
        if constexpr (kLedger) of[B::kBooking + 4][k] = out.booking.rolling;
      }
      store(B::kTorqueI, out.torque_i);
      store(B::kTorqueJ, out.torque_j);
    }

    at = scalar;
    for (double s : memory.scalar) kept[at++][k] = s;
    for (double s : memory.own.scalar) kept[at++][k] = s;
    at = vector;
    auto put = [&](const Vec3d& a) {
      kept[at][k] = a.x;
      kept[at + 1][k] = a.y;
      kept[at + 2][k] = a.z;
      at += 3;
    };
    for (const Vec3d& a : memory.vector) put(a);
    for (const Vec3d& a : memory.own.vector) put(a);
  }
}

template <class Law, Slot slot, bool kLedger>
void run_law_plain(const BlockCall& call, ContactBlock& block) {
  run_law<Law, slot, kLedger>(call, block);
}

#if defined(__x86_64__)
template <class Law, Slot slot, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void run_law_avx2(const BlockCall& call, ContactBlock& block) {
  run_law<Law, slot, kLedger>(call, block);
}
#endif

// The loop for the widest vectors that this machine has. The results are the same bits.
template <Slot slot>
BlockStage stage_of(const std::string& name, bool ledger, bool wide) {
  BlockStage stage = nullptr;
  with_law(typename LawsOf<slot>::List{}, name, [&]<class Law>(Law) {
    stage = ledger ? run_law_plain<Law, slot, true> : run_law_plain<Law, slot, false>;
#if defined(__x86_64__)
    if (wide) stage = ledger ? run_law_avx2<Law, slot, true> : run_law_avx2<Law, slot, false>;
#endif
  });
  return stage;
}

}  // namespace areia::cpu
