#include "impact/diagram.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "impact/laws.h"
#include "impact/models.h"

namespace areia::impact {

namespace {

constexpr int kOutlinePoints = 180;

// Eigenvectors of [[C, -B], [-B, A]] in (I_T, I_N): the smaller eigenvalue has the longer axis.
struct Axes {
  double value[2];
  PlanePoint direction[2];
};
Axes axes(const LocalMass& m) {
  const double half = (m.C - m.A) / 2, root = std::hypot(half, m.B), mean = (m.A + m.C) / 2;
  const double large = mean + root, small = std::max(0.0, m.determinant()) / large;
  // Angle of the eigenvector of the larger eigenvalue with the I_T axis.
  const double angle = std::atan2(-m.B, half) / 2;
  const PlanePoint steep{std::cos(angle), std::sin(angle)};
  return {{small, large}, {{-steep.IN, steep.IT}, steep}};
}

EnergyConic energy_conic(const LocalMass& m, const Pre& a, double T_loc, double extent) {
  EnergyConic e;
  const Axes x = axes(m);
  e.directions[0] = x.direction[0];
  e.directions[1] = x.direction[1];
  if (!m.rank_one()) {
    const double det = m.determinant();
    e.centre = {-(m.B * a.DNA + m.A * a.DTA) / det, -(m.C * a.DNA + m.B * a.DTA) / det};
    for (int i = 0; i < 2; ++i) e.semi_axes[i] = std::sqrt(2 * T_loc / x.value[i]);
    for (int i = 0; i <= kOutlinePoints; ++i) {
      const double t = 2 * std::numbers::pi * i / kOutlinePoints;
      const double u = e.semi_axes[0] * std::cos(t), v = e.semi_axes[1] * std::sin(t);
      e.outline.push_back({e.centre.IT + u * e.directions[0].IT + v * e.directions[1].IT,
                           e.centre.IN + u * e.directions[0].IN + v * e.directions[1].IN});
    }
    return e;
  }
  // Delta = 0: along the flat direction u the energy is linear, along v it is lambda v^2/2.
  //   lambda v^2/2 + g_v v + g_u u = 0
  const double lambda = x.value[1];
  const double gu = a.DTA * e.directions[0].IT + a.DNA * e.directions[0].IN;
  const double gv = a.DTA * e.directions[1].IT + a.DNA * e.directions[1].IN;
  const auto point = [&](double u, double v) {
    return PlanePoint{u * e.directions[0].IT + v * e.directions[1].IT, u * e.directions[0].IN + v * e.directions[1].IN};
  };
  if (std::fabs(gu) <= 1e-12 * std::hypot(gu, gv)) {
    e.kind = Conic::parallel_lines;  // v = 0 and v = -2 g_v/lambda
    for (const double v : {0.0, -2 * gv / lambda}) {
      e.outline.push_back(point(-extent, v));
      e.outline.push_back(point(extent, v));
    }
    return e;
  }
  e.kind = Conic::parabola;
  const double vertex = -gv / lambda;
  for (int i = 0; i <= kOutlinePoints; ++i) {
    const double v = vertex + extent * (2.0 * i / kOutlinePoints - 1);
    e.outline.push_back(point(-(lambda * v * v / 2 + gv * v) / gu, v));
  }
  return e;
}

// Cuts a convex polygon with f >= 0, f linear.
template <class F>
std::vector<PlanePoint> cut(const std::vector<PlanePoint>& polygon, F&& f) {
  std::vector<PlanePoint> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double fp = f(p), fq = f(q);
    if (fp >= 0) kept.push_back(p);
    if ((fp >= 0) != (fq >= 0)) {
      const double t = fp / (fp - fq);
      kept.push_back({p.IT + t * (q.IT - p.IT), p.IN + t * (q.IN - p.IN)});
    }
  }
  return kept;
}

void cross_friction(const Diagram& d, double p, std::vector<SlipPoint>& out) {
  for (const int s : {+1, -1}) {  // A I_N - B I_T = p with I_T = -s mu I_N
    const double k = d.mass.A + s * d.mu * d.mass.B;
    if (k > 0) out.push_back({s, {-s * d.mu * p / k, p / k}});
  }
}

}  // namespace

