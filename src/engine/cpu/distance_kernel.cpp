// The inner loop of forces at a distance. Compiled like the contact kernels; lane by lane plain IEEE operations.
#include <cmath>

#include "engine/cpu/cpu_distance.h"

namespace areia::cpu {
namespace {

constexpr int kAbsent = -1, kAnyExponent = -2;

// 1/sqrt(a) for a in the range of float: a start in single precision, then one step of third order, which leaves an
// error of rounding only. Cheaper than a square root and a division in double precision, and as reproducible.
inline double inverse_root(double a) {
  const double y = 1.0f / std::sqrt(static_cast<float>(a));
  const double h = a * y * y;
  return y * (1.875 - h * (1.25 - 0.375 * h));
}

template <int kExponent>
inline double power_term(double inverse, double exponent) {
  if constexpr (kExponent == kAnyExponent) return inverse * inverse_power(inverse, exponent);
  else return integer_power(inverse, kExponent + 1);
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
  const double xi = row.xi, yi = row.yi, zi = row.zi, factor = row.factor;
  alignas(64) double fx[kCell] = {}, fy[kCell] = {}, fz[kCell] = {};
  for (std::size_t c = 0; c < row.count; ++c) {
    const std::size_t first = static_cast<std::size_t>(row.cells[c]) * kCell;
    const double *const x = row.x + first, *const y = row.y + first, *const z = row.z + first,
                        *const weight = row.weight + first;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
    for (int k = 0; k < kCell; ++k) {
      double dx = x[k] - xi, dy = y[k] - yi, dz = z[k] - zi;
      if constexpr (kPeriodic) {
        dx -= dx > hx ? lx : dx < -hx ? -lx : 0.0;
        dy -= dy > hy ? ly : dy < -hy ? -ly : 0.0;
        dz -= dz > hz ? lz : dz < -hz ? -lz : 0.0;
      }
      const double d2 = dx * dx + dy * dy + dz * dz;
      const double inverse = inverse_root(d2 > 0 ? d2 : 1.0);
      double scale = -law.shift * inverse;
      if constexpr (kAt != kAbsent) scale += law.k_at * power_term<kAt>(inverse, law.a_at);
      if constexpr (kRep != kAbsent) scale -= law.k_rep * power_term<kRep>(inverse, law.a_rep);
      scale *= factor * weight[k];
      // the particle itself, coincident centres and all beyond the cut-off add nothing
      scale = d2 > 0 ? scale : 0.0;
      scale = d2 < cutoff2 ? scale : 0.0;
      fx[k] += scale * dx;
      fy[k] += scale * dy;
      fz[k] += scale * dz;
    }
  }
  Vec3d f;
  for (int k = 0; k < kCell; ++k) f += {fx[k], fy[k], fz[k]};
  return f;
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
DistanceKernel choose(bool periodic) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return periodic ? avx2<kAt, kRep, true> : avx2<kAt, kRep, false>;
#endif
  return periodic ? plain<kAt, kRep, true> : plain<kAt, kRep, false>;
}

}  // namespace

DistanceKernel distance_kernel(const DistanceLaw& law, bool periodic) {
  const bool at = law.k_at != 0, rep = law.k_rep != 0;
  if (at && rep && law.a_at == 1 && law.a_rep == 2) return choose<1, 2>(periodic);
  if (at && rep && law.a_at == 7 && law.a_rep == 13) return choose<7, 13>(periodic);
  if (!at && law.a_rep == 2) return choose<kAbsent, 2>(periodic);
  if (!rep && law.a_at == 2) return choose<2, kAbsent>(periodic);
  return choose<kAnyExponent, kAnyExponent>(periodic);
}

}  // namespace areia::cpu
