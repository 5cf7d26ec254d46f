// From vertices and triangles as given to a mesh that is ready for contacts: examination, repair, planes, patches,
// grid.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "areia/error.h"
#include "core/rotation.h"
#include "scene/triangle_mesh.h"

namespace areia {

namespace {

using Corners = std::array<std::int32_t, 3>;

constexpr double kNoArea = 1e-12;  // twice the area over the square of the longest edge
constexpr double kFlatness =
    2.5e-7;                      // of the size: vertices that close to a plane are in it (rounded single precision)
constexpr double kSlack = 1e-9;  // barycentric, towards coplanar facets

std::uint64_t mixed(std::uint64_t h) {  // finaliser of splitmix64
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

// Numbers equal things from 0 on, in the order of their first appearance.
template <class T, class Hash>
class Numbering {
 public:
  Numbering(std::size_t expected, Hash hash) : hash_(hash) {
    slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * expected)), -1);
  }
  std::int32_t number(const T& value) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t k = hash_(value) & mask;; k = (k + 1) & mask) {
      if (slots_[k] < 0) {
        slots_[k] = static_cast<std::int32_t>(values.size());
        values.push_back(value);
        return slots_[k];
      }
      if (values[slots_[k]] == value) return slots_[k];
    }
  }
  std::vector<T> values;

 private:
  Hash hash_;
  std::vector<std::int32_t> slots_;
};

std::uint64_t hash_of(const Vec3d& v) {
  // -0 equals 0
  const std::array<double, 3> a{v.x + 0.0, v.y + 0.0, v.z + 0.0};
  return mixed(std::bit_cast<std::uint64_t>(a[0]) +
               mixed(std::bit_cast<std::uint64_t>(a[1]) + mixed(std::bit_cast<std::uint64_t>(a[2]))));
}
std::uint64_t hash_of(const Corners& c) {
  return mixed(static_cast<std::uint64_t>(c[0]) + mixed(static_cast<std::uint64_t>(c[1]) + mixed(c[2])));
}
std::uint64_t hash_of(std::uint64_t v) { return mixed(v); }

class Sets {  // union-find
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t root(std::int32_t k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  // the lower number represents a set
  void join(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::int32_t> parent_;
};

Vec3d area_vector(const std::vector<Vec3d>& v, const Corners& t) { return cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]); }

bool has_area(const std::vector<Vec3d>& v, const Corners& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const double longest = std::max({norm2(v[t[1]] - v[t[0]]), norm2(v[t[2]] - v[t[1]]), norm2(v[t[0]] - v[t[2]])});
  return norm(area_vector(v, t)) > kNoArea * longest;
}

// Edges of all triangles, numbered, with up to two facets each.
struct Edges {
  std::vector<std::array<std::int32_t, 3>> of;  // per triangle
  std::vector<std::array<std::int32_t, 2>> ends, facets;
  std::vector<std::int32_t> count;

  Edges(const std::vector<Corners>& triangles) {
    const auto hash = [](std::uint64_t v) { return hash_of(v); };
    Numbering<std::uint64_t, decltype(hash)> numbering(2 * triangles.size(), hash);
    of.resize(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        std::int32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
        if (a > b) std::swap(a, b);
        const std::int32_t e = numbering.number(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b));
        of[t][k] = e;
        if (static_cast<std::size_t>(e) == count.size()) {
          ends.push_back({a, b});
          facets.push_back({-1, -1});
          count.push_back(0);
        }
        if (count[e] < 2) facets[e][count[e]] = static_cast<std::int32_t>(t);
        ++count[e];
      }
  }
  // The other facet of an edge that has exactly two; else -1.
  std::int32_t across(std::int32_t e, std::int32_t t) const {
    if (count[e] != 2) return -1;
    return facets[e][0] == t ? facets[e][1] : facets[e][0];
  }
};

// Whether a triangle runs along the edge from its lower to its higher vertex.
bool runs_up(const Corners& t, const std::array<std::int32_t, 2>& ends) {
  for (int k = 0; k < 3; ++k)
    if (t[k] == ends[0] && t[(k + 1) % 3] == ends[1]) return true;
  return false;
}

struct Shells {
  std::vector<std::int32_t> of;  // per triangle
  std::int32_t count = 0;
};

