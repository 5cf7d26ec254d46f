// Pairs of walls that load a sample by stresses or strain rates: theory manual, section 12.6.
//
// Along an axis with the present length L each wall moves outwards with the speed u, both alike:
//   strain rate e:  u = -e L/2
//   stress s:       u0 = gain (F - s A) + w, |u0| <= max_speed;  u <- u + b (u0 - u)     as a servo does (servo.h)
//                   w <- w + gain (F - s A)/200 where |F - s A| < s A/5, |w| <= max_speed
// A sample that is sheared gives way to the sides at some speed; without w the force would be off by that speed over
// the gain. w is what holds the stress in the mean; it learns within some 200 steps, slowly against the wall's own
// response, and only near the target, so that it does not run away while the walls come up.
// F is the mean of the forces with which the particles push the two walls outwards, A the area between the walls of the
// other two axes. All lengths are those before the step, so that no axis comes first.
#pragma once
#include <vector>

#include "engine/world.h"

namespace areia {

// Length of the box along an axis now; 0 where there is none.
double length_of(const LoadingPlan::Axis& axis, const std::vector<WallState>& walls);

// Moves all walls of all loadings on by one step that ends at time t. Of two that run at once and drive the same axis
// the later one does. Throws StoppedError when two walls would meet.
void advance_loadings(const std::vector<LoadingPlan>& plans, std::vector<WallState>& walls, double t, double dt);

}  // namespace areia
