// Contacts and bonds as rods: where they are, how strong, and whether they push or pull.
#pragma once
#include <vector>

#include "areia/frame.h"
#include "render/colour.h"
#include "render/raster.h"

namespace areia::picture {

struct ForceLine {
  Vec3d from, to;
  double force = 0;  // N; a push is positive, a pull negative
  bool bond = false;
};
std::vector<ForceLine> force_lines(const Frame& frame, bool contacts, bool bonds);

// From zero to the strongest of all but half a per cent.
ColourScale force_scale(const std::vector<ForceLine>& lines);
bool some_pull(const std::vector<ForceLine>& lines, const ColourScale& scale);  // that can be seen

struct Chains {
  std::vector<Line> lines;
  std::vector<Colour> colours;
};
// Those below 4 % of the scale are left out; a bond is there also without force. `radius`: of a typical grain.
Chains chains_of(const std::vector<ForceLine>& lines, const ColourScale& scale, const Camera& camera, double radius,
                 const std::vector<HalfSpace>& kept, bool dark = false);

double mean_radius(const Frame& frame);

}  // namespace areia::picture
