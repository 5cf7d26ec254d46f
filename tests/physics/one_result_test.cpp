// One result: the reference engine and the fast one go through the same states, bit by bit. What the bits may depend on
// is the case alone, so every engine is held against the slow one here, whatever books it keeps, and each goes on from
// the checkpoints of the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "areia/error.h"
#include "meshes.h"
#include "one_result.h"

using namespace areia;
using namespace areia::test;

namespace {

// One grain in a shaken box with a floor of its own.
const std::string kBoxed = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0.03, 0.02, 0.02], v = [1, 0.7, -2], w = [5, 40, 3] }]
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
name = "a"
duration = 0.1
[walls.box]
box = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
)";

}  // namespace

TEST(OneResult, TwoGrainsInEveryScheme) {
  for (const char* name : kSchemes) EXPECT_GT(expect_one_result(kPair, {scheme(name)}).contacts, 3u) << name;
}

TEST(OneResult, LawsThatReachTurnAndTwist) {
  for (const char* laws :
       {"contacts.default.rolling={law=\"viscous\",c=1e-6}", "contacts.default.rolling={law=\"epsd\",mu=0.1}",
        "contacts.default.twisting={law=\"constant\",mu=0.05}", "contacts.default.adhesion={law=\"dmt\",work=5}",
        "contacts.default.adhesion={law=\"strain\",k=5,beta=1}", "numerics.lever=\"deformed\""})
    for (const char* name : {"drift_kick", "velocity_verlet"})
      EXPECT_GT(expect_one_result(kPair, {scheme(name), laws}).contacts, 2u) << laws;
}

TEST(OneResult, WallsThatMove) {
  for (const char* name : {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler"})
    EXPECT_GT(expect_one_result(kBoxed, {scheme(name)}).contacts, 10u) << name;
  for (const char* motion : {"{rotating={point=[0.025,0.025,0.025],axis=[0,1,0.2],rate=20}}",
                             "{rotating={point=[0.025,0.025,0.025],axis=[0,1,0.2],rate=20},start=0.03,stop=0.06}",
                             "{constant={velocity=[0.1,0,0.05]}}"})
    EXPECT_GT(expect_one_result(kBoxed, {fmt::format("walls.box.motion={}", motion)}).contacts, 10u) << motion;
}

TEST(OneResult, ShapesOfWalls) {
  for (const char* wall :
       {"cylinder={from=[0.025,0.025,0],to=[0.025,0.025,0.05],radius=0.025,caps=[\"from\",\"to\"]}",
        "sphere={center=[0.025,0.025,0.025],radius=0.025}", "box={min=[0,0,0],max=[0.05,0.05,0.05],open=[\"+z\"]}"}) {
    const Seen seen = expect_one_result(kBoxed.substr(0, kBoxed.find("[walls.box]")) + "[walls.one]\n" + wall + "\n");
    EXPECT_GT(seen.contacts, 10u) << wall;
  }
}

TEST(OneResult, Meshes) {
  const std::string toml = kBoxed.substr(0, kBoxed.find("[walls.box]")) + R"(
[walls.mesh]
box = { min = [0, 0, 0], max = [0.05, 0.05, 0.05] }
)";
  for (const MeshShape& shape :
       {box_mesh({0, 0, 0}, {0.05, 0.05, 0.05}, 3), tube_mesh({0.025, 0.025, -0.1}, {0.025, 0.025, 0.1}, 0.026, 60, 7)})
    for (const char* name : kSchemes) {
      const Seen seen = expect_one_result(
          [&](Engine engine, const Bookkeeping& books) {
            Case c = parse_case(toml, "test", {scheme(name)});
            c.walls[0].shape = shape;
            return Simulation(c, engine, books);
          },
          name);
      EXPECT_GT(seen.contacts, 10u) << name;
    }
}

// Grains that cross faces, feel gravity along a period, and meet an obstacle right behind the face they come in at.
TEST(OneResult, PeriodicFaces) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.8 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
[domain]
box = [[-0.05, 0, 0.01], [0.05, 0.08, 0.15]]
periodic = ["x", "y", "z"]
[particles.grains]
material = "grain"
radius = 0.008
list = [{ x = [-0.04, 0.01, 0.02], v = [-3, 0.4, 0] }, { x = [0.03, 0.012, 0.02], v = [2, -0.1, 0.1], w = [1, 2, 3] }]
[fields.g]
acceleration = [1, 0, -9.81]
[walls.obstacle]
sphere = { center = [0.052, 0.03, 0.07], radius = 0.006 }
[numerics]
dt = 2e-5
[[stages]]
duration = 0.3
)";
  for (const char* name : kSchemes) {
    const Seen seen = expect_one_result(toml, {scheme(name)}, 50);
    EXPECT_GT(seen.contacts, 5u) << name;
    for (const Vec3d& x : seen.end.particles.x) EXPECT_TRUE(x.x >= -0.05 && x.x < 0.05);
  }
}

