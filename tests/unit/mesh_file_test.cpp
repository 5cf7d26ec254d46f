// Mesh files: every format gives the same triangles; broken files are told, whatever is wrong with them.
#include "io/meshes/mesh_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "areia/case_file.h"
#include "io/temporary_folder.h"
#include "meshes.h"
#include "scene/triangle_mesh.h"

namespace areia::io {
namespace {

using testing::HasSubstr;

template <class T>
void put(std::string& out, T value, bool swap = false) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

std::string binary_stl(const MeshShape& m) {
  std::string s(80, ' ');
  put(s, static_cast<std::uint32_t>(m.triangles.size()));
  for (const auto& t : m.triangles) {
    for (int k = 0; k < 3; ++k) put(s, 0.0f);
    for (const std::int32_t v : t)
      for (const double a : {m.vertices[v].x, m.vertices[v].y, m.vertices[v].z}) put(s, static_cast<float>(a));
    put(s, std::uint16_t{0});
  }
  return s;
}

std::string text_stl(const MeshShape& m) {
  std::string s = "solid box\n";
  for (const auto& t : m.triangles) {
    s += "facet normal 0 0 1\nouter loop\n";
    for (const std::int32_t v : t)
      s += fmt::format("vertex {} {} {}\n", m.vertices[v].x, m.vertices[v].y, m.vertices[v].z);
    s += "endloop\nendfacet\n";
  }
  return s + "endsolid box\n";
}

std::string ply(const MeshShape& m, const std::string& format) {
  std::string s = fmt::format(
      "ply\nformat {} 1.0\ncomment made by hand\nelement vertex {}\nproperty double x\nproperty double y\nproperty "
      "double "
      "z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
      format, m.vertices.size(), m.triangles.size());
  const bool text = format == "ascii", swap = format == "binary_big_endian";
  for (const Vec3d& v : m.vertices) {
    if (text) {
      s += fmt::format("{} {} {} 7\n", v.x, v.y, v.z);
      continue;
    }
    for (const double a : {v.x, v.y, v.z}) put(s, a, swap);
    put(s, std::uint8_t{7});
  }
  for (const auto& t : m.triangles) {
    if (text) {
      s += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
      continue;
    }
    put(s, std::uint8_t{3});
    for (const std::int32_t k : t) put(s, k, swap);
  }
  return s;
}

class MeshFile : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    return (folder_.path() / name).string();
  }
  std::string why_not(const std::string& name, const std::string& content) {
    std::string why;
    EXPECT_FALSE(read_mesh_file(write(name, content), why));
    return why;
  }
  testing_support::TemporaryFolder folder_;
};

TEST_F(MeshFile, EveryFormatGivesTheSameMesh) {
  // values that single precision holds
  const MeshShape box = test::box_mesh({0, 0, 0}, {1, 2, 0.5}, 2);
  const std::pair<std::string, std::string> files[] = {{"a.stl", binary_stl(box)},
                                                       {"b.STL", text_stl(box)},
                                                       {"c.ply", ply(box, "ascii")},
                                                       {"d.ply", ply(box, "binary_little_endian")},
                                                       {"e.ply", ply(box, "binary_big_endian")},
                                                       {"f.obj", write_obj(box)}};
  for (const auto& [name, content] : files) {
    const MeshShape read = read_mesh(write(name, content));
    EXPECT_EQ(read.origin, name);
    const TriangleMesh mesh = make_triangle_mesh(read, "mesh");
    EXPECT_EQ(mesh.report.kept_triangles, 48u) << name;
    EXPECT_EQ(mesh.report.kept_vertices, 26u) << name;
    EXPECT_TRUE(mesh.report.closed) << name;
    EXPECT_NEAR(mesh.report.volume, 1, 1e-14) << name;
  }
}

