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

void write_plain(const ContactBlock& block, const PairBlock& pairs, Letter* letters) {
  for (int k = 0; k < pairs.lanes; ++k) {
    if ((pairs.felt >> k & 1) == 0) continue;
    const Vec3d f = block.vector(k, B::kForce), i = block.vector(k, B::kTorqueI), j = block.vector(k, B::kTorqueJ);
    letters[2 * k] = {{f.x, f.y, f.z, 1}, {i.x, i.y, i.z, 0}};
    letters[2 * k + 1] = {{-f.x, -f.y, -f.z, 1}, {j.x, j.y, j.z, 0}};
  }
}

#if defined(__x86_64__)
// ---- four lanes at a time ----

// Of four pairs the particle with the higher slot: the other one is at hand, since pairs are listed by their lower
// slot.
template <class Array>
AREIA_WIDE inline void ask_for(const Array& a, const std::uint32_t* i, const std::uint32_t* j) {
  for (int lane = 0; lane < 4; ++lane) __builtin_prefetch(&a[std::max(i[lane], j[lane])]);
}

template <bool kPeriodic>
AREIA_WIDE Nearness approach_wide(const Half<const Vec4>& position, const PairBlock& pairs,
                                  const Periodicity& periodicity, double max_overlap, ContactBlock& block) {
  Nearness near{0, 0};
  auto& of = block.of;
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  const __m256d most = _mm256_set1_pd(max_overlap);
  for (int k = 0; k < pairs.lanes; k += 4) {
    ask_for(position, i + k + pairs.next, j + k + pairs.next);
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
    ask_for(spin, i + k + pairs.next_felt, j + k + pairs.next_felt);
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

// The row of the force on j.
AREIA_WIDE inline __m256d reaction(__m256d row) { return _mm256_xor_pd(row, _mm256_set_pd(0.0, -0.0, -0.0, -0.0)); }

// Lanes that are not felt get letters that nobody reads.
AREIA_WIDE void write_wide(const ContactBlock& block, const PairBlock& pairs, Letter* letters) {
  const auto& of = block.of;
  const __m256d zero = _mm256_setzero_pd(), one = _mm256_set1_pd(1.0);
  const auto rows = [&](int column, int k, __m256d w) __attribute__((target("avx2"))) {
    return transposed(_mm256_load_pd(&of[column][k]), _mm256_load_pd(&of[column + 1][k]),
                      _mm256_load_pd(&of[column + 2][k]), w);
  };
  for (int k = 0; k < pairs.lanes; k += 4) {
    if ((pairs.felt >> k & 15) == 0) continue;
    const Columns force = rows(B::kForce, k, one), torque_i = rows(B::kTorqueI, k, zero),
                  torque_j = rows(B::kTorqueJ, k, zero);
    const auto put = [&](int lane, __m256d f, __m256d i, __m256d j) __attribute__((target("avx2"))) {
      Letter* const to = letters + 2 * (k + lane);
      _mm256_store_pd(&to[0].force.x, f);
      _mm256_store_pd(&to[0].torque.x, i);
      _mm256_store_pd(&to[1].force.x, reaction(f));
      _mm256_store_pd(&to[1].torque.x, j);
    };
    put(0, force.x, torque_i.x, torque_j.x);
    put(1, force.y, torque_i.y, torque_j.y);
    put(2, force.z, torque_i.z, torque_j.z);
    put(3, force.w, torque_i.w, torque_j.w);
  }
}
#endif

}  // namespace

void book(ContactBlock& block, int lanes, unsigned used) {
  for (int b = 0; b < kBookings; ++b) {
    if (!(used >> b & 1)) continue;
    const auto& amount = block.of[B::kBooking + b];
    for (int k = 0; k < lanes; ++k) {
      if (block.of[B::kTouch][k] == 0) continue;
      const std::uint64_t n = block.grid.raised(amount[k]);
      if (n <= Grid::kFits) block.sums[b][k % kLanes] += n - Grid::kZero;
      else block.booked(b) += amount[k];
    }
  }
}

BlockMoves block_moves(bool periodic) {
#if defined(__x86_64__)
  if (has_wide_vectors()) return {periodic ? approach_wide<true> : approach_wide<false>, motion_wide, write_wide};
#endif
  return {periodic ? approach_plain<true> : approach_plain<false>, motion_plain, write_plain};
}

}  // namespace areia::cpu
