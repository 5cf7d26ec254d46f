// What all laws share: the geometry of pairs and the kinematics of a block.
#include "engine/cpu/block_stages.h"

namespace areia::cpu {
namespace {

template <int W>
[[gnu::always_inline]] inline void geometry(const BlockCall& call, ContactBlock& block) {
  const double share_i = call.share, share_j = call.share > 0 ? 1 - call.share : 0.0;
  for (int k = 0; k < call.lanes; k += W) {
    const BlockLanes<W> at{block, block.history, k};
    Touch<Pack<W>> t = touch_of(at.load3(B::kD), at.load(B::kRi), at.load(B::kRj), at.load(B::kMi), at.load(B::kMj));
    shorten_levers(t, share_i, share_j);
    at.store3(B::kN, t.n);
    at.store(B::kOverlap, t.overlap);
    at.store(B::kRstar, t.r_star);
    at.store(B::kMstar, t.m_star);
    at.store(B::kLeverI, t.lever_i);
    at.store(B::kLeverJ, t.lever_j);
  }
}

template <int W>
[[gnu::always_inline]] inline void kinematics(const BlockCall& call, ContactBlock& block) {
  using T = Pack<W>;
  for (int k = 0; k < call.lanes; k += W) {
    const BlockLanes<W> at{block, block.history, k};
    const T r_star = at.load(B::kRstar), before = at.kept(0);
    at.store(B::kRadius, contact_radius_of(r_star, at.load(B::kOverlap)));
    at.store(B::kRadiusBefore, contact_radius_of(r_star, before));
    at.store(B::kOverlapBefore, before);
    at.store(B::kRate, dot(at.load3(B::kDv), at.load3(B::kN)));
    for (int c = B::kTorqueI; c < B::kTangentialForce + 3; ++c) at.store(c, T(0));
    for (int c = B::kBooking; c < B::kBooking + kBookings; ++c) at.store(c, T(0));
  }
}

[[gnu::flatten]] void geometry_plain(const BlockCall& call, ContactBlock& block) { geometry<2>(call, block); }
[[gnu::flatten]] void kinematics_plain(const BlockCall& call, ContactBlock& block) { kinematics<2>(call, block); }
#if defined(__x86_64__)
[[gnu::target("avx2"), gnu::flatten]] void geometry_avx2(const BlockCall& call, ContactBlock& block) {
  geometry<4>(call, block);
}
[[gnu::target("avx2"), gnu::flatten]] void kinematics_avx2(const BlockCall& call, ContactBlock& block) {
  kinematics<4>(call, block);
}
#endif

}  // namespace

BlockStage pair_geometry() {
#if defined(__x86_64__)
  if (has_wide_vectors()) return geometry_avx2;
#endif
  return geometry_plain;
}

BlockStage shared_kinematics() {
#if defined(__x86_64__)
  if (has_wide_vectors()) return kinematics_avx2;
#endif
  return kinematics_plain;
}

}  // namespace areia::cpu
