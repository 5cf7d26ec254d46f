// Walls for pictures: which of their polygons are shown as surfaces, and which edges as lines.
#pragma once
#include <vector>

#include "areia/frame.h"
#include "io/render/raster.h"

namespace areia::picture {

struct WallShapes {
  std::vector<Polygon> surfaces;  // those behind the grains: a surface before them would hide them
  std::vector<Line> edges;        // borders, creases, and the outline of curved walls
  std::vector<bool> near;         // per edge: belongs to a wall before the grains
};

// Polygons are clipped to `neighbourhood`, as planes are endless. A polygon is before the grains when it separates the
// eye from the middle of the view.
WallShapes wall_shapes(const Frame& frame, const Camera& camera, const Box& neighbourhood, const Vec3d& middle);

}  // namespace areia::picture
