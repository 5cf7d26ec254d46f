// A frame as the page of the studio shows it, drawn without a graphics card and without files: the same camera, colours
// and light as the shaders of web/src/shaders.ts, fast enough to answer a request for each move of the mouse. For
// pictures on paper, with shadows, caption and legend, see render.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "areia/frame.h"
#include "render/render.h"

namespace areia {

struct DrawOptions {
  int width = 800, height = 600;  // pixels, 16 to 4096
  ViewCamera camera;
  std::string colour_by = "velocity";  // one of colour_names(frame)
  std::vector<double> values;          // one per particle, in place of those of `colour_by`
  bool kinds = false;                  // of such values: indices of colours, not a scale
  std::optional<double> low, high;     // of the scale; automatic: those of this frame
  std::vector<std::uint8_t> table;     // 256 colours of three bytes, from low to high; empty: those of `areia render`
  double duration = 0;                 // s, of the whole run; see RenderOptions
  Vec3d up{0, 0, 1};                   // for heights
  bool walls = true;
  bool contacts = false,
       bonds = false;  // rods before pale grains; the strongest one of a scale is as wide as a grain's radius
  std::optional<double> most_force;  // N, end of their scale; automatic: of this frame
  bool marks = false;                // octants of two shades, which show how a grain is turned
  bool dark = false;                 // the page's theme
  std::vector<CutPlane> cuts;
  std::vector<Vec3d> lines;            // pairs of points: lines as edges of walls have them
  std::vector<char> shown;             // one per particle, 0: left out, 2: pale; empty: all are shown
  std::optional<std::int64_t> chosen;  // id of a particle to mark
  std::optional<Box> view;             // around which endless walls fade; automatic_view(frame), kept by the caller
  int samples = 2;                     // per pixel and direction, 1 to 4
};

struct Drawing {
  static constexpr std::int32_t kNothing = -1;
  Image image;
  // What is seen in each pixel, row by row from the top: k >= 0 is particle k of the frame's arrays (its id is
  // frame.particles.id[k]), -2 - w is wall w of the frame.
  std::vector<std::int32_t> what;
  ColourScale colours, forces;  // that were used; of forces a scale from 0 to 0 without contacts and bonds
  bool pulls = false;           // some of the rods that are seen pull: they are blue
};

Drawing draw(const Frame& frame, const DrawOptions& options);  // throws InputError

}  // namespace areia
