// Four doubles in one 32-byte line half: a vector and one more number that is read with it.
#pragma once
#include <cstddef>

#include "areia/vec3.h"

namespace areia {

struct alignas(32) Vec4 {
  double x = 0, y = 0, z = 0, w = 0;
  AREIA_PORTABLE Vec3d xyz() const { return {x, y, z}; }
  AREIA_PORTABLE void set_xyz(const Vec3d& a) {
    x = a.x;
    y = a.y;
    z = a.z;
  }
  // The vector alone.
  Vec4& operator+=(const Vec3d& a) {
    x += a.x;
    y += a.y;
    z += a.z;
    return *this;
  }
  Vec4& operator-=(const Vec3d& a) {
    x -= a.x;
    y -= a.y;
    z -= a.z;
    return *this;
  }
  // All four numbers.
  Vec4& operator+=(const Vec4& a) {
    x += a.x;
    y += a.y;
    z += a.z;
    w += a.w;
    return *this;
  }
};

// Two that are used together: one cache line.
struct alignas(64) Twin {
  Vec4 first, second;
};

// One of the two in an array of twins.
template <class Number>
struct Half {
  Number* start = nullptr;
  Number& operator[](std::size_t i) const { return start[2 * i]; }
};

}  // namespace areia
