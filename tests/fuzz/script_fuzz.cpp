// libFuzzer target of the scripts of LAMMPS and LIGGGHTS: what is imported can be written and read back. Files that a
// script names are a data file and a mesh, whatever their names.
#include "areia/case_file.h"
#include "fuzz.h"
#include "io/case/imported_case.h"
#include "io/scripts/script_import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  static constexpr char kData[] =
      "two\n\n2 atoms\n2 atom types\n\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 1 0.1 2500 0.2 0.2 "
      "0.2\n"
      "2 2 0.1 2500 0.6 0.6 0.6\n";
  ScriptOptions options;
  options.read = [](const std::filesystem::path& file, std::string& why) -> std::optional<std::string> {
    why = "there is no such file";
    if (file.extension() == ".in") return "variable more equal 3\nrun ${more}\n";
    return file.extension() == ".data" ? std::optional<std::string>(kData) : std::nullopt;
  };
  options.read_mesh = [](const std::filesystem::path& file, std::string& why) -> std::optional<MeshShape> {
    why = "there is no such file";
    if (file.extension() != ".stl") return {};
    MeshShape m;
    m.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    m.triangles = {{0, 1, 2}, {0, 2, 3}};
    return m;
  };
  return fuzz::expect_typed_errors([&] {
    ImportedCase imported = import_script(fuzz::text_of(data, size), "in.fuzz", options);
    std::erase_if(imported.settings.walls, [](const Wall& w) {  // meshes that only this target has read
      const auto* mesh = std::get_if<MeshShape>(&w.shape);
      return mesh && !mesh->file.empty();
    });
    parse_case(imported_toml(imported, "in.fuzz"), "imported.toml");
  });
}
