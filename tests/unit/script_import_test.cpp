// Scripts of LAMMPS and LIGGGHTS as cases: units, particles, contacts, walls, runs, and what is not taken over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "areia/case_file.h"
#include "areia/simulation.h"
#include "io/scripts/contact_model.h"
#include "io/scripts/script_import.h"

using namespace areia;
using testing::HasSubstr;

namespace {

// A rectangle of two triangles at z = 0, from (0, 0) to (2, 1), as any mesh file.
ScriptOptions with_files(const std::string& data = "") {
  ScriptOptions o;
  o.read = [data](const std::filesystem::path&, std::string& why) -> std::optional<std::string> {
    why = "there is no such file";
    return data.empty() ? std::nullopt : std::optional(data);
  };
  o.read_mesh = [](const std::filesystem::path& file, std::string& why) -> std::optional<MeshShape> {
    why = "there is no such file";
    if (file.filename() == "missing.stl") return {};
    MeshShape m;
    m.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    m.triangles = {{0, 1, 2}, {0, 2, 3}};
    return m;
  };
  return o;
}

ImportedCase imported(const std::string& text, const ScriptOptions& o = with_files()) {
  return import_script(text, "folder/in.test", o);
}

std::vector<Problem> problems_of(const std::string& text) {
  try {
    imported(text);
  } catch (const InputError& e) { return e.problems; }
  return {};
}

// Two grains above a floor, as LIGGGHTS would have them.
std::string liggghts(const std::string& model = "model hertz tangential history", const std::string& more = "") {
  return "units si\natom_style granular\nboundary f f f\nregion b block 0 1 0 1 0 2 units box\ncreate_box 2 b\n"
         "fix m1 all property/global youngsModulus peratomtype 1e7 2e7\n"
         "fix m2 all property/global poissonsRatio peratomtype 0.25 0.3\n"
         "fix m3 all property/global coefficientRestitution peratomtypepair 2 0.6 0.5 0.5 0.4\n"
         "fix m4 all property/global coefficientFriction peratomtypepair 2 0.3 0.2 0.2 0.1\n"
         "pair_style gran " +
         model +
         "\npair_coeff * *\ntimestep 1e-5\n"
         "create_atoms 1 single 0.5 0.5 0.5\ncreate_atoms 1 single 0.5 0.5 0.7\n"
         "set group all diameter 0.1 density 2500\n" +
         more + "fix n all nve/sphere\nrun 1000\n";
}

const Wall& wall(const Case& c, const std::string& name) {
  for (const Wall& w : c.walls)
    if (w.name == name) return w;
  throw std::runtime_error("no wall " + name);
}
const ContactPair& contact(const Case& c, const std::string& a, const std::string& b) {
  for (const ContactPair& p : c.contacts)
    if (p.a == a && p.b == b) return p;
  throw std::runtime_error("no contact " + a + "-" + b);
}
const Material& material(const Case& c, const std::string& name) {
  for (const Material& m : c.materials)
    if (m.name == name) return m;
  throw std::runtime_error("no material " + name);
}
const std::vector<ListedParticle>& list(const ParticleSet& s) {
  return std::get<std::vector<ListedParticle>>(s.source);
}

// What is written can be read, and is the case.
Case read_back(const ImportedCase& i) { return parse_case(imported_toml(i, "in.test"), "imported.toml"); }

}  // namespace

TEST(ScriptImport, MaterialsAndLawsOfLiggghts) {
  const ImportedCase i = imported(liggghts());
  const Case& c = i.settings;
  EXPECT_TRUE(i.left_out.empty());
  ASSERT_EQ(c.materials.size(), 1U);  // type 2 is used by nothing
  EXPECT_EQ(c.materials[0].young, 1e7);
  EXPECT_EQ(c.materials[0].density, 2500);
  const ContactPair& p = contact(c, "type1", "type1");
  EXPECT_EQ(p.normal.law, "hertz");
  EXPECT_EQ(p.normal.numbers.at("restitution"), 0.6);
  EXPECT_EQ(p.normal.words.at("xi_from_e"), "exact_noclamp");
  EXPECT_EQ(p.normal.words.at("clamp"), "off");
  EXPECT_EQ(p.tangential.law, "coulomb_history");
  EXPECT_EQ(p.tangential.numbers.at("mu"), 0.3);
  EXPECT_EQ(p.tangential.words.at("dashpot"), "normal_ratio");
  EXPECT_EQ(p.tangential.words.at("cap"), "spring");
  EXPECT_EQ(p.tangential.words.at("limit"), "magnitude");
  EXPECT_EQ(c.numerics.dt, 1e-5);
  ASSERT_EQ(c.stages.size(), 1U);
  EXPECT_DOUBLE_EQ(c.stages[0].duration, 0.01);
  EXPECT_EQ(c.domain.rule, DomainRule::remove);
  EXPECT_EQ(c.domain.box.max.z, 2);
  EXPECT_EQ(Simulation(read_back(i)).particle_count(), 2);
}

