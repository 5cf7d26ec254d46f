#include "engine/cpu/pick.h"

#include <algorithm>
#include <bit>

#include "core/transposed.h"
#include "core/vector_width.h"
#include "engine/cpu/nearest_image.h"

namespace areia::cpu {
namespace {

// Room for all, and for a vector behind them.
void make_room(const Chunk& chunk, std::size_t materials, std::vector<Picked>& lists) {
  lists.resize(2 * materials * materials);
  for (Picked& list : lists)
    for (Picked::Part& part : list.part) {
      part.count = 0;
      if (part.i.size() < chunk.near.size() + 4) {
        part.i.resize(chunk.near.size() + 4);
        part.j.resize(chunk.near.size() + 4);
      }
    }
}

#if defined(__x86_64__)
// For every set of four lanes those that are in it, first: bytes of 32-bit numbers.
struct ShuffleTable {
  alignas(16) std::uint8_t of[16][16];
};
constexpr ShuffleTable shuffle_table() {
  ShuffleTable t{};
  for (int set = 0; set < 16; ++set) {
    int n = 0;
    for (int lane = 0; lane < 4; ++lane)
      if (set >> lane & 1) {
        for (int b = 0; b < 4; ++b) t.of[set][4 * n + b] = static_cast<std::uint8_t>(4 * lane + b);
        ++n;
      }
  }
  return t;
}
constexpr ShuffleTable kShuffle = shuffle_table();

AREIA_WIDE inline void append(Picked::Part& to, __m128i i, __m128i j, unsigned set) {
  const __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(kShuffle.of[set]));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&to.i[to.count]), i);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&to.j[to.count]), _mm_shuffle_epi8(j, order));
  to.count += static_cast<std::uint32_t>(std::popcount(set));
}

// One material. Rows are in ascending order and j > i, so own pairs come before those across.
AREIA_WIDE void pick_wide(const Chunk& chunk, const State& state, const Periodicity& periodicity, double gap,
                          double steps, std::vector<Picked>& lists) {
  const Half<const Vec4> position = state.positions();
  const bool periodic = periodicity.any();
  const std::uint32_t* const near = chunk.near.data();
  const float* const limit = state.limit.data();
  constexpr std::uint32_t kAhead = 64;  // partners lie anywhere in memory: asked for some rows ahead
  const auto end = static_cast<std::uint32_t>(chunk.near.size());
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const __m256d xi = row(position[i]);
    const __m256d ri = _mm256_set1_pd(position[i].w), gap_i = _mm256_set1_pd(gap + steps * limit[i]);
    const __m128i ii = _mm_set1_epi32(static_cast<int>(i));
    const std::uint32_t last = chunk.row[i - chunk.begin + 1];
    std::uint32_t e = chunk.row[i - chunk.begin];
    for (std::uint32_t ahead = std::min(e + kAhead, end); ahead < std::min(last + kAhead, end); ++ahead)
      __builtin_prefetch(&position[near[ahead]]);
    while (e < last) {
      const bool across = near[e] >= chunk.end;
      std::uint32_t k[4] = {near[e], near[e], near[e], near[e]};
      unsigned valid = 1;
      for (; valid < 4 && e + valid < last && (near[e + valid] >= chunk.end) == across; ++valid)
        k[valid] = near[e + valid];
      e += valid;
      Columns d = transposed(_mm256_sub_pd(row(position[k[0]]), xi), _mm256_sub_pd(row(position[k[1]]), xi),
                             _mm256_sub_pd(row(position[k[2]]), xi), _mm256_sub_pd(row(position[k[3]]), xi));
      const __m256d rj = fourth(position[k[0]], position[k[1]], position[k[2]], position[k[3]]);
      if (periodic) take_nearest_images(periodicity, d);
      const __m256d distance2 =
          _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(d.x, d.x), _mm256_mul_pd(d.y, d.y)), _mm256_mul_pd(d.z, d.z));
      const __m256d limits = _mm256_cvtps_pd(_mm_set_ps(limit[k[3]], limit[k[2]], limit[k[1]], limit[k[0]]));
      const __m256d far = _mm256_add_pd(gap_i, _mm256_mul_pd(_mm256_set1_pd(steps), limits));
      const __m256d touch = _mm256_add_pd(ri, rj), reach = _mm256_add_pd(touch, far);
      const auto all = (1u << valid) - 1;
      const auto touching =
          static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(distance2, _mm256_mul_pd(touch, touch), _CMP_LT_OQ)));
      const auto close =
          static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(distance2, _mm256_mul_pd(reach, reach), _CMP_LE_OQ)));
      const __m128i j = _mm_loadu_si128(reinterpret_cast<const __m128i*>(k));
      append(lists[across].part[0], ii, j, close & touching & all);
      append(lists[across].part[1], ii, j, close & ~touching & all);
    }
  }
}
#endif

}  // namespace

void pick_plain(const Chunk& chunk, const State& state, std::size_t materials, const Periodicity& periodicity,
                double gap, double steps, std::vector<Picked>& lists) {
  make_room(chunk, materials, lists);
  const std::uint32_t size = chunk.end - chunk.begin;
  const Half<const Vec4> position = state.positions();
  const bool periodic = periodicity.any();
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const Vec4 xi = position[i];
    const double gap_i = gap + steps * state.limit[i];
    const std::size_t first = state.material[i] * materials;
    const std::uint32_t last = chunk.row[i - chunk.begin + 1];
    for (std::uint32_t e = chunk.row[i - chunk.begin]; e < last; ++e) {
      const std::uint32_t j = chunk.near[e];
      const Vec4& xj = position[j];
      Vec3d d{xj.x - xi.x, xj.y - xi.y, xj.z - xi.z};
      if (periodic) d = periodicity.nearest(d);
      const double touch = xi.w + xj.w, reach = touch + (gap_i + steps * state.limit[j]), distance2 = norm2(d);
      // whether a pair is near is hard to foretell: the place of one that is not is taken by the next
      Picked& list = lists[2 * (first + state.material[j]) + (j - chunk.begin >= size)];
      Picked::Part& part = list.part[distance2 >= touch * touch];
      part.i[part.count] = i;
      part.j[part.count] = j;
      part.count += distance2 <= reach * reach;
    }
  }
}

void pick(const Chunk& chunk, const State& state, std::size_t materials, const Periodicity& periodicity, double gap,
          double steps, std::vector<Picked>& lists) {
#if defined(__x86_64__)
  if (materials == 1 && has_wide_vectors()) {
    make_room(chunk, materials, lists);
    return pick_wide(chunk, state, periodicity, gap, steps, lists);
  }
#endif
  pick_plain(chunk, state, materials, periodicity, gap, steps, lists);
}

}  // namespace areia::cpu
