#include "engine/cpu/pick.h"

#include <algorithm>
#include <bit>
#include <cmath>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/first_lanes.h"
#include "core/vector_width.h"

namespace areia::cpu {

Places::Places(std::size_t count, const Vec3d& low, const Vec3d& high, const Periodicity& periodicity)
    : of_(count), low_(low) {
  Vec3d unit;
  const auto scale = [&](double Vec3d::*axis, bool periodic) {
    const double extent = std::max(high.*axis - low.*axis, 1e-30);
    per_metre_.*axis = periodic ? 0x1p32 / (periodicity.length.*axis) : 0x1p30 / extent;
    unit.*axis = 1 / per_metre_.*axis;
  };
  scale(&Vec3d::x, periodicity.on[0]);
  scale(&Vec3d::y, periodicity.on[1]);
  scale(&Vec3d::z, periodicity.on[2]);
  unit_ = {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z)};
  margin_ = static_cast<float>(1.001 * norm(unit));  // each coordinate is off by half a unit
}

namespace {

// Relative error of a squared distance, of a sum of radii and of limits in single precision: a few units of 2^-24.
constexpr float kRounding = 1 + 1e-6f;

// The ordered pair of materials of two particles, that of the lower id first.
inline std::size_t kind_of(const State& state, std::size_t materials, std::uint32_t i, std::uint32_t j) {
  const std::size_t a = state.material[i], b = state.material[j];
  return state.id[i] < state.id[j] ? a * materials + b : b * materials + a;
}

void make_room(const Chunk& chunk, std::size_t materials, std::vector<Picked>& lists) {
  lists.resize(2 * materials * materials);
  for (Picked& list : lists)
    for (Picked::Part& part : list.part) {
      part.count = 0;
      if (part.low.size() < chunk.near.size()) {  // with room behind the last for a vector
        part.low.resize(chunk.near.size());
        part.high.resize(chunk.near.size());
      }
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] inline void append(Picked::Part& to, __m256i i, __m256i j, unsigned set) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(&to.low[to.count]), i);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(&to.high[to.count]), _mm256_permutevar8x32_epi32(j, first_lanes(set)));
  to.count += static_cast<std::uint32_t>(std::popcount(set));
}