// Turns facets so that neighbours agree, each shell after its first facet; closed shells outwards.
Shells turn_alike(const std::vector<Vec3d>& v, std::vector<Corners>& triangles, const Edges& edges,
                  MeshReport& report) {
  Shells shells;
  shells.of.assign(triangles.size(), -1);
  std::vector<std::int32_t> waiting;
  std::vector<std::uint8_t> turned(triangles.size(), 0);
  for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
    if (shells.of[seed] >= 0) continue;
    const std::int32_t shell = shells.count++;
    shells.of[seed] = shell;
    waiting.assign(1, static_cast<std::int32_t>(seed));
    std::vector<std::int32_t> members;
    while (!waiting.empty()) {
      const std::int32_t t = waiting.back();
      waiting.pop_back();
      members.push_back(t);
      for (const std::int32_t e : edges.of[t]) {
        const std::int32_t other = edges.across(e, t);
        if (other < 0) continue;
        const bool alike = runs_up(triangles[t], edges.ends[e]) != runs_up(triangles[other], edges.ends[e]);
        if (shells.of[other] >= 0) {
          if (!alike) report.one_sided = true;
          continue;
        }
        if (!alike) {
          std::swap(triangles[other][1], triangles[other][2]);
          turned[other] = 1;
        }
        shells.of[other] = shell;
        waiting.push_back(other);
      }
    }
    // Fewer than half were wrong, whichever the first one was.
    std::size_t wrong = 0;
    double volume = 0;
    for (const std::int32_t t : members) {
      wrong += turned[t];
      volume += dot(v[triangles[t][0]] - v[triangles[seed][0]], area_vector(v, triangles[t])) / 6;
    }
    bool whole = true;
    for (const std::int32_t t : members)
      for (const std::int32_t e : edges.of[t]) whole = whole && edges.count[e] == 2;
    const bool back = whole ? volume < 0 : 2 * wrong > members.size();
    if (back)
      for (const std::int32_t t : members) std::swap(triangles[t][1], triangles[t][2]);
    report.turned += back ? members.size() - wrong : wrong;
    report.inverted = report.inverted || (whole && back && wrong == 0);
  }
  return shells;
}

struct Cleaned {
  std::vector<Vec3d> vertices;
  std::vector<Corners> triangles;
  MeshReport report;
};

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& rule) {
  throw InputError(key, value, rule);
}

Cleaned cleaned(const MeshShape& shape, const std::string& key) {
  Cleaned c;
  MeshReport& report = c.report;
  report.vertices = shape.vertices.size();
  report.triangles = shape.triangles.size();
  if (shape.triangles.empty()) refuse(key, shape.origin, "the mesh has no triangles");
  if (shape.triangles.size() > kMostTriangles || shape.vertices.size() > 3 * kMostTriangles)
    refuse(key, std::to_string(shape.triangles.size()),
           fmt::format("at most {} triangles; simplify the mesh, grains do not feel details below their size",
                       kMostTriangles));
  std::vector<Vec3d> place;
  place.reserve(shape.vertices.size());
  for (std::size_t k = 0; k < shape.vertices.size(); ++k) {
    place.push_back(shape.scale * shape.vertices[k] + shape.shift);
    const Vec3d& p = place.back();
    // squares of lengths must stay finite
    if (!(std::fabs(p.x) < 1e100 && std::fabs(p.y) < 1e100 && std::fabs(p.z) < 1e100))
      refuse(key, fmt::format("vertex {}: [{}, {}, {}]", k + 1, p.x, p.y, p.z), "the vertices must be finite numbers");
  }
  for (const Corners& t : shape.triangles)
    for (const std::int32_t k : t)
      if (k < 0 || static_cast<std::size_t>(k) >= shape.vertices.size())
        refuse(key, std::to_string(k),
               fmt::format("a triangle names a vertex that is not there; there are {}, "
                           "numbered from 0",
                           shape.vertices.size()));
  std::vector<std::int32_t> number(place.size());
  {
    const auto hash = [](const Vec3d& v) { return hash_of(v); };
    Numbering<Vec3d, decltype(hash)> numbering(place.size(), hash);
    for (std::size_t k = 0; k < place.size(); ++k) number[k] = numbering.number(place[k]);
    report.merged_vertices = place.size() - numbering.values.size();
    if (shape.repair) c.vertices = std::move(numbering.values);
  }
  if (!shape.repair) {
    c.vertices = std::move(place);
    std::iota(number.begin(), number.end(), 0);
  }
  const auto hash = [](const Corners& t) { return hash_of(t); };
  Numbering<Corners, decltype(hash)> known(shape.triangles.size(), hash);
  for (const Corners& given : shape.triangles) {
    const Corners t{number[given[0]], number[given[1]], number[given[2]]};
    if (!has_area(c.vertices, t)) {
      ++report.degenerate;
      continue;
    }
    Corners sorted = t;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t before = known.values.size();
    known.number(sorted);
    if (known.values.size() == before) ++report.duplicate;
    else c.triangles.push_back(t);
  }
  if (!shape.repair && report.degenerate + report.duplicate > 0)
    refuse(key, fmt::format("{} triangles without area, {} given twice", report.degenerate, report.duplicate),
           "such triangles cannot be walls; `repair = true` drops them");
  if (c.triangles.empty()) refuse(key, shape.origin, "no triangle of the mesh has an area");

  // only vertices in use
  std::vector<std::int32_t> compact(c.vertices.size(), -1);
  std::vector<Vec3d> used;
  for (Corners& t : c.triangles)
    for (std::int32_t& k : t) {
      if (compact[k] < 0) {
        compact[k] = static_cast<std::int32_t>(used.size());
        used.push_back(c.vertices[k]);
      }
      k = compact[k];
    }
  report.unused_vertices = c.vertices.size() - used.size();
  c.vertices = std::move(used);
  return c;
}

