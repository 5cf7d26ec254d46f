// The picture of a run where the browser has no WebGL: the page says what it would draw, and gets the pixels.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "render/draw.h"
#include "studio/frame_cache.h"

namespace areia::studio {

// Grains that are not of these kinds, or not in the box, are left out, or shown pale.
struct Selection {
  std::optional<std::set<std::string>> groups, materials;
  std::optional<Box> box;  // of centres
  bool fades = false;
};

struct Look {
  DrawOptions options;  // all but what depends on the frame
  std::string colour;   // by what: see colours_of
  Selection only;

  Needs needs() const;
};

// From the JSON of the page (web/src/drawn_view.ts). Throws InputError for what cannot be drawn, or would be too much.
Look read_look(const std::string& text);

Image draw_look(const Frame& frame, const Look& look);

}  // namespace areia::studio
