// The coarse-graining function that spreads what belongs to a point, or to a line, over its neighbourhood:
//   phi(r) = N (1 - r^2/c^2)^3 within c, else 0.
// It looks like a Gaussian, has two continuous derivatives and ends at c. Its integral is one:
//   N = 315/(64 pi c^3) in space, 4/(pi c^2) in the plane.
// Its width w is the standard deviation along an axis, w^2 = c^2/11 in space, c^2/10 in the plane. A polynomial in r^2
// can be integrated along a line: with d the way from the start of the line a + s l to x,
//   1 - |d - s l|^2/c^2 = A - B (s - s0)^2,   s0 = d.l/l^2,  B = l^2/c^2,  A = 1 - |d - s0 l|^2/c^2,
// which is positive within sqrt(A/B) of s0, and there int (A - B u^2)^3 du = A^3 u - A^2 B u^3 + 3/5 A B^2 u^5 - B^3
// u^7/7.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/vec3.h"

namespace areia {

class CoarseGraining {
 public:
  CoarseGraining(double width, int dimension) : reach_(width * std::sqrt(dimension == 2 ? 10.0 : 11.0)) {
    using std::numbers::pi;
    height_ = dimension == 2 ? 4 / (pi * reach_ * reach_) : 315 / (64 * pi * reach_ * reach_ * reach_);
  }
  double reach() const { return reach_; }  // c

  double at(const Vec3d& d) const {
    const double q = 1 - norm2(d) / (reach_ * reach_);
    return q > 0 ? height_ * q * q * q : 0;
  }
  // The mean over the line: int_0^1 phi(d - s l) ds.
  double along(const Vec3d& d, const Vec3d& l) const {
    const double length2 = norm2(l);
    if (!(length2 > 0)) return at(d);
    const double c2 = reach_ * reach_, nearest = dot(d, l) / length2;
    const double a = 1 - norm2(d - nearest * l) / c2, b = length2 / c2;
    if (!(a > 0)) return 0;
    const double half = std::sqrt(a / b);
    const double from = std::max(-nearest, -half), to = std::min(1 - nearest, half);
    if (!(to > from)) return 0;
    const auto primitive = [&](double u) {
      const double u2 = b * u * u;
      return u * (a * a * a - u2 * (a * a - u2 * (0.6 * a - u2 / 7)));
    };
    return height_ * (primitive(to) - primitive(from));
  }

 private:
  double reach_, height_ = 0;
};

}  // namespace areia
