// Walls for pictures: which of their polygons are shown as surfaces, and which edges as lines.
#pragma once
#include <vector>

#include "areia/frame.h"
#include "render/raster.h"

namespace areia::picture {

// What of a wall is drawn, whatever the camera: its polygons within a box, and the edges between them.
struct WallFacet {
  std::vector<Vec3d> points;
  Vec3d normal;  // unit
};
struct WallEdge {
  Vec3d from, to;
  std::vector<std::size_t> facets;  // that have it
  bool crease = false;              // they meet at 30 degrees or more
  bool is_sharp() const { return facets.size() == 1 || crease; }
};
struct WallFacets {
  std::vector<WallFacet> facets;
  std::vector<WallEdge> edges;  // without those that come from cutting
  bool endless = false;         // goes on beyond the box
  // A wall that bends round (cylinder, cone, box): normals of facets point away from its middle, and those that face
  // the eye are before what is inside. Else it is a sheet, the whole of which is before the grains or behind them.
  bool bends_round = false;
};
WallFacets wall_facets(const FrameWall& wall, const Box& around);

// Which facets lie between the eye and the grains: they are drawn clear, so that they hide nothing.
std::vector<bool> facets_before(const WallFacets& wall, const Camera& camera, const Frame& frame, const Box& view);

struct WallShapes {
  std::vector<Polygon> surfaces;  // those behind the grains: a surface before them would hide them
  std::vector<Line> edges;        // borders, creases, and the outline of curved walls
  std::vector<bool> near;         // per edge: belongs to a wall before the grains
};

// Walls much larger than the view (planes are endless) are clipped to its neighbourhood and fade there, without a
// border. What is cut away of the scene is cut away of them.
WallShapes wall_shapes(const Frame& frame, const Camera& camera, const Box& view, const std::vector<HalfSpace>& kept);

// What the half spaces leave of a polygon and of a line, in camera coordinates; false: nothing.
std::vector<Vec3d> cut_polygon(std::vector<Vec3d> points, const std::vector<HalfSpace>& kept);
bool cut_line(Line& line, const std::vector<HalfSpace>& kept);

bool inside(const Box& box, const Vec3d& p);  // or on its surface
Box inflated(const Box& box, double by);
// Neighbourhood of the view in which endless walls are drawn.
Box neighbourhood(const Box& view);

}  // namespace areia::picture
