#include "io/frames/contact_lines.h"

#include <algorithm>

#include "areia/error.h"

namespace areia {

namespace {

std::size_t index_in(const FrameParticles& p, std::int64_t id) {
  const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
  if (found == p.id.end() || *found != id) throw Error("a contact of the frame names a particle that is not in it");
  return static_cast<std::size_t>(found - p.id.begin());
}

}  // namespace

std::array<Vec3d, 2> contact_line(const Frame& frame, const FrameContact& contact) {
  const FrameParticles& p = frame.particles;
  const std::size_t i = index_in(p, contact.i);
  if (contact.j < 0) return {p.x[i], contact.point};
  const std::size_t j = index_in(p, contact.j);
  // Centres of touching spheres are r_i + r_j - overlap apart. Farther away, j acts through its periodic image.
  const double reach = p.radius[i] + p.radius[j];
  const bool direct = norm2(p.x[j] - p.x[i]) <= 4 * reach * reach;
  return {p.x[i], direct ? p.x[j] : p.x[i] + (reach - contact.overlap) * contact.n};
}

Vec3d contact_point(const Frame& frame, const FrameContact& contact) {
  const std::size_t i = index_in(frame.particles, contact.i);
  return frame.particles.x[i] + (frame.particles.radius[i] - 0.5 * contact.overlap) * contact.n;
}

std::array<Vec3d, 4> bond_line(const Frame& frame, const FrameBond& b) {
  const FrameParticles& p = frame.particles;
  const std::size_t i = index_in(p, b.i);
  Vec3d end = b.at_j;
  if (b.j >= 0) {
    const std::size_t j = index_in(p, b.j);
    const double near = 2 * (p.radius[i] + p.radius[j] + norm(b.at_i - p.x[i]));
    if (norm(p.x[j] - b.at_j) <= near) end = p.x[j];
  }
  return {p.x[i], b.at_i, b.at_j, end};
}

}  // namespace areia
