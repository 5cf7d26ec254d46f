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

namespace {

const std::string kLegacy = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n";

// A .vtp with one array of places in raw appended data, as the caller fills it.
std::string vtp(std::size_t points, std::string_view compressor, std::string_view data) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\"" +
         std::string(compressor) + "><PolyData><Piece NumberOfPoints=\"" + std::to_string(points) +
         "\"><Points><DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"appended\" "
         "offset=\"0\"/></Points></Piece></PolyData><AppendedData encoding=\"raw\">\n_" +
         std::string(data) + "</AppendedData></VTKFile>\n";
}

std::string words(std::initializer_list<std::uint64_t> values) {
  std::string bytes;
  for (const std::uint64_t v : values) bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  return bytes;
}

constexpr std::string_view kZlib = " compressor=\"vtkZLibDataCompressor\"";

}  // namespace

TEST(ParticleFiles, CountsOfLegacyVtkAreHeldAgainstTheFile) {
  EXPECT_EQ(read(kLegacy).particles.size(), 1u);
  // A second POINTS would give 5 particles the values of 1.
  const Read twice = read(kLegacy + "POINTS 5 float\n0 0 0 1 0 0 2 0 0 3 0 0 4 0 0\n");
  ASSERT_EQ(twice.problems.size(), 1u);
  EXPECT_EQ(twice.problems[0].line, 7);
  EXPECT_EQ(read(kLegacy + "FIELD f 1\nx 1999999999 1999999999 string\n").problems.at(0).line, 8);
  EXPECT_EQ(read(kLegacy + "FIELD f 1\nx 3 3 string a b c\n").problems.at(0).key, "x");
  EXPECT_EQ(read(kLegacy + "FIELD f 2\na 1 1 float 0\nMETADATA INFORMATION 1999999999\n").problems.at(0).line, 9);
  EXPECT_EQ(read(kLegacy + "POINT_DATA 1\nFIELD f 1\na 3 3 float 0 0 0\n").problems.at(0).key, "a");
}

TEST(ParticleFiles, SizesOfXmlVtkAreHeldAgainstTheFile) {
  const double place[3] = {1, 2, 3};
  const std::string bytes(reinterpret_cast<const char*>(place), sizeof place);
  const Read sound = read(vtp(1, "", words({24}) + bytes));
  ASSERT_TRUE(sound.problems.empty()) << sound.problems[0].rule;
  EXPECT_EQ(sound.particles.at(0).x, (Vec3d{1, 2, 3}));
  const auto refused = [](const std::string& text) {
    const Read r = read(text);
    return r.particles.empty() && r.problems.size() == 1 && r.problems[0].line == 2;
  };
  EXPECT_TRUE(refused(vtp(1, "", words({24}) + bytes.substr(1, 5))));
  EXPECT_TRUE(refused(vtp(1, "", words({~std::uint64_t{0}}) + bytes)));
  EXPECT_TRUE(refused(vtp(1, "", "")));
  EXPECT_TRUE(refused(vtp(1'000'000'000, "", words({24'000'000'000}) + bytes)));
  // Sizes of the blocks as stored, whose sum is small only because it passes 2^64.
  EXPECT_TRUE(refused(vtp(1, kZlib, words({2, 12, 12, ~std::uint64_t{0} - 7, 32}) + std::string(64, 'x'))));
  // Blocks that would be a gigabyte when unpacked, for one point.
  EXPECT_TRUE(refused(vtp(1, kZlib, words({1, 1 << 30, 0, 24}) + std::string(24, 'x'))));
  EXPECT_TRUE(refused(vtp(1 << 26, kZlib, words({1, 3 << 29, 0, 24}) + std::string(24, 'x'))));
  EXPECT_TRUE(refused(vtp(1, kZlib, words({~std::uint64_t{0} / 8, 24, 0, 24}) + std::string(24, 'x'))));
}

TEST(ParticleFiles, XmlVtkThatIsNotWhatItSeems) {
  const std::string head =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">\n<PolyData>";
  const std::string places = "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">";
  const std::string end = "</PolyData></VTKFile>";
  // Places before the piece, when the number of points is not known yet.
  EXPECT_FALSE(
      read(head + places + "</DataArray></Points><Piece NumberOfPoints=\"500000\"></Piece>" + end).problems.empty());
  EXPECT_EQ(read(head + "<Piece NumberOfPoints=\"1\">" + places + "0 0 0</DataArray></Points>").problems.at(0).line, 3);
  EXPECT_EQ(read(head + "<Piece NumberOfPoints=\"-1\"/>" + end).problems.at(0).key, "NumberOfPoints");
  EXPECT_EQ(read("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile/>").problems.at(0).key, "DOCTYPE");
  std::string deep = head;
  for (int k = 0; k < 1000; ++k) deep += "<a>";
  EXPECT_EQ(read(deep).problems.at(0).rule, "is nested too deeply");
  // An attribute in single quotes, a comment and a name that begins like another are XML like any other.
  const Read r = read(head +
                      "<!-- <Piece> --><Piece NumberOfPoints='1'><PointData><DataArray type='Float64' "
                      "Name='radius2' format='ascii'>7</DataArray><DataArray type='Float64' Name='radius' "
                      "format='ascii'>5</DataArray></PointData>" +
                      places + "1 2 3</DataArray></Points></Piece>" + end);
  ASSERT_TRUE(r.problems.empty()) << r.problems[0].rule;
  EXPECT_EQ(r.particles.at(0).radius, 5);
}

TEST(ParticleFiles, IdsAreNumbers) {
  const std::string data = "title\n\n1 atoms\n\nAtoms\n\n";
  EXPECT_EQ(read(data + "1e30 1 0.2 1000 1 2 3\n").problems.at(0).key, "id");
  EXPECT_EQ(read(data + "1 1 0.2 1000 1 2 3\n\nVelocities\n\n1e30 0 0 0\n").problems.at(0).key, "id");
  EXPECT_EQ(read("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: ATOMS id x y z\nnan 0 0 0\n1 5 5 5\n")
                .problems.at(0)
                .key,
            "id");
}
