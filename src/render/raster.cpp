#include "render/raster.h"

#include <algorithm>
#include <cmath>

#include "render/in_parallel.h"

namespace areia::picture {

namespace {

constexpr int kBandHeight = 64;

struct Extent {
  int x0 = 0, x1 = -1, y0 = 0, y1 = -1;  // samples, both ends included
  bool empty() const { return x1 < x0 || y1 < y0; }
};

// -1 if it is not a number.
int to_sample(double value, int limit) { return value > -1 ? static_cast<int>(std::min<double>(value, limit)) : -1; }

Extent clipped(const DepthBuffer& buffer, double x0, double x1, double y0, double y1) {
  return {std::max(0, to_sample(std::floor(x0), buffer.width)), std::min(buffer.width - 1, to_sample(x1, buffer.width)),
          std::max(0, to_sample(std::floor(y0), buffer.height)),
          std::min(buffer.height - 1, to_sample(y1, buffer.height))};
}

// The shadow of a circle (u, z) of radius r on the line z = 1, seen from the origin. With the centre at distance
// d^2 = u^2 + z^2 the tangents stand at (u z -+ r sqrt(d^2 - r^2)) / (z^2 - r^2).
std::array<double, 2> tangents(double u, double z, double r) {
  const double root = r * std::sqrt(std::max(0.0, u * u + z * z - r * r)), below = z * z - r * r;
  return {(u * z - root) / below, (u * z + root) / below};
}

Extent sphere_extent(const DepthBuffer& buffer, const Camera& camera, const Sphere& sphere) {
  const Vec3d& c = sphere.centre;
  const double r = sphere.radius;
  if (!(r > 0) || !std::isfinite(c.x + c.y + c.z)) return {};
  if (!camera.perspective) {
    const auto [x, y] = camera.project(c);
    const double s = r * camera.scale;
    return clipped(buffer, x - s, x + s, y - s, y + s);
  }
  if (c.z <= 1.001 * r) return {};  // around or behind the eye
  const auto [x0, x1] = tangents(c.x, c.z, r);
  const auto [y0, y1] = tangents(c.y, c.z, r);
  return clipped(buffer, camera.centre_x + camera.scale * x0, camera.centre_x + camera.scale * x1,
                 camera.centre_y - camera.scale * y1, camera.centre_y - camera.scale * y0);
}

// Sorts shapes into bands of rows and draws the bands in parallel: draw(k, first_row, last_row).
template <class Draw>
void in_bands(const DepthBuffer& buffer, const std::vector<Extent>& extents, const Draw& draw) {
  const int bands = (buffer.height + kBandHeight - 1) / kBandHeight;
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

Extent points_extent(const DepthBuffer& buffer, const Camera& camera, const Vec3d* points, std::size_t count,
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
  return clipped(buffer, x0 - margin, x1 + margin, y0 - margin, y1 + margin);
}

}  // namespace

void draw_spheres(DepthBuffer& buffer, const Camera& camera, const std::vector<Sphere>& spheres) {
  std::vector<Extent> extents(spheres.size());
  in_parallel(static_cast<std::int64_t>(spheres.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      extents[k] = sphere_extent(buffer, camera, spheres[k]);
  });

  in_bands(buffer, extents, [&](std::int32_t k, int first, int last) {
    const Sphere& sphere = spheres[static_cast<std::size_t>(k)];
    const Extent& extent = extents[static_cast<std::size_t>(k)];
    const Vec3d& c = sphere.centre;
    const double r2 = sphere.radius * sphere.radius;
    const auto nearest = static_cast<float>(c.z - sphere.radius);
    for (int y = first; y <= last; ++y) {
      const double b = (camera.centre_y - (y + 0.5)) / camera.scale;
      for (int x = extent.x0; x <= extent.x1; ++x) {
        const std::size_t sample = buffer.at(x, y);
        if (buffer.depth[sample] < nearest) continue;
        const double a = (x + 0.5 - camera.centre_x) / camera.scale;
        if (!camera.perspective) {
          const double h2 = r2 - (a - c.x) * (a - c.x) - (b - c.y) * (b - c.y);
          if (h2 > 0) buffer.put(sample, static_cast<float>(c.z - std::sqrt(h2)), k);
          continue;
        }
        // Ray t (a, b, 1). The foot of the centre on it is at t0; the chord is what r leaves after the distance to the
        // foot: no difference of large squares.
        const double length2 = a * a + b * b + 1, t0 = (a * c.x + b * c.y + c.z) / length2;
        const double dx = c.x - t0 * a, dy = c.y - t0 * b, dz = c.z - t0;
        const double h2 = r2 - (dx * dx + dy * dy + dz * dz);
        if (h2 > 0) buffer.put(sample, static_cast<float>(t0 - std::sqrt(h2 / length2)), k);
      }
    }
  });
}

void draw_polygons(DepthBuffer& buffer, const Camera& camera, const std::vector<Polygon>& polygons) {
  std::vector<Extent> extents;
  for (const Polygon& polygon : polygons)
    extents.push_back(points_extent(buffer, camera, polygon.points.data(), polygon.points.size(), 1));

  in_bands(buffer, extents, [&](std::int32_t k, int first, int last) {
    const Polygon& polygon = polygons[static_cast<std::size_t>(k)];
    const double offset = dot(polygon.normal, polygon.points[0]);
    std::vector<std::array<double, 2>> corner;
    for (const Vec3d& point : polygon.points) corner.push_back(camera.project(point));
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
        const int x0 = std::max(0, to_sample(std::ceil(crossings[i] - 0.5), buffer.width));
        const int x1 = std::min(buffer.width - 1, to_sample(std::ceil(crossings[i + 1] - 0.5) - 1, buffer.width));
        for (int x = x0; x <= x1; ++x) {
          // Plane n.p = offset met by the ray of this sample.
          const Vec3d ray = camera.at(x + 0.5, sy, 1);
          const double z = camera.perspective
                               ? offset / dot(polygon.normal, ray)
                               : (offset - polygon.normal.x * ray.x - polygon.normal.y * ray.y) / polygon.normal.z;
          if (z > 0) buffer.put(buffer.at(x, y), static_cast<float>(z), k);
        }
      }
    }
  });
}

