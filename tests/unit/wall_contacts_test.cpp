// Which points of walls are contacts: surfaces put together from walls of every kind act as the surface in one piece.
#include "engine/wall_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "meshes.h"

using namespace areia;
using namespace areia::test;

namespace {

const double kRadius = 0.05;

// Walls in space, and all that a sphere touches of them.
struct Walls {
  Scene scene;
  std::vector<WallState> now;
  Periodicity periodicity;

  Walls() = default;
  Walls(std::initializer_list<WallShape> shapes) {
    for (const WallShape& s : shapes) add(s);
  }
  void add(const WallShape& shape) {
    SceneWall wall;
    if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
      wall.mesh = std::make_shared<TriangleMesh>(make_triangle_mesh(*mesh, "mesh"));
      wall.shape = MeshShape{};
    } else {
      wall.shape = shape;
    }
    scene.walls.push_back(wall);
    now.emplace_back();
    now.back().look();
  }
  std::vector<WallHit> hits(const Vec3d& x, double radius = kRadius) const {
    std::vector<WallCandidate> candidates;
    std::vector<std::int32_t> triangles;
    for (std::uint16_t w = 0; w < scene.walls.size(); ++w)
      for_each_wall_shift(periodicity, scene.walls[w], now[w].pose, x, radius, [&](const auto& image) {
        if (const auto& mesh = scene.walls[w].mesh) {
          const auto first = static_cast<std::uint32_t>(triangles.size());
          triangles.resize(first + mesh->triangles.size());
          std::iota(triangles.begin() + first, triangles.end(), 0);
          candidates.push_back({w, WallCandidate::kMesh, image, first, static_cast<std::uint32_t>(triangles.size())});
        }
        const int patches = std::visit([](const auto& s) { return patch_count(s); }, scene.walls[w].shape);
        for (std::int16_t p = 0; p < patches; ++p) candidates.push_back({w, p, image, 0, 0});
      });
    WallScratch work;
    find_wall_hits(
        {scene, now, periodicity, triangles.data()}, candidates.data(), candidates.data() + candidates.size(), x,
        radius, [&](std::size_t) { return radius; }, work);
    return work.hits;
  }
};

RectangleShape flat(double x0, double y0, double x1, double y1) {
  return {{x0, y0, 0}, {x1 - x0, 0, 0}, {0, y1 - y0, 0}};
}
MeshShape flat_mesh(double x0, double y0, double x1, double y1, int cut, double z = 0) {
  MeshShape mesh;
  add_face(mesh, {x0, y0, z}, {x1 - x0, 0, 0}, {0, y1 - y0, 0}, cut);
  return mesh;
}
BoxShape block(double x0, double y0, double x1, double y1) { return {{x0, y0, -0.5}, {x1, y1, 0}, {}}; }

// The contacts of both are the same: as many, with the same directions and overlaps.
void expect_same(const Walls& whole, const Walls& cut, const Vec3d& x, double tolerance, const std::string& what,
                 double turned = 1e-11) {
  const auto a = whole.hits(x), b = cut.hits(x);
  ASSERT_EQ(a.size(), b.size()) << what << " at " << x.x << " " << x.y << " " << x.z;
  for (const WallHit& h : a) {
    const auto same = std::min_element(
        b.begin(), b.end(), [&](const WallHit& p, const WallHit& q) { return norm2(p.n - h.n) < norm2(q.n - h.n); });
    ASSERT_NEAR(same->distance, h.distance, tolerance * kRadius) << what << " at " << x.x << " " << x.y << " " << x.z;
    ASSERT_LT(norm(same->n - h.n), turned) << what << " at " << x.x << " " << x.y << " " << x.z;
  }
}

// Some places everywhere, most of them near the seam coordinate, as near as can be.
class Places {
 public:
  double operator()(double low, double high, double seam) {
    const double far = low + (high - low) * uniform_(random_);
    switch (static_cast<int>(4 * uniform_(random_))) {
      case 0:
        return far;
      case 1:
        return seam;
      case 2:
        return seam + (uniform_(random_) - 0.5) * kRadius;
      default:
        return seam + (uniform_(random_) < 0.5 ? -1 : 1) * std::pow(10.0, -18 * uniform_(random_));
    }
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<double> uniform_;
};

}  // namespace

