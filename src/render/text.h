// Letters on an image, smooth at any size: a dot font of 5 x 7 dots whose neighbouring dots are joined by round
// strokes.
#pragma once
#include <string_view>

#include "render/render.h"

namespace areia::picture {

// Height of a line of capitals is 7 `size`, advance per letter 6 `size` (pixels). (x, y) is the top left corner.
void draw_text(Image& image, double x, double y, double size, std::string_view utf8);
double text_width(std::string_view utf8, double size);

}  // namespace areia::picture
