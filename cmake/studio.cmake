# The page of `areia studio`: TypeScript in web/, bundled and compressed into one file by esbuild, compiled into the
# program. Needs Node.js 18 and npm, and once the npm registry. Where they are missing, the program is built without a
# studio and says so; AREIA_STUDIO=OFF asks for that. A release (tools/dist) brings the file along and needs neither.
option(AREIA_STUDIO "Build the page of areia studio, where Node.js is there" ON)
set(areia_web ${PROJECT_SOURCE_DIR}/web)
set(areia_page ${PROJECT_BINARY_DIR}/generated/studio_page.cpp)
set(AREIA_HAS_STUDIO FALSE)
set(areia_no_studio "AREIA_STUDIO is OFF")

set(areia_released_page ${areia_web}/studio_page.cpp)
if(AREIA_STUDIO AND EXISTS ${areia_released_page})
  set(AREIA_HAS_STUDIO TRUE)
elseif(AREIA_STUDIO)
  find_program(AREIA_NODE NAMES node nodejs)
  find_program(AREIA_NPM npm)
  set(areia_node_version 0)
  if(AREIA_NODE)
    execute_process(COMMAND ${AREIA_NODE} --version OUTPUT_VARIABLE areia_node_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REGEX REPLACE "^v" "" areia_node_version "${areia_node_version}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${areia_web}/package-lock.json)
  # The packages of the lock file, installed anew when it changes.
  file(SHA256 ${areia_web}/package-lock.json areia_lock)
  set(areia_installed "")
  if(EXISTS ${areia_web}/node_modules/.areia-lock)
    file(READ ${areia_web}/node_modules/.areia-lock areia_installed)
  endif()
  if(areia_node_version VERSION_LESS 18)
    set(areia_no_studio "no Node.js 18 here; tools/setup web installs it")
  elseif(areia_installed STREQUAL areia_lock)
    set(AREIA_HAS_STUDIO TRUE)
  elseif(NOT AREIA_NPM)
    set(areia_no_studio "no npm here; tools/setup web installs it")
  else()
    execute_process(COMMAND ${AREIA_NPM} ci --silent WORKING_DIRECTORY ${areia_web} TIMEOUT 180
      RESULT_VARIABLE areia_npm_failed OUTPUT_QUIET ERROR_VARIABLE areia_npm_said)
    if(areia_npm_failed)
      set(areia_no_studio "npm could not install the packages of web/package-lock.json")
    else()
      file(WRITE ${areia_web}/node_modules/.areia-lock ${areia_lock})
      set(AREIA_HAS_STUDIO TRUE)
    endif()
  endif()
endif()

set(AREIA_HAS_STUDIO ${AREIA_HAS_STUDIO} CACHE INTERNAL "The program has the page of areia studio")

if(AREIA_HAS_STUDIO AND EXISTS ${areia_released_page})
  set(areia_page ${areia_released_page})
elseif(AREIA_HAS_STUDIO)
  file(GLOB areia_web_sources CONFIGURE_DEPENDS ${areia_web}/src/* ${areia_web}/*.mjs ${areia_web}/tsconfig.json)
  add_custom_command(OUTPUT ${areia_page} COMMAND ${AREIA_NODE} ${areia_web}/build.mjs ${areia_page}
    DEPENDS ${areia_web_sources} ${areia_web}/package-lock.json COMMENT "Bundling the page of the studio" VERBATIM)
else()
  message(STATUS "areia studio is left out: ${areia_no_studio}")
  set(areia_page ${PROJECT_BINARY_DIR}/generated/no_studio_page.cpp)  # another file: it must not pass for the page
  file(CONFIGURE OUTPUT ${areia_page} CONTENT [=[// A build without a studio (cmake/studio.cmake).
#include "studio/page.h"

namespace areia::studio {
Page studio_page() { return {}; }
}  // namespace areia::studio
]=])
endif()
