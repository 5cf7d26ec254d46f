// Vectors of three components over a generic number type: double, or several numbers side by side.
#pragma once
#include <cmath>
#include <type_traits>

#include "areia/portable.h"

namespace areia {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  AREIA_PORTABLE Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  AREIA_PORTABLE Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  AREIA_PORTABLE Vec3& operator*=(T s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
AREIA_PORTABLE Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
  return a += b;
}
template <class T>
AREIA_PORTABLE Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
  return a -= b;
}
template <class T>
AREIA_PORTABLE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
// The factor may be of any type that becomes a T: a plain number times a vector of packs.
template <class T>
AREIA_PORTABLE Vec3<T> operator*(std::type_identity_t<T> s, Vec3<T> a) {
  return a *= s;
}
template <class T>
AREIA_PORTABLE Vec3<T> operator*(Vec3<T> a, std::type_identity_t<T> s) {
  return a *= s;
}
template <class T>
AREIA_PORTABLE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
AREIA_PORTABLE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
AREIA_PORTABLE T norm2(const Vec3<T>& a) {
  return dot(a, a);
}
AREIA_PORTABLE inline double norm(const Vec3<double>& a) { return std::sqrt(norm2(a)); }
AREIA_PORTABLE inline Vec3<double> unit(const Vec3<double>& a) { return (1.0 / norm(a)) * a; }

using Vec3d = Vec3<double>;

// Along x, y or z: k = 0, 1 or 2.
AREIA_PORTABLE inline double& component(Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
AREIA_PORTABLE inline double component(const Vec3d& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }

}  // namespace areia