void count_edges(const Edges& edges, std::size_t vertices, MeshReport& report) {
  Sets rims(vertices);
  std::vector<std::uint8_t> on_rim(vertices, 0);
  for (std::size_t e = 0; e < edges.count.size(); ++e) {
    report.non_manifold_edges += edges.count[e] > 2;
    if (edges.count[e] != 1) continue;
    ++report.open_edges;
    rims.join(edges.ends[e][0], edges.ends[e][1]);
    on_rim[edges.ends[e][0]] = on_rim[edges.ends[e][1]] = 1;
  }
  for (std::size_t k = 0; k < vertices; ++k)
    report.holes += on_rim[k] && rims.root(static_cast<std::int32_t>(k)) == static_cast<std::int32_t>(k);
  report.closed = report.open_edges == 0 && report.non_manifold_edges == 0;
}

// Facets in one plane get one equation: grown from the largest facet, whose own it is, over edges as long as all
// corners stay within rounding of it. Growing from one fixed plane cannot creep around a bend.
void find_planes(TriangleMesh& mesh, const std::vector<Corners>& triangles, const Edges& edges) {
  const std::vector<Vec3d>& v = mesh.vertices;
  std::vector<double> area(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) area[t] = norm(area_vector(v, triangles[t]));
  std::vector<std::int32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return area[a] > area[b]; });
  const double size = std::max(norm(mesh.bounds.max - mesh.bounds.min), mesh.reach);
  for (TriangleMesh::Triangle& t : mesh.triangles) t.plane = -1;
  std::vector<std::int32_t> waiting;
  for (const std::int32_t seed : order) {
    if (mesh.triangles[seed].plane >= 0) continue;
    const auto plane = static_cast<std::int32_t>(mesh.planes.size());
    const TriangleMesh::Plane p{v[triangles[seed][0]], unit(area_vector(v, triangles[seed]))};
    mesh.planes.push_back(p);
    mesh.triangles[seed].plane = plane;
    waiting.assign(1, seed);
    while (!waiting.empty()) {
      const std::int32_t t = waiting.back();
      waiting.pop_back();
      for (const std::int32_t e : edges.of[t]) {
        const std::int32_t other = edges.across(e, t);
        if (other < 0 || mesh.triangles[other].plane >= 0) continue;
        bool flat = std::fabs(dot(area_vector(v, triangles[other]), p.normal)) > 0.999 * area[other];
        for (const std::int32_t k : triangles[other])
          flat = flat && std::fabs(dot(v[k] - p.point, p.normal)) <= kFlatness * size;
        // a facet folded back onto its neighbour is in the same plane, but not beside it
        const bool same_way = runs_up(triangles[t], edges.ends[e]) != runs_up(triangles[other], edges.ends[e]);
        const double turn = dot(area_vector(v, triangles[t]), area_vector(v, triangles[other]));
        if (!flat || (turn > 0) != same_way) continue;
        mesh.triangles[other].plane = plane;
        waiting.push_back(other);
      }
    }
  }
}

