#include "engine/cpu/inbox.h"

#include <array>
#include <utility>

#include "core/transposed.h"
#include "core/vector_width.h"

namespace areia::cpu {

namespace {

// Places in units of 8 bytes need no shift where they are used; the empty letter is 0.
constexpr std::uint32_t kUnits = sizeof(Letter) / 8;
constexpr std::uint32_t kNothing = 0;
constexpr std::uint32_t in_units(LetterPlace place) {
  return (place & (kMostLetters - 1)) * kUnits | (place & kShared);
}

}  // namespace

void Inbox::arrange(const std::vector<std::uint32_t>& number, std::vector<std::uint32_t>& first) {
  const auto count = static_cast<std::uint32_t>(number.size());
  const std::uint32_t most = count > 0 ? *std::max_element(number.begin(), number.end()) : 0;
  group_.assign(most + 2, 0);
  for (const std::uint32_t n : number) ++group_[n + 1];
  for (std::size_t n = 1; n < group_.size(); ++n) group_[n] += group_[n - 1];
  particle_.resize(count);
  std::vector<std::uint32_t> next(group_.begin(), group_.end() - 1);
  for (std::uint32_t k = 0; k < count; ++k) particle_[next[number[k]]++] = k;
  first.resize(count);
  std::uint32_t entries = 0;
  for (const std::uint32_t k : particle_) {
    first[k] = entries;
    entries += number[k];
  }
  now_.resize(entries);
}

namespace {

// How many of n numbers are lower than each: rank[m] of number m.
inline void ranks_plain(const std::int32_t* id, std::uint32_t n, std::uint32_t* rank) {
  for (std::uint32_t m = 0; m < n; ++m) {
    std::uint32_t lower = 0;
    for (std::uint32_t other = 0; other < n; ++other) lower += id[other] < id[m];
    rank[m] = lower;
  }
}

#if defined(__x86_64__)
// Up to kMany * 8 numbers; what is behind the last one may be read.
template <int kMany>
[[gnu::target("avx2,popcnt")]] inline void ranks_wide(const std::int32_t* id, std::uint32_t n, std::uint32_t* rank) {
  __m256i all[kMany];
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int v = 0; v < kMany; ++v) {
    const __m256i is_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n) - 8 * v), lane);
    all[v] = _mm256_blendv_epi8(_mm256_set1_epi32(0x7fffffff),
                                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(id + 8 * v)), is_one);
  }
  for (std::uint32_t m = 0; m < n; ++m) {
    const __m256i own = _mm256_set1_epi32(id[m]);
    unsigned lower = 0;
    for (int v = 0; v < kMany; ++v)
      lower += static_cast<unsigned>(
          __builtin_popcount(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(own, all[v])))));
    rank[m] = lower;
  }
}
#endif

}  // namespace

// The place of each letter of a particle is how many have a lower id: few, so every one is compared with every other.
void Inbox::sort(const Unsorted& unsorted, std::vector<std::uint32_t>& shared_at) {
  [[maybe_unused]] const bool wide = has_wide_vectors();
  std::vector<std::uint32_t> rank(group_.size() + 8);
  std::uint32_t first = 0;
  for (std::uint32_t n = 1; n + 1 < group_.size(); ++n)
    for (std::uint32_t p = group_[n]; p < group_[n + 1]; ++p, first += n) {
      const std::int32_t* const id = unsorted.id.data() + first;
#if defined(__x86_64__)
      if (wide && n <= 8) ranks_wide<1>(id, n, rank.data());
      else if (wide && n <= 16) ranks_wide<2>(id, n, rank.data());
      else
#endif
        ranks_plain(id, n, rank.data());
      for (std::uint32_t m = 0; m < n; ++m) {
        const LetterPlace place = unsorted.place[first + m];
        const std::uint32_t at = first + rank[m], units = in_units(place);
        now_[at] = place & kTouching ? units : kNothing;
        (place & kShared ? shared_at : own_at_)[place & (kMostLetters - 1)] = at;
      }
    }
}

void Inbox::set(LetterPlace place, bool touching, const std::vector<std::uint32_t>& shared_at) {
  const std::uint32_t at = (place & kShared ? shared_at : own_at_)[place & (kMostLetters - 1)];
  now_[at] = touching ? in_units(place) : kNothing;
}

void Inbox::sum_plain(const Letter* own, const Letter* shared, Twin* to) const {
  const std::uint32_t* place = now_.data();
  for (std::uint32_t n = 0; n + 1 < group_.size(); ++n)
    for (std::uint32_t p = group_[n]; p < group_[n + 1]; ++p) {
      Twin sum{};
      for (std::uint32_t m = 0; m < n; ++m) {
        const std::uint32_t at = *place++;
        const Letter& letter = (at & kShared ? shared : own)[(at & ~kShared) / kUnits];
        sum.first += letter.force;
        sum.second += letter.torque;
      }
      to[particle_[p]] = sum;
    }
}

#if defined(__x86_64__)
namespace {

// The particles of a group, with so many letters each; kNumber = 0: told by `number`.
template <std::uint32_t kNumber>
AREIA_WIDE const std::uint32_t* sum_group(std::uint32_t number, const std::uint32_t* particle, const std::uint32_t* end,
                                          const std::uint32_t* place, std::uintptr_t own, std::uintptr_t shared,
                                          Twin* to) {
  const std::uint32_t n = kNumber > 0 ? kNumber : number;
  for (; particle != end; ++particle) {
    __m256d force = _mm256_setzero_pd(), torque = _mm256_setzero_pd();
#pragma GCC unroll 16
    for (std::uint32_t m = 0; m < n; ++m) {
      const std::uint32_t at = place[m];
      const std::uintptr_t letter = (static_cast<std::int32_t>(at) < 0 ? shared : own) + 8 * std::uintptr_t{at};
      force = _mm256_add_pd(force, _mm256_load_pd(reinterpret_cast<const double*>(letter)));
      torque = _mm256_add_pd(torque, _mm256_load_pd(reinterpret_cast<const double*>(letter + sizeof(Vec4))));
    }
    place += n;
    _mm256_store_pd(&to[*particle].first.x, force);
    _mm256_store_pd(&to[*particle].second.x, torque);
  }
  return place;
}

template <std::uint32_t... kNumbers>
constexpr auto loops(std::integer_sequence<std::uint32_t, kNumbers...>) {
  return std::array{sum_group<kNumbers>...};
}
constexpr auto kLoops = loops(std::make_integer_sequence<std::uint32_t, 17>());

}  // namespace
#endif

void Inbox::sum(const Letter* own, const Letter* shared, Twin* to) const {
#if defined(__x86_64__)
  if (has_wide_vectors()) {
    const std::uint32_t* place = now_.data();
    // so that a place with kShared in it leads to the letter
    const auto first_shared = reinterpret_cast<std::uintptr_t>(shared) - 8 * std::uintptr_t{kShared};
    for (std::uint32_t n = 0; n + 1 < group_.size(); ++n)
      place = kLoops[n < kLoops.size() ? n : 0](n, particle_.data() + group_[n], particle_.data() + group_[n + 1],
                                                place, reinterpret_cast<std::uintptr_t>(own), first_shared, to);
    return;
  }
#endif
  sum_plain(own, shared, to);
}

}  // namespace areia::cpu
