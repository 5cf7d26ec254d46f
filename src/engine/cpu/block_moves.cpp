#include "engine/cpu/block_moves.h"

#include "core/transposed.h"
#include "engine/cpu/block_stages.h"
#include "search/nearest_image.h"

namespace areia::cpu {
namespace {

// ---- in plain words ----

template <bool kPeriodic>
Nearness approach_plain(const Half<const Vec4>& position, const PairBlock& pairs, const Periodicity& periodicity,
                        double max_overlap, ContactBlock& block) {
  Nearness near{0, 0};
  for (int k = 0; k < pairs.lanes; ++k) {
    const Vec4 &xi = position[pairs.i[k]], &xj = position[pairs.j[k]];
    Vec3d d{xj.x - xi.x, xj.y - xi.y, xj.z - xi.z};
    if constexpr (kPeriodic) d = periodicity.nearest(d);
    block.set(k, B::kD, d);
    block.of[B::kRi][k] = xi.w;
    block.of[B::kRj][k] = xj.w;
    const double reach = xi.w + xj.w, distance2 = norm2(d);
    const double closest = reach - max_overlap * std::min(xi.w, xj.w);
    near.touching |= static_cast<std::uint32_t>(distance2 < reach * reach) << k;
    near.deep |= static_cast<std::uint32_t>(distance2 < closest * closest) << k;
    block.of[B::kTouch][k] = distance2 < reach * reach;
  }
  return near;
}

void motion_plain(const Half<const Vec4>& velocity, const Vec4* spin, const PairBlock& pairs, ContactBlock& block) {
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  for (int k = 0; k < pairs.lanes; ++k) {
    const Vec4 &vi = velocity[i[k]], &vj = velocity[j[k]], &wi = spin[i[k]], &wj = spin[j[k]];
    block.set(k, B::kDv, vi.xyz() - vj.xyz());
    block.of[B::kMi][k] = vi.w;
    block.of[B::kMj][k] = vj.w;
    block.set(k, B::kWi, wi.xyz());
    block.of[B::kJi][k] = wi.w;
    block.set(k, B::kWj, wj.xyz());
    block.of[B::kJj][k] = wj.w;
  }
}

Vec4 with_count(const ContactBlock& block, int first, int k, double sign, double count) {
  if (block.of[B::kTouch][k] == 0) return {};
  const Vec3d f = block.vector(k, first);
  return {sign * f.x, sign * f.y, sign * f.z, count};
}

void give_plain(const ContactBlock& block, const PairBlock& pairs, const Half<Vec4>& force, const Half<Vec4>& torque) {
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  for (int k = 0; k < pairs.lanes; ++k) {
    force[i[k]] += with_count(block, B::kForce, k, 1, 1);
    torque[i[k]] += with_count(block, B::kTorqueI, k, 1, 0);
    force[j[k]] += with_count(block, B::kForce, k, -1, 1);
    torque[j[k]] += with_count(block, B::kTorqueJ, k, 1, 0);
  }
}

void send_plain(const ContactBlock& block, const PairBlock& pairs, const Half<Vec4>& force, const Half<Vec4>& torque,
                Letter* letter) {
  const std::uint32_t* const i = pairs.i;
  for (int k = 0; k < pairs.lanes; ++k) {
    force[i[k]] += with_count(block, B::kForce, k, 1, 1);
    torque[i[k]] += with_count(block, B::kTorqueI, k, 1, 0);
    letter[k] = {with_count(block, B::kForce, k, -1, 1), with_count(block, B::kTorqueJ, k, 1, 0)};
  }
}

#if defined(__x86_64__)
// ---- four lanes at a time ----

template <class Array>
AREIA_WIDE inline void ask_for(const Array& a, const std::uint32_t* at) {
  for (int lane = 0; lane < 4; ++lane) __builtin_prefetch(&a[at[lane]]);
}

template <bool kPeriodic>
AREIA_WIDE Nearness approach_wide(const Half<const Vec4>& position, const PairBlock& pairs,
                                  const Periodicity& periodicity, double max_overlap, ContactBlock& block) {
  Nearness near{0, 0};
  auto& of = block.of;
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  const __m256d most = _mm256_set1_pd(max_overlap);
  for (int k = 0; k < pairs.lanes; k += 4) {
    ask_for(position, pairs.next + k);
    const Vec4 &i0 = position[i[k]], &i1 = position[i[k + 1]], &i2 = position[i[k + 2]], &i3 = position[i[k + 3]];
    const Vec4 &j0 = position[j[k]], &j1 = position[j[k + 1]], &j2 = position[j[k + 2]], &j3 = position[j[k + 3]];
    const __m256d a = row(i0), b = row(i1), c = row(i2), e = row(i3);
    // (d, r_i) of each pair
    Columns d =
        transposed(_mm256_blend_pd(_mm256_sub_pd(row(j0), a), a, 8), _mm256_blend_pd(_mm256_sub_pd(row(j1), b), b, 8),
                   _mm256_blend_pd(_mm256_sub_pd(row(j2), c), c, 8), _mm256_blend_pd(_mm256_sub_pd(row(j3), e), e, 8));
    const __m256d ri = d.w, rj = fourth(j0, j1, j2, j3);
    if constexpr (kPeriodic) take_nearest_images(periodicity, d);
    _mm256_store_pd(&of[B::kD][k], d.x);
    _mm256_store_pd(&of[B::kD + 1][k], d.y);
    _mm256_store_pd(&of[B::kD + 2][k], d.z);
    _mm256_store_pd(&of[B::kRi][k], ri);
    _mm256_store_pd(&of[B::kRj][k], rj);
    const __m256d reach = _mm256_add_pd(ri, rj);
    const __m256d distance2 =
        _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(d.x, d.x), _mm256_mul_pd(d.y, d.y)), _mm256_mul_pd(d.z, d.z));
    const __m256d closest = _mm256_sub_pd(reach, _mm256_mul_pd(most, _mm256_min_pd(ri, rj)));
    const __m256d touch = _mm256_cmp_pd(distance2, _mm256_mul_pd(reach, reach), _CMP_LT_OQ);
    _mm256_store_pd(&of[B::kTouch][k], _mm256_and_pd(touch, _mm256_set1_pd(1.0)));
    const int touching = _mm256_movemask_pd(touch);
    const int deep = _mm256_movemask_pd(_mm256_cmp_pd(distance2, _mm256_mul_pd(closest, closest), _CMP_LT_OQ));
    near.touching |= static_cast<std::uint32_t>(touching) << k;
    near.deep |= static_cast<std::uint32_t>(deep) << k;
  }
  return near;
}

