// Which samples of a picture a shape covers: the loops that all drawing shares. Bands of rows are worked on in
// parallel, each shape of a band in the order given, so that neither depth nor blending depends on the threads.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "render/camera.h"
#include "render/in_parallel.h"

namespace areia::picture {

// A convex or star-shaped polygon in camera coordinates.
struct Polygon {
  std::vector<Vec3d> points;
  Vec3d normal;        // unit, towards the eye
  bool fades = false;  // part of an endless plane: goes over into the background away from the view
};

// A round line between two points in camera coordinates.
struct Line {
  Vec3d from, to;
  double width = 2;  // samples
};

inline constexpr int kBandHeight = 64;

struct Extent {
  int x0 = 0, x1 = -1, y0 = 0, y1 = -1;  // samples, both ends included
  bool empty() const { return x1 < x0 || y1 < y0; }
};

// -1 if it is not a number.
inline int to_sample(double value, int limit) {
  return value > -1 ? static_cast<int>(std::min<double>(value, limit)) : -1;
}

inline Extent clipped(int width, int height, double x0, double x1, double y0, double y1) {
  return {std::max(0, to_sample(std::floor(x0), width)), std::min(width - 1, to_sample(x1, width)),
          std::max(0, to_sample(std::floor(y0), height)), std::min(height - 1, to_sample(y1, height))};
}

inline Extent points_extent(int width, int height, const Camera& camera, const Vec3d* points, std::size_t count,
                            double margin) {
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  for (std::size_t k = 0; k < count; ++k) {
    if (camera.perspective && points[k].z <= 0) return {};
    const auto [x, y] = camera.project(points[k]);
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
  }
  return clipped(width, height, x0 - margin, x1 + margin, y0 - margin, y1 + margin);
}

// Sorts shapes into bands of rows and draws the bands in parallel: draw(k, first_row, last_row).
template <class Draw>
void in_bands(int height, const std::vector<Extent>& extents, const Draw& draw) {
  const int bands = (height + kBandHeight - 1) / kBandHeight;
  std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(bands));
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k].empty()) continue;
    for (int band = extents[k].y0 / kBandHeight; band <= extents[k].y1 / kBandHeight; ++band)
      members[static_cast<std::size_t>(band)].push_back(static_cast<std::int32_t>(k));
  }
  in_parallel(bands, 1, [&](std::int64_t at, std::int64_t) {
    const int band = static_cast<int>(at);
    for (const std::int32_t k : members[static_cast<std::size_t>(band)]) {
      const Extent& extent = extents[static_cast<std::size_t>(k)];
      draw(k, std::max(extent.y0, band * kBandHeight), std::min(extent.y1, band * kBandHeight + kBandHeight - 1));
    }
  });
}

// What of a polygon lies on the side depth(p) >= 0 (Sutherland and Hodgman).
template <class Depth>
std::vector<Vec3d> half_of(const std::vector<Vec3d>& polygon, const Depth& depth) {
  std::vector<Vec3d> kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec3d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double dp = depth(p), dq = depth(q);
    if (dp >= 0) kept.push_back(p);
    if ((dp >= 0) != (dq >= 0)) kept.push_back(p + (dp / (dp - dq)) * (q - p));
  }
  return kept;
}

