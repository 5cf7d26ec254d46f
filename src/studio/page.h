// The page, compiled into the program by web/build.mjs; empty in a build without it (cmake/studio.cmake).
#pragma once
#include <string_view>

namespace areia::studio {

struct Page {
  std::string_view html_gzipped;                          // one file with its script and style
  std::string_view editor_gzipped;                        // a script that the page asks for when a case is edited
  std::string_view script_hash, editor_hash, style_hash;  // as a Content-Security-Policy names them
};
Page studio_page();

}  // namespace areia::studio