void draw_lines(DepthBuffer& buffer, const Camera& camera, const std::vector<Line>& lines) {
  std::vector<Extent> extents;
  for (const Line& line : lines) {
    const Vec3d ends[2] = {line.from, line.to};
    extents.push_back(points_extent(buffer, camera, ends, 2, 0.5 * line.width + 1));
  }
  in_bands(buffer, extents, [&](std::int32_t k, int first, int last) {
    const Line& line = lines[static_cast<std::size_t>(k)];
    const Extent& extent = extents[static_cast<std::size_t>(k)];
    const auto p = camera.project(line.from), q = camera.project(line.to);
    const double dx = q[0] - p[0], dy = q[1] - p[1], length2 = std::max(dx * dx + dy * dy, 1e-12);
    const double half = 0.5 * line.width, length = std::sqrt(length2);
    for (int y = first; y <= last; ++y) {
      // Only the part of the row near the line: long oblique lines have large empty extents.
      int x0 = extent.x0, x1 = extent.x1;
      if (std::abs(dy) > 1e-9) {
        const double centre = p[0] + (y + 0.5 - p[1]) * dx / dy, reach = half * length / std::abs(dy) + half + 1;
        x0 = std::max(x0, to_sample(centre - reach, buffer.width));
        x1 = std::min(x1, to_sample(centre + reach, buffer.width));
      }
      for (int x = x0; x <= x1; ++x) {
        const double px = x + 0.5 - p[0], py = y + 0.5 - p[1];
        const double s = std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
        const double ex = px - s * dx, ey = py - s * dy;
        if (ex * ex + ey * ey > half * half) continue;
        // 1 / z is linear on the picture of a straight line.
        const double z =
            camera.perspective ? 1 / ((1 - s) / line.from.z + s / line.to.z) : (1 - s) * line.from.z + s * line.to.z;
        buffer.put(buffer.at(x, y), static_cast<float>(z), k);
      }
    }
  });
}

}  // namespace areia::picture
