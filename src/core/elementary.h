// Powers, cube roots and logarithms made of IEEE operations alone, over a generic number type. The C library chooses
// its code by CPU, and its last bit may differ from machine to machine; these give the same bits everywhere, one number
// at a time, in the lanes of a vector and on an accelerator. Errors (tests/unit/elementary_test.cpp) stay below 0.62
// units in the last place for power_of and 0.51 for log_of and cbrt_of, and a result that is a double is found exactly.
// Exceptions: the power 3/2 is a product, with an error of up to 1.3 units, and subnormal powers are rounded twice.
//
// Where one double is not enough, a number is the unevaluated sum of two, high + low with |low| at most half a unit of
// high: about 106 bits. Sums and products of two doubles are exact in that form (Dekker 1971, Numerische Mathematik
// 18).
#pragma once
#include <limits>
#include <numbers>

#include "core/number.h"

namespace areia {

template <class T>
struct TwoPart {
  T high, low;
};

// a + b for |a| >= |b| or a = 0.
template <class T>
AREIA_PORTABLE TwoPart<T> exact_sum(const T& a, const T& b) {
  const T high = a + b;
  return {high, (a - high) + b};
}
// a b for |a|, |b| < 2^995. Each factor is split into halves of 26 bits, whose products are exact.
template <class T>
AREIA_PORTABLE TwoPart<T> exact_product(const T& a, const T& b) {
  constexpr double kSplit = 0x1p27 + 1;
  const T a_up = kSplit * a, a_1 = a_up - (a_up - a), a_2 = a - a_1;
  const T b_up = kSplit * b, b_1 = b_up - (b_up - b), b_2 = b - b_1;
  const T high = a * b;
  return {high, ((a_1 * b_1 - high) + a_1 * b_2 + a_2 * b_1) + a_2 * b_2};
}
template <class T>
AREIA_PORTABLE TwoPart<T> operator*(const TwoPart<T>& a, const TwoPart<T>& b) {
  const TwoPart<T> p = exact_product(a.high, b.high);
  return exact_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
// a + b for a constant a that exceeds b.
template <class T>
AREIA_PORTABLE TwoPart<T> operator+(const TwoPart<double>& a, const TwoPart<T>& b) {
  const TwoPart<T> s = exact_sum(T(a.high), b.high);
  return exact_sum(s.high, s.low + (b.low + T(a.low)));
}

namespace detail {
// sum over odd n' from n to kLast of c z^((n' - n)/2)/n', c = 2/ln 2.
template <int n, int kLast, class T>
AREIA_PORTABLE T log2_terms(const T& z) {
  constexpr double kFactor = 2 / std::numbers::ln2 / n;
  if constexpr (n == kLast) return T(kFactor);
  else return T(kFactor) + z * log2_terms<n + 2, kLast>(z);
}
// sum over n' from n to kLast of w^(n' - n)/n'!
template <int n, int kLast, class T>
AREIA_PORTABLE T exp_terms(const T& w) {
  constexpr double kFactor = [] {
    double factorial = 1;
    for (int k = 2; k <= n; ++k) factorial *= k;
    return 1 / factorial;
  }();
  if constexpr (n == kLast) return T(kFactor);
  else return T(kFactor) + w * exp_terms<n + 1, kLast>(w);
}
}  // namespace detail

// log2(x) for 0 < x < infinity, with an error below 2^-69 of it.
//
// x = 2^k m with m from sqrt(1/2) to sqrt(2), and with s = (m - 1)/(m + 1), |s| < 0.1716,
//   log2(m) = (2/ln 2) (s + s^3/3 + s^5/5 + ...).
// The terms up to s^5 are carried in two parts; s^7 is below 2^-18 of the sum, so from there on one part will do. The
// first term left out, s^29/29, is below 2^-75.
template <class T>
AREIA_PORTABLE TwoPart<T> log2_in_two_parts(const T& x) {
  const auto subnormal = x < T(0x1p-1022);
  const T y = select(subnormal, 0x1p54 * x, x);
  const T m_0 = mantissa_of(y);
  const auto large = m_0 > T(std::numbers::sqrt2);
  const T m = select(large, 0.5 * m_0, m_0);
  const T k = exponent_of(y) + select(large, T(1), T(0)) - select(subnormal, T(54), T(0));

  const T f = m - T(1);
  const TwoPart<T> d = exact_sum(T(2), f);  // m + 1
  const T ratio = f / d.high;
  const TwoPart<T> back = exact_product(ratio, d.high);
  const TwoPart<T> s{ratio, (((f - back.high) - back.low) - ratio * d.low) / d.high};
  const TwoPart<T> z = s * s;

  constexpr TwoPart<double> k1{0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};  // 2/ln 2
  constexpr TwoPart<double> k3{0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55};  // 2/(3 ln 2)
  constexpr TwoPart<double> k5{0x1.2776c50ef9bfep-1, 0x1.e4b29ccc535d4p-55};  // 2/(5 ln 2)
  const TwoPart<T> from_7{z.high * detail::log2_terms<7, 27>(z.high), T(0)};
  const TwoPart<T> l = (k1 + (k3 + (k5 + from_7) * z) * z) * s;
  const TwoPart<T> sum = exact_sum(k, l.high);
  return exact_sum(sum.high, sum.low + l.low);
}

// x^e for x >= 0 and |e| < 2^900: 2^t with t = e log2(x) = n + r, n whole, |r| <= 1/2, and
//   2^r = 1 + w + w^2 (1/2! + w/3! + ...),  w = r ln 2;  the first term left out, w^15/15!, is below 2^-63.
// The powers that the sources use most take a shorter way. Of a negative number: NaN.
template <class T>
AREIA_PORTABLE T power_of(const T& x, double e) {
  if (e == 0) return T(1);
  if (e == 0.5) return sqrt_of(x);
  if (e == 1) return x;
  if (e == 1.5) return x * sqrt_of(x);
  if (e == 2) return x * x;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr double kBeyond = 1100;  // 2^1100 is infinite, 2^-1100 is zero
  const TwoPart<T> ln2{T(0x1.62e42fefa39efp-1), T(0x1.abc9e3b39803fp-56)};

  const TwoPart<T> l = log2_in_two_parts(x);
  const TwoPart<T> p = exact_product(T(e), l.high);
  const T t = min_of(max_of(p.high, T(-kBeyond)), T(kBeyond));
  const T rest = select(p.high > T(-kBeyond) && p.high < T(kBeyond), p.low + e * l.low, T(0));
  const T n = nearest(t);
  const TwoPart<T> w = ln2 * exact_sum(t - n, rest);
  const TwoPart<T> bend =
      exact_sum(w.high, w.high * w.high * detail::exp_terms<2, 14>(w.high) + w.low * (T(1) + w.high));
  const TwoPart<T> sum = exact_sum(T(1), bend.high);
  // in two factors, since 2^n alone may overflow where the product does not
  const T n_1 = nearest(0.5 * n);
  const T power = (sum.high + (sum.low + bend.low)) * two_to(n_1) * two_to(n - n_1);

  const T at_zero = select(x >= T(0), T(e > 0 ? 0 : kInfinite), T(std::numeric_limits<double>::quiet_NaN()));
  return select(x > T(0), select(x < T(kInfinite), power, T(e > 0 ? kInfinite : 0)), at_zero);
}

// The natural logarithm; of 0 minus infinity, of a negative number NaN.
template <class T>
AREIA_PORTABLE T log_of(const T& x) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const TwoPart<T> ln2{T(0x1.62e42fefa39efp-1), T(0x1.abc9e3b39803fp-56)};
  const TwoPart<T> l = log2_in_two_parts(x) * ln2;
  const T at_zero = select(x >= T(0), T(-kInfinite), T(std::numeric_limits<double>::quiet_NaN()));
  return select(x > T(0), select(x < T(kInfinite), l.high, x), at_zero);
}

// The cube root of x >= 0; of a negative number NaN. x = 2^(3 k) m with m from 1 to 8. A cubic is within 1.4% of the
// root y of m; Halley's step y (y^3 + 2 m)/(2 y^3 + m) takes an error e to 2 e^3/3, so two of them leave rounding
// alone, and one step of Newton's with y^3 - m in two parts removes that.
template <class T>
AREIA_PORTABLE T cbrt_of(const T& x) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto subnormal = x < T(0x1p-1022);
  const T scaled = select(subnormal, 0x1p54 * x, x);
  const T exponent = exponent_of(scaled);
  const T k = nearest((1.0 / 3) * (exponent - T(1)));  // of 3 k, 3 k + 1, 3 k + 2: k
  const T m = mantissa_of(scaled) * two_to(exponent - 3.0 * k);

  T y = T(0.71673) + m * (T(0.32884) + m * (T(-0.03403) + m * T(0.00163)));
  for (int step = 0; step < 2; ++step) {
    const T cube = y * y * y;
    y = y * ((cube + 2.0 * m) / (2.0 * cube + m));
  }
  const TwoPart<T> square = exact_product(y, y), cube = exact_product(square.high, y);
  const T over = (cube.high - m) + (cube.low + square.low * y);
  y = y - over / (3.0 * square.high);

  const T root = y * two_to(k - select(subnormal, T(18), T(0)));
  const T at_zero = select(x >= T(0), T(0), T(std::numeric_limits<double>::quiet_NaN()));
  return select(x > T(0), select(x < T(kInfinite), root, x), at_zero);
}

}  // namespace areia
