#include "render/wall_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace areia::picture {

namespace {

std::vector<Vec3d> clipped(std::vector<Vec3d> polygon, const Box& box) {
  for (int side = 0; side < 6 && !polygon.empty(); ++side) {
    const int axis = side / 2;
    const bool upper = side % 2 == 1;
    const double limit = component(upper ? box.max : box.min, axis);
    polygon = half_of(polygon, [&](const Vec3d& p) { return (component(p, axis) - limit) * (upper ? -1.0 : 1.0); });
  }
  return polygon;
}

// Newell: twice the area vector; also good for polygons with points in line.
Vec3d area_vector(const std::vector<Vec3d>& polygon) {
  Vec3d sum;
  for (std::size_t k = 0; k < polygon.size(); ++k)
    sum += cross(polygon[k] - polygon[0], polygon[(k + 1) % polygon.size()] - polygon[0]);
  return sum;
}

// Both points lie on the same side of the box: the edge comes from clipping.
bool on_border(const Box& box, const Vec3d& p, const Vec3d& q, double tolerance) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double limit : {component(box.min, axis), component(box.max, axis)})
      if (std::abs(component(p, axis) - limit) < tolerance && std::abs(component(q, axis) - limit) < tolerance)
        return true;
  return false;
}

using Place = std::array<long long, 3>;

// The area vectors of a closed wall add up to nothing, those of a cone to a part of its area, those of a sheet to
// nearly all of it. The border lies where a cone is as flat as a plate with a dent (opening of 106 degrees).
void see_whether_it_bends(WallFacets& wall) {
  Vec3d area_sum, weighted;
  double area = 0;
  for (const WallFacet& facet : wall.facets) {
    const double own = 0.5 * norm(area_vector(facet.points));
    Vec3d centre;
    for (const Vec3d& p : facet.points) centre += (1 / static_cast<double>(facet.points.size())) * p;
    area_sum += own * facet.normal;
    weighted += own * centre;
    area += own;
  }
  wall.bends_round = wall.facets.size() > 2 && norm(area_sum) < 0.8 * area;
  if (!wall.bends_round) return;
  const Vec3d middle = (1 / area) * weighted;
  for (WallFacet& facet : wall.facets)
    if (dot(facet.normal, facet.points[0] - middle) < 0) facet.normal = -facet.normal;
}

// Whether the line of sight to a point goes through the facet on its way.
bool hides(const WallFacet& facet, const Camera& camera, const Vec3d& point) {
  const Vec3d sight =
      camera.perspective ? point - camera.eye : dot(point - camera.eye, camera.forward) * camera.forward;
  const Vec3d from = point - sight;
  const double slope = dot(facet.normal, sight);
  if (slope == 0) return false;
  const double share = dot(facet.normal, facet.points[0] - from) / slope;
  if (!(share > 0 && share < 1)) return false;
  const Vec3d at = from + share * sight;
  double turn = 0;  // the same way round at every side of a convex polygon
  for (std::size_t k = 0; k < facet.points.size(); ++k) {
    const Vec3d &p = facet.points[k], &q = facet.points[(k + 1) % facet.points.size()];
    const double side = dot(facet.normal, cross(q - p, at - p));
    if (side * turn < 0) return false;
    if (side != 0) turn = side;
  }
  return true;
}
}  // namespace

bool inside(const Box& box, const Vec3d& p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
         p.z <= box.max.z;
}

Box inflated(const Box& box, double by) { return {box.min - Vec3d{by, by, by}, box.max + Vec3d{by, by, by}}; }

Box neighbourhood(const Box& view) { return inflated(view, 0.3 * diagonal(view)); }

WallFacets wall_facets(const FrameWall& wall, const Box& around) {
  WallFacets shown;
  const double size = diagonal(around);
  const auto place = [&](const Vec3d& p) {
    const double s = 1e6 / size;
    return Place{std::llround(p.x * s), std::llround(p.y * s), std::llround(p.z * s)};
  };
  shown.endless =
      std::any_of(wall.vertices.begin(), wall.vertices.end(), [&](const Vec3d& p) { return !inside(around, p); });
  std::map<std::pair<Place, Place>, WallEdge> edges;
  for (const std::vector<std::int32_t>& corner : wall.polygons) {
    std::vector<Vec3d> polygon;
    for (const std::int32_t vertex : corner) polygon.push_back(wall.vertices.at(static_cast<std::size_t>(vertex)));
    polygon = clipped(std::move(polygon), around);
    if (polygon.size() < 3) continue;
    Vec3d normal = area_vector(polygon);
    if (norm(normal) < 1e-12 * size * size) continue;
    normal = unit(normal);
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec3d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      Place a = place(p), b = place(q);
      if (a == b) continue;
      if (b < a) std::swap(a, b);
      WallEdge& edge = edges[{a, b}];
      // Facets of a round wall meet at small angles; 30 degrees and more is an edge one sees.
      if (!edge.facets.empty() && edge.facets.back() < shown.facets.size() &&
          std::abs(dot(shown.facets[edge.facets.back()].normal, normal)) < 0.866)
        edge.crease = true;
      edge.from = p;
      edge.to = q;
      edge.facets.push_back(shown.facets.size());
    }
    shown.facets.push_back({std::move(polygon), normal});
  }
  see_whether_it_bends(shown);
  for (auto& [key, edge] : edges)
    if (!shown.endless || !on_border(around, edge.from, edge.to, 1e-6 * size)) shown.edges.push_back(std::move(edge));
  return shown;
}