Diagram diagram(const LocalMass& m, const Pre& a, const std::vector<Model>& models) {
  Diagram d;
  d.mass = m;
  d.pre = a;
  if (!models.empty()) {
    d.mu = models.front().law == Law::newton ? 0.0 : std::fabs(models.front().mu);
    d.e = models.front().e;
  }
  d.mu_s = m.critical_friction();
  d.local_energy = local_energy(m, a);
  d.compression = {m.A, -m.B, a.DNA};
  d.termination = {m.A, -m.B, (1 + d.e) * a.DNA};
  d.sticking = {-m.B, m.C, a.DTA};
  d.friction[0] = {d.mu, 1, 0};
  d.friction[1] = {-d.mu, 1, 0};
  cross_friction(d, -a.DNA, d.friction_with_compression);
  cross_friction(d, -(1 + d.e) * a.DNA, d.friction_with_termination);

  double extent = 4 * std::fabs(a.DNA) / m.A;
  for (const Model& model : models) {
    const Impact r = solve(m, a, model);
    DiagramRun run{info(model.law).name, r.status, r.mode, {}, r.path.compression, {r.I.T, r.I.N}, r.dT, r.energy_gain};
    for (const PathPoint& p : r.path) run.path.push_back({p.IT, p.IN});
    extent = std::max({extent, 2 * r.I.N, 2 * std::fabs(r.I.T)});
    d.runs.push_back(std::move(run));
  }
  d.energy = energy_conic(m, a, d.local_energy, extent);

  // Where the slip meets the sticking line and friction cannot hold it, it goes on with the friction reversed.
  const double s = sign(a.DTA), k = m.B + s * d.mu * m.C;
  if (d.mu > 0 && d.mu < d.mu_s && s * k > 0) {
    const double I1 = a.DTA / k;
    d.reverse_slip = true;
    d.reverse_from = {-s * d.mu * I1, I1};
    const double top = std::max(2 * I1, extent / 2);
    d.reverse_to = {d.reverse_from.IT + s * d.mu * (top - I1), top};
  }

  if (d.energy.kind == Conic::ellipse) {
    std::vector<PlanePoint> region(d.energy.outline.begin(), d.energy.outline.end() - 1);
    // A frictionless region is a segment of the line I_T = 0: nothing to shade.
    region = cut(region, [&](const PlanePoint& p) { return d.mu * p.IN - p.IT; });
    region = cut(region, [&](const PlanePoint& p) { return d.mu * p.IN + p.IT; });
    region = cut(region, [&](const PlanePoint& p) { return m.A * p.IN - m.B * p.IT + a.DNA; });
    if (region.size() > 2) d.admissible = std::move(region);
  } else {
    // The cone above the line of maximum compression, where the energy is not larger: sampled along rays.
    std::vector<PlanePoint> near, far;
    for (int i = 0; i <= kOutlinePoints && d.mu > 0; ++i) {
      const double ratio = d.mu * (2.0 * i / kOutlinePoints - 1), rise = m.A - m.B * ratio;
      if (rise <= 0) continue;
      const double first = -a.DNA / rise;
      const double square = m.A - 2 * m.B * ratio + m.C * ratio * ratio, linear = a.DNA + a.DTA * ratio;
      const double last = square > 0 ? -2 * linear / square : linear < 0 ? extent : 0.0;
      if (last < first) continue;
      near.push_back({ratio * first, first});
      far.push_back({ratio * std::min(last, extent), std::min(last, extent)});
    }
    if (near.size() > 1) {
      d.admissible = near;
      d.admissible.insert(d.admissible.end(), far.rbegin(), far.rend());
    }
  }
  return d;
}

}  // namespace areia::impact
