// The world around the particles, with bodies that only remember what was asked of them.
#include "engine/world.h"

#include <gtest/gtest.h>

#include <string>

#include "areia/error.h"
#include "support.h"

using namespace areia;
using namespace areia::test;

namespace {

class FewBodies final : public Bodies {
 public:
  std::vector<View> all;
  mutable std::string told;
  std::string halves;
  double energy = 0;

  std::size_t count() const override { return all.size(); }
  View view(std::size_t k) const override { return all[k]; }
  Energy stored_energy() const override {
    told += "energy; ";
    Energy e;
    e.kinetic = energy;
    return e;
  }
  void release(std::size_t k) override {
    all[k].free = true;
    told += "release " + std::to_string(all[k].id) + "; ";
  }
  void set_velocity(std::size_t, const Vec3d&) override {}
  void freeze(std::size_t k) override {
    all[k].free = false;
    told += "freeze " + std::to_string(all[k].id) + "; ";
  }
  void keep_only(const std::vector<std::uint8_t>& stays) override {
    std::vector<View> left;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (stays[k]) left.push_back(all[k]);
    energy -= 10 * static_cast<double>(all.size() - left.size());
    all = left;
    told += "keep; ";
  }
  Energy take_out(const std::vector<std::size_t>& bodies) override {
    for (auto k = bodies.rbegin(); k != bodies.rend(); ++k) all.erase(all.begin() + static_cast<std::ptrdiff_t>(*k));
    Energy taken;
    taken.kinetic = 10 * static_cast<double>(bodies.size());
    return taken;
  }
  Energy append(const std::vector<NewParticle>& particles, std::int64_t first_id) override {
    for (const NewParticle& p : particles) all.push_back({first_id++, p.group, true, p.x, p.radius});
    energy += 3;
    told += "append; ";
    Energy brought;
    brought.kinetic = 3;
    return brought;
  }
  void evaluate_as_given() override { told += "evaluate; "; }
  void flush_bonds() override { told += "flush; "; }
  void book_second_halves(double times) override { halves += times > 0 ? "+" : "-"; }
  void make_bonds(const std::vector<std::uint16_t>&) override { told += "bonds; "; }
};

Scene scene_of(const std::vector<std::string>& set = {}) {
  return make_scene(parse_case(R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz" }
[domain]
box = [[0, 0, 0], [1, 1, 1]]
rule = "delete"
periodic = ["x"]
[particles.a]
material = "grain"
radius = 0.01
list = [{ x = [0.5, 0.5, 0.5] }, { x = [0.6, 0.5, 0.5] }]
[particles.b]
material = "grain"
radius = 0.01
list = [{ x = [0.2, 0.5, 0.5] }]
prescribed = true
motion = { rotating = { point = [0, 0.5, 0], axis = [0, 1, 0], rate = 2 } }
[fields.g]
acceleration = [0, 0, -10]
stop = 0.1
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[walls.late]
plane = { point = [0, 0, 0.3], normal = [0, 0, 1] }
when = { start = 1 }
[numerics]
dt = 1e-3
[[stages]]
duration = 2
)",
                               "test", set));
}

}  // namespace

