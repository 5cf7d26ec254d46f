// The coarse-graining function that spreads what belongs to a point, or to a line, over its neighbourhood:
//   phi(r) = N (1 - r^2/c^2)^3 within c, else 0.
// It looks like a Gaussian, has two continuous derivatives and ends at c. Its integral is one:
//   N = 315/(64 pi c^3) in space, 4/(pi c^2) in the plane.
// Its width w is the standard deviation along an axis, w^2 = c^2/11 in space, c^2/10 in the plane.
#pragma once
#include <algorithm>
#include <array>
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
  double height() const { return height_; }

  double at(const Vec3d& d) const {
    const double q = 1 - norm2(d) / (reach_ * reach_);
    return q > 0 ? height_ * q * q * q : 0;
  }

 private:
  double reach_, height_ = 0;
};

// The mean of phi over a line, int_0^1 phi(d - s l) ds, for points at d from its start; a line may be a point, l = 0.
// A polynomial in r^2 is one in s, too:
//   1 - |d - s l|^2/c^2 = q_0 + s (g - s b),  q_0 = 1 - d^2/c^2,  g = 2 d.l/c^2,  b = l^2/c^2.
// It is concave: where it is positive at both ends, it is so between, and the integral of its cube, of degree 6, is
// Gauss's sum of four terms. Elsewhere it is A - B u^2 with u = s - g/(2b), A = q_0 + g^2/(4b), B = b, positive within
// sqrt(A/B), and int (A - B u^2)^3 du = A^3 u - A^2 B u^3 + 3/5 A B^2 u^5 - B^3 u^7/7.
class SpreadLine {
 public:
  SpreadLine(const CoarseGraining& phi, const Vec3d& l)
      : l_(l),
        height_(phi.height()),
        reach_(phi.reach()),
        per_square_(1 / (phi.reach() * phi.reach())),
        b_(norm2(l) * per_square_) {}

  double at(const Vec3d& d) const {
    const double q0 = 1 - norm2(d) * per_square_, g = 2 * dot(d, l_) * per_square_;
    if (b_ == 0) return q0 > 0 ? height_ * q0 * q0 * q0 : 0;
    if (q0 > 0 && q0 + (g - b_) > 0) [[likely]] {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const double q = q0 + kNode[k] * (g - kNode[k] * b_);
        sum += kWeight[k] * (q * q * q);
      }
      return height_ * sum;
    }
    const double nearest = g / (2 * b_), a = q0 + nearest * nearest * b_;
    if (!(a > 0)) return 0;
    const double half = std::sqrt(a / b_);
    const double from = std::max(-nearest, -half), to = std::min(1 - nearest, half);
    if (!(to > from)) return 0;
    const auto primitive = [&](double u) {
      const double u2 = b_ * u * u;
      return u * (a * a * a - u2 * (a * a - u2 * (0.6 * a - u2 / 7)));
    };
    return height_ * (primitive(to) - primitive(from));
  }

  // The range of x at which points with these y and z, all from the start of the line, may have any of it; low > high
  // where there is none. The way from such a row to the line, seen along x, is shortest at s.
  struct Row {
    double low, high;
  };
  Row row(double y, double z) const {
    const double across2 = l_.y * l_.y + l_.z * l_.z;
    const double s = across2 > 0 ? std::clamp((y * l_.y + z * l_.z) / across2, 0.0, 1.0) : 0;
    const double dy = y - s * l_.y, dz = z - s * l_.z, chord2 = reach_ * reach_ - (dy * dy + dz * dz);
    if (!(chord2 > 0)) return {1, 0};
    const double chord = std::sqrt(chord2);
    return {std::min(0.0, l_.x) - chord, std::max(0.0, l_.x) + chord};
  }

 private:
  static constexpr std::array<double, 4> kNode{0.06943184420297371239, 0.33000947820757186760, 0.66999052179242813240,
                                               0.93056815579702628761};
  static constexpr std::array<double, 4> kWeight{0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131,
                                                 0.17392742256872692869};
  Vec3d l_;
  double height_, reach_, per_square_, b_;
};

}  // namespace areia
