// The cuda engine with its kernels on the host: the bits of the other engines after many steps that nobody looks at,
// through everything that sends the state back and forth between device and cpu engine. Where the kernels run on a
// device, tests/device/engine_test does the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "areia/error.h"
#include "engine/cuda/cuda_backend.h"
#include "engine/cuda/device_sums.h"
#include "mixed_grains.h"
#include "one_result.h"

using namespace areia;
using namespace areia::test;

namespace {

std::string hash_after(const Case& c, Engine engine, const Bookkeeping& books, std::int64_t at_once = 1 << 20) {
  Simulation s(c, engine, books);
  while (!s.finished()) s.advance(at_once);
  if (engine == Engine::cuda) { EXPECT_GT(s.statistics().device.steps, 9 * s.step() / 10); }
  return state_hash(s.frame());
}

void expect_same_bits(const std::string& toml, const std::vector<std::string>& set = {}) {
  const Case c = parse_case(toml, "test", set);
  ASSERT_THAT(cuda::what_a_device_lacks(c), testing::IsEmpty());
  const std::string cpu = hash_after(c, Engine::cpu, {});
  EXPECT_EQ(hash_after(c, Engine::cuda, kOnHost), cpu);
  EXPECT_EQ(hash_after(c, Engine::cuda, kOnHost, 333), cpu);
}

}  // namespace

TEST(CudaEngine, GrainsInABox) {
  expect_same_bits(kMaterials + kHertz + kGrains + kBox);
  expect_same_bits(kMaterials + kMixed + kGrains + kLarge + kBox);
  expect_same_bits(kMaterials + kMixed + kGrains + kLarge + kBox, {"numerics.lever=\"deformed\""});
  for (const char* name : {"kick_drift", "forward_euler"})
    expect_same_bits(kMaterials + kMixed + kGrains + kLarge + kBox, {scheme(name)});
}

// Step by step: what a step finds out about its lists is known to the next one.
TEST(CudaEngine, StepByStep) {
  for (const char* name : {"drift_kick", "kick_drift", "forward_euler"}) {
    const Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test", {scheme(name)});
    EXPECT_EQ(hash_after(c, Engine::cuda, kOnHost, 1), hash_after(c, Engine::cpu, {})) << name;
  }
}

TEST(CudaEngine, OtherSetsOfLaws) {
  for (const char* laws :
       {"contacts.default={normal={law=\"linear\",stiffness=2e4,restitution=0.6},tangential={law=\"coulomb_history\","
        "mu=0.3}}",
        "contacts.default={normal={law=\"hertz\",restitution=0.6},tangential={law=\"coulomb_history\",mu=0.3},"
        "rolling={law=\"constant\",mu=0.05}}",
        "contacts.default={normal={law=\"jkr\",xi=0.1,work=0.5},tangential={law=\"coulomb_history\",mu=0.3},"
        "rolling={law=\"epsd\",mu=0.05},twisting={law=\"spring\",mu=0.02}}",
        "contacts.default={normal={law=\"hertz\",xi=2},tangential={law=\"coulomb_history\",mu_static=0.4,"
        "mu_dynamic=0.3,xi=3}}"})
    expect_same_bits(kMaterials + kHertz + kGrains + kBox, {laws});
}

