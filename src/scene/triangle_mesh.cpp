// Contacts of spheres with triangles, the search for near ones, and the inside of a closed mesh.
#include "scene/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "scene/shapes/shape.h"

namespace areia {

namespace {

using Near = MeshScratch::Near;

constexpr double kEqual = 1e-12;      // relative, of squared distances
constexpr double kSamePoint = 1e-9;   // of the radius
constexpr double kOnTriangle = 1e-9;  // in barycentric coordinates

struct OnEdge {
  Vec3d point;
  double d2;
  std::int32_t vertex;  // -1: inside the edge
};

OnEdge closest_on_edge(const TriangleMesh& mesh, const TriangleMesh::Edge& e, const Vec3d& x) {
  const Vec3d &a = mesh.vertices[e.a], &b = mesh.vertices[e.b];
  const Vec3d span = b - a;
  const double along = dot(x - a, span), length2 = norm2(span);
  if (along <= 0) return {a, norm2(x - a), e.a};
  if (along >= length2) return {b, norm2(x - b), e.b};
  const Vec3d point = a + (along / length2) * span;
  return {point, norm2(x - point), -1};
}

// The nearest point on the rim of a triangle, and whether it is on an edge or a vertex.
Near closest_on_rim(const TriangleMesh& mesh, std::int32_t k, const Vec3d& x) {
  const TriangleMesh::Triangle& t = mesh.triangles[k];
  Near best{&t, k, -1, -1, kForever, {}};
  for (const std::int32_t e : t.edge) {
    const OnEdge on = closest_on_edge(mesh, mesh.edges[e], x);
    if (on.d2 < best.d2) best = {&t, k, on.vertex < 0 ? e : -1, on.vertex, on.d2, on.point};
  }
  return best;
}

bool holds_foot(const TriangleMesh::Triangle& t, const Vec3d& x, const std::array<double, 3>& slack) {
  const Vec3d d = x - t.corner;
  const double u = dot(t.dual_u, d), v = dot(t.dual_v, d);
  return v >= -slack[0] && 1 - u - v >= -slack[1] && u >= -slack[2];
}

bool lies_on(const TriangleMesh& mesh, const Vec3d& point, const Near& face, double radius) {
  const TriangleMesh::Plane& p = mesh.planes[face.t->plane];
  return std::fabs(dot(p.normal, point - p.point)) <= kSamePoint * radius &&
         holds_foot(*face.t, point, {kOnTriangle, kOnTriangle, kOnTriangle});
}

bool is_face(const Near& n) { return n.edge < 0 && n.vertex < 0; }

template <class Three>
bool has(const Three& three, std::int32_t k) {
  return three[0] == k || three[1] == k || three[2] == k;
}

}  // namespace

void find_mesh_hits(const TriangleMesh& mesh, const std::int32_t* begin, const std::int32_t* end, const Vec3d& x,
                    double radius, MeshScratch& scratch) {
  std::vector<Near>& near = scratch.near;
  std::vector<MeshHit>& hits = scratch.hits;
  near.clear();
  hits.clear();
  const double radius2 = radius * radius;
  // Whether a triangle belongs to `near` follows from x and the radius alone, so candidates further off change nothing.
  for (const std::int32_t* k = begin; k != end; ++k) {
    const TriangleMesh::Triangle& t = mesh.triangles[*k];
    const TriangleMesh::Plane& p = mesh.planes[t.plane];
    const double height = dot(x - p.point, p.normal);
    if (!(std::fabs(height) < radius)) continue;
    if (holds_foot(t, x, t.slack)) {
      near.push_back({&t, *k, -1, -1, height * height, x - height * p.normal});
    } else if (t.features) {
      const Near rim = closest_on_rim(mesh, *k, x);
      if (rim.d2 < radius2) near.push_back(rim);
    }
  }
  if (near.empty()) return;
  // From here on all goes by the numbers of the triangles, faces before rims, whatever the order of the candidates.
  if (near.size() > 1)
    std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
      return is_face(a) != is_face(b) ? is_face(a) : a.triangle < b.triangle;
    });
  std::size_t faces = 0;
  for (; faces < near.size() && is_face(near[faces]); ++faces) {
    // Facets of one plane give one contact, of the same bits whichever of them it is; equal feet likewise.
    const Near& n = near[faces];
    bool known = false;
    for (std::size_t f = 0; f < faces && !known; ++f)
      known = near[f].t->plane == n.t->plane || norm2(near[f].point - n.point) <= kSamePoint * kSamePoint * radius2;
    if (known) continue;
    const TriangleMesh::Plane& p = mesh.planes[n.t->plane];
    const double height = dot(x - p.point, p.normal);
    hits.push_back({n.t->patch, n.triangle, std::fabs(height), height >= 0 ? -p.normal : p.normal, n.point, 0});
  }
  const bool rims = faces < near.size();

  if (rims) {
    for (const bool vertices : {false, true})
      for (std::size_t c = faces; c < near.size(); ++c) {
        const Near& n = near[c];
        if (vertices != (n.vertex >= 0)) continue;
        if (vertices ? mesh.vertex_flat[n.vertex] : mesh.edges[n.edge].flat) continue;
        bool accepted = true;
        const double limit = n.d2 * (1 - kEqual);
        for (std::size_t k = 0; k < near.size() && accepted; ++k) {
          const Near& other = near[k];
          const bool shares = vertices ? has(other.t->vertex, n.vertex) : has(other.t->edge, n.edge);
          if (shares) accepted = k >= faces && !(other.d2 < limit);  // no closer point, no accepted face
          else if (k < faces) accepted = !lies_on(mesh, n.point, other, radius);
        }
        for (std::size_t h = 0; h < hits.size() && accepted; ++h)
          accepted = norm2(hits[h].point - n.point) > kSamePoint * kSamePoint * radius2;
        if (!accepted) continue;
        const double distance = std::sqrt(n.d2);
        const Vec3d n_unit = distance > 0 ? (1 / distance) * (n.point - x) : -mesh.planes[n.t->plane].normal;
        // an edge between patches belongs to the lower one
        std::int32_t patch = n.t->patch;
        for (std::size_t k = faces; k < near.size(); ++k)
          if (vertices ? has(near[k].t->vertex, n.vertex) : has(near[k].t->edge, n.edge))
            patch = std::min(patch, near[k].t->patch);
        hits.push_back({patch, n.triangle, distance, n_unit, n.point, vertices ? 2 : 1});
      }
    if (hits.empty()) {
      // Rounding has made neighbours disagree about who holds the closest point. The nearest one does.
      const Near& n =
          *std::min_element(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.d2 < b.d2; });
      const bool inside_plane = n.vertex >= 0 ? mesh.vertex_flat[n.vertex] : mesh.edges[n.edge].flat;
      const double distance = std::sqrt(n.d2);
      const TriangleMesh::Plane& p = mesh.planes[n.t->plane];
      const double height = dot(x - p.point, p.normal);
      if (inside_plane)
        hits.push_back({n.t->patch, n.triangle, std::fabs(height), height >= 0 ? -p.normal : p.normal, n.point, 0});
      else
        hits.push_back({n.t->patch, n.triangle, distance, distance > 0 ? (1 / distance) * (n.point - x) : -p.normal,
                        n.point, n.vertex >= 0 ? 2 : 1});
    }
  }
  if (hits.size() < 2) return;
  // Of those that are one contact the deepest stays.
  std::sort(hits.begin(), hits.end(), [](const MeshHit& a, const MeshHit& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.triangle < b.triangle;
  });
  std::size_t kept = 0;
  for (std::size_t h = 0; h < hits.size(); ++h) {
    bool same = false;
    for (std::size_t k = 0; k < kept && !same; ++k)
      same = hits[k].patch == hits[h].patch && dot(hits[k].n, hits[h].n) > mesh.patch_cosine;
    if (!same) hits[kept++] = hits[h];
  }
  hits.resize(kept);
  std::sort(hits.begin(), hits.end(), [](const MeshHit& a, const MeshHit& b) {
    return std::tie(a.patch, a.point.x, a.point.y, a.point.z) < std::tie(b.patch, b.point.x, b.point.y, b.point.z);
  });
}