TEST(World, ChangesInOrder) {
  const Scene scene = scene_of();
  World world(scene, 1e-3);
  FewBodies bodies;
  bodies.all = {
      {0, 0, true, {0.5, 0.5, 0.5}, 0.01}, {1, 0, true, {0.6, 0.5, 0.5}, 0.01}, {2, 1, false, {0.2, 0.5, 0.5}, 0.01}};
  world.now().count.step = 1;
  Change c;
  c.freeze_groups = {0};
  c.release_groups = {1};
  c.remove_walls = {0};
  c.insert_walls = {1};
  c.make_bonds = {0};
  world.apply(c, bodies);
  EXPECT_EQ(bodies.told, "flush; energy; freeze 0; freeze 1; release 2; keep; evaluate; energy; bonds; energy; ");
  EXPECT_EQ(bodies.halves, "+-");
  EXPECT_FALSE(world.now().walls[0].present);
  EXPECT_TRUE(world.now().walls[1].present);

  bodies.told.clear();
  Change out;
  out.remove_groups = {0};
  world.apply(out, bodies);
  EXPECT_EQ(bodies.told, "flush; energy; keep; energy; ");
  EXPECT_EQ(world.now().count.removed, 2);
  EXPECT_EQ(world.now().ledger.switched, -20);

  bodies.told.clear();
  Change in;
  in.insert.resize(2);
  world.apply(in, bodies);
  EXPECT_EQ(bodies.told, "append; ");  // what the others store is not asked for
  EXPECT_EQ(bodies.all.back().id, 4);  // ids go on behind those of the scene
  EXPECT_EQ(world.now().count.inserted, 2);
  EXPECT_EQ(world.now().count.ids, 5);
  EXPECT_EQ(world.now().ledger.switched, -17);
}

TEST(World, AWallThatCutsAParticleIsTold) {
  const Scene scene = scene_of();
  World world(scene, 1e-3);
  FewBodies bodies;
  bodies.all = {{0, 0, true, {0.5, 0.5, 0.301}, 0.01}};
  Change c;
  c.insert_walls = {1};
  EXPECT_THROW(world.apply(c, bodies), StoppedError);
  bodies.all[0].free = false;
  world.apply(c, bodies);
}

TEST(World, LostByTheRuleOfTheDomain) {
  const Scene scene = scene_of();
  World world(scene, 1e-3);
  FewBodies bodies;
  bodies.all = {
      {0, 0, true, {5, 0.5, 0.5}, 0.01}, {1, 0, true, {0.5, 0.5, -0.1}, 0.01}, {2, 0, false, {0, 0, 9}, 0.01}};
  EXPECT_TRUE(world.remove_lost(bodies));  // along the periodic axis nothing leaves, and what is prescribed stays
  EXPECT_EQ(bodies.all.size(), 2u);
  EXPECT_EQ(world.now().count.lost, 1);
  EXPECT_EQ(world.now().ledger.switched, -10);
  EXPECT_FALSE(world.remove_lost(bodies));
}

TEST(World, GravityIsSwitchedWithItsPotential) {
  for (const bool turns : {false, true}) {
    const Scene scene = scene_of(turns ? std::vector<std::string>{"fields.g.turning={axis=[0,1,0],rate=3}"}
                                       : std::vector<std::string>{});
    World world(scene, 1e-3);
    const auto potential = [](const Vec3d& change, GridSum& sum) {
      sum += potential_change(change, Vec3d{0, 0, 1}, 0.5);
    };
    world.set_gravity(0, potential);
    EXPECT_EQ(world.now().gravity, (Vec3d{0, 0, -10}));
    world.now().ledger = {};
    world.set_gravity(0.05, potential);
    EXPECT_EQ(world.now().ledger.field_work != 0, turns);
    world.now().ledger = {};
    world.set_gravity(0.2, potential);
    EXPECT_EQ(world.now().gravity, Vec3d{});
    EXPECT_LT(world.now().ledger.switched, -15);
  }
}

TEST(World, PrescribedBodiesMoveWithTheirPlaceBeyondAFace) {
  const Scene scene = scene_of();
  World world(scene, 1e-3);
  world.place_sets(1);
  ASSERT_TRUE(world.moves(1));
  EXPECT_FALSE(world.moves(0));
  const World::Placed p = world.placed(1, {0.2, 0.5, 0.5}, {1, 0, 0, 0});
  EXPECT_GE(p.x.x, 0);
  EXPECT_LT(p.x.x, 1);
  EXPECT_NEAR(norm(p.v), 2 * norm(Vec3d{0.2, 0, 0.5}), 1e-12);
}
