// What rank 0 tells the others, and how they obey.
#pragma once
#include "engine/ranks/wire.h"

namespace areia::ranks {

// When things happen: what a schedule follows from besides the case, and the steps from here on.
void put_times(Writer& to, const Schedule& schedule, const StepTimes& steps);
void put_world(Writer& to, const WorldState& world);
WorldState get_world(Reader& from, const Grid& bookings);

}  // namespace areia::ranks
