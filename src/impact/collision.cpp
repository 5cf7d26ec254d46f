// What all laws share: checks, the data for which no law is needed, and what follows from the impulses.
#include "impact/collision.h"

#include <algorithm>

#include "impact/laws.h"

namespace areia::impact {

const char* name(Status status) {
  static constexpr const char* kNames[] = {"ok",       "separating",        "grazing",  "no_solution",
                                           "singular", "moment_infeasible", "painleve", "invalid_input"};
  return kNames[static_cast<int>(status)];
}

namespace {

bool between(double x, double lo, double hi) { return x >= lo && x <= hi; }

// Empty, or what is wrong with the data (section 7).
const char* wrong(const LocalMass& m, const Pre& a, const Model& c) {
  const double all = m.A + m.B + m.C + m.D + m.E + m.F + a.DNA + a.DTA + a.DthA + a.w.N + a.w.T + a.w.th + c.e + c.mu +
                     c.mu0 + c.et + c.nu + c.em + c.emC + c.emE + c.KN + c.KT;
  if (!std::isfinite(all)) return "not every number is finite";
  if (!between(c.e, 0, 1)) return "the coefficient e must lie in [0, 1]";
  if (c.law != Law::brach && c.mu < 0) return "friction mu must not be negative";
  if (c.law == Law::kane && c.mu0 < 0 && c.mu0 != kNotGiven) return "static friction mu0 must not be negative";
  if (c.law == Law::gp2 || c.law == Law::cs) {
    if (!between(c.et, 0, 1) || !between(c.nu, 0, 1)) return "et and nu must lie in [0, 1]";
  }
  if ((c.law == Law::walton || c.law == Law::fremond) && !between(c.et, -1, 1)) return "et must lie in [-1, 1]";
  if (c.law == Law::fremond && ((c.KN != kNotGiven && c.KN <= 0) || (c.KT != kNotGiven && c.KT < 0)))
    return "viscosities must be positive";
  if (c.law == Law::brach && !between(c.em, -1, 1)) return "em must lie in [-1, 1]";
  if (c.law == Law::cs && (!between(c.emC, -1, 1) || !between(c.emE, -1, 1))) return "emC and emE must lie in [-1, 1]";
  if (m.A > 0 && (m.C < -kZero * m.A || m.F < 0 || m.determinant() < -1e-9 * m.A * std::fabs(m.C)))
    return "the inverse local mass matrix must be positive semidefinite";
  return "";
}

// C = 0: friction cannot act on the motion; what it would transmit is reported.
void without_tangent(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  double e = c.e;
  if (c.law == Law::fremond && c.KN != kNotGiven) {  // the coefficient that belongs to K_N
    const double KA = c.KN * m.A;
    e = std::max(0.0, (KA - 1) / (KA + 1));
  }
  const double IN = -(1 + e) * a.DNA / m.A;
  r.I = {IN, c.law == Law::brach ? c.mu * IN : -sign(a.DTA) * c.mu * IN, 0};
  r.ratio_used = c.law == Law::brach ? c.mu : 0.0;
  r.mode = "no-tangential-direction";
}

void energies(const LocalMass& m, const Pre& a, Impact& r) {
  const Velocity A = a.velocity();
  r.E = A + m.change(r.I);
  if (r.stages && r.I.N > 0) {
    const double compression = dot(r.IC, A + r.C) / 2, expansion = dot(r.IE, r.C + r.E) / 2;
    r.has_eb2 = compression != 0;
    r.eb2 = r.has_eb2 ? -expansion / compression : 0.0;
  }
  r.dT = dot(r.I, A + r.E) / 2;
  r.dT_inertial = r.dT - dot(r.I, a.w);
  r.T_loc = local_energy(m, a, r.I.th != 0);
  r.energy_gain = r.dT > 1e-12 * std::max(r.T_loc, std::numeric_limits<double>::min());
}

void simple_path(const Pre& a, Impact& r) {
  r.path.add({0, 0, a.DNA, a.DTA});
  if (r.stages) {
    r.path.compression = 1;
    r.path.add({r.IC.N, r.IC.T, 0, r.C.T});
  }
  if (!r.stages || r.IE.N != 0 || r.IE.T != 0) r.path.add({r.I.N, r.I.T, r.E.N, r.E.T});
}

bool finite(const Impact& r) {
  double sum = r.dT + r.dT_inertial + r.T_loc + r.eb2 + r.WnC + r.WnE + r.Wt + r.ITS2 + r.ratio + r.reaction;
  for (const Impulse& i : {r.I, r.IC, r.IE}) sum += i.N + i.T + i.th;
  for (const Velocity& v : {r.C, r.E}) sum += v.N + v.T + v.th;
  for (const PathPoint& p : r.path) sum += p.IN + p.IT + p.DN + p.DT;
  return std::isfinite(sum);
}

// Without impulses, with the reason that r carries.
Impact unchanged(const Pre& a, const Impact& r) {
  Impact u;
  u.status = r.status;
  u.reason = r.reason;
  u.phase = r.phase;
  u.kind = r.kind;
  if (r.status != Status::invalid_input) u.C = u.E = a.velocity();
  return u;
}

}  // namespace

Impact solve(const LocalMass& m, const Pre& a, const Model& c) {
  Impact r;
  const char* problem = wrong(m, a, c);
  if (*problem) {
    refuse(r, Status::invalid_input, problem);
    return unchanged(a, r);
  }
  const double speed = std::hypot(a.DNA, a.DTA);
  r.kind = {std::fabs(a.DTA) <= 1e-12 * speed, std::fabs(a.DNA) <= 1e-12 * speed,
            std::fabs(m.B) <= 1e-12 * std::sqrt(m.A * m.C)};
  if (!(m.A > 0)) {
    refuse(r, Status::singular, "A must be positive: the normal impulse does not act on the motion");
  } else if (a.DNA > 0) {
    refuse(r, Status::separating, "the bodies move apart");
  } else if (a.DNA == 0) {
    refuse(r, Status::grazing, "no approach");
  }
  if (!r.ok()) return unchanged(a, r);

  if (m.no_tangent() && c.law != Law::newton) {
    without_tangent(m, a, c, r);
  } else {
    switch (c.law) {
      case Law::newton:
        newton(m, a, c, r);
        break;
      case Law::kane:
        kane(m, a, c, r);
        break;
      case Law::brach:
        brach(m, a, c, r);
        break;
      case Law::gp1:
      case Law::gp2:
        glocker_pfeiffer(m, a, c, r);
        break;
      case Law::wm_newton:
      case Law::wm_poisson:
      case Law::stronge:
        routh(m, a, c, r);
        break;
      case Law::smith:
        smith(m, a, c, r);
        break;
      case Law::cs:
        cataldo_sampaio(m, a, c, r);
        break;
      case Law::walton:
        walton(m, a, c, r);
        break;
      case Law::fremond:
        fremond(m, a, c, r);
        break;
    }
  }
  if (!r.ok()) return unchanged(a, r);
  energies(m, a, r);
  if (r.path.size == 0) simple_path(a, r);
  if (!finite(r)) {
    refuse(r, Status::singular, "the result is beyond the range of numbers");
    return unchanged(a, r);
  }
  return r;
}

}  // namespace areia::impact