std::vector<bool> facets_before(const WallFacets& wall, const Camera& camera, const Frame& frame, const Box& view) {
  std::vector<bool> before(wall.facets.size(), false);
  if (wall.bends_round) {
    for (std::size_t k = 0; k < before.size(); ++k) {
      const Vec3d& p = wall.facets[k].points[0];
      before[k] = dot(wall.facets[k].normal, camera.perspective ? camera.eye - p : -camera.forward) > 0;
    }
    return before;
  }
  // A sheet is before the grains as a whole, or it is not: when it hides one of fifty. A sample will do.
  const std::vector<Vec3d>& x = frame.particles.x;
  std::vector<Vec3d> sample;
  const std::size_t stride = std::max<std::size_t>(1, x.size() / 200);
  for (std::size_t k = 0; k < x.size(); k += stride)
    if (inside(view, x[k])) sample.push_back(x[k]);
  if (sample.empty()) sample.push_back(0.5 * (view.min + view.max));
  std::size_t hidden = 0;
  for (const Vec3d& p : sample)
    hidden += std::any_of(wall.facets.begin(), wall.facets.end(),
                          [&](const WallFacet& facet) { return hides(facet, camera, p); });
  if (50 * hidden >= sample.size() && hidden > 0) before.assign(before.size(), true);
  return before;
}

std::vector<Vec3d> cut_polygon(std::vector<Vec3d> points, const std::vector<HalfSpace>& kept) {
  for (const HalfSpace& h : kept) points = half_of(points, [&](const Vec3d& p) { return h.offset - dot(h.normal, p); });
  return points;
}

bool cut_line(Line& line, const std::vector<HalfSpace>& kept) {
  for (const HalfSpace& h : kept) {
    const double a = h.offset - dot(h.normal, line.from), b = h.offset - dot(h.normal, line.to);
    if (a < 0 && b < 0) return false;
    if (a < 0) line.from = line.from + (a / (a - b)) * (line.to - line.from);
    else if (b < 0) line.to = line.to + (b / (b - a)) * (line.from - line.to);
  }
  return true;
}

WallShapes wall_shapes(const Frame& frame, const Camera& camera, const Box& view, const std::vector<HalfSpace>& kept) {
  WallShapes shapes;
  const Box around = neighbourhood(view);
  for (const FrameWall& wall : frame.walls) {
    const WallFacets shown = wall_facets(wall, around);
    const std::vector<bool> near_facet = facets_before(shown, camera, frame, view);
    for (std::size_t k = 0; k < shown.facets.size(); ++k) {
      if (near_facet[k]) continue;
      const WallFacet& facet = shown.facets[k];
      const Vec3d to_eye = camera.perspective ? camera.eye - facet.points[0] : -camera.forward;
      const Vec3d normal = dot(facet.normal, to_eye) < 0 ? -facet.normal : facet.normal;
      Polygon surface;
      surface.fades = shown.endless;
      for (const Vec3d& p : facet.points) surface.points.push_back(camera.to_camera(p));
      surface.points = cut_polygon(std::move(surface.points), kept);
      if (surface.points.size() < 3) continue;
      surface.normal = camera.turned(normal);
      if (std::abs(dot(surface.normal, camera.towards_eye(surface.points[0]))) > 1e-4)  // not seen edge on
        shapes.surfaces.push_back(std::move(surface));
    }
    for (const WallEdge& edge : shown.edges) {
      const auto near_faces =
          std::count_if(edge.facets.begin(), edge.facets.end(), [&](std::size_t k) -> bool { return near_facet[k]; });
      const bool outline = near_faces > 0 && near_faces < static_cast<std::ptrdiff_t>(edge.facets.size());
      if (!edge.is_sharp() && !outline) continue;
      Line line{camera.to_camera(edge.from), camera.to_camera(edge.to), 2};
      if (!cut_line(line, kept)) continue;
      shapes.edges.push_back(line);
      shapes.near.push_back(near_faces > 0);
    }
  }
  return shapes;
}

}  // namespace areia::picture