TEST(WallContacts, TilesOfAPlaneAreThePlane) {
  const Walls whole{flat(-1, -1, 1, 1)};
  const std::pair<const char*, Walls> tilings[] = {
      {"two rectangles", {flat(-1, -1, 0, 1), flat(0, -1, 1, 1)}},
      {"four rectangles", {flat(-1, -1, 0, 0), flat(0, -1, 1, 0), flat(0, 0, 1, 1), flat(-1, 0, 0, 1)}},
      {"overlapping rectangles", {flat(-1, -1, 0.3, 1), flat(0, -1, 1, 1)}},
      {"three, as bricks", {flat(-1, -1, 1, 0), flat(-1, 0, 0, 1), flat(0, 0, 1, 1)}},
      {"two boxes", {block(-1, -1, 0, 1), block(0, -1, 1, 1)}},
      {"four boxes", {block(-1, -1, 0, 0), block(0, -1, 1, 0), block(0, 0, 1, 1), block(-1, 0, 0, 1)}},
      {"box and rectangle", {block(-1, -1, 0, 1), flat(0, -1, 1, 1)}},
      {"two meshes", {flat_mesh(-1, -1, 0, 1, 3), flat_mesh(0, -1, 1, 1, 4)}},
      {"mesh and rectangle", {flat_mesh(-1, -1, 0, 1, 2), flat(0, -1, 1, 1)}},
      {"rectangle and mesh", {flat(-1, -1, 0, 1), flat_mesh(0, -1, 1, 1, 5)}},
      {"mesh and boxes", {flat_mesh(-1, -1, 0, 1, 5), block(0, -1, 1, 0), block(0, 0, 1, 1)}},
  };
  for (const auto& [what, cut] : tilings) {
    Places place;
    // a facet reaches beyond its edges by the 1e-9 of its size that covers the rounding between facets
    const bool mesh = std::string(what).find("mesh") != std::string::npos;
    for (int k = 0; k < 1000; ++k) {
      const Vec3d x{place(-1.06, 1.06, 0), place(-1.06, 1.06, k % 2 ? 0.0 : 1.0), 0.048};
      expect_same(whole, cut, x, 1e-13, what, mesh ? 2e-9 / kRadius : 1e-11);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(WallContacts, DisksAndRings) {
  const double r = 0.7, hole = 0.3;
  const Walls whole{DiskShape{{0, 0, 0}, {0, 0, 1}, r, 0}};
  const DiskShape ring{{0, 0, 0}, {0, 0, 1}, r, hole};
  const std::pair<const char*, Walls> tilings[] = {
      {"disk and ring", {DiskShape{{0, 0, 0}, {0, 0, 1}, hole, 0}, ring}},
      {"ring and disk", {ring, DiskShape{{0, 0, 0}, {0, 0, 1}, hole, 0}}},
      {"cap and ring", {CylinderShape{{0, 0, -1}, {0, 0, 0}, hole, false, true}, ring}},
      {"cylinder with two caps and ring", {CylinderShape{{0, 0, 0}, {0, 0, -1}, hole, true, true}, ring}},
  };
  for (const auto& [what, cut] : tilings) {
    Places place;
    for (int k = 0; k < 1000; ++k) {
      const double rho = place(0, 0.75, hole), angle = 0.0063 * k;
      expect_same(whole, cut, {rho * std::cos(angle), rho * std::sin(angle), 0.048}, 1e-13, what);
      if (HasFatalFailure()) return;
    }
  }
}

// Pipes and cones of two pieces, from inside and outside.
TEST(WallContacts, CurvedSurfacesOfTwoPieces) {
  const Vec3d low{0, 0, -1}, high{0, 0, 1}, middle{0, 0, 0.1};
  const double r = 0.4;
  const std::pair<Walls, Walls> surfaces[] = {
      {{CylinderShape{low, high, r}}, {CylinderShape{low, middle, r}, CylinderShape{high, middle, r}}},
      {{ConeShape{low, high, 0.1, 0.7}}, {ConeShape{low, middle, 0.1, 0.43}, ConeShape{high, middle, 0.7, 0.43}}},
      {{CylinderShape{low, high, r, true, true}},
       {CylinderShape{low, middle, r, true, false}, CylinderShape{middle, high, r, false, true}}}};
  for (const auto& [whole, cut] : surfaces) {
    Places place;
    for (int k = 0; k < 1000; ++k) {
      const double z = place(-1.04, 1.04, 0.1), angle = 0.0063 * k;
      const bool cone = std::holds_alternative<ConeShape>(whole.scene.walls[0].shape);
      const double rho = (cone ? 0.1 + 0.3 * (z + 1) : r) + (k % 2 ? 0.048 : -0.048);
      expect_same(whole, cut, {rho * std::cos(angle), rho * std::sin(angle), z}, 1e-12, cone ? "cone" : "cylinder");
      if (HasFatalFailure()) return;
    }
  }
}

// Files of meshes have six digits: a seam that is not quite one counts as one, and the deeper side is felt.
TEST(WallContacts, SeamsNeedNotBeExact) {
  const Walls whole{flat(-1, -1, 1, 1)};
  for (const double step : {-3e-6, -1e-8, 1e-8, 3e-6}) {
    const Walls cut{flat_mesh(-1, -1, -2e-8, 1, 3, step), flat(0, -1, 1, 1)};
    Places place;
    const double part = 1.1 * std::fabs(step) / kRadius;
    for (int k = 0; k < 1000; ++k)
      expect_same(whole, cut, {place(-0.5, 0.5, 0), 0.1, 0.048}, part, "mesh", std::sqrt(2 * part));
  }
}

// A box is the mesh of the box, from outside and inside, over faces, edges and corners.
TEST(WallContacts, ABoxIsTheMeshOfTheBox) {
  const Walls box{BoxShape{{0, 0, 0}, {0.2, 0.3, 0.25}, {}}}, mesh{box_mesh({0, 0, 0}, {0.2, 0.3, 0.25}, 2)};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.06, 0.36);
  int found = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3d x{uniform(random), uniform(random), uniform(random)};
    expect_same(mesh, box, x, 1e-12, "box");
    if (HasFatalFailure()) return;
    found += !box.hits(x).empty();
  }
  EXPECT_GT(found, 3000);
}

// Solid to a ball on its top near the corner: one contact, straight down or on the edge.
TEST(WallContacts, HiddenEdgesDoNotCount) {
  const Walls box{BoxShape{{-0.1, -0.1, -0.2}, {0.1, 0.1, 0}, {}}};
  const auto hits = box.hits({-0.097, 0.1001, 0.0495});
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].distance, norm(Vec3d{0, 0.0001, 0.0495}), 1e-15);
  EXPECT_NEAR(hits[0].n.x, 0, 1e-12);
}