void find_patches(TriangleMesh& mesh, const std::vector<Corners>& triangles, const Edges& edges) {
  Sets sets(triangles.size());
  for (std::size_t e = 0; e < edges.count.size(); ++e) {
    if (edges.count[e] != 2) continue;
    const std::int32_t a = edges.facets[e][0], b = edges.facets[e][1];
    if (mesh.triangles[a].plane == mesh.triangles[b].plane) {
      sets.join(a, b);
      continue;
    }
    const Vec3d na = area_vector(mesh.vertices, triangles[a]), nb = area_vector(mesh.vertices, triangles[b]);
    const double sign = runs_up(triangles[a], edges.ends[e]) != runs_up(triangles[b], edges.ends[e]) ? 1 : -1;
    if (sign * dot(na, nb) > mesh.patch_cosine * norm(na) * norm(nb)) sets.join(a, b);
  }
  std::vector<std::int32_t> number(triangles.size(), -1);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::int32_t root = sets.root(static_cast<std::int32_t>(t));
    if (number[root] < 0) number[root] = mesh.patches++;
    mesh.triangles[t].patch = number[root];
  }
}

// Whether a triangle may reach into a cube, told from its middle: three corners from there, half an edge. Of the
// thirteen directions that can separate the two, the nine across an edge of each; those of the axes and of the plane
// are looked at before.
bool may_cross(const std::array<Vec3d, 3>& corner, double half) {
  for (int k = 0; k < 3; ++k) {
    const Vec3d edge = corner[(k + 1) % 3] - corner[k];
    for (const Vec3d& across : {Vec3d{0, -edge.z, edge.y}, Vec3d{edge.z, 0, -edge.x}, Vec3d{-edge.y, edge.x, 0}}) {
      const double a = dot(corner[k], across), b = dot(corner[(k + 2) % 3], across);  // both ends of the edge are at a
      const double reach = half * (std::fabs(across.x) + std::fabs(across.y) + std::fabs(across.z));
      if (std::min(a, b) > reach || std::max(a, b) < -reach) return false;
    }
  }
  return true;
}

