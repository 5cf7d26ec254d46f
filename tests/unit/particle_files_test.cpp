// Particles from the files of other programs.
#include "io/particles/particle_files.h"

#include <gtest/gtest.h>

#include <numbers>

using namespace areia;
using namespace areia::io;

namespace {

struct Read {
  std::vector<ListedParticle> particles;
  std::vector<Problem> problems;
};

Read read(std::string_view text, std::optional<std::int64_t> step = {}) {
  Read r;
  parse_particle_file(text, "file", step, r.particles, r.problems);
  return r;
}

const char* const kDump = R"(ITEM: TIMESTEP
0
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS pp pp ff
0 10
0 10
-5 5
ITEM: ATOMS id type x y z radius
1 1 1 2 3 0.5
2 1 4 5 6 0.5
ITEM: TIMESTEP
1000
ITEM: NUMBER OF ATOMS
2
ITEM: BOX BOUNDS pp pp ff
0 10
0 10
-5 5
ITEM: ATOMS id type xs ys zs vx vy vz omegax omegay omegaz diameter mass q
2 1 0.4 0.5 0.6 1 2 3 7 8 9 0.4 2.5 -3
1 1 0.1 0.2 0.5 4 5 6 0 0 0 0.2 1.5 0
)";

}  // namespace

TEST(ParticleFiles, DumpGivesItsLastStepInTheOrderOfIds) {
  const Read r = read(kDump);
  ASSERT_TRUE(r.problems.empty());
  ASSERT_EQ(r.particles.size(), 2u);
  EXPECT_EQ(r.particles[0].x, (Vec3d{1, 2, 0}));
  EXPECT_EQ(r.particles[0].radius, 0.1);
  EXPECT_EQ(r.particles[1].v, (Vec3d{1, 2, 3}));
  EXPECT_EQ(r.particles[1].w, (Vec3d{7, 8, 9}));
  EXPECT_EQ(r.particles[1].mass, 2.5);
  EXPECT_EQ(r.particles[1].charge, -3);
}

TEST(ParticleFiles, DumpStepByNumber) {
  const Read r = read(kDump, 0);
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(r.particles.at(1).x, (Vec3d{4, 5, 6}));
  EXPECT_EQ(r.particles.at(1).radius, 0.5);
  const Read none = read(kDump, 5);
  ASSERT_EQ(none.problems.size(), 1u);
  EXPECT_NE(none.problems[0].rule.find("from 0 to 1000"), std::string::npos);
}

TEST(ParticleFiles, DumpProblemsHaveTheirLine) {
  const auto line_of = [](const std::string& text) {
    const Read r = read(text);
    return r.problems.empty() ? -1 : r.problems[0].line;
  };
  const std::string head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\n";
  EXPECT_EQ(line_of(head + "ITEM: ATOMS id x y z\n1 0 0 0\n2 0 0\n"), 11);
  EXPECT_EQ(line_of(head + "ITEM: ATOMS id x y z\n1 0 0 0\n"), 10);
  EXPECT_EQ(line_of(head + "ITEM: ATOMS id x y z\n1 0 0 0\n2 0 1..2 0\n"), 11);
  EXPECT_EQ(line_of(head + "ITEM: SOMETHING\n"), 9);
  EXPECT_EQ(line_of("ITEM: TIMESTEP\nx\n"), 2);
  EXPECT_FALSE(read(head + "ITEM: ATOMS id x y\n1 0 0\n2 0 0\n").problems.empty());
}

TEST(ParticleFiles, LammpsData) {
  const Read r = read(R"(LAMMPS data file

2 atoms
1 atom types

0 10 xlo xhi
0 10 ylo yhi
0 10 zlo zhi

Atoms # sphere

2 1 0.4 2500 4 5 6 0 0 0
1 1 0.2 1000 1 2 3 0 0 0

Velocities

1 1 1 1 0 0 0
2 1 2 3 4 5 6
)");
  ASSERT_TRUE(r.problems.empty()) << r.problems[0].rule;
  ASSERT_EQ(r.particles.size(), 2u);
  EXPECT_EQ(r.particles[0].x, (Vec3d{1, 2, 3}));
  EXPECT_EQ(r.particles[0].radius, 0.1);
  EXPECT_NEAR(r.particles[0].mass, 1000 * std::numbers::pi / 6 * 0.008, 1e-12);
  EXPECT_EQ(r.particles[1].v, (Vec3d{1, 2, 3}));
  EXPECT_EQ(r.particles[1].w, (Vec3d{4, 5, 6}));
  const std::string head = "title\n\n2 atoms\n\n";
  EXPECT_EQ(read(head + "Atoms # atomic\n\n1 1 0 0 0\n2 1 0 0 0\n").problems.at(0).line, 5);
  EXPECT_EQ(read(head + "Atoms\n\n1 1 0.2 1000 1 2 3\n\n").problems.at(0).line, 8);
  EXPECT_EQ(read(head + "Atoms\n\n1 1 0 1000 1 2 3\n").problems.at(0).key, "diameter");
}

TEST(ParticleFiles, LegacyVtk) {
  const Read r = read(R"(# vtk DataFile Version 3.0
grains
ASCII
DATASET POLYDATA
POINTS 2 float
0 0 1
1 2 3
VERTICES 2 4
1 0
1 1
POINT_DATA 2
SCALARS radius float 1
LOOKUP_TABLE default
0.5 0.25
VECTORS v float
1 0 0
0 1 0
FIELD FieldData 1
omega 3 2 float
1 2 3 4 5 6
)");
  ASSERT_TRUE(r.problems.empty()) << r.problems[0].rule;
  ASSERT_EQ(r.particles.size(), 2u);
  EXPECT_EQ(r.particles[1].x, (Vec3d{1, 2, 3}));
  EXPECT_EQ(r.particles[1].radius, 0.25);
  EXPECT_EQ(r.particles[1].v, (Vec3d{0, 1, 0}));
  EXPECT_EQ(r.particles[1].w, (Vec3d{4, 5, 6}));
  EXPECT_EQ(read("# vtk DataFile Version 3.0\nx\nBINARY\n").problems.at(0).line, 3);
  EXPECT_EQ(read("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n0 0 1 1\n2 x\n")
                .problems.at(0)
                .line,
            7);
}

TEST(ParticleFiles, XmlVtkInAscii) {
  const Read r = read(R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid><Piece NumberOfPoints="2" NumberOfCells="0">
<PointData><DataArray type="Float64" Name="diameter" format="ascii">0.5 0.25</DataArray></PointData>
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 1 1 2 3</DataArray></Points>
</Piece></UnstructuredGrid></VTKFile>
)");
  ASSERT_TRUE(r.problems.empty()) << r.problems[0].rule;
  ASSERT_EQ(r.particles.size(), 2u);
  EXPECT_EQ(r.particles[1].x, (Vec3d{1, 2, 3}));
  EXPECT_EQ(r.particles[1].radius, 0.125);
  EXPECT_FALSE(read("<VTKFile type=\"ImageData\">").problems.empty());
}

TEST(ParticleFiles, OnlyDumpsHaveSteps) {
  const Read r = read("x,y,z\n0,0,0\n", 3);
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].key, "file_step");
  EXPECT_EQ(read("x,y,z\n0,0,0\n").particles.size(), 1u);
}