TEST(ScriptImport, OptionsOfTheModel) {
  Case c = imported(liggghts("model hertz tangential history limitForce on tangential_damping off")).settings;
  EXPECT_EQ(c.contacts[0].normal.words.at("clamp"), "on");
  EXPECT_FALSE(c.contacts[0].tangential.words.contains("dashpot"));
  EXPECT_FALSE(c.contacts[0].tangential.words.contains("limit"));
  c = imported(liggghts("model hertz")).settings;
  EXPECT_EQ(c.contacts[0].tangential.law, "");
  const std::string floor = "primitive type 2 zplane 0\n";
  EXPECT_TRUE(imported(liggghts("model hertz tangential history",
                                "fix w all wall/gran model hertz tangential history " + floor))
                  .notes.empty());
  EXPECT_THAT(imported(liggghts("model hertz tangential history", "fix w all wall/gran model hertz " + floor)).notes,
              testing::ElementsAre(HasSubstr("though it names others")));
  const std::string more =
      "fix r all property/global coefficientRollingFriction peratomtypepair 2 0.1 0.2 0.2 0.1\n"
      "fix v all property/global coefficientRollingViscousDamping peratomtypepair 2 0.3 0.3 0.3 0.3\n"
      "fix k all property/global cohesionEnergyDensity peratomtypepair 2 1000 0 0 0\n";
  c = imported(liggghts("model hertz tangential history rolling_friction cdt cohesion sjkr", more)).settings;
  EXPECT_EQ(c.contacts[0].rolling.law, "constant");
  EXPECT_EQ(c.contacts[0].rolling.numbers.at("mu"), 0.1);
  EXPECT_EQ(c.contacts[0].adhesion.law, "bond_area");
  EXPECT_EQ(c.contacts[0].adhesion.numbers.at("K_nb"), 2000);
  c = imported(liggghts("model hertz tangential history rolling_friction epsd cohesion sjkr2", more)).settings;
  EXPECT_EQ(c.contacts[0].rolling.law, "epsd");
  EXPECT_EQ(c.contacts[0].rolling.numbers.at("eta"), 0.3);
  EXPECT_EQ(c.contacts[0].adhesion.numbers.at("K_nb"), 4000);
}

// The spring of LIGGGHTS' hooke: that of an impact at the characteristic velocity with Hertz's energy.
TEST(ScriptImport, HookeOfLiggghts) {
  const ImportedCase i = imported(
      liggghts("model hooke tangential history", "fix c all property/global characteristicVelocity scalar 2\n"));
  const ContactPair& p = i.settings.contacts[0];
  const double r = 0.025, m = 0.5 * 2500 * M_PI / 6 * 1e-3, y = 1e7 / (2 * (1 - 0.0625));
  const double k = 16.0 / 15 * std::sqrt(r) * y * std::pow(15 * m * 4 / (16 * std::sqrt(r) * y), 0.2);
  EXPECT_EQ(p.normal.law, "linear");
  EXPECT_NEAR(p.normal.numbers.at("stiffness"), k, 1e-9 * k);
  EXPECT_NEAR(p.normal.numbers.at("beta"), -std::log(0.6) / std::hypot(std::log(0.6), M_PI), 1e-12);
  EXPECT_EQ(p.tangential.law, "coulomb_time");
  EXPECT_NEAR(p.tangential.numbers.at("stiffness"), k, 1e-9 * k);
  EXPECT_FALSE(i.notes.empty());
  // at a wall of the same type it is that of the whole mass and radius
  const Case c = imported(liggghts("model hooke tangential history",
                                   "fix c all property/global characteristicVelocity scalar 2\n"
                                   "fix w all wall/gran model hooke tangential history primitive type 1 zplane 0\n"))
                     .settings;
  EXPECT_EQ(c.walls[0].material, "type1_wall");
  EXPECT_NEAR(contact(c, "type1", "type1_wall").normal.numbers.at("stiffness"), k * std::pow(2, 0.4 + 0.2), 1e-9 * k);
}

