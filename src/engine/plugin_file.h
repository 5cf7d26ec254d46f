// Libraries that the program opens while it runs, for parts that not every machine has.
#pragma once
#include <dlfcn.h>

#include <string>

namespace areia {

// Looked for beside the program, where it is built and where it is installed, and likewise beside the file with this
// code; the environment variable `place` names another place. Null: it is not there or cannot be opened, for the reason
// in `why_not`. `global`: libraries that it opens itself find its own.
void* open_plugin(const char* name, const char* place, bool global, std::string& why_not);

template <class Function>
Function plugin_function(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace areia
