// How far from what a wall turns about the points of it are that bodies may meet before lists are made again: a turn by
// an angle takes them that far times the angle along, at most.
#pragma once
#include <cmath>

#include "scene/motion.h"
#include "scene/shapes/shape.h"
#include "search/periodicity.h"

namespace areia {

// Bodies in the box meet the wall no further away than they are, which gives the arm `within`. But where the box is
// periodic their images meet it as far as it reaches, beyond the box: then the arm is at least that of the farthest
// point of the wall, which lies in the sphere `around` it in its own frame. distance(x) is that of a point in space
// from what the wall turns about. Endless walls run along the periodic directions and are their own images.
template <class Distance>
double turning_arm(const Periodicity& periodicity, const Extent& around, const Pose& pose, double within,
                   Distance&& distance) {
  if (!periodicity.any() || !std::isfinite(around.radius)) return within;
  return std::fmax(within, distance(pose.to_world(around.center)) + around.radius);
}

}  // namespace areia
