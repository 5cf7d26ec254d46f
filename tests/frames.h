// Frames made by hand, for measures whose answer is known.
#pragma once
#include "areia/frame.h"

namespace areia::test {

inline void add_particle(Frame& f, const Vec3d& x, double radius, int group = 0, const Vec3d& v = {}, double mass = 1) {
  FrameParticles& p = f.particles;
  p.id.push_back(static_cast<std::int64_t>(p.id.size()));
  p.x.push_back(x);
  p.v.push_back(v);
  p.w.push_back({});
  p.q.push_back({1, 0, 0, 0});
  p.force.push_back({});
  p.torque.push_back({});
  p.radius.push_back(radius);
  p.mass.push_back(mass);
  p.charge.push_back(0);
  p.material.push_back(0);
  p.group.push_back(group);
  p.coordination.push_back(0);
  p.prescribed.push_back(0);
}

inline Frame empty_frame() {
  Frame f;
  f.groups = {"a", "b"};
  return f;
}

}  // namespace areia::test
