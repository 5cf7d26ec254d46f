// Meshes: examination and repair, features, planes and patches, the search, the inside.
#include "scene/triangle_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "areia/error.h"
#include "meshes.h"
#include "support.h"

namespace areia {
namespace {

using test::box_mesh;
using test::reference_case;
using test::tube_mesh;

std::vector<MeshHit> hits_of(const TriangleMesh& mesh, const Vec3d& x, double radius) {
  std::vector<std::int32_t> near;
  find_triangles(mesh, x, radius, near);
  MeshScratch scratch;
  find_mesh_hits(mesh, near.data(), near.data() + near.size(), x, radius, scratch);
  return scratch.hits;
}

Vec3d vec(const nlohmann::json& j) { return {j[0], j[1], j[2]}; }

TEST(TriangleMesh, FeaturesOfTheReferenceTriangle) {
  const auto c = reference_case("triangle-contact-a");
  MeshShape shape;
  for (const auto& v : c["inputs"]["triangle"]) shape.vertices.push_back(vec(v));
  shape.triangles = {{0, 1, 2}};
  const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
  const double r = c["inputs"]["r"], tolerance = c["tolerance"]["abs"];
  for (std::size_t k = 0; k < 3; ++k) {
    const auto hits = hits_of(mesh, vec(c["inputs"]["centers"][k]), r);
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].edges == 0, c["expected"]["feature"][k] == "face");
    EXPECT_NEAR(r - hits[0].distance, c["expected"]["delta"][k].get<double>(), tolerance);
    EXPECT_LT(norm(hits[0].n - vec(c["expected"]["n_from_i_to_wall"][k])), tolerance);
  }
}

// Long triangles across all axes stand in the cells that they cross and in no others, and the search finds all that are
// near.
TEST(TriangleMesh, LongTrianglesAreFoundWhereTheyAre) {
  const MeshShape shape = tube_mesh({-0.1, 0.02, 0.03}, {0.15, 0.2, 0.3}, 0.06, 72, 1);
  const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
  std::vector<std::int32_t> all(mesh.triangles.size());
  std::iota(all.begin(), all.end(), 0);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  const Vec3d size = mesh.bounds.max - mesh.bounds.min;
  MeshScratch by_all;
  double near_ones = 0, hits = 0;
  for (int k = 0; k < 3000; ++k) {
    const Vec3d x = mesh.bounds.min + Vec3d{share(random) * size.x, share(random) * size.y, share(random) * size.z};
    const double radius = 0.01 * share(random);
    find_mesh_hits(mesh, all.data(), all.data() + all.size(), x, radius, by_all);
    const auto found = hits_of(mesh, x, radius);
    ASSERT_EQ(found.size(), by_all.hits.size());
    for (std::size_t h = 0; h < found.size(); ++h) {
      EXPECT_EQ(found[h].triangle, by_all.hits[h].triangle);
      EXPECT_EQ(found[h].distance, by_all.hits[h].distance);
    }
    hits += static_cast<double>(found.size());
  }
  EXPECT_GT(hits, 100);
  for (std::size_t c = 0; c + 1 < mesh.grid.start.size(); ++c)
    near_ones = std::max<double>(near_ones, mesh.grid.start[c + 1] - mesh.grid.start[c]);
  EXPECT_LT(near_ones, 40);  // of 144
}

TEST(TriangleMesh, ClosedBoxIsReportedAsSuch) {
  const TriangleMesh mesh = make_triangle_mesh(box_mesh({0, 0, 0}, {1, 2, 3}, 3), "mesh");
  EXPECT_TRUE(mesh.report.closed);
  EXPECT_NEAR(mesh.report.volume, 6, 1e-12);
  EXPECT_NEAR(mesh.report.area, 22, 1e-12);
  EXPECT_EQ(mesh.planes.size(), 6u);
  EXPECT_EQ(mesh.patches, 6);
  EXPECT_EQ(mesh.report.shells, 1u);
  EXPECT_EQ(mesh.report.open_edges, 0u);
  EXPECT_EQ(mesh.report.turned, 0u);
  EXPECT_GT(mesh.report.merged_vertices, 0u);  // faces are made one by one
}

