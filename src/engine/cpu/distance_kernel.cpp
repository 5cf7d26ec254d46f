// The inner loop of forces at a distance. Compiled like the contact kernels; lane by lane plain IEEE operations.
#include <algorithm>
#include <cmath>

#include "core/transposed.h"
#include "engine/cpu/cpu_distance.h"

namespace areia::cpu {
namespace {

constexpr int kAbsent = -1, kAnyExponent = -2;

// One cell or two side by side. Written with the compiler's vectors, because loops with conditions are not always
// turned into them.
template <int W>
struct Row;
template <>
struct Row<kCell> {
  typedef double Lanes __attribute__((vector_size(8 * kCell)));
  typedef float ShortLanes __attribute__((vector_size(4 * kCell)));
  typedef unsigned long long Whole __attribute__((vector_size(8 * kCell)));
};
template <>
struct Row<2 * kCell> {
  typedef double Lanes __attribute__((vector_size(16 * kCell)));
  typedef float ShortLanes __attribute__((vector_size(8 * kCell)));
  typedef unsigned long long Whole __attribute__((vector_size(16 * kCell)));
};
template <int W>
using Lanes = typename Row<W>::Lanes;
template <int W>
using Whole = typename Row<W>::Whole;

// What gcc 12 does lane by lane, or through memory, where there are eight.
template <int W>
[[gnu::always_inline]] inline void roots(typename Row<W>::ShortLanes& s) {
  for (int k = 0; k < W; ++k) s[k] = std::sqrt(s[k]);
}
template <int W>
[[gnu::always_inline]] inline bool has_bits(const Whole<W>& a, unsigned long long bits) {
  unsigned long long any = 0;
  for (int k = 0; k < W; ++k) any |= a[k];
  return (any & bits) != 0;
}
// Lane by lane, yes where a > b.
template <int W>
[[gnu::always_inline]] inline void where_above(const Lanes<W>& a, const Lanes<W>& b, const Lanes<W>& yes,
                                               const Lanes<W>& no, Lanes<W>& out) {
  out = a > b ? yes : no;
}
// The values of this cell, or of these two.
[[gnu::always_inline]] inline void load(const double* of, const std::uint32_t (&cells)[1], Lanes<kCell>& to) {
  __builtin_memcpy(&to, of + std::size_t{cells[0]} * kCell, sizeof to);
}
#if defined(__x86_64__) && !defined(__clang__)
// inlined where everything is (AREIA_WIDER)
#define AREIA_EIGHT [[gnu::target("avx512f,avx512dq,avx512vl")]]
template <>
AREIA_EIGHT inline void roots<8>(Row<8>::ShortLanes& s) {
  s = _mm256_sqrt_ps(s);
}
template <>
AREIA_EIGHT inline bool has_bits<8>(const Whole<8>& a, unsigned long long bits) {
  return _mm512_test_epi64_mask((__m512i)a, _mm512_set1_epi64(static_cast<long long>(bits))) != 0;
}
template <>
AREIA_EIGHT inline void where_above<8>(const Lanes<8>& a, const Lanes<8>& b, const Lanes<8>& yes, const Lanes<8>& no,
                                       Lanes<8>& out) {
  out = _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_GT_OQ), no, yes);
}
AREIA_EIGHT inline void load(const double* of, const std::uint32_t (&cells)[2], Lanes<8>& to) {
  const __m256d one = _mm256_loadu_pd(of + std::size_t{cells[0]} * kCell),
                other = _mm256_loadu_pd(of + std::size_t{cells[1]} * kCell);
  to = _mm512_insertf64x4(_mm512_castpd256_pd512(one), other, 1);
}
#else
[[gnu::always_inline]] inline void load(const double* of, const std::uint32_t (&cells)[2], Lanes<2 * kCell>& to) {
  for (int k = 0; k < 2 * kCell; ++k) to[k] = of[std::size_t{cells[k / kCell]} * kCell + k % kCell];
}
#endif

// Of physics/distance_force.h.
template <int W>
[[gnu::always_inline]] inline void inverse_root(const Lanes<W>& a, Lanes<W>& y) {
  typename Row<W>::ShortLanes s = __builtin_convertvector(a, typename Row<W>::ShortLanes);
  roots<W>(s);
  s = 1.0f / s;
  y = __builtin_convertvector(s, Lanes<W>);
  const Lanes<W> h = a * y * y;
  y = y * (1.875 - h * (1.25 - 0.375 * h));
}

