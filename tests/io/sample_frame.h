// A small frame with every field different, for tests of files and pictures.
#pragma once
#include <cmath>
#include <random>

#include "areia/frame.h"

namespace areia::testing_support {

inline Frame sample_frame(int count = 10, double time = 0.25) {
  Frame f;
  f.title = "Sand & stones <été>";
  f.stage = "settle";
  f.time = time;
  f.dt = 1e-5;
  f.step = static_cast<std::int64_t>(std::llround(time / f.dt));
  f.materials = {"glass", "steel"};
  f.groups = {"pile", "stones", "inlet"};
  FrameParticles& p = f.particles;
  std::mt19937_64 random(7);
  const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const auto vector = [&] {
    const double x = number(), y = number(), z = number();
    return Vec3d{x, y, z};
  };
  for (int k = 0; k < count; ++k) {
    p.id.push_back(3 * k + 1);
    p.x.push_back(vector());
    p.v.push_back(vector());
    p.w.push_back(vector());
    p.q.push_back({0.5, -0.5, 0.5, -0.5});
    p.force.push_back(vector());
    p.torque.push_back(vector());
    p.radius.push_back(0.03 + 0.02 * number());
    p.mass.push_back(1.0 + number());
    p.material.push_back(k % 2);
    p.group.push_back(k % 3);
    p.coordination.push_back(k % 7);
    p.prescribed.push_back(k == 4);
  }
  if (count > 1) {
    FrameContact c;
    c.i = p.id[0];
    c.j = p.id[1];
    const Vec3d branch = p.x[1] - p.x[0];
    c.n = unit(branch);
    p.radius[0] = p.radius[1] = 0.51 * norm(branch);
    c.overlap = 0.02 * norm(branch);
    c.point = 0.5 * (p.x[0] + p.x[1]);
    c.force = -3.0 * c.n;
    c.normal = 3;
    c.tangential = 0.5;
    c.elongation = {1e-6, 2e-6, 3e-6};
    f.contacts.push_back(c);
    FrameContact w;
    w.i = p.id[1];
    w.wall = 1;
    w.patch = 2;
    w.point = {p.x[1].x, p.x[1].y, 0};
    w.n = {0, 0, -1};
    w.overlap = 1e-4;
    w.force = {0, 0, 7};
    w.normal = 7;
    f.contacts.push_back(w);
  }
  FrameWall nowhere;
  nowhere.name = "far";
  nowhere.force = {9, 8, 7};
  FrameWall floor;
  floor.name = "floor";
  floor.force = {1, 2, -7};
  floor.torque = {0.1, 0.2, 0.3};
  floor.origin = {0.5, 0.5, 0};
  floor.velocity = {0, 0, 0.01};
  floor.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}};
  floor.polygons = {{0, 1, 2, 3}, {0, 1, 5, 4}};
  FrameWall side;
  side.name = "side";
  side.force = {-1, 0, 0};
  side.vertices = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  side.polygons = {{0, 1, 2}};
  f.walls = {nowhere, floor, side};
  double value = 1;
  for (double Energy::*member : {&Energy::kinetic, &Energy::rotational, &Energy::potential, &Energy::damping,
                                 &Energy::numerical, &Energy::residual})
    f.energy.*member = (value += 0.1);
  f.lost = 2;
  f.removed = 3;
  return f;
}

}  // namespace areia::testing_support