// A cell that deforms, by strain and by stress, with stages between; other skins and threads.
TEST(OneResult, ACellThatDeforms) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[domain]
box = [[-0.01, 0, 0.01], [0.03, 0.04, 0.05]]
periodic = ["x", "y", "z"]
[domain.loading.all]
axes = ["x", "y", "z"]
stress = 1000
max_rate = 20
[domain.loading.top]
axes = ["z"]
strain_rate = 10
start_stage = "shear"
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.005 } }
velocity_std = 0.2
fill = { region = { box = [[-0.01, 0, 0.01], [0.03, 0.04, 0.05]] }, solid_fraction = 0.3 }
[[stages]]
name = "press"
duration = 0.03
[[stages]]
name = "shear"
duration = 0.02
)";
  const Seen seen = expect_one_result(toml, {}, 37);
  EXPECT_GT(seen.contacts, 1000u);
  EXPECT_LT(seen.end.cell.volume, 0.8 * 0.04 * 0.04 * 0.04);
  for (const char* other : {"numerics.skin=0.0001", "numerics.skin=0.002", "numerics.threads=3"})
    EXPECT_EQ(state_hash(expect_one_result(toml, {other}, 211).end), state_hash(seen.end)) << other;
  const Seen set = expect_one_result(toml, {"stages.shear.set={\"contacts.default.tangential.mu\"=0.1}"}, 37);
  EXPECT_NE(state_hash(set.end), state_hash(seen.end));
}

// The same in the plane, with a law that reaches across gaps.
TEST(OneResult, AFlatCellThatDeforms) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.6 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
adhesion = { law = "capillary", tension = 0.05, volume = 1e-10 }
[domain]
box = [[0, 0, 0], [0.08, 0.01, 0.06]]
periodic = ["x", "z"]
dimension = 2
plane = "xz"
disk_thickness = 0.01
[domain.loading.all]
axes = ["x", "z"]
stress = 500
max_rate = 20
stop = 0.03
[domain.loading.top]
axes = ["z"]
strain_rate = -5
start = 0.03
[particles.grains]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.005 } }
velocity = [0, 0, 0]
fill = { region = { box = [[0, 0, 0], [0.08, 0, 0.06]] }, solid_fraction = 0.4 }
[[stages]]
duration = 0.05
)";
  const Seen seen = expect_one_result(toml, {}, 37);
  EXPECT_GT(seen.contacts, 300u);
  EXPECT_EQ(seen.end.cell.strain_rate.x, 0);
  EXPECT_EQ(seen.end.cell.strain_rate.z, -5);
}