TEST(ScriptImport, WallsTypesAndMotions) {
  const ImportedCase i = imported(
      liggghts("model hertz tangential history",
               "fix floor all wall/gran model hertz tangential history primitive type 2 zplane 0.0\n"
               "fix roof all wall/gran model hertz tangential history primitive type 2 zplane 2.0\n"
               "fix shelf all wall/gran model hertz tangential history primitive type 2 zplane 1.0\n"
               "fix pipe all wall/gran model hertz tangential history primitive type 2 xcylinder 0.4 0.5 0.6\n"
               "fix plate all mesh/surface file plate.stl type 2 scale 0.001 move 0.1 0.2 0.3\n"
               "fix turned all mesh/surface file plate.stl type 1 scale 0.5 rotate axis 0 0 1 angle 90 move 1 0 0\n"
               "fix steel all wall/gran model hertz tangential history mesh n_meshes 2 meshes plate turned\n"
               "run 500\nunfix shelf\n"
               "fix turn all move/mesh mesh plate rotate origin 1 2 3 axis 0 0 1 period 2\n"
               "fix shake all move/mesh mesh turned wiggle amplitude 0 0 0.1 period 0.5\n"
               "fix late all wall/gran model hertz tangential history primitive type 2 yplane 0.0\n"));
  const Case& c = i.settings;
  EXPECT_EQ(std::get<PlaneShape>(wall(c, "floor").shape).normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(std::get<PlaneShape>(wall(c, "roof").shape).normal, (Vec3d{0, 0, -1}));
  EXPECT_EQ(std::get<RectangleShape>(wall(c, "shelf").shape).corner, (Vec3d{0, 0, 1}));
  EXPECT_EQ(wall(c, "floor").material, "type2");
  EXPECT_EQ(material(c, "type2").young, 2e7);
  EXPECT_EQ(contact(c, "type1", "type2").normal.numbers.at("restitution"), 0.5);
  const auto& pipe = std::get<CylinderShape>(wall(c, "pipe").shape);
  EXPECT_EQ(pipe.from, (Vec3d{0, 0.5, 0.6}));
  EXPECT_EQ(pipe.to, (Vec3d{1, 0.5, 0.6}));
  const auto& plate = std::get<MeshShape>(wall(c, "plate").shape);
  EXPECT_EQ(plate.file, "folder/plate.stl");
  EXPECT_EQ(plate.scale, 0.001);
  EXPECT_EQ(plate.shift, (Vec3d{0.1, 0.2, 0.3}));
  EXPECT_EQ(wall(c, "plate").motion.kind, Motion::Kind::rotating);
  EXPECT_DOUBLE_EQ(wall(c, "plate").motion.omega, M_PI);
  EXPECT_EQ(wall(c, "plate").motion.start_stage, "run2");
  const auto& turned = std::get<MeshShape>(wall(c, "turned").shape);
  EXPECT_EQ(turned.file, "");
  EXPECT_NEAR(turned.vertices[1].x, 1, 1e-15);  // (2, 0) half as far, turned to (0, 1), moved to (1, 1)
  EXPECT_NEAR(turned.vertices[1].y, 1, 1e-15);
  EXPECT_EQ(wall(c, "turned").motion.kind, Motion::Kind::oscillating);
  ASSERT_EQ(c.stages.size(), 2U);
  EXPECT_EQ(c.stages[1].remove_walls, std::vector<std::string>{"shelf"});
  EXPECT_EQ(c.stages[1].insert_walls, std::vector<std::string>{"late"});
}

// Walls of LAMMPS: coefficients of their own, faces of regions, an upper end that lets particles in.
TEST(ScriptImport, WallsOfLammps) {
  const std::string law = "gran/hooke/history 1000 NULL 10 NULL 0.5 1",
                    same = " hooke/history 1000 NULL 10 NULL 0.5 1 ";
  const ImportedCase i = imported(
      "units si\natom_style sphere\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\nchange_box all boundary f f f\n"
      "region can cylinder z 0.5 0.5 0.3 0.1 0.9 open 1\nregion funnel cone z 0.5 0.5 0.05 0.3 0.2 0.4 rotate v_t 0 0 "
      "0 0 0 1\n"
      "create_atoms 1 single 0.5 0.5 0.5\nset type 1 diameter 0.1 density 1000\npair_style " +
      law +
      "\npair_coeff * *\n"
      "fix z all wall/gran" +
      same + "zplane 0 1 wiggle z 0.1 0.5\nfix can all wall/gran/region" + same +
      "region can\n"
      "fix funnel all wall/gran/region hooke/history 2000 NULL 10 NULL 0.5 1 region funnel\n"
      "fix g all gravity 9.81 vector 0 0 -1\nfix n all nve/sphere\ntimestep 1e-4\nrun 1\n");
  const Case& c = i.settings;
  EXPECT_FALSE(c.domain.periodic[0]);
  EXPECT_EQ(std::get<PlaneShape>(wall(c, "z_1").shape).normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(std::get<PlaneShape>(wall(c, "z_2").shape).normal, (Vec3d{0, 0, -1}));
  EXPECT_EQ(wall(c, "z_1").motion.amplitude, (Vec3d{0, 0, 0.1}));
  EXPECT_DOUBLE_EQ(wall(c, "z_1").motion.phase, -M_PI / 2);
  EXPECT_EQ(std::get<CylinderShape>(wall(c, "can").shape).to, (Vec3d{0.5, 0.5, 0.9}));  // no lower end, no upper one
  EXPECT_EQ(std::get<ConeShape>(wall(c, "funnel_1").shape).radius_to, 0.3);
  EXPECT_EQ(std::get<DiskShape>(wall(c, "funnel_2").shape).center, (Vec3d{0.5, 0.5, 0.2}));
  EXPECT_EQ(c.walls.size(), 5U);
  EXPECT_EQ(wall(c, "z_1").material, wall(c, "can").material);
  EXPECT_NE(wall(c, "can").material, wall(c, "funnel_1").material);
  // a wall is as heavy as can be: m* = m
  const double m = 1000 * M_PI / 6 * 1e-3;
  EXPECT_NEAR(contact(c, "type1", "wall").normal.numbers.at("beta"), 0.5 * 10 * std::sqrt(m / 1000), 1e-12);
  EXPECT_EQ(contact(c, "type1", "wall_2").normal.numbers.at("stiffness"), 2000);
  EXPECT_THAT(i.notes, testing::Contains(HasSubstr("stands still")));
  read_back(i);
}

// Belts, rollers and sheared walls: walls that stay, with surfaces that move.
TEST(ScriptImport, SurfacesThatMove) {
  const ImportedCase i = imported(liggghts(
      "model hertz tangential history",
      "fix floor all wall/gran model hertz tangential history primitive type 2 zplane 0.0 shear x 0.5\n"
      "fix pipe all wall/gran model hertz tangential history primitive type 2 xcylinder 0.4 0.5 0.6 shear x 2\n"
      "fix belt all mesh/surface file plate.stl type 2 surface_vel 1.0 0.0 -0.5 scale 0.001\n"
      "fix roll all mesh/surface file plate.stl type 2 surface_ang_vel origin 1 2 3 axis 0 1 0 omega 7\n"
      "fix steel all wall/gran model hertz tangential history mesh n_meshes 2 meshes belt roll\n"));
  const Case& c = i.settings;
  EXPECT_EQ(wall(c, "floor").surface.velocity, (Vec3d{0.5, 0, 0}));
  EXPECT_EQ(wall(c, "pipe").surface.velocity, (Vec3d{2, 0, 0}));
  EXPECT_EQ(wall(c, "pipe").motion.kind, Motion::Kind::fixed);
  EXPECT_EQ(wall(c, "belt").surface.velocity, (Vec3d{1, 0, -0.5}));
  EXPECT_EQ(std::get<MeshShape>(wall(c, "belt").shape).scale, 0.001);
  EXPECT_EQ(wall(c, "roll").surface.rate, 7);
  EXPECT_EQ(wall(c, "roll").surface.axis, (Vec3d{0, 1, 0}));
  EXPECT_EQ(wall(c, "roll").surface.point, (Vec3d{1, 2, 3}));
  const ImportedCase lammps = imported(
      "units si\natom_style sphere\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\nchange_box all boundary f f f\n"
      "create_atoms 1 single 0.5 0.5 0.5\nset type 1 diameter 0.1 density 1000\n"
      "pair_style gran/hooke/history 1000 NULL 10 NULL 0.5 1\npair_coeff * *\n"
      "fix z all wall/gran hooke/history 1000 NULL 10 NULL 0.5 1 zplane 0 NULL shear y 0.3\n"
      "fix can all wall/gran hooke/history 1000 NULL 10 NULL 0.5 1 zcylinder 0.4 shear x 2\n"
      "fix n all nve/sphere\ntimestep 1e-4\nrun 1\n");
  EXPECT_EQ(wall(lammps.settings, "z").surface.velocity, (Vec3d{0, 0.3, 0}));
  EXPECT_EQ(wall(lammps.settings, "can").surface.rate, -5);
}

TEST(ScriptImport, PouringAndGravityThatTurns) {
  const ImportedCase i = imported(
      "atom_style sphere\nboundary p p fm\nregion b block -10 10 -10 10 -0.5 16 units box\ncreate_box 1 b\n"
      "pair_style gran/hooke/history 4000 NULL 100 NULL 0.5 1\npair_coeff * *\ntimestep 0.001\nfix 1 all nve/sphere\n"
      "fix 2 all gravity 1.0 spherical 0.0 -180.0\nregion slab cylinder z 0 0 8 9.5 15.5\n"
      "fix ins all pour 1000 1 4767548 vol 0.4 10 diam one 1.0 region slab\nrun 100\nunfix ins\n"
      "fix 2 all gravity 1.0 chute 26.0\nrun 100\n");
  const Case& c = i.settings;
  const auto& stream = std::get<Stream>(c.particles[0].source);
  EXPECT_EQ(stream.count, 1000);
  EXPECT_EQ(stream.when.stop_stage, "run2");
  EXPECT_NEAR(stream.rate, 0.4 * M_PI * 64 * 6 / (M_PI / 6) / std::sqrt(12), 1e-9);
  ASSERT_EQ(c.fields.size(), 2U);
  EXPECT_EQ(c.fields[0].value, (Vec3d{0, 0, -1}));
  EXPECT_EQ(c.fields[0].stop_stage, "run2");
  EXPECT_NEAR(c.fields[1].value.x, std::sin(26 * M_PI / 180), 1e-15);
  EXPECT_EQ(c.fields[1].start_stage, "run2");
  EXPECT_EQ(c.domain.rule, DomainRule::open);
  EXPECT_TRUE(c.domain.bounded);
  read_back(i);
}

TEST(ScriptImport, NamesOfMeshesAreSeenFromTheCase) {
  ScriptOptions o = with_files();
  o.case_folder = "elsewhere/cases";
  const Case c = imported(liggghts("model hertz tangential history",
                                   "fix p all mesh/surface file meshes/p.stl type 1\n"
                                   "fix w all wall/gran model hertz tangential history mesh n_meshes 1 meshes p\n"),
                          o)
                     .settings;
  EXPECT_EQ(std::get<MeshShape>(c.walls[0].shape).file, "../../folder/meshes/p.stl");
}

TEST(ScriptImport, Insertion) {
  const std::string templates =
      "fix a all particletemplate/sphere 1 atom_type 1 density constant 1000 radius constant 0.02\n"
      "fix b all particletemplate/sphere 1 atom_type 2 density constant 2000 radius uniform number 0.01 0.02\n"
      "fix mix all particledistribution/discrete 1 2 a 0.5 b 0.5\n"
      "fix few all particledistribution/discrete/numberbased 1 2 a 0.25 b 0.75\n"
      "region top block 0.2 0.8 0.2 0.8 1 1.9 units box\n";
  ImportedCase i =
      imported(liggghts("model hertz tangential history",
                        templates + "fix pack all insert/pack seed 1 distributiontemplate few insert_every once "
                                    "particles_in_region 100 region top vel constant 0 0 -1\n"));
  ASSERT_EQ(i.settings.particles.size(), 3U);
  EXPECT_EQ(i.settings.particles[0].name, "pack_a");  // the larger ones first
  EXPECT_EQ(std::get<RandomAddition>(i.settings.particles[0].source).count, 25);
  EXPECT_EQ(std::get<RandomAddition>(i.settings.particles[1].source).count, 75);
  EXPECT_EQ(i.settings.particles[1].radius.kind, RadiusDistribution::Kind::uniform);
  EXPECT_EQ(i.settings.particles[0].velocity, (Vec3d{0, 0, -1}));
  EXPECT_EQ(i.settings.particles[0].material, "type1");  // 1000 kg/m^3; that of the listed ones is another
  EXPECT_EQ(material(i.settings, i.settings.particles[0].material).density, 1000);
  EXPECT_EQ(material(i.settings, i.settings.particles[2].material).density, 2500);
  read_back(i);

  // shares by mass become rates by mass
  i = imported(liggghts("model hertz tangential history",
                        templates +
                            "fix face all mesh/surface/planar file f.stl type 1 scale 0.2 move 0.3 0.3 1\n"
                            "fix rain all insert/stream seed 1 distributiontemplate mix massrate 2 nparticles 1000 "
                            "vel constant 0 0 -2 insertion_face face extrude_length 0.5\n"));
  const auto& stream = std::get<Stream>(i.settings.particles[0].source);
  EXPECT_DOUBLE_EQ(stream.mass_rate, 1);
  EXPECT_EQ(stream.region.kind, Region::Kind::box);
  EXPECT_NEAR(stream.region.box.min.z, 1, 1e-12);  // upstream of the face
  EXPECT_NEAR(stream.region.box.max.z, 1.5, 1e-12);
  EXPECT_NEAR(stream.region.box.max.x, 0.7, 1e-12);
  const double ma = 1000 * 8e-6, mb = 2000 * (16e-8 - 1e-8) / (4 * 0.01);
  EXPECT_EQ(stream.count, std::lround(1000 * (1 / ma) / (1 / ma + 1 / mb)));

  i = imported(
      liggghts("model hertz tangential history",
               "run 100\n" + templates +
                   "fix r all insert/rate/region seed 1 distributiontemplate few nparticles INF particlerate 40 "
                   "insert_every 200 vel constant 0 0 0 region top\nrun 100\nunfix r\n"));
  const auto& rate = std::get<Stream>(i.settings.particles[1].source);
  EXPECT_DOUBLE_EQ(rate.rate, 30);
  EXPECT_DOUBLE_EQ(rate.every, 2e-3);
  EXPECT_EQ(rate.when.start_stage, "run2");
  EXPECT_EQ(rate.when.stop_stage, "run3");
  EXPECT_EQ(rate.count, 0);
}

// A fix has the regions and variables of its line, whatever becomes of them later.
TEST(ScriptImport, WhatANameMeantThen) {
  const Case c =
      imported(
          liggghts(
              "model hertz tangential history",
              "fix t all particletemplate/sphere 1 atom_type 1 density constant 1000 radius constant 0.02\n"
              "fix m all particledistribution/discrete 1 1 t 1\nvariable g equal 5\n"
              "region r block 0.1 0.4 0.1 0.4 1 1.5\nfix w all gravity v_g vector 0 0 -1\n"
              "fix one all insert/pack seed 1 distributiontemplate m insert_every once particles_in_region 9 region r\n"
              "region r delete\nregion r block 0.6 0.9 0.6 0.9 1 1.5\nvariable g equal step\n"
              "fix two all insert/pack seed 1 distributiontemplate m insert_every once particles_in_region 9 region "
              "r\n"))
          .settings;
  EXPECT_EQ(std::get<RandomAddition>(c.particles[0].source).region.box.min.x, 0.1);
  EXPECT_EQ(std::get<RandomAddition>(c.particles[1].source).region.box.min.x, 0.6);
  EXPECT_EQ(c.fields[0].value.z, -5);
}

TEST(ScriptImport, Units) {
  const std::string rest =
      "atom_style sphere\nboundary f f f\nregion b block 0 100 0 100 0 100\ncreate_box 1 b\n"
      "create_atoms 1 single 50 50 10\nset type 1 diameter 2 density 2.5\nvelocity all set 1 2 3\nset type 1 omega 1 0 "
      "0\n"
      "pair_style granular\npair_coeff * * hertz/material 1000 0.5 0.25 tangential mindlin NULL 1 0.5 damping tsuji\n"
      "fix g all gravity 981 vector 0 0 -1\nfix n all nve/sphere\nthermo 10\ndump d all custom 20 d.txt id x y z\n"
      "timestep 0.001\nrun 100\n";
  Case c = imported("units cgs\n" + rest).settings;
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].x.z, 0.1);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].radius, 0.01);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].v.y, 0.02);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].w.x, 1);
  EXPECT_EQ(c.materials[0].density, 2500);
  EXPECT_DOUBLE_EQ(c.materials[0].young, 100);  // 10 dyn/cm^2 are 1 Pa
  EXPECT_DOUBLE_EQ(c.fields[0].value.z, -9.81);
  EXPECT_DOUBLE_EQ(c.stages[0].duration, 0.1);
  EXPECT_DOUBLE_EQ(c.output.series, 0.01);
  EXPECT_DOUBLE_EQ(c.output.frames, 0.02);
  c = imported("units micro\n" + rest).settings;  // um, pg, us
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].radius, 1e-6);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].v.y, 2);
  EXPECT_DOUBLE_EQ(c.materials[0].density, 2500);
  EXPECT_DOUBLE_EQ(c.materials[0].young, 1e6);
  EXPECT_DOUBLE_EQ(c.fields[0].value.z, -981e6);
  EXPECT_DOUBLE_EQ(c.stages[0].duration, 1e-7);
  const ImportedCase lj = imported(rest);  // a script that names no units
  EXPECT_THAT(lj.notes, testing::Contains(HasSubstr("units lj")));
  EXPECT_EQ(list(lj.settings.particles[0])[0].x.z, 10);
  const auto p = problems_of("units metal\n" + rest);
  ASSERT_EQ(p.size(), 1U);
  EXPECT_EQ(p[0].line, 1);
  EXPECT_EQ(p[0].file, "folder/in.test");
}

