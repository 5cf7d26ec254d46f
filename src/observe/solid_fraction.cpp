#include "observe/solid_fraction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scene/region.h"
#include "scene/region_measure.h"

namespace areia {

namespace {

using std::numbers::pi;

double ball(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius; }

// Integral of sqrt(r^2 - x^2) from 0 to x.
double half_disc_primitive(double x, double r) {
  x = std::clamp(x, -r, r);
  return 0.5 * (x * std::sqrt(std::max(0.0, r * r - x * x)) + r * r * std::asin(x / r));
}

// Area of the part of the disc x^2 + y^2 < r^2 with x < a and y < b. The half chord above x, s(x) = sqrt(r^2 - x^2),
// bounds y; where s(x) > |b| the line y = b cuts the disc, between x = -c and x = c, c = sqrt(r^2 - b^2).
double disc_quadrant(double a, double b, double r) {
  a = std::clamp(a, -r, r);
  if (b <= -r) return 0;
  if (b >= r) return 2 * (half_disc_primitive(a, r) - half_disc_primitive(-r, r));
  const double c = std::sqrt(r * r - b * b);
  // Below the line: between -c and c the strip from -s to b; outside the whole chord if b > 0, nothing if b < 0.
  const auto from_to = [&](double low, double high) {
    return high > low ? half_disc_primitive(high, r) - half_disc_primitive(low, r) : 0.0;
  };
  const double inner_high = std::clamp(a, -c, c);
  double area = from_to(-c, inner_high) + b * (inner_high + c);
  if (b > 0) area += 2 * from_to(-r, std::min(a, -c)) + 2 * from_to(c, a);
  return area;
}

}  // namespace

double disc_rectangle(double r, double x0, double x1, double y0, double y1) {
  if (r <= 0) return 0;
  return disc_quadrant(x1, y1, r) - disc_quadrant(x0, y1, r) - disc_quadrant(x1, y0, r) + disc_quadrant(x0, y0, r);
}

namespace {

// Area common to two discs with radii r and s at distance d: two circular segments.
double disc_disc(double r, double s, double d) {
  if (r <= 0 || s <= 0 || d >= r + s) return 0;
  const double smaller = std::min(r, s);
  if (d <= std::abs(r - s)) return pi * smaller * smaller;
  const double cos_r = std::clamp((d * d + r * r - s * s) / (2 * d * r), -1.0, 1.0);
  const double cos_s = std::clamp((d * d + s * s - r * r) / (2 * d * s), -1.0, 1.0);
  const double kite = 0.5 * std::sqrt(std::max(0.0, (-d + r + s) * (d + r - s) * (d - r + s) * (d + r + s)));
  return r * r * std::acos(cos_r) + s * s * std::acos(cos_s) - kite;
}

// Sphere and box: the area of disc and rectangle at height z is integrated over z. It is smooth except where the disc's
// radius passes the distance of a side or a corner, so the interval is cut there; z = r sin(t) takes away the square
// root at the poles, and Gauss-Legendre converges fast on each piece.
double sphere_box(const Vec3d& centre, double r, const Box& box) {
  const double x0 = box.min.x - centre.x, x1 = box.max.x - centre.x;
  const double y0 = box.min.y - centre.y, y1 = box.max.y - centre.y;
  const double z0 = std::max(box.min.z - centre.z, -r), z1 = std::min(box.max.z - centre.z, r);
  if (x0 >= r || x1 <= -r || y0 >= r || y1 <= -r || z1 <= z0) return 0;
  if (x0 <= -r && x1 >= r && y0 <= -r && y1 >= r) {
    if (z0 == -r && z1 == r) return ball(r);
    const auto primitive = [&](double z) { return pi * (r * r * z - z * z * z / 3); };
    return primitive(z1) - primitive(z0);
  }
  std::array<double, 18> cuts{};
  std::size_t count = 0;
  const auto add_cut = [&](double distance2) {
    if (distance2 >= r * r) return;
    const double t = std::acos(std::sqrt(distance2) / r);  // the disc at z = r sin(t) has the radius r cos(t)
    cuts[count++] = t;
    cuts[count++] = -t;
  };
  for (const double side : {x0, x1, y0, y1}) add_cut(side * side);
  for (const double x : {x0, x1})
    for (const double y : {y0, y1}) add_cut(x * x + y * y);
  const double t0 = std::asin(z0 / r), t1 = std::asin(z1 / r);
  cuts[count++] = t0;
  cuts[count++] = t1;
  std::sort(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(count));

  static constexpr std::array<double, 5> kNodes{0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                                0.8650633666889845, 0.9739065285171717};
  static constexpr std::array<double, 5> kWeights{0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                                  0.1494513491505806, 0.0666713443086881};
  const auto integrand = [&](double t) {
    const double disc = r * std::cos(t);
    return disc_rectangle(disc, x0, x1, y0, y1) * disc;  // dz = r cos(t) dt
  };
  // At a cut the integrand behaves like |t - cut|^(3/2): nodes squeezed towards both ends of a piece,
  // t = mid + half (3u - u^3) / 2, keep the order.
  constexpr double kLongestPiece = 0.5;
  double volume = 0;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const double low = std::max(cuts[k], t0), high = std::min(cuts[k + 1], t1);
    if (high <= low) continue;
    const int pieces = static_cast<int>(std::ceil((high - low) / kLongestPiece));
    const double half = 0.5 * (high - low) / pieces;
    for (int piece = 0; piece < pieces; ++piece) {
      const double mid = low + (2 * piece + 1) * half;
      for (std::size_t n = 0; n < kNodes.size(); ++n)
        for (const double u : {-kNodes[n], kNodes[n]})
          volume += kWeights[n] * half * 1.5 * (1 - u * u) * integrand(mid + half * 0.5 * u * (3 - u * u));
    }
  }
  return volume;
}

// Lens of two spheres with radii r and s at distance d.
double sphere_sphere(double r, double s, double d) {
  if (d >= r + s) return 0;
  if (d <= std::abs(r - s)) return ball(std::min(r, s));
  const double depth = r + s - d;
  return pi * depth * depth * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) / (12 * d);
}

