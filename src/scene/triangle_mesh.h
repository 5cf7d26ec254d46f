// Triangle meshes as walls: a plane cut into triangles acts as the plane. Theory manual, section 12.1.
//
// What a sphere meets on a mesh are its features: planes (all facets that lie in one plane share one equation, so that
// crossing from one to the next changes no bit), edges and vertices. Edges between coplanar facets, and vertices with
// no others, are part of their plane and never act by themselves. Of the features within reach those are contacts where
// the distance to the surface has a local minimum:
//   1. a face that holds the foot of the centre;
//   2. an edge, if no facet that ends in it has a closer point and its point lies on no accepted face;
//   3. a vertex, likewise, if it lies on no accepted face or edge.
// Equal points count once. Facets that meet at less than `patch_angle` are one smooth patch; contacts of one patch
// whose normals differ by less than that angle are one contact, the deepest (a finely cut trough is not twice as stiff
// where two facets meet).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "areia/case.h"

namespace areia {

// A mesh above this size is refused: beyond it a wall costs more memory than ten million particles.
inline constexpr std::size_t kMostTriangles = 4000000;

// What was found in a mesh, and what was mended.
struct MeshReport {
  std::size_t vertices = 0, triangles = 0;            // as given
  std::size_t kept_vertices = 0, kept_triangles = 0;  // after repair
  Box bounds;
  double area = 0;
  std::size_t merged_vertices = 0;        // equal to another one
  std::size_t unused_vertices = 0;        // in no triangle
  std::size_t degenerate = 0;             // triangles without area
  std::size_t duplicate = 0;              // triangles given more than once
  std::size_t turned = 0;                 // facets that looked the other way than their neighbours
  std::size_t open_edges = 0, holes = 0;  // edges of one facet only; closed loops or chains of them
  std::size_t non_manifold_edges = 0;     // edges of more than two facets
  std::size_t shells = 0;                 // connected parts
  bool closed = false;                    // no open and no non-manifold edges
  bool inverted = false;                  // closed, but the facets looked inwards
  bool one_sided = false;                 // cannot be turned alike (a Moebius strip)
  double volume = 0;                      // m^3, when closed
};

struct TriangleMesh {
  struct Triangle {
    Vec3d corner, dual_u, dual_v;  // of the foot of x: u = dual_u.(x - corner), v = dual_v.(x - corner); inside: all
                                   // of v, 1 - u - v, u >= 0 (edges 0, 1, 2)
    std::array<double, 3> slack;   // how much below 0 they may be: rounding only, and only towards coplanar facets
    std::int32_t plane, patch;
    std::array<std::int32_t, 3> vertex, edge;  // edge k joins vertices k and k + 1
    std::uint8_t features;                     // whether it has edges or vertices that may act by themselves
  };
  struct Plane {
    Vec3d point, normal;
  };
  struct Edge {
    std::int32_t a, b;  // a < b, so that both facets compute the same bits
    std::uint8_t flat;  // inside a plane
  };

  std::vector<Vec3d> vertices;
  std::vector<std::uint8_t> vertex_flat;
  std::vector<Triangle> triangles;
  std::vector<Plane> planes;
  std::vector<Edge> edges;
  std::int32_t patches = 0;
  double patch_cosine = 1;
  Box bounds;
  double reach = 0;  // distance of the farthest vertex from the origin
  MeshReport report;

  // Triangles by the cells of a uniform grid; each is in all cells that it crosses.
  struct Grid {
    Vec3d low;
    double cell = 1;
    std::array<std::int32_t, 3> count{1, 1, 1};
    std::vector<std::uint32_t> start;
    std::vector<std::int32_t> triangle;
  } grid;

  std::size_t bytes() const;
};

// Repairs (or with repair = false only examines) the shape, scales and shifts it, and prepares it for contacts.
// Throws InputError with `key` when there is nothing left, or when what is wrong may not be repaired.
TriangleMesh make_triangle_mesh(const MeshShape& shape, const std::string& key);

// The report in words, one fact each; `suspicious` are those that a user should look at.
struct MeshWords {
  std::vector<std::string> facts, suspicious;
};
MeshWords describe(const MeshReport& report);

struct MeshHit {
  std::int32_t patch = 0, triangle = 0;
  double distance = 0;
  Vec3d n;        // unit, from the centre to the surface; a centre on the surface has no direction of its own
  Vec3d point;    // closest point
  int edges = 0;  // that it lies on: 0 a face, 1 an edge, 2 a vertex
};

// Kept by the caller, so that a search allocates nothing from the second time on.
struct MeshScratch {
  struct Near {
    const TriangleMesh::Triangle* t;
    std::int32_t triangle;
    std::int32_t edge,
        vertex;  // the feature that is closest: edge (vertex -1), vertex (edge -1), or the face (both -1)
    double d2;
    Vec3d point;
  };
  std::vector<Near> near;
  std::vector<MeshHit> hits;  // result
};

// All contacts of a sphere with the candidate triangles, by patch and then by place (x, y, z of the closest point).
// They follow from x and the radius alone as long as no triangle within the radius is missing: neither the order of the
// candidates nor others further off change them. x in the frame of the mesh.
void find_mesh_hits(const TriangleMesh& mesh, const std::int32_t* begin, const std::int32_t* end, const Vec3d& x,
                    double radius, MeshScratch& scratch);

// How steeply the distance from the centre x falls from a point along those of the triangles that pass it within the
// tolerance (shapes/shape.h: steepness), and are within reach of x; 0 where none does. n is the direction from x to the
// point.
double mesh_steepness(const TriangleMesh& mesh, const std::int32_t* begin, const std::int32_t* end, const Vec3d& x,
                      double reach, const Vec3d& point, const Vec3d& n, double tolerance);

// Triangles within `reach` of x, ascending; appended to `out`.
void find_triangles(const TriangleMesh& mesh, const Vec3d& x, double reach, std::vector<std::int32_t>& out);

// The point of the surface next to x, with the direction to it; `distance` is infinite beyond `reach`.
MeshHit nearest_on_mesh(const TriangleMesh& mesh, const Vec3d& x, double reach);

// Distance of a point to the surface, or infinity beyond `reach`.
double mesh_distance(const TriangleMesh& mesh, const Vec3d& x, double reach);

// True inside a closed mesh (of either orientation). Exact but for points closer to the surface than rounding.
bool inside_mesh(const TriangleMesh& mesh, const Vec3d& x);

}  // namespace areia