TEST(ScriptImport, LatticeGroupsAndPrescribedParticles) {
  const ImportedCase i = imported(
      "units si\natom_style sphere\nboundary p p f\nlattice sc 0.1\nregion b block 0 4 0 4 0 10\ncreate_box 2 b\n"
      "region low block INF INF INF INF -0.1 0.1 units box\nregion up block 0 4 0 4 4.5 5.5\n"
      "create_atoms 2 region low\ncreate_atoms 1 region up\nset type * diameter 0.09 density 1000\n"
      "group base type 2\ngroup mobile subtract all base\nvelocity mobile set 0 NULL -1\n"
      "pair_style gran/hooke/history 1000 NULL 10 NULL 0.5 1\npair_coeff * *\n"
      "fix n mobile nve/sphere\nfix m base move linear 0 0 0.5\ntimestep 1e-4\nrun 10\n");
  const Case& c = i.settings;
  ASSERT_EQ(c.particles.size(), 2U);
  EXPECT_EQ(list(c.particles[0]).size(), 32U);  // layers z = 0 and z = 0.1, 4 x 4
  EXPECT_TRUE(c.particles[0].prescribed);
  EXPECT_EQ(c.particles[0].motion.velocity, (Vec3d{0, 0, 0.5}));
  EXPECT_EQ(list(c.particles[1]).size(), 16U);
  EXPECT_DOUBLE_EQ(list(c.particles[1])[0].x.z, 0.5);
  EXPECT_EQ(list(c.particles[1])[0].v, (Vec3d{0, 0, -1}));
  EXPECT_TRUE(c.domain.periodic[0]);
  EXPECT_FALSE(c.domain.periodic[2]);
  // gamma_n acts on the reduced mass: c = gamma m*, beta = gamma sqrt(m*/k)/2
  const double m = 0.5 * 1000 * M_PI / 6 * std::pow(0.09, 3);
  EXPECT_NEAR(contact(c, "type1", "type1").normal.numbers.at("beta"), 0.5 * 10 * std::sqrt(m / 1000), 1e-12);
  EXPECT_NEAR(contact(c, "type1", "type1").tangential.numbers.at("stiffness"), 2000.0 / 7, 1e-9);
  EXPECT_NEAR(contact(c, "type1", "type1").tangential.numbers.at("beta"), 0.25 * 10 * std::sqrt(m / (2000.0 / 7)),
              1e-12);
  read_back(i);
}

