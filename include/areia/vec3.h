// Vectors of three components over a generic number type: double, later a device type.
#pragma once
#include <cmath>

namespace areia {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  Vec3& operator*=(T s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
  return a += b;
}
template <class T>
Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
  return a -= b;
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vec3<T> operator*(T s, Vec3<T> a) {
  return a *= s;
}
template <class T>
Vec3<T> operator*(Vec3<T> a, T s) {
  return a *= s;
}
template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm2(const Vec3<T>& a) {
  return dot(a, a);
}
inline double norm(const Vec3<double>& a) { return std::sqrt(norm2(a)); }
inline Vec3<double> unit(const Vec3<double>& a) { return (1.0 / norm(a)) * a; }

using Vec3d = Vec3<double>;

}  // namespace areia
