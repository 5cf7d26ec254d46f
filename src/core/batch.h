// A batch of W doubles with the arithmetic the laws use: the same law text runs on one contact or on W at once.
// Lane by lane the operations are the IEEE ones, so each lane has the bits of the scalar code.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>

namespace areia {

template <int W>
struct BatchMask {
  std::array<bool, W> lane{};
  friend BatchMask operator&&(const BatchMask& a, const BatchMask& b) {
    BatchMask c;
    for (int k = 0; k < W; ++k) c.lane[k] = a.lane[k] && b.lane[k];
    return c;
  }
};

template <int W>
struct Batch {
  std::array<double, W> lane{};

  Batch() = default;
  Batch(double s) { lane.fill(s); }  // NOLINT: numbers mix freely with batches in formulas
  template <class F>
  static Batch each(F f) {
    Batch r;
    for (int k = 0; k < W; ++k) r.lane[k] = f(k);
    return r;
  }
  template <class F>
  static BatchMask<W> mask(F f) {
    BatchMask<W> r;
    for (int k = 0; k < W; ++k) r.lane[k] = f(k);
    return r;
  }
  Batch& operator+=(const Batch& b) { return *this = *this + b; }
  Batch& operator-=(const Batch& b) { return *this = *this - b; }
  Batch& operator*=(const Batch& b) { return *this = *this * b; }
  friend Batch operator+(const Batch& a, const Batch& b) {
    return each([&](int k) { return a.lane[k] + b.lane[k]; });
  }
  friend Batch operator-(const Batch& a, const Batch& b) {
    return each([&](int k) { return a.lane[k] - b.lane[k]; });
  }
  friend Batch operator*(const Batch& a, const Batch& b) {
    return each([&](int k) { return a.lane[k] * b.lane[k]; });
  }
  friend Batch operator/(const Batch& a, const Batch& b) {
    return each([&](int k) { return a.lane[k] / b.lane[k]; });
  }
  friend Batch operator-(const Batch& a) {
    return each([&](int k) { return -a.lane[k]; });
  }
  friend BatchMask<W> operator<(const Batch& a, const Batch& b) {
    return mask([&](int k) { return a.lane[k] < b.lane[k]; });
  }
  friend BatchMask<W> operator>(const Batch& a, const Batch& b) {
    return mask([&](int k) { return a.lane[k] > b.lane[k]; });
  }
  friend BatchMask<W> operator<=(const Batch& a, const Batch& b) {
    return mask([&](int k) { return a.lane[k] <= b.lane[k]; });
  }
};

template <int W>
Batch<W> select(const BatchMask<W>& c, const Batch<W>& a, const Batch<W>& b) {
  return Batch<W>::each([&](int k) { return c.lane[k] ? a.lane[k] : b.lane[k]; });
}
template <int W>
Batch<W> max_of(const Batch<W>& a, const Batch<W>& b) {
  return select(a > b, a, b);
}
template <int W>
Batch<W> min_of(const Batch<W>& a, const Batch<W>& b) {
  return select(a < b, a, b);
}
template <int W>
Batch<W> sqrt_of(const Batch<W>& a) {
  return Batch<W>::each([&](int k) { return std::sqrt(a.lane[k]); });
}
template <int W>
bool any(const BatchMask<W>& m) {
  bool r = false;
  for (bool b : m.lane) r = r || b;
  return r;
}

}  // namespace areia
