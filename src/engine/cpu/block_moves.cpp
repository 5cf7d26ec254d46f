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
AREIA_WIDE void push_wide(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters) {
  for (int k = 0; k < pairs.lanes; k += 4) {
    if (kPartner == Partner::here) ask_for(to.sums, pairs.next_felt + k);
    const std::uint32_t felt = pairs.felt >> k & 15;
    if (felt == 15) push_four<kPartner, true>(block, pairs, to, letters, k);
    else if (felt != 0) push_four<kPartner, false>(block, pairs, to, letters, k);
    else if constexpr (kPartner == Partner::elsewhere) std::fill_n(letters + k, 4, Push{});
  }
}

// ---- eight lanes at a time ----

template <class Array>
AREIA_EIGHT inline void ask_for_eight(const Array& a, const std::uint32_t* slot) {
  for (int lane = 0; lane < 8; ++lane) __builtin_prefetch(&a[slot[lane]]);
}

template <bool kPeriodic>
AREIA_EIGHT std::uint32_t approach_eight(const Half<const Vec4>& position, const PairBlock& pairs,
                                         const Periodicity& periodicity, ContactBlock& block) {
  std::uint32_t touching = 0;
  auto& of = block.of;
  for (int k = 0; k < pairs.lanes; k += 8) {
    const std::uint32_t *const i = pairs.i + k, *const j = pairs.j + k;
    const auto eight = [](const std::uint32_t* a) __attribute__((target("avx512f,avx512dq,avx512vl"))) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
    };
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(pairs.partners + k),
                        _mm256_max_epu32(eight(pairs.next_i + k), eight(pairs.next_j + k)));
    ask_for_eight(position, pairs.partners + k);
    const __m512d j0 = rows(position[j[0]], position[j[4]]), j1 = rows(position[j[1]], position[j[5]]),
                  j2 = rows(position[j[2]], position[j[6]]), j3 = rows(position[j[3]], position[j[7]]);
    // (d, r_i) of each pair
    const auto apart = [&](int lane, __m512d b) __attribute__((target("avx512f,avx512dq,avx512vl"))) {
      const __m512d a = rows(position[i[lane]], position[i[lane + 4]]);
      return _mm512_mask_sub_pd(a, 0x77, b, a);
    };
    EightColumns d = transposed(apart(0, j0), apart(1, j1), apart(2, j2), apart(3, j3));
    const __m512d ri = d.w, rj = fourth(j0, j1, j2, j3);
    if constexpr (kPeriodic) take_nearest_images(periodicity, d);
    _mm512_store_pd(&of[B::kD][k], d.x);
    _mm512_store_pd(&of[B::kD + 1][k], d.y);
    _mm512_store_pd(&of[B::kD + 2][k], d.z);
    _mm512_store_pd(&of[B::kRi][k], ri);
    _mm512_store_pd(&of[B::kRj][k], rj);
    const __m512d reach = _mm512_add_pd(ri, rj);
    const __m512d distance2 =
        _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(d.x, d.x), _mm512_mul_pd(d.y, d.y)), _mm512_mul_pd(d.z, d.z));
    const __mmask8 touch = _mm512_cmp_pd_mask(distance2, _mm512_mul_pd(reach, reach), _CMP_LT_OQ);
    _mm512_store_pd(&of[B::kTouch][k], _mm512_maskz_mov_pd(touch, _mm512_set1_pd(1.0)));
    touching |= static_cast<std::uint32_t>(touch) << k;
  }
  return touching;
}

