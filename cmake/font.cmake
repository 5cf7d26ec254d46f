# The letters of pictures: DejaVu Sans of the distribution (fonts-dejavu-core), compiled into the program. So a picture has
# accents, Greek and superscripts on machines without fonts too, and the same bytes everywhere. AREIA_FONT names another file.
find_package(Freetype REQUIRED)
find_file(AREIA_FONT DejaVuSans.ttf PATHS /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES truetype/dejavu dejavu dejavu-sans-fonts TTF ttf-dejavu truetype NO_DEFAULT_PATH DOC "TrueType font for pictures")
if(NOT AREIA_FONT)
  message(FATAL_ERROR "no DejaVuSans.ttf here: install fonts-dejavu-core (tools/setup), or give a font with -DAREIA_FONT=FILE")
endif()
set(areia_font ${PROJECT_BINARY_DIR}/generated/font.cpp)
file(CONFIGURE OUTPUT ${areia_font} @ONLY CONTENT [=[// Made by cmake/font.cmake.
#include "render/font.h"

asm(".pushsection .rodata\n"
    ".balign 16\n"
    "areia_font_begin: .incbin \"@AREIA_FONT@\"\n"
    "areia_font_end: .byte 0\n"
    ".popsection\n");
extern "C" {
__attribute__((visibility("hidden"))) extern const unsigned char areia_font_begin[], areia_font_end[];
}

namespace areia::picture {

std::span<const unsigned char> font_file() { return {areia_font_begin, areia_font_end}; }

}  // namespace areia::picture
]=])
set_source_files_properties(${areia_font} PROPERTIES OBJECT_DEPENDS ${AREIA_FONT})