// Eight pairs at a time.
[[gnu::target("avx2")]] void pick_wide(const Chunk& chunk, const Places& places, const State& state,
                                       std::size_t materials, float gap, float steps, std::vector<Picked>& lists) {
  const std::uint32_t* const near = chunk.near.data();
  const float* const limit = state.limit.data();
  const auto place = [&](std::uint32_t k) __attribute__((target("avx2"))) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(&places[k]));
  };
  const auto two = [&](std::uint32_t a, std::uint32_t b) __attribute__((target("avx2"))) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(place(a)), place(b), 1);
  };
  const __m256 unit_x = _mm256_set1_ps(places.unit().x), unit_y = _mm256_set1_ps(places.unit().y),
               unit_z = _mm256_set1_ps(places.unit().z), margin = _mm256_set1_ps(places.margin()),
               rounding = _mm256_set1_ps(kRounding), all_steps = _mm256_set1_ps(steps);
  const __m256i last_own = _mm256_set1_epi32(static_cast<int>(chunk.end - 1));
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Place& own = places[i];
    const __m256i xi = _mm256_set1_epi32(own.x), yi = _mm256_set1_epi32(own.y), zi = _mm256_set1_epi32(own.z),
                  ii = _mm256_set1_epi32(static_cast<int>(i));
    const __m256 ri = _mm256_set1_ps(own.radius), gap_i = _mm256_set1_ps(gap + steps * limit[i]);
    const std::uint32_t end = chunk.row[i - chunk.begin + 1];
    for (std::uint32_t e = chunk.row[i - chunk.begin]; e < end; e += 8) {
      const std::uint32_t* const k = near + e;  // those of the next rows are left out below
      const __m256i a = two(k[0], k[4]), b = two(k[1], k[5]), c = two(k[2], k[6]), d = two(k[3], k[7]);
      const __m256i xy_ab = _mm256_unpacklo_epi32(a, b), zr_ab = _mm256_unpackhi_epi32(a, b);
      const __m256i xy_cd = _mm256_unpacklo_epi32(c, d), zr_cd = _mm256_unpackhi_epi32(c, d);
      const __m256 dx =
          _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_unpacklo_epi64(xy_ab, xy_cd), xi)), unit_x);
      const __m256 dy =
          _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_unpackhi_epi64(xy_ab, xy_cd), yi)), unit_y);
      const __m256 dz =
          _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_unpacklo_epi64(zr_ab, zr_cd), zi)), unit_z);
      const __m256 rj = _mm256_castsi256_ps(_mm256_unpackhi_epi64(zr_ab, zr_cd));
      const __m256 limits = _mm256_set_ps(limit[k[7]], limit[k[6]], limit[k[5]], limit[k[4]], limit[k[3]], limit[k[2]],
                                          limit[k[1]], limit[k[0]]);
      const __m256 d2 =
          _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
      const __m256 touch = _mm256_add_ps(ri, rj), far = _mm256_add_ps(gap_i, _mm256_mul_ps(all_steps, limits));
      const __m256 reach = _mm256_add_ps(_mm256_mul_ps(_mm256_add_ps(touch, far), rounding), margin);
      const __m256i j = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(k));
      const auto touching =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(touch, touch), _CMP_LT_OQ)));
      const auto close =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(reach, reach), _CMP_LE_OQ))) &
          ((1u << std::min(end - e, 8u)) - 1);
      const auto across =
          static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(j, last_own))));
      if (materials > 1) {
        for (unsigned left = close; left != 0; left &= left - 1) {
          const int l = std::countr_zero(left);
          Picked::Part& part =
              lists[2 * kind_of(state, materials, i, k[l]) + (across >> l & 1)].part[(touching >> l & 1) == 0];
          part.low[part.count] = i;
          part.high[part.count++] = k[l];
        }
        continue;
      }
      append(lists[0].part[0], ii, j, close & touching & ~across);
      append(lists[0].part[1], ii, j, close & ~touching & ~across);
      if ((close & across) != 0) {
        append(lists[1].part[0], ii, j, close & touching & across);
        append(lists[1].part[1], ii, j, close & ~touching & across);
      }
    }
  }
}
#endif

}  // namespace

void pick_plain(const Chunk& chunk, const Places& places, const State& state, std::size_t materials, double gap,
                double steps, std::vector<Picked>& lists) {
  make_room(chunk, materials, lists);
  const std::uint32_t size = chunk.end - chunk.begin;
  const auto difference = [](std::int32_t a, std::int32_t b) {  // modulo 2^32
    return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b)));
  };
  const auto near_gap = static_cast<float>(gap), all_steps = static_cast<float>(steps);
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Place& xi = places[i];
    const float gap_i = near_gap + all_steps * state.limit[i];
    const std::uint32_t last = chunk.row[i - chunk.begin + 1];
    for (std::uint32_t e = chunk.row[i - chunk.begin]; e < last; ++e) {
      const std::uint32_t j = chunk.near[e];
      const Place& xj = places[j];
      const float dx = difference(xj.x, xi.x) * places.unit().x, dy = difference(xj.y, xi.y) * places.unit().y,
                  dz = difference(xj.z, xi.z) * places.unit().z, d2 = dx * dx + dy * dy + dz * dz;
      const float touch = xi.radius + xj.radius, far = gap_i + all_steps * state.limit[j],
                  reach = (touch + far) * kRounding + places.margin();
      // whether a pair is near is hard to foretell: the place of one that is not is taken by the next
      Picked& list = lists[2 * kind_of(state, materials, i, j) + (j - chunk.begin >= size)];
      Picked::Part& part = list.part[d2 >= touch * touch];
      part.low[part.count] = i;
      part.high[part.count] = j;
      part.count += d2 <= reach * reach;
    }
  }
}

void pick(const Chunk& chunk, const Places& places, const State& state, std::size_t materials, double gap, double steps,
          std::vector<Picked>& lists) {
#if defined(__x86_64__)
  if (has_wide_vectors()) {
    make_room(chunk, materials, lists);
    return pick_wide(chunk, places, state, materials, static_cast<float>(gap), static_cast<float>(steps), lists);
  }
#endif
  pick_plain(chunk, places, state, materials, gap, steps, lists);
}

}  // namespace areia::cpu
