// Rules of the generators: gradings, dense packings, streams.
#pragma once
#include <string>

#include "scene/rules/rules.h"

namespace areia {

bool check_radius_shares(Rules& r, const std::string& key, const RadiusDistribution& d);
void check_fill(Rules& r, const std::string& key, const RandomAddition& f);
double check_stream(Rules& r, const ParticleSet& set);  // returns the particles to expect

}  // namespace areia
