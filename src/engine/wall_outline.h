// Walls as polygons for frames and pictures, at their present place.
#pragma once
#include <functional>
#include <vector>

#include "areia/frame.h"
#include "scene/motion.h"
#include "scene/scene.h"

namespace areia {

// Infinite planes are cut to the neighbourhood of the particles. Removed walls have no polygons.
std::vector<FrameWall> outline_walls(const Scene& scene, const std::function<Pose(std::size_t)>& pose,
                                     const std::function<bool(std::size_t)>& present, const FrameParticles& particles);

}  // namespace areia
