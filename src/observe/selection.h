// Which particles and contacts an observable looks at.
#pragma once
#include <algorithm>
#include <functional>

#include "areia/observe.h"
#include "scene/region.h"

namespace areia {

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
    if (!p.prescribed[k] && (group == -1 || p.group[k] == group) && contains(s.region, p.x[k])) look(k);
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
