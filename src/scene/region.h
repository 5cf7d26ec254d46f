// Whether a point lies in a region. Theory manual, section 3: it is the centre of a particle that counts, strictly;
// a point on the surface is neither inside nor, for the complement, outside.
#pragma once
#include <functional>

#include "areia/case.h"

namespace areia {

// Sign of the side of a closed mesh: +1 inside, -1 outside. Throws InputError where its surface is not prepared
// (region_mesh.h).
int side_of_mesh(const Region& r, const Vec3d& x);

// The same for any region, where it was placed.
inline int side_of_one(const Region& r, const Vec3d& x) {
  const auto sign = [](double a) { return a > 0 ? 1 : a < 0 ? -1 : 0; };
  const auto least = [](int a, int b) { return a < b ? a : b; };
  switch (r.kind) {
    case Region::Kind::box: {
      int side = 1;
      side = least(side, least(sign(x.x - r.box.min.x), sign(r.box.max.x - x.x)));
      side = least(side, least(sign(x.y - r.box.min.y), sign(r.box.max.y - x.y)));
      return least(side, least(sign(x.z - r.box.min.z), sign(r.box.max.z - x.z)));
    }
    case Region::Kind::sphere:
      return sign(r.radius * r.radius - norm2(x - r.center));
    case Region::Kind::cylinder: {
      const Vec3d axis = r.to - r.from, d = x - r.from;
      const double length2 = norm2(axis), along = dot(d, axis);
      const double rho2 = norm2(d - (along / length2) * axis);
      return least(sign(r.radius * r.radius - rho2), least(sign(along), sign(length2 - along)));
    }
    case Region::Kind::half_space:
      return sign(dot(x - r.point, r.normal));
    case Region::Kind::slab: {
      const Vec3d axis = r.to - r.from;
      return least(sign(dot(x - r.from, axis)), sign(dot(r.to - x, axis)));
    }
    case Region::Kind::mesh:
      return side_of_mesh(r, x);
    case Region::Kind::all:
      return 1;
  }
  return 1;
}

// Of a point and its images: the one in the region. A region wider than a period holds several; then it is the one
// nearest to its middle, and of those that are as near (shifted along a slab) the one nearest to the point itself. So
// the choice follows neither from the order of the images nor, but for a slab, from where the box begins.
struct RegionSide {
  int side;
  Vec3d image;
};
RegionSide side_among_images(const Region& r, const Vec3d& x);

// From now on it repeats itself with the domain.
void repeat_with(const Domain& d, Region& r);

// In a periodic domain a region repeats itself with the box. A half space, which has no end, does not.
inline bool repeats(const Region& r) {
  return r.periods.any() && r.kind != Region::Kind::all && r.kind != Region::Kind::half_space;
}
inline int side_of(const Region& r, const Vec3d& x) {
  return repeats(r) ? side_among_images(r, x).side : side_of_one(r, x);
}
inline bool contains(const Region& r, const Vec3d& x) { return side_of(r, x) == (r.outside ? -1 : 1); }

// f(image) for each image of x that is within `reach` of the region's bounds; of regions without end the nearest three
// along each period.
void for_each_image(const Region& r, const Vec3d& x, double reach, const std::function<void(const Vec3d&)>& f);

}  // namespace areia
