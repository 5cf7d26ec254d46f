// Sums that do not depend on the order of their terms, at the price of two additions per term.
//
// Terms of about a known size are rounded to whole multiples of a power of two, the quantum, and counted in whole
// numbers. Adding 1.5 * 2^52 quanta to a double does the rounding: the last 52 bits of the result, read as an integer,
// are the number of quanta plus 2^51, and all others are those of 2^52 quanta as long as the term fits. Terms of more
// than 2^51 quanta do not, and are added exactly (exact_sum.h), so no term is too large and none is lost; those are few
// if the size was chosen well.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "areia/portable.h"
#include "core/exact_sum.h"

namespace areia {

struct Grid {
  static constexpr std::int64_t kZero = std::int64_t{1} << 51;          // raised(0)
  static constexpr std::uint64_t kFits = (std::uint64_t{1} << 52) - 1;  // what raised() of a term that fits is at most
  double magic = std::numeric_limits<double>::quiet_NaN();              // 1.5 * 2^52 quanta; not a number: nothing fits
  std::uint64_t base = 0;                                               // bits of 2^52 quanta
  double quantum = 0;

  Grid() = default;
  // For terms up to about this size, rounded to 4e-16 of it.
  explicit Grid(double size) {
    int exponent = 0;
    if (!(size > 0) || !std::isfinite(size)) return;
    std::frexp(size, &exponent);
    if (exponent < -900 || exponent > 900) return;
    magic = std::ldexp(3, exponent);
    base = std::bit_cast<std::uint64_t>(std::ldexp(1, exponent + 1));
    quantum = std::ldexp(1, exponent - 51);
  }
  // The number of quanta plus kZero, if it is at most kFits.
  AREIA_PORTABLE std::uint64_t raised(double a) const { return __builtin_bit_cast(std::uint64_t, a + magic) - base; }
  int exponent() const { return std::ilogb(magic) - 52; }  // of the quantum
};

class GridSum {
 public:
  GridSum() = default;
  explicit GridSum(const Grid& grid) : grid_(grid) {}
  // From parts().
  GridSum(const Grid& grid, std::vector<double> parts) : grid_(grid), large_(std::move(parts)) {}

  GridSum& operator+=(double a) {
    const std::uint64_t n = grid_.raised(a);
    if (n <= Grid::kFits) [[likely]]
      quanta_ += static_cast<std::int64_t>(n) - Grid::kZero;
    else add_large(a);
    return *this;
  }
  GridSum& operator-=(double a) { return *this += -a; }
  void add_quanta(__int128 n) { quanta_ += n; }
  // Of the same grid.
  GridSum& operator+=(const GridSum& other) {
    quanta_ += other.quanta_;
    for (const double a : other.large_) add_large(a);
    return *this;
  }
  const Grid& grid() const { return grid_; }
  double value() const { return exact().value(); }
  operator double() const { return value(); }
  // Doubles whose exact sum this is.
  std::vector<double> parts() const { return exact().parts(); }

 private:
  void add_large(double a) {
    large_.push_back(a);
    if (large_.size() < 64) return;
    ExactSum sum;
    for (const double b : large_) sum.add(b);
    large_ = sum.parts();
  }
  ExactSum exact() const {
    ExactSum sum;
    if (quanta_ != 0) sum.add_whole(quanta_, grid_.exponent());
    for (const double a : large_) sum.add(a);
    return sum;
  }

  Grid grid_;
  __int128 quanta_ = 0;
  std::vector<double> large_;
};

// For terms of very different sizes: what a term lacks after it was rounded to one grid goes to a second one, whose
// largest terms are the quanta of the first. The value is then as good as that of the exact sum for terms down to 1e-15
// of the size that the grid was made for.
struct FineGrid {
  Grid coarse, fine;

  FineGrid() = default;
  explicit FineGrid(double size) : coarse(size) {
    if (!std::isnan(coarse.magic)) fine = Grid(std::ldexp(0.5, coarse.exponent()));
    if (std::isnan(fine.magic)) coarse = Grid();
  }
};

class FineSum {
 public:
  explicit FineSum(const FineGrid& grid) : grid_(grid) {}

  void add(double a) {
    const std::uint64_t n = grid_.coarse.raised(a);
    if (n > Grid::kFits) [[unlikely]] {
      large_.push_back(a);
      return;
    }
    const double rest = a - ((a + grid_.coarse.magic) - grid_.coarse.magic);  // exactly
    coarse_ += static_cast<std::int64_t>(n) - Grid::kZero;
    fine_ += static_cast<std::int64_t>(grid_.fine.raised(rest)) - Grid::kZero;
  }
  void add_quanta(std::int64_t coarse, std::int64_t fine) {
    coarse_ += coarse;
    fine_ += fine;
  }
  double value() const {
    double sum = 0;
    if (coarse_ != 0 || fine_ != 0)
      sum = static_cast<double>(coarse_) * grid_.coarse.quantum + static_cast<double>(fine_) * grid_.fine.quantum;
    if (large_.empty()) return sum;
    ExactSum exact;
    for (const double a : large_) exact += a;
    return exact.value() + sum;
  }

 private:
  FineGrid grid_;
  __int128 coarse_ = 0, fine_ = 0;
  std::vector<double> large_;
};

}  // namespace areia