// A ball in a cone, in a hole and on the mouth of a pipe touches on both sides, on the axis and beside it.
TEST(WallContacts, RingsAreTouchedOnBothSides) {
  const std::pair<Walls, Vec3d> rings[] = {
      {{ConeShape{{0, 0, -0.1}, {0, 0, 0.2}, 0.005, 0.305}}, {0, 0, -0.0346}},
      {{DiskShape{{0, 0, 0}, {0, 0, 1}, 0.2, 0.03}}, {0, 0, 0.0395}},
      {{CylinderShape{{0, 0, -1}, {0, 0, 0}, 0.03}}, {0, 0, 0.0395}},
      {{DiskShape{{0, 0, 0}, {0, 0, 1}, 0.2, 0.03}, CylinderShape{{0, 0, -1}, {0, 0, 0}, 0.03}}, {0, 0, 0.0395}}};
  for (const auto& [walls, centre] : rings)
    for (const double off : {0.0, 1e-12, 1e-6, 1e-4}) {
      const auto hits = walls.hits(centre + Vec3d{0.6 * off, 0.8 * off, 0});
      ASSERT_EQ(hits.size(), 2u) << off;
      const Vec3d across = hits[0].n + hits[1].n;
      EXPECT_LT(norm(across - dot(across, Vec3d{0, 0, 1}) * Vec3d{0, 0, 1}),
                0.1 * off / kRadius + 4 * off / kRadius + 1e-14);
      EXPECT_EQ(hits[0].wall, hits[1].wall);
    }
  // a ball on the rim of a small disk touches one side, not the far one below the plate
  const Walls plate{DiskShape{{0, 0, 0}, {0, 0, 1}, 0.03, 0}};
  EXPECT_EQ(plate.hits({0.031, 0, 0.0495}).size(), 1u);
  const Walls rod{CylinderShape{{0, 0, -1}, {0, 0, 1}, 0.001}};
  EXPECT_EQ(rod.hits({0.0505, 0, 0}).size(), 1u);
}

// Walls of one material hand contacts over, and a contact goes on where its direction does.
// From outside a cone has one nearest point: on the flank, or the tip, but never the tip beside a foot on the flank,
// whichever side rounding sees it from.
TEST(WallContacts, ATipIsOnePoint) {
  std::mt19937 random(76);
  std::uniform_real_distribution<double> one(-1, 1);
  int touching = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3d axis = unit(Vec3d{one(random), one(random), one(random)}), tip{one(random), one(random), one(random)};
    const Vec3d out = unit(cross(axis, Vec3d{one(random), one(random), one(random)}));
    const double width = 0.1 + 0.05 * one(random), height = 0.2;
    // somewhere above the flank or the tip, closer than a radius
    const double along = 0.03 * one(random), slant = std::sqrt(width * width + height * height);
    const Vec3d down = (1 / slant) * (width * out - height * axis), up = (1 / slant) * (height * out + width * axis);
    const Vec3d x = tip + along * down + (0.9 * kRadius) * up;
    const ConeShape cone =
        k % 2 ? ConeShape{tip - height * axis, tip, width, 0} : ConeShape{tip, tip - height * axis, 0, width};
    const std::size_t hits = Walls({cone}).hits(x).size();
    ASSERT_LE(hits, 1u) << k;
    touching += static_cast<int>(hits);
  }
  EXPECT_GT(touching, 1500);
}

