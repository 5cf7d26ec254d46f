// What all laws share: the geometry of pairs and the kinematics of a block.
#include "engine/cpu/block_stages.h"

namespace areia::cpu {
namespace {

[[gnu::always_inline]] inline void geometry(const BlockCall& call, ContactBlock& block) {
  auto& of = block.of;
  const double share_i = call.share, share_j = call.share > 0 ? 1 - call.share : 0.0;
  const int lanes = call.lanes & ~(kLanes - 1);
  AREIA_LANES_ARE_INDEPENDENT
  for (int k = 0; k < lanes; ++k) {
    const Vec3d d{of[B::kD][k], of[B::kD + 1][k], of[B::kD + 2][k]};
    Touch<double> t = touch_of(d, of[B::kRi][k], of[B::kRj][k], of[B::kMi][k], of[B::kMj][k]);
    shorten_levers(t, share_i, share_j);
    of[B::kN][k] = t.n.x;
    of[B::kN + 1][k] = t.n.y;
    of[B::kN + 2][k] = t.n.z;
    of[B::kOverlap][k] = t.overlap;
    of[B::kRstar][k] = t.r_star;
    of[B::kMstar][k] = t.m_star;
    of[B::kLeverI][k] = t.lever_i;
    of[B::kLeverJ][k] = t.lever_j;
  }
}

[[gnu::always_inline]] inline void kinematics(const BlockCall& call, ContactBlock& block) {
  auto& of = block.of;
  const auto& before = block.history[0];
  const int lanes = call.lanes & ~(kLanes - 1);
  AREIA_LANES_ARE_INDEPENDENT
  for (int k = 0; k < lanes; ++k) {
    auto load = [&](int c) { return Vec3d{of[c][k], of[c + 1][k], of[c + 2][k]}; };
    const double r_star = of[B::kRstar][k];
    of[B::kRadius][k] = contact_radius_of(r_star, of[B::kOverlap][k]);
    of[B::kRadiusBefore][k] = contact_radius_of(r_star, before[k]);
    of[B::kOverlapBefore][k] = before[k];
    of[B::kRate][k] = dot(load(B::kDv), load(B::kN));
    for (int c = B::kTorqueI; c < B::kTangentialForce + 3; ++c) of[c][k] = 0;
    for (int c = B::kBooking; c < B::kBooking + 6; ++c) of[c][k] = 0;
  }
}

void geometry_plain(const BlockCall& call, ContactBlock& block) { geometry(call, block); }
void kinematics_plain(const BlockCall& call, ContactBlock& block) { kinematics(call, block); }
#if defined(__x86_64__)
[[gnu::target("avx2"), gnu::flatten]] void geometry_avx2(const BlockCall& call, ContactBlock& block) {
  geometry(call, block);
}
[[gnu::target("avx2"), gnu::flatten]] void kinematics_avx2(const BlockCall& call, ContactBlock& block) {
  kinematics(call, block);
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
