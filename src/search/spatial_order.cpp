#include "search/spatial_order.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace areia {

// Bits of a 21-bit number moved apart: bit k goes to bit 3k.
static std::uint64_t spread(std::uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 32) & 0x1f00000000ffff;
  a = (a | a << 16) & 0x1f0000ff0000ff;
  a = (a | a << 8) & 0x100f00f00f00f00f;
  a = (a | a << 4) & 0x10c30c30c30c30c3;
  a = (a | a << 2) & 0x1249249249249249;
  return a;
}

static std::uint64_t cell_number(double x, double origin, double inverse_h) {
  const double c = std::floor((x - origin) * inverse_h);
  return static_cast<std::uint64_t>(std::max(0.0, std::min(double(0x1fffff), c)));  // the last if it is not a number
}

std::uint64_t number_along_curve(const Vec3d& x, const Vec3d& origin, double h) {
  return spread(cell_number(x.x, origin.x, 1 / h)) | spread(cell_number(x.y, origin.y, 1 / h)) << 1 |
         spread(cell_number(x.z, origin.z, 1 / h)) << 2;
}

std::vector<std::uint32_t> spatial_order(std::span<const Vec4> position, const Vec3d& origin, double h) {
  struct Entry {
    std::uint64_t key;
    std::uint32_t index;
  };
  const std::size_t n = position.size();
  std::vector<Entry> now(n), next(n);
  std::uint64_t used = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t key = number_along_curve(position[k].xyz(), origin, h);
    now[k] = {key, static_cast<std::uint32_t>(k)};
    used |= key;
  }
  // Least significant digit first, stable: equal keys keep their order.
  constexpr int kDigit = 11;
  for (int shift = 0; shift < 63 && (used >> shift) != 0; shift += kDigit) {
    std::array<std::uint32_t, 1 << kDigit> start{};
    for (const Entry& e : now) ++start[(e.key >> shift) & ((1 << kDigit) - 1)];
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) {
      const std::uint32_t count = s;
      s = sum;
      sum += count;
    }
    for (const Entry& e : now) next[start[(e.key >> shift) & ((1 << kDigit) - 1)]++] = e;
    now.swap(next);
  }
  std::vector<std::uint32_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = now[k].index;
  return order;
}

}  // namespace areia
