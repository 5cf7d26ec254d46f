#include "render/raster.h"

#include <algorithm>
#include <cmath>

namespace areia::picture {

namespace {

constexpr int kTile = 64;  // samples

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
    return clipped(buffer.width, buffer.height, x - s, x + s, y - s, y + s);
  }
  if (c.z <= 1.001 * r || c.z + r < camera.nearest) return {};  // around or behind the eye
  const auto [x0, x1] = tangents(c.x, c.z, r);
  const auto [y0, y1] = tangents(c.y, c.z, r);
  return clipped(buffer.width, buffer.height, camera.centre_x + camera.scale * x0, camera.centre_x + camera.scale * x1,
                 camera.centre_y - camera.scale * y1, camera.centre_y - camera.scale * y0);
}

bool cut_away(const std::vector<HalfSpace>& kept, const Sphere& s) {
  return std::any_of(kept.begin(), kept.end(),
                     [&](const HalfSpace& h) { return dot(h.normal, s.centre) - h.offset > s.radius; });
}

// What the half spaces leave of the stretch (low, high) of a ray from + z (direction, 1): nothing when low > high.
void shorten(const std::vector<HalfSpace>& kept, const Vec3d& from, const Vec3d& along, double& low, double& high) {
  for (const HalfSpace& h : kept) {
    const double slope = dot(h.normal, along), room = h.offset - dot(h.normal, from);
    if (slope > 0) high = std::min(high, room / slope);
    else if (slope < 0) low = std::max(low, room / slope);
    else if (room < 0) high = -1, low = 0;
  }
}

// One sphere within a part of the picture.
void draw_sphere(DepthBuffer& buffer, const Camera& camera, const Sphere& sphere, std::int32_t k, const Extent& part,
                 const std::vector<HalfSpace>& kept) {
  const Vec3d& c = sphere.centre;
  const double r2 = sphere.radius * sphere.radius, per_scale = 1 / camera.scale;
  const auto nearest = static_cast<float>(c.z - sphere.radius);
  for (int y = part.y0; y <= part.y1; ++y) {
    const double b = (camera.centre_y - (y + 0.5)) * per_scale;
    for (int x = part.x0; x <= part.x1; ++x) {
      const std::size_t sample = buffer.at(x, y);
      if (buffer.depth[sample] < nearest) continue;
      const double a = (x + 0.5 - camera.centre_x) * per_scale;
      double middle = c.z, half = 0;
      if (!camera.perspective) {
        const double h2 = r2 - (a - c.x) * (a - c.x) - (b - c.y) * (b - c.y);
        if (!(h2 > 0)) continue;
        half = std::sqrt(h2);
      } else {
        // Ray t (a, b, 1). The foot of the centre on it is at t0; the chord is what r leaves after the distance to the
        // foot: no difference of large squares.
        const double length2 = a * a + b * b + 1;
        middle = (a * c.x + b * c.y + c.z) / length2;
        const double dx = c.x - middle * a, dy = c.y - middle * b, dz = c.z - middle;
        const double h2 = r2 - (dx * dx + dy * dy + dz * dz);
        if (!(h2 > 0)) continue;
        half = std::sqrt(h2 / length2);
      }
      double z = middle - half;
      if (!kept.empty()) {
        double end = middle + half;
        if (camera.perspective) shorten(kept, {0, 0, 0}, {a, b, 1}, z, end);
        else shorten(kept, {a, b, 0}, {0, 0, 1}, z, end);
        if (z > end) continue;
      }
      buffer.put(sample, static_cast<float>(z), k);
    }
  }
}

}  // namespace

HalfSpace in_camera(const CutPlane& cut, const Camera& camera) {
  const Vec3d n = unit(cut.normal);
  const Vec3d turned = camera.turned(n);
  return {turned, dot(turned, camera.to_camera(cut.point))};
}

bool is_kept(const std::vector<HalfSpace>& kept, const Vec3d& p) {
  return std::all_of(kept.begin(), kept.end(), [&](const HalfSpace& h) { return dot(h.normal, p) <= h.offset; });
}

