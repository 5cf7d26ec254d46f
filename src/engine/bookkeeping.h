// Ways to keep the books that must not enter a result: who works on what, in which order, and how far lists reach.
// Tests set them at will and find the same bits; a run sets the link alone.
#pragma once
#include <cstdint>

namespace areia {

namespace ranks {
class Link;
}

struct Bookkeeping {
  std::uint32_t chunk_size = 0;  // particles per chunk; 0: as the engine sees fit
  std::uint64_t shuffle = 0;     // lay particles out in memory in a random order of this seed; 0: in space
  bool device_on_host = false;   // kernels of the cuda engine run on the host
  std::int64_t extra_lists = 0;  // make neighbour lists anew at one step of so many, at random; 0: when they must
  ranks::Link* link = nullptr;   // the ranks among which the bodies are shared out (engine/ranks); null: there are none
  std::uint64_t random_cut = 0;  // share bodies out at random places of this seed, others whenever lists are made
};

}  // namespace areia
