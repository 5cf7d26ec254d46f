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

const char* const kSchemes[] = {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"};

std::string scheme(const std::string& name) { return fmt::format("numerics.scheme=\"{}\"", name); }

// Two grains that meet off centre, turning.
const std::string kPair = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0], v = [1, 0.1, 0.2], w = [5, 0, 3] }, { x = [0.022, 0.004, 0.003], v = [-0.7, 0, 0], radius = 0.008 }]
[numerics]
dt = 2e-5
[[stages]]
name = "a"
duration = 0.02
)";

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

// ---- more than two partners: equal once every engine adds up by ascending ids ----

namespace {

// A shaken box of mixed grains: walls that move, all laws, many contacts made and broken.
const std::string kShaken = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[materials.steel]
density = 7800
young = 2e7
poisson = 0.3
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[contacts.steel-grain]
normal = { law = "hertz", restitution = 0.7 }
tangential = { law = "coulomb_history", mu = 0.2, xi = 0.1 }
adhesion = { law = "dmt", work = 0.5 }
[particles.small]
material = "grain"
radius = { uniform = { min = 0.004, max = 0.008 } }
velocity = [0, 0, -3]
fill = { region = { box = [[0, 0, 0], [0.06, 0.06, 0.08]] }, count = 60 }
[particles.large]
material = "steel"
radius = 0.015
list = [{ x = [0.02, 0.02, 0.1], w = [5, 0, 3] }, { x = [0.04, 0.04, 0.14], v = [0, 0.1, -1] }]
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 2e-5
[[stages]]
duration = 0.03
)";
const std::string kShakenBox = R"(
[walls.box]
box = { min = [0, 0, 0], max = [0.06, 0.06, 0.3] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
)";

}  // namespace

TEST(OneResult, ManyGrains) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(kShaken + kShakenBox, {scheme(name)}, 100).contacts, 100u) << name;
  EXPECT_GT(expect_one_result(kShaken + kShakenBox, {"numerics.lever=\"deformed\""}, 100).contacts, 100u);
}

// Pairs whose friction follows another code beside pairs whose does not.
TEST(OneResult, VariantsOfFriction) {
  const std::string variant =
      "{law=\"coulomb_history\",mu=0.3,dashpot=\"normal\",history=\"force\",rescale=\"on\",cap=\"spring\"}";
  for (const char* name : kSchemes) {
    EXPECT_GT(expect_one_result(kPair, {scheme(name), "contacts.default.tangential=" + variant}).contacts, 3u) << name;
    EXPECT_GT(expect_one_result(kShaken + kShakenBox, {scheme(name), "contacts.steel-grain.tangential=" + variant}, 100)
                  .contacts,
              100u)
        << name;
  }
}

TEST(OneResult, ManyGrainsInAMesh) {
  const Seen seen = expect_one_result(
      [&](Engine engine, const Bookkeeping& books) {
        Case c = parse_case(kShaken + kShakenBox, "test", {});
        c.walls[0].shape = box_mesh({0, 0, 0}, {0.06, 0.06, 0.3}, 4);
        return Simulation(c, engine, books);
      },
      "mesh", 100);
  EXPECT_GT(seen.contacts, 100u);
}

TEST(OneResult, ManyGrainsInAPeriodicBox) {
  for (const char* name : kSchemes)
    EXPECT_GT(expect_one_result(kShaken + "[domain]\nbox = [[0, 0, -0.02], [0.07, 0.065, 0.3]]\nperiodic = [\"x\", "
                                          "\"y\"]\n[walls.floor]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n",
                                {scheme(name)}, 100)
                  .contacts,
              100u)
        << name;
}

// Walls that meet, overlap, cross periodic faces, move and have other laws than their neighbours; rings and edges.
TEST(OneResult, ManyGrainsOnWallsThatMeet) {
  const std::string walls = R"(
[domain]
box = [[0, 0, -0.1], [0.07, 0.065, 0.3]]
periodic = ["x", "y"]
[walls.left]
rectangle = { corner = [-0.01, 0, 0], edge_a = [0.03, 0, 0], edge_b = [0, 0.065, 0] }
[walls.middle]
box = { min = [0.02, -0.01, -0.02], max = [0.035, 0.07, 0] }
material = "steel"
[walls.right]
mesh = { obj = "v 0.035 0 0\nv 0.07 0 0\nv 0.07 0.04 0\nv 0.035 0.04 0\nf 1 2 3 4" }
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
  for (const char* name : {"drift_kick", "velocity_verlet", "trapezoid"})
    EXPECT_GT(expect_one_result(kShaken + walls, {scheme(name)}, 100).contacts, 100u) << name;
}