AREIA_EIGHT void motion_eight(const Half<const Vec4>& velocity, const Vec4* spin, const PairBlock& pairs,
                              ContactBlock& block) {
  auto& of = block.of;
  for (int k = 0; k < pairs.lanes; k += 8) {
    const std::uint32_t *const i = pairs.i + k, *const j = pairs.j + k;
    ask_for_eight(spin, pairs.next_felt + k);
    if ((pairs.felt >> k & 255) == 0) continue;
    const __m512d j0 = rows(velocity[j[0]], velocity[j[4]]), j1 = rows(velocity[j[1]], velocity[j[5]]),
                  j2 = rows(velocity[j[2]], velocity[j[6]]), j3 = rows(velocity[j[3]], velocity[j[7]]);
    // (v_i - v_j, 1/m_i) of each pair
    const auto difference = [&](int lane, __m512d b) __attribute__((target("avx512f,avx512dq,avx512vl"))) {
      const __m512d a = rows(velocity[i[lane]], velocity[i[lane + 4]]);
      return _mm512_mask_sub_pd(a, 0x77, a, b);
    };
    const EightColumns v = transposed(difference(0, j0), difference(1, j1), difference(2, j2), difference(3, j3));
    _mm512_store_pd(&of[B::kDv][k], v.x);
    _mm512_store_pd(&of[B::kDv + 1][k], v.y);
    _mm512_store_pd(&of[B::kDv + 2][k], v.z);
    _mm512_store_pd(&of[B::kMi][k], v.w);
    _mm512_store_pd(&of[B::kMj][k], fourth(j0, j1, j2, j3));
    const auto spins = [&](const std::uint32_t* a) __attribute__((target("avx512f,avx512dq,avx512vl"))) {
      return transposed(rows(spin[a[0]], spin[a[4]]), rows(spin[a[1]], spin[a[5]]), rows(spin[a[2]], spin[a[6]]),
                        rows(spin[a[3]], spin[a[7]]));
    };
    const EightColumns wi = spins(i);
    _mm512_store_pd(&of[B::kWi][k], wi.x);
    _mm512_store_pd(&of[B::kWi + 1][k], wi.y);
    _mm512_store_pd(&of[B::kWi + 2][k], wi.z);
    _mm512_store_pd(&of[B::kJi][k], wi.w);
    const EightColumns wj = spins(j);
    _mm512_store_pd(&of[B::kWj][k], wj.x);
    _mm512_store_pd(&of[B::kWj + 1][k], wj.y);
    _mm512_store_pd(&of[B::kWj + 2][k], wj.z);
    _mm512_store_pd(&of[B::kJj][k], wj.w);
  }
}

AREIA_EIGHT inline void add(Push& to, __m512i a) {
  _mm512_store_si512(&to, _mm512_add_epi64(_mm512_load_si512(&to), a));
}

// Force and torque of particle k, from the lower halves of what was transposed, and of k + 4, from the upper ones.
AREIA_EIGHT inline __m512i lower_push(__m512d force, __m512d torque) {
  return _mm512_castpd_si512(_mm512_insertf64x4(force, _mm512_castpd512_pd256(torque), 1));
}
AREIA_EIGHT inline __m512i upper_push(__m512d force, __m512d torque) {
  return _mm512_castpd_si512(_mm512_shuffle_f64x2(force, torque, 0xee));
}

