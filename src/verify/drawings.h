// Sketches of examples that run no case of their own: bodies of the impact lab, single formulas.
#pragma once
#include "verify/sketch.h"

namespace areia::verify::drawings {

Sketch bar_over_floor(double degrees);  // the lower end on the floor, about to strike it
Sketch pendulum(int links);             // hung up, its end at the floor
Sketch three_coins();                   // one moves against two
Sketch impulse_plane();                 // cone of friction, lines of sticking and of greatest compression
Sketch sphere_on_plate();
Sketch two_spheres();     // that approach each other
Sketch turning_sphere();  // two turns, one after the other

}  // namespace areia::verify::drawings
