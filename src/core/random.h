// Random numbers that are the same on every machine: a generator fixed by the C++ standard and distributions made of
// comparisons and products only (no logarithm or exponential, whose last bits differ between C libraries).
#pragma once
#include <cstdint>
#include <initializer_list>
#include <random>

#include "areia/vec3.h"

namespace areia {

// A seed from several numbers, well mixed (splitmix64 over each).
inline std::uint64_t mixed_seed(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t h = 0;
  for (std::uint64_t n : numbers) {
    h += n + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  }
  return h;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double a, double b) { return a + (b - a) * uniform(); }
  Vec3d uniform(const Vec3d& a, const Vec3d& b) {
    const double x = uniform(a.x, b.x), y = uniform(a.y, b.y);
    return {x, y, uniform(a.z, b.z)};
  }

  // Standard normal cut at +-z: uniform proposals on [-z, z], kept with probability exp(-x^2/2).
  double truncated_normal(double z) {
    for (;;) {
      const double x = uniform(-z, z);
      if (happens_with_exp_of_minus(0.5 * x * x)) return x;
    }
  }

 private:
  // An event of probability exp(-p): for p <= 1 the length of the run p > u1 > u2 > ... is even with probability
  // sum (-p)^n/n! = exp(-p) (von Neumann). Larger p is a product of such events.
  bool happens_with_exp_of_minus(double p) {
    for (; p > 1; p -= 1)
      if (!even_run(1)) return false;
    return even_run(p);
  }
  bool even_run(double p) {
    bool even = true;
    for (double last = p;; even = !even) {
      const double u = uniform();
      if (u >= last) return even;
      last = u;
    }
  }

  std::mt19937_64 bits_;
};

}  // namespace areia