TEST(ScriptImport, DataFiles) {
  const std::string data =
      "grains\n\n3 atoms\n2 atom types\n\n-1 1 xlo xhi\n-2 2 ylo yhi\n0 5 zlo zhi\n\nAtoms # sphere\n\n"
      "3 2 0.2 2000 0 0 3\n1 1 0.1 1000 0 0 1\n2 1 0.1 1000 0.5 0 1\n\nVelocities\n\n1 1 2 3 4 5 6\n2 0 0 0 0 0 0\n3 0 "
      "0 0 0 0 0\n";
  const Case c =
      imported(
          "units cgs\natom_style sphere\nboundary f f f\nread_data x.data\n"
          "pair_style gran/hertz/history 1e6 NULL 0 NULL 0.5 0\nfix n all nve/sphere\ntimestep 1e-4\nrun 1\n",
          with_files(data))
          .settings;
  ASSERT_EQ(c.particles.size(), 2U);
  EXPECT_EQ(list(c.particles[0]).size(), 2U);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[1].x.x, 0.005);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].v.z, 0.03);
  EXPECT_DOUBLE_EQ(list(c.particles[0])[0].w.z, 6);
  EXPECT_EQ(c.particles[1].material, "type2");
  EXPECT_DOUBLE_EQ(c.domain.box.max.y, 0.02);
  EXPECT_EQ(contact(c, "type1", "type2").normal.numbers.at("xi"), 0);  // without damping
}