// From a difference of coordinates to that of the nearest images; half: of the period.
template <int W>
[[gnu::always_inline]] inline void take_nearest(Lanes<W>& d, double half, double period) {
  const Lanes<W> upper = Lanes<W>{} + half, less = d - period, more = d + period;
  Lanes<W> near;
  where_above<W>(-upper, d, more, d, near);
  where_above<W>(d, upper, less, near, d);
}

// inverse^(exponent + 1), by repeated squaring where the exponent is known at compile time.
template <int W, int kExponent>
[[gnu::always_inline]] inline void power_term(const Lanes<W>& inverse, double exponent, Lanes<W>& out) {
  if constexpr (kExponent == kAnyExponent) {
    for (int k = 0; k < W; ++k) out[k] = next_inverse_power(inverse[k], exponent);
  } else {
    Lanes<W> x = inverse;
    bool begun = false;
    for (int n = kExponent + 1; n > 0; n >>= 1) {
      if (n & 1) {
        out = begun ? out * x : x;
        begun = true;
      }
      x *= x;
    }
  }
}

// One component of the force of a row, lane by lane: the quanta of FineSum, with the offsets of all terms in them.
template <int W>
struct LaneSums {
  Whole<W> coarse{}, fine{};
};

// The terms of the partners in these cells; `strange` gets bits above kFits where a term does not fit the grid.
template <int W>
[[gnu::always_inline]] inline void add(const Lanes<W>& a, const FineGrid& grid, LaneSums<W>& sum, Whole<W>& strange) {
  const Lanes<W> t = a + grid.coarse.magic, rest = (a - (t - grid.coarse.magic)) + grid.fine.magic;
  const Whole<W> n = reinterpret_cast<Whole<W>>(t) - grid.coarse.base;
  strange |= n;
  sum.coarse += n;
  sum.fine += reinterpret_cast<Whole<W>>(rest) - grid.fine.base;
}

template <int W>
[[gnu::always_inline]] inline void close(LaneSums<W>& sum, std::uint64_t terms, FineSum& to) {
  std::uint64_t coarse = 0, fine = 0;
  for (int k = 0; k < W; ++k) {
    coarse += sum.coarse[k];
    fine += sum.fine[k];
  }
  const std::uint64_t offset = W * terms * Grid::kZero;
  to.add_quanta(static_cast<std::int64_t>(coarse - offset), static_cast<std::int64_t>(fine - offset));
  sum = {};
}

template <int W>
[[gnu::noinline]] void add_one_by_one(const Lanes<W>& a, FineSum& to) {
  for (int k = 0; k < W; ++k) to.add(a[k]);
}

