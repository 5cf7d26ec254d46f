// What measures need to know of a case in two dimensions.
#pragma once
#include "areia/case.h"
#include "search/periodicity.h"

namespace areia {

inline double& along(Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
inline double along(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

inline bool is_flat(const Domain& d) { return d.dimension == 2; }

// Across the plane of a 2-D case: that of the disks, else that of the box that is measured; what is per volume is
// divided by it.
inline double thickness_of(const Domain& d, const Box& box) {
  return d.disk_thickness > 0 ? d.disk_thickness : along(box.max, d.flat_axis) - along(box.min, d.flat_axis);
}

inline Periodicity periodicity_of(const Domain& d) { return {d.periodic, d.box.min, d.box.max - d.box.min}; }

}  // namespace areia
