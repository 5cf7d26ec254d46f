// The font of pictures, as a file within the program (cmake/font.cmake).
#pragma once
#include <span>

namespace areia::picture {

std::span<const unsigned char> font_file();

}  // namespace areia::picture