// As push_four, with force and torque of a particle in one line. kAll: all lanes have kTouch.
template <Partner kPartner, bool kAll>
[[gnu::always_inline]] AREIA_EIGHT inline void push_eight(const ContactBlock& block, const PairBlock& pairs,
                                                          const PushTargets& to, Push* letters, int k) {
  const auto& of = block.of;
  const __m512i none = _mm512_setzero_si512();
  const __mmask8 on =
      kAll ? 255 : _mm512_cmp_pd_mask(_mm512_load_pd(&of[B::kTouch][k]), _mm512_setzero_pd(), _CMP_NEQ_UQ);
  __m512i large = none;
  const auto transposed_quanta = [&](int column, const Grid& grid, __m512i w)
      __attribute__((target("avx512f,avx512dq,avx512vl"), always_inline)) {
    const __m512d magic = _mm512_set1_pd(grid.magic);
    const __m512i base = _mm512_set1_epi64(static_cast<long long>(grid.base));
    const auto quanta = [&](int c) __attribute__((target("avx512f,avx512dq,avx512vl"), always_inline)) {
      const __m512i bits = _mm512_castpd_si512(_mm512_add_pd(_mm512_load_pd(&of[c][k]), magic));
      large = _mm512_ternarylogic_epi64(large, bits, base, 0xf6);  // large | (bits ^ base)
      return _mm512_castsi512_pd(_mm512_maskz_sub_epi64(on, bits, _mm512_castpd_si512(magic)));
    };
    return transposed(quanta(column), quanta(column + 1), quanta(column + 2), _mm512_castsi512_pd(w));
  };
  const __m512i counts = _mm512_maskz_mov_epi64(on, _mm512_set1_epi64(1));
  const EightColumns force = transposed_quanta(B::kForce, to.grid.force, none);
  const EightColumns torque_i = transposed_quanta(B::kTorqueI, to.grid.torque, counts);
  EightColumns torque_j{}, back{};  // back: -force
  if constexpr (kPartner != Partner::wall) {
    torque_j = transposed_quanta(B::kTorqueJ, to.grid.torque, counts);
    const auto minus = [&](__m512d a) __attribute__((target("avx512f,avx512dq,avx512vl"))) {
      return _mm512_castsi512_pd(_mm512_sub_epi64(none, _mm512_castpd_si512(a)));
    };
    back = {minus(force.x), minus(force.y), minus(force.z), minus(force.w)};
  }
  const __m512i beyond = _mm512_set1_epi64(~static_cast<long long>(Grid::kFits));
  if (_mm512_mask_test_epi64_mask(on, large, beyond) != 0) [[unlikely]]
    return push_plain<kPartner>(block, pairs, to, letters, k, k + 8);
  const auto put = [&](int lane, __m512i on_i, __m512i on_j)
      __attribute__((target("avx512f,avx512dq,avx512vl"), always_inline)) {
    const std::uint32_t a = pairs.i[k + lane], b = kPartner == Partner::wall ? 0 : pairs.j[k + lane];
    if constexpr (kPartner == Partner::elsewhere) {  // the one with the lower slot is here
      const __mmask8 is_i_there = a > b ? 255 : 0;
      add(to.sums[std::min(a, b)], _mm512_mask_blend_epi64(is_i_there, on_i, on_j));
      _mm512_store_si512(letters + k + lane, _mm512_mask_blend_epi64(is_i_there, on_j, on_i));
    } else {
      add(to.sums[a], on_i);
      if constexpr (kPartner == Partner::here) add(to.sums[b], on_j);
    }
  };
  const auto put_two = [&](int lane, __m512d f, __m512d ti, __m512d minus_f, __m512d tj)
      __attribute__((target("avx512f,avx512dq,avx512vl"), always_inline)) {
    put(lane, lower_push(f, ti), lower_push(minus_f, tj));
    put(lane + 4, upper_push(f, ti), upper_push(minus_f, tj));
  };
  put_two(0, force.x, torque_i.x, back.x, torque_j.x);
  put_two(1, force.y, torque_i.y, back.y, torque_j.y);
  put_two(2, force.z, torque_i.z, back.z, torque_j.z);
  put_two(3, force.w, torque_i.w, back.w, torque_j.w);
}

template <Partner kPartner>
AREIA_EIGHT void push_eights(const ContactBlock& block, const PairBlock& pairs, const PushTargets& to, Push* letters) {
  for (int k = 0; k < pairs.lanes; k += 8) {
    if (kPartner == Partner::here) ask_for_eight(to.sums, pairs.next_felt + k);
    const std::uint32_t felt = pairs.felt >> k & 255;
    if (felt == 255) push_eight<kPartner, true>(block, pairs, to, letters, k);
    else if (felt != 0) push_eight<kPartner, false>(block, pairs, to, letters, k);
    else if constexpr (kPartner == Partner::elsewhere) std::fill_n(letters + k, 8, Push{});
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

BlockMoves block_moves(bool periodic, VectorWidth width) {
  BlockMoves moves{periodic ? approach_plain<true> : approach_plain<false>, motion_plain, push_all_plain<Partner::here>,
                   push_all_plain<Partner::elsewhere>, push_all_plain<Partner::wall>};
#if defined(__x86_64__)
  if (width == VectorWidth::avx2)
    moves = {periodic ? approach_wide<true> : approach_wide<false>, motion_wide, push_wide<Partner::here>,
             push_wide<Partner::elsewhere>, push_wide<Partner::wall>};
  if (width == VectorWidth::avx512)
    moves = {periodic ? approach_eight<true> : approach_eight<false>, motion_eight, push_eights<Partner::here>,
             push_eights<Partner::elsewhere>, push_eights<Partner::wall>};
#endif
  return moves;
}

}  // namespace areia::cpu