TEST(WallContacts, ContactsGoOnByDirection) {
  const auto any = [](std::int32_t, std::int32_t) { return true; };
  const Walls corner{BoxShape{{0, 0, 0}, {1, 1, 1}, {}}};
  std::vector<WallHit> hits = corner.hits({0.048, 0.5, 0.049});
  ASSERT_EQ(hits.size(), 2u);
  std::vector<WallMemory> before{memory_of(hits[1]), memory_of(hits[0])};
  before[0].wall = 7;
  before[0].patch = 3;
  std::vector<std::int32_t> of;
  match_hits(hits, before, any, of);
  EXPECT_EQ(of, (std::vector<std::int32_t>{1, 0}));
  match_hits(
      hits, before, [](std::int32_t a, std::int32_t b) { return a == b; }, of);
  EXPECT_EQ(of, (std::vector<std::int32_t>{1, -1}));
  before.resize(1);
  before[0].n = {0.6, 0, -0.8};  // turned too far
  match_hits(hits, before, any, of);
  EXPECT_EQ(of, (std::vector<std::int32_t>{-1, -1}));
}

TEST(WallContacts, ACentreOnTheSurfaceKeepsItsSide) {
  const auto any = [](std::int32_t, std::int32_t) { return true; };
  for (const Walls& wall : {Walls{flat(0, 0, 1, 1)}, Walls{square_mesh(2)}})
    for (const double side : {1.0, -1.0}) {
      const auto before = wall.hits({0.3, 0.2, 0.04 * side});
      auto hits = wall.hits({0.3, 0.2, 0});
      ASSERT_EQ(before.size(), 1u);
      ASSERT_EQ(hits.size(), 1u);
      std::vector<std::int32_t> of;
      match_hits(hits, {memory_of(before[0])}, any, of);
      EXPECT_EQ(of[0], 0);
      EXPECT_EQ(hits[0].n, (Vec3d{0, 0, -side}));
    }
}

// Neither the order of hits nor what is further off matters.
TEST(WallContacts, OrderDoesNotMatter) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  for (int k = 0; k < 2000; ++k) {
    std::vector<WallHit> hits(1 + random() % 6);
    for (std::size_t h = 0; h < hits.size(); ++h) {
      hits[h].n = unit(Vec3d{k % 2 ? 0.1 * uniform(random) : uniform(random), 0.1 * uniform(random), -1});
      hits[h].distance = random() % 2 ? 0.04 : 0.04 + 0.1 * uniform(random);
      hits[h].wall = static_cast<std::int32_t>(random() % 2);
      hits[h].point = {uniform(random), 0, 0};
      hits[h].edges = static_cast<int>(random() % 3);
      hits[h].dropped = random() % 3 == 0;
    }
    std::vector<WallHit> shuffled = hits;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    sort_out(hits, kRadius);
    sort_out(shuffled, kRadius);
    ASSERT_EQ(hits.size(), shuffled.size());
    for (std::size_t h = 0; h < hits.size(); ++h) EXPECT_EQ(hits[h].point, shuffled[h].point);
  }
}

// Walls repeat themselves with the box, wherever they are placed, and meet their own images without a seam.
TEST(WallContacts, WallsRepeatThemselves) {
  Walls ball{SphereShape{{0.99, 0.5, 0.5}, 0.03}}, floor{flat(0, 0, 1, 1)}, away{SphereShape{{-2.01, 3.5, 0.5}, 0.03}};
  for (Walls* w : {&ball, &floor, &away}) w->periodicity = {{true, true, false}, {0, 0, 0}, {1, 1, 1}};
  for (const Walls* w : {&ball, &away}) {
    const auto hits = w->hits({0.06, 0.5, 0.5});
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_NEAR(hits[0].distance, 0.04, 1e-14);
    EXPECT_LT(norm(hits[0].n - Vec3d{-1, 0, 0}), 1e-12);
  }
  Places place;
  const Walls endless{flat(-9, -9, 9, 9)};
  for (int k = 0; k < 1000; ++k)
    expect_same(endless, floor, {place(0, 1, 0), place(0, 1, k % 2 ? 1 : 0), 0.048}, 1e-13, "periodic");
}
