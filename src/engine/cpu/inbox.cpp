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
constexpr std::uint32_t in_units(LetterPlace place) { return (place & ~(kShared | kTouching)) * kUnits | (place & kShared); }

}  // namespace

void Inbox::arrange(const std::vector<std::uint32_t>& number) {
  const auto count = static_cast<std::uint32_t>(number.size());
  const std::uint32_t most = count > 0 ? *std::max_element(number.begin(), number.end()) : 0;
  group_.assign(most + 2, 0);
  for (const std::uint32_t n : number) ++group_[n + 1];
  for (std::size_t n = 1; n < group_.size(); ++n) group_[n] += group_[n - 1];
  particle_.resize(count);
  std::vector<std::uint32_t> next(group_.begin(), group_.end() - 1);
  for (std::uint32_t k = 0; k < count; ++k) particle_[next[number[k]]++] = k;
  first_.resize(count);
  std::uint32_t first = 0;
  for (const std::uint32_t k : particle_) {
    first_[k] = first;
    first += number[k];
  }
  place_.resize(first);
  now_.resize(first);
}

// The place of each letter of a particle is how many have a lower id: few, so every one is compared with every other.
void Inbox::sort(const std::vector<std::uint32_t>& number, const std::vector<Delivery>& unsorted) {
  for (std::size_t k = 0; k < number.size(); ++k) {
    const Delivery* const letter = unsorted.data() + first_[k];
    const std::uint32_t n = number[k];
    for (std::uint32_t m = 0; m < n; ++m) {
      std::uint32_t at = first_[k];
      for (std::uint32_t other = 0; other < n; ++other) at += letter[other] < letter[m];
      const auto place = static_cast<LetterPlace>(letter[m]);
      place_[at] = in_units(place);
      now_[at] = place & kTouching ? place_[at] : kNothing;
    }
  }
}

void Inbox::set(std::uint32_t slot, LetterPlace place, bool touching) {
  std::uint32_t at = first_[slot - begin_];
  while (place_[at] != in_units(place)) ++at;
  now_[at] = touching ? place_[at] : kNothing;
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