TEST(ScriptImport, GranularOfLammps) {
  const auto script = [](const std::string& law) {
    return "units si\natom_style sphere\nboundary f f f\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\n"
           "create_atoms 1 single 0.5 0.5 0.5\nset type 1 diameter 0.01 density 2500\npair_style granular\npair_coeff "
           "* * " +
           law + "\nfix w all wall/gran granular " + law +
           " zplane 0 NULL\nfix n all nve/sphere\ntimestep 1e-6\nrun 1\n";
  };
  ImportedCase i =
      imported(script("hertz/material 1e7 0.5 0.25 tangential mindlin_rescale/force NULL 0.8 0.4 damping tsuji"));
  const ContactPair* p = &contact(i.settings, "type1", "type1");
  EXPECT_NEAR(p->normal.numbers.at("xi"), 0.139107, 1e-6);  // that of the peers' test
  EXPECT_EQ(p->tangential.words.at("history"), "force");
  EXPECT_EQ(p->tangential.words.at("rescale"), "on");
  EXPECT_EQ(p->tangential.words.at("cap"), "remainder");
  EXPECT_EQ(p->tangential.words.at("dashpot"), "normal");
  EXPECT_EQ(p->tangential.numbers.at("dashpot_factor"), 0.8);
  EXPECT_DOUBLE_EQ(material(i.settings, "type1").young, 1e7);
  EXPECT_NEAR(material(i.settings, "wall").young, 1e7, 1);
  EXPECT_EQ(contact(i.settings, "type1", "wall").normal.numbers.at("xi"), p->normal.numbers.at("xi"));
  read_back(i);

  // springs in place of moduli: k_n = 4/3 E*, k_t = factor 8 G*
  i = imported(script("hertz 1e7 0.5 tangential mindlin 8e6 0 0.4 damping tsuji limit_damping"));
  EXPECT_NEAR(material(i.settings, "type1").young, 2 * (1 - 0.0625) * 0.75e7, 1e-3);
  p = &contact(i.settings, "type1", "type1");
  EXPECT_NEAR(p->tangential.numbers.at("stiffness_factor"),
              8e6 / (2 * material(i.settings, "type1").young / (1.25 * 1.75)), 1e-9);
  EXPECT_EQ(p->normal.words.at("clamp"), "on");

  i = imported(script("jkr 1e6 0.5 0.25 0.1 tangential linear_history 1000 0 0.4 rolling sds 500 0.1 0.2"));
  p = &contact(i.settings, "type1", "type1");
  EXPECT_EQ(p->normal.law, "jkr");
  EXPECT_DOUBLE_EQ(p->normal.numbers.at("work"), 0.2);
  EXPECT_EQ(p->tangential.law, "coulomb_time");
  EXPECT_NEAR(p->rolling.numbers.at("stiffness"), 500 * 0.0025 * 0.0025, 1e-12);
  EXPECT_THAT(i.notes, testing::Contains(HasSubstr("restitution at each speed")));
  read_back(i);
  EXPECT_FALSE(problems_of(script("hookean 1 2")).empty());
}