static double triangle_distance2(const TriangleMesh& mesh, std::int32_t k, const Vec3d& x) {
  const TriangleMesh::Triangle& t = mesh.triangles[k];
  if (!holds_foot(t, x, t.slack)) return closest_on_rim(mesh, k, x).d2;
  const TriangleMesh::Plane& p = mesh.planes[t.plane];
  const double height = dot(x - p.point, p.normal);
  return height * height;
}

double mesh_steepness(const TriangleMesh& mesh, const std::int32_t* begin, const std::int32_t* end, const Vec3d& x,
                      double reach, const Vec3d& point, const Vec3d& n, double tolerance) {
  double most = 0;
  for (const std::int32_t* k = begin; k != end; ++k) {
    const TriangleMesh::Triangle& t = mesh.triangles[*k];
    const TriangleMesh::Plane& p = mesh.planes[t.plane];
    const Vec3d d = point - t.corner;
    if (!(std::fabs(dot(point - p.point, p.normal)) <= tolerance)) continue;
    // u, v and 1 - u - v are the distances from the edges in units of the heights over them
    LocalSurface at{true, p.normal, 0, {}};
    const double u = dot(t.dual_u, d), v = dot(t.dual_v, d);
    const Vec3d across[] = {t.dual_v, -(t.dual_u + t.dual_v), t.dual_u};
    const double share[] = {v, 1 - u - v, u};
    for (int e = 0; e < 3 && at.holds; ++e) {
      const double scale = norm(across[e]);
      if (share[e] < -tolerance * scale) at.holds = false;
      else if (share[e] <= tolerance * scale) at.end((1 / scale) * across[e]);
    }
    if (!at.holds) continue;
    const double here = steepness(at, n);
    if (here > most && triangle_distance2(mesh, *k, x) < reach * reach) most = here;
  }
  return most;
}

