// Rules for walls, their motions, servos and presence.
#pragma once
#include "scene/rules/rules.h"

namespace areia {

void check_walls(Rules& r);

}  // namespace areia