TEST_F(MeshFile, TextKeepsAllDigits) {
  MeshShape m = test::square_mesh(1);
  for (Vec3d& v : m.vertices) v = {v.x / 3, v.y / 7 + 0.1, 1e-17};
  for (const auto& [name, content] :
       {std::pair{"a.stl", text_stl(m)}, {"b.obj", write_obj(m)}, {"c.ply", ply(m, "ascii")}}) {
    const MeshShape read = read_mesh(write(name, content));
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(read.vertices[read.triangles[t][k]], m.vertices[m.triangles[t][k]]) << name;
  }
}

TEST_F(MeshFile, ObjWithPolygonsAndNegativeNumbers) {
  const MeshShape m = read_mesh(
      write("a.obj", "o x\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3 4\nf -4 -3 -2\n"));
  EXPECT_EQ(m.vertices.size(), 4u);
  EXPECT_EQ(m.triangles, (std::vector<std::array<std::int32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}}));
}

TEST_F(MeshFile, BrokenFilesAreTold) {
  const MeshShape box = test::box_mesh({0, 0, 0}, {1, 1, 1}, 1);
  EXPECT_THAT(why_not("a.step", ""), HasSubstr("must end in .stl, .obj or .ply"));
  EXPECT_THAT(why_not("a.stl", ""), HasSubstr("neither"));
  EXPECT_THAT(why_not("a.stl", binary_stl(box).substr(0, 400)), HasSubstr("neither"));
  EXPECT_THAT(why_not("a.stl", "solid\nfacet\nvertex 1 2\n"), HasSubstr("line 3"));
  EXPECT_THAT(why_not("a.stl", "solid\nfacet\nvertex 1 2 3\n"), HasSubstr("less than three"));
  EXPECT_THAT(why_not("a.obj", "# nothing\n"), HasSubstr("no triangles"));
  EXPECT_THAT(why_not("a.obj", "v 0 0\n"), HasSubstr("line 1"));
  EXPECT_THAT(why_not("a.obj", "v 0 0 0\nf 1 1\n"), HasSubstr("line 2"));
  EXPECT_THAT(why_not("a.obj", "f 1 2 3\n"), HasSubstr("does not stand above"));
  EXPECT_THAT(why_not("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"), HasSubstr("there is not that much"));
  EXPECT_THAT(why_not("a.ply", "ply\nformat ascii 1.0\ncomment x\n"), HasSubstr("does not end"));
  EXPECT_THAT(why_not("a.ply", "ply\nelement face 100000000\n"), HasSubstr("at most 4000000"));
  EXPECT_THAT(why_not("a.ply", ply(box, "ascii").substr(0, 500)), HasSubstr("is not complete"));
  std::string huge(80, ' ');
  put(huge, std::uint32_t{10000000});
  std::string why;
  const std::string name = write("huge.stl", huge);
  std::filesystem::resize_file(name, 84 + 50 * std::uintmax_t{10000000});  // a hole in the file: no disk is used
  EXPECT_FALSE(read_mesh_file(name, why));
  EXPECT_THAT(why, HasSubstr("10000000 triangles; at most 4000000"));
}

// Bytes changed or cut off at random: a mesh, or a reason, in no time.
TEST_F(MeshFile, DamagedFilesDoNoHarm) {
  const MeshShape box = test::box_mesh({0, 0, 0}, {1, 1, 1}, 1);
  std::mt19937 random(1);
  int read = 0;
  for (const auto& [name, content] : {std::pair{"a.stl", binary_stl(box)},
                                      {"b.stl", text_stl(box)},
                                      {"c.ply", ply(box, "ascii")},
                                      {"d.ply", ply(box, "binary_big_endian")},
                                      {"e.obj", write_obj(box)}})
    for (int k = 0; k < 60; ++k) {
      std::string damaged = content;
      for (int n = 0; n < 1 + k % 5; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
      if (k % 3 == 0) damaged.resize(random() % damaged.size());
      std::string why;
      if (const auto mesh = read_mesh_file(write(name, damaged), why)) {
        ++read;
        try {
          make_triangle_mesh(*mesh, "mesh");
        } catch (const InputError&) {}
      } else {
        EXPECT_FALSE(why.empty());
      }
    }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace areia::io