template <int W, int kAt, int kRep, bool kPeriodic>
[[gnu::always_inline]] inline Vec3d row_force(const DistanceConstants& constants, const DistanceRow& row) {
  const DistanceLaw law = constants.law;
  const double cutoff2 = constants.cutoff2;
  const Vec3d length = constants.periodicity.length;
  const auto on = constants.periodicity.on;
  const double lx = on[0] ? length.x : 0, ly = on[1] ? length.y : 0, lz = on[2] ? length.z : 0;
  const double hx = on[0] ? 0.5 * length.x : kForever, hy = on[1] ? 0.5 * length.y : kForever,
               hz = on[2] ? 0.5 * length.z : kForever;
  constexpr std::size_t kCells = W / kCell;
  const Lanes<W> zero = {};
  const FineGrid grid = constants.grid;
  FineSum sum_x(grid), sum_y(grid), sum_z(grid);
  constexpr std::size_t kTerms = 4096 / kCell;  // cells of terms between -2^51 and 2^51 quanta: their sum fits a word
  for (std::size_t start = 0; start < row.count; start += kTerms) {
    const std::size_t end = std::min(row.count, start + kTerms);
    LaneSums<W> x, y, z;
    std::uint64_t terms = 0;
    for (std::size_t c = start; c < end; c += kCells) {
      std::uint32_t cells[kCells];
      for (std::size_t k = 0; k < kCells; ++k) cells[k] = c + k < end ? row.cells[c + k] : row.nowhere;
      Lanes<W> dx, dy, dz, weight, inverse, term;
      load(row.x, cells, dx);
      load(row.y, cells, dy);
      load(row.z, cells, dz);
      load(row.weight, cells, weight);
      dx -= row.xi;
      dy -= row.yi;
      dz -= row.zi;
      if constexpr (kPeriodic) {
        take_nearest<W>(dx, hx, lx);
        take_nearest<W>(dy, hy, ly);
        take_nearest<W>(dz, hz, lz);
      }
      const Lanes<W> d2 = dx * dx + dy * dy + dz * dz;
      Lanes<W> safe;
      where_above<W>(d2, zero, d2, zero + 1.0, safe);
      inverse_root<W>(safe, inverse);
      Lanes<W> scale = -law.shift * inverse;
      if constexpr (kAt != kAbsent) {
        power_term<W, kAt>(inverse, law.a_at, term);
        scale += law.k_at * term;
      }
      if constexpr (kRep != kAbsent) {
        power_term<W, kRep>(inverse, law.a_rep, term);
        scale -= law.k_rep * term;
      }
      scale *= row.factor * weight;
      // the particle itself, coincident centres and all beyond the cut-off add nothing
      where_above<W>(d2, zero, scale, zero, scale);
      where_above<W>(zero + cutoff2, d2, scale, zero, scale);
      const Lanes<W> ax = scale * dx, ay = scale * dy, az = scale * dz;
      LaneSums<W> next_x = x, next_y = y, next_z = z;
      Whole<W> strange{};
      add<W>(ax, grid, next_x, strange);
      add<W>(ay, grid, next_y, strange);
      add<W>(az, grid, next_z, strange);
      if (has_bits<W>(strange, ~Grid::kFits)) [[unlikely]] {
        add_one_by_one<W>(ax, sum_x);
        add_one_by_one<W>(ay, sum_y);
        add_one_by_one<W>(az, sum_z);
        continue;
      }
      x = next_x;
      y = next_y;
      z = next_z;
      ++terms;
    }
    close<W>(x, terms, sum_x);
    close<W>(y, terms, sum_y);
    close<W>(z, terms, sum_z);
  }
  return {sum_x.value(), sum_y.value(), sum_z.value()};
}

template <int kAt, int kRep, bool kPeriodic>
Vec3d plain(const DistanceConstants& constants, const DistanceRow& row) {
  return row_force<kCell, kAt, kRep, kPeriodic>(constants, row);
}

#if defined(__x86_64__)
template <int kAt, int kRep, bool kPeriodic>
[[gnu::target("avx2"), gnu::flatten]] Vec3d avx2(const DistanceConstants& constants, const DistanceRow& row) {
  return row_force<kCell, kAt, kRep, kPeriodic>(constants, row);
}
template <int kAt, int kRep, bool kPeriodic>
AREIA_WIDER Vec3d avx512(const DistanceConstants& constants, const DistanceRow& row) {
  return row_force<2 * kCell, kAt, kRep, kPeriodic>(constants, row);
}
#endif

template <int kAt, int kRep, bool kPeriodic>
DistanceKernel choose([[maybe_unused]] VectorWidth width) {
#if defined(__x86_64__)
  if (width == VectorWidth::avx512) return avx512<kAt, kRep, kPeriodic>;
  if (width == VectorWidth::avx2) return avx2<kAt, kRep, kPeriodic>;
#endif
  return plain<kAt, kRep, kPeriodic>;
}
template <int kAt, int kRep>
DistanceKernel choose(bool periodic, VectorWidth width) {
  return periodic ? choose<kAt, kRep, true>(width) : choose<kAt, kRep, false>(width);
}

}  // namespace

DistanceKernel distance_kernel(const DistanceLaw& law, bool periodic, VectorWidth width) {
  const bool at = law.k_at != 0, rep = law.k_rep != 0;
  if (at && rep && law.a_at == 1 && law.a_rep == 2) return choose<1, 2>(periodic, width);
  if (at && rep && law.a_at == 7 && law.a_rep == 13) return choose<7, 13>(periodic, width);
  if (!at && law.a_rep == 2) return choose<kAbsent, 2>(periodic, width);
  if (!rep && law.a_at == 2) return choose<2, kAbsent>(periodic, width);
  return choose<kAnyExponent, kAnyExponent>(periodic, width);
}

}  // namespace areia::cpu
