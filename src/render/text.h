// Letters on an image, by FreeType: accents, Greek, units and superscripts, smooth at any size.
#pragma once
#include <string>
#include <string_view>

#include "render/render.h"

namespace areia::picture {

struct TextLook {
  double size = 12;  // pixels from line to line, nearly; capitals are 0.73 of it
  int red = 45, green = 45, blue = 45;
  double share = 0;     // of the width of the text that lies before the point: 0 starts there, 0.5 middle, 1 ends
  bool upward = false;  // turned by a quarter, to be read from the right
  bool bold = false;
};

// (x, y): a point of the base line, pixels from the top left corner.
void draw_text(Image& image, double x, double y, std::string_view utf8, const TextLook& look);
double text_width(std::string_view utf8, double size, bool bold = false);

// The text, or as much of its beginning with "…" as is not wider than `width`.
std::string fitted(std::string_view utf8, double size, double width, bool bold = false);

}  // namespace areia::picture
