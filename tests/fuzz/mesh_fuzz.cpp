// libFuzzer target of mesh files. The first byte chooses STL, OBJ or PLY; what is read becomes a surface to touch.
#include "fuzz.h"
#include "io/meshes/mesh_file.h"
#include "scene/triangle_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  if (size == 0) return 0;
  static const fuzz::Folder folder;
  static constexpr const char* kNames[] = {"mesh.stl", "mesh.obj", "mesh.ply"};
  return fuzz::expect_typed_errors([&] {
    std::string why;
    const auto path = folder.write(kNames[data[0] % 3], fuzz::text_of(data + 1, size - 1));
    const auto mesh = io::read_mesh_file(path, why);
    if (mesh) make_triangle_mesh(*mesh, "walls.fuzz.mesh");
  });
}
