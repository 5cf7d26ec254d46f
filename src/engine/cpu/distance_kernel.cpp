// The inner loop of forces at a distance. Compiled like the contact kernels; lane by lane plain IEEE operations.
#include <algorithm>
#include <cmath>

#include "engine/cpu/cpu_distance.h"

namespace areia::cpu {
namespace {

constexpr int kAbsent = -1, kAnyExponent = -2;

// Four lanes. Written with the compiler's vectors, because loops with conditions are not always turned into them.
constexpr int kLanes4 = 4;
static_assert(kCell == kLanes4);
typedef double Lanes __attribute__((vector_size(8 * kLanes4)));
typedef float ShortLanes __attribute__((vector_size(4 * kLanes4)));
typedef unsigned long long Whole __attribute__((vector_size(8 * kLanes4)));

// Of physics/distance_force.h.
[[gnu::always_inline]] inline void inverse_root(const Lanes& a, Lanes& y) {
  ShortLanes s = __builtin_convertvector(a, ShortLanes);
  for (int k = 0; k < kLanes4; ++k) s[k] = std::sqrt(s[k]);
  s = 1.0f / s;
  y = __builtin_convertvector(s, Lanes);
  const Lanes h = a * y * y;
  y = y * (1.875 - h * (1.25 - 0.375 * h));
}

// inverse^(exponent + 1), by repeated squaring where the exponent is known at compile time.
template <int kExponent>
[[gnu::always_inline]] inline void power_term(const Lanes& inverse, double exponent, Lanes& out) {
  if constexpr (kExponent == kAnyExponent) {
    for (int k = 0; k < kLanes4; ++k) out[k] = next_inverse_power(inverse[k], exponent);
  } else {
    Lanes x = inverse;
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

[[gnu::always_inline]] inline void load(const double* from, Lanes& to) { __builtin_memcpy(&to, from, sizeof to); }

// One component of the force of a row, in four lanes: the quanta of FineSum, with the offsets of all terms in them.
struct LaneSums {
  Whole coarse{}, fine{};
};

// The terms of four partners; `strange` gets bits above kFits where a term does not fit the grid.
[[gnu::always_inline]] inline void add(const Lanes& a, const FineGrid& grid, LaneSums& sum, Whole& strange) {
  const Lanes t = a + grid.coarse.magic, rest = (a - (t - grid.coarse.magic)) + grid.fine.magic;
  const Whole n = reinterpret_cast<Whole>(t) - grid.coarse.base;
  strange |= n;
  sum.coarse += n;
  sum.fine += reinterpret_cast<Whole>(rest) - grid.fine.base;
}

[[gnu::always_inline]] inline void close(LaneSums& sum, std::uint64_t terms, FineSum& to) {
  for (int k = 0; k < kLanes4; ++k)
    to.add_quanta(static_cast<std::int64_t>(sum.coarse[k] - terms * Grid::kZero),
                  static_cast<std::int64_t>(sum.fine[k] - terms * Grid::kZero));
  sum = {};
}

[[gnu::noinline]] void add_one_by_one(const Lanes& a, FineSum& to) {
  for (int k = 0; k < kLanes4; ++k) to.add(a[k]);
}

template <int kAt, int kRep, bool kPeriodic>
[[gnu::always_inline]] inline Vec3d row_force(const DistanceConstants& constants, const DistanceRow& row) {
  const DistanceLaw law = constants.law;
  const double cutoff2 = constants.cutoff2;
  const Vec3d length = constants.periodicity.length;
  const auto on = constants.periodicity.on;
  const double lx = on[0] ? length.x : 0, ly = on[1] ? length.y : 0, lz = on[2] ? length.z : 0;
  const double hx = on[0] ? 0.5 * length.x : kForever, hy = on[1] ? 0.5 * length.y : kForever,
               hz = on[2] ? 0.5 * length.z : kForever;
  const Lanes zero = {};
  const FineGrid grid = constants.grid;
  FineSum sum_x(grid), sum_y(grid), sum_z(grid);
  constexpr std::size_t kTerms = 1024;  // of up to 2^52 quanta: they fit a word
  for (std::size_t start = 0; start < row.count; start += kTerms) {
    const std::size_t end = std::min(row.count, start + kTerms);
    LaneSums x, y, z;
    std::uint64_t terms = 0;
    for (std::size_t c = start; c < end; ++c) {
      const std::size_t at = static_cast<std::size_t>(row.cells[c]) * kCell;
      Lanes dx, dy, dz, weight, inverse, term;
      load(row.x + at, dx);
      load(row.y + at, dy);
      load(row.z + at, dz);
      load(row.weight + at, weight);
      dx -= row.xi;
      dy -= row.yi;
      dz -= row.zi;
      if constexpr (kPeriodic) {
        dx = dx > hx ? dx - lx : dx < -hx ? dx + lx : dx;
        dy = dy > hy ? dy - ly : dy < -hy ? dy + ly : dy;
        dz = dz > hz ? dz - lz : dz < -hz ? dz + lz : dz;
      }
      const Lanes d2 = dx * dx + dy * dy + dz * dz;
      const Lanes safe = d2 > 0 ? d2 : zero + 1.0;
      inverse_root(safe, inverse);
      Lanes scale = -law.shift * inverse;
      if constexpr (kAt != kAbsent) {
        power_term<kAt>(inverse, law.a_at, term);
        scale += law.k_at * term;
      }
      if constexpr (kRep != kAbsent) {
        power_term<kRep>(inverse, law.a_rep, term);
        scale -= law.k_rep * term;
      }
      scale *= row.factor * weight;
      // the particle itself, coincident centres and all beyond the cut-off add nothing
      scale = d2 > 0 ? scale : zero;
      scale = d2 < cutoff2 ? scale : zero;
      const Lanes ax = scale * dx, ay = scale * dy, az = scale * dz;
      LaneSums next_x = x, next_y = y, next_z = z;
      Whole strange{};
      add(ax, grid, next_x, strange);
      add(ay, grid, next_y, strange);
      add(az, grid, next_z, strange);
      if (((strange[0] | strange[1] | strange[2] | strange[3]) & ~Grid::kFits) != 0) [[unlikely]] {
        add_one_by_one(ax, sum_x);
        add_one_by_one(ay, sum_y);
        add_one_by_one(az, sum_z);
        continue;
      }
      x = next_x;
      y = next_y;
      z = next_z;
      ++terms;
    }
    close(x, terms, sum_x);
    close(y, terms, sum_y);
    close(z, terms, sum_z);
  }
  return {sum_x.value(), sum_y.value(), sum_z.value()};
}

template <int kAt, int kRep, bool kPeriodic>
Vec3d plain(const DistanceConstants& constants, const DistanceRow& row) {
  return row_force<kAt, kRep, kPeriodic>(constants, row);
}

#if defined(__x86_64__)
template <int kAt, int kRep, bool kPeriodic>
[[gnu::target("avx2"), gnu::flatten]] Vec3d avx2(const DistanceConstants& constants, const DistanceRow& row) {
  return row_force<kAt, kRep, kPeriodic>(constants, row);
}
#endif

template <int kAt, int kRep>
DistanceKernel choose(bool periodic, [[maybe_unused]] bool wide) {
#if defined(__x86_64__)
  if (wide && __builtin_cpu_supports("avx2")) return periodic ? avx2<kAt, kRep, true> : avx2<kAt, kRep, false>;
#endif
  return periodic ? plain<kAt, kRep, true> : plain<kAt, kRep, false>;
}

}  // namespace

DistanceKernel distance_kernel(const DistanceLaw& law, bool periodic, bool wide) {
  const bool at = law.k_at != 0, rep = law.k_rep != 0;
  if (at && rep && law.a_at == 1 && law.a_rep == 2) return choose<1, 2>(periodic, wide);
  if (at && rep && law.a_at == 7 && law.a_rep == 13) return choose<7, 13>(periodic, wide);
  if (!at && law.a_rep == 2) return choose<kAbsent, 2>(periodic, wide);
  if (!rep && law.a_at == 2) return choose<2, kAbsent>(periodic, wide);
  return choose<kAnyExponent, kAnyExponent>(periodic, wide);
}

}  // namespace areia::cpu
