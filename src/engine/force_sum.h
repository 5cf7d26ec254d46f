// The rule of sums: what a particle feels from its contacts, whatever the order in which they are found.
//
// A sum of doubles depends on the order of its terms, and the lists that bring the terms follow from skins, chunks,
// memory and threads, which must not enter a result. So every component of a contact's force and torque is rounded to a
// whole multiple of a quantum, a power of two that follows from the case alone, and whole numbers are added, which has
// no order. Both partners of a contact get the same whole number with opposite signs. The sum is rounded to a double
// once, and bonds follow in the order in which they were made.
//
// The quantum is about 2^-51 of the force at an overlap of a fifth of the radius, between particles of which nine
// tenths are larger. A contact with an overlap of 1e-3, 1e-4 or 1e-5 of the radius is then rounded by 1e-12, 4e-11 or
// 1e-9 of its force (Hertz); double positions a hundred radii from the origin bring 2e-11, 2e-10 and 2e-9 into it.
//
// Terms beyond 2^51 quanta are kept apart with 128 bits. Nothing reasonable is beyond those: a term of more than 2^110
// quanta, or none at all, makes the sum not a number, at which the step stops and names the particle.
#pragma once
#include <array>
#include <cmath>
#include <limits>

#include "areia/vec3.h"
#include "core/grid_sum.h"

namespace areia {

struct Scene;
struct SceneParticles;

struct ForceGrid {
  Grid force{1.0}, torque{1.0};
};

// Of a case with these particles, or that expects them.
ForceGrid force_grid(const Scene& scene, const SceneParticles& particles);

// Any number of terms of any size.
class WholeSum {
 public:
  void add(const Grid& grid, double a) {
    const double n = std::nearbyint(a / grid.quantum);
    if (std::fabs(n) < kMost) quanta_ += static_cast<__int128>(n);
    else beyond_ = true;
  }
  void add_quanta(std::int64_t n) { quanta_ += n; }
  double value(const Grid& grid) const {
    return beyond_ ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(quanta_) * grid.quantum;
  }

 private:
  static constexpr double kMost = 0x1p110;
  __int128 quanta_ = 0;
  bool beyond_ = false;
};

// Force and torque on one particle.
class ForceSum {
 public:
  void add(const ForceGrid& grid, const Vec3d& force, const Vec3d& torque) {
    const double a[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < 6; ++k) sum_[k].add(k < 3 ? grid.force : grid.torque, a[k]);
  }
  Vec3d force(const ForceGrid& grid) const { return vector(0, grid.force); }
  Vec3d torque(const ForceGrid& grid) const { return vector(3, grid.torque); }

 private:
  Vec3d vector(int first, const Grid& grid) const {
    return {sum_[first].value(grid), sum_[first + 1].value(grid), sum_[first + 2].value(grid)};
  }
  std::array<WholeSum, 6> sum_;
};

}  // namespace areia
