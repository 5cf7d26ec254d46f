#include "engine/packing_support.h"

#include <algorithm>

namespace areia {

double lowest_support(const std::vector<Wall>& walls, const Frame& frame, const Vec3d& up) {
  constexpr double kMargin = 0.02;  // of the height of the walls: chords of 36 degrees
  double low = kForever, high = -kForever;
  for (std::size_t w = 0; w < walls.size(); ++w) {
    if (const auto* plane = std::get_if<PlaneShape>(&walls[w].shape)) {
      if (dot(plane->normal, up) > 1e-9 * norm(plane->normal)) return -kForever;
      continue;
    }
    for (const Vec3d& v : frame.walls[w].vertices) {
      low = std::min(low, dot(v, up));
      high = std::max(high, dot(v, up));
    }
  }
  if (high > low) low -= kMargin * (high - low);
  const FrameParticles& p = frame.particles;
  for (std::size_t i = 0; i < p.id.size(); ++i)
    if (p.prescribed[i]) low = std::min(low, dot(p.x[i], up) - p.radius[i]);
  return low;
}

}  // namespace areia