// Lists are made anew, walls are left and met again, and faces are crossed.
TEST(CudaEngine, PeriodicFacesAndWallsThatMove) {
  const std::string periodic = "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", \"y\"]\n";
  const std::string walls = R"(
[walls.left]
rectangle = { corner = [-0.01, 0, 0], edge_a = [0.03, 0, 0], edge_b = [0, 0.065, 0] }
[walls.middle]
box = { min = [0.02, -0.01, -0.02], max = [0.035, 0.07, 0] }
[walls.floor]
plane = { point = [0, 0, -0.01], normal = [0, 0, 1] }
[walls.ring]
disk = { center = [0.0525, 0.0525, 0], normal = [0, 0, 1], radius = 0.0175, hole = 0.0045 }
[walls.cone]
cone = { from = [0.01, 0.03, 0], to = [0.01, 0.03, 0.015], radius_from = 0.004, radius_to = 0.013 }
[walls.ball]
sphere = { center = [0.069, 0.06, 0.004], radius = 0.006 }
motion = { constant = { velocity = [0.9, 0.4, 0] } }
[walls.paddle]
rectangle = { corner = [0.03, 0.03, 0.001], edge_a = [0.02, 0, 0], edge_b = [0, 0, 0.02] }
motion = { rotating = { point = [0.03, 0.03, 0], axis = [0, 0, 1], rate = 30 } }
)";
  expect_same_bits(kMaterials + kMixed + kGrains + kLarge + periodic + walls, {"fields.g.acceleration=[2,1,-9.81]"});
  expect_same_bits(kMaterials + kMixed + kGrains + kLarge + periodic + walls,
                   {"fields.g.turning={axis=[0,1,0],rate=9}", scheme("kick_drift")});
  expect_same_bits(kMaterials + kHertz + kGrains + R"(
[walls.drum]
cylinder = { from = [0.03, -0.001, 0.04], to = [0.03, 0.061, 0.04], radius = 0.06, caps = ["from", "to"] }
motion = { rotating = { point = [0.03, 0, 0.04], axis = [0, 1, 0], rate = 10 } }
surface = { velocity = [0, 0.1, 0] }
)");
}

// A blade that turns and is longer than the period: an image of the grain, which is near the axis, meets its tip, which
// comes nearer faster than anything of the blade in the box. Whenever lists are made, some grain is just beyond them.
TEST(CudaEngine, TipOfABladeBeyondAFace) {
  for (int k = 0; k < 12; ++k) {
    const Case c = parse_case(kMaterials + kHertz +
                                  fmt::format(R"(
[domain]
box = [[0, -0.1, -0.1], [0.1, 0.2, 0.1]]
periodic = ["x"]
[particles.small]
material = "grain"
radius = 0.004
list = [{{ x = [0.035, {}, 0] }}]
[walls.blade]
rectangle = {{ corner = [-0.04, 0, -0.01], edge_a = [0.18, 0, 0], edge_b = [0, 0, 0.02] }}
motion = {{ rotating = {{ point = [0.05, 0, 0], axis = [0, 0, 1], rate = 5 }} }}
[numerics]
dt = 2e-5
skin = 4e-4
[[stages]]
duration = 0.06
)",
                                              0.019 + 1.3e-4 * k),
                              "test", {});
    Simulation reference(c, Engine::reference);
    while (!reference.finished()) reference.advance(1000);
    const Frame frame = reference.frame();
    EXPECT_GT(frame.particles.v[0].y, 0.3);
    EXPECT_EQ(hash_after(c, Engine::cpu, {}), state_hash(frame)) << k;
    EXPECT_EQ(hash_after(c, Engine::cuda, kOnHost), state_hash(frame)) << k;
  }
}

// Each grain may see such a wall from many images, of which those that count must not be lost among the others.
TEST(CudaEngine, WallsLongerThanAPeriod) {
  const std::string square = "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", \"y\"]\n";
  for (const char* wall : {"rectangle = { corner = [-0.28, -0.26, 0], edge_a = [0.63, 0, 0], edge_b = [0, 0.585, 0] }",
                           "box = { min = [-0.2, -0.3, -0.01], max = [0.33, 0.2, 0] }"})
    expect_same_bits(kMaterials + kMixed + kGrains + kLarge + square + "[walls.floor]\n" + wall + "\n");
  const std::string channel = "[domain]\nbox = [[0, 0, -0.02], [2, 0.06, 0.3]]\nperiodic = [\"x\", \"y\"]\n";
  expect_same_bits(kMaterials + kHertz + kGrains + channel + R"(
[walls.floor]
rectangle = { corner = [0, 0, 0], edge_a = [2, 0, 0], edge_b = [0, 0.06, 0] }
[walls.blade]
rectangle = { corner = [-0.4, 0.03, 0.001], edge_a = [0.9, 0, 0], edge_b = [0, 0, 0.02] }
)");
}