// A linear spring with a dashpot has a closed form; Hertz's law with that of Tsuji leaves one restitution at all
// speeds, which is that of the ratio on 2 E* a: exp(-pi z/sqrt(1 - z^2)), z = sqrt(6/5) xi.
TEST(ScriptContactModel, Restitution) {
  io::ContactModel m;
  m.stiffness = 1000;
  m.damping = io::ContactModel::Damping::mass_velocity;
  m.eta = 50;
  const io::MeetingBodies b{0.01, 0.005, 0.3};
  const double beta = io::damping_ratio(m, b).value();
  EXPECT_NEAR(beta, 0.5 * 50 * std::sqrt(0.01 / 1000), 1e-12);
  EXPECT_NEAR(io::restitution_of(m, b), std::exp(-M_PI * beta / std::sqrt(1 - beta * beta)), 1e-3);
  // one that may not pull is over earlier, and leaves more
  m.pulls = false;
  EXPECT_GT(io::restitution_of(m, b), std::exp(-M_PI * beta / std::sqrt(1 - beta * beta)) + 1e-3);

  // viscoelastic on Hertz's law: the faster, the more is lost
  m = {};
  m.elastic = io::ContactModel::Elastic::hertz;
  m.e_star = 1e7;
  m.eta = 1e5;
  EXPECT_FALSE(io::damping_ratio(m, b));
  const double slow = io::restitution_of(m, {0.01, 0.005, 0.01}), fast = io::restitution_of(m, {0.01, 0.005, 1});
  EXPECT_LT(fast, slow);
  EXPECT_LT(slow, 1);
  // to first order the loss is that of c along the undamped impact: 1 - e = (1/(m v^2)) integral of c rate^2 dt
  m.eta = 1e3;
  const double v = 0.3, k = 4.0 / 3 * m.e_star * std::sqrt(b.r_star);
  const double deepest = std::pow(1.25 * b.m_star * v * v / k, 0.4);
  double loss = 0;  // on the way in and out; rate = v sqrt(1 - (x/deepest)^(5/2))
  for (int n = 0; n < 100000; ++n) {
    const double s = (n + 0.5) / 100000;
    loss += 2 * m.eta * b.m_star * std::sqrt(b.r_star * s * deepest) * v * std::sqrt(1 - std::pow(s, 2.5)) * deepest /
            100000;
  }
  EXPECT_NEAR(1 - io::restitution_of(m, b), loss / (b.m_star * v * v), 0.02 * (1 - io::restitution_of(m, b)));
}

