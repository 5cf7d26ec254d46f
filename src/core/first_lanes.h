// For every set of eight lanes those that are in it, first: where they are, for a permutation of a vector.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

namespace areia {

struct FirstLanes {
  std::uint8_t of[256][8];
};
constexpr FirstLanes first_lanes_table() {
  FirstLanes t{};
  for (int set = 0; set < 256; ++set) {
    int n = 0;
    for (int lane = 0; lane < 8; ++lane)
      if (set >> lane & 1) t.of[set][n++] = static_cast<std::uint8_t>(lane);
  }
  return t;
}
inline constexpr FirstLanes kFirstLanes = first_lanes_table();

[[gnu::target("avx2")]] inline __m256i first_lanes(unsigned set) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kFirstLanes.of[set])));
}

}  // namespace areia
#endif
