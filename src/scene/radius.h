// Numbers of a distribution of radii. Theory manual, section 15; the sampling itself is in packing/place.cpp.
#pragma once
#include <algorithm>
#include <cmath>

#include "areia/case.h"

namespace areia {

inline double largest_radius(const RadiusDistribution& d) {
  switch (d.kind) {
    case RadiusDistribution::Kind::fixed:
      return d.value;
    case RadiusDistribution::Kind::uniform:
      return d.max;
    case RadiusDistribution::Kind::gaussian:
      return d.mean + d.std * d.truncate;
    case RadiusDistribution::Kind::grading:
    case RadiusDistribution::Kind::table:
      break;
  }
  double r = 0;
  for (const RadiusShare& s : d.shares) r = std::max(r, s.radius);
  return r;
}

inline double smallest_radius(const RadiusDistribution& d) {
  switch (d.kind) {
    case RadiusDistribution::Kind::fixed:
      return d.value;
    case RadiusDistribution::Kind::uniform:
      return d.min;
    case RadiusDistribution::Kind::gaussian:
      return d.mean - d.std * d.truncate;
    case RadiusDistribution::Kind::grading:
    case RadiusDistribution::Kind::table:
      break;
  }
  double r = kForever;
  for (const RadiusShare& s : d.shares) r = std::min(r, s.radius);
  return d.shares.empty() ? 0 : r;
}

// Relative number of particles in the class between lines k and k + 1 of a grading. Inside a class the mass fraction is
// linear in ln r, so per ln r there are (dm / ln(b/a)) / r^3 particles: in all dm (a^-3 - b^-3) / (3 ln(b/a)).
inline double number_in_class(const RadiusDistribution& d, std::size_t k) {
  const double a = d.shares[k].radius, b = d.shares[k + 1].radius;
  return (d.shares[k + 1].share - d.shares[k].share) * (1 / (a * a * a) - 1 / (b * b * b)) / (3 * std::log(b / a));
}

// Mean of r^3, the one that gives the mean volume.
inline double mean_cube(const RadiusDistribution& d) {
  switch (d.kind) {
    case RadiusDistribution::Kind::fixed:
      return d.value * d.value * d.value;
    case RadiusDistribution::Kind::uniform:
      return 0.25 * (d.min + d.max) * (d.min * d.min + d.max * d.max);
    case RadiusDistribution::Kind::gaussian:
      return d.mean * (d.mean * d.mean + 3 * d.std * d.std);  // without the cut, which takes little off
    case RadiusDistribution::Kind::grading: {
      double mass = 0, number = 0;
      for (std::size_t k = 0; k + 1 < d.shares.size(); ++k) {
        mass += d.shares[k + 1].share - d.shares[k].share;
        number += number_in_class(d, k);
      }
      return number > 0 ? mass / number : 0;
    }
    case RadiusDistribution::Kind::table: {
      double sum = 0, number = 0;
      for (const RadiusShare& s : d.shares) {
        sum += s.share * s.radius * s.radius * s.radius;
        number += s.share;
      }
      return number > 0 ? sum / number : 0;
    }
  }
  return 0;
}

inline double mean_radius(const RadiusDistribution& d) {
  switch (d.kind) {
    case RadiusDistribution::Kind::fixed:
      return d.value;
    case RadiusDistribution::Kind::uniform:
      return (d.min + d.max) / 2;
    case RadiusDistribution::Kind::gaussian:
      return d.mean;
    case RadiusDistribution::Kind::grading:
    case RadiusDistribution::Kind::table:
      break;
  }
  return std::cbrt(mean_cube(d));
}

}  // namespace areia
