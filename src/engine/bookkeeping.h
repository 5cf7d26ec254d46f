// Ways to keep the books that must not enter a result. Tests set them at will and find the same bits; nobody else does.
#pragma once
#include <cstdint>

namespace areia {

struct Bookkeeping {
  std::uint32_t chunk_size = 0;  // particles per chunk; 0: as the engine sees fit
  std::uint64_t shuffle = 0;     // lay particles out in memory in a random order of this seed; 0: in space
  bool device_on_host = false;   // kernels of the cuda engine run on the host
  std::int64_t extra_lists = 0;  // make neighbour lists anew at one step of so many, at random; 0: when they must
};

}  // namespace areia