// From front to back within each tile of the picture: most spheres of a heap lie behind others, and once all samples of
// a tile are nearer than the next sphere can be, nothing more of it can be seen.
void draw_spheres(DepthBuffer& buffer, const Camera& camera, const std::vector<Sphere>& spheres,
                  const std::vector<HalfSpace>& kept) {
  std::vector<Extent> extents(spheres.size());
  in_parallel(static_cast<std::int64_t>(spheres.size()), 4096, [&](std::int64_t begin, std::int64_t end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      if (!cut_away(kept, spheres[k])) extents[k] = sphere_extent(buffer, camera, spheres[k]);
  });

  const int across = (buffer.width + kTile - 1) / kTile, down = (buffer.height + kTile - 1) / kTile;
  const auto tiles = static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
  const auto for_tiles_of = [&](const Extent& e, const auto& f) {
    if (e.empty()) return;
    for (int ty = e.y0 / kTile; ty <= e.y1 / kTile; ++ty)
      for (int tx = e.x0 / kTile; tx <= e.x1 / kTile; ++tx)
        f(static_cast<std::size_t>(ty) * static_cast<std::size_t>(across) + static_cast<std::size_t>(tx));
  };
  struct Member {
    float nearest;
    std::int32_t index;
    bool operator<(const Member& o) const { return nearest < o.nearest || (nearest == o.nearest && index < o.index); }
  };
  std::vector<std::size_t> begin(tiles + 1, 0);
  for (const Extent& e : extents) for_tiles_of(e, [&](std::size_t t) { ++begin[t + 1]; });
  for (std::size_t t = 0; t < tiles; ++t) begin[t + 1] += begin[t];
  std::vector<Member> members(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < extents.size(); ++k)
    for_tiles_of(extents[k], [&](std::size_t t) {
      members[next[t]++] = {static_cast<float>(spheres[k].centre.z - spheres[k].radius), static_cast<std::int32_t>(k)};
    });

  in_parallel(static_cast<std::int64_t>(tiles), 1, [&](std::int64_t at, std::int64_t) {
    const auto t = static_cast<std::size_t>(at);
    const int x0 = static_cast<int>(at) % across * kTile, y0 = static_cast<int>(at) / across * kTile;
    const int x1 = std::min(buffer.width, x0 + kTile) - 1, y1 = std::min(buffer.height, y0 + kTile) - 1;
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin[t]);
    const auto last = members.begin() + static_cast<std::ptrdiff_t>(begin[t + 1]);
    std::sort(first, last);
    float farthest = DepthBuffer::kFar;
    int drawn = 0;
    for (auto m = first; m != last && m->nearest <= farthest; ++m) {
      const auto k = static_cast<std::size_t>(m->index);
      const Extent& e = extents[k];
      draw_sphere(buffer, camera, spheres[k], m->index,
                  {std::max(x0, e.x0), std::min(x1, e.x1), std::max(y0, e.y0), std::min(y1, e.y1)}, kept);
      if (++drawn % 32 != 0) continue;
      farthest = 0;
      for (int y = y0; y <= y1; ++y)
        for (std::size_t s = buffer.at(x0, y); s <= buffer.at(x1, y); ++s)
          farthest = std::max(farthest, buffer.depth[s]);
    }
  });
}

Vec3d surface_normal(const Sphere& sphere, const Vec3d& point, const std::vector<HalfSpace>& kept) {
  const Vec3d out = point - sphere.centre;
  for (const HalfSpace& h : kept)  // depths are floats: what lies on a face does so to about 1e-6 of them
    if (norm(out) < 0.998 * sphere.radius && std::abs(dot(h.normal, point) - h.offset) < 1e-6 * std::abs(point.z))
      return h.normal;
  return (1 / sphere.radius) * out;
}

void draw_polygons(DepthBuffer& buffer, const Camera& camera, const std::vector<Polygon>& polygons) {
  scan_polygons(buffer.width, buffer.height, camera, polygons,
                [&](std::int32_t k, int x, int y, double z) { buffer.put(buffer.at(x, y), static_cast<float>(z), k); });
}

void draw_lines(DepthBuffer& buffer, const Camera& camera, const std::vector<Line>& lines) {
  scan_lines(buffer.width, buffer.height, camera, lines,
             [&](std::int32_t k, int x, int y, double z) { buffer.put(buffer.at(x, y), static_cast<float>(z), k); });
}

}  // namespace areia::picture
