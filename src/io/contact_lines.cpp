#include "io/contact_lines.h"

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

std::vector<std::pair<Vec3d, Vec3d>> contact_lines(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  const auto index_of = [&](std::int64_t id) { return index_in(p, id); };
  std::vector<std::pair<Vec3d, Vec3d>> lines;
  lines.reserve(frame.contacts.size());
  for (const FrameContact& contact : frame.contacts) {
    const std::size_t i = index_of(contact.i);
    if (contact.j < 0) {
      lines.emplace_back(p.x[i], contact.point);
      continue;
    }
    const std::size_t j = index_of(contact.j);
    // Centres of touching spheres are r_i + r_j - overlap apart. Farther away, j acts through its periodic image.
    const double reach = p.radius[i] + p.radius[j];
    const bool direct = norm2(p.x[j] - p.x[i]) <= 4 * reach * reach;
    lines.emplace_back(p.x[i], direct ? p.x[j] : p.x[i] + (reach - contact.overlap) * contact.n);
  }
  return lines;
}

std::vector<std::array<Vec3d, 4>> bond_lines(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  std::vector<std::array<Vec3d, 4>> lines;
  lines.reserve(frame.bonds.size());
  for (const FrameBond& b : frame.bonds) {
    const std::size_t i = index_in(p, b.i);
    Vec3d end = b.at_j;
    if (b.j >= 0) {
      const std::size_t j = index_in(p, b.j);
      const double near = 2 * (p.radius[i] + p.radius[j] + norm(b.at_i - p.x[i]));
      if (norm(p.x[j] - b.at_j) <= near) end = p.x[j];
    }
    lines.push_back({p.x[i], b.at_i, b.at_j, end});
  }
  return lines;
}

}  // namespace areia