// Without the ledger contacts book nothing, but gravity across periodic faces and gravity that turns still put energy
// in.
TEST(CudaEngine, WithoutTheLedger) {
  const std::string periodic = "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", \"y\"]\n";
  const std::string floor = "[walls.floor]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n";
  for (const char* gravity : {"fields.g.acceleration=[2,1,-9.81]", "fields.g.turning={axis=[0,1,0],rate=9}"})
    for (const char* name : {"drift_kick", "kick_drift"}) {
      const Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + periodic + floor, "test",
                                {gravity, scheme(name), "numerics.ledger=false"});
      Simulation cpu(c), device(c, Engine::cuda, kOnHost);
      for (Simulation* s : {&cpu, &device}) s->advance(2500);
      const Energy a = cpu.frame().energy, b = device.frame().energy;
      EXPECT_NE(a.wall_work + a.field_work, 0) << gravity << name;
      EXPECT_EQ(a.damping, b.damping);
      EXPECT_EQ(a.wall_work, b.wall_work) << gravity << name;
      EXPECT_EQ(a.field_work, b.field_work) << gravity << name;
      EXPECT_EQ(a.residual, b.residual) << gravity << name;
    }
}

TEST(CudaEngine, TwoDimensions) {
  expect_same_bits(kMaterials + kHertz + R"(
[domain]
dimension = 2
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.007 } }
fill = { region = { box = [[0, 0, 0], [0.12, 0.15, 0]] }, count = 60 }
[fields.g]
acceleration = [0, -9.81, 0]
[walls.box]
box = { min = [0, 0, -1], max = [0.12, 0.3, 1] }
[numerics]
dt = 2e-5
[[stages]]
duration = 0.05
)");
}

// Grains leave, walls go, gravity changes, a set is frozen, grains come: the cpu engine does that and hands back.
TEST(CudaEngine, StagesAndStreams) {
  expect_same_bits(kMaterials + kMixed + kGrains + kLarge + kBox + R"(
[domain]
box = [[0, 0, -0.1], [0.06, 0.06, 0.4]]
rule = "delete"
[fields.later]
acceleration = [3, 0, 0]
start = 0.011
stop = 0.017
)",
                   {"stages=[{duration=0.02},{duration=0.01,freeze=[\"large\"],set={\"contacts.default.tangential.mu\"="
                    "0.1}},{duration=0.03,remove=[\"walls.box\"],release=[\"large\"]}]"});
}

TEST(CudaEngine, CheckpointsGoFromEngineToEngine) {
  const Case c = parse_case(kMaterials + kMixed + kGrains + kLarge + kBox, "test", {});
  Simulation cpu(c), device(c, Engine::cuda, kOnHost), reference(c, Engine::reference);
  for (Simulation* s : {&cpu, &device, &reference}) s->advance(1234);
  const Archive of_device = device.save(), of_cpu = cpu.save();
  EXPECT_EQ(of_device.real, of_cpu.real);
  EXPECT_EQ(of_device.integer, of_cpu.integer);
  device.load(of_cpu);
  cpu.load(of_device);
  reference.load(of_device);
  for (Simulation* s : {&cpu, &device, &reference}) s->advance(700);
  EXPECT_EQ(state_hash(device.frame()), state_hash(cpu.frame()));
  EXPECT_EQ(state_hash(reference.frame()), state_hash(cpu.frame()));
  EXPECT_EQ(device.frame().energy.residual, cpu.frame().energy.residual);
  EXPECT_EQ(device.frame().energy.turned_over, cpu.frame().energy.turned_over);
}

