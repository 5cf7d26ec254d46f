// Rules of fields, fluid and forces at a distance; see rules.h.
#pragma once
#include "scene/rules/rules.h"

namespace areia {

void check_fields(Rules& r);
void check_fluid(Rules& r);
void check_forces(Rules& r);

}  // namespace areia
