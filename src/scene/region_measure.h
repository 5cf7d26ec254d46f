// How large a region is. Half spaces, slabs and all space have neither; the rules of a case refuse them where it
// matters.
#pragma once
#include "areia/case.h"

namespace areia {

double volume_of(const Region& r);
Box bounds_of(const Region& r);

}  // namespace areia