// Lists that were made on one side of the box know the walls on the other.
TEST(OneResult, AnObstacleBehindTheFace) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz", restitution = 0.8 }
[domain]
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x"]
[particles.grains]
material = "grain"
radius = 0.008
list = [{ x = [0.002, 0.052, 0.051], v = [-2, 0, 0] }]
[walls.obstacle]
sphere = { center = [0.085, 0.05, 0.05], radius = 0.005 }
[numerics]
dt = 2e-5
skin = 0.02
[[stages]]
duration = 0.01
)";
  for (const bool mesh : {false, true})
    for (const char* name : kSchemes) {
      const Seen seen = expect_one_result(
          [&](Engine engine, const Bookkeeping& books) {
            Case c = parse_case(toml, "test", {scheme(name)});
            if (mesh) c.walls[0].shape = box_mesh({0.08, 0.045, 0.045}, {0.09, 0.055, 0.055}, 2);
            return Simulation(c, engine, books);
          },
          name);
      EXPECT_GT(seen.contacts, 3u) << name;
    }
}

// What crosses a face along gravity goes on with its velocity; the face takes out what the potential gains.
TEST(OneResult, FacesBookTheirWork) {
  const std::string toml = R"(
[materials.grain]
density = 2500
young = 5e6
[contacts.default]
normal = { law = "hertz" }
[domain]
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
periodic = ["x", "z"]
[particles.grains]
material = "grain"
radius = 0.008
list = [{ x = [0.02, 0.05, 0.03], v = [-0.5, 0, 0] }]
[fields.g]
acceleration = [2, 0, -9.81]
[numerics]
dt = 1e-4
[[stages]]
duration = 0.5
)";
  // the sums of drift_kick and kick_drift differ from those of the path by g dt/v
  for (const auto& [name, error] :
       {std::pair("velocity_verlet", 1e-10), {"trapezoid", 1e-10}, {"drift_kick", 1e-3}, {"kick_drift", 1e-3}}) {
    const Seen seen = expect_one_result(toml, {scheme(name)}, 100);
    EXPECT_GT(seen.end.particles.v[0].z * seen.end.particles.v[0].z, 20) << name;
    EXPECT_LT(std::fabs(seen.end.energy.wall_work - seen.end.energy.kinetic), 0.2 * seen.end.energy.kinetic) << name;
    EXPECT_LT(std::fabs(seen.end.energy.residual), error * seen.end.energy.turned_over) << name;
  }
}

TEST(OneResult, TwoDimensions) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(kPair, {scheme(name), "domain={dimension=2}",
                                        "particles.grains.list=[{x=[0,0,0],v=[1,0.1,0],w=[0,0,3]},{x=[0.022,0.004,0],v="
                                        "[-0.7,0,0],radius=0.008}]"})
                  .contacts,
              3u)
        << name;
}

TEST(OneResult, FieldsAndFluid) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(
                  kPair, {scheme(name), "fields.b={magnetic=[0,0,3]}", "fields.e={electric=[0.1,0,0]}",
                          "particles.grains.charge=0.05", "fields.g={acceleration=[0,0,-9.81]}",
                          "fields.far={acceleration=[0,3,0],region={half_space={point=[0.01,0,0],normal=[1,0,0]}}}",
                          "fluid={density=1,viscosity=1e-3,drag=\"chow\",buoyancy=true}"})
                  .contacts,
              3u)
        << name;
}

TEST(OneResult, Bonds) {
  const std::string bonded = kPair + R"(
[bonds.glue]
max_gap = 0.01
stiffness = 1e4
damping = "critical"
anchors = 3
ring_radius = 0.003
strength = 8
)";
  for (const char* name : kSchemes)
    for (const char* contact : {"true", "false"}) {
      const Seen seen = expect_one_result(bonded, {scheme(name), fmt::format("bonds.glue.contact={}", contact)}, 5);
      EXPECT_FALSE(seen.end.breaks.empty()) << name;
    }
}