void fill_grid(TriangleMesh& mesh) {
  TriangleMesh::Grid& g = mesh.grid;
  const std::size_t n = mesh.triangles.size();
  double extent = 0, area = 0;
  for (const TriangleMesh::Triangle& t : mesh.triangles) {
    const Vec3d &a = mesh.vertices[t.vertex[0]], &b = mesh.vertices[t.vertex[1]], &c = mesh.vertices[t.vertex[2]];
    extent += std::sqrt(std::max({norm2(b - a), norm2(c - b), norm2(a - c)}));
    area += 0.5 * norm(cross(b - a, c - a));
  }
  const Vec3d size = mesh.bounds.max - mesh.bounds.min;
  const double margin = 1e-6 * norm(size);
  g.low = mesh.bounds.min - Vec3d{margin, margin, margin};
  const auto cells = [&](double length) { return static_cast<std::int32_t>((length + 2 * margin) / g.cell) + 1; };
  const auto cell_of = [&](double a, double low, std::int32_t count) {
    return std::min(count - 1, std::max(0, static_cast<std::int32_t>((a - low) / g.cell)));
  };
  const auto for_each = [&](auto&& f) {
    const double half = 0.5 * g.cell + 2 * margin;
    for (std::size_t k = 0; k < n; ++k) {
      const TriangleMesh::Triangle& t = mesh.triangles[k];
      const TriangleMesh::Plane& p = mesh.planes[t.plane];
      const double width = std::fabs(p.normal.x) + std::fabs(p.normal.y) + std::fabs(p.normal.z);
      std::array<std::int32_t, 3> low{1 << 30, 1 << 30, 1 << 30}, high{-1, -1, -1};
      for (const std::int32_t v : t.vertex) {
        const Vec3d& x = mesh.vertices[v];
        const std::array<std::int32_t, 3> at{cell_of(x.x, g.low.x, g.count[0]), cell_of(x.y, g.low.y, g.count[1]),
                                             cell_of(x.z, g.low.z, g.count[2])};
        for (int a = 0; a < 3; ++a) {
          low[a] = std::min(low[a], at[a]);
          high[a] = std::max(high[a], at[a]);
        }
      }
      for (std::int32_t z = low[2]; z <= high[2]; ++z)
        for (std::int32_t y = low[1]; y <= high[1]; ++y)
          for (std::int32_t x = low[0]; x <= high[0]; ++x) {
            const Vec3d middle = g.low + Vec3d{(x + 0.5) * g.cell, (y + 0.5) * g.cell, (z + 0.5) * g.cell};
            if (std::fabs(dot(middle - p.point, p.normal)) > half * width + 2 * margin) continue;
            if (!may_cross({mesh.vertices[t.vertex[0]] - middle, mesh.vertices[t.vertex[1]] - middle,
                            mesh.vertices[t.vertex[2]] - middle},
                           half))
              continue;
            f((static_cast<std::size_t>(z) * g.count[1] + y) * g.count[0] + x, static_cast<std::int32_t>(k));
          }
    }
  };
  // A mean edge; where triangles are long and narrow, that of an equilateral one of their area.
  const auto count = static_cast<double>(n);
  g.cell = std::max(std::min(extent / count, 1.52 * std::sqrt(area / count)), 4 * margin);
  const double most_cells = 4.0 * count + 65536;
  const std::size_t most_entries = 16 * n + 65536;
  for (;; g.cell *= 1.5) {
    const double wide = (size.x + 2 * margin) / g.cell + 1, deep = (size.y + 2 * margin) / g.cell + 1,
                 tall = (size.z + 2 * margin) / g.cell + 1;
    if (wide * deep * tall > most_cells) continue;
    g.count = {cells(size.x), cells(size.y), cells(size.z)};
    std::size_t entries = 0;
    g.start.assign(static_cast<std::size_t>(g.count[0]) * g.count[1] * g.count[2] + 1, 0);
    for_each([&](std::size_t cell, std::int32_t) {
      ++entries;
      ++g.start[cell + 1];
    });
    if (entries <= most_entries || g.start.size() == 2) break;
  }
  for (std::size_t k = 1; k < g.start.size(); ++k) g.start[k] += g.start[k - 1];
  g.triangle.resize(g.start.back());
  std::vector<std::uint32_t> next(g.start.begin(), g.start.end() - 1);
  for_each([&](std::size_t cell, std::int32_t k) { g.triangle[next[cell]++] = k; });
}

}  // namespace

