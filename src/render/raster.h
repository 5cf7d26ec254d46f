// Depth buffers: which sphere, polygon or line is nearest in each sample. The result does not depend on the order of
// drawing (the lower index wins a tie) nor on the number of threads (each owns bands of rows).
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "render/camera.h"

namespace areia::picture {

struct Sphere {
  Vec3d centre;  // camera coordinates
  double radius = 0;
};

// A convex or star-shaped polygon in camera coordinates, drawn as a fan of triangles.
struct Polygon {
  std::vector<Vec3d> points;
  Vec3d normal;        // unit, towards the eye
  bool fades = false;  // part of an endless plane: goes over into the background away from the view
};

// A round line between two points in camera coordinates.
struct Line {
  Vec3d from, to;
  double width = 2;  // samples
};

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

void draw_spheres(DepthBuffer& buffer, const Camera& camera, const std::vector<Sphere>& spheres);
void draw_polygons(DepthBuffer& buffer, const Camera& camera, const std::vector<Polygon>& polygons);
void draw_lines(DepthBuffer& buffer, const Camera& camera, const std::vector<Line>& lines);

}  // namespace areia::picture