template <class F>
static void for_each_cell(const TriangleMesh::Grid& g, const Vec3d& low, const Vec3d& high, F&& f) {
  const auto index = [&](double a, double origin, std::int32_t count) {
    const double c = std::floor((a - origin) / g.cell);
    return c < 0 ? -1 : c >= count ? count : static_cast<std::int32_t>(c);
  };
  const std::int32_t x0 = std::max(0, index(low.x, g.low.x, g.count[0])),
                     y0 = std::max(0, index(low.y, g.low.y, g.count[1])),
                     z0 = std::max(0, index(low.z, g.low.z, g.count[2]));
  const std::int32_t x1 = std::min(g.count[0] - 1, index(high.x, g.low.x, g.count[0])),
                     y1 = std::min(g.count[1] - 1, index(high.y, g.low.y, g.count[1])),
                     z1 = std::min(g.count[2] - 1, index(high.z, g.low.z, g.count[2]));
  for (std::int32_t z = z0; z <= z1; ++z)
    for (std::int32_t y = y0; y <= y1; ++y)
      for (std::int32_t cx = x0; cx <= x1; ++cx) f((static_cast<std::size_t>(z) * g.count[1] + y) * g.count[0] + cx);
}

static void collect(const TriangleMesh& mesh, const Vec3d& low, const Vec3d& high, std::vector<std::int32_t>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for_each_cell(mesh.grid, low, high, [&](std::size_t cell) {
    out.insert(out.end(), mesh.grid.triangle.begin() + mesh.grid.start[cell],
               mesh.grid.triangle.begin() + mesh.grid.start[cell + 1]);
  });
  std::sort(out.begin() + first, out.end());
  out.erase(std::unique(out.begin() + first, out.end()), out.end());
}

void find_triangles(const TriangleMesh& mesh, const Vec3d& x, double reach, std::vector<std::int32_t>& out) {
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  const Vec3d r{reach, reach, reach};
  collect(mesh, x - r, x + r, out);
  const double limit = reach * reach * (1 + 1e-9);
  out.erase(std::remove_if(out.begin() + first, out.end(),
                           [&](std::int32_t k) {
                             const TriangleMesh::Plane& p = mesh.planes[mesh.triangles[k].plane];
                             const double height = dot(x - p.point, p.normal);
                             return height * height > limit || triangle_distance2(mesh, k, x) > limit;
                           }),
            out.end());
}