AREIA_WIDE void motion_wide(const Half<const Vec4>& velocity, const Vec4* spin, const PairBlock& pairs,
                            ContactBlock& block) {
  auto& of = block.of;
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  for (int k = 0; k < pairs.lanes; k += 4) {
    ask_for(spin, pairs.next_felt + k);
    if ((pairs.felt >> k / kLanes * kLanes & 255) == 0) continue;
    const auto difference = [&](int lane) __attribute__((target("avx2"))) {
      const __m256d a = row(velocity[i[k + lane]]);
      return _mm256_blend_pd(_mm256_sub_pd(a, row(velocity[j[k + lane]])), a, 8);
    };
    const Columns v = transposed(difference(0), difference(1), difference(2), difference(3));
    _mm256_store_pd(&of[B::kDv][k], v.x);
    _mm256_store_pd(&of[B::kDv + 1][k], v.y);
    _mm256_store_pd(&of[B::kDv + 2][k], v.z);
    _mm256_store_pd(&of[B::kMi][k], v.w);
    _mm256_store_pd(&of[B::kMj][k], fourth(velocity[j[k]], velocity[j[k + 1]], velocity[j[k + 2]], velocity[j[k + 3]]));
    const Columns wi = transposed(row(spin[i[k]]), row(spin[i[k + 1]]), row(spin[i[k + 2]]), row(spin[i[k + 3]]));
    _mm256_store_pd(&of[B::kWi][k], wi.x);
    _mm256_store_pd(&of[B::kWi + 1][k], wi.y);
    _mm256_store_pd(&of[B::kWi + 2][k], wi.z);
    _mm256_store_pd(&of[B::kJi][k], wi.w);
    const Columns wj = transposed(row(spin[j[k]]), row(spin[j[k + 1]]), row(spin[j[k + 2]]), row(spin[j[k + 3]]));
    _mm256_store_pd(&of[B::kWj][k], wj.x);
    _mm256_store_pd(&of[B::kWj + 1][k], wj.y);
    _mm256_store_pd(&of[B::kWj + 2][k], wj.z);
    _mm256_store_pd(&of[B::kJj][k], wj.w);
  }
}

AREIA_WIDE inline __m256d where(__m256d mask, const double* column) {
  return _mm256_and_pd(mask, _mm256_load_pd(column));
}
AREIA_WIDE inline void add(Vec4& to, __m256d a) { _mm256_store_pd(&to.x, _mm256_add_pd(_mm256_load_pd(&to.x), a)); }

