// Periodicity::nearest for four or eight distance vectors at once, the same operations lane by lane.
#pragma once
#if defined(__x86_64__)
#include "core/transposed.h"
#include "search/size_class_grid.h"

namespace areia {

AREIA_WIDE inline __m256d nearest_image(__m256d d, double length) {
  const __m256d half = _mm256_set1_pd(0.5 * length), minus_half = _mm256_set1_pd(-0.5 * length);
  const __m256d above = _mm256_and_pd(_mm256_cmp_pd(d, half, _CMP_GT_OQ), _mm256_set1_pd(length));
  const __m256d below = _mm256_and_pd(_mm256_cmp_pd(d, minus_half, _CMP_LT_OQ), _mm256_set1_pd(-length));
  return _mm256_sub_pd(d, _mm256_or_pd(above, below));
}

AREIA_WIDE inline void take_nearest_images(const Periodicity& periodicity, Columns& d) {
  if (periodicity.on[0]) d.x = nearest_image(d.x, periodicity.length.x);
  if (periodicity.on[1]) d.y = nearest_image(d.y, periodicity.length.y);
  if (periodicity.on[2]) d.z = nearest_image(d.z, periodicity.length.z);
}

AREIA_EIGHT inline __m512d nearest_image(__m512d d, double length) {
  const __m512d whole = _mm512_set1_pd(length), none = _mm512_setzero_pd();
  const __mmask8 above = _mm512_cmp_pd_mask(d, _mm512_set1_pd(0.5 * length), _CMP_GT_OQ);
  const __mmask8 below = _mm512_cmp_pd_mask(d, _mm512_set1_pd(-0.5 * length), _CMP_LT_OQ);
  const __m512d shift = _mm512_mask_sub_pd(_mm512_maskz_mov_pd(above, whole), below, none, whole);
  return _mm512_sub_pd(d, shift);
}

AREIA_EIGHT inline void take_nearest_images(const Periodicity& periodicity, EightColumns& d) {
  if (periodicity.on[0]) d.x = nearest_image(d.x, periodicity.length.x);
  if (periodicity.on[1]) d.y = nearest_image(d.y, periodicity.length.y);
  if (periodicity.on[2]) d.z = nearest_image(d.z, periodicity.length.z);
}

}  // namespace areia
#endif
