// Regions bounded by a mesh: the surface is read once, when a scene is made.
#include "scene/region_mesh.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "areia/error.h"
#include "io/meshes/mesh_file.h"
#include "io/temporary_folder.h"
#include "meshes.h"
#include "scene/region.h"
#include "scene/region_measure.h"

using namespace areia;
using testing_support::TemporaryFolder;

namespace {

// The unit cube as a file.
std::string cube_file(const TemporaryFolder& folder) {
  MeshShape cube;
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{};
  test::add_face(cube, o, y, x, 1);
  test::add_face(cube, z, x, y, 1);
  test::add_face(cube, o, x, z, 1);
  test::add_face(cube, y, z, x, 1);
  test::add_face(cube, o, z, y, 1);
  test::add_face(cube, x, y, z, 1);
  const std::string name = (folder.path() / "cube.obj").string();
  std::ofstream(name) << io::write_obj(cube);
  return name;
}

Region inside(const std::string& file) {
  Region r;
  r.kind = Region::Kind::mesh;
  r.mesh = file;
  return r;
}

}  // namespace

TEST(RegionMesh, IsReadOnceForAllRegionsOfAFile) {
  const TemporaryFolder folder;
  const std::string file = cube_file(folder);
  Case c;
  for (const char* name : {"a", "b", "c"}) {
    c.fields.emplace_back().name = name;
    c.fields.back().region = inside(file);
  }
  c.fields[2].region.scale = 2;
  const Case before = c;
  prepare_regions(c);
  EXPECT_EQ(c, before);  // the surface is no part of what was said
  EXPECT_EQ(c.fields[0].region.surface.mesh, c.fields[1].region.surface.mesh);
  EXPECT_NE(c.fields[0].region.surface.mesh, c.fields[2].region.surface.mesh);

  std::filesystem::remove(file);  // nobody looks for it any more
  EXPECT_TRUE(contains(c.fields[0].region, {0.5, 0.5, 0.5}));
  EXPECT_FALSE(contains(c.fields[1].region, {1.5, 0.5, 0.5}));
  EXPECT_TRUE(contains(c.fields[2].region, {1.5, 0.5, 0.5}));
  EXPECT_DOUBLE_EQ(volume_of(c.fields[2].region), 8);
  prepare_regions(c);
}

TEST(RegionMesh, SaysWhichRegionHasNoSurface) {
  Case c;
  c.fields.emplace_back().name = "wind";
  c.fields[0].region = inside("no_such_file.stl");
  try {
    prepare_regions(c);
    FAIL();
  } catch (const InputError& e) { EXPECT_EQ(e.problems.at(0).key, "fields.wind.region.mesh"); }
  EXPECT_THROW(contains(c.fields[0].region, {}), InputError);
}
