#include "engine/cpu/block_moves.h"

#include "core/transposed.h"
#include "engine/cpu/block_stages.h"
#include "search/nearest_image.h"

namespace areia::cpu {
namespace {

// ---- in plain words ----

template <bool kPeriodic>
std::uint32_t approach_plain(const Half<const Vec4>& position, const PairBlock& pairs, const Periodicity& periodicity,
                             ContactBlock& block) {
  std::uint32_t touching = 0;
  for (int k = 0; k < pairs.lanes; ++k) {
    const Vec4 &xi = position[pairs.i[k]], &xj = position[pairs.j[k]];
    Vec3d d{xj.x - xi.x, xj.y - xi.y, xj.z - xi.z};
    if constexpr (kPeriodic) d = periodicity.nearest(d);
    block.set(k, B::kD, d);
    block.of[B::kRi][k] = xi.w;
    block.of[B::kRj][k] = xj.w;
    const double reach = xi.w + xj.w, distance2 = norm2(d);
    touching |= static_cast<std::uint32_t>(distance2 < reach * reach) << k;
    block.of[B::kTouch][k] = distance2 < reach * reach;
  }
  return touching;
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

// Where the j of a contact is: in the chunk, in another one, which gets a letter, or a wall.
enum class Partner { here, elsewhere, wall };

// Lanes from k on, one by one.
template <Partner kPartner>
void push_plain(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters, int k,
                int end) {
  for (; k < end; ++k) {
    if constexpr (kPartner == Partner::elsewhere) letters[k] = {};
    if (block.of[B::kTouch][k] == 0) continue;
    const std::uint32_t i = pairs.i[k];
    const Vec3d f = block.vector(k, B::kForce), torque_i = block.vector(k, B::kTorqueI);
    if constexpr (kPartner == Partner::wall) {
      add_push(to.grid, i, f, torque_i, to.sums[i], to.large);
    } else {
      const std::uint32_t j = pairs.j[k];
      const auto place = [&](std::uint32_t slot) -> Push& {
        return kPartner == Partner::here || slot == std::min(i, j) ? to.sums[slot] : letters[k];
      };
      add_push(to.grid, i, f, torque_i, place(i), to.large);
      add_push(to.grid, j, -f, block.vector(k, B::kTorqueJ), place(j), to.large);
    }
  }
}

template <Partner kPartner>
void push_all_plain(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters) {
  push_plain<kPartner>(block, pairs, to, letters, 0, pairs.lanes);
}

#if defined(__x86_64__)
// ---- four lanes at a time ----

template <class Array>
AREIA_WIDE inline void ask_for(const Array& a, const std::uint32_t* slot) {
  for (int lane = 0; lane < 4; ++lane) __builtin_prefetch(&a[slot[lane]]);
}

template <bool kPeriodic>
AREIA_WIDE std::uint32_t approach_wide(const Half<const Vec4>& position, const PairBlock& pairs,
                                       const Periodicity& periodicity, ContactBlock& block) {
  std::uint32_t touching = 0;
  auto& of = block.of;
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  for (int k = 0; k < pairs.lanes; k += 4) {
    const auto four = [](const std::uint32_t* a) __attribute__((target("avx2"))) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
    };
    _mm_store_si128(reinterpret_cast<__m128i*>(pairs.partners + k),
                    _mm_max_epu32(four(pairs.next_i + k), four(pairs.next_j + k)));
    ask_for(position, pairs.partners + k);
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
    const __m256d touch = _mm256_cmp_pd(distance2, _mm256_mul_pd(reach, reach), _CMP_LT_OQ);
    _mm256_store_pd(&of[B::kTouch][k], _mm256_and_pd(touch, _mm256_set1_pd(1.0)));
    touching |= static_cast<std::uint32_t>(_mm256_movemask_pd(touch)) << k;
  }
  return touching;
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

AREIA_WIDE inline void add(Quanta& to, __m256i a) {
  auto* const at = reinterpret_cast<__m256i*>(&to);
  _mm256_store_si256(at, _mm256_add_epi64(_mm256_load_si256(at), a));
}
AREIA_WIDE inline void subtract(Quanta& from, __m256i a) {
  auto* const at = reinterpret_cast<__m256i*>(&from);
  _mm256_store_si256(at, _mm256_sub_epi64(_mm256_load_si256(at), a));
}

struct WholeRows {  // of four lanes
  __m256i of[4];
};

// Four lanes from k on. kAll: all of them have kTouch; others count for nothing. Where a component does not fit its
// grid, they go one by one.
template <Partner kPartner, bool kAll>
[[gnu::always_inline]] AREIA_WIDE inline void push_four(const ContactBlock& block, const PairBlock& pairs,
                                                        const PushTargets& to, Push* letters, int k) {
  const auto& of = block.of;
  const std::uint32_t *const i = pairs.i, *const j = pairs.j;
  const __m256i none = _mm256_setzero_si256(), one = _mm256_set1_epi64x(1);
  const __m256i off = _mm256_cmpeq_epi64(_mm256_castpd_si256(_mm256_load_pd(&of[B::kTouch][k])), none);
  __m256i large = none;
  const auto rows = [&](int column, const Grid& grid, __m256i w) __attribute__((target("avx2"), always_inline)) {
    const __m256d magic = _mm256_set1_pd(grid.magic);
    const __m256i base = _mm256_set1_epi64x(static_cast<long long>(grid.base));
    const auto quanta = [&](int c) __attribute__((target("avx2"), always_inline)) {
      const __m256i bits = _mm256_castpd_si256(_mm256_add_pd(_mm256_load_pd(&of[c][k]), magic));
      large = _mm256_or_si256(large, _mm256_xor_si256(bits, base));
      const __m256i n = _mm256_sub_epi64(bits, _mm256_castpd_si256(magic));
      return _mm256_castsi256_pd(kAll ? n : _mm256_andnot_si256(off, n));
    };
    const Columns r = transposed(quanta(column), quanta(column + 1), quanta(column + 2), _mm256_castsi256_pd(w));
    return WholeRows{
        {_mm256_castpd_si256(r.x), _mm256_castpd_si256(r.y), _mm256_castpd_si256(r.z), _mm256_castpd_si256(r.w)}};
  };
  const __m256i counts = kAll ? one : _mm256_andnot_si256(off, one);
  const WholeRows force = rows(B::kForce, to.grid.force, none);
  const WholeRows torque_i = rows(B::kTorqueI, to.grid.torque, counts);
  WholeRows torque_j{};
  if constexpr (kPartner != Partner::wall) torque_j = rows(B::kTorqueJ, to.grid.torque, counts);
  const __m256i beyond = _mm256_set1_epi64x(~static_cast<long long>(Grid::kFits));
  if (!_mm256_testz_si256(kAll ? large : _mm256_andnot_si256(off, large), beyond)) [[unlikely]]
    return push_plain<kPartner>(block, pairs, to, letters, k, k + 4);
#pragma GCC unroll 4
  for (int lane = 0; lane < 4; ++lane) {
    const std::uint32_t a = i[k + lane], b = kPartner == Partner::wall ? 0 : j[k + lane];
    if constexpr (kPartner == Partner::wall) {
      add(to.sums[a].force, force.of[lane]);
      add(to.sums[a].torque, torque_i.of[lane]);
    } else if constexpr (kPartner == Partner::here) {
      add(to.sums[a].force, force.of[lane]);
      add(to.sums[a].torque, torque_i.of[lane]);
      subtract(to.sums[b].force, force.of[lane]);
      add(to.sums[b].torque, torque_j.of[lane]);
    } else {
      // all bits where i is the one in the other chunk: what stays here is the force on j
      const __m256i is_i_there = _mm256_set1_epi64x(-static_cast<long long>(a > b));
      const __m256i here = _mm256_sub_epi64(_mm256_xor_si256(force.of[lane], is_i_there), is_i_there);
      Push& own = to.sums[std::min(a, b)];
      auto* const letter = reinterpret_cast<__m256i*>(letters + k + lane);
      add(own.force, here);
      add(own.torque, _mm256_blendv_epi8(torque_i.of[lane], torque_j.of[lane], is_i_there));
      _mm256_store_si256(letter, _mm256_sub_epi64(none, here));
      _mm256_store_si256(letter + 1, _mm256_blendv_epi8(torque_j.of[lane], torque_i.of[lane], is_i_there));
    }
  }
}

template <Partner kPartner>
[[gnu::always_inline]] AREIA_WIDE inline void push_wide(const ContactBlock& block, const PairBlock& pairs,
                                                        const PushTargets& to, Push* letters) {
  for (int k = 0; k < pairs.lanes; k += 4) {
    if (kPartner == Partner::here) ask_for(to.sums, pairs.next_felt + k);
    const std::uint32_t felt = pairs.felt >> k & 15;
    if (felt == 15) push_four<kPartner, true>(block, pairs, to, letters, k);
    else if (felt != 0) push_four<kPartner, false>(block, pairs, to, letters, k);
    else if constexpr (kPartner == Partner::elsewhere) std::fill_n(letters + k, 4, Push{});
  }
}

template <Partner kPartner>
AREIA_WIDE void push_avx2(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters) {
  push_wide<kPartner>(block, pairs, to, letters);
}
template <Partner kPartner>
AREIA_WIDER void push_avx512(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters) {
  push_wide<kPartner>(block, pairs, to, letters);
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

BlockMoves block_moves(bool periodic, VectorWidth width) {
  BlockMoves moves{periodic ? approach_plain<true> : approach_plain<false>, motion_plain, push_all_plain<Partner::here>,
                   push_all_plain<Partner::elsewhere>, push_all_plain<Partner::wall>};
#if defined(__x86_64__)
  if (width >= VectorWidth::avx2)
    moves = {periodic ? approach_wide<true> : approach_wide<false>, motion_wide, push_avx2<Partner::here>,
             push_avx2<Partner::elsewhere>, push_avx2<Partner::wall>};
  if (width == VectorWidth::avx512) {
    moves.give = push_avx512<Partner::here>;
    moves.send = push_avx512<Partner::elsewhere>;
    moves.give_at_wall = push_avx512<Partner::wall>;
  }
#endif
  return moves;
}

}  // namespace areia::cpu
