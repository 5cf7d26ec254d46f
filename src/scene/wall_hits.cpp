#include "scene/wall_hits.h"

namespace areia {

template void sort_out(std::vector<WallHit>&, double);

}  // namespace areia