TEST(ScriptImport, WhatIsNotTakenOverIsListedByLine) {
  const ImportedCase i = imported(liggghts("model hertz tangential history",
                                           "compute c all ke\nif \"1\" then \"run 5\"\nfix l all lineforce 1 0 0\n"
                                           "region u union 2 b b\nfrobnicate the grains\nrun ${missing}\n"
                                           "neighbor 0.1 bin\nthermo_style custom step\n"
                                           "fix wr all wall/gran/region granular hertz 1 2 region u\n"));
  std::vector<int> lines;
  for (const LeftOutLine& l : i.left_out) lines.push_back(l.line);
  EXPECT_EQ(lines, (std::vector<int>{16, 17, 18, 19, 20, 21, 24}));
  EXPECT_EQ(i.left_out[4].text, "frobnicate the grains");
  const std::string toml = imported_toml(i, "folder/in.test");
  EXPECT_THAT(toml, HasSubstr("# in.test:20: frobnicate the grains"));
  EXPECT_THAT(toml, HasSubstr("the variable `missing` has no value here"));
  read_back(i);
}

TEST(ScriptImport, WrongLinesAreToldWithTheirPlace) {
  const auto one = [](const std::string& more, int line, const std::string& key) {
    const auto p = problems_of(liggghts("model hertz tangential history", more));
    ASSERT_EQ(p.size(), 1U) << more;
    EXPECT_EQ(p[0].line, line) << more;
    EXPECT_THAT(p[0].key, HasSubstr(key));
  };
  one("timestep soon\n", 16, "timestep");
  one("timestep -1\n", 16, "timestep");
  one("run many\n", 16, "run");
  one("region r block 0 1 0 1 2 1\n", 16, "region");
  one("region r sphere 0 0 0\n", 16, "radius");
  one("set type 1 diameter 0\n", 16, "set.diameter");
  one("fix w all wall/gran model hertz primitive type 3 zplane 0\n", 16, "fix.type");
  one("fix m all mesh/surface file missing.stl type 1\n", 16, "fix.file");
  one("fix g all gravity 9.81 vector 0 0 0\n", 16, "fix.direction");
  one("fix t all particletemplate/sphere 1 atom_type 1 density constant -1 radius constant 1\n", 16, "fix.density");
  one("fix x all property/global coefficientFriction peratomtypepair 2 1 2 3\n", 16, "fix.coefficientFriction");
  const auto none = problems_of("units si\natom_style sphere\nrun 10\n");
  EXPECT_FALSE(none.empty());
  EXPECT_THAT(problems_of("units si\n")[0].rule, HasSubstr("no `run`"));
  // what is missing may be among the lines that were left out
  const auto p = problems_of("units si\nrun ${n}\n");
  ASSERT_EQ(p.size(), 2U);
  EXPECT_EQ(p[1].line, 2);
}

TEST(ScriptImport, PropertiesThatAreMissing) {
  const auto p = problems_of(
      "units si\natom_style granular\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\ncreate_atoms 1 single 0 0 0\n"
      "pair_style gran model hertz tangential history\nfix n all nve/sphere\nrun 1\n");
  ASSERT_EQ(p.size(), 1U);
  EXPECT_EQ(p[0].line, 6);
  EXPECT_THAT(p[0].key, HasSubstr("youngsModulus"));
}

TEST(ScriptImport, KnownByNameOrContent) {
  for (const char* name : {"in.chute", "a/b/in.x", "chute.in", "x.lmp", "x.liggghts"})
    EXPECT_TRUE(is_script_file(name, "")) << name;
  EXPECT_FALSE(is_script_file("case.toml", "title = \"x\"\n"));
  EXPECT_FALSE(is_script_name("in.hopper.toml"));
  EXPECT_TRUE(is_script_file("chute.txt", "units si\n  boundary f f f\nrun 5\n"));
}