MeshHit nearest_on_mesh(const TriangleMesh& mesh, const Vec3d& x, double reach) {
  static thread_local std::vector<std::int32_t> near;
  near.clear();
  find_triangles(mesh, x, reach, near);
  MeshHit best;
  best.distance = kForever;
  for (const std::int32_t k : near) {
    const TriangleMesh::Triangle& t = mesh.triangles[k];
    const TriangleMesh::Plane& p = mesh.planes[t.plane];
    const double height = dot(x - p.point, p.normal);
    if (!(std::fabs(height) < best.distance)) continue;
    const Vec3d side = height >= 0 ? -p.normal : p.normal;
    if (holds_foot(t, x, t.slack)) {
      best = {t.patch, k, std::fabs(height), side, x - height * p.normal, 0};
      continue;
    }
    const Near rim = closest_on_rim(mesh, k, x);
    const double distance = std::sqrt(rim.d2);
    if (distance < best.distance)
      best = {t.patch,   k,
              distance,  distance > 0 ? (1 / distance) * (rim.point - x) : side,
              rim.point, rim.vertex >= 0 ? 2 : 1};
  }
  return best;
}

double mesh_distance(const TriangleMesh& mesh, const Vec3d& x, double reach) {
  return nearest_on_mesh(mesh, x, reach).distance;
}

// Winding number by the solid angles of all triangles (Van Oosterom and Strackee 1983): for rays that hit an edge.
static bool inside_by_angles(const TriangleMesh& mesh, const Vec3d& x) {
  double sum = 0;
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t.vertex[0]] - x, b = mesh.vertices[t.vertex[1]] - x,
                c = mesh.vertices[t.vertex[2]] - x;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return std::fabs(sum) > 2 * std::numbers::pi;
}

bool inside_mesh(const TriangleMesh& mesh, const Vec3d& x) {
  const Box& b = mesh.bounds;
  if (!(x.x > b.min.x && x.x < b.max.x && x.y > b.min.y && x.y < b.max.y && x.z > b.min.z && x.z < b.max.z))
    return false;
  static thread_local std::vector<std::int32_t> column;
  column.clear();
  collect(mesh, x, {x.x, x.y, b.max.z + mesh.grid.cell}, column);
  int winding = 0;
  for (const std::int32_t k : column) {
    const TriangleMesh::Triangle& t = mesh.triangles[k];
    std::array<double, 3> side;
    double size = 0;
    for (int e = 0; e < 3; ++e) {
      const Vec3d p = mesh.vertices[t.vertex[e]] - x, q = mesh.vertices[t.vertex[(e + 1) % 3]] - x;
      side[e] = p.x * q.y - p.y * q.x;
      size = std::max({size, std::fabs(p.x * q.y), std::fabs(p.y * q.x)});
    }
    const double rounding = 1e-14 * size;
    const bool left = side[0] > rounding && side[1] > rounding && side[2] > rounding;
    const bool right = side[0] < -rounding && side[1] < -rounding && side[2] < -rounding;
    if (left || right) {
      const TriangleMesh::Plane& p = mesh.planes[t.plane];
      const double along = dot(p.normal, p.point - x) / p.normal.z;  // height of the plane above x
      if (std::fabs(along) <= 1e-12 * mesh.reach) return inside_by_angles(mesh, x);
      if (along > 0) winding += left ? 1 : -1;
      continue;
    }
    const bool outside = (side[0] > rounding || side[1] > rounding || side[2] > rounding) &&
                         (side[0] < -rounding || side[1] < -rounding || side[2] < -rounding);
    if (!outside) return inside_by_angles(mesh, x);  // the ray meets an edge, or lies in the plane
  }
  return winding != 0;
}

std::size_t TriangleMesh::bytes() const {
  return vertices.size() * (sizeof(Vec3d) + 1) + triangles.size() * sizeof(Triangle) + planes.size() * sizeof(Plane) +
         edges.size() * sizeof(Edge) + 4 * (grid.start.size() + grid.triangle.size());
}

}  // namespace areia
