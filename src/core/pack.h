// Several doubles side by side, as a number type for the laws: one law, many contacts. Every operation acts lane by
// lane with the rounding of a double, so a lane's bits are those of the scalar code.
//
// The width is that of the machine's registers; a function that uses packs says so with gnu::target, and everything it
// calls is inlined into it (gnu::flatten). Two lanes are in the registers of every machine.
#pragma once
#include "core/number.h"

namespace areia {

template <int W>
struct LaneTypes;
template <>
struct LaneTypes<2> {
  typedef double Lanes __attribute__((vector_size(16)));
  typedef double Aligned __attribute__((vector_size(16), may_alias));
  typedef long long Bits __attribute__((vector_size(16)));
  typedef unsigned long long Whole __attribute__((vector_size(16), may_alias));
};
template <>
struct LaneTypes<4> {
  typedef double Lanes __attribute__((vector_size(32)));
  typedef double Aligned __attribute__((vector_size(32), may_alias));
  typedef long long Bits __attribute__((vector_size(32)));
  typedef unsigned long long Whole __attribute__((vector_size(32), may_alias));
};
template <>
struct LaneTypes<8> {
  typedef double Lanes __attribute__((vector_size(64)));
  typedef double Aligned __attribute__((vector_size(64), may_alias));
  typedef long long Bits __attribute__((vector_size(64)));
  typedef unsigned long long Whole __attribute__((vector_size(64), may_alias));
};

template <class Whole>
[[gnu::always_inline]] inline bool any_bit(const Whole& bits) {
  unsigned long long all = 0;
  for (unsigned k = 0; k < sizeof(Whole) / 8; ++k) all |= bits[k];
  return all != 0;
}

template <int W>
struct PackMask {
  using Bits = typename LaneTypes<W>::Bits;
  Bits bits;

  friend PackMask operator&&(PackMask a, PackMask b) { return {a.bits & b.bits}; }
  friend PackMask operator||(PackMask a, PackMask b) { return {a.bits | b.bits}; }
  friend PackMask operator!(PackMask a) { return {~a.bits}; }
  friend bool any_of(const PackMask& a) {
    // as a choice of numbers: gcc 12 makes a comparison for its own sake lane by lane
    const typename LaneTypes<W>::Lanes no{}, yes = no + 1, chosen = a.bits ? yes : no;
    return any_bit(reinterpret_cast<typename LaneTypes<W>::Whole>(chosen));
  }
};

template <int W>
struct Pack {
  using Lanes = typename LaneTypes<W>::Lanes;
  using Mask = PackMask<W>;
  using Whole = typename LaneTypes<W>::Whole;
  Lanes lanes{};

  Pack() = default;
  // Written out, so that a copy is that of a vector: gcc takes structures apart into pieces of 16 bytes.
  Pack(const Pack& a) : lanes(a.lanes) {}
  Pack& operator=(const Pack& a) {
    lanes = a.lanes;
    return *this;
  }
  Pack(double a) {  // as a shuffle, and products with a number as such: gcc makes other forms lane by lane
    const Lanes one{a};
    if constexpr (W == 8) lanes = __builtin_shufflevector(one, one, 0, 0, 0, 0, 0, 0, 0, 0);
    else if constexpr (W == 2) lanes = __builtin_shufflevector(one, one, 0, 0);
    else lanes = __builtin_shufflevector(one, one, 0, 0, 0, 0);
  }
  explicit Pack(const Lanes& a) : lanes(a) {}

  static Pack load(const double* from) { return Pack(*reinterpret_cast<const Aligned*>(from)); }
  void store(double* to) const { *reinterpret_cast<Aligned*>(to) = lanes; }
  Whole whole() const { return reinterpret_cast<Whole>(lanes); }

  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes + b.lanes); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes - b.lanes); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes * b.lanes); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes / b.lanes); }
  friend Pack operator*(double a, const Pack& b) { return Pack(a * b.lanes); }
  friend Pack operator-(const Pack& a) { return Pack(-a.lanes); }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  Pack& operator*=(const Pack& b) { return *this = *this * b; }

  friend Mask operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
  friend Mask operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
  friend Mask operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }

  friend Pack select(const Mask& c, const Pack& a, const Pack& b) { return Pack(c.bits ? a.lanes : b.lanes); }
  friend Pack max_of(const Pack& a, const Pack& b) { return Pack(a.lanes > b.lanes ? a.lanes : b.lanes); }
  friend Pack min_of(const Pack& a, const Pack& b) { return Pack(a.lanes < b.lanes ? a.lanes : b.lanes); }
  friend Pack sqrt_of(const Pack& a) {
    const Lanes& l = a.lanes;
    // the compiler makes one instruction of these
    if constexpr (W == 8)
      return Pack(Lanes{__builtin_sqrt(l[0]), __builtin_sqrt(l[1]), __builtin_sqrt(l[2]), __builtin_sqrt(l[3]),
                        __builtin_sqrt(l[4]), __builtin_sqrt(l[5]), __builtin_sqrt(l[6]), __builtin_sqrt(l[7])});
    else if constexpr (W == 2) return Pack(Lanes{__builtin_sqrt(l[0]), __builtin_sqrt(l[1])});
    else return Pack(Lanes{__builtin_sqrt(l[0]), __builtin_sqrt(l[1]), __builtin_sqrt(l[2]), __builtin_sqrt(l[3])});
  }
  friend Pack exponent_of(const Pack& x) {
    return Pack(reinterpret_cast<Lanes>((x.bits() >> kFractionBits) | kExponentOfWhole) - kWholeAndBias);
  }
  friend Pack mantissa_of(const Pack& x) {
    return Pack(reinterpret_cast<Lanes>((x.bits() & kFraction) | kExponentOfOne));
  }
  friend Pack two_to(const Pack& n) {
    return Pack(reinterpret_cast<Lanes>(reinterpret_cast<Bits>(n.lanes + kWholeAndBias) << kFractionBits));
  }

 private:
  using Bits = typename LaneTypes<W>::Bits;
  Bits bits() const { return reinterpret_cast<Bits>(lanes); }
  using Aligned = typename LaneTypes<W>::Aligned;
};

}  // namespace areia
