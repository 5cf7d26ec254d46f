// Axes along which the box repeats itself.
//
// Every centre is kept in the box: low <= x < low + length. One that crosses a face comes in at the opposite one at
// that moment, by a whole number of lengths, so that its bits follow from its own motion alone.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

#include "areia/case.h"

namespace areia {

// Shifts by so many lengths along each axis, from `low` to `high`; none where one of them is above the other.
struct ShiftRange {
  using Shift = std::array<std::int16_t, 3>;
  Shift low{}, high{};

  AREIA_PORTABLE void join(const ShiftRange& other) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (other.low[a] < low[a]) low[a] = other.low[a];
      if (other.high[a] > high[a]) high[a] = other.high[a];
    }
  }
  // f(by) for each, in the order of its numbers.
  template <class F>
  AREIA_PORTABLE void for_each(F&& f) const {
    Shift by{};
    for (by[0] = low[0]; by[0] <= high[0]; ++by[0])
      for (by[1] = low[1]; by[1] <= high[1]; ++by[1])
        for (by[2] = low[2]; by[2] <= high[2]; ++by[2]) f(by);
  }
  // f(by) for each, those of few lengths first, |by_x| + |by_y| + |by_z|, and of as many in the order of its numbers.
  template <class F>
  AREIA_PORTABLE void for_each_by_length(F&& f) const {
    int least = 0, most = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const int from = low[a], to = high[a];
      if (from > to) return;
      least += from > 0 ? from : to < 0 ? -to : 0;
      most += -from > to ? -from : to;
    }
    const auto size = [](int k) { return k < 0 ? -k : k; };
    const auto tell = [&](int i, int j, int k) {
      f(Shift{static_cast<std::int16_t>(i), static_cast<std::int16_t>(j), static_cast<std::int16_t>(k)});
    };
    for (int lengths = least; lengths <= most; ++lengths)
      for (int i = low[0] > -lengths ? low[0] : -lengths; i <= high[0] && i <= lengths; ++i) {
        const int across_x = lengths - size(i);
        for (int j = low[1] > -across_x ? low[1] : -across_x; j <= high[1] && j <= across_x; ++j) {
          const int k = across_x - size(j);
          if (-k >= low[2] && -k <= high[2]) tell(i, j, -k);
          if (k > 0 && k >= low[2] && k <= high[2]) tell(i, j, k);
        }
      }
  }
};

struct Periodicity {
  std::array<bool, 3> on{};
  Vec3d low, length;

  AREIA_PORTABLE bool any() const { return on[0] || on[1] || on[2]; }
  // Shortest image of a difference; assumes |d| < 1.5 length.
  AREIA_PORTABLE Vec3d nearest(Vec3d d) const {
    if (on[0]) d.x -= d.x > 0.5 * length.x ? length.x : d.x < -0.5 * length.x ? -length.x : 0.0;
    if (on[1]) d.y -= d.y > 0.5 * length.y ? length.y : d.y < -0.5 * length.y ? -length.y : 0.0;
    if (on[2]) d.z -= d.z > 0.5 * length.z ? length.z : d.z < -0.5 * length.z ? -length.z : 0.0;
    return d;
  }
  // The image of a position inside the box. What is inside stays as it is, to the bit.
  AREIA_PORTABLE Vec3d wrapped(Vec3d x) const {
    if (on[0]) x.x = wrapped(x.x, low.x, length.x);
    if (on[1]) x.y = wrapped(x.y, low.y, length.y);
    if (on[2]) x.z = wrapped(x.z, low.z, length.z);
    return x;
  }
  // Whether a position is outside the box. One that is not a number is not.
  AREIA_PORTABLE bool left_by(const Vec3d& x) const {
    return (on[0] && (x.x < low.x || x.x >= low.x + length.x)) || (on[1] && (x.y < low.y || x.y >= low.y + length.y)) ||
           (on[2] && (x.z < low.z || x.z >= low.z + length.z));
  }
  // x, so many lengths further along each axis; 0 along those that do not repeat.
  AREIA_PORTABLE Vec3d shifted(const Vec3d& x, const ShiftRange::Shift& by) const {
    return x + Vec3d{shift(by[0], length.x), shift(by[1], length.y), shift(by[2], length.z)};
  }
  // Every shift that brings x within `reach` of a point, in space; of a reach without end the one of none.
  AREIA_PORTABLE ShiftRange shifts_near(const Vec3d& x, const Vec3d& to, double reach) const {
    ShiftRange range;
    const auto limits = [&](int axis, double way, double span) {
      if (!on[axis] || !(reach < 1000 * span)) return;
      range.low[axis] = static_cast<std::int16_t>(std::fmax(std::ceil((way - reach) / span), -30000.0));
      range.high[axis] = static_cast<std::int16_t>(std::fmin(std::floor((way + reach) / span), 30000.0));
    };
    limits(0, to.x - x.x, length.x);
    limits(1, to.y - x.y, length.y);
    limits(2, to.z - x.z, length.z);
    return range;
  }
  // f(x), then f(image) for each image of x that is at most `margin` outside the box: where a centre may be kept after
  // a way of that length.
  template <class F>
  AREIA_PORTABLE void for_each_image(const Vec3d& x, double margin, F&& f) const {
    f(x);
    if (!any()) return;
    const auto shifts = [&](bool periodic, double a, double from, double span) {
      return std::array<bool, 2>{periodic && a - span >= from - margin, periodic && a + span <= from + span + margin};
    };
    const std::array<bool, 2> along_x = shifts(on[0], x.x, low.x, length.x),
                              along_y = shifts(on[1], x.y, low.y, length.y),
                              along_z = shifts(on[2], x.z, low.z, length.z);
    for (int i = -along_x[0]; i <= along_x[1]; ++i)
      for (int j = -along_y[0]; j <= along_y[1]; ++j)
        for (int k = -along_z[0]; k <= along_z[1]; ++k)
          if (i != 0 || j != 0 || k != 0) f(x + Vec3d{shift(i, length.x), shift(j, length.y), shift(k, length.z)});
  }

 private:
  // Of a length that is not used, which may be infinite, there is none.
  AREIA_PORTABLE static double shift(int times, double length) { return times == 0 ? 0 : times * length; }
  // A little below the lower face, x + length may round to the upper one, which is the lower face again; a little below
  // the upper face, the quotient may round to 1. Both end on the lower face.
  AREIA_PORTABLE static double wrapped(double x, double low, double length) {
    const double high = low + length;
    if (x >= low && x < high) return x;
    const double image = x - length * std::floor((x - low) / length);
    return image < low || image >= high ? low : image;
  }
};

inline Periodicity periodicity_of(const Domain& d) { return {d.periodic, d.box.min, d.box.max - d.box.min}; }

}  // namespace areia
