// A frame as the page draws it, and one of its particles in all digits.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "areia/frame.h"
#include "render/colour.h"
#include "studio/frame_cache.h"
#include "studio/message.h"

namespace areia::studio {

// What the page asks for. An array is one of the frame (`velocity`), or one number of its tuples (`velocity.length`,
// `velocity.x`), which is a third of the bytes.
struct FrameRequest {
  std::set<std::string> arrays;
  std::string colour;   // what grains are coloured by: its values, and in the head the range of the scale
  Vec3d up{0, 0, 1};    // for heights
  double duration = 0;  // s, from the first to the last frame of the run; see picture::scale_of
  enum class Lines { none, range, all } lines = Lines::none;  // contacts and bonds; range: their scale alone
  std::set<std::string> have;                                 // parts that the page has already, by their keys

  Needs needs() const;
};

// Positions as floats from an origin amid the grains, so that they are exact to 1e-7 of the extent of the scene
// wherever it is; the arrays that are asked for; contacts and bonds as lines with the force along them, whose scale is
// in the head. It has time, step, stage, the box that a picture would show and the part of it to look at, the numbers
// of walls, names of materials and groups, and which arrays there are.
//
// What seldom changes has a key, and is left out where the page has it: `grains` (id, radius, material, group) and
// `shapes` (walls as triangles and edges, from an origin of their own). Keys tell contents, so a run that begins anew,
// or takes grains out, brings new ones.
Message frame_as_message(const KeptFrame& kept, const FrameRequest& request);

// {"id": 7, "position": [x, y, z], "radius": r, ...}, every array that the frame has; null for no such particle.
nlohmann::json particle_numbers(const Frame& frame, std::int64_t id);

// What grains are coloured by, by such a name of an array or `height`; nothing where the frame has none.
std::optional<picture::Colouring> colours_of(const Frame& frame, const std::string& name, const Vec3d& up);

// "velocity" of "velocity.x".
std::string array_behind(const std::string& name);

// The box in which walls are shown: that of `areia render`, but rounded outwards to steps of an eighth of its size and
// more, so that walls stay the same while grains move a little.
Box wall_box(const Frame& frame);

}  // namespace areia::studio
