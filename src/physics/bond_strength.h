// When an anchor of a bond breaks, and by what.
//
// The source has one strength for the force whatever its direction: |f| > sigma. Cement is stronger in compression than
// in tension, so that one number breaks a beam under the punch that bends it, where it is pressed, before it breaks at
// the far side, where it is torn. Separate strengths compare the part of the force along the bond's axis n (from i to
// j; a pull on i is positive) and the part across it:
//
//   tension  f . n > tensile,   shear  |f - (f . n) n| > shear,   compression  -f . n > compressive
//
// A strength that is not given is infinite. The mode is the one whose force is the largest part of its strength; with
// the one strength of the source it is the direction of the larger part of the force.
//
// Scatter (W. Weibull, A statistical theory of the strength of materials, 1939): of many joints of strength S the share
// 1 - exp(-(x/S)^m) breaks below x. With u uniform in (0, 1) a joint has S (-ln u)^(1/m).
#pragma once
#include <cmath>
#include <cstdint>

#include "areia/case.h"
#include "areia/frame.h"
#include "core/elementary.h"

namespace areia {

// Of one anchor, N.
struct BondStrength {
  double any = kForever;  // in every direction
  double tensile = kForever, shear = kForever, compressive = kForever;

  bool by_direction() const { return tensile < kForever || shear < kForever || compressive < kForever; }
  void scale(double factor) {
    for (double* one : {&any, &tensile, &shear, &compressive}) *one *= factor;
  }
};

struct BondLoad {
  double normal = 0, shear = 0;  // N; a pull is positive
};

inline BondLoad load_of(const Vec3d& force, const Vec3d& n) {
  const double normal = dot(force, n);
  return {normal, norm(force - normal * n)};
}

// n is asked for where the strengths differ by direction.
inline bool breaks(const BondStrength& s, const Vec3d& force, const Vec3d& n) {
  if (!s.by_direction()) return norm2(force) > s.any * s.any;
  const BondLoad load = load_of(force, n);
  return load.normal > s.tensile || load.shear > s.shear || -load.normal > s.compressive;
}

inline BreakMode mode_of(const BondStrength& s, const BondLoad& load) {
  const bool split = s.by_direction();
  const double along = load.normal / (!split ? s.any : load.normal > 0 ? s.tensile : -s.compressive);
  const double across = load.shear / (split ? s.shear : s.any);
  if (across > std::fabs(along)) return BreakMode::shear;
  return load.normal > 0 ? BreakMode::tension : BreakMode::compression;
}

// The factor of a joint by Weibull's distribution of modulus m, from 64 random bits. Half a unit keeps u from 0 and 1.
inline double weibull_factor(double modulus, std::uint64_t bits) {
  const double u = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
  return power_of(-log_of(u), 1 / modulus);
}

}  // namespace areia
