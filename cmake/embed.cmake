# Compiles files into the program, by name: the reference values and cases of `areia verify`, and those of the impact lab
# as impact/NAME.
function(areia_embed output)
  set(entries "")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    if(file MATCHES "/examples/impact/")
      string(PREPEND name impact/)
    endif()
    file(READ ${file} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[// Made by cmake/embed.cmake.
#include "verify/embedded.h"

#include <map>

#include "areia/error.h"

namespace areia::verify {

static const std::map<std::string, std::string_view>& embedded_files() {
  static const std::map<std::string, std::string_view> files{
@entries@  };
  return files;
}

std::vector<std::string> embedded_names() {
  std::vector<std::string> names;
  for (const auto& file : embedded_files()) names.push_back(file.first);
  return names;
}

std::string_view embedded_file(const std::string& name) {
  const auto& files = embedded_files();
  const auto found = files.find(name);
  if (found == files.end()) throw Error("no file " + name + " in the program");
  return found->second;
}

}  // namespace areia::verify
]=])
endfunction()
