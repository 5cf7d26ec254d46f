// Smith (docs/impact.md): Newton's coefficient and a friction weighted with the slip before and after,
//
//   I_T = -mu g I_N,   g = gamma(b) = (a|a| + b|b|) / (a^2 + b^2),   a = D_TA, b = D_TE.
//
// Along g the slip after is h(g) = D_TA - p (B + mu C g)/(A + mu B g), strictly decreasing where A + mu B g > 0, so
// g - gamma(h(g)) increases strictly and changes sign: one solution for Delta > 0. No gain, since I_T (a + b) <= 0.
#include "impact/coulomb.h"

namespace areia::impact {

namespace {

double weight(double a, double b) { return (a * std::fabs(a) + b * std::fabs(b)) / (a * a + b * b); }

}  // namespace

void smith(const LocalMass& m, const Pre& pre, const Model& c, Impact& r) {
  const double p = -(1 + c.e) * pre.DNA, mu = c.mu;
  if (pre.DTA == 0) {  // gamma = sign(b), any of [-1, 1] at b = 0: Coulomb's law on the whole impulses
    kane(m, pre, {.law = Law::kane, .e = c.e, .mu = mu}, r);
    r.ratio = r.I.N > 0 && mu > 0 ? -r.I.T / (mu * r.I.N) : 0.0;
    return;
  }
  // Velocities in units of the slip before, so that squares neither overflow nor vanish.
  const double unit = std::fabs(pre.DTA), a = sign(pre.DTA);
  const auto N = [&](double g) { return m.A + mu * m.B * g; };
  const auto h = [&](double g) { return a - p / unit * (m.B + mu * m.C * g) / N(g); };
  double g = a;
  if (m.rank_one()) {
    g = weight(a, a - m.B * p / (m.A * unit));
    if (!(N(g) > kZero * m.A))
      return refuse(r, Status::no_solution,
                    "jam: Delta = 0 fixes the slip, and the friction that opposes it grows faster "
                    "than the normal impulse can turn the approach round");
  } else if (!(N(a) > 0 && a * h(a) >= 0)) {  // not a slip that goes on
    double lo = -1, hi = 1;                   // cut where A + mu B g ends; there h runs off to the right sign
    if (N(lo) <= 0) lo = -m.A / (mu * m.B);
    if (N(hi) <= 0) hi = -m.A / (mu * m.B);
    const double slope = -p / unit * mu * m.determinant();
    g = (lo + hi) / 2;
    for (int i = 0; i < 200; ++i) {
      const double n = N(g), b = h(g), ab = 1 + b * b;
      if (!(n > 0) || !std::isfinite(ab)) {  // at the end that was cut
        (m.B > 0 ? lo : hi) = g;
        g = (lo + hi) / 2;
        continue;
      }
      const double f = g - weight(a, b);
      if (f == 0) break;
      (f < 0 ? lo : hi) = g;
      const double dweight = 2 * std::fabs(b) / ab - 2 * b * (a + b * std::fabs(b)) / (ab * ab);
      double next = g - f / (1 - dweight * slope / (n * n));
      if (!(next > lo && next < hi)) next = (lo + hi) / 2;
      const bool done = std::fabs(next - g) <= 1e-16 * (1 + std::fabs(g)) || !(lo < next && next < hi);
      g = next;
      if (done) break;
    }
  }
  const double IN = p / N(g);
  r.I = {IN, -mu * g * IN, 0};
  r.ratio = g;
  r.mode = "averaged";
}

}  // namespace areia::impact
