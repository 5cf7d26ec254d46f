// Frames that look like real ones, for pictures: a heap on a plane, a drum, a box. Grains stand on a disturbed lattice.
#pragma once
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "areia/frame.h"

namespace areia::testing_support {

inline void fill_scene(Frame& f, double radius, double half_width, double height,
                       const std::function<bool(Vec3d)>& inside) {
  std::mt19937_64 random(11);
  const auto number = [&] { return 2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1; };
  FrameParticles& p = f.particles;
  const double step = 2.02 * radius, layer = step * std::sqrt(2.0 / 3.0), row = step * std::sqrt(0.75);
  int k = 0;
  for (double z = -height + radius; z < height; z += layer, ++k) {
    int j = 0;
    for (double y = -half_width; y < half_width; y += row, ++j)
      for (double x = -half_width; x < half_width; x += step) {
        const double shift = 0.5 * step * ((j + k) % 2);
        const double dx = number(), dy = number(), dz = number(), dr = number();
        const Vec3d c{x + shift + 0.25 * radius * dx, y + (k % 2) * row / 3 + 0.25 * radius * dy,
                      z + 0.12 * radius * dz};
        if (!inside(c)) continue;
        const auto id = static_cast<std::int64_t>(p.id.size());
        p.id.push_back(id);
        p.x.push_back(c);
        p.v.push_back({0.8 * std::max(0.0, c.z) + 0.05 * dx, 0.05 * dy, -0.3 * std::max(0.0, c.z)});
        p.w.push_back({dx, dy, dz});
        p.q.push_back({1, 0, 0, 0});
        p.force.push_back({dx, dy, dz});
        p.torque.push_back({});
        p.radius.push_back(radius * (0.97 + 0.13 * dr));
        p.mass.push_back(1);
        p.material.push_back(0);
        p.group.push_back(static_cast<std::int32_t>(id % 3));
        p.coordination.push_back(static_cast<std::int32_t>(4 + 2 * dz));
        p.prescribed.push_back(0);
      }
  }
  f.materials = {"glass"};
  f.groups = {"small", "medium", "large"};
}

inline FrameWall plane_wall(double half) {
  FrameWall wall;
  wall.name = "floor";
  wall.vertices = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  wall.polygons = {{0, 1, 2, 3}};
  return wall;
}

inline Frame heap_scene(double radius = 0.02) {
  Frame f;
  f.title = "Collapse of a pile of grains";
  f.stage = "collapse";
  f.time = 1.24;
  fill_scene(f, radius, 0.8, 0.8, [](Vec3d c) { return c.z > 0 && c.z < 0.45 - 0.6 * std::hypot(c.x, c.y); });
  f.walls = {plane_wall(100)};
  return f;
}

inline Frame box_scene(double radius = 0.03) {
  Frame f;
  f.title = "Filling of a box";
  f.stage = "settle";
  f.time = 0.5;
  fill_scene(f, radius, 0.5, 0.6, [&](Vec3d c) {
    return c.z > radius && c.z < 0.4 + 0.05 * std::sin(7 * c.x) && std::abs(c.x) < 0.5 - radius &&
           std::abs(c.y) < 0.5 - radius;
  });
  FrameWall wall;
  wall.name = "box";
  for (int k = 0; k < 8; ++k) wall.vertices.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.8 : 0.0});
  wall.polygons = {{0, 1, 3, 2}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  f.walls = {wall};
  return f;
}

inline Frame drum_scene(double radius = 0.02) {
  Frame f;
  f.title = "Rotating drum";
  f.stage = "turn";
  f.time = 12.5;
  const double big = 0.5, half_length = 0.3;
  fill_scene(f, radius, 0.6, 0.6, [&](Vec3d c) {
    return std::hypot(c.x, c.z) < big - radius && std::abs(c.y) < half_length - radius && c.z < -0.08 + 0.5 * c.x;
  });
  FrameWall wall;
  wall.name = "drum";
  const int facets = 64;
  for (int k = 0; k < facets; ++k) {
    const double angle = 2 * std::numbers::pi * k / facets;
    wall.vertices.push_back({big * std::cos(angle), -half_length, big * std::sin(angle)});
    wall.vertices.push_back({big * std::cos(angle), half_length, big * std::sin(angle)});
  }
  std::vector<std::int32_t> cap_from, cap_to;
  for (int k = 0; k < facets; ++k) {
    const int next = (k + 1) % facets;
    wall.polygons.push_back({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
    cap_from.push_back(2 * k);
    cap_to.push_back(2 * k + 1);
  }
  wall.polygons.push_back(cap_from);
  wall.polygons.push_back(cap_to);
  f.walls = {wall};
  return f;
}

// Contacts between all grains that touch, with forces that grow downwards; brute force over sorted heights.
inline void add_contacts(Frame& f) {
  const FrameParticles& p = f.particles;
  for (std::size_t i = 0; i < p.id.size(); ++i)
    for (std::size_t j = i + 1; j < p.id.size() && p.x[j].z - p.x[i].z < 3 * p.radius[i] + 0.01; ++j) {
      const Vec3d d = p.x[j] - p.x[i];
      const double overlap = p.radius[i] + p.radius[j] - norm(d);
      if (overlap <= 0) continue;
      FrameContact c;
      c.i = p.id[i];
      c.j = p.id[j];
      c.overlap = overlap;
      c.n = unit(d);
      c.normal = std::abs(c.n.z) * overlap / p.radius[i] * (1 - p.x[i].z);
      f.contacts.push_back(c);
    }
}

}  // namespace areia::testing_support
