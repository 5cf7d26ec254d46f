// Brach (docs/impact.md): Newton's coefficient, a signed ratio of impulses I_T = mu I_N, a moment coefficient. With the
// clamp the ratio stays where the slip is not driven past zero and no energy is made.
#include <utility>

#include "impact/coulomb.h"
#include "impact/moment.h"

namespace areia::impact {

namespace {

// The part joined to 0 of {r : k0 + k1 r + k2 r^2 <= 0}, for k0 <= 0.
ConeInterval joined_to_zero(double k0, double k1, double k2) {
  if (k2 == 0) {
    if (k1 == 0) return {-kInfinite, kInfinite};
    return k1 > 0 ? ConeInterval{-kInfinite, -k0 / k1} : ConeInterval{-k0 / k1, kInfinite};
  }
  const double disc = k1 * k1 - 4 * k0 * k2;
  if (disc < 0 || (k1 == 0 && k2 < 0)) return {-kInfinite, kInfinite};  // k2 < 0: negative everywhere
  const double q = -(k1 + std::copysign(std::sqrt(disc), k1)) / 2;
  double r1 = q / k2, r2 = q == 0 ? 0.0 : k0 / q;
  if (r1 > r2) std::swap(r1, r2);
  if (k2 > 0) return {std::min(r1, 0.0), std::max(r2, 0.0)};
  return k1 > 0 ? ConeInterval{-kInfinite, std::max(r1, 0.0)} : ConeInterval{std::min(r2, 0.0), kInfinite};
}

}  // namespace

void brach(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  const double phi = moment_compliance(c.em, c.moment_law, m.F);
  if (std::isinf(phi)) return refuse(r, Status::singular, "the moment law `source` has no solution at e_m = -1/2");
  const Reduced q = reduce(m, a.velocity(), phi);
  if (q.A <= kZero * m.A)
    return refuse(r, Status::singular,
                  "the moment impulse leaves no normal compliance: A' = A - phi D^2 is not positive");
  const double P = -c.e * a.DNA - q.dN;
  double ratio = c.mu;
  // mu_c ends the slip exactly; infinite where no ratio does.
  const double above = q.B * P - q.A * q.dT, below = q.C * P - q.B * q.dT;
  r.ratio_critical = below > 0 ? above / below : above == 0 ? 0.0 : std::copysign(kInfinite, above);
  if (c.clamp == Clamp::admissible) {
    ratio = std::clamp(ratio, std::min(0.0, r.ratio_critical), std::max(0.0, r.ratio_critical));
    if (phi == 0) {
      // dT = p (k0 + k1 r + k2 r^2) / (2 (A - B r)^2)
      const ConeInterval lossy = joined_to_zero((1 - c.e) * m.A * a.DNA, 2 * (m.A * a.DTA + c.e * m.B * a.DNA),
                                                -(1 + c.e) * m.C * a.DNA - 2 * m.B * a.DTA);
      ratio = std::clamp(ratio, lossy.lo, lossy.hi);
    }
  }
  r.ratio_used = ratio;
  r.mode = "impulse-ratio";
  const double k = q.A - q.B * ratio;
  if (std::fabs(k) <= kZero * m.A)
    return refuse(r, Status::singular,
                  "with this ratio of impulses the normal velocity does not change: A' - B' mu = 0");
  const double IN = P / k;
  if (!(IN > 0)) return refuse(r, Status::no_solution, "this ratio of impulses asks for a normal impulse that pulls");
  r.I = {IN, ratio * IN, moment_impulse(m, a.velocity(), phi, IN, ratio * IN)};
}

}  // namespace areia::impact