TEST(OneResult, ImplicitSteps) {
  for (const char* keys : {"phi=0.5", "phi=0.7,adapt=\"campello\",dt_min=1e-6", "sweep=\"gauss_seidel\"",
                           "adapt=\"zohdi\",desired_sweeps=12,dt_min=1e-6", "predictor=\"rest\""})
    EXPECT_GT(expect_one_result(kPair, {scheme("trapezoid"), fmt::format("numerics.implicit={{{}}}", keys),
                                        "contacts.default.rolling={law=\"none\"}"})
                  .contacts,
              3u)
        << keys;
}

TEST(OneResult, PrescribedFrozenAndReleased) {
  const std::string toml = kPair + R"(
[particles.pusher]
material = "grain"
radius = 0.01
list = [{ x = [-0.024, 0.001, 0] }]
prescribed = true
motion = { rotating = { point = [0, 0.1, 0], axis = [0, 0, 1], rate = 8 } }
)";
  const char* const stages[] = {
      "stages=[{duration=0.03}]",
      "stages=[{name=\"a\",duration=0.006},{name=\"b\",duration=0.01,freeze=[\"particles.grains\"]},{name=\"c\","
      "duration="
      "0.01,release=[\"particles.grains\",\"particles.pusher\"]}]",
      "stages=[{name=\"a\",duration=0.008},{name=\"b\",duration=0.01,remove=[\"particles.pusher\"]}]"};
  for (const char* name : kSchemes)
    for (const char* stage : stages) EXPECT_GT(expect_one_result(toml, {scheme(name), stage}).contacts, 3u) << name;
}

TEST(OneResult, WallsThatComeAndGo) {
  const std::string toml = kBoxed + R"(
[walls.late]
plane = { point = [0, 0, -0.08], normal = [0, 0, 1] }
when = { start = 0.06, stop = 0.2 }
[domain]
box = [[-0.1, -0.1, -0.2], [0.1, 0.1, 0.3]]
rule = "delete"
)";
  const std::string stages = "stages=[{name=\"a\",duration=0.05},{name=\"b\",duration=0.6,remove=[\"walls.box\"]}]";
  for (const char* name : kSchemes) {
    const Seen seen = expect_one_result(toml, {scheme(name), "walls.box.motion={constant={velocity=[0,0,0]}}", stages});
    EXPECT_GT(seen.contacts, 5u) << name;
    EXPECT_EQ(seen.end.lost, 1) << name;
  }
}

TEST(OneResult, AServo) {
  const std::string toml = kBoxed + R"(
[walls.lid]
plane = { point = [0, 0, 0.045], normal = [0, 0, -1] }
servo = { axis = [0, 0, 1], force = 2, max_speed = 0.2 }
)";
  EXPECT_GT(expect_one_result(toml, {"walls.box.motion={constant={velocity=[0,0,0]}}"}).contacts, 50u);
}

TEST(OneResult, Streams) {
  const std::string toml = kBoxed + R"(
[particles.rain]
material = "grain"
radius = { uniform = { min = 0.002, max = 0.003 } }
stream = { region = { box = [[0.005, 0.005, 0.04], [0.045, 0.045, 0.046]] }, rate = 100 }
velocity = [0, 0, -1]
)";
  for (const char* name : {"drift_kick", "velocity_verlet"}) {
    const Seen seen = expect_one_result(toml, {scheme(name), "stages=[{duration=0.03}]"});
    EXPECT_GT(seen.end.inserted, 1) << name;
  }
}

// What is written, and when, has no influence on the steps, and so none on the result.
TEST(OneResult, OutputDecidesNothing) {
  std::string automatic = kBoxed;
  automatic.replace(automatic.find("dt = 2e-5"), 9, "");
  const Frame plain = last_frame(simulate(automatic));
  for (const char* const set : {"output.frames=0.003", "output.frames=0.00123", "output.series=7e-4"}) {
    const Frame other = last_frame(simulate(automatic, {set}));
    EXPECT_EQ(state_hash(other), state_hash(plain)) << set;
    EXPECT_EQ(other.step, plain.step) << set;
  }
}
