// All laws of a pair in one loop, for the sets of laws in physics/fused_sets.h: what lies between them stays in
// registers. Lane by lane these are the operations of the laws one after the other (block_stages.h), so the bits are
// the same.
#pragma once
#include <array>

#include "engine/cpu/block_stages.h"
#include "physics/fused_sets.h"

namespace areia::cpu {

struct FusedCall {
  const void* pair[kSlots];
  std::array<int, kSlots> scalar, vector;
  double dt, share, max_overlap;
  Kick kick;
  bool shares;  // the laws ask for the columns kCi and kCj (Interaction::shares)
  int lanes;
  const double* next_history;  // of the next block, asked for on the way
  bool wall;                   // normal and overlap are given, and j is a wall: r* = r_i, m* = m_i
  std::uint32_t felt = ~0u;    // one bit per lane; vectors with none are left out
  bool begins = true;          // some of them may be new, or touched to the last bit only
};
using FusedStage = void (*)(const FusedCall&, ContactBlock&);

// From the distance vectors to forces, torques and sums of bookings; what only records show is left out. Null: there is
// no such loop for these laws or on this machine.
FusedStage fused_stage(const ContactPair& laws, bool ledger, VectorWidth width);

// How many numbers a law's slot keeps of a contact.
template <class Law, Slot slot>
constexpr int numbers() {
  if constexpr (kIsLaw<Law>)
    return SlotMemory<Law, slot, double>::kScalars + 3 * SlotMemory<Law, slot, double>::kVectors;
  else return 0;
}

// Bookings of these lanes, in their columns, that the grid does not take: out of the sums again, and into the ledger by
// themselves. Lanes and columns in use have a bit.
void book_large(ContactBlock& block, std::uint32_t lanes, unsigned used);

// The constants of a law, in registers: stores cannot change them.
template <class Law>
[[gnu::always_inline]] inline typename Law::Pair constants(const FusedCall& call, Slot slot) {
  if constexpr (kIsLaw<Law>) return *static_cast<const typename Law::Pair*>(call.pair[slot]);
  else return {};
}

template <int W, class Set, bool kLedger>
[[gnu::always_inline]] inline void run_fused(const FusedCall& call, ContactBlock& block) {
  using T = Pack<W>;
  using Normal = typename Set::Normal;
  using Adhesion = typename Set::Adhesion;
  using Tangential = typename Set::Tangential;
  using Rolling = typename Set::Rolling;
  using Twisting = typename Set::Twisting;
  constexpr bool kTurns = kIsLaw<Rolling> || kIsLaw<Twisting>;
  constexpr int kHistory = numbers<Normal, kNormal>() + numbers<Adhesion, kAdhesion>() +
                           numbers<Tangential, kTangential>() + numbers<Rolling, kRolling>() +
                           numbers<Twisting, kTwisting>();
  const auto normal = constants<Normal>(call, kNormal);
  const auto adhesion = constants<Adhesion>(call, kAdhesion);
  const auto tangential = constants<Tangential>(call, kTangential);
  const auto rolling = constants<Rolling>(call, kRolling);
  const auto twisting = constants<Twisting>(call, kTwisting);
  const std::array<int, kSlots> scalar = call.scalar, vector = call.vector;
  const Kick kick = call.kick;
  const bool shares = call.shares, begins = call.begins;
  const double dt = call.dt;
  double(*const history)[kBlock] = block.history;
  const T magic = block.grid.magic;
  using Whole = typename T::Whole;
  const Whole base = Whole{} + block.grid.base, fits = Whole{} + Grid::kFits;
  constexpr unsigned used = 3u | (kIsLaw<Tangential> ? 12u : 0) | (kTurns ? 16u : 0) | (kIsLaw<Adhesion> ? 32u : 0);
  std::uint64_t terms[2] = {};
  Whole large{};  // bits above kFits in any booking
  std::uint32_t booked = 0;
  typename T::Mask deep{};
  T barely = -1;  // not below 0 where lanes touch to the last bit
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
    if (call.wall) touch = touch_of_wall(at.load3(B::kN), at.load(B::kOverlap), c.radius_i, c.inv_m_i);
    else touch = touch_of(at.load3(B::kD), c.radius_i, c.radius_j, c.inv_m_i, c.inv_m_j);
    if (call.share > 0) [[unlikely]]
      shorten_levers(touch, call.share, call.wall ? 0 : 1 - call.share);
    c.n = touch.n;
    c.overlap = touch.overlap;
    deep = deep || is_deep(c.overlap, c.radius_i, c.radius_j, T(call.max_overlap));
    barely = max_of(barely, min_of(c.overlap, kTouching * c.length() - c.overlap));
    c.r_star = touch.r_star;
    c.lever_i = touch.lever_i;
    c.lever_j = touch.lever_j;
    c.m_star = touch.m_star;
    c.inv_j_i = at.load(B::kJi);
    c.inv_j_j = at.load(B::kJj);
    c.contact_radius = contact_radius_of(c.r_star, c.overlap);
    const T overlap_before = at.kept(0);
    c.overlap_before = overlap_before;
    c.contact_radius_before = contact_radius_of(c.r_star, overlap_before);
    c.dt = dt;
    look_at_kick(c, kick);
    c.begins = begins;
    if (shares) look_at_crowd(c, at.load(B::kCi), at.load(B::kCj));
    Body<T> i{at.load3(B::kDv), at.load3(B::kWi), c.radius_i, c.inv_m_i, c.inv_j_i, T(0)};
    Body<T> j{{}, at.load3(B::kWj), c.radius_j, c.inv_m_j, c.inv_j_j, T(0)};
    c.overlap_rate = dot(i.v, c.n);

    Outcome<T> out{};
    const T nothing = -0.0;  // x + -0 is x, which 0 + x is not for x = -0
    out.torque_i = out.torque_j = {nothing, nothing, nothing};
    // Runs one slot on what it remembers.
    const auto act = [&]<class Law, Slot slot>(auto&& apply) {
      SlotMemory<Law, slot, T> memory;
      at.template recall<Law, slot>(scalar[slot], vector[slot], memory);
      apply(memory);
      at.template remember<Law, slot>(scalar[slot], vector[slot], memory);
    };
    act.template operator()<Normal, kNormal>(
        [&](auto& memory) { apply_normal<Normal, kLedger>(normal, c, memory, out); });
    look_at_sliding(c, i, j);
    if constexpr (kIsLaw<Adhesion>)
      act.template operator()<Adhesion, kAdhesion>(
          [&](auto& memory) { apply_adhesion<Adhesion, kLedger>(adhesion, c, overlap_before, memory, out); });
    if constexpr (kIsLaw<Tangential>)
      act.template operator()<Tangential, kTangential>(
          [&](auto& memory) { apply_tangential<Tangential, kLedger>(tangential, c, memory, out); });
    if constexpr (kTurns) {
      i.contacts = at.load(B::kCi);
      j.contacts = at.load(B::kCj);
      look_at_turning(c, i, j);
    }
    if constexpr (kIsLaw<Rolling>)
      act.template operator()<Rolling, kRolling>(
          [&](auto& memory) { apply_rolling<Rolling, kLedger>(rolling, c, memory, out); });
    if constexpr (kIsLaw<Twisting>)
      act.template operator()<Twisting, kTwisting>(
          [&](auto& memory) { apply_twisting<Twisting, kLedger>(twisting, c, memory, out); });
    at.store3(B::kForce, out.force);
    at.store3(B::kTorqueI, out.torque_i);
    at.store3(B::kTorqueJ, out.torque_j);
    if constexpr (kLedger) {
      if ((~call.felt >> k & ((1u << W) - 1)) != 0) {  // some lanes count for nothing
        const auto touches = at.load(B::kTouch) > T(0);
        T* const bookings[] = {&out.booking.elastic,           &out.booking.damping, &out.booking.tangential,
                               &out.booking.tangential_damper, &out.booking.rolling, &out.booking.adhesion};
        for (T* const booking : bookings) *booking = select(touches, *booking, T(0));
      }
      const auto for_each_booking = [&](auto&& book) {
        book(0, out.booking.elastic);
        book(1, out.booking.damping);
        if constexpr (kIsLaw<Tangential>) {
          book(2, out.booking.tangential);
          book(3, out.booking.tangential_damper);
        }
        if constexpr (kTurns) book(4, out.booking.rolling);
        if constexpr (kIsLaw<Adhesion>) book(5, out.booking.adhesion);
      };
      for_each_booking([&](int b, const T& amount) {
        at.store(B::kBooking + b, amount);
        const Whole bits = (amount + magic).whole();
        large |= bits ^ base;
        *reinterpret_cast<Whole*>(&block.sums[b][k % kLanes]) += bits;
      });
      booked |= ((1u << W) - 1) << k;
      ++terms[k % kLanes / 4];
      if constexpr (W == 8) ++terms[1];
    }
  }
  block.any_deep = any_bit(deep.bits);
  block.any_barely = any_of(barely >= T(0));
  if constexpr (kLedger) {
    if (any_bit(large & ~fits)) [[unlikely]]
      book_large(block, booked, used);
    block.used = used;
    block.terms[0] += terms[0];
    block.terms[1] += terms[1];
  }
}

}  // namespace areia::cpu
