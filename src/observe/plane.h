// What measures need to know of a case in two dimensions.
#pragma once
#include "areia/case.h"
#include "search/periodicity.h"

namespace areia {

inline bool is_flat(const Domain& d) { return d.dimension == 2; }

// Across the plane of a 2-D case: that of the disks, else that of the box that is measured; what is per volume is
// divided by it.
inline double thickness_of(const Domain& d, const Box& box) {
  return d.disk_thickness > 0 ? d.disk_thickness : component(box.max, d.flat_axis) - component(box.min, d.flat_axis);
}

}  // namespace areia
