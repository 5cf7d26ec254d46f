// Rows of four numbers, of four or eight particles, into columns and back, in registers.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>

#include "core/vec4.h"

#define AREIA_WIDE [[gnu::target("avx2")]]
// The same code for machines with more registers: functions that are inlined into such a one use them.
#define AREIA_WIDER [[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]]
#define AREIA_EIGHT [[gnu::target("avx512f,avx512dq,avx512vl")]]

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

struct EightColumns {
  __m512d x, y, z, w;
};

// Two rows in one register: that of particle k in the lower half, that of k + 4 in the upper. The lower half comes with
// the load and the upper without a shuffle.
AREIA_EIGHT inline __m512d rows(const double* low, const double* high) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1);
}
AREIA_EIGHT inline __m512d rows(const Vec4& low, const Vec4& high) { return rows(&low.x, &high.x); }
AREIA_EIGHT inline void put_rows(const __m512d& a, double* low, double* high) {
  _mm256_storeu_pd(low, _mm512_castpd512_pd256(a));
  _mm256_storeu_pd(high, _mm512_extractf64x4_pd(a, 1));
}

// Of two vectors the first, or second, pairs of numbers of each half: a0 a1 b0 b1 | a4 a5 b4 b5 ...
AREIA_EIGHT inline __m512d joined(__m512d a, __m512d b) {
  return _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b);
}
AREIA_EIGHT inline __m512d joined_upper(__m512d a, __m512d b) {  // ... and a2 a3 b2 b3 | a6 a7 b6 b7
  return _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b);
}

// Of rows(): half by half the transposition of four, so it is its own way back.
AREIA_EIGHT inline EightColumns transposed(__m512d a, __m512d b, __m512d c, __m512d d) {
  const __m512d xz_ab = _mm512_unpacklo_pd(a, b), yw_ab = _mm512_unpackhi_pd(a, b);
  const __m512d xz_cd = _mm512_unpacklo_pd(c, d), yw_cd = _mm512_unpackhi_pd(c, d);
  return {joined(xz_ab, xz_cd), joined(yw_ab, yw_cd), joined_upper(xz_ab, xz_cd), joined_upper(yw_ab, yw_cd)};
}
AREIA_EIGHT inline __m512d fourth(__m512d a, __m512d b, __m512d c, __m512d d) {
  return joined_upper(_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
}

}  // namespace areia
#endif
