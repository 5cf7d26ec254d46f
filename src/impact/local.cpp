#include "impact/local.h"

#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"

namespace areia::impact {

double local_energy(const LocalMass& m, const Pre& a, bool rotation) {
  const double n = a.DNA * a.DNA / (2 * m.A);
  if (m.rank_one()) return n;
  // Elimination in the order N, T, th leaves a sum of squares: the energy of each direction once the others are free.
  const double C1 = m.determinant() / m.A, T1 = a.DTA + m.B / m.A * a.DNA;
  const double two = n + T1 * T1 / (2 * C1);
  if (!rotation) return two;
  const double E1 = -m.E + m.B / m.A * m.D, th1 = a.DthA - m.D / m.A * a.DNA;
  const double F1 = m.F - m.D * m.D / m.A - E1 * E1 / C1, th2 = th1 - E1 / C1 * T1;
  return F1 <= kZero * m.F ? two : two + th2 * th2 / (2 * F1);
}

MassMatrix::MassMatrix(const std::vector<std::vector<double>>& M) : n_(M.size()), L_(n_ * n_) {
  if (n_ == 0) throw InputError("M", "[]", "the mass matrix needs at least one row");
  double scale = 0;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < n_; ++i) {
    if (M[i].size() != n_)
      throw InputError(fmt::format("M[{}]", i), fmt::format("{} numbers", M[i].size()),
                       fmt::format("the mass matrix must be square: {} rows ask for {} numbers each", n_, n_));
    for (const double v : M[i]) {
      if (!std::isfinite(v)) throw InputError(fmt::format("M[{}]", i), fmt::format("{}", v), "must be finite");
      scale = std::max(scale, std::fabs(v));
    }
  }
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::fabs(M[i][j] - M[j][i]) > 1e-12 * scale)
        problems.push_back({"", 0, fmt::format("M[{}][{}]", i, j), fmt::format("{}", M[i][j]),
                            fmt::format("the mass matrix must be symmetric, but M[{}][{}] = {}", j, i, M[j][i])});
  if (!problems.empty()) throw InputError(std::move(problems));
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double v = M[i][j];
      for (std::size_t k = 0; k < j; ++k) v -= L_[i * n_ + k] * L_[j * n_ + k];
      if (j < i) {
        L_[i * n_ + j] = v / L_[j * n_ + j];
        continue;
      }
      if (!(v > kZero * std::fabs(M[i][i])))
        throw InputError(fmt::format("M[{}][{}]", i, i), fmt::format("{}", M[i][i]),
                         fmt::format("the mass matrix must be positive definite: the part of coordinate {} that does "
                                     "not follow from those before it has the inertia {:.3g}",
                                     i, v));
      L_[i * n_ + i] = std::sqrt(v);
    }
}

std::vector<double> MassMatrix::solve(std::span<const double> b) const {
  std::vector<double> x(b.begin(), b.end());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= L_[i * n_ + k] * x[k];
    x[i] /= L_[i * n_ + i];
  }
  for (std::size_t i = n_; i-- > 0;) {
    for (std::size_t k = i + 1; k < n_; ++k) x[i] -= L_[k * n_ + i] * x[k];
    x[i] /= L_[i * n_ + i];
  }
  return x;
}

double MassMatrix::energy(std::span<const double> qdot) const {
  double sum = 0;  // |L^T qdot|^2
  for (std::size_t j = 0; j < n_; ++j) {
    double v = 0;
    for (std::size_t i = j; i < n_; ++i) v += L_[i * n_ + j] * qdot[i];
    sum += v * v;
  }
  return sum / 2;
}

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

LocalMass local_mass(const MassMatrix& M, const ContactRows& W) {
  const std::vector<double> n = M.solve(W.N), t = M.solve(W.T);
  LocalMass m{dot(W.N, n), -dot(W.N, t), dot(W.T, t)};
  if (!W.th.empty()) {
    const std::vector<double> r = M.solve(W.th);
    m.D = dot(W.N, r);
    m.E = -dot(W.T, r);
    m.F = dot(W.th, r);
  }
  return m;
}

Pre pre_impact(const ContactRows& W, std::span<const double> qdot, const Velocity& w) {
  return {dot(W.N, qdot) + w.N, dot(W.T, qdot) + w.T, W.th.empty() ? w.th : dot(W.th, qdot) + w.th, w};
}

std::vector<double> velocities_after(const MassMatrix& M, const ContactRows& W, std::span<const double> qdot,
                                     const Impulse& I) {
  std::vector<double> f(M.size());
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = W.N[i] * I.N + W.T[i] * I.T + (W.th.empty() ? 0.0 : W.th[i] * I.th);
  std::vector<double> v = M.solve(f);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += qdot[i];
  return v;
}

LocalMass local_mass(const FreeBody& b1, const FreeBody& b2) {
  const double m = b1.inverse_mass + b2.inverse_mass, j1 = b1.inverse_inertia, j2 = b2.inverse_inertia;
  return {m + b1.x * b1.x * j1 + b2.x * b2.x * j2,
          b1.x * b1.y * j1 + b2.x * b2.y * j2,
          m + b1.y * b1.y * j1 + b2.y * b2.y * j2,
          -b1.x * j1 - b2.x * j2,
          -b1.y * j1 - b2.y * j2,
          j1 + j2};
}

Pre pre_impact(const FreeBody& b1, const FreeBody& b2) {
  return {(b1.vy - b1.x * b1.omega) - (b2.vy - b2.x * b2.omega),
          (b1.vx + b1.y * b1.omega) - (b2.vx + b2.y * b2.omega),
          b1.omega - b2.omega,
          {}};
}

void apply(const Impulse& I, FreeBody& b1, FreeBody& b2) {
  const auto push = [](FreeBody& b, double N, double T, double th) {
    b.vx += b.inverse_mass * T;
    b.vy += b.inverse_mass * N;
    b.omega += b.inverse_inertia * (b.y * T - b.x * N + th);
  };
  push(b1, I.N, I.T, I.th);
  push(b2, -I.N, -I.T, -I.th);
}

}  // namespace areia::impact