TEST(TriangleMesh, HolesAndWrongTrianglesAreFound) {
  MeshShape shape = box_mesh({0, 0, 0}, {1, 1, 1}, 2);
  shape.triangles.erase(shape.triangles.begin() + 5);  // a hole
  shape.triangles.push_back(shape.triangles[0]);       // a duplicate
  shape.triangles.push_back({0, 0, 1});                // no area
  const auto n = static_cast<std::int32_t>(shape.vertices.size());
  shape.vertices.insert(shape.vertices.end(), {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
  shape.triangles.push_back({n, n + 1, n + 2});             // on one line
  std::swap(shape.triangles[7][0], shape.triangles[7][1]);  // looks inwards
  const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
  EXPECT_EQ(mesh.report.triangles, 50u);
  EXPECT_EQ(mesh.report.kept_triangles, 47u);
  EXPECT_EQ(mesh.report.degenerate, 2u);
  EXPECT_EQ(mesh.report.duplicate, 1u);
  EXPECT_EQ(mesh.report.open_edges, 3u);
  EXPECT_EQ(mesh.report.holes, 1u);
  EXPECT_EQ(mesh.report.turned, 1u);
  EXPECT_FALSE(mesh.report.closed);
  const MeshWords words = describe(mesh.report);
  EXPECT_THAT(words.facts, testing::Contains(testing::HasSubstr("3 open edges around 1 hole")));
  EXPECT_THAT(words.suspicious, testing::Contains(testing::HasSubstr("2 triangles without area dropped")));
  shape.repair = false;
  EXPECT_THROW(make_triangle_mesh(shape, "mesh"), InputError);
}

TEST(TriangleMesh, InvertedAndMillimetresAreTold) {
  MeshShape shape = box_mesh({0, 0, 0}, {100, 100, 100}, 1);
  for (auto& t : shape.triangles) std::swap(t[0], t[1]);
  const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
  EXPECT_TRUE(mesh.report.inverted);
  EXPECT_NEAR(mesh.report.volume, 1e6, 1e-6);
  EXPECT_THAT(describe(mesh.report).suspicious, testing::Contains(testing::HasSubstr("scale = 0.001")));
}

TEST(TriangleMesh, MoreThanTwoFacetsAtAnEdge) {
  MeshShape shape;
  shape.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0.5}, {0, 0, 1}};
  shape.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
  EXPECT_EQ(mesh.report.non_manifold_edges, 1u);
  EXPECT_EQ(mesh.report.open_edges, 6u);
  EXPECT_FALSE(mesh.report.closed);
}

TEST(TriangleMesh, WrongMeshesAreRefused) {
  MeshShape shape;
  EXPECT_THROW(make_triangle_mesh(shape, "mesh"), InputError);
  shape.vertices = {{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}};
  shape.triangles = {{0, 1, 2}};
  EXPECT_THROW(make_triangle_mesh(shape, "mesh"), InputError);
  shape.vertices[2] = {0, 1, 0};
  EXPECT_NO_THROW(make_triangle_mesh(shape, "mesh"));
  shape.triangles = {{0, 1, 3}};
  EXPECT_THROW(make_triangle_mesh(shape, "mesh"), InputError);
  shape.triangles = {{0, 1, 1}};
  EXPECT_THROW(make_triangle_mesh(shape, "mesh"), InputError);
}

// One contact for each wall of a corner, whatever the cut; one for an edge or a corner from outside.
TEST(TriangleMesh, OneContactPerFeature) {
  for (const int cut : {1, 2, 5}) {
    const TriangleMesh mesh = make_triangle_mesh(box_mesh({0, 0, 0}, {1, 1, 1}, cut), "mesh");
    EXPECT_EQ(hits_of(mesh, {0.5, 0.5, 0.09}, 0.1).size(), 1u);
    EXPECT_EQ(hits_of(mesh, {0.09, 0.4, 0.08}, 0.1).size(), 2u);
    EXPECT_EQ(hits_of(mesh, {0.09, 0.07, 0.08}, 0.1).size(), 3u);
    const auto edge = hits_of(mesh, {-0.06, 0.5, -0.06}, 0.1);
    ASSERT_EQ(edge.size(), 1u);
    EXPECT_NEAR(edge[0].distance, 0.06 * std::sqrt(2), 1e-15);
    const auto corner = hits_of(mesh, {-0.05, -0.05, -0.05}, 0.1);
    ASSERT_EQ(corner.size(), 1u);
    EXPECT_NEAR(corner[0].distance, 0.05 * std::sqrt(3), 1e-15);
    EXPECT_EQ(hits_of(mesh, {0.5, -0.05, 0.5}, 0.1).size(), 1u);
    EXPECT_EQ(hits_of(mesh, {0.5, 0.5, 0.5}, 0.1).size(), 0u);
  }
}

// Against brute force over all points of a fine net: the distance to the surface from random places.
TEST(TriangleMesh, SearchFindsTheNearestPoint) {
  const TriangleMesh mesh = make_triangle_mesh(tube_mesh({0, 0, 0}, {0.2, 0.1, 1}, 0.3, 13, 4), "mesh");
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-0.6, 1.2);
  int found = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3d x{uniform(random), uniform(random), uniform(random)};
    double least = kForever;
    for (const auto& t : mesh.triangles) {  // points of a net over the triangle give an upper bound
      const Vec3d a = mesh.vertices[t.vertex[0]], b = mesh.vertices[t.vertex[1]], c = mesh.vertices[t.vertex[2]];
      for (int i = 0; i <= 20; ++i)
        for (int j = 0; i + j <= 20; ++j)
          least = std::min(least, norm(a + (i / 20.0) * (b - a) + (j / 20.0) * (c - a) - x));
    }
    const double d = mesh_distance(mesh, x, 0.25);
    if (d < kForever) {
      ++found;
      EXPECT_LE(d, least + 1e-12);
      EXPECT_GE(d, least - 0.02);
      EXPECT_FALSE(hits_of(mesh, x, 0.25).empty());
      double nearest = kForever;
      for (const MeshHit& hit : hits_of(mesh, x, 0.25)) nearest = std::min(nearest, hit.distance);
      EXPECT_NEAR(nearest, d, 1e-14);
    } else {
      EXPECT_GT(least, 0.25 - 1e-12);
    }
  }
  EXPECT_GT(found, 50);
}

