// Area of contact. Theory, section 6: pi r* delta (half of what the spheres cut out of each other), or that of the
// lens, pi (r_i^2 - L^2) with L = (d - (r_j^2 - r_i^2)/d)/2 from centre i to the plane of the lens; at a wall L = r -
// delta.
#pragma once
#include <numbers>

#include "physics/contact.h"
#include "physics/law_info.h"

namespace areia {

template <class T>
AREIA_PORTABLE T hertz_area(const Geometry<T>& g) {
  return std::numbers::pi * g.r_star * g.overlap;
}
template <class T>
AREIA_PORTABLE T lens_area(const Geometry<T>& g) {
  const T d = g.radius_i + g.radius_j - g.overlap;
  const T pair = 0.5 * (d - (g.radius_j * g.radius_j - g.radius_i * g.radius_i) / d);
  const T l = select(g.radius_j > T(0), pair, g.radius_i - g.overlap);
  return std::numbers::pi * (g.radius_i * g.radius_i - l * l);
}

// For laws that let the case choose: `lens` is 1 or 0.
inline constexpr ParameterInfo kArea{"area",      "", 0, 0, 0, "area of contact: pi r* delta, or that of the lens",
                                     "hertz|lens"};
inline double lens_chosen(const LawChoice& c) { return chosen(c, word(kArea, "lens")) ? 1 : 0; }
template <class T>
AREIA_PORTABLE T area_of(double lens, const Geometry<T>& g) {
  return lens > 0 ? lens_area(g) : hertz_area(g);
}

}  // namespace areia
