#include "io/contact_lines.h"

#include <algorithm>

#include "areia/error.h"

namespace areia {

std::vector<std::pair<Vec3d, Vec3d>> contact_lines(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  const auto index_of = [&](std::int64_t id) {
    const auto found = std::lower_bound(p.id.begin(), p.id.end(), id);
    if (found == p.id.end() || *found != id) throw Error("a contact of the frame names a particle that is not in it");
    return static_cast<std::size_t>(found - p.id.begin());
  };
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

}  // namespace areia
