// Memory that is free in this process goes back to the system. The C library keeps what was freed for later, which
// after a large frame or a long list of particles may be several times what a run needs.
#pragma once
#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace areia {

inline void give_back_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

}  // namespace areia