TEST(CudaEngine, StopsForTheSameReason) {
  const Case c = parse_case(kMaterials + kHertz + R"(
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0], v = [60, 0, 0] }, { x = [0.05, 0, 0] }]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.02
)",
                            "test", {});
  const auto why = [&](Engine engine, const Bookkeeping& books) -> std::string {
    try {
      hash_after(c, engine, books);
    } catch (const StoppedError& e) { return e.what(); }
    return "";
  };
  const std::string cpu = why(Engine::reference, {});
  EXPECT_THAT(cpu, testing::HasSubstr("particle 0"));
  EXPECT_EQ(why(Engine::cuda, kOnHost), cpu);
}

TEST(CudaEngine, SaysWhatItDoesNotDo) {
  const Case c = parse_case(kMaterials + kHertz + kGrains + kBox, "test", {scheme("trapezoid"), "fluid.density=1000"});
  try {
    Simulation s(c, Engine::cuda, kOnHost);
    FAIL();
  } catch (const InputError& e) { EXPECT_THAT(e.what(), testing::HasSubstr("numerics.scheme")); }
}

// What stages set is known before the first of them begins, too, and told once, with the stage that does it first.
TEST(CudaEngine, SaysWhichStageItDoesNotDo) {
  const auto why = [](const std::string& stages) -> std::string {
    try {
      Simulation s(parse_case(kMaterials + kHertz + kGrains + kBox, "test", {stages}), Engine::cuda, kOnHost);
    } catch (const InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(why("stages=[{duration=0.001},{duration=0.001,set={\"fields.g.acceleration\"=[1,0,-9.81]}}]"), "");
  const std::string wet =
      why("stages=[{duration=0.001},{duration=0.001,name=\"wet\",set={\"fluid.density\"=1000,\"fluid.buoyancy\"=true}},"
          "{duration=0.001,name=\"later\",set={\"fluid.density\"=900}}]");
  EXPECT_THAT(wet, testing::HasSubstr("fluid, set by stages.wet"));
  EXPECT_THAT(wet, testing::Not(testing::HasSubstr("later")));
  EXPECT_THAT(why("stages=[{duration=0.001},{duration=0.001,set={\"fields.g.region.box\"=[[0,0,0],[1,1,1]]}}]"),
              testing::HasSubstr("fields.g: only gravity that acts everywhere, set by stages.stage2"));
}

// A large grain with more small ones around it than there is room for, evenly by the golden angle.
TEST(CudaEngine, NamesTheParticleThatHasNoRoom) {
  Case c = parse_case(kMaterials + kHertz + R"(
[particles.small]
material = "grain"
radius = 0.001
list = [{ x = [0, 0, 0.00901] }]
[particles.large]
material = "steel"
radius = 0.008
list = [{ x = [0, 0, 0] }]
[numerics]
dt = 1e-6
skin = 2e-4
[[stages]]
duration = 1e-4
)",
                      "test", {});
  auto& small = std::get<std::vector<ListedParticle>>(c.particles[0].source);
  const ListedParticle any = small[0];
  small.clear();
  for (int k = 0; k < 150; ++k) {
    const double z = 1 - (2 * k + 1) / 150.0, across = std::sqrt(1 - z * z), angle = 2.399963229728653 * k;
    ListedParticle one = any;
    one.x = 0.00901 * Vec3d{across * std::cos(angle), across * std::sin(angle), z};
    small.push_back(one);
  }
  Simulation cpu(c);
  cpu.advance(10);
  try {
    Simulation s(c, Engine::cuda, kOnHost);
    s.advance(10);
    FAIL();
  } catch (const StoppedError& e) { EXPECT_THAT(e.what(), testing::HasSubstr("particle 150 has more than 64 others")); }
}

TEST(CudaEngine, CountsWhatIsThereNow) {
  Simulation s(parse_case(kMaterials + kHertz + kGrains + kBox, "test", {}), Engine::cuda, kOnHost);
  s.advance(1000, false);
  const Statistics before = s.statistics();
  EXPECT_GT(before.pairs, 0);
  s.advance(1, true);  // the state before is kept beside the one after
  EXPECT_GT(s.statistics().device.bytes, before.device.bytes);
  s.frame();  // the state goes to the cpu engine, and back with the next step
  s.advance(1);
  EXPECT_LT(s.statistics().pairs, 3 * before.pairs / 2);
}

// A device that fails while it is made ready, too, ends the run with its reason.
TEST(CudaEngine, FailsWhileItIsMadeReady) {
  const Scene scene = make_scene(parse_case(kMaterials + kHertz + kGrains + kBox, "test", {}));
  const BackendSettings settings{
      .dt = 2e-5, .skin = 1e-3, .most_skin = 1e-3, .bookings = Grid(), .forces = ForceGrid()};
  const auto why = [&](const cuda::MakeDevice& make) -> std::string {
    try {
      cuda::CudaBackend(scene, settings, make);
    } catch (const StoppedError& e) { return e.what(); }
    return "";
  };
  EXPECT_EQ(why(cuda::make_host_engine), "");
  EXPECT_THAT(why([](const cuda::DeviceCase&) -> std::unique_ptr<cuda::DeviceEngine> {
                throw cuda::DeviceFull("memory of the device: none");
              }),
              testing::AllOf(testing::HasSubstr("too little memory for 80 particles"), testing::HasSubstr("none")));
  EXPECT_THAT(why([](const cuda::DeviceCase&) -> std::unique_ptr<cuda::DeviceEngine> {
                throw cuda::DeviceFault("it has fallen off the bus");
              }),
              testing::HasSubstr("fallen off"));
}

// A case that begins empty, and whose stream fills it.
TEST(CudaEngine, BeginsWithoutParticles) {
  expect_same_bits(kMaterials + kHertz + R"(
[particles.rain]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.005 } }
stream = { region = { box = [[0.005, 0.005, 0.08], [0.055, 0.055, 0.1]] }, rate = 2000 }
velocity = [0, 0, -1]
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.05
)" + kBox);
}

