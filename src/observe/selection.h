// Which particles and contacts an observable looks at.
#pragma once
#include <algorithm>
#include <functional>

#include "areia/observe.h"

namespace areia {

// Whether a point lies in a region: strict inequalities, as for fields. Regions of meshes are refused before.
inline bool inside(const Region& r, const Vec3d& x) {
  bool in = false;
  switch (r.kind) {
    case Region::Kind::box:
      in = x.x > r.box.min.x && x.x < r.box.max.x && x.y > r.box.min.y && x.y < r.box.max.y && x.z > r.box.min.z &&
           x.z < r.box.max.z;
      break;
    case Region::Kind::sphere:
      in = norm2(x - r.center) < r.radius * r.radius;
      break;
    case Region::Kind::cylinder: {
      const Vec3d axis = r.to - r.from;
      const double along = dot(x - r.from, axis), length2 = norm2(axis);
      in = along > 0 && along < length2 && norm2(x - r.from) - along * along / length2 < r.radius * r.radius;
      break;
    }
    case Region::Kind::half_space:
      in = dot(x - r.point, r.normal) > 0;
      break;
    case Region::Kind::slab: {
      const Vec3d axis = r.to - r.from;
      const double along = dot(x - r.from, axis);
      in = along > 0 && along < norm2(axis);
      break;
    }
    case Region::Kind::mesh:
      break;
    case Region::Kind::all:
      in = true;
      break;
  }
  return in != r.outside;
}

// The number of a group in the frame's table; -1 for all groups, -2 for one that the frame does not have.
inline std::int32_t group_number(const Frame& frame, const std::string& name) {
  if (name.empty()) return -1;
  const auto found = std::find(frame.groups.begin(), frame.groups.end(), name);
  return found == frame.groups.end() ? -2 : static_cast<std::int32_t>(found - frame.groups.begin());
}

template <class F>
void for_each_selected(const Frame& frame, const Selection& s, F&& look) {
  const FrameParticles& p = frame.particles;
  const std::int32_t group = group_number(frame, s.group);
  for (std::size_t k = 0; k < p.id.size(); ++k)
    if (!p.prescribed[k] && (group == -1 || p.group[k] == group) && inside(s.region, p.x[k])) look(k);
}

// Index of a particle id in the frame, which holds ids in ascending order; -1 when it is not there.
inline std::int64_t index_of(const FrameParticles& p, std::int64_t id) {
  const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
  return found == p.id.end() || *found != id ? -1 : found - p.id.begin();
}

inline void add_product(Tensor& t, double s, const Vec3d& a, const Vec3d& b) {
  t[0] += (s * a.x) * b;
  t[1] += (s * a.y) * b;
  t[2] += (s * a.z) * b;
}
inline Tensor scaled(Tensor t, double s) {
  for (Vec3d& row : t) row *= s;
  return t;
}
inline double trace(const Tensor& t) { return t[0].x + t[1].y + t[2].z; }

// sqrt(3/2 s:s) of the deviator s of the symmetric part.
inline double deviator(const Tensor& t) {
  const double mean = trace(t) / 3;
  const double xx = t[0].x - mean, yy = t[1].y - mean, zz = t[2].z - mean;
  const double xy = (t[0].y + t[1].x) / 2, xz = (t[0].z + t[2].x) / 2, yz = (t[1].z + t[2].y) / 2;
  return std::sqrt(1.5 * (xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)));
}

}  // namespace areia
