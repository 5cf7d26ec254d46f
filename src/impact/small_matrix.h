// Small dense algebra of systems with a handful of coordinates. Cholesky's factor is MassMatrix in local.h.
#pragma once
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace areia::impact {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  // row by row

inline Matrix square(std::size_t n) { return Matrix(n, Vector(n, 0.0)); }
inline Matrix diagonal(const Vector& d) {
  Matrix m = square(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) m[i][i] = d[i];
  return m;
}

inline double dot(const Vector& a, const Vector& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

inline Vector times(const Matrix& m, const Vector& x) {
  Vector y;
  for (const Vector& row : m) y.push_back(dot(row, x));
  return y;
}

// y += a x
inline void add(Vector& y, double a, const Vector& x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

// A x = b; where A is singular the smallest x. Nothing where the equations contradict each other (residual above 1e-10
// of the right side).
std::optional<Vector> solve_any(const Matrix& a, const Vector& b);

}  // namespace areia::impact
