// A wall of a case made ready for engines and generators.
#pragma once
#include "scene/scene.h"
#include "scene/wall_geometry.h"

namespace areia {

// Directions at unit length, meshes examined, repaired and prepared; what was found goes to `notes`.
SceneWall make_wall(const Case& c, const Wall& w, std::uint16_t material, std::vector<std::string>& notes);

// A sphere around a wall, in the wall's own frame.
Extent extent_of(const SceneWall& wall);

// The nearest point of a whole wall, in the wall's own frame; of a mesh only if it is within `reach`.
WallPoint nearest_point(const SceneWall& wall, const Vec3d& x, double reach);

// Distance of a centre to a wall in its first placement; of a mesh only up to `reach`, else infinity.
double wall_distance(const SceneWall& wall, const Vec3d& x, double reach);

}  // namespace areia
