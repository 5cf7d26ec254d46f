// The automatic choices: time step, skin, threads. Theory manual, section 13.2; every choice comes with its reason in
// words.
#pragma once
#include "areia/simulation.h"
#include "scene/scene.h"

namespace areia {

// The skin that is chosen may grow up to this many times where particles move fast.
inline constexpr double kMostSkinOverChosen = 5;

// Throws InputError if the case's own time step cannot resolve the shortest contact.
Choices choose(const Scene& scene);

// The same where there is no time step: the grid of times at which the state can be shown and stages end.
Choices choose_for_events(const Scene& scene);  // time_step_events.cpp

}  // namespace areia