// visit(k, x, y, z) for every sample of every polygon that the camera sees.
template <class Visit>
void scan_polygons(int width, int height, const Camera& camera, const std::vector<Polygon>& polygons,
                   const Visit& visit) {
  std::vector<std::vector<std::array<double, 2>>> corners(polygons.size());
  std::vector<Extent> extents(polygons.size());
  for (std::size_t k = 0; k < polygons.size(); ++k) {
    std::vector<Vec3d> points = polygons[k].points;
    const auto too_near = [&](const Vec3d& p) { return p.z < camera.nearest; };
    if (camera.perspective && std::any_of(points.begin(), points.end(), too_near))
      points = half_of(points, [&](const Vec3d& p) { return p.z - camera.nearest; });
    if (points.size() < 3) continue;
    extents[k] = points_extent(width, height, camera, points.data(), points.size(), 1);
    for (const Vec3d& p : points) corners[k].push_back(camera.project(p));
  }
  in_bands(height, extents, [&](std::int32_t k, int first, int last) {
    const Polygon& polygon = polygons[static_cast<std::size_t>(k)];
    const auto& corner = corners[static_cast<std::size_t>(k)];
    const double offset = dot(polygon.normal, polygon.points[0]);
    std::vector<double> crossings;
    for (int y = first; y <= last; ++y) {
      const double sy = y + 0.5;
      crossings.clear();
      for (std::size_t i = 0; i < corner.size(); ++i) {
        const auto &p = corner[i], &q = corner[(i + 1) % corner.size()];
        if ((p[1] <= sy) != (q[1] <= sy)) crossings.push_back(p[0] + (sy - p[1]) / (q[1] - p[1]) * (q[0] - p[0]));
      }
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
        const int x0 = std::max(0, to_sample(std::ceil(crossings[i] - 0.5), width));
        const int x1 = std::min(width - 1, to_sample(std::ceil(crossings[i + 1] - 0.5) - 1, width));
        for (int x = x0; x <= x1; ++x) {
          // Plane n.p = offset met by the ray of this sample.
          const Vec3d ray = camera.at(x + 0.5, sy, 1);
          const double z = camera.perspective
                               ? offset / dot(polygon.normal, ray)
                               : (offset - polygon.normal.x * ray.x - polygon.normal.y * ray.y) / polygon.normal.z;
          if (z > 0) visit(k, x, y, z);
        }
      }
    }
  });
}

// visit(k, x, y, z) for every sample of every line.
template <class Visit>
void scan_lines(int width, int height, const Camera& camera, const std::vector<Line>& lines, const Visit& visit) {
  std::vector<Extent> extents(lines.size());
  std::vector<std::array<Vec3d, 2>> ends(lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    Vec3d from = lines[k].from, to = lines[k].to;
    if (camera.perspective) {
      if (from.z < camera.nearest && to.z < camera.nearest) continue;
      const auto cut = [&](const Vec3d& out, const Vec3d& in) {
        return out + ((camera.nearest - out.z) / (in.z - out.z)) * (in - out);
      };
      if (from.z < camera.nearest) from = cut(from, to);
      else if (to.z < camera.nearest) to = cut(to, from);
    }
    ends[k] = {from, to};
    extents[k] = points_extent(width, height, camera, ends[k].data(), 2, 0.5 * lines[k].width + 1);
  }
  in_bands(height, extents, [&](std::int32_t k, int first, int last) {
    const Extent& extent = extents[static_cast<std::size_t>(k)];
    const auto& [from, to] = ends[static_cast<std::size_t>(k)];
    const auto p = camera.project(from), q = camera.project(to);
    const double dx = q[0] - p[0], dy = q[1] - p[1], length2 = std::max(dx * dx + dy * dy, 1e-12);
    const double half = 0.5 * lines[static_cast<std::size_t>(k)].width, length = std::sqrt(length2);
    for (int y = first; y <= last; ++y) {
      // Only the part of the row near the line: long oblique lines have large empty extents.
      int x0 = extent.x0, x1 = extent.x1;
      if (std::abs(dy) > 1e-9) {
        const double centre = p[0] + (y + 0.5 - p[1]) * dx / dy, reach = half * length / std::abs(dy) + half + 1;
        x0 = std::max(x0, to_sample(centre - reach, width));
        x1 = std::min(x1, to_sample(centre + reach, width));
      }
      for (int x = x0; x <= x1; ++x) {
        const double px = x + 0.5 - p[0], py = y + 0.5 - p[1];
        const double s = std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
        const double ex = px - s * dx, ey = py - s * dy;
        if (ex * ex + ey * ey > half * half) continue;
        // 1 / z is linear on the picture of a straight line.
        const double z = camera.perspective ? 1 / ((1 - s) / from.z + s / to.z) : (1 - s) * from.z + s * to.z;
        visit(k, x, y, z);
      }
    }
  });
}

}  // namespace areia::picture
