// Small meshes for tests.
#pragma once
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "areia/case.h"

namespace areia::test {

// corner + u a + v b, cut n by n, two triangles a cell; normal a x b.
inline void add_face(MeshShape& mesh, const Vec3d& corner, const Vec3d& a, const Vec3d& b, int n) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      mesh.vertices.push_back(corner + (static_cast<double>(i) / n) * a + (static_cast<double>(j) / n) * b);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::int32_t p = first + i * (n + 1) + j, q = p + n + 1;
      mesh.triangles.push_back({p, q, q + 1});
      mesh.triangles.push_back({p, q + 1, p + 1});
    }
}

// From (0, 0) to (1, 1) in the plane z = 0.
inline MeshShape square_mesh(int n) {
  MeshShape mesh;
  add_face(mesh, {}, {1, 0, 0}, {0, 1, 0}, n);
  return mesh;
}

inline MeshShape box_mesh(const Vec3d& low, const Vec3d& high, int n) {
  MeshShape mesh;
  const Vec3d s = high - low, x{s.x, 0, 0}, y{0, s.y, 0}, z{0, 0, s.z};
  add_face(mesh, low, y, x, n);
  add_face(mesh, low + z, x, y, n);
  add_face(mesh, low, x, z, n);
  add_face(mesh, low + y, z, x, n);
  add_face(mesh, low, z, y, n);
  add_face(mesh, low + x, y, z, n);
  // exact corners, so that equal places have equal bits
  for (Vec3d& v : mesh.vertices) {
    if (std::fabs(v.x - high.x) < 1e-12) v.x = high.x;
    if (std::fabs(v.y - high.y) < 1e-12) v.y = high.y;
    if (std::fabs(v.z - high.z) < 1e-12) v.z = high.z;
  }
  return mesh;
}

// A tube of n flat sides around, m rings along; its corners lie on the radius times `out`.
inline MeshShape tube_mesh(const Vec3d& from, const Vec3d& to, double radius, int n, int m, double out = 1) {
  MeshShape mesh;
  const Vec3d axis = unit(to - from);
  const Vec3d a = unit(cross(axis, std::fabs(axis.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0})), b = cross(axis, a);
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      mesh.vertices.push_back(from + (static_cast<double>(j) / m) * (to - from) +
                              (out * radius) * (std::cos(angle) * a + std::sin(angle) * b));
    }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      const std::int32_t p = j * n + i, q = j * n + (i + 1) % n;
      mesh.triangles.push_back({p, q, q + n});
      mesh.triangles.push_back({p, q + n, p + n});
    }
  return mesh;
}

}  // namespace areia::test