double sphere_cylinder(const Vec3d& centre, double r, const Region& region) {
  const Vec3d axis = unit(region.to - region.from);
  const double length = norm(region.to - region.from);
  const double along = dot(centre - region.from, axis);
  const double distance = norm(centre - region.from - along * axis);
  if (distance >= region.radius + r) return 0;
  const double low = std::max(-r, -along), high = std::min(r, length - along);
  if (high <= low) return 0;
  if (distance + r <= region.radius && low == -r && high == r) return ball(r);
  constexpr int kSlabs = 32;
  // z = r sin(t) again: slabs are thin near the poles, where the discs change fast.
  const double t0 = std::asin(low / r), t1 = std::asin(high / r), step = (t1 - t0) / kSlabs;
  double volume = 0;
  for (int k = 0; k < kSlabs; ++k) {
    const double disc = r * std::cos(t0 + (k + 0.5) * step);
    volume += disc_disc(disc, region.radius, distance) * disc * step;
  }
  return volume;
}

}  // namespace

double volume_inside(const Vec3d& centre, double radius, const Region& region) {
  switch (region.kind) {
    case Region::Kind::box:
      return sphere_box(centre, radius, region.box);
    case Region::Kind::sphere:
      return sphere_sphere(radius, region.radius, norm(centre - region.center));
    case Region::Kind::cylinder:
      return sphere_cylinder(centre, radius, region);
    case Region::Kind::half_space:
    case Region::Kind::slab:
    case Region::Kind::mesh:
    case Region::Kind::all:
      break;  // no finite volume; refused by the rules of a case
  }
  return 0;
}

double solid_fraction(const FrameParticles& particles, const Region& region) {
  double volume = 0;
  for (std::size_t k = 0; k < particles.id.size(); ++k)
    for_each_image(region, particles.x[k], particles.radius[k],
                   [&](const Vec3d& image) { volume += volume_inside(image, particles.radius[k], region); });
  return volume / volume_of(region);
}

}  // namespace areia
