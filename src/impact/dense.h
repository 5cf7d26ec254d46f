// Small dense systems of linear equations.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace areia::impact {

class Dense {
 public:
  explicit Dense(std::size_t n) : n_(n), a_(n * n) {}
  std::size_t size() const { return n_; }
  double& at(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }
  double at(std::size_t i, std::size_t j) const { return a_[i * n_ + j]; }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) y[i] += at(i, j) * x[j];
    return y;
  }

 private:
  std::size_t n_;
  std::vector<double> a_;
};

// Elimination with full pivoting. Where the matrix is singular, unknowns without pivot are zero; returns the rank. What
// the other equations then say is not checked here.
inline std::size_t eliminate(Dense K, std::vector<double> b, std::vector<double>& x) {
  const std::size_t n = K.size();
  std::vector<std::size_t> column(n);
  std::iota(column.begin(), column.end(), 0u);
  std::size_t rank = 0;
  double first = 0;
  for (; rank < n; ++rank) {
    std::size_t pi = rank, pj = rank;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = rank; j < n; ++j)
        if (std::fabs(K.at(i, j)) > std::fabs(K.at(pi, pj))) pi = i, pj = j;
    const double pivot = std::fabs(K.at(pi, pj));
    if (rank == 0) first = pivot;
    if (pivot <= 64 * std::numeric_limits<double>::epsilon() * first) break;
    for (std::size_t j = 0; j < n; ++j) std::swap(K.at(rank, j), K.at(pi, j));
    std::swap(b[rank], b[pi]);
    for (std::size_t i = 0; i < n; ++i) std::swap(K.at(i, rank), K.at(i, pj));
    std::swap(column[rank], column[pj]);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const double f = K.at(i, rank) / K.at(rank, rank);
      for (std::size_t j = rank; j < n; ++j) K.at(i, j) -= f * K.at(rank, j);
      b[i] -= f * b[rank];
    }
  }
  x.assign(n, 0.0);
  for (std::size_t i = rank; i-- > 0;) {
    double v = b[i];
    for (std::size_t j = i + 1; j < rank; ++j) v -= K.at(i, j) * x[column[j]];
    x[column[i]] = v / K.at(i, i);
  }
  return rank;
}

// K x = b; where K is singular the smallest x, which is K^T y with K K^T y = b and does not depend on the choice of y.
// Contradicting equations leave a residual: the caller looks. False: not finite.
inline bool solve_linear(const Dense& K, const std::vector<double>& b, std::vector<double>& x) {
  const std::size_t n = K.size();
  if (eliminate(K, b, x) < n) {
    Dense KKt(n), Kt(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Kt.at(j, i) = K.at(i, j);
        for (std::size_t q = 0; q < n; ++q) KKt.at(i, j) += K.at(i, q) * K.at(j, q);
      }
    std::vector<double> y;
    eliminate(KKt, b, y);
    x = Kt.times(y);
  }
  for (const double v : x)
    if (!std::isfinite(v)) return false;
  return true;
}

}  // namespace areia::impact