// Contacts follow from the place of the sphere alone: not from the order of the candidates, nor from others further
// off.
TEST(TriangleMesh, CandidatesDoNotMatter) {
  std::mt19937 random(5);
  std::size_t several = 0;
  for (const MeshShape& shape : {box_mesh({0, 0, 0}, {1, 1, 1}, 3), tube_mesh({0, 0, 0}, {0.2, 0.1, 1}, 0.3, 13, 4),
                                 tube_mesh({0, 0, 0}, {0, 0, 1}, 0.3, 120, 4)}) {
    const TriangleMesh mesh = make_triangle_mesh(shape, "mesh");
    std::uniform_real_distribution<double> uniform(-0.4, 1.1);
    for (int k = 0; k < 300; ++k) {
      Vec3d x{uniform(random), uniform(random), uniform(random)};
      if (k % 2) x = {std::round(12 * x.x) / 12, std::round(12 * x.y) / 12, std::round(12 * x.z) / 12};  // many ties
      const std::vector<MeshHit> expected = hits_of(mesh, x, 0.3);
      several += expected.size() > 1;
      std::vector<std::int32_t> all(mesh.triangles.size());
      std::iota(all.begin(), all.end(), 0);
      for (int shuffle = 0; shuffle < 3; ++shuffle) {
        MeshScratch scratch;
        find_mesh_hits(mesh, all.data(), all.data() + all.size(), x, 0.3, scratch);
        ASSERT_EQ(scratch.hits.size(), expected.size());
        for (std::size_t h = 0; h < expected.size(); ++h) {
          const MeshHit &a = scratch.hits[h], &b = expected[h];
          EXPECT_EQ(a.patch, b.patch);
          EXPECT_EQ(a.triangle, b.triangle);
          EXPECT_EQ(a.distance, b.distance);
          EXPECT_EQ(a.n, b.n);
          EXPECT_EQ(a.point, b.point);
          if (h > 0) { EXPECT_LE(expected[h - 1].patch, b.patch); }
        }
        std::shuffle(all.begin(), all.end(), random);
      }
    }
  }
  EXPECT_GT(several, 50u);
}

TEST(TriangleMesh, SmoothPatches) {
  // 13 facets around: 27.7 degrees each; 120 facets: 3 degrees
  EXPECT_EQ(make_triangle_mesh(tube_mesh({0, 0, 0}, {0, 0, 1}, 0.3, 13, 4), "mesh").patches, 13);
  EXPECT_EQ(make_triangle_mesh(tube_mesh({0, 0, 0}, {0, 0, 1}, 0.3, 120, 4), "mesh").patches, 1);
  MeshShape shape = tube_mesh({0, 0, 0}, {0, 0, 1}, 0.3, 13, 4);
  shape.patch_angle = 0.6;
  EXPECT_EQ(make_triangle_mesh(shape, "mesh").patches, 1);
}

// A ball in a finely cut tube has one contact also where two facets meet; in a narrow one it touches both sides.
TEST(TriangleMesh, ContactsOfOnePatch) {
  const TriangleMesh mesh = make_triangle_mesh(tube_mesh({0, 0, -1}, {0, 0, 1}, 0.3, 120, 4), "mesh");
  for (int k = 0; k < 50; ++k) {
    const double angle = 0.013 * k;
    EXPECT_EQ(hits_of(mesh, {0.205 * std::cos(angle), 0.205 * std::sin(angle), 0.01}, 0.1).size(), 1u) << k;
  }
  EXPECT_GE(hits_of(mesh, {0.001, 0, 0.01}, 0.31).size(), 2u);
}

TEST(TriangleMesh, Inside) {
  const TriangleMesh box = make_triangle_mesh(box_mesh({0, 0, 0}, {1, 1, 1}, 4), "mesh");
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.5, 1.5);
  for (int k = 0; k < 2000; ++k) {
    // every other one straight below edges and vertices
    Vec3d x{uniform(random), uniform(random), uniform(random)};
    if (k % 2) x = {std::round(4 * x.x) / 4, std::round(8 * x.y) / 8, x.z};
    const bool expected = x.x > 0 && x.x < 1 && x.y > 0 && x.y < 1 && x.z > 0 && x.z < 1;
    EXPECT_EQ(inside_mesh(box, x), expected) << x.x << ' ' << x.y << ' ' << x.z;
  }
}

}  // namespace
}  // namespace areia