// Terms that the grid takes, and terms up to 2^60 times as large, of one sign and of both: whatever there is, the sum
// is that of the other engines.
TEST(CudaEngine, SumsOfAGroupAreThoseOfAnyEngine) {
  const ForceGrid grid{Grid(1.0), Grid(0.01)};
  std::mt19937_64 random(7);
  const auto some = [&](int exponent) {
    const auto one = [&] { return std::ldexp(std::uniform_real_distribution<double>(-0.6, 1)(random), exponent); };
    return Vec3d{one(), one(), one()};
  };
  for (const int most : {-1, 3, 30, 60, 200}) {
    const cuda::Team alone{0, 1};
    cuda::GroupSums sums;
    sums.clear(alone);
    ForceSum a, b;
    for (int k = 0; k < 60; ++k) {
      const int exponent = k % 7 == 0 ? most : -3 - k;
      const Vec3d force = some(exponent), torque_a = some(exponent - 8), torque_b = some(exponent - 9);
      const bool is_inside = k % 3 != 0;  // whether b is in the group
      sums.add(grid, 4, is_inside ? 9 : cuda::kGroup, force, torque_a, torque_b);
      a.add(grid, force, torque_a);
      if (is_inside) b.add(grid, -force, torque_b);
    }
    EXPECT_EQ(sums.contacts[4], 60U);
    EXPECT_EQ(sums.contacts[9], 40U);
    const auto same = [](const Vec3d& x, const Vec3d& y) { return x == y || (std::isnan(x.x) && std::isnan(y.x)); };
    EXPECT_TRUE(same(sums.force(grid, 4), a.force(grid))) << most;
    EXPECT_TRUE(same(sums.torque(grid, 4), a.torque(grid))) << most;
    EXPECT_TRUE(same(sums.force(grid, 9), b.force(grid))) << most;
    EXPECT_TRUE(same(sums.torque(grid, 9), b.torque(grid))) << most;
    EXPECT_EQ(std::isnan(a.force(grid).x), most == 200);
    EXPECT_EQ(sums.has_large != 0, most > -1);
    EXPECT_EQ(sums.force(grid, 5), Vec3d());
  }
}
