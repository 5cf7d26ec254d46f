// Depth buffers: which sphere, polygon or line is nearest in each sample. The result does not depend on the order of
// drawing (the lower index wins a tie) nor on the number of threads (each owns tiles or bands of rows).
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "render/scan.h"

namespace areia::picture {

struct Sphere {
  Vec3d centre;  // camera coordinates
  double radius = 0;
};

// What is kept of a scene that is cut: normal . p <= offset, in camera coordinates.
struct HalfSpace {
  Vec3d normal;
  double offset = 0;
};
HalfSpace in_camera(const CutPlane& cut, const Camera& camera);
bool is_kept(const std::vector<HalfSpace>& kept, const Vec3d& p);

struct DepthBuffer {
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  DepthBuffer(int w, int h)
      : width(w), height(h), depth(std::size_t(w) * std::size_t(h), kFar), index(depth.size(), -1) {}
  int width, height;
  std::vector<float> depth;  // z in camera coordinates
  std::vector<std::int32_t> index;

  std::size_t at(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
  void put(std::size_t sample, float z, std::int32_t i) {
    if (z < depth[sample] || (z == depth[sample] && i < index[sample])) {
      depth[sample] = z;
      index[sample] = i;
    }
  }
};

// Spheres cut by the half spaces show flat faces there.
void draw_spheres(DepthBuffer& buffer, const Camera& camera, const std::vector<Sphere>& spheres,
                  const std::vector<HalfSpace>& kept = {});
// Unit normal of a sphere's surface at a point on it, of its flat face where it is cut.
Vec3d surface_normal(const Sphere& sphere, const Vec3d& point, const std::vector<HalfSpace>& kept);

void draw_polygons(DepthBuffer& buffer, const Camera& camera, const std::vector<Polygon>& polygons);
void draw_lines(DepthBuffer& buffer, const Camera& camera, const std::vector<Line>& lines);

}  // namespace areia::picture