// Rows of forces on i with their counts, and of torques.
struct Rows {
  Columns force, torque_i, torque_j;
};
// The row of the force on j.
AREIA_WIDE inline __m256d reaction(__m256d row) { return _mm256_xor_pd(row, _mm256_set_pd(0.0, -0.0, -0.0, -0.0)); }
AREIA_WIDE inline Rows rows_of(const ContactBlock& block, int k) {
  const auto& of = block.of;
  const __m256d zero = _mm256_setzero_pd(), count = _mm256_load_pd(&of[B::kTouch][k]);
  const __m256d mask = _mm256_cmp_pd(count, zero, _CMP_NEQ_OQ);
  return {transposed(where(mask, &of[B::kForce][k]), where(mask, &of[B::kForce + 1][k]),
                     where(mask, &of[B::kForce + 2][k]), count),
          transposed(where(mask, &of[B::kTorqueI][k]), where(mask, &of[B::kTorqueI + 1][k]),
                     where(mask, &of[B::kTorqueI + 2][k]), zero),
          transposed(where(mask, &of[B::kTorqueJ][k]), where(mask, &of[B::kTorqueJ + 1][k]),
                     where(mask, &of[B::kTorqueJ + 2][k]), zero)};
}

AREIA_WIDE void give_wide(const ContactBlock& block, const PairBlock& pairs, const Half<Vec4>& force,
                          const Half<Vec4>& torque) {
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  for (int k = 0; k < pairs.lanes; k += 4) {
    ask_for(force, pairs.next_felt + k);
    if ((pairs.felt >> k & 15) == 0) continue;
    const Rows r = rows_of(block, k);
    add(force[i[k]], r.force.x);
    add(torque[i[k]], r.torque_i.x);
    add(force[j[k]], reaction(r.force.x));
    add(torque[j[k]], r.torque_j.x);
    add(force[i[k + 1]], r.force.y);
    add(torque[i[k + 1]], r.torque_i.y);
    add(force[j[k + 1]], reaction(r.force.y));
    add(torque[j[k + 1]], r.torque_j.y);
    add(force[i[k + 2]], r.force.z);
    add(torque[i[k + 2]], r.torque_i.z);
    add(force[j[k + 2]], reaction(r.force.z));
    add(torque[j[k + 2]], r.torque_j.z);
    add(force[i[k + 3]], r.force.w);
    add(torque[i[k + 3]], r.torque_i.w);
    add(force[j[k + 3]], reaction(r.force.w));
    add(torque[j[k + 3]], r.torque_j.w);
  }
}

AREIA_WIDE void send_wide(const ContactBlock& block, const PairBlock& pairs, const Half<Vec4>& force,
                          const Half<Vec4>& torque, Letter* letter) {
  const std::uint32_t* const i = pairs.i;
  const auto put = [](Letter & to, __m256d f, __m256d t) __attribute__((target("avx2"))) {
    _mm256_store_pd(&to.force.x, f);
    _mm256_store_pd(&to.torque.x, t);
  };
  for (int k = 0; k < pairs.lanes; k += 4) {
    if ((pairs.felt >> k & 15) == 0) {
      for (int lane = k; lane < k + 4; ++lane) letter[lane] = {};
      continue;
    }
    const Rows r = rows_of(block, k);
    add(force[i[k]], r.force.x);
    add(torque[i[k]], r.torque_i.x);
    add(force[i[k + 1]], r.force.y);
    add(torque[i[k + 1]], r.torque_i.y);
    add(force[i[k + 2]], r.force.z);
    add(torque[i[k + 2]], r.torque_i.z);
    add(force[i[k + 3]], r.force.w);
    add(torque[i[k + 3]], r.torque_i.w);
    put(letter[k], reaction(r.force.x), r.torque_j.x);
    put(letter[k + 1], reaction(r.force.y), r.torque_j.y);
    put(letter[k + 2], reaction(r.force.z), r.torque_j.z);
    put(letter[k + 3], reaction(r.force.w), r.torque_j.w);
  }
}
#endif

}  // namespace

void book(ContactBlock& block, int lanes, unsigned used) {
  for (int b = 0; b < kBookings; ++b) {
    if (!(used >> b & 1)) continue;
    for (int k = 0; k < lanes; ++k)
      block.sums[b][k % kLanes] += block.of[B::kTouch][k] != 0 ? block.of[B::kBooking + b][k] : 0.0;
  }
}

BlockMoves block_moves(bool periodic) {
#if defined(__x86_64__)
  if (has_wide_vectors())
    return {periodic ? approach_wide<true> : approach_wide<false>, motion_wide, give_wide, send_wide};
#endif
  return {periodic ? approach_plain<true> : approach_plain<false>, motion_plain, give_plain, send_plain};
}

}  // namespace areia::cpu