TriangleMesh make_triangle_mesh(const MeshShape& shape, const std::string& key) {
  Cleaned c = cleaned(shape, key);
  TriangleMesh mesh;
  const Edges edges(c.triangles);
  MeshReport& report = c.report;
  count_edges(edges, c.vertices.size(), report);
  {
    std::vector<Corners> alike = c.triangles;
    report.shells = static_cast<std::size_t>(turn_alike(c.vertices, alike, edges, report).count);
    if (shape.repair) c.triangles = std::move(alike);
  }
  mesh.vertices = std::move(c.vertices);
  mesh.bounds = {mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3d& v : mesh.vertices) {
    mesh.bounds.min = {std::min(mesh.bounds.min.x, v.x), std::min(mesh.bounds.min.y, v.y),
                       std::min(mesh.bounds.min.z, v.z)};
    mesh.bounds.max = {std::max(mesh.bounds.max.x, v.x), std::max(mesh.bounds.max.y, v.y),
                       std::max(mesh.bounds.max.z, v.z)};
    mesh.reach = std::max(mesh.reach, norm(v));
  }
  mesh.patch_cosine = sin_cos(shape.patch_angle).cos;
  mesh.triangles.resize(c.triangles.size());
  find_planes(mesh, c.triangles, edges);
  find_patches(mesh, c.triangles, edges);

  mesh.edges.resize(edges.ends.size());
  mesh.vertex_flat.assign(mesh.vertices.size(), 1);
  for (std::size_t e = 0; e < edges.ends.size(); ++e) {
    const bool flat =
        edges.count[e] == 2 && mesh.triangles[edges.facets[e][0]].plane == mesh.triangles[edges.facets[e][1]].plane;
    mesh.edges[e] = {edges.ends[e][0], edges.ends[e][1], flat};
    if (!flat) mesh.vertex_flat[edges.ends[e][0]] = mesh.vertex_flat[edges.ends[e][1]] = 0;
  }
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    TriangleMesh::Triangle& t = mesh.triangles[k];
    t.vertex = c.triangles[k];
    t.edge = edges.of[k];
    t.corner = mesh.vertices[t.vertex[0]];
    const Vec3d a = mesh.vertices[t.vertex[1]] - t.corner, b = mesh.vertices[t.vertex[2]] - t.corner;
    const Vec3d normal = cross(a, b);
    const double s = 1 / norm2(normal);
    t.dual_u = s * cross(b, normal);
    t.dual_v = s * cross(normal, a);
    t.features = 0;
    for (int e = 0; e < 3; ++e) {
      t.slack[e] = mesh.edges[t.edge[e]].flat ? kSlack : 0;
      t.features = t.features || !mesh.edges[t.edge[e]].flat || !mesh.vertex_flat[t.vertex[e]];
    }
    report.area += 0.5 * norm(normal);
    report.volume += dot(t.corner - mesh.vertices[0], normal) / 6;
  }
  if (!report.closed) report.volume = 0;
  report.kept_vertices = mesh.vertices.size();
  report.kept_triangles = mesh.triangles.size();
  report.bounds = mesh.bounds;
  fill_grid(mesh);
  mesh.report = report;
  return mesh;
}

MeshWords describe(const MeshReport& r) {
  MeshWords w;
  const Vec3d size = r.bounds.max - r.bounds.min;
  w.facts.push_back(fmt::format("{} triangles, {} vertices, {} part{}", r.kept_triangles, r.kept_vertices, r.shells,
                                r.shells == 1 ? "" : "s"));
  w.facts.push_back(fmt::format("from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m, area {:.6g} m^2",
                                r.bounds.min.x, r.bounds.min.y, r.bounds.min.z, r.bounds.max.x, r.bounds.max.y,
                                r.bounds.max.z, r.area));
  w.facts.push_back(r.closed ? fmt::format("closed, volume {:.6g} m^3", r.volume) : "not closed");
  const double largest = std::max({size.x, size.y, size.z});
  if (largest > 20)
    w.suspicious.push_back(
        fmt::format("it is {:.4g} m large; if the file is in millimetres, `scale = 0.001` makes it {:.4g} m", largest,
                    1e-3 * largest));
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  if (r.merged_vertices > 0)
    w.facts.push_back(fmt::format("{} vert{} equal to another one", r.merged_vertices,
                                  r.merged_vertices == 1 ? "ex was" : "ices were"));
  if (r.degenerate > 0)
    w.suspicious.push_back(fmt::format("{} triangle{} without area dropped", r.degenerate, plural(r.degenerate)));
  if (r.duplicate > 0)
    w.suspicious.push_back(fmt::format("{} triangle{} given more than once dropped", r.duplicate, plural(r.duplicate)));
  if (r.turned > 0)
    w.suspicious.push_back(
        fmt::format("{} facet{} turned round to look the way of the others", r.turned, plural(r.turned)));
  if (r.inverted) w.suspicious.emplace_back("the facets of a closed part looked inwards");
  if (r.one_sided) w.suspicious.emplace_back("facets cannot all look the same way: a part has one side only");
  if (r.open_edges > 0)
    w.facts.push_back(fmt::format("{} open edge{} around {} hole{} or rim{}", r.open_edges, plural(r.open_edges),
                                  r.holes, plural(r.holes), plural(r.holes)));
  if (r.non_manifold_edges > 0)
    w.suspicious.push_back(
        fmt::format("{} edge{} joined by more than two facets", r.non_manifold_edges, plural(r.non_manifold_edges)));
  return w;
}

}  // namespace areia
