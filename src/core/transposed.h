// Four rows of four numbers into columns and back, in registers.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>

#include "core/vec4.h"

#define AREIA_WIDE [[gnu::target("avx2")]]
// The same code for machines with more registers: functions that are inlined into such a one use them.
#define AREIA_WIDER [[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]]

namespace areia {

struct Columns {
  __m256d x, y, z, w;
};

AREIA_WIDE inline Columns transposed(__m256d a, __m256d b, __m256d c, __m256d d) {
  const __m256d xz_ab = _mm256_unpacklo_pd(a, b), yw_ab = _mm256_unpackhi_pd(a, b);
  const __m256d xz_cd = _mm256_unpacklo_pd(c, d), yw_cd = _mm256_unpackhi_pd(c, d);
  return {_mm256_permute2f128_pd(xz_ab, xz_cd, 0x20), _mm256_permute2f128_pd(yw_ab, yw_cd, 0x20),
          _mm256_permute2f128_pd(xz_ab, xz_cd, 0x31), _mm256_permute2f128_pd(yw_ab, yw_cd, 0x31)};
}

AREIA_WIDE inline __m256d row(const Vec4& a) { return _mm256_load_pd(&a.x); }
AREIA_WIDE inline __m256d fourth(const Vec4& a, const Vec4& b, const Vec4& c, const Vec4& d) {
  return _mm256_set_pd(d.w, c.w, b.w, a.w);
}

}  // namespace areia
#endif