TEST(OneResult, ManyBondedGrains) {
  const std::string bonds = R"(
[bonds.glue]
max_gap = 0.002
stiffness = 1e4
damping = "critical"
anchors = 3
ring_radius = 0.002
strength = 2
)";
  for (const char* name : kSchemes) {
    const Seen seen = expect_one_result(kShaken + kShakenBox + bonds, {scheme(name), "stages=[{duration=0.006}]"}, 100);
    EXPECT_GT(seen.end.breaks.size(), 1u) << name;
  }
}

TEST(OneResult, ForcesAtADistance) {
  const std::string forces = "[forces.pull]\nlaw = \"coulomb\"\n";
  EXPECT_GT(expect_one_result(kShaken + kShakenBox + forces, {"particles.small.charge=2e-9"}, 100).contacts, 100u);
}

// ---- more than one chunk: what a run may be told or choose by itself ----

namespace {

const std::string kSilo = kShaken.substr(0, kShaken.find("[particles.small]")) + R"(
[particles.small]
material = "grain"
radius = { uniform = { min = 0.003, max = 0.006 } }
velocity = [0.5, 0, -3]
fill = { region = { box = [[0, 0, 0.005], [0.08, 0.08, 0.16]] }, count = 700 }
[particles.large]
material = "steel"
radius = 0.012
list = [{ x = [0.02, 0.02, 0.2], w = [5, 0, 3] }, { x = [0.05, 0.05, 0.2], v = [0, 0.1, -1] }]
[domain]
box = [[0, 0, -0.05], [0.08, 0.09, 0.4]]
periodic = ["x"]
rule = "delete"
[fields.g]
acceleration = [0, 0, -9.81]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
motion = { oscillating = { amplitude = [0.002, 0, 0.004], frequency = 20 } }
[walls.sides]
box = { min = [-1, 0, -1], max = [1, 0.09, 1], open = ["-x", "+x", "-z", "+z"] }
[numerics]
dt = 2e-5
[[stages]]
duration = 0.008
)";

std::string hash_of(const Case& c, Engine engine = Engine::cpu, const Bookkeeping& books = {}) {
  return state_hash(last_frame(Simulation(c, engine, books)));
}

}  // namespace

TEST(OneResult, WhateverTheBooks) {
  for (const char* name : {"drift_kick", "velocity_verlet", "kick_drift"}) {
    Case c = parse_case(kSilo, "test", {scheme(name), "numerics.threads=2"});
    const Simulation usual(c);
    const std::string one = hash_of(c, Engine::reference);
    EXPECT_EQ(hash_of(c), one) << name;
    for (const std::uint32_t size : {64u, 256u, 1024u, 4096u})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.chunk_size = size}), one) << name << ", chunks of " << size;
    for (const std::uint64_t seed : {1, 2})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.shuffle = seed}), one) << name << ", shuffled by " << seed;
    for (const std::int64_t every : {2, 20})
      EXPECT_EQ(hash_of(c, Engine::cpu, {.extra_lists = every}), one) << name << ", lists every " << every << " steps";
    for (const int threads : {1, 3, 8}) {
      c.numerics.threads = threads;
      EXPECT_EQ(hash_of(c, Engine::cpu, {.chunk_size = 64, .shuffle = 3, .extra_lists = 10}), one)
          << name << " on " << threads << " threads";
    }
    for (const double times : {0.5, 1.0, 2.0, 4.0}) {
      c.numerics.skin = times * usual.choices().skin;
      EXPECT_EQ(hash_of(c), one) << name << ", skin x " << times;
    }
  }
}

// Frames, series and checkpoints are looks at the state.
TEST(OneResult, HoweverItIsLookedAt) {
  for (const char* name : kSchemes) {
    const Case c = parse_case(kShaken + kShakenBox, "test", {scheme(name)});
    const Frame whole = last_frame(Simulation(c));
    Simulation looked_at(c);
    for (std::int64_t k = 1; !looked_at.finished(); k = k % 13 + 1) {
      looked_at.advance(k, k % 2 == 0);
      looked_at.frame();
      looked_at.save();
    }
    EXPECT_EQ(state_hash(looked_at.frame()), state_hash(whole)) << name;
    EXPECT_EQ(looked_at.frame().energy.residual, whole.energy.residual) << name;
    EXPECT_EQ(looked_at.frame().energy.turned_over, whole.energy.turned_over) << name;
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
