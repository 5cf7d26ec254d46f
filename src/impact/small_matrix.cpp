#include "impact/small_matrix.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace areia::impact {

std::optional<Vector> solve_any(Matrix a, Vector b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> column(n);
  std::iota(column.begin(), column.end(), std::size_t{0});
  double size = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    right = std::max(right, std::fabs(b[i]));
    for (const double x : a[i]) size = std::max(size, std::fabs(x));
  }
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t pi = rank, pj = rank;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = rank; j < n; ++j)
        if (std::fabs(a[i][j]) > std::fabs(a[pi][pj])) {
          pi = i;
          pj = j;
        }
    if (!(std::fabs(a[pi][pj]) > 1e-13 * size)) break;
    std::swap(a[rank], a[pi]);
    std::swap(b[rank], b[pi]);
    for (Vector& row : a) std::swap(row[rank], row[pj]);
    std::swap(column[rank], column[pj]);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const double f = a[i][rank] / a[rank][rank];
      for (std::size_t j = rank; j < n; ++j) a[i][j] -= f * a[rank][j];
      b[i] -= f * b[rank];
    }
  }
  for (std::size_t i = rank; i < n; ++i)
    if (std::fabs(b[i]) > 1e-10 * right) return std::nullopt;
  Vector x(n, 0.0);
  for (std::size_t i = rank; i-- > 0;) {
    double s = b[i];
    for (std::size_t j = i + 1; j < rank; ++j) s -= a[i][j] * x[column[j]];
    x[column[i]] = s / a[i][i];
  }
  return x;
}

}  // namespace areia::impact
