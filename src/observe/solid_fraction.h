// Volume of grains in a region over the volume of the region. Overlaps of grains count twice, as is usual in DEM: the
// undeformed volumes are summed.
#pragma once
#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

// Volume of the part of a sphere inside a region:
//   box and sphere: exact (box to 1e-9 of the sphere's volume, by quadrature of exact circle-rectangle areas);
//   cylinder: the sphere is cut into 32 slabs across the axis, in each the exact area of two circles at the mid plane;
//             relative error below 1e-3 of the sphere's volume.
double volume_inside(const Vec3d& centre, double radius, const Region& region);

// Area common to a disc about the origin and a rectangle.
double disc_rectangle(double r, double x0, double x1, double y0, double y1);

double solid_fraction(const FrameParticles& particles, const Region& region);

}  // namespace areia
