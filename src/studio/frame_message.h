// A frame as the page draws it, and one of its particles in all digits.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "areia/frame.h"
#include "studio/message.h"

namespace areia::studio {

// Positions as floats from an origin amid the grains, so that they are exact to 1e-7 of the extent of the scene
// wherever it is; radius; the arrays of particles that are asked for by name; walls as triangles and edges; contacts
// and bonds as lines with the force along them. The head has time, step, stage, the box that a picture would show and
// the part of it to look at, names of materials and groups, and which arrays there are.
Message frame_as_message(const Frame& frame, const std::set<std::string>& arrays);
std::string frame_message(const Frame& frame, const std::set<std::string>& arrays);

// {"id": 7, "position": [x, y, z], "radius": r, ...}, every array that the frame has; null for no such particle.
nlohmann::json particle_numbers(const Frame& frame, std::int64_t id);

}  // namespace areia::studio
