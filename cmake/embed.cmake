# Compiles files into the program, by name: the reference values and cases of `areia verify`.
function(areia_embed output)
  set(entries "")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[// Made by cmake/embed.cmake.
#include "verify/embedded.h"

#include <map>

#include "areia/error.h"

namespace areia::verify {

std::string_view embedded_file(const std::string& name) {
  static const std::map<std::string, std::string_view> files{
@entries@  };
  const auto found = files.find(name);
  if (found == files.end()) throw Error("no file " + name + " in the program");
  return found->second;
}

}  // namespace areia::verify
]=])
endfunction()
