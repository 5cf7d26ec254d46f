#include "scene/mesh_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace areia {

std::string split_patches(const TriangleMesh& mesh) {
  constexpr double kLittleMore = 3;  // times the angle
  constexpr std::size_t kSome = 12;
  constexpr double kGoodPart = 0.3;  // of the edges that bend
  const double degrees = 180 / std::numbers::pi;
  const double limit = degrees * std::acos(std::clamp(mesh.patch_cosine, -1.0, 1.0));
  std::vector<std::int32_t> first(mesh.edges.size(), -1);
  std::size_t bent = 0, little = 0;
  double widest = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::int32_t e : mesh.triangles[t].edge) {
      if (first[e] < 0) {
        first[e] = static_cast<std::int32_t>(t);
        continue;
      }
      const TriangleMesh::Triangle &a = mesh.triangles[first[e]], &b = mesh.triangles[t];
      const double cosine = dot(mesh.planes[a.plane].normal, mesh.planes[b.plane].normal);
      const double angle = degrees * std::acos(std::clamp(std::fabs(cosine), 0.0, 1.0));
      if (angle < 0.1) continue;
      ++bent;
      if (a.patch == b.patch || angle > kLittleMore * limit) continue;
      ++little;
      widest = std::max(widest, angle);
    }
  if (little < kSome || static_cast<double>(little) < kGoodPart * static_cast<double>(bent)) return "";
  return fmt::format(
      "{} of its edges bend by up to {:.3g} degrees, a little more than `patch_angle`, {:.3g}: a rounded surface falls "
      "into {} patches, at whose edges contacts forget; `patch_angle = \"{:.0f} deg\"` makes one of them",
      little, widest, limit, mesh.patches, std::ceil(widest + 0.5));
}

}  // namespace areia
