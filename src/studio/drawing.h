// The picture of a run where the browser has no WebGL: the page says what it would draw, and gets the pixels. Spheres,
// walls and lines come from the rasteriser of `areia render`; light and colours are those of the page's own shaders
// (web/src/shaders.ts), so that both views look the same.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "areia/frame.h"
#include "render/camera.h"
#include "render/render.h"
#include "studio/frame_cache.h"

namespace areia::studio {

struct ScreenColour {  // 0..1, as screens show it
  float r = 0, g = 0, b = 0;
};
using ColourTable = std::array<ScreenColour, 256>;

// n . x <= d is kept.
struct CutSpace {
  Vec3d normal;
  double distance = 0;
};

// Grains that are not of these kinds, or not in the box, are left out, or shown pale.
struct Selection {
  std::optional<std::set<std::string>> groups, materials;
  std::optional<Box> box;  // of centres
  bool fades = false;
};

struct Drawing {
  int width = 0, height = 0;  // pixels
  int samples = 1;            // in a pixel, per direction
  Vec3d eye, right, up;       // of the camera, which looks along up x right
  double tangent = 0.2;       // of half the angle of view, upwards
  double nearest = 0;         // m along the axis
  Vec3d world_up{0, 0, 1};    // what height is
  std::string colour;         // by what: see particle_values
  double low = 0, high = 1;
  bool kinds = false;  // indices of colours, not a scale
  ColourTable colours, chain_colours;
  ScreenColour paper, wall, edge;
  bool walls = true, chains = false;
  std::vector<CutSpace> cuts;
  Selection only;
  std::optional<std::int64_t> chosen;  // id

  Needs needs() const;
};

// From the JSON of the page. Throws InputError for what cannot be drawn, or would be too much.
Drawing read_drawing(const std::string& text);

Image draw(const Frame& frame, const Drawing& drawing);

// As a Message: `pixel`, one number each, red lowest, as the canvas of a page has them.
std::string pixels_message(const Image& image, double milliseconds);

}  // namespace areia::studio
