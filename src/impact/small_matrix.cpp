#include "impact/small_matrix.h"

#include <algorithm>

#include "impact/dense.h"

namespace areia::impact {

std::optional<Vector> solve_any(const Matrix& a, const Vector& b) {
  const std::size_t n = b.size();
  Dense K(n);
  double right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    right = std::max(right, std::fabs(b[i]));
    for (std::size_t j = 0; j < n; ++j) K.at(i, j) = a[i][j];
  }
  Vector x;
  if (!solve_linear(K, b, x)) return std::nullopt;
  const Vector y = times(a, x);
  for (std::size_t i = 0; i < n; ++i)
    if (std::fabs(y[i] - b[i]) > 1e-10 * right) return std::nullopt;
  return x;
}

}  // namespace areia::impact
