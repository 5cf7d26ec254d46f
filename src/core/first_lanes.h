// Some of the eight lanes of a vector passed a test, and those are to be moved to its front, in their order. For each
// of the 256 answers that a test can have, bit k standing for lane k, the table lists the numbers of the lanes that
// passed; _mm256_permutevar8x32 takes such a list. Places after the last of them hold 0: what comes there is not used.
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
