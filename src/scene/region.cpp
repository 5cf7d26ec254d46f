#include "scene/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "areia/error.h"
#include "scene/region_measure.h"
#include "scene/region_mesh.h"
#include "scene/wall_geometry.h"

namespace areia {

int side_of_mesh(const Region& r, const Vec3d& x) { return inside_mesh(surface_of(r), x) ? 1 : -1; }

static bool is_finite(const Region& r) {
  return r.kind != Region::Kind::slab && r.kind != Region::Kind::half_space && r.kind != Region::Kind::all;
}

void repeat_with(const Domain& d, Region& r) {
  constexpr double kMostBoxes = 1000;                               // each is looked at, for every particle
  const bool known = is_finite(r) && r.kind != Region::Kind::mesh;  // a mesh may not have been read yet
  const Box bounds = known ? bounds_of(r) : Box{};
  for (int a = 0; a < 3; ++a)
    if (const double length = component(d.box.max - d.box.min, a), wide = component(bounds.max - bounds.min, a);
        d.periodic[a] && !(wide <= kMostBoxes * length))
      throw InputError("domain.periodic", std::string(1, "xyz"[a]),
                       fmt::format("a region is {:.4g} m wide, more than {} times the periodic box of {:.4g} m", wide,
                                   kMostBoxes, length));
  for (int a = 0; a < 3; ++a) component(r.periods.length, a) = d.periodic[a] ? component(d.box.max - d.box.min, a) : 0;
}

// Along which axis a slab lies; none where it is oblique.
static int axis_of(const Region& r) {
  if (r.kind != Region::Kind::slab) return -1;
  const Vec3d d = r.to - r.from;
  return d.y == 0 && d.z == 0 ? 0 : d.z == 0 && d.x == 0 ? 1 : d.x == 0 && d.y == 0 ? 2 : -1;
}

void for_each_image(const Region& r, const Vec3d& x, double reach, const std::function<void(const Vec3d&)>& f) {
  std::array<int, 3> low{}, high{};
  const bool finite = is_finite(r);
  const Box bounds = finite ? bounds_of(r) : Box{r.from, r.to};
  for (int a = 0; a < 3; ++a) {
    const double length = component(r.periods.length, a);
    if (!(length > 0)) continue;
    const auto [from, to] = std::minmax({component(bounds.min, a), component(bounds.max, a)});
    const bool ends = finite || a == axis_of(r);
    low[a] = ends ? static_cast<int>(std::ceil((from - reach - component(x, a)) / length)) : -1;
    high[a] = ends ? static_cast<int>(std::floor((to + reach - component(x, a)) / length)) : 1;
  }
  const Vec3d& length = r.periods.length;
  for (int i = low[0]; i <= high[0]; ++i)
    for (int j = low[1]; j <= high[1]; ++j)
      for (int k = low[2]; k <= high[2]; ++k) f(x + Vec3d{i * length.x, j * length.y, k * length.z});
}

// Squared distance from the middle of the region: its centre, or the middle plane of a slab (in units of its
// thickness).
static double from_middle(const Region& r, const Vec3d& x) {
  if (r.kind == Region::Kind::slab) {
    const double along = dot(x - 0.5 * (r.from + r.to), r.to - r.from);
    return along * along;
  }
  const Box b = bounds_of(r);
  return norm2(x - 0.5 * (b.min + b.max));
}

RegionSide side_among_images(const Region& r, const Vec3d& x) {
  RegionSide best{-1, x};
  double middle = 0, shift = 0;
  for_each_image(r, x, 0, [&](const Vec3d& image) {
    const int side = side_of_one(r, image);
    if (side < best.side || side < 0) return;
    const double m = from_middle(r, image), s = norm2(image - x);
    if (side == best.side && (m > middle || (m == middle && s >= shift))) return;
    best = {side, image};
    middle = m;
    shift = s;
  });
  return best;
}

}  // namespace areia
